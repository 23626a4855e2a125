#include "motion/staleness.hpp"

#include <limits>

namespace granary {

Extremes extremes(const Bodies& bodies) {
    const double* const x = bodies.position.data();
    const double* const x0 = bodies.reference.data();
    double far2 = 0, fast2 = 0;
    bool finite = true;
    for (const Range& range : bodies.real)
        for (Index i = range.begin; i < range.end; ++i) {
            const std::size_t q = std::size_t{4} * i, p = std::size_t{3} * i;
            const double dx = x[q] - x0[p], dy = x[q + 1] - x0[p + 1], dz = x[q + 2] - x0[p + 2];
            const double d2 = dx * dx + dy * dy + dz * dz;
            const double v2 = square_of_speed(bodies, i);
            finite &= (d2 + v2 < std::numeric_limits<double>::infinity());  // false for NaN as well
            far2 = d2 > far2 ? d2 : far2;
            fast2 = v2 > fast2 ? v2 : fast2;
        }
    if (!finite) far2 = fast2 = std::numeric_limits<double>::infinity();
    return {std::sqrt(far2), std::sqrt(fast2)};
}

}  // namespace granary
