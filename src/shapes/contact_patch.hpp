// The patch of a contact (shape_template.hpp) from moments of its area.
//   c = sum A_k c_k/A,  I/A = sum A_k (g_k + c_k c_k^T)/A - c c^T
#pragma once
#include <cmath>
#include "core/vec.hpp"
#include "shapes/overlap_volume.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

// xx, xy, yy: second moments about the centroid over the area, m^2, along two axes at right angles. The root of the
// matrix by Cholesky, the larger axis first; what rounding makes negative is nothing.
inline void set_spread(ContactPatch& patch, double xx, double xy, double yy, const Vec3d& x, const Vec3d& y) {
    const bool x_first = xx >= yy;
    const double larger = x_first ? xx : yy, smaller = x_first ? yy : xx;
    if (!(larger > 0)) {
        patch.spread[0] = patch.spread[1] = Vec3d{};
        return;
    }
    const double a = std::sqrt(larger), b = xy / a, rest = smaller - b * b;
    const double c = rest > 0 ? std::sqrt(rest) : 0;
    patch.spread[0] = x_first ? a * x + b * y : b * x + a * y;
    patch.spread[1] = x_first ? c * y : c * x;
}

// Of a polygon in space, given about its first corner: corners relative to it, `x`, `y` unit axes in its plane.
struct PolygonMoments {
    double area = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;

    // A triangle with its first corner in the origin.
    void add(double px, double py, double qx, double qy) {
        const double d = px * qy - py * qx, sx = px + qx, sy = py + qy;
        area += d / 2;
        x += d * sx / 6, y += d * sy / 6;
        xx += d * (sx * sx + px * px + qx * qx) / 24;
        xy += d * (sx * sy + px * py + qx * qy) / 24;
        yy += d * (sy * sy + py * py + qy * qy) / 24;
    }
    void set_spread_of(ContactPatch& patch, const Vec3d& axis_x, const Vec3d& axis_y) const {
        const double per = 1 / area, cx = x * per, cy = y * per;
        set_spread(patch, xx * per - cx * cx, xy * per - cx * cy, yy * per - cy * cy, axis_x, axis_y);
    }
};

// Touches of one surface that become one.
class PatchSum {
  public:
    void add(const ConvexTouch& t) {
        const Vec3d c = t.point + t.patch.middle;
        area_ += t.area, first_ += t.area * c;
        for (const Vec3d& v : {c, t.patch.spread[0], t.patch.spread[1]})
            for (int k = 0; k < 3; ++k) columns_[k] += (t.area * granary::at(v, k)) * v;
    }
    double area() const { return area_; }
    // Across this normal, from this point.
    ContactPatch at(const Vec3d& point, const Vec3d& normal) const {
        const ProjectionAxes axes = axes_along(normal);
        const Vec3d c = (1 / area_) * first_;
        const auto second = [&](const Vec3d& u, const Vec3d& v) {
            const Vec3d along = u.x * columns_[0] + u.y * columns_[1] + u.z * columns_[2];
            return dot(along, v) / area_ - dot(c, u) * dot(c, v);
        };
        ContactPatch patch;
        patch.middle = dot(c - point, axes.x) * axes.x + dot(c - point, axes.y) * axes.y;
        set_spread(patch, second(axes.x, axes.x), second(axes.x, axes.y), second(axes.y, axes.y), axes.x, axes.y);
        return patch;
    }

  private:
    double area_ = 0;
    Vec3d first_, columns_[3];
};

}  // namespace granary
