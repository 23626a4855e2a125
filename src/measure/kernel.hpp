// The kernels of coarse graining: coarse_graining_goldhirsch2010.hpp.
#pragma once

namespace granary {

enum class Kernel { lucy, cell };

}  // namespace granary
