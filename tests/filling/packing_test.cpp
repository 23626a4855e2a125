#include "filling/packing.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <tuple>
#include "core/errors.hpp"

namespace granary::packing_test {

namespace {

template <class Maker> std::vector<NewBody> all(const Maker& maker, std::uint64_t seed) {
    std::vector<NewBody> bodies;
    for_each(maker, seed, [&](const NewBody& b) { bodies.push_back(b); });
    return bodies;
}

// Smallest gap between any two balls, all pairs, nearest images along periodic axes.
double smallest_gap(const std::vector<NewBody>& bodies, const Vec3d& period) {
    double least = 1e300;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            Vec3d d = bodies[i].position - bodies[j].position;
            for (int k = 0; k < 3; ++k)
                if (at(period, k) > 0) at(d, k) -= at(period, k) * std::round(at(d, k) / at(period, k));
            least = std::min(least, norm(d) - bodies[i].radius - bodies[j].radius);
        }
    return least;
}

template <class F> std::string message(F&& f) {
    try {
        f();
    } catch (const InputError& e) {
        return e.what();
    }
    return "nothing thrown";
}

const BallKind grain{0.01, 0.02, 1500, 3, {0, 0, -1}};

}  // namespace

TEST(Packing, BallIsASolidSphere) {
    const NewBody b = make_ball(7, {1, 2, 3}, 0.5, 2000, 4, {5, 6, 7});
    EXPECT_DOUBLE_EQ(b.mass, 2000 * std::numbers::pi / 6);
    EXPECT_DOUBLE_EQ(b.inertia, 0.1 * b.mass);
    EXPECT_EQ(std::tuple(b.id, b.material, b.radius), std::tuple(Id{7}, std::uint16_t{4}, 0.5));
    EXPECT_EQ(b.position, (Vec3d{1, 2, 3}));
    EXPECT_EQ(b.velocity, (Vec3d{5, 6, 7}));
    EXPECT_EQ(b.spin, (Vec3d{0, 0, 0}));
}

TEST(Packing, LatticeSitesRunXFastest) {
    const Lattice l{.lower = {0, 0, 1},
                    .upper = {0.3, 0.2, 1.25},
                    .spacing = 0.1,
                    .balls = {0.05, 0.05, 1000, 1, {}},
                    .first_id = 100};
    ASSERT_EQ(count(l), 3u * 2u * 2u);  // 0.3/0.1 rounds below 3 and still counts as 3
    const auto bodies = all(l, 1);
    ASSERT_EQ(bodies.size(), 12u);
    for (std::size_t s = 0; s < 12; ++s) {
        EXPECT_EQ(bodies[s].id, 100 + s);
        EXPECT_NEAR(bodies[s].position.x, 0.05 + 0.1 * double(s % 3), 1e-15);
        EXPECT_NEAR(bodies[s].position.y, 0.05 + 0.1 * double(s / 3 % 2), 1e-15);
        EXPECT_NEAR(bodies[s].position.z, 1.05 + 0.1 * double(s / 6), 1e-15);
    }
    EXPECT_NEAR(smallest_gap(bodies, {0.3, 0.2, 0}), 0, 1e-15);  // they touch, to rounding
}

TEST(Packing, LatticeByCountsFillsTheBox) {
    Lattice l{.lower = {0, 0, 0}, .upper = {1, 2, 3}, .counts = {4, 5, 6}, .balls = {0.1, 0.1, 1000, 0, {}}};
    EXPECT_EQ(count(l), 120u);
    const auto bodies = all(l, 1);
    EXPECT_EQ(bodies.back().position, (Vec3d{0.875, 1.8, 2.75}));
    l.spacing = 0.2;  // both: so many cells of that size
    EXPECT_NEAR(all(l, 1).back().position.z, 1.1, 1e-15);
}

TEST(Packing, LatticeRadiiAndJitter) {
    const Lattice l{.lower = {-1, -1, -1},
                    .upper = {1, 1, 1},
                    .spacing = 0.05,
                    .balls = {0.01, 0.02, 1000, 0, {}},
                    .jitter = 1};
    const auto bodies = all(l, 5);
    ASSERT_EQ(bodies.size(), 64000u);
    const CellGrid grid = cells(l);
    double mean = 0, most = 0;
    Vec3d drift;
    for (std::size_t s = 0; s < bodies.size(); ++s) {
        const NewBody& b = bodies[s];
        ASSERT_TRUE(b.radius >= 0.01 && b.radius < 0.02);
        mean += b.radius / 64000;
        const Vec3d off = b.position - grid.centre(s);
        drift += (1.0 / 64000) * off;
        for (int k = 0; k < 3; ++k) {
            ASSERT_LE(std::abs(at(off, k)), 0.025 - b.radius + 1e-15);  // inside its cell, so no overlap
            most = std::max(most, std::abs(at(off, k)) / (0.025 - b.radius));
        }
    }
    EXPECT_NEAR(mean, 0.015, 5 * 0.01 / std::sqrt(12.0 * 64000));  // five standard deviations
    EXPECT_LT(norm(drift), 5 * 0.01 / std::sqrt(64000.0));         // shifts are below 0.015, mostly by 0.006
    EXPECT_GT(most, 0.999);                                        // jitter 1 uses the whole gap
    Lattice half = l;
    half.jitter = 0.5;
    EXPECT_NEAR(all(half, 5)[77].position.x - grid.centre(77).x, 0.5 * (bodies[77].position.x - grid.centre(77).x),
                1e-15);
}

