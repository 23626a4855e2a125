#include "contact/restitution.hpp"

#include <gtest/gtest.h>
#include <utility>

namespace granary {
namespace {

TEST(Restitution, DampingRatio) {
    const std::pair<double, double> table[] = {{0.2, 0.45595}, {0.4, 0.28000}, {0.5, 0.21545},
                                               {0.6, 0.16049}, {0.8, 0.07085}, {0.9, 0.03352}};
    for (auto [e, beta] : table) EXPECT_NEAR(damping_ratio(e), beta, 5e-6);  // tabulated with five digits
    EXPECT_EQ(damping_ratio(1.0), 0.0);
    EXPECT_FALSE(std::signbit(damping_ratio(1.0)));
    // The way back: a linear contact returns exp(-pi beta/sqrt(1 - beta^2)).
    for (double e = 0.001; e <= 1.0; e += 0.037) {
        const double beta = damping_ratio(e);
        EXPECT_NEAR(std::exp(-M_PI * beta / std::sqrt(1 - beta * beta)), e, 1e-13);
    }
}

}  // namespace
}  // namespace granary
