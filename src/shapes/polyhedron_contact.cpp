#include "shapes/polyhedron_contact.hpp"
#include <cmath>
#include <algorithm>
#include "shapes/contact_patch.hpp"
#include "shapes/simple_overlaps.hpp"

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

ContactPatch patch_of(const OverlapSums& sums, const ProjectionAxes& axes, const ConvexTouch& touch, double reach) {
    ContactPatch patch;
    const double area = sums.push.z, volume = sums.volume;
    // Deep inside each other the areas of front and back sides are subtracted: then it is taken for a disc.
    if (!(area > 0.5 * touch.area)) return patch;
    const double per = 1 / area, cx = per * sums.area_moment[0], cy = per * sums.area_moment[1];
    const double xx = per * sums.area_squares[0] - cx * cx, xy = per * sums.area_squares[1] - cx * cy,
                 yy = per * sums.area_squares[2] - cy * cy;
    const double x = cx - sums.moment.x / volume, y = cy - sums.moment.y / volume;
    if (!(xx + yy <= reach * reach && x * x + y * y <= reach * reach)) return patch;
    set_spread(patch, xx, xy, yy, axes.x, axes.y);
    patch.middle = x * axes.x + y * axes.y;
    patch.middle -= dot(patch.middle, touch.normal) * touch.normal;
    return patch;
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
    ProjectionAxes axes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    OverlapSums sums;
    const bool simple = simple_overlap(a, i, heights_i.data(), low, b, j, heights_j.data(), high, n, sums, touch.patch);
    if (!simple) {
        axes = axes_along(n);
        sums = overlap_of(project(a, i, {}, axes), heights_i.data(), low, project(b, j, to_j, axes), heights_j.data(),
                          high);
    }
    // Less is rounding: depths of 1e-14 of the size.
    const double length = a.equivalent_radius() * i.size + b.equivalent_radius() * j.size;
    if (sums.volume > 0 && sums.volume > 1e-14 * length * norm(sums.push)) {
        const ContactPatch patch = touch.patch;
        touch = touch_of(sums, axes, length);
        touch.patch = simple
                          ? patch
                          : patch_of(sums, axes, touch, std::min(a.outer_radius() * i.size, b.outer_radius() * j.size));
        touch.patch.face = std::min(a.largest_face() * i.size * i.size, b.largest_face() * j.size * j.size);
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
      face_(a.largest_face() * i.size * i.size),
      level_(dot(point - i.centre, normal)),
      lowest_(lowest(body_, heights_.data())) {}

void FlatContact::add_half_space() { sums_ += overlap_with_plane(body_, heights_.data(), level_); }

Vec3d FlatContact::flat(const Vec3d& x) const {
    const Vec3d d = x - centre_;
    return {dot(d, axes_.x), dot(d, axes_.y), 0};
}

void FlatContact::scale(double factor) { sums_.scale(factor); }

double FlatContact::add(std::span<const Vec3d> polygon, std::vector<Vec3d>* cells) {
    std::array<Vec3d, ConvexPolyhedron::most_corners_of_a_face> corner;
    double volume = 0;
    // Polygons of many corners in parts, fanned out from the first corner.
    for (std::size_t from = 1; from + 1 < polygon.size();) {
        std::size_t n = 0, k = from;
        corner[n++] = flat(polygon[0]);
        while (n < corner.size() && k < polygon.size()) corner[n++] = flat(polygon[k++]);
        from = k - 1;
        double area = 0;
        for (std::size_t c = 1; c + 1 < n; ++c) area += cross(corner[c] - corner[0], corner[c + 1] - corner[0]).z;
        if (area < 0)
            for (std::size_t c = 0; c < n / 2; ++c) std::swap(corner[c], corner[n - 1 - c]);
        const OverlapSums more = overlap_with_polygon(body_, heights_.data(), level_, {corner.data(), n}, cells);
        sums_ += more;
        volume += more.volume;
    }
    return volume;
}

bool FlatContact::touch(ConvexTouch& result) const {
    if (!(sums_.volume > 0 && sums_.volume > 1e-14 * length_ * sums_.push.z)) {
        result.normal = axes_.n, result.overlap = level_ - lowest_ < 0 ? level_ - lowest_ : 0;
        return false;
    }
    result = touch_of(sums_, axes_, length_);
    result.normal = axes_.n;
    result.patch = patch_of(sums_, axes_, result, body_.body->outer_radius() * norm(body_.n));
    result.patch.face = face_;
    return true;
}

bool touch_plane(const ConvexPolyhedron& a, const Placed& i, const Vec3d& point, const Vec3d& normal,
                 ConvexTouch& touch) {
    FlatContact contact(a, i, point, normal);
    if (contact.touching()) contact.add_half_space();
    return contact.touch(touch);
}

}  // namespace granary
