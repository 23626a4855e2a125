// Space has no favourite place: a pair of balls that meets with friction across a slab face, a periodic face or the
// edge or corner of the domain does, to the last bit, what it does inside. Copies of one pair, shifted by steps of the
// lattice of positions, stand all over a periodic box; while in touch they drift through faces and change ranks. All
// are compared with one pair in the midst of a box without periods on one rank.
#include <gtest/gtest.h>
#include <array>
#include <bit>
#include <boost/serialization/vector.hpp>
#include <cstring>
#include <map>
#include <vector>
#include "support/few_balls.hpp"
#include "support/sub_communicators.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr double length = 0.25, radius = 5e-3;  // a power of two, so that it is a multiple of every lattice step
constexpr double fine =
    0x1p-45;  // steps of the places below: coarser than the lattice of positions, finer than all else

double on_grid(double x) { return std::round(x / fine) * fine; }
Vec3d on_grid(const Vec3d& x) { return {on_grid(x.x), on_grid(x.y), on_grid(x.z)}; }

Material grain() {
    Material m = hertz_material("grain", 5e6, 0.3, 2500, 0.6, 0.4);
    m.stiffness = 10000;
    return m;
}

// The pair: ball 2k at `place`, ball 2k + 1 nearly touching it; or the ids the other way round.
void add_pair(std::vector<NewBody>& balls, const Vec3d& place, bool swapped, const Vec3d& drift) {
    const Id first = balls.size();
    const auto wrap = [](double x) { return x < 0 ? x + length : x >= length ? x - length : x; };
    const auto inside = [&](const Vec3d& x) { return Vec3d{wrap(x.x), wrap(x.y), wrap(x.z)}; };
    const Vec3d apart = on_grid(2.002 * radius * 0.9 * unit({0.6, -0.5, 0.7}));
    balls.push_back(
        ball(first + swapped, inside(place), 1.1 * radius * 0.9, 2500, drift + Vec3d{0.5, -0.4, -0.3}, {90, -40, 10}));
    balls.push_back(ball(first + !swapped, inside(place + apart), 0.9 * radius * 0.9, 2500,
                         drift + Vec3d{-0.4, 0.5, -0.8}, {-150, 60, 200}));
}

// Everything that may be compared, as bits: ball by ball velocity, spin, force, torque; the place of the second
// relative to the first; the spring of the first relative to the second.
using Bits = std::vector<std::uint64_t>;

struct Sample {
    Vec3d x, v, spin, force, torque;
};

void add(Bits& bits, const Vec3d& a) {
    for (int axis = 0; axis < 3; ++axis) bits.push_back(std::bit_cast<std::uint64_t>(at(a, axis) + 0.0));  // -0 is 0
}

// Of all ranks, by id.
std::map<Id, Sample> all_bodies(const Simulation& sim) {
    std::vector<double> mine;
    const Bodies& b = sim.bodies();
    for (const Range& range : b.real)
        for (Index i = range.begin; i < range.end; ++i) {
            const Vec3d f{b.force(i, 0), b.force(i, 1), b.force(i, 2)},
                t{b.torque(i, 0), b.torque(i, 1), b.torque(i, 2)};
            mine.push_back(static_cast<double>(b.id(i)));
            for (const Vec3d& a : {b.x(i), b.v(i), b.omega(i), f, t}) mine.insert(mine.end(), {a.x, a.y, a.z});
        }
    std::vector<std::vector<double>> all;
    boost::mpi::all_gather(sim.comm(), mine, all);
    std::map<Id, Sample> found;
    for (const auto& part : all)
        for (std::size_t k = 0; k < part.size(); k += 16) {
            const auto take = [&](std::size_t n) { return Vec3d{part[k + n], part[k + n + 1], part[k + n + 2]}; };
            const bool is_new =
                found.emplace(static_cast<Id>(part[k]), Sample{take(1), take(4), take(7), take(10), take(13)}).second;
            EXPECT_TRUE(is_new) << "ball " << part[k] << " has two owners";
        }
    return found;
}

std::map<std::pair<Id, Id>, Vec3d> all_springs(const Simulation& sim) {
    std::vector<double> mine;
    for (const ContactRecord& c : contacts_of(sim))
        mine.insert(mine.end(),
                    {static_cast<double>(c.body), static_cast<double>(c.partner.number()), c.xi[0], c.xi[1], c.xi[2]});
    std::vector<std::vector<double>> all;
    boost::mpi::all_gather(sim.comm(), mine, all);
    std::map<std::pair<Id, Id>, Vec3d> found;
    for (const auto& part : all)
        for (std::size_t k = 0; k < part.size(); k += 5) {
            const bool is_new = found
                                    .emplace(std::pair(static_cast<Id>(part[k]), static_cast<Id>(part[k + 1])),
                                             Vec3d{part[k + 2], part[k + 3], part[k + 4]})
                                    .second;
            EXPECT_TRUE(is_new) << "a contact counted twice";
        }
    return found;
}

