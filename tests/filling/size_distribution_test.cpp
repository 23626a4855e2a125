// Distributions of sizes against their closed forms: moments by integration of the density, quantiles, mass that
// passes.
#include "filling/size_distribution.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "filling/packing.hpp"
#include "core/random.hpp"

namespace granary::test {
namespace {

const SizeDistribution uniform = SizeDistribution::uniform(0.002, 0.005);
const SizeDistribution normal = SizeDistribution::normal(0.004, 0.001, 0.0025, 0.0045);
const SizeDistribution sieve = SizeDistribution::sieve({0.001, 0.002, 0.004, 0.008}, {0, 0.2, 0.2, 1});
const SizeDistribution list = SizeDistribution::list({0.003, 0.001}, {1, 3});

// Mean of f(r) over all balls, by quantiles: no formula of the distribution but radius() is used.
template <class F> double mean_over_quantiles(const SizeDistribution& d, F&& f) {
    constexpr int n = 200'000;
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += f(d.radius((k + 0.5) / n));
    return sum / n;
}

TEST(SizeDistribution, MomentsAreThoseOfTheQuantiles) {
    for (const SizeDistribution* d : {&uniform, &normal, &sieve, &list}) {
        SCOPED_TRACE(d->text());
        for (int k = 1; k <= 3; ++k) {
            const double expected = mean_over_quantiles(*d, [&](double r) { return std::pow(r, k); });
            EXPECT_NEAR(d->moment(k) / expected, 1, 1e-5) << k;
        }
    }
}

// Known by hand: a uniform spread has the mean (a + b)/2 and the variance (b - a)^2/12; the list 0.75 * 1 + 0.25 * 3
// mm.
TEST(SizeDistribution, KnownMeansAndVariances) {
    EXPECT_DOUBLE_EQ(uniform.moment(1), 0.0035);
    EXPECT_NEAR(uniform.moment(2) - uniform.moment(1) * uniform.moment(1), 0.003 * 0.003 / 12, 1e-18);
    EXPECT_DOUBLE_EQ(uniform.moment(3), (0.002 * 0.002 + 0.005 * 0.005) * 0.007 / 4);
    EXPECT_NEAR(list.moment(1), 0.0015, 1e-15);
    EXPECT_NEAR(list.moment(2) - list.moment(1) * list.moment(1), 0.75e-6, 1e-15);
    // A cut normal distribution by the textbook: z from -1.5 to 0.5 standard deviations.
    const auto phi = [](double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); };
    const double share = 0.5 * (std::erf(0.5 / std::numbers::sqrt2) + std::erf(1.5 / std::numbers::sqrt2));
    const double shift = (phi(-1.5) - phi(0.5)) / share, mean = 0.004 + 0.001 * shift;
    const double variance = 1e-6 * (1 + (-1.5 * phi(-1.5) - 0.5 * phi(0.5)) / share - shift * shift);
    EXPECT_NEAR(normal.moment(1), mean, 1e-12);
    EXPECT_NEAR(normal.moment(2) - normal.moment(1) * normal.moment(1), variance, 1e-12);
    // Hardly cut at all: the whole normal distribution.
    const SizeDistribution wide = SizeDistribution::normal(0.01, 0.001, 0.002, 0.018);
    EXPECT_NEAR(wide.moment(1), 0.01, 1e-12);
    EXPECT_NEAR(wide.moment(2), 1e-4 + 1e-6, 1e-12);
    EXPECT_NEAR(wide.moment(3), 1e-6 + 3 * 0.01 * 1e-6, 1e-12);
}

TEST(SizeDistribution, TheSieveCurveIsMetByMass) {
    // Through its points, and straight over the logarithm between them.
    for (const auto& [r, share] : {std::pair{0.001, 0.0},
                                   {0.002, 0.2},
                                   {0.004, 0.2},
                                   {0.008, 1.0},
                                   {0.0056568542, 0.6},
                                   {0.00141421356, 0.1},
                                   {0.003, 0.2}})
        EXPECT_NEAR(sieve.passing(r), share, 1e-7) << r;
    for (const double share : {0.05, 0.2, 0.5, 0.9}) {
        const double r = sieve.radius_by_mass(share);
        const double below = mean_over_quantiles(sieve, [&](double a) { return a <= r ? a * a * a : 0.0; });
        EXPECT_NEAR(below / sieve.moment(3), share, 2e-4);
    }
    // Nothing between 2 and 4 mm.
    EXPECT_EQ(mean_over_quantiles(sieve, [](double a) { return a > 0.0021 && a < 0.0039 ? 1.0 : 0.0; }), 0);
}

TEST(SizeDistribution, DrawsStayWithinTheCutAndRise) {
    for (const SizeDistribution* d : {&uniform, &normal, &sieve}) {
        SCOPED_TRACE(d->text());
        double last = 0;
        for (int k = 0; k <= 1000; ++k) {
            const double u = k < 1000 ? k / 1000.0 : 1 - 0x1p-53, r = d->radius(u);
            EXPECT_GE(r, d->smallest);
            EXPECT_LE(r, d->largest);
            EXPECT_GE(r, last) << u;
            last = r;
        }
        EXPECT_NEAR(d->radius(0), d->smallest, 1e-12);
        EXPECT_NEAR(d->radius(1 - 0x1p-53), d->largest, 1e-9);
    }
    for (int k = 0; k < 4; ++k) EXPECT_EQ(list.radius((k + 0.5) / 4), k == 0 ? 0.003 : 0.001);
}

// What a maker draws: mean and variance of 100 000 balls within five standard errors, and the shares of materials.
TEST(SizeDistribution, BallsAreDrawnAccordingly) {
    for (const SizeDistribution* d : {&normal, &sieve, &list}) {
        SCOPED_TRACE(d->text());
        BallKind kind{d->smallest, d->largest, 1000, 0, {}, std::make_shared<const SizeDistribution>(*d), {}};
        kind.mixed = {{1, 2000, 0.3}, {2, 500, 0.1}};
        constexpr int n = 100'000;
        double sum = 0, squares = 0, mass = 0;
        std::array<int, 3> of{};
        for (std::uint32_t k = 0; k < n; ++k) {
            const RandomKey key{3, Purpose::test, 0, 5, k};
            const double r = draw_radius(kind, key);
            const NewBody ball = draw_ball(kind, key, k, {}, r);
            EXPECT_EQ(ball.radius, r);
            sum += r, squares += r * r, mass += ball.mass;
            ++of.at(ball.material);
            const double density = std::array{1000.0, 2000.0, 500.0}.at(ball.material);
            EXPECT_EQ(ball.mass, make_ball(0, {}, r, density, 0, {}).mass);
        }
        const double variance = d->moment(2) - d->moment(1) * d->moment(1);
        EXPECT_NEAR(sum / n, d->moment(1), 5 * std::sqrt(variance / n));
        EXPECT_NEAR(squares / n - sum / n * sum / n, variance, 0.05 * variance);
        EXPECT_NEAR(of[1] / double(n), 0.3, 5 * std::sqrt(0.21 / n));
        EXPECT_NEAR(of[2] / double(n), 0.1, 5 * std::sqrt(0.09 / n));
        EXPECT_NEAR(mean_density(kind), 0.6 * 1000 + 0.3 * 2000 + 0.1 * 500, 1e-9);
        EXPECT_NEAR(mass / n / mean_mass(kind), 1, 0.05);
    }
}

}  // namespace
}  // namespace granary::test
