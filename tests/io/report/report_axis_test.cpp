#include "io/report/axis.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>

namespace granary {
namespace {

using Labels = std::vector<std::string>;

TEST(ReportAxis, RoundTicks) {
    EXPECT_EQ(round_axis(0, 12.7, 5).labels, (Labels{"0", "5", "10", "15"}));
    EXPECT_EQ(round_axis(0, 1, 5).labels, (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
    EXPECT_EQ(round_axis(-0.3, 0.31, 3).labels, (Labels{"−0.4", "−0.2", "0.0", "0.2", "0.4"}));
    EXPECT_EQ(round_axis(1, 1.04, 4).labels, (Labels{"1.00", "1.01", "1.02", "1.03", "1.04"}));
    EXPECT_EQ(round_axis(0, 14000, 5).labels, (Labels{"0", "5000", "10000", "15000"}));
}

TEST(ReportAxis, PowersOfTenGoToTheUnit) {
    const Axis large = round_axis(0, 118986, 5);
    EXPECT_EQ(large.labels, (Labels{"0", "20", "40", "60", "80", "100", "120"}));
    EXPECT_EQ(large.unit("steps/s"), "10³ steps/s");
    const Axis small = round_axis(0, 3.1e-7, 4);
    EXPECT_EQ(small.labels, (Labels{"0", "100", "200", "300", "400"}));
    EXPECT_EQ(small.unit("J"), "10⁻⁹ J");
    EXPECT_EQ(small.unit(""), "10⁻⁹");
    EXPECT_EQ(round_axis(0, 5, 5).unit("kg"), "kg");
}

// For all kinds of ranges: ticks inside, rising, evenly spaced, few, labels all different, and the range covered.
TEST(ReportAxis, AnyRange) {
    for (const double lo : {0.0, -3.7, 1e-9, 123.4, -1e12, 5e-324})
        for (const double size : {1e-9, 0.07, 1.0, 17.3, 999.0, 1e5, 6.02e23}) {
            const double hi = lo + size;
            if (!(hi > lo)) continue;
            for (const bool tight : {false, true}) {
                const Axis a = tight ? tight_axis(lo, hi, 5) : round_axis(lo, hi, 5);
                SCOPED_TRACE(testing::Message() << lo << " to " << hi << ", tight " << tight);
                EXPECT_LE(a.lo, lo + 1e-9 * size);
                EXPECT_GE(a.hi, hi - 1e-9 * size);
                EXPECT_LE(a.ticks.size(), 12u);
                if (size > 1e-6 * std::abs(lo)) {
                    EXPECT_GE(a.ticks.size(), 2u);
                }
                ASSERT_EQ(a.ticks.size(), a.labels.size());
                for (std::size_t k = 0; k < a.ticks.size(); ++k) {
                    EXPECT_GE(a.place(a.ticks[k]), 0);
                    EXPECT_LE(a.place(a.ticks[k]), 1);
                    if (k == 0) continue;
                    EXPECT_GT(a.ticks[k], a.ticks[k - 1]);
                    EXPECT_NE(a.labels[k], a.labels[k - 1]);
                }
            }
        }
}

TEST(ReportAxis, NoRangeAndNoNumbers) {
    const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
    for (const auto& [lo, hi] :
         {std::pair{0.0, 0.0}, {nan, nan}, {inf, -inf}, {3.0, 3.0}, {-2e-9, -2e-9}, {5.0, 1.0}}) {
        const Axis a = round_axis(lo, hi, 5);
        EXPECT_LT(a.lo, a.hi);
        EXPECT_GE(a.ticks.size(), 2u);
    }
}

TEST(ReportAxis, PlacesAndClamps) {
    const Axis a = round_axis(0, 10, 5);
    EXPECT_DOUBLE_EQ(a.place(5), 0.5);
    EXPECT_EQ(a.place(-1), 0);
    EXPECT_EQ(a.place(11), 1);
}

TEST(ReportAxis, Logarithmic) {
    const Axis a = log_axis(3e-5, 0.8, 6);
    EXPECT_EQ(a.labels, (Labels{"10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "1"}));
    EXPECT_DOUBLE_EQ(a.place(1e-5), 0);
    EXPECT_NEAR(a.place(std::sqrt(1e-5)), 0.5, 1e-12);
    EXPECT_EQ(a.place(0), 0);  // what has no logarithm lies at the lower end
    EXPECT_LE(log_axis(1e-30, 1, 6).ticks.size(), 7u);
    EXPECT_EQ(log_axis(-1, 0, 6).labels, (Labels{"1", "10¹"}));
    EXPECT_EQ(log_axis(10, 10, 6).labels, (Labels{"10¹", "10²"}));
}

}  // namespace
}  // namespace granary
