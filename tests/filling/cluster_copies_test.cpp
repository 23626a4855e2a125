// Copies of templates: elements of a rigid body, bonds seen from both sides, orientations and strengths.
#include "filling/cluster_copies.hpp"
#include <gtest/gtest.h>
#include <array>
#include <cmath>
#include "filling/cluster_shapes.hpp"
#include "filling/packing.hpp"
#include "shapes/quaternion.hpp"

using namespace granary;

namespace {

ClusterTemplate some_shape() {
    ClusterTemplate t = make_template(sphere_elements(huang_fits[2]), {"c"});
    t.bond_type = 3, t.weibull_modulus = 5;
    return t;
}

NewBody some_grain(Id id) {
    NewBody grain = make_ball(id, {0.3, -0.2, 0.7}, 0.015, 900, 4, {1, 2, -0.5});
    grain.shape = 1, grain.spin = {10, -20, 5}, grain.band = 7, grain.entry_time = 0.25;
    turn_at_random(grain, 11);
    return grain;
}

Quaterniond orientation(const NewBody& b) {
    return {b.orientation[0], b.orientation[1], b.orientation[2], b.orientation[3]};
}

}  // namespace

TEST(ClusterCopies, ElementsMoveLikeARigidBody) {
    const ClusterTemplate shape = some_shape();
    const NewBody grain = some_grain(1000);
    double mass = 0;
    Vec3d sum, momentum;
    for (std::uint32_t k = 0; k < shape.elements.size(); ++k) {
        const NewBody e = element_of(shape, grain, k);
        EXPECT_EQ(e.id, 1000u + k);
        EXPECT_EQ(e.cluster, 1000u);
        EXPECT_EQ(e.shape, 0u);
        EXPECT_EQ(e.material, 4u);
        EXPECT_EQ(e.band, 7u);
        EXPECT_EQ(e.entry_time, 0.25);
        EXPECT_TRUE(orientation(e) == orientation(grain));
        EXPECT_NEAR(e.radius, shape.elements[k].radius * 0.015 / shape.outer_radius, 1e-18);
        EXPECT_NEAR(e.inertia, 0.4 * e.mass * e.radius * e.radius, 1e-18);
        EXPECT_LE(norm(e.position - grain.position) + e.radius, 0.015 * (1 + 1e-12));
        EXPECT_LT(norm(e.velocity - grain.velocity - cross(grain.spin, e.position - grain.position)), 1e-14);
        mass += e.mass, sum += e.mass * e.position, momentum += e.mass * e.velocity;
    }
    EXPECT_NEAR(mass, grain.mass, 1e-15);
    EXPECT_LT(norm((1 / mass) * sum - grain.position), 1e-14);
    EXPECT_LT(norm((1 / mass) * momentum - grain.velocity), 1e-13);
}

TEST(ClusterCopies, BondsAreTheSameFromBothSides) {
    const ClusterTemplate shape = some_shape();
    const NewBody grain = some_grain(70);
    const BondMaking making{11, 1.5};
    std::vector<ContactHistory::Entry> entries;
    std::vector<ContactRecord> records;
    for (std::uint32_t b = 0; b < shape.bonds.size(); ++b) {
        records.clear();
        add_records_of(shape, grain, b, making, records);
        ASSERT_EQ(records.size(), records_of_bond);
        const Id low = grain.id + shape.bonds[b].a, high = grain.id + shape.bonds[b].b;
        for (const ContactRecord& r : records) {
            EXPECT_EQ(r.body, low);
            EXPECT_EQ(r.partner.number(), high);
        }
        EXPECT_EQ(records[0].partner.kind(), HistoryKind::bond);
        EXPECT_EQ(records[1].partner.kind(), HistoryKind::bond_nature);
        EXPECT_EQ(records[1].xi[0], 3);
        EXPECT_EQ(records[1].xi[1], strength_factor(high, low, 5, 11));
        EXPECT_EQ(records[1].xi[2], 1.5);
        // In the frame that turns with the bodies.
        const NewBody p = element_of(shape, grain, shape.bonds[b].a), q = element_of(shape, grain, shape.bonds[b].b);
        const Vec3d back = rotate_back(orientation(grain), p.position - q.position);
        EXPECT_LT(norm(back - Vec3d{records[0].xi[0], records[0].xi[1], records[0].xi[2]}), 1e-15);

        entries.clear();
        add_bonds_of(shape, grain, shape.bonds[b].b, making, entries);
        std::size_t found = 0;
        for (const ContactHistory::Entry& e : entries)
            for (const ContactRecord& r : records)
                if (e.partner.number() == low && e.partner.kind() == r.partner.kind()) {
                    ++found;
                    const ContactRecord other = seen_from_partner(r);
                    for (int k = 0; k < 3; ++k) EXPECT_EQ(e.xi[k], other.xi[k]);
                }
        EXPECT_EQ(found, 2u);
    }
}

