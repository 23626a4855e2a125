#include "motion/staleness.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include "core/parallel.hpp"

namespace granary {

Extremes extremes(const Bodies& bodies) {
    const double* const x = bodies.position.data();
    const double* const x0 = bodies.reference.data();
    static const std::string name = "motion::extremes";
    std::mutex only_one;  // largest values have no order
    double far2 = 0, fast2 = 0;
    bool finite = true;
    in_pieces_of(name, bodies.real, [&](const auto& for_each_range) {
        double far = 0, fast = 0;
        bool all_finite = true;
        for_each_range([&](Range range) {
            for (Index i = range.begin; i < range.end; ++i) {
                const std::size_t q = std::size_t{4} * i, p = std::size_t{3} * i;
                const double dx = x[q] - x0[p], dy = x[q + 1] - x0[p + 1], dz = x[q + 2] - x0[p + 2];
                const double d2 = dx * dx + dy * dy + dz * dz;
                const double v2 = square_of_speed(bodies, i);
                all_finite &= (d2 + v2 < std::numeric_limits<double>::infinity());  // false for NaN as well
                far = d2 > far ? d2 : far;
                fast = v2 > fast ? v2 : fast;
            }
        });
        const std::lock_guard lock(only_one);
        far2 = std::max(far, far2), fast2 = std::max(fast, fast2), finite &= all_finite;
    });
    if (!finite) far2 = fast2 = std::numeric_limits<double>::infinity();
    return {std::sqrt(far2), std::sqrt(fast2)};
}

}  // namespace granary
