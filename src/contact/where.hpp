// where() for vectors: component by component, see core/simd.hpp.
#pragma once
#include "core/simd.hpp"
#include "core/vec.hpp"

namespace granary {

template <class Mask, class T> Vec3<T> where(Mask condition, const Vec3<T>& a, const Vec3<T>& b) {
    return {where(condition, a.x, b.x), where(condition, a.y, b.y), where(condition, a.z, b.z)};
}

}  // namespace granary
