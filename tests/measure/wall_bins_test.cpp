#include "measure/wall_bins.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "measure/wall_profile.hpp"
#include "support/dice.hpp"

namespace granary::wall_bins_test {
namespace {

constexpr double pi = std::numbers::pi;
const Domain box{{-1, -1, -1}, {1, 1, 2}, {}};
const Vec3d up{0, 0, 1}, x_axis{1, 0, 0}, y_axis{0, 1, 0};

WallBins bins_of(const WallShape& shape, std::size_t bins, std::size_t sectors) {
    return {shape, bins, sectors, box, up, x_axis, y_axis};
}

double whole_area(const WallBins& b) {
    double area = 0;
    for (std::size_t k = 0; k < b.bins(); ++k) area += b.area(k) * static_cast<double>(b.sectors());
    return area;
}

void expect_near(const Vec3d& a, const Vec3d& b) { EXPECT_NEAR(norm(a - b), 0, 1e-14); }

}  // namespace

// A drum whose shell sticks out of a periodic domain: balls can touch only what is inside.
TEST(WallBins, PartWithinThePeriod) {
    Domain drum = box;
    drum.periodic = {false, true, false};
    const auto area = [&](const WallShape& shape) { return whole_area({shape, 4, 3, drum, up, x_axis, y_axis}); };
    EXPECT_NEAR(area(Cylinder{{0, -1.5, 0.5}, {0, 1.2, 0.5}, 0.4}), 2 * pi * 0.4 * 2, 1e-14);
    EXPECT_NEAR(area(Cylinder{{0, 0.2, 0.5}, {0, -3, 0.5}, 0.4}), 2 * pi * 0.4 * 1.2, 1e-14);
    EXPECT_NEAR(area(Cylinder{{0, 0, -1.5}, {0, 0, 1.5}, 0.4}), 2 * pi * 0.4 * 3, 1e-14);
    EXPECT_NEAR(area(Rectangle{{-0.5, 2, 0}, {0, -4, 0}, {0.5, 0, 0.5}}), 2 * std::sqrt(0.5), 1e-14);
    EXPECT_NEAR(area(Rectangle{{-0.5, 2, 0}, {0.5, 0, 0.5}, {0, -2.5, 0}}), 1.5 * std::sqrt(0.5), 1e-14);
}

TEST(WallBins, Cylinder) {
    const WallBins b = bins_of(Cylinder{{0.1, 0, 0.5}, {0.1, 0, 1.5}, 0.4}, 10, 4);
    EXPECT_NEAR(whole_area(b), 2 * pi * 0.4, 1e-14);
    EXPECT_EQ(b.of({0.5, 0.01, 0.55}), 0u);
    EXPECT_EQ(b.of({0.1, 0.4, 0.65}), 1u * 4 + 1);  // a quarter turn from x
    EXPECT_EQ(b.of({-0.3, -0.01, 1.45}), 9u * 4 + 2);
    EXPECT_EQ(b.of({0.5, -0.01, 1.6}), 9u * 4 + 3);  // beyond the edge: the last
    EXPECT_NEAR(b.height(3), 0.85, 1e-14);
    EXPECT_NEAR(b.middle(3), 0.35, 1e-14);
    EXPECT_NEAR(b.across(1), 135, 1e-12);
    expect_near(b.along({0.5, 0, 0.7}), {0, 0, 1});
}

TEST(WallBins, Cone) {
    const WallBins b = bins_of(ConeFrustum{{0, 0, 0}, {0, 0, 0.3}, 0.1, 0.5}, 7, 3);
    EXPECT_NEAR(whole_area(b), pi * 0.6 * 0.5, 1e-14);
    expect_near(b.along({0.3, 0, 0.15}), {0.8, 0, 0.6});
}

// Which end is called the bottom makes no difference: bins, angles and signs are the same.
TEST(WallBins, EitherEndFirst) {
    const Vec3d low{0.1, 0.2, 0.5}, high{0.2, 0.2, 1.5};  // leans a little
    test::Dice dice(5);
    for (const auto& [a, b] : {std::pair<WallShape, WallShape>{Cylinder{low, high, 0.4}, Cylinder{high, low, 0.4}},
                               {ConeFrustum{low, high, 0.1, 0.4}, ConeFrustum{high, low, 0.4, 0.1}}}) {
        const WallBins one = bins_of(a, 5, 6), other = bins_of(b, 5, 6);
        for (std::size_t k = 0; k < 5; ++k) {
            EXPECT_EQ(one.area(k), other.area(k));
            EXPECT_EQ(one.height(k), other.height(k));
        }
        for (int k = 0; k < 50; ++k) {
            const Vec3d x{dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(0.4, 1.6)};
            EXPECT_EQ(one.of(x), other.of(x));
            expect_near(one.along(x), other.along(x));
            expect_near(one.sideways(x), other.sideways(x));
        }
    }
    const BulkColumn column(bin_of(Cylinder{{0, 0, 2}, {0, 0, 1}, 0.2}, up));
    EXPECT_EQ(column.slice({0, 0.1, 1.25}), BulkColumn::slices / 4);
}

TEST(WallBins, FlatWalls) {
    // Given upside down and with the level edge first: bins count from the bottom all the same.
    const WallBins r = bins_of(Rectangle{{0.5, -0.5, 1.0}, {0, 1, 0}, {0, 0, -1}}, 5, 2);
    EXPECT_EQ(r.of({0.5, 0.25, 0.1}), 0u * 2 + 1);
    EXPECT_EQ(r.of({0.5, -0.25, 0.9}), 4u * 2 + 0);
    EXPECT_NEAR(whole_area(r), 1, 1e-14);
    EXPECT_NEAR(r.height(0), 0.1, 1e-14);
    EXPECT_FALSE(r.round());
    const WallBins p = bins_of(Plane{{-1, 0, 0}, {1, 0, 0}}, 3, 1);  // as high as the domain
    EXPECT_NEAR(whole_area(p), 6, 1e-14);
    EXPECT_EQ(p.of({-1, 0, -0.9}), 0u);
    EXPECT_EQ(p.of({-1, 0, 1.9}), 2u);
    EXPECT_NEAR(p.height(0), -0.5, 1e-14);
    expect_near(p.along({-1, 0, 0}), {0, 0, 1});
}

TEST(WallBins, Rings) {
    const WallBins b = bins_of(Annulus{{0, 0, 0}, {0, 0, 1}, 0.1, 0.5}, 4, 2);
    EXPECT_NEAR(whole_area(b), pi * (0.25 - 0.01), 1e-14);
    EXPECT_EQ(b.of({0, 0.15, 0}), 0u);
    EXPECT_EQ(b.of({0, -0.45, 0}), 3u * 2 + 1);
    EXPECT_NEAR(whole_area(bins_of(Disc{{0, 0, 0}, {0, 0, 1}, 0.5}, 4, 1)), pi * 0.25, 1e-14);
}

// A ball that leans on a cylinder and is held up by it: pressure out, drag down.
TEST(WallProfile, SignsOfALoad) {
    const WallBins b = bins_of(Cylinder{{0, 0, 0}, {0, 0, 1}, 0.5}, 2, 1);
    std::vector<double> sums(n_profile_sums * b.size(), 0.0);
    const Vec3d normal{-1, 0, 0};                                     // from the wall to the ball
    add_contact(sums, b, {0, 0, {0.5, 0, 0.7}, normal, {-3, 2, 4}});  // force on the ball: inwards, to y, upwards
    EXPECT_EQ(sums[0], 0);
    EXPECT_DOUBLE_EQ(sums[3], 3);
    EXPECT_DOUBLE_EQ(sums[4], 4);
    EXPECT_DOUBLE_EQ(sums[5], -2);  // the wall is dragged to -y, against the angle
}

TEST(WallProfile, MeanAndEnvelope) {
    const WallBins b = bins_of(Rectangle{{0, 0, 0}, {2, 0, 0}, {0, 0, 1}}, 1, 1);
    ProfileLooks looks;
    for (const double f : {4.0, -2.0, 10.0}) looks.add(std::vector<double>{f, 0, 0}, b);
    EXPECT_DOUBLE_EQ(looks.mean(0), 2);
    EXPECT_DOUBLE_EQ(looks.least[0], -1);
    EXPECT_DOUBLE_EQ(looks.most[0], 5);
}

// Grain of even density up to 0.6 with a loose top: density and surface come out; above a height stands what should.
TEST(WallProfile, BulkColumn) {
    const BulkColumn c(bin_of(Cylinder{{0, 0, 1}, {0, 0, 2}, 0.2}, up));
    std::vector<double> mass(BulkColumn::slices, 0.0);
    const double slice = c.area() / BulkColumn::slices;
    for (std::size_t k = 0; k < 240; ++k) mass[k] = 1500 * slice;
    EXPECT_NEAR(c.fill(mass).density, 1500, 1e-9);
    EXPECT_NEAR(c.fill(mass).surface, 0.6, 1e-12);
    EXPECT_NEAR(c.mass_above(mass, 0.3), 1500 * c.area() * 0.3, 1e-9);
    EXPECT_EQ(c.slice({0, 0.1, 1.5}), 200u);
    EXPECT_EQ(c.slice({0, 0.3, 1.5}), BulkColumn::slices);
    EXPECT_EQ(c.slice({0, 0, 0.9}), BulkColumn::slices);
    EXPECT_EQ(c.fill(std::vector<double>(BulkColumn::slices, 0.0)).density, 0);
}

}  // namespace granary::wall_bins_test