// All rotations are equally likely: the turned axes point evenly everywhere, and the angle has the density (1 - cos
// a)/pi.
TEST(ClusterCopies, OrientationsAreUniform) {
    constexpr int n = 40000;
    Vec3d mean;
    double squares[3][3] = {}, w_squared = 0;
    std::array<int, 4> w_octants{};
    NewBody grain;
    for (int k = 0; k < n; ++k) {
        grain.id = static_cast<Id>(k);
        turn_at_random(grain, 5);
        const Quaterniond q = orientation(grain);
        EXPECT_NEAR(dot(q, q), 1, 1e-15);
        w_squared += q.w * q.w;
        const Vec3d x = rotate(q, Vec3d{1, 0, 0});
        mean += x;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) squares[a][b] += at(x, a) * at(x, b);
        // The angle is 2 acos|w|; of |w| the share below c is 2 (asin c + c sqrt(1 - c^2))/pi.
        const double c = std::abs(q.w);
        ++w_octants[static_cast<std::size_t>(std::min(3.0, 4 * 2 / M_PI * (std::asin(c) + c * std::sqrt(1 - c * c))))];
    }
    const double noise = 5 / std::sqrt(static_cast<double>(n));
    EXPECT_LT(norm(mean) / n, noise);
    EXPECT_NEAR(w_squared / n, 0.25, noise);
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) EXPECT_NEAR(squares[a][b] / n, a == b ? 1.0 / 3 : 0.0, noise);
    for (const int count : w_octants) EXPECT_NEAR(count, n / 4, 5 * std::sqrt(n * 0.25 * 0.75));
}

TEST(ClusterCopies, StrengthsFollowWeibull) {
    constexpr int n = 100000;
    for (const double m : {1.0, 3.0, 12.0}) {
        double sum = 0;
        int weaker = 0;
        for (int k = 0; k < n; ++k) {
            const double f = strength_factor(static_cast<Id>(k), static_cast<Id>(k) + 1 + k % 7, m, 9);
            EXPECT_GT(f, 0);
            sum += f, weaker += f < 1;
        }
        EXPECT_NEAR(sum / n, std::tgamma(1 + 1 / m), 5 * std::sqrt(1.0 / n));
        EXPECT_NEAR(weaker, n * (1 - std::exp(-1.0)), 5 * std::sqrt(n * 0.24));
    }
    EXPECT_EQ(strength_factor(1, 2, 0, 9), 1);
    EXPECT_EQ(strength_factor(1, 2, 4, 9), strength_factor(2, 1, 4, 9));
    EXPECT_NE(strength_factor(1, 2, 4, 9), strength_factor(1, 3, 4, 9));
    EXPECT_NE(strength_factor(1, 2, 4, 9), strength_factor(1, 2, 4, 10));
    // Against the functions of the library, to rounding.
    for (int k = 0; k < 1000; ++k) {
        const double one = strength_factor(static_cast<Id>(k), static_cast<Id>(k) + 1, 1, 3);
        EXPECT_NEAR(strength_factor(static_cast<Id>(k), static_cast<Id>(k) + 1, 2.5, 3), std::pow(one, 0.4),
                    1e-14 * (1 + one));
    }
}

TEST(ClusterCopies, DrawnAsBallsAroundThem) {
    BallKind kind{0.01, 0.02, 1500, 3, {0, 0, -1}};
    kind.grains.shape = 2, kind.grains.material = 5, kind.grains.density = 800;
    kind.grains.elements = 10, kind.grains.smallest = 0.1, kind.grains.largest = 0.3, kind.grains.solid = 0.4;
    const RandomKey key{1, Purpose::test, 0, 3, 0};
    const NewBody grain = draw_ball(kind, key, 0, {}, draw_radius(kind, key));
    EXPECT_EQ(grain.shape, 2u);
    EXPECT_EQ(grain.material, 5u);
    EXPECT_NEAR(grain.mass, 4.0 / 3 * M_PI * std::pow(grain.radius, 3) * 800, 1e-12);
    EXPECT_EQ(mean_bodies(kind), 10);
    EXPECT_NEAR(body_radii(kind)[0], 0.001, 1e-15);
    EXPECT_NEAR(body_radii(kind)[1], 0.006, 1e-15);
    EXPECT_EQ(materials_of(kind), std::vector<std::uint16_t>{5});

    // Beside balls: of a size of their own, and in their share.
    kind.sizes = std::make_shared<const SizeDistribution>(SizeDistribution::uniform(0.01, 0.02));
    kind.grains.share = 0.25, kind.grains.radius = 0.03, kind.radius_max = 0.03;
    int clusters = 0;
    double mass = 0;
    constexpr int n = 20000;
    for (int k = 0; k < n; ++k) {
        const RandomKey one{1, Purpose::test, 0, static_cast<std::uint64_t>(k), 0};
        const NewBody b = draw_ball(kind, one, 0, {}, draw_radius(kind, one));
        clusters += b.shape != 0, mass += b.mass;
        if (b.shape != 0) EXPECT_EQ(b.radius, 0.03);
        else EXPECT_LE(b.radius, 0.02);
        EXPECT_EQ(b.material, b.shape != 0 ? 5u : 3u);
    }
    EXPECT_NEAR(clusters, n / 4, 5 * std::sqrt(n * 0.25 * 0.75));
    EXPECT_NEAR(mass / n, mean_mass(kind), 0.02 * mean_mass(kind));
    EXPECT_NEAR(mean_bodies(kind), 0.75 + 0.25 * 10, 1e-12);
}
