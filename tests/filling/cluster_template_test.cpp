// Templates of clusters: numbers of elements and bonds, sizes, overlaps, and one piece.
#include "filling/cluster_template.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include "core/errors.hpp"
#include "filling/cluster_shapes.hpp"
#include "support/message_of.hpp"

using namespace granary;
using namespace granary::test;

namespace {

using Element = ClusterTemplate::Element;

Vec3d centre_of_mass(const ClusterTemplate& t) {
    Vec3d sum;
    double all = 0;
    for (const Element& e : t.elements) {
        const double m = e.radius * e.radius * e.radius;
        sum += m * e.centre, all += m;
    }
    return (1 / all) * sum;
}

// All pairs, slowly.
std::set<std::pair<std::uint32_t, std::uint32_t>> pairs_within(const ClusterTemplate& t, double gap) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t a = 0; a < t.elements.size(); ++a)
        for (std::uint32_t b = a + 1; b < t.elements.size(); ++b) {
            const Element &p = t.elements[a], &q = t.elements[b];
            if (norm(p.centre - q.centre) - p.radius - q.radius <= (gap + 1e-9) * std::min(p.radius, q.radius))
                pairs.emplace(a, b);
        }
    return pairs;
}

void expect_sound(const ClusterTemplate& t, double gap) {
    EXPECT_LT(norm(centre_of_mass(t)), 1e-12 * t.outer_radius);
    double outer = 0;
    for (const Element& e : t.elements) outer = std::max(outer, norm(e.centre) + e.radius);
    EXPECT_EQ(t.outer_radius, outer);
    std::set<std::pair<std::uint32_t, std::uint32_t>> bonds;
    for (const ClusterTemplate::Bond& b : t.bonds) bonds.emplace(b.a, b.b);
    EXPECT_EQ(bonds.size(), t.bonds.size());
    EXPECT_EQ(bonds, pairs_within(t, gap));
    std::size_t ends = 0;
    for (std::uint32_t e = 0; e < t.elements.size(); ++e)
        for (const ClusterTemplate::Partner& p : t.partners_of(e)) {
            ++ends;
            const ClusterTemplate::Bond& b = t.bonds[p.bond];
            EXPECT_TRUE((b.a == e && b.b == p.element) || (b.b == e && b.a == p.element));
        }
    EXPECT_EQ(ends, 2 * t.bonds.size());
}

}  // namespace

TEST(ClusterTemplate, CubeOf27HasABondAtEachFace) {
    const ClusterTemplate t = make_template(block_elements({3, 3, 3}, 3.3e-3, 6.6e-3), {"cube"});
    EXPECT_EQ(t.elements.size(), 27u);
    EXPECT_EQ(t.bonds.size(), 54u);
    EXPECT_EQ(t.largest_overlap, 0);
    EXPECT_NEAR(t.outer_radius, std::sqrt(3.0) * 6.6e-3 + 3.3e-3, 1e-15);
    EXPECT_NEAR(t.solid_volume, 27 * 4.0 / 3 * std::numbers::pi * std::pow(3.3e-3, 3), 1e-18);
    expect_sound(t, 0.1);
    EXPECT_EQ(t.partners_of(13).size(), 6u);  // the one in the middle
    const ClusterTemplate with_diagonals = make_template(block_elements({3, 3, 3}, 1, 2), {"cube", 0.9});
    EXPECT_EQ(with_diagonals.bonds.size(), 54u + 72u);  // and those across the edges of cells
}

// Huang (2020), table 7. Only the octahedron fits without overlap; the others overlap by a few per cent, and stick out.
TEST(ClusterTemplate, SphereFitsOfHuang) {
    const double overlaps[] = {1e-8, 0.04, 0.06, 0.08, 0.09, 0.09};
    for (std::size_t k = 0; k < huang_fits.size(); ++k) {
        SCOPED_TRACE(k);
        const SphereFit& fit = huang_fits[k];
        const ClusterTemplate t = make_template(sphere_elements(fit), {"fit"});
        EXPECT_EQ(t.elements.size(), fit.elements);
        EXPECT_EQ(t.smallest, fit.element_radius);
        EXPECT_EQ(t.largest, fit.element_radius);
        EXPECT_LE(t.largest_overlap, overlaps[k]);
        EXPECT_GE(t.outer_radius, fit.radius * 0.999);
        EXPECT_LT(t.outer_radius, fit.radius * (k == 0 ? 1.001 : 1.12));
        EXPECT_GE(t.bonds.size(), 2u * fit.elements);
        expect_sound(t, 0.1);
    }
    const ClusterTemplate octahedron = make_template(sphere_elements(huang_fits[0]), {"a"});
    EXPECT_EQ(octahedron.bonds.size(), 12u);
}

TEST(ClusterTemplate, SameAgain) {
    const auto a = sphere_elements(huang_fits[2]), b = sphere_elements(huang_fits[2]);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_TRUE(a[k].centre == b[k].centre);
}

