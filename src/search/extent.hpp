// The box around the centres of all bodies that a rank holds, and their largest and smallest radius.
#pragma once
#include "core/bodies.hpp"
#include "core/simd.hpp"

namespace granary {

struct Extent {
    Vec3d lower, upper;
    double radius = 0, smallest = 0;  // the largest and the smallest radius, m

    Extent() = default;
    explicit Extent(const Bodies& bodies) {
        const double* position = bodies.position.data();
        Real4 low = broadcast4(1e300), high = broadcast4(-1e300);
        for (Index i = 0; i < bodies.size; ++i) {
            const Real4 q = load4(position + std::size_t{4} * i);
            low = smaller(low, q), high = larger(high, q);
        }
        lower = {low[0], low[1], low[2]}, upper = {high[0], high[1], high[2]};
        radius = high[3], smallest = low[3];
    }
};

}  // namespace granary
