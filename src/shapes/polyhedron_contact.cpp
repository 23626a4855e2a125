#include "shapes/polyhedron_contact.hpp"
#include <cmath>

namespace granary {

ConvexTouch touch_of(const OverlapSums& sums, const ProjectionAxes& axes, double length) {
    ConvexTouch touch;
    const Vec3d push = sums.push.x * axes.x + sums.push.y * axes.y + sums.push.z * axes.n;
    const double area = norm(push), inverse = 1 / sums.volume;
    // Deep inside each other bodies may have no way out that is better than others: then the old normal, and the area
    // of a ball of that volume.
    const double least = 1e-3 * sums.volume / length;
    touch.normal = area > least ? (1 / area) * push : axes.n;
    touch.area = area > least ? area : least;
    touch.overlap = sums.volume / touch.area;
    const double radius = 0.75 * touch.area / length;
    touch.effective_radius = radius * radius / touch.overlap;
    touch.stored_depth = sums.depth_sum * inverse;
    touch.point =
        (sums.moment.x * inverse) * axes.x + (sums.moment.y * inverse) * axes.y + (sums.moment.z * inverse) * axes.n;
    return touch;
}

PlaneState touch_polyhedra(const ConvexPolyhedron& a, const Placed& i, const ConvexPolyhedron& b, const Placed& j,
                           double tol, Vec3d& plane, ConvexTouch& touch) {
    const Vec3d to_j = j.centre - i.centre;
    Vec3d n = plane;
    if (dot(n, n) == 0) {
        const double distance = norm(to_j);
        n = distance > 0 ? (-1 / distance) * to_j : Vec3d{0, 0, 1};
    }
    std::array<double, ConvexPolyhedron::most_corners> heights_i, heights_j;
    // The heights decide whether the old plane still separates them; most pairs end here.
    const auto along = [&](const Vec3d& normal) {
        ProjectedBody i_along, j_along;
        i_along.body = &a, i_along.n = i.size * rotate_back(i.orientation, normal);
        j_along.body = &b, j_along.n = j.size * rotate_back(j.orientation, normal);
        j_along.origin.z = dot(to_j, normal);
        const double low = lowest(i_along, heights_i.data()), high = highest(j_along, heights_j.data());
        return std::pair{low, high};
    };
    const auto apart = [&](double gap) {
        touch.normal = n, touch.overlap = -gap;
        plane = gap > tol ? Vec3d{} : n;
        return gap > tol ? PlaneState::none : PlaneState::potential;
    };
    const auto [low, high] = along(n);
    if (low >= high) return apart(low - high);
    const ProjectionAxes axes = axes_along(n);
    const OverlapSums sums =
        overlap_of(project(a, i, {}, axes), heights_i.data(), low, project(b, j, to_j, axes), heights_j.data(), high);
    // Less is rounding: depths of 1e-14 of the size.
    const double length = a.equivalent_radius() * i.size + b.equivalent_radius() * j.size;
    if (sums.volume > 1e-14 * length * (sums.push.z > 0 ? sums.push.z : 0) && sums.volume > 0) {
        touch = touch_of(sums, axes, length);
        plane = touch.normal;
        return PlaneState::real;
    }
    const CommonPlane found = fast_common_plane(a, i, b, j, n);
    n = found.normal;
    return apart(found.gap > 0 ? found.gap : 0);
}

FlatContact::FlatContact(const ConvexPolyhedron& a, const Placed& i, const Vec3d& point, const Vec3d& normal)
    : axes_(axes_along(normal)),
      centre_(i.centre),
      body_(project(a, i, {}, axes_)),
      length_(a.equivalent_radius() * i.size),
      level_(dot(point - i.centre, normal)),
      lowest_(lowest(body_, heights_.data())) {}

void FlatContact::add_half_space() { sums_ += overlap_with_plane(body_, heights_.data(), level_); }

Vec3d FlatContact::flat(const Vec3d& x) const {
    const Vec3d d = x - centre_;
    return {dot(d, axes_.x), dot(d, axes_.y), 0};
}

void FlatContact::scale(double factor) {
    sums_.volume *= factor, sums_.moment *= factor, sums_.depth_sum *= factor, sums_.push *= factor;
}

double FlatContact::add(std::span<const Vec3d> polygon, std::vector<Vec3d>* cells) {
    std::array<Vec3d, ConvexPolyhedron::most_corners_of_a_face> corner;
    const std::size_t n = polygon.size() < corner.size() ? polygon.size() : corner.size();
    for (std::size_t k = 0; k < n; ++k) corner[k] = flat(polygon[k]);
    double area = 0;
    for (std::size_t k = 1; k + 1 < n; ++k) area += cross(corner[k] - corner[0], corner[k + 1] - corner[0]).z;
    if (area < 0)
        for (std::size_t k = 0; k < n / 2; ++k) std::swap(corner[k], corner[n - 1 - k]);
    const OverlapSums more = overlap_with_polygon(body_, heights_.data(), level_, {corner.data(), n}, cells);
    sums_ += more;
    return more.volume;
}

bool FlatContact::touch(ConvexTouch& result) const {
    if (!(sums_.volume > 0 && sums_.volume > 1e-14 * length_ * sums_.push.z)) {
        result.normal = axes_.n, result.overlap = level_ - lowest_ < 0 ? level_ - lowest_ : 0;
        return false;
    }
    result = touch_of(sums_, axes_, length_);
    result.normal = axes_.n;
    return true;
}

bool touch_plane(const ConvexPolyhedron& a, const Placed& i, const Vec3d& point, const Vec3d& normal,
                 ConvexTouch& touch) {
    FlatContact contact(a, i, point, normal);
    if (contact.touching()) contact.add_half_space();
    return contact.touch(touch);
}

}  // namespace granary
