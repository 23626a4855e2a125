#include "shapes/placed_shapes.hpp"

#include <algorithm>
#include <cmath>
#include "core/elementary.hpp"
#include "core/errors.hpp"
#include "shapes/convex_polygon.hpp"
#include "shapes/convex_polyhedron.hpp"
#include "shapes/ellipsoid_johnson2005.hpp"
#include "shapes/ellipsoid_point.hpp"
#include "shapes/polygon_contact.hpp"
#include "shapes/polyhedron_ball.hpp"
#include "shapes/polyhedron_contact.hpp"

namespace granary {

namespace {

Vec3d half_box_of(const ShapeTemplate& s) {
    Vec3d half;
    switch (s.kind) {
        case ShapeKind::ellipsoid: return s.semi_axes;
        case ShapeKind::clump:
            for (const ClumpBall& b : s.balls)
                for (int axis = 0; axis < 3; ++axis)
                    at(half, axis) = std::max(at(half, axis), std::abs(at(b.centre, axis)) + b.radius);
            return half;
        case ShapeKind::polyhedron:
            for (const Vec3d& corner : s.polyhedron->corners())
                for (int axis = 0; axis < 3; ++axis)
                    at(half, axis) = std::max(at(half, axis), std::abs(at(corner, axis)));
            return half;
        case ShapeKind::ball: break;
    }
    return {s.outer_radius, s.outer_radius, s.outer_radius};
}

double in_series(double r_i, double r_j) { return r_i * r_j / (r_i + r_j); }

bool touch_balls(const Vec3d& apart, double r_i, double r_j, double far, ConvexTouch& touch) {
    const double radii = r_i + r_j, within = radii + far, d2 = dot(apart, apart);
    if (!(d2 < within * within)) return false;
    const double distance = std::sqrt(d2);
    touch.normal = (1 / distance) * apart;
    touch.overlap = radii - distance;
    touch.point = -(r_i - 0.5 * touch.overlap) * touch.normal;
    touch.effective_radius = r_i * r_j / radii;
    touch.area = 0;
    return true;
}

}  // namespace

void PlacedShapes::prepare(std::span<const ShapeTemplate> shapes, bool volume_radius) {
    shapes_ = shapes, volume_radius_ = volume_radius;
    boxes_.clear();
    for (const ShapeTemplate& s : shapes) {
        const Vec3d half = half_box_of(s);
        boxes_.push_back({half, std::min({half.x, half.y, half.z}), norm(half)});
    }
}

void PlacedShapes::lay_out(const Bodies& bodies) {
    first_.assign(bodies.size, 0);
    size_.assign(bodies.size, 1.0);
    inverse_.assign(bodies.size, Vec3d{});
    axes_.resize(bodies.size);
    std::uint32_t n_ellipsoids = 0, n_centres = 0;
    for (Index i = 0; i < bodies.size; ++i) {
        const ShapeKind k = kind(bodies, i);
        if (k == ShapeKind::ellipsoid) first_[i] = n_ellipsoids++;
        if (k == ShapeKind::clump) first_[i] = n_centres, n_centres += n_parts(bodies, i);
    }
    ellipsoids_.resize(n_ellipsoids);
    centres_.resize(n_centres);
    for (Index i = 0; i < bodies.size; ++i) {
        if (bodies.shape(i) == 0) continue;
        size_[i] = size_of(template_of(bodies, i, shapes_), bodies.radius(i));
        inverse_[i] = inverse_moments(bodies, i, shapes_);
    }
    place(bodies, {0, bodies.size});
    ball_radii_.clear();
    if (volume_radius_)
        for (const PlacedEllipsoid& e : ellipsoids_) ball_radii_.push_back(elementary::cbrt(e.abc));
}

void PlacedShapes::place(const Bodies& bodies, Range range) {
    for (Index i = range.begin; i < range.end; ++i) {
        if (bodies.shape(i) == 0) continue;
        const ShapeTemplate& s = template_of(bodies, i, shapes_);
        const Quaterniond q = orientation_of(bodies, i);
        const BodyAxes& axes = axes_[i] = body_axes(q);
        if (s.kind == ShapeKind::ellipsoid) ellipsoids_[first_[i]] = place_ellipsoid(size_[i] * s.semi_axes, q);
        if (s.kind != ShapeKind::clump) continue;
        Vec3d* const to = centres_.data() + first_[i];
        for (std::size_t k = 0; k < s.balls.size(); ++k) {
            const Vec3d own = size_[i] * s.balls[k].centre;
            to[k] = own.x * axes.x + own.y * axes.y + own.z * axes.z;
        }
    }
}

double PlacedShapes::least_radius(const Bodies& b, Index i, std::uint32_t part) const {
    if (part_is_ball(b, i)) return part_radius(b, i, part);
    return least_half_width(b, i);
}

bool PlacedShapes::boxes_apart(const Bodies& b, Index i, Index j, const Vec3d& apart, double far_i,
                               double far_j) const {
    // Along the axes of `own`: a ball has the same width along all.
    const auto between = [&](Index own, Index other, double far) {
        if (b.shape(own) == 0) return false;
        const Vec3d half = size_[own] * boxes_[b.shape(own) - std::size_t{1}].half;
        const BodyAxes& axes = axes_[own];
        const bool ball = b.shape(other) == 0;
        const Vec3d box = ball ? Vec3d{} : size_[other] * boxes_[b.shape(other) - std::size_t{1}].half;
        const BodyAxes& of_other = axes_[other];
        for (int k = 0; k < 3; ++k) {
            const Vec3d& n = axes[k];
            const double gap = std::abs(dot(n, apart)) - at(half, k) - far;
            if (!(gap > 0)) continue;
            const double width = ball ? b.radius(other)
                                      : std::abs(dot(n, of_other.x)) * box.x + std::abs(dot(n, of_other.y)) * box.y +
                                            std::abs(dot(n, of_other.z)) * box.z;
            if (gap > width) return true;
        }
        return false;
    };
    return between(i, j, far_i) || between(j, i, far_j);
}

bool PlacedShapes::touch_ball(const Bodies& b, Index i, std::uint32_t part, const Vec3d& to_ball, double radius,
                              double far, ConvexTouch& touch) const {
    if (kind(b, i) == ShapeKind::ellipsoid) {
        if (!touch_ellipsoid_ball(ellipsoid(i), to_ball, radius, touch, far)) return false;
        if (volume_radius_) touch.effective_radius = in_series(ball_radius(i), radius);
        return true;
    }
    if (kind(b, i) == ShapeKind::polyhedron) {
        const ShapeTemplate& t = template_of(b, i, shapes_);
        if (t.polygon) return touch_polygon_disc(*t.polygon, placed(b, i), to_ball, radius, far, touch);
        return touch_polyhedron_ball(*t.polyhedron, placed(b, i), to_ball, radius, far, touch);
    }
    const Vec3d centre = part_centre(b, i, part);
    if (!touch_balls(centre - to_ball, part_radius(b, i, part), radius, far, touch)) return false;
    touch.point += centre;
    return true;
}

bool PlacedShapes::touch_parts(const Bodies& b, Index i, std::uint32_t part_i, Index j, std::uint32_t part_j,
                               const Vec3d& apart, double far, Vec3d& memory, ConvexTouch& touch) const {
    if (part_is_ball(b, j))
        return touch_ball(b, i, part_i, part_centre(b, j, part_j) - apart, part_radius(b, j, part_j), far, touch);
    if (part_is_ball(b, i)) {
        const Vec3d to_ball = apart + part_centre(b, i, part_i);
        if (!touch_ball(b, j, part_j, to_ball, part_radius(b, i, part_i), far, touch)) return false;
        touch = exchanged(touch, apart);  // its point was relative to j
        return true;
    }
    const ShapeKind kind_i = kind(b, i), kind_j = kind(b, j);
    if (kind_i == ShapeKind::ellipsoid && kind_j == ShapeKind::ellipsoid) {
        const bool near = touch_ellipsoids(ellipsoid(i), ellipsoid(j), -apart, memory, touch, far);
        if (volume_radius_) touch.effective_radius = in_series(ball_radius(i), ball_radius(j));
        return near;
    }
    if (kind_i == ShapeKind::polyhedron && kind_j == ShapeKind::polyhedron) {
        Placed at_i = placed(b, i), at_j = placed(b, j);
        at_j.centre = -apart;
        // Whatever the gap, the plane is kept: it is forgotten where the boxes are apart.
        const double all = b.radius(i) + b.radius(j);
        const ShapeTemplate &of_i = template_of(b, i, shapes_), &of_j = template_of(b, j, shapes_);
        const PlaneState state =
            of_i.polygon ? touch_polygons(*of_i.polygon, at_i, *of_j.polygon, at_j, of_i.thickness, all, memory, touch)
                         : touch_polyhedra(*of_i.polyhedron, at_i, *of_j.polyhedron, at_j, all, memory, touch);
        return state == PlaneState::real || (state == PlaneState::potential && touch.overlap > -far);
    }
    bool near = false;
    if (kind_i == ShapeKind::polyhedron)
        near = touch_polyhedron_ellipsoid(*template_of(b, i, shapes_).polyhedron, placed(b, i), ellipsoid(j), -apart,
                                          far, touch);
    else {
        near = touch_polyhedron_ellipsoid(*template_of(b, j, shapes_).polyhedron, placed(b, j), ellipsoid(i), apart,
                                          far, touch);
        if (near) touch = exchanged(touch, apart);
    }
    if (!near) return false;
    memory = touch.normal;
    if (volume_radius_) touch.effective_radius = ball_radius(kind_i == ShapeKind::ellipsoid ? i : j);
    return true;
}

unsigned PlacedShapes::touch_ellipsoid_pairs(EllipsoidLanes& lanes) const {
    EllipsoidPairs4 four;
    for (std::size_t k = 0; k < 4; ++k) {
        four.i[k] = &ellipsoid(lanes.lower[k]), four.j[k] = &ellipsoid(lanes.upper[k]);
        four.from_i_to_j[k] = -lanes.apart[k];
    }
    const unsigned near = touch_ellipsoids4(four, lanes.memory, lanes.touch, lanes.far);
    if (volume_radius_)
        for (std::size_t k = 0; k < 4; ++k)
            lanes.touch[k].effective_radius = in_series(ball_radius(lanes.lower[k]), ball_radius(lanes.upper[k]));
    return near;
}

}  // namespace granary
