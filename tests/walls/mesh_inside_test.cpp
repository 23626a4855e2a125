// Inside or outside of vessels made of triangles, open and closed, of one skin and of two.
#include "walls/mesh_inside.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <random>
#include "support/triangles.hpp"

using namespace granary;
using namespace granary::test;

namespace {

const Vec3d up{0, 0, 1};

MeshInside inside_of(const Triangles& t, const Vec3d& upwards = up) {
    return {std::make_shared<const TriangleMesh>(t), upwards};
}

// A bin of radius 0.05 on a cone down to 0.02, open at both ends; z from 0 to 0.2.
Triangles hopper(int sides = 24) {
    return funnel({0, 0, 0}, 0.08, 0.02, 0.05, sides, 2) + funnel({0, 0, 0.08}, 0.12, 0.05, 0.05, sides, 2);
}
double radius_at(double z) { return z < 0.08 ? 0.02 + 0.03 * z / 0.08 : 0.05; }

Triangles turned_over(Triangles t) {  // every second triangle goes round the other way
    for (std::size_t k = 0; k < t.size(); k += 2) std::swap(t[k][0], t[k][1]);
    return t;
}

}  // namespace

TEST(MeshInside, AnOpenHopperIsAVessel) {
    const MeshInside m = inside_of(turned_over(hopper()));
    std::mt19937 dice(3);
    std::uniform_real_distribution<double> across(-0.08, 0.08), height(0.002, 0.198);
    int n_in = 0;
    for (int k = 0; k < 5000; ++k) {
        const Vec3d x{across(dice), across(dice), height(dice)};
        const double r = std::hypot(x.x, x.y), wall = radius_at(x.z);
        if (std::abs(r - wall) < 0.01 * wall) continue;  // facets of a circle
        EXPECT_EQ(m.look(x).inside, r < wall) << x.x << " " << x.y << " " << x.z;
        if (r > wall) continue;
        ++n_in;
        EXPECT_TRUE(m.look(x).odd);
    }
    EXPECT_GT(n_in, 500);
}

TEST(MeshInside, AboveTheRimItGoesOnAndBelowItDoesNot) {
    const MeshInside m = inside_of(hopper());
    EXPECT_TRUE(m.look({0.04, 0, 0.25}).inside);
    EXPECT_FALSE(m.look({0.055, 0, 0.25}).inside);
    EXPECT_FALSE(m.look({0, 0, -0.01}).inside);
    // The other way up, and along another axis.
    const MeshInside down = inside_of(hopper(), {0, 0, -1});
    EXPECT_TRUE(down.look({0.01, 0, -0.05}).inside);
    EXPECT_FALSE(down.look({0, 0, 0.25}).inside);
    Triangles lying = hopper();
    for (Corners& t : lying)
        for (Vec3d& p : t) p = {p.z, p.x, p.y};
    const MeshInside drum = inside_of(lying);
    EXPECT_TRUE(drum.look({0.15, 0.03, 0.02}).inside);
    EXPECT_FALSE(drum.look({0.15, 0.045, 0.045}).inside);
    EXPECT_FALSE(drum.look({0.15, 0, 0.08}).inside);
}

TEST(MeshInside, AClosedBoxHasALid) {
    const MeshInside m = inside_of(box_surface({0, 0, 0}, {1, 2, 3}));
    EXPECT_TRUE(m.look({0.5, 1.5, 2.9}).inside);
    EXPECT_FALSE(m.look({0.5, 1.5, 3.1}).inside);
    EXPECT_FALSE(m.look({1.2, 1.5, 1}).inside);
}

// A drawing of the solid: outer skin, inner skin, a ring at the top and at the outlet. The cavity is even, the material
// odd.
TEST(MeshInside, AWallOfSomeThickness) {
    Triangles skin = hopper();
    for (Corners& t : skin)
        for (Vec3d& p : t) p.x *= 1.2, p.y *= 1.2;
    const auto ring = [](double r, double z) {
        return sheet(24, 1, [&](double u, double v) {
            const double a = 2 * std::numbers::pi * (static_cast<int>(std::lround(u * 24)) % 24) / 24,
                         s = r * (1 + 0.2 * v);
            return Vec3d{s * std::cos(a), s * std::sin(a), z};
        });
    };
    const MeshInside m = inside_of(hopper() + skin + ring(0.05, 0.2) + ring(0.02, 0));
    for (const double z : {0.03, 0.1, 0.19}) {
        const double r = radius_at(z);
        EXPECT_TRUE(m.look({0.9 * r, 0, z}).inside && !m.look({0.9 * r, 0, z}).odd) << z;
        EXPECT_TRUE(m.look({1.1 * r, 0, z}).inside && m.look({1.1 * r, 0, z}).odd) << z;
        EXPECT_FALSE(m.look({1.3 * r, 0, z}).inside) << z;
    }
}

TEST(MeshInside, NeitherAPlateNorATroughHoldsAnything) {
    const MeshInside plate = inside_of(flat({-1, -1, 0}, {2, 0, 0}, {0, 2, 0}, 3, 3));
    const MeshInside trough =
        inside_of(flat({-1, -1, 1}, {1, 0, -1}, {0, 2, 0}, 1, 1) + flat({0, -1, 0}, {1, 0, 1}, {0, 2, 0}, 1, 1));
    for (const Vec3d& x : {Vec3d{0, 0, 0.5}, {0.1, 0.2, -0.5}, {0, 0, 0.9}}) {
        EXPECT_FALSE(plate.look(x).inside);
        EXPECT_FALSE(trough.look(x).inside);
    }
}
