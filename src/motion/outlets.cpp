#include "motion/outlets.hpp"

#include <algorithm>

namespace granary {

void OutletWatch::find(const Bodies& bodies, std::span<const Outlet> outlets, double margin) {
    watched_.clear();
    if (outlets.empty()) return;
    for (const Range& range : bodies.real)
        for (Index i = range.begin; i < range.end; ++i) {
            const Vec3d x = bodies.x(i);
            if (std::any_of(outlets.begin(), outlets.end(),
                            [&](const Outlet& o) { return height_over(o, x) < margin; }))
                watched_.push_back({i, false});
        }
}

}  // namespace granary
