// From balls and contacts to fields on a grid:
//   Goldhirsch (2010), Granular Matter 12, 239-252, "Stress, stress asymmetry and couple stress: from discrete
//   particles to continuous fields".
// Here, with a kernel phi of integral 1 around the place r:
//   rho(r)      = sum_i m_i phi(r - r_i)                              density; with the balls' volumes: packing
//   fraction p(r)        = sum_i m_i v_i phi(r - r_i),  V = p/rho              momentum density, velocity sigma_c(r)  =
//   sum_ij f_ij (x) r_ij int_0^1 phi(r - r_i + s r_ij) ds      contact stress
//
//   symbol   code      meaning                                                     unit
//   phi      spread    share of a ball that a cell gets, over the cell's volume    1/m^3
//   c        width     radius of the kernel                                        m
//   f_ij     force     force on i by j                                             N
//   r_ij     branch    r_i - r_j, from the centre of j to that of i                m
//
// Kernels. "lucy": phi ~ (1 + 3 q) (1 - q)^3 with q = |r|/c < 1 (Lucy 1977, Astron. J. 82, 1013), taken at the middles
// of the cells and divided by its sum over all of them, also those outside of the grid: each ball gives away its mass
// exactly once, to rounding, whatever the grid. "cell": phi is one over the cell that holds the place (Heaviside): the
// sharpest, and the noisiest. Periodic axes: the field repeats with the period, so a ball gives to the grid from all
// its images. Where the grid is as long as the period its cells close to a ring: cell -1 is the last. Then each ball
// gives all of its mass, wherever it is. Signs: compression is positive, as engineers count; the paper's sigma is the
// negative of this. Chosen here: the integral along the branch is taken at five points, so each cell gets its share to
// a fifth of a branch. At a wall the branch ends at the point of contact (Weinhart et al. 2012, Granular Matter 14,
// 289-294, without their correction of the boundary): within c of a wall fields fall off as the kernel reaches beyond
// it. The couple stress is left out.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>
#include "measure/grid.hpp"
#include "measure/kernel.hpp"

namespace granary {

class CoarseGraining {
  public:
    static constexpr int branch_points = 5;

    // width: at least the longest edge of a cell, so that some middle is always in reach; without meaning for "cell".
    // period: m, along each axis; 0: not periodic.
    CoarseGraining(const Grid& grid, Kernel kernel, double width, const Vec3d& period = {})
        : grid_(grid),
          kernel_(kernel),
          width_(width),
          period_(period) {
        for (int axis = 0; axis < 3; ++axis) {
            const double length = at(grid.step, axis) * grid.counts[static_cast<std::size_t>(axis)];
            ring_[axis] = std::abs(length - at(period, axis)) <= 1e-9 * length;
        }
    }

    const Grid& grid() const { return grid_; }

    // Calls f(cell, share) for the cells of the grid that something at x gives to. The shares are 1 in all, unless some
    // fall outside.
    template <class F> void spread(const Vec3d& x, F&& f) const {
        const Images nx = images(x, 0), ny = images(x, 1), nz = images(x, 2);
        for (int iz = nz.first; iz <= nz.last; ++iz)
            for (int iy = ny.first; iy <= ny.last; ++iy)
                for (int ix = nx.first; ix <= nx.last; ++ix)
                    spread_one(x + Vec3d{ix * period_.x, iy * period_.y, iz * period_.z}, f);
    }

    // False: nothing between a and b gives to the layers of cells [first, last) along z. (True does not say that
    // something does.)
    bool reaches(const Vec3d& a, const Vec3d& b, int first, int last) const {
        const double step = grid_.step.z, reach = (kernel_ == Kernel::cell ? 0 : width_) / step + 1;  // and some room
        const double low = (std::min(a.z, b.z) - grid_.lower.z) / step - reach;
        const double high = (std::max(a.z, b.z) - grid_.lower.z) / step + reach;
        if (!(period_.z > 0)) return high >= first && low <= last;
        const double period = period_.z / step;  // some image of it
        return std::ceil((first - high) / period) <= std::floor((last - low) / period);
    }

