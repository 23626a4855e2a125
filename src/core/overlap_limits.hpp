// Contact laws hold for small overlaps. Both limits are shares of the smaller radius.
#pragma once

namespace granary {

// Beyond this, grains at rest are too soft, or their time step is too long.
inline constexpr double overlap_worth_a_warning = 0.02;
// Balls that land or are hit overlap more for a moment. This matters little up to here.
inline constexpr double hit_worth_a_warning = 0.125;

}  // namespace granary
