// Principal moments and axes of a symmetric 3 x 3 matrix by cyclic Jacobi rotations, of + - * / and square roots alone:
// the same bits on every machine.
#pragma once
#include <array>
#include "core/vec.hpp"

namespace granary {

struct PrincipalAxes {
    Vec3d moments;                // in the order of the axes
    std::array<Vec3d, 3> axes{};  // unit, right-handed
};

// Rows of the matrix. Each axis stands in the place of the coordinate axis that it is nearest to, and points its way
// (the third as the right hand says). Where moments agree to 1e-9 of the greatest, the coordinate axes are taken: all
// three, or those of the plane in which they agree, laid into it.
PrincipalAxes principal_axes(const std::array<Vec3d, 3>& matrix);

}  // namespace granary
