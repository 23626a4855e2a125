#include "filling/relaxed_pack.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/errors.hpp"

namespace granary::test {

namespace {

double solid(const std::vector<double>& diameters) {
    double sum = 0;
    for (const double d : diameters) sum += std::numbers::pi / 6 * d * d * d;
    return sum;
}

// By all pairs and nearest images: the largest overlap as a share of the smaller diameter, negative if there is a gap.
double worst_overlap(const RelaxedPack& pack) {
    double worst = -1e9;
    for (std::size_t i = 0; i < pack.balls.size(); ++i)
        for (std::size_t j = i + 1; j < pack.balls.size(); ++j) {
            Vec3d n = pack.balls[j].centre - pack.balls[i].centre;
            for (int axis = 0; axis < 3; ++axis) at(n, axis) -= pack.edge * std::round(at(n, axis) / pack.edge);
            const double a = pack.balls[i].radius, b = pack.balls[j].radius;
            worst = std::max(worst, (a + b - norm(n)) / (2 * std::min(a, b)));
        }
    return worst;
}

}  // namespace

TEST(LogUniformDiameters, SpreadNumberOrMassEvenlyOverOctaves) {
    for (const SizeReading reading : {SizeReading::by_number, SizeReading::by_mass}) {
        const auto diameters = log_uniform_diameters(1'000'000, 1.0 / 32, 1, reading);
        std::array<double, 5> share{};
        double all = 0;
        for (const double d : diameters) {
            ASSERT_GT(d, 1.0 / 32);
            ASSERT_LT(d, 1);
            const double weight = reading == SizeReading::by_number ? 1 : d * d * d;
            share[static_cast<std::size_t>(-std::log2(d))] += weight;
            all += weight;
        }
        for (const double s : share) EXPECT_NEAR(s / all, 0.2, 0.002);  // 200 balls in the largest octave by mass
    }
    // Of the balls by mass, 87.5 % are in the smallest octave.
    const auto by_mass = log_uniform_diameters(100'000, 1.0 / 32, 1, SizeReading::by_mass);
    EXPECT_NEAR(std::count_if(by_mass.begin(), by_mass.end(), [](double d) { return d < 1.0 / 16; }) / 1e5, 0.875,
                1e-3);
}

TEST(RelaxedPack, HasTheSolidFractionAndNoOverlap) {
    struct Try {
        std::uint64_t n;
        double ratio, fraction;
        SizeReading reading;
    };
    for (const Try& t : {Try{500, 1, 0.5, SizeReading::by_number}, Try{600, 32, 0.5, SizeReading::by_number},
                         Try{2500, 8, 0.5, SizeReading::by_mass}, Try{400, 1.05, 0.55, SizeReading::by_number}}) {
        SCOPED_TRACE(t.ratio);
        PackTask task;
        task.diameters = log_uniform_diameters(t.n, 1 / t.ratio, 1, t.reading);
        task.solid_fraction = t.fraction;
        const RelaxedPack pack = relaxed_pack(task);
        ASSERT_EQ(pack.balls.size(), t.n);
        EXPECT_NEAR(solid(task.diameters) / std::pow(pack.edge, 3), t.fraction, 1e-12);
        EXPECT_EQ(pack.largest_overlap, 0);
        EXPECT_LE(worst_overlap(pack), 0);
        EXPECT_GT(worst_overlap(pack), -0.1);  // dense: some pair all but touches
        for (const PackBall& ball : pack.balls)
            for (int axis = 0; axis < 3; ++axis) {
                EXPECT_GE(at(ball.centre, axis), 0);
                EXPECT_LT(at(ball.centre, axis), pack.edge);
            }
    }
}

// What is told is what is there, when relaxation stops too early.
TEST(RelaxedPack, TellsTheOverlapThatIsLeft) {
    PackTask task;
    task.diameters = log_uniform_diameters(600, 1.0 / 16, 1, SizeReading::by_number);
    task.most_sweeps = 3;
    const RelaxedPack pack = relaxed_pack(task);
    EXPECT_GT(pack.largest_overlap, 0.01);
    EXPECT_NEAR(pack.largest_overlap, worst_overlap(pack), 1e-9);
    EXPECT_EQ(pack.sweeps, 3);
}

TEST(RelaxedPack, RefusesTooFewBalls) {
    PackTask task;
    task.diameters.assign(10, 1.0);
    EXPECT_THROW(relaxed_pack(task), InputError);
}

}  // namespace granary::test
