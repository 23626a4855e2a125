#include "measure/coarse_graining_goldhirsch2010.hpp"
#include <gtest/gtest.h>
#include <numbers>
#include <vector>
#include "measure/field_sums.hpp"
#include "support/dice.hpp"

namespace granary {
namespace {

Grid some_grid() { return {{-0.1, 0.2, -0.3}, {0.02, 0.03, 0.025}, {11, 7, 9}}; }

double sum_of_shares(const CoarseGraining& to, const Vec3d& x) {
    double sum = 0;
    to.spread(x, [&](std::size_t, double share) { sum += share; });
    return sum;
}

Vec3d point(test::Dice& dice, const Vec3d& a, const Vec3d& b) {
    return {dice.uniform(a.x, b.x), dice.uniform(a.y, b.y), dice.uniform(a.z, b.z)};
}

}  // namespace

TEST(CoarseGraining, EveryBallGivesItsMassExactlyOnce) {
    const Grid g = some_grid();
    test::Dice dice(11);
    for (const double width : {0.03, 0.045, 0.06}) {
        const CoarseGraining to(g, Kernel::lucy, width);
        const Vec3d far{width, width, width},
            end{g.lower.x + 11 * g.step.x, g.lower.y + 7 * g.step.y, g.lower.z + 9 * g.step.z};
        for (int k = 0; k < 500; ++k)  // rounding of some hundred additions
            EXPECT_NEAR(sum_of_shares(to, point(dice, g.lower + far, end - far)), 1, 1e-14);
    }
    const CoarseGraining sharp(g, Kernel::cell, 0);
    EXPECT_EQ(sum_of_shares(sharp, {-0.0999, 0.2001, -0.2999}), 1);
    EXPECT_EQ(sum_of_shares(sharp, {-0.1001, 0.2001, -0.2999}), 0);
}

// A ball at the edge loses what falls outside, and no more: two grids side by side share it out whole.
TEST(CoarseGraining, NeighbouringGridsShareABall) {
    Grid left = some_grid(), right = some_grid();
    right.lower.x += 11 * right.step.x;
    test::Dice dice(3);
    const CoarseGraining a(left, Kernel::lucy, 0.05), b(right, Kernel::lucy, 0.05);
    for (int k = 0; k < 200; ++k) {
        const Vec3d x{right.lower.x + dice.uniform(-0.05, 0.05), 0.3, -0.2};
        EXPECT_NEAR(sum_of_shares(a, x) + sum_of_shares(b, x), 1, 1e-13);
    }
}

// Over periodic faces nothing is lost: a grid as long as the period gets the whole ball wherever it is, also one that
// has just left the domain; any other grid gets what a grid over several periods would have there, folded.
TEST(CoarseGraining, PeriodicFacesLoseNothing) {
    const Grid g = some_grid();
    const Vec3d period{11 * g.step.x, 7 * g.step.y, 9 * g.step.z};
    test::Dice dice(7);
    for (const Kernel kernel : {Kernel::lucy, Kernel::cell}) {
        const CoarseGraining to(g, kernel, 0.045, period);
        for (int k = 0; k < 500; ++k)
            EXPECT_NEAR(sum_of_shares(to, point(dice, g.lower - 0.2 * period, g.lower + 1.2 * period)), 1, 1e-13);
        for (const double s : {0.0, 1.0}) EXPECT_NEAR(sum_of_shares(to, g.lower + s * period), 1, 1e-13);
    }
    // Along x only, a piece of the period: cells 3 to 7 of the ring.
    Grid piece = g;
    piece.lower.x += 3 * g.step.x, piece.counts[0] = 5;
    for (const Kernel kernel : {Kernel::lucy, Kernel::cell}) {
        const CoarseGraining ring(g, kernel, 0.06, {period.x, 0, 0}), part(piece, kernel, 0.06, {period.x, 0, 0});
        for (int k = 0; k < 200; ++k) {
            const Vec3d x = point(dice, g.lower - 0.2 * period, g.lower + 1.2 * period);
            std::vector<double> all(g.size(), 0.0), some(piece.size(), 0.0);
            ring.spread(x, [&](std::size_t cell, double share) { all[cell] += share; });
            part.spread(x, [&](std::size_t cell, double share) { some[cell] += share; });
            double off = 0;
            for (int iz = 0; iz < 9; ++iz)
                for (int iy = 0; iy < 7; ++iy)
                    for (int ix = 0; ix < 5; ++ix)
                        off = std::max(off, std::abs(some[piece.cell(ix, iy, iz)] - all[g.cell(ix + 3, iy, iz)]));
            EXPECT_LT(off, 1e-13);
        }
    }
}

// On a fine grid the shares are Lucy's function: 105/(16 pi c^3) (1 + 3 q)(1 - q)^3.
TEST(CoarseGraining, IsLucysFunctionOnAFineGrid) {
    const double c = 0.1, h = 0.004;
    const Grid g{{-0.12, -0.12, -0.12}, {h, h, h}, {60, 60, 60}};
    const CoarseGraining to(g, Kernel::lucy, c);
    std::vector<double> share(g.size(), 0.0);
    to.spread({0.5 * h, 0.5 * h, 0.5 * h}, [&](std::size_t cell, double s) { share[cell] = s; });
    for (const int k : {0, 5, 10, 20}) {
        const double q = k * h / c;
        const double phi = 105 / (16 * std::numbers::pi * c * c * c) * (1 + 3 * q) * std::pow(1 - q, 3);
        EXPECT_NEAR(share[g.cell(30 + k, 30, 30)] / g.cell_volume(), phi,
                    1e-4 * 105 / (16 * std::numbers::pi * c * c * c));
    }
}

// Far from walls the stress of all cells, times their volume, is the sum of f (x) l, compression positive.
TEST(FieldSums, StressOfOneContact) {
    const Grid g = some_grid();
    const Vec3d x_i{0.01, 0.3, -0.2}, x_j{0.013, 0.304, -0.212}, f{1, -2, 5};
    for (const Kernel kernel : {Kernel::lucy, Kernel::cell}) {
        std::vector<double> sums(n_field_sums * g.size(), 0.0);
        const CoarseGraining to(g, kernel, 0.04);
        add_contact({sums}, to, x_i, x_j, f);
        add_ball({sums}, to, {x_i, {0.5, 0, -1}, 2.0, 0.01, 3});
        const FieldValues v = field_values(sums, g, 1);
        std::array<double, 6> total{};
        double mass = 0, volume = 0;
        for (std::size_t c = 0; c < g.size(); ++c) {
            for (std::size_t k = 0; k < 6; ++k) total[k] += v.contact_stress[c][k] * g.cell_volume();
            mass += v.density[c] * g.cell_volume(), volume += v.packing_fraction[c] * g.cell_volume();
            if (v.density[c] > 0) {
                EXPECT_NEAR(v.velocity[c].z, -1, 1e-14);
                EXPECT_NEAR(v.coordination[c], 3, 1e-14);
                EXPECT_NEAR(v.temperature[c], 0, 1e-14);
            }
        }
        const Vec3d l = x_i - x_j;
        const double expected[6] = {f.x * l.x,
                                    f.y * l.y,
                                    f.z * l.z,
                                    0.5 * (f.x * l.y + f.y * l.x),
                                    0.5 * (f.y * l.z + f.z * l.y),
                                    0.5 * (f.x * l.z + f.z * l.x)};
        for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(total[k], expected[k], 1e-15);
        EXPECT_NEAR(mass, 2, 1e-14);
        EXPECT_NEAR(volume, 0.01, 1e-16);
    }
}

// Two balls of one cell that fly apart: no mean velocity, temperature v^2/3.
TEST(FieldSums, TemperatureIsWhatTheMeanLeaves) {
    const Grid g{{0, 0, 0}, {1, 1, 1}, {1, 1, 1}};
    const CoarseGraining to(g, Kernel::cell, 0);
    std::vector<double> sums(n_field_sums, 0.0);
    add_ball({sums}, to, {{0.5, 0.5, 0.5}, {3, 0, 0}, 1, 0.1, 0});
    add_ball({sums}, to, {{0.4, 0.5, 0.5}, {-3, 0, 0}, 1, 0.1, 2});
    const FieldValues v = field_values(sums, g, 1);
    EXPECT_EQ(v.velocity[0].x, 0);
    EXPECT_DOUBLE_EQ(v.temperature[0], 3);
    EXPECT_DOUBLE_EQ(v.packing_fraction[0], 0.2);
    EXPECT_DOUBLE_EQ(v.coordination[0], 1);
}

}  // namespace granary