TEST(Packing, PartsAreThePiecesOfTheWhole) {
    const Lattice l{.lower = {0, 0, 0}, .upper = {1, 1, 1}, .spacing = 0.1, .balls = grain, .jitter = 0.7};
    const RandomLoose p{.lower = {0, 0, 0},
                        .upper = {1, 1, 1},
                        .count = 3000,
                        .balls = grain,
                        .periodic = {true, false, true}};
    const auto same = [](const NewBody& a, const NewBody& b) {
        return a.id == b.id && a.position == b.position && a.radius == b.radius && a.mass == b.mass;
    };
    const auto check = [&](const auto& maker) {
        const auto whole = all(maker, 9);
        const std::uint64_t n = cells(maker).size();
        std::array<std::vector<NewBody>, 3> parts;
        for (std::uint64_t rank : {2, 0, 1})  // in any order
            for_each(maker, 9, rank * n / 3, (rank + 1) * n / 3, [&](const NewBody& b) { parts[rank].push_back(b); });
        std::vector<NewBody> joined;
        for (const auto& part : parts) joined.insert(joined.end(), part.begin(), part.end());
        EXPECT_TRUE(std::equal(joined.begin(), joined.end(), whole.begin(), whole.end(), same));
    };
    check(l);
    check(p);
    EXPECT_FALSE(same(all(l, 9)[5], all(l, 10)[5]));  // the seed counts
    Lattice other = l;
    other.stream = 1;
    EXPECT_FALSE(same(all(l, 9)[5], all(other, 9)[5]));
}

TEST(Packing, PermutationHitsEveryNumberOnce) {
    for (std::uint64_t size : {1, 2, 3, 7, 64, 1000, 1023, 4097}) {
        std::set<std::uint64_t> seen;
        double same_order = 0;
        std::uint64_t last = 0;
        for (std::uint64_t i = 0; i < size; ++i) {
            const std::uint64_t k = permuted(i, size, {3, Purpose::test, 0, 0, 0});
            EXPECT_LT(k, size);
            seen.insert(k);
            same_order += k > last;
            last = k;
        }
        EXPECT_EQ(seen.size(), size);
        if (size > 1000) {
            EXPECT_NEAR(same_order / double(size), 0.5, 0.05);  // five times 0.29/sqrt(1000)
        }
    }
}

TEST(Packing, LoosePackingHasTheCountAndNoOverlap) {
    for (const auto& [n, periodic] :
         std::vector<std::pair<std::uint64_t, std::array<bool, 3>>>{{1, {}},
                                                                    {500, {}},
                                                                    {3000, {true, true, false}},
                                                                    {24 * 24 * 12, {true, true, true}},
                                                                    {6911, {false, true, false}}}) {
        const RandomLoose p{.lower = {0, 0, 0},
                            .upper = {1, 1, 0.5},
                            .count = n,
                            .balls = grain,
                            .periodic = periodic,
                            .first_id = 50};
        const auto bodies = all(p, 2);
        ASSERT_EQ(bodies.size(), n);
        std::set<Id> ids;
        for (const NewBody& b : bodies) {
            ids.insert(b.id);
            for (int k = 0; k < 3; ++k) {
                const double room = periodic[std::size_t(k)] ? 0 : b.radius;
                EXPECT_GE(at(b.position, k), room);
                EXPECT_LE(at(b.position, k), at(p.upper, k) - room);
                EXPECT_LT(at(b.position, k), at(p.upper, k));
            }
        }
        EXPECT_EQ(ids.size(), n);
        EXPECT_EQ(*ids.begin(), 50u);
        EXPECT_EQ(*ids.rbegin(), 50 + n - 1);
        const Vec3d period{periodic[0] ? 1.0 : 0, periodic[1] ? 1.0 : 0, periodic[2] ? 0.5 : 0};
        EXPECT_GT(smallest_gap(bodies, period), 0) << n;
    }
}

TEST(Packing, LoosePackingTooFullSaysHowManyFit) {
    // 24 cells of 0.04 m go into 0.999 m; exactly as many as promised must work.
    RandomLoose p{.lower = {0, 0, 0}, .upper = {0.999, 0.999, 0.5}, .count = 24 * 24 * 12 + 1, .balls = grain};
    EXPECT_NE(message([&] { cells(p); }).find("the largest number that does is 6912"), std::string::npos)
        << message([&] { cells(p); });
    p.count = 6912;
    EXPECT_EQ(all(p, 1).size(), 6912u);
    p.upper.z = 0.03;
    EXPECT_NE(message([&] { cells(p); }).find("does is 0"), std::string::npos);
}

