// Places tried for new balls, by cells: who is near? For insertion.cpp and insertion_queue.cpp.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>
#include "core/bodies.hpp"
#include "core/domain.hpp"
#include "core/elementary.hpp"
#include "core/vec.hpp"

namespace granary {

// The nearest image of a distance.
inline Vec3d nearest(Vec3d d, const Domain& domain) {
    for (int k = 0; k < 3; ++k) {
        if (!domain.periodic[static_cast<std::size_t>(k)]) continue;
        const double period = at(domain.upper, k) - at(domain.lower, k);
        at(d, k) -= period * std::nearbyint(at(d, k) / period);
    }
    return d;
}

// Touching counts as overlap. Squares are enough: sqrt is monotonic and gives back s for s*s exactly, so that
// a pair that passes also has norm(d) >= s.
inline bool overlap(const Vec3d& a, double r_a, const Vec3d& b, double r_b, const Domain& domain) {
    const Vec3d d = nearest(a - b, domain);
    const double s = r_a + r_b;
    return dot(d, d) <= s * s;
}

// Trials by cells of their bounding box; chains of trials hang on each cell. Which cells are visited never changes
// an answer: every candidate is tested exactly, visiting one twice does no harm.
class TrialCells {
  public:
    TrialCells(std::span<const NewBody> trials, const Domain& domain) : trials_(trials), domain_(domain) {
        constexpr double inf = std::numeric_limits<double>::infinity();
        lower_ = {inf, inf, inf}, upper_ = {-inf, -inf, -inf};
        for (const NewBody& t : trials) {
            largest_ = std::max(largest_, t.radius);
            for (int k = 0; k < 3; ++k) {
                at(lower_, k) = std::min(at(lower_, k), at(t.position, k));
                at(upper_, k) = std::max(at(upper_, k), at(t.position, k));
            }
        }
        // Cells of two largest diameters, but not many more cells than trials.
        const double most = std::max(1.0, std::floor(2 * elementary::cbrt(static_cast<double>(trials.size()))));
        for (int k = 0; k < 3; ++k) {
            const double length = at(upper_, k) - at(lower_, k);
            const double n = trials.empty() ? 1.0 : std::clamp(std::floor(length / (4 * largest_)), 1.0, most);
            n_[static_cast<std::size_t>(k)] = static_cast<std::size_t>(n);
            at(per_length_, k) = length > 0 ? n / length : 0.0;
        }
        first_.assign(n_[0] * n_[1] * n_[2], none);
        next_.assign(trials.size(), none);
    }

    void add(std::size_t trial) {
        const Vec3d& x = trials_[trial].position;
        const std::size_t c = (cell(x, 2) * n_[1] + cell(x, 1)) * n_[0] + cell(x, 0);
        next_[trial] = first_[c];
        first_[c] = trial;
    }

    // f(trial) for every added trial that may touch the ball, until f says true; did it?
    template <class F> bool until(const Vec3d& x, double radius, F&& f) const {
        // Some roundings more than any touching pair needs, those of a shift by the period among them.
        const double reach = (radius + largest_) * (1 + 1e-9) + 1e-12 * norm(domain_.upper - domain_.lower);
        return along<2>(x, reach, f);
    }

  private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    std::size_t cell(const Vec3d& x, int k) const {
        const double last = static_cast<double>(n_[static_cast<std::size_t>(k)] - 1);
        return static_cast<std::size_t>(std::clamp((at(x, k) - at(lower_, k)) * at(per_length_, k), 0.0, last));
    }

    // Goes through the images of x along axis k that reach the box, then on to the next axis.
    template <int k, class F> bool along(Vec3d x, double reach, F& f) const {
        const bool periodic = domain_.periodic[static_cast<std::size_t>(k)];
        const double period = periodic ? at(domain_.upper, k) - at(domain_.lower, k) : 0.0;
        const double here = at(x, k);
        for (int image = periodic ? -1 : 0; image <= (periodic ? 1 : 0); ++image) {
            at(x, k) = here + image * period;
            if (!(at(x, k) + reach >= at(lower_, k) && at(x, k) - reach <= at(upper_, k))) continue;
            if constexpr (k > 0) {
                if (along<k - 1>(x, reach, f)) return true;
            } else {
                if (visit(x, reach, f)) return true;
            }
        }
        return false;
    }

    template <class F> bool visit(const Vec3d& x, double reach, F& f) const {
        const Vec3d low = x - Vec3d{reach, reach, reach}, high = x + Vec3d{reach, reach, reach};
        for (std::size_t z = cell(low, 2); z <= cell(high, 2); ++z)
            for (std::size_t y = cell(low, 1); y <= cell(high, 1); ++y)
                for (std::size_t c = cell(low, 0); c <= cell(high, 0); ++c)
                    for (std::size_t t = first_[(z * n_[1] + y) * n_[0] + c]; t != none; t = next_[t])
                        if (f(t)) return true;
        return false;
    }

    std::span<const NewBody> trials_;
    const Domain& domain_;
    Vec3d lower_, upper_, per_length_;
    double largest_ = 0;
    std::array<std::size_t, 3> n_{};
    std::vector<std::size_t> first_, next_;
};

}  // namespace granary
