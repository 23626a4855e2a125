// Outlets: planes through which balls leave. Between rebuilds only the balls near an outlet are watched. A ball is
// counted at the step at which its centre has crossed, by the first such outlet, and leaves the arrays at the next
// rebuild.
#pragma once
#include <span>
#include <vector>
#include "core/bodies.hpp"
#include "core/domain.hpp"

namespace granary {

class OutletWatch {
  public:
    // margin: how far a ball may move before the next find.
    void find(const Bodies& bodies, std::span<const Outlet> outlets, double margin);
    // Calls leaves(outlet, place) for every ball that has crossed since the last look.
    template <class Leaves> void look(const Bodies& bodies, std::span<const Outlet> outlets, Leaves&& leaves) {
        for (Watched& w : watched_) {
            if (w.crossed) continue;
            const Vec3d x = bodies.x(w.body);
            for (std::size_t o = 0; o < outlets.size() && !w.crossed; ++o)
                if (height_over(outlets[o], x) < 0) {
                    w.crossed = true;
                    leaves(o, w.body);
                }
        }
    }
    // Calls f(place) for every ball that has crossed and is still in the arrays.
    template <class F> void for_each_crossed(F&& f) const {
        for (const Watched& w : watched_)
            if (w.crossed) f(w.body);
    }
    Index n_crossed() const {
        Index n = 0;
        for_each_crossed([&](Index) { ++n; });
        return n;
    }
    // After find at the positions of the last sort: those for which has_crossed(place) holds have been counted before.
    template <class HasCrossed> void recall(HasCrossed&& has_crossed) {
        for (Watched& w : watched_) w.crossed = has_crossed(w.body);
    }
    void forget() { watched_.clear(); }

  private:
    static double height_over(const Outlet& o, const Vec3d& x) { return dot(o.normal, x - o.point); }

    struct Watched {
        Index body;
        bool crossed;
    };
    std::vector<Watched> watched_;
};

}  // namespace granary
