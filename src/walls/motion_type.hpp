// The kinds of wall motion: wall_motion.hpp.
#pragma once

namespace granary {

enum class MotionType { translate, rotate, vibrate, swing, shift_table, angle_table, servo };

}  // namespace granary