// One list of bits a pair.
std::vector<Bits> tell(const Simulation& sim, const std::vector<bool>& swapped) {
    const auto bodies = all_bodies(sim);
    const auto springs = all_springs(sim);
    std::vector<Bits> told;
    for (std::size_t k = 0; k < swapped.size(); ++k) {
        const Id a = 2 * k + swapped[k], b = 2 * k + !swapped[k];
        Bits bits;
        Vec3d between = bodies.at(b).x - bodies.at(a).x;
        for (int axis = 0; axis < 3; ++axis) {
            double& d = at(between, axis);
            if (d > length / 2) d -= length;
            if (d < -length / 2) d += length;
        }
        add(bits, between);
        for (const Id id : {a, b})
            for (const Vec3d& v : {bodies.at(id).v, bodies.at(id).spin, bodies.at(id).force, bodies.at(id).torque})
                add(bits, v);
        const auto spring = springs.find({std::min(a, b), std::max(a, b)});
        const Vec3d xi = spring == springs.end() ? Vec3d{} : spring->second;
        add(bits, swapped[k] ? -xi : xi);
        told.push_back(bits);
    }
    return told;
}

constexpr int n_steps = 320, told_every = 8;

struct History {
    std::vector<std::vector<Bits>> told;  // by moment and pair
    std::uint64_t migrations = 0, wraps = 0, slab_contacts = 0, image_contacts = 0;
    template <class Archive> void serialize(Archive& a, unsigned) {
        a& told& migrations& wraps& slab_contacts& image_contacts;
    }
};

History run_pairs(const boost::mpi::communicator& comm, Setup s, const std::vector<bool>& swapped) {
    Simulation sim(comm, std::move(s));
    History h;
    for (int k = 0; k < n_steps; ++k) {
        sim.step();
        if (k % told_every != 0) continue;
        h.told.push_back(tell(sim, swapped));
        const Measures m = measures_of(sim);
        h.slab_contacts = std::max(h.slab_contacts, m.slab_contacts);
        h.image_contacts = std::max(h.image_contacts, m.image_contacts);
    }
    h.migrations = events_of(sim).migrations, h.wraps = events_of(sim).wraps;
    return h;
}

Setup pairs_in_a_box(const std::vector<NewBody>& balls, LawSettings::Type type, Integrator integrator, bool periodic) {
    Setup s = few_balls({{0, 0, 0}, {length, length, length}, {periodic, periodic, periodic}}, 4e-6, balls);
    s.materials = {grain()};
    s.law.type = type;
    s.integrator = integrator;
    s.skin = 4e-4;
    return s;
}

}  // namespace

TEST(PairAcrossFaces, BehavesAsOneInside) {
    struct Kind {
        LawSettings::Type type;
        Integrator integrator;
    };
    for (const auto& [type, integrator] :
         {Kind{LawSettings::Type::hertz_mindlin, Integrator::verlet},
          Kind{LawSettings::Type::linear, Integrator::verlet}, Kind{LawSettings::Type::linear, Integrator::gear}})
        for (const Vec3d& drift : {Vec3d{0, 0, 0}, Vec3d{7, -9, 8}}) {
            SCOPED_TRACE(testing::Message() << (norm(drift) > 0 ? "drifting, " : "at rest, ")
                                            << (type == LawSettings::Type::linear ? "linear" : "Hertz")
                                            << (integrator == Integrator::gear ? ", gear" : ", verlet"));
            // The pair in the midst; and copies: along z in every layer, and at the faces, edges and corners.
            std::vector<NewBody> alone;
            add_pair(alone, on_grid(Vec3d{0.126, 0.124, 0.1231}), false, drift);
            std::vector<NewBody> balls;
            std::vector<bool> swapped;
            const auto add = [&](const Vec3d& place) {
                swapped.push_back(swapped.size() % 3 == 1);
                add_pair(balls, on_grid(place), swapped.back(), drift);
            };
            for (int k = 0; k < 23; ++k) add({0.05 + 0.05 * (k % 4), 0.06 + 0.04 * (k % 3), (k + 0.3) * length / 23});
            const double start = 0.0017, end = 0.2483;  // so near that the pair lies across
            for (const double x : {0.0211, end})
                for (const double y : {0.0213, start})
                    for (const double z : {0.0617, 0.1817, end})
                        if (x == end || y == start || z == end) add({x, y, z});
            const auto run_in_box = [&, type = type, integrator = integrator](const auto& comm, const auto& bodies,
                                                                              bool periodic, const auto& exchanged) {
                return run_pairs(comm, pairs_in_a_box(bodies, type, integrator, periodic), exchanged);
            };
            const History one =
                test::on_ranks(1, [&](const auto& comm) { return run_in_box(comm, alone, false, std::vector{false}); });
            for (const int n : test::rank_counts()) {
                SCOPED_TRACE(testing::Message() << n << " ranks");
                const History all =
                    test::on_ranks(n, [&](const auto& comm) { return run_in_box(comm, balls, true, swapped); });
                ASSERT_EQ(all.told.size(), one.told.size());
                int with_spring = 0;
                for (std::size_t moment = 0; moment < one.told.size(); ++moment) {
                    const Bits& expected = one.told[moment][0];
                    with_spring += expected[expected.size() - 3] != 0;
                    for (std::size_t k = 0; k < swapped.size(); ++k)
                        ASSERT_EQ(all.told[moment][k], expected) << "pair " << k << " at step " << moment * told_every;
                }
                EXPECT_GT(with_spring, 10);
                EXPECT_EQ(one.told.back()[0].end()[-1], 0u);  // it is over
                EXPECT_GE(all.image_contacts + all.slab_contacts,
                          9u);  // nine lie across x or y; across z, too: counted as slab
                if (n > 1) {
                    EXPECT_GT(all.slab_contacts, static_cast<unsigned>(n - 1));
                }
                if (norm(drift) == 0) continue;
                EXPECT_GT(all.wraps, 10u);
                if (n > 1) {
                    EXPECT_GT(all.migrations, static_cast<unsigned>(n));
                }
            }
        }
}
