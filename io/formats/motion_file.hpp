// Tables of motions in files, as spreadsheets write them.
#pragma once
#include <string>
#include "walls/motion_table.hpp"

namespace granary {

// Lines of numbers, separated by commas or blanks: time and one value (columns 2), or time, x, y, z (columns 4). Empty
// lines and those that begin with # are left out. Throws InputError with file and line.
MotionTable read_motion_table(const std::string& path, int columns);

}  // namespace granary