TEST(Packing, LoosePackingKeepsRoomForRounding) {
    const double r = 0.02, edge = 10 * 2 * r * (1 + 1.2e-9);  // ten cells, each with hardly any play
    const RandomLoose p{.lower = {0, 0, 0},
                        .upper = {edge, edge, edge},
                        .count = 1000,
                        .balls = {r, r, 1, 0, {}},
                        .periodic = {true, true}};
    EXPECT_GT(smallest_gap(all(p, 3), {edge, edge, 0}),
              1.99e-9 * r);  // 1e-9 r around each ball; positions round by 1e-16
}

TEST(Packing, LoosePackingFillsThinAndLongBoxes) {
    for (const Vec3d& upper : {Vec3d{5, 0.05, 0.05}, Vec3d{1, 1, 0.045}, Vec3d{0.05, 0.5, 1}}) {
        const double fit =
            std::floor(upper.x / 0.04001) * std::floor(upper.y / 0.04001) * std::floor(upper.z / 0.04001);
        const RandomLoose p{.lower = {0, 0, 0}, .upper = upper, .count = std::uint64_t(fit * 0.8), .balls = grain};
        const auto bodies = all(p, 4);
        ASSERT_EQ(bodies.size(), p.count);
        EXPECT_GT(smallest_gap(bodies, {}), 0);
    }
}

TEST(Packing, LoosePackingIsSpreadEvenly) {
    const RandomLoose p{.lower = {0, 0, 0},
                        .upper = {1, 1, 1},
                        .count = 9000,
                        .balls = {0.01, 0.02, 1, 0, {}},
                        .periodic = {true, true, true}};
    EXPECT_GT(cells(p).size(), 9000u);  // there are vacancies
    std::array<double, 8> octant{};
    double radius = 0, id_by_height = 0;
    for_each(p, 11, [&](const NewBody& b) {
        ++octant[std::size_t(b.position.x > 0.5) + 2 * std::size_t(b.position.y > 0.5) +
                 4 * std::size_t(b.position.z > 0.5)];
        radius += b.radius / 9000;
        id_by_height += (double(b.id) / 9000 - 0.5) * (b.position.z - 0.5);
    });
    for (double n : octant) EXPECT_NEAR(n, 1125, 5 * std::sqrt(1125.0));
    EXPECT_NEAR(radius, 0.015, 5 * 0.01 / std::sqrt(12.0 * 9000));
    EXPECT_NEAR(id_by_height / 9000, 0, 5.0 / 12 / std::sqrt(9000.0));  // ids say nothing about height
}

TEST(Packing, AMillionBallsOnce) {
    const RandomLoose p{.lower = {0, 0, 0}, .upper = {1, 1, 1}, .count = 1000000, .balls = {0.003, 0.0045, 1, 0, {}}};
    std::uint64_t n = 0, sum = 0;
    for_each(p, 1, [&](const NewBody& b) { ++n, sum += b.id; });
    EXPECT_EQ(n, 1000000u);
    EXPECT_EQ(sum, std::uint64_t{999999} * 500000);
}

TEST(Packing, WrongLatticesAreNamed) {
    const Lattice good{.name = "bed", .lower = {0, 0, 0}, .upper = {1, 1, 1}, .spacing = 0.1, .balls = grain};
    const auto with = [&](auto change) {
        Lattice l = good;
        change(l);
        return message([&] { cells(l); });
    };
    EXPECT_EQ(with([](Lattice&) {}), "nothing thrown");
    EXPECT_NE(with([](Lattice& l) { l.upper.y = 0; }).find("bed: along y"), std::string::npos);
    EXPECT_NE(with([](Lattice& l) { l.spacing = 0; }).find("give a spacing"), std::string::npos);
    EXPECT_NE(with([](Lattice& l) { l.spacing = 0.03; }).find("largest diameter"), std::string::npos);
    EXPECT_NE(with([](Lattice& l) { l.spacing = 2; }).find("holds 0 cells"), std::string::npos);
    EXPECT_NE(with([](Lattice& l) { l.counts = {5, 11, 5}; }).find("11 are asked for"), std::string::npos);
    EXPECT_NE(with([](Lattice& l) { l.counts = {5, 0, 5}; }).find("count along y is 0"), std::string::npos);
    EXPECT_NE(with([](Lattice& l) { l.jitter = 1.5; }).find("jitter 1.5"), std::string::npos);
    EXPECT_NE(with([](Lattice& l) { l.balls.radius_min = 0; }).find("radii"), std::string::npos);
    EXPECT_NE(with([](Lattice& l) { l.balls.radius_min = 0.05; }).find("radii"), std::string::npos);
    EXPECT_NE(with([](Lattice& l) { l.balls.density = -1; }).find("density"), std::string::npos);
}

}  // namespace granary::packing_test
