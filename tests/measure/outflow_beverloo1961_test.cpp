#include "measure/outflow_beverloo1961.hpp"
#include <gtest/gtest.h>

using namespace granary;

// The runs of tests/validation/README.md ("7" to "14"): bulk density and flow as measured, grains of 10 mm.
TEST(Beverloo1961, MeetsTheFlowsThatWereMeasured) {
    struct Row {
        double hole, density, flow;
    };
    for (const Row& r : {Row{0.07, 1458, 1.731},
                         {0.085, 1470, 3.259},
                         {0.10, 1472, 5.236},
                         {0.12, 1486, 9.146},
                         {0.14, 1498, 14.464}}) {
        const double flow = beverloo_1961({r.hole}, 0.01, r.density, 9.81);
        EXPECT_NEAR(flow, 0.58 * r.density * std::sqrt(9.81) * std::pow(r.hole - 0.014, 2.5), 1e-9 * flow);
        EXPECT_NEAR(flow, r.flow, 0.14 * r.flow)
            << "hole of " << r.hole << " m";  // k is 1.64 there, 13 % at the least hole
    }
}

TEST(Beverloo1961, SlotsAndNarrowHoles) {
    const double slot = beverloo_1961({0.1, 10}, 0.01, 1500, 9.81);
    EXPECT_NEAR(slot, 1.03 * 1500 * std::sqrt(9.81) * 9.986 * std::pow(0.086, 1.5), 0.02 * slot);  // Nedderman's number
    EXPECT_EQ(beverloo_1961({0.013}, 0.01, 1500, 9.81), 0);
    EXPECT_EQ(beverloo_1961({0.1, 0.013}, 0.01, 1500, 9.81), 0);
    EXPECT_GT(beverloo_1961({0.015}, 0.01, 1500, 9.81), 0);
}
