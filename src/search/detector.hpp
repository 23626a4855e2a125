// The searches for contacts. All give the same run.
#pragma once

namespace granary {

enum class Detector { mr, mmr, fixed_cubes, all_pairs, two_level };

}  // namespace granary