    // The same along the line from a to b.
    template <class F> void spread_along(const Vec3d& a, const Vec3d& b, F&& f) const {
        for (int k = 0; k < branch_points; ++k) {
            const double s = (k + 0.5) / branch_points;
            spread(a + s * (b - a), [&](std::size_t cell, double share) { f(cell, share / branch_points); });
        }
    }

  private:
    // Which images of x along an axis may give something: all whose kernel meets the grid. A ring has them in its
    // cells.
    struct Images {
        int first = 0, last = 0;
    };
    Images images(const Vec3d& x, int axis) const {
        const double period = at(period_, axis), low = at(grid_.lower, axis);
        if (!(period > 0) || ring_[axis]) return {};
        const double high = low + at(grid_.step, axis) * grid_.counts[static_cast<std::size_t>(axis)];
        const double reach = (kernel_ == Kernel::cell ? 0 : width_) + 1e-9 * period;
        return {static_cast<int>(std::ceil((low - reach - at(x, axis)) / period)),
                static_cast<int>(std::floor((high + reach - at(x, axis)) / period))};
    }

    template <class F> void spread_one(const Vec3d& x, F&& f) const {
        const Vec3d at_cells{(x.x - grid_.lower.x) / grid_.step.x, (x.y - grid_.lower.y) / grid_.step.y,
                             (x.z - grid_.lower.z) / grid_.step.z};
        if (kernel_ == Kernel::cell) {
            const int k[3] = {floor_of(at_cells.x), floor_of(at_cells.y), floor_of(at_cells.z)};
            give(k, 1.0, f);
            return;
        }
        int first[3], last[3];  // cells whose middle may be in reach
        bool meets = true;
        for (int axis = 0; axis < 3; ++axis) {
            const double reach = width_ / at(grid_.step, axis), middle = at(at_cells, axis) - 0.5;
            first[axis] = static_cast<int>(std::ceil(clamped(middle - reach)));
            last[axis] = static_cast<int>(std::floor(clamped(middle + reach)));
            meets = meets &&
                    (ring_[axis] || (last[axis] >= 0 && first[axis] < grid_.counts[static_cast<std::size_t>(axis)]));
        }
        if (!meets) return;
        double sum = 0;
        weights_.clear();
        for (int iz = first[2]; iz <= last[2]; ++iz)
            for (int iy = first[1]; iy <= last[1]; ++iy)
                for (int ix = first[0]; ix <= last[0]; ++ix) {
                    const Vec3d d{(ix + 0.5 - at_cells.x) * grid_.step.x, (iy + 0.5 - at_cells.y) * grid_.step.y,
                                  (iz + 0.5 - at_cells.z) * grid_.step.z};
                    const double q = norm(d) / width_, left = 1 - q;
                    const double w = left > 0 ? (1 + 3 * q) * left * left * left : 0.0;
                    weights_.push_back(w);
                    sum += w;
                }
        std::size_t k = 0;
        for (int iz = first[2]; iz <= last[2]; ++iz)
            for (int iy = first[1]; iy <= last[1]; ++iy)
                for (int ix = first[0]; ix <= last[0]; ++ix, ++k) {
                    const int cell[3] = {ix, iy, iz};
                    if (weights_[k] > 0) give(cell, weights_[k] / sum, f);
                }
    }

    static double clamped(double k) { return std::clamp(k, -1e9, 1e9); }  // far outside: an int all the same
    static int floor_of(double k) { return static_cast<int>(std::floor(clamped(k))); }
    template <class F> void give(const int (&k)[3], double share, F&& f) const {
        int in[3];
        for (int axis = 0; axis < 3; ++axis) {
            const int n = grid_.counts[static_cast<std::size_t>(axis)];
            in[axis] = ring_[axis] ? (k[axis] % n + n) % n : k[axis];
            if (!grid_.holds(in[axis], axis)) return;
        }
        f(grid_.cell(in[0], in[1], in[2]), share);
    }

    Grid grid_;
    Kernel kernel_;
    double width_;
    Vec3d period_;
    bool ring_[3] = {false, false, false};  // as long as the period
    mutable std::vector<double> weights_;   // spare room
};

}  // namespace granary