TEST(ClusterTemplate, TabletsAreFilled) {
    for (const double dome : {0.0, 1e-3})
        for (const ElementFilling filling : {ElementFilling::cubic, ElementFilling::hexagonal, ElementFilling::dense}) {
            SCOPED_TRACE(static_cast<int>(filling));
            const SolidShape shape = tablet(5e-3, 3e-3, dome);
            const double r = 0.4e-3, gap = filling == ElementFilling::dense ? 0.4 : 0.1;
            const auto elements = filled(shape, {filling, r, 2 * r, 0.58, 1});
            for (const Element& e : elements) EXPECT_GE(shape.depth(e.centre), r * (1 - 1e-8));
            const ClusterTemplate t = make_template(elements, {"tablet", gap, 1e-6});
            expect_sound(t, gap);
            EXPECT_GT(t.solid_volume, 0.35 * shape.volume);
            EXPECT_LT(t.solid_volume, 0.75 * shape.volume);
        }
    // A half ball on each face of a cylinder without height is a ball.
    const SolidShape ball = tablet(1, 1e-9, 1);
    EXPECT_NEAR(ball.volume, 4 * std::numbers::pi / 3, 1e-8);
    EXPECT_NEAR(ball.depth({0.3, 0.4, 0}), 0.5, 1e-8);
    EXPECT_NEAR(ball.depth({0, 0.6, -0.8}), 0, 1e-8);
}

TEST(ClusterTemplate, HexagonalBallsHaveTwelveNeighbours) {
    const ClusterTemplate t = make_template(filled(tablet(10, 20, 0), {ElementFilling::hexagonal, 1, 2}), {"close"});
    std::size_t inner = 0;
    for (std::uint32_t e = 0; e < t.elements.size(); ++e) {
        EXPECT_LE(t.partners_of(e).size(), 12u);
        inner += t.partners_of(e).size() == 12;
    }
    EXPECT_GT(inner, t.elements.size() / 4);
}

TEST(ClusterTemplate, LargeSpecimenInLittleTime) {
    const ClusterTemplate t = make_template(block_elements({50, 50, 50}, 1e-3, 2e-3), {"specimen"});
    EXPECT_EQ(t.elements.size(), 125000u);
    EXPECT_EQ(t.bonds.size(), 3u * 50 * 50 * 49);
}

TEST(ClusterTemplate, SizesMayDiffer) {
    const ClusterTemplate t = make_template({{{0, 0, 0}, 1}, {{1.5, 0, 0}, 0.5}, {{0, 0, 1.26}, 0.25}}, {"odd"});
    EXPECT_EQ(t.bonds.size(), 2u);
    EXPECT_EQ(t.smallest, 0.25);
    EXPECT_EQ(t.largest, 1);
    expect_sound(t, 0.1);
}

TEST(ClusterTemplate, ScaledKeepsBonds) {
    const ClusterTemplate t = make_template(sphere_elements(huang_fits[1]), {"b"}), half = scaled(t, 0.5);
    EXPECT_EQ(half.bonds.size(), t.bonds.size());
    EXPECT_NEAR(half.outer_radius, 0.5 * t.outer_radius, 1e-15);
    EXPECT_NEAR(half.solid_volume, 0.125 * t.solid_volume, 1e-18);
}

TEST(ClusterTemplate, WhatIsWrongIsSaid) {
    EXPECT_EQ(message_of<InputError>([] {
                  make_template(block_elements({2, 1, 1}, 1, 1.7), {"pair"});
              }),
              "the cluster \"pair\" overlaps itself: its elements 0 and 1 overlap by 15 % of the smaller diameter "
              "(expected at most max_overlap = 10 %)");
    EXPECT_NO_THROW(make_template(block_elements({2, 1, 1}, 1, 1.7), {"pair", 0.1, 0.15}));
    EXPECT_EQ(message_of<InputError>([] {
                  make_template(block_elements({4, 1, 1}, 1, 2.2), {"row"});
              }),
              "the cluster \"row\" is not in one piece: bonds between elements whose gap is at most 0.1 of the smaller "
              "radius join its 4 elements to 4 pieces (expected one; use a larger gap)");
    EXPECT_NO_THROW(make_template(block_elements({4, 1, 1}, 1, 2.2), {"row", 0.2}));
    EXPECT_EQ(message_of<InputError>([] { make_template({}, {"nothing"}); }),
              "the cluster \"nothing\" has no elements");
    EXPECT_EQ(message_of<InputError>([] {
                  filled(tablet(1, 1, 0), {ElementFilling::cubic, 2, 4});
              }),
              "no element of radius 2 m fits into it (expected a smaller element_radius)");
    EXPECT_EQ(message_of<InputError>([] {
                  make_template({{{-1e300, 0, 0}, 1}, {{1e300, 0, 0}, 1}}, {"far"});
              }),
              "the cluster \"far\" is larger than any number (expected elements `x y z r` in m)");
}

// A drawing in mm that is read as one in m asks for a thousand million times the elements; that is said before they
// are made.
TEST(ClusterTemplate, NoMoreThanMemoryHolds) {
    constexpr double far = std::numeric_limits<double>::infinity();
    for (const ElementFilling filling : {ElementFilling::cubic, ElementFilling::hexagonal, ElementFilling::dense})
        for (const double size : {1.0, 1e100, far}) {
            SolidShape box{[](const Vec3d&) { return 1.0; }, {-size, -size, -size}, {size, size, size}, size};
            const std::string said = message_of<InputError>([&] { filled(box, {filling, 1e-4, 2e-4}); });
            EXPECT_NE(said.find(" elements would fill it (expected at most 1e+07: a larger element_radius"),
                      std::string::npos)
                << said;
        }
}
