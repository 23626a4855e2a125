#include "motion/outlets.hpp"

#include <algorithm>

namespace granary {

namespace {
double height_over(const Outlet& o, const Vec3d& x) { return dot(o.normal, x - o.point); }
}  // namespace

void OutletWatch::find(const Bodies& bodies, std::span<const Outlet> outlets, double margin) {
    watched_.clear();
    if (outlets.empty()) return;
    for (const Range& run : bodies.real)
        for (Index i = run.begin; i < run.end; ++i) {
            const Vec3d x = bodies.x(i);
            if (std::any_of(outlets.begin(), outlets.end(),
                            [&](const Outlet& o) { return height_over(o, x) < margin; }))
                watched_.push_back({i, false});
        }
}

void OutletWatch::look(const Bodies& bodies, std::span<const Outlet> outlets, std::span<std::uint64_t> left) {
    for (Watched& w : watched_) {
        if (w.crossed) continue;
        const Vec3d x = bodies.x(w.body);
        for (std::size_t o = 0; o < outlets.size() && !w.crossed; ++o)
            if (height_over(outlets[o], x) < 0) {
                w.crossed = true;
                ++left[o];
            }
    }
}

}  // namespace granary
