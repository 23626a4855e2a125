// Whatever registers this build uses, lanes have the bits that were recorded once (structure.same_functions tries
// others).
#include "support/lanes_bits.hpp"
#include <gtest/gtest.h>

TEST(LanesBits, AreTheSameOnEveryCpu) { EXPECT_EQ(support::bits_of_lanes(), 0xb5497d0b75339d79u); }
