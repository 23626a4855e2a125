#include "shapes/convex_polygon.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/errors.hpp"
#include "shapes/convex_polyhedron.hpp"

namespace granary {
namespace {

constexpr double on_hull = 1e-6;  // share of the size: a point this deep inside is on the hull

double turn(const Vec2d& a, const Vec2d& b, const Vec2d& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Counter-clockwise, without points in the middle of edges (Andrew's monotone chain).
std::vector<Vec2d> hull_of(std::vector<Vec2d> points, double size) {
    std::sort(points.begin(), points.end(),
              [](const Vec2d& a, const Vec2d& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    std::vector<Vec2d> hull;
    const auto add = [&](const Vec2d& p, std::size_t least) {
        while (hull.size() > least && turn(hull[hull.size() - 2], hull.back(), p) <= 1e-10 * size * size)
            hull.pop_back();
        hull.push_back(p);
    };
    for (const Vec2d& p : points) add(p, 1);
    const std::size_t lower = hull.size();
    for (std::size_t k = points.size() - 1; k-- > 0;) add(points[k], lower);
    hull.pop_back();  // the first one again
    return hull;
}

}  // namespace

ConvexPolygon::ConvexPolygon(const std::string& name, std::span<const Vec2d> points, int normal) : normal_(normal) {
    const std::string what = "shape \"" + name + "\"";
    if (points.size() < 3)
        throw InputError(fmt::format("{}: a polygon of {} corners (expected at least 3)", what, points.size()));
    Vec2d low = points[0], high = points[0];
    for (const Vec2d& p : points) {
        if (!std::isfinite(p.x) || !std::isfinite(p.y)) throw InputError(what + ": a corner is not finite");
        low = {std::min(low.x, p.x), std::min(low.y, p.y)}, high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    const double size = std::max(high.x - low.x, high.y - low.y);
    std::vector<Vec2d> hull = hull_of({points.begin(), points.end()}, size);
    double twice = 0;
    for (std::size_t k = 1; k + 1 < hull.size(); ++k) twice += turn(hull[0], hull[k], hull[k + 1]);
    if (hull.size() < 3 || !(twice > 1e-8 * size * size)) throw InputError(what + ": its area is zero");
    if (hull.size() > most_corners)
        throw InputError(fmt::format("{}: {} corners; at most {} are allowed", what, hull.size(), most_corners));
    // First and second moments about the first corner.
    const Vec2d origin = hull[0];
    Vec2d first;
    double second = 0;
    for (std::size_t k = 1; k + 1 < hull.size(); ++k) {
        const Vec2d a{hull[k].x - origin.x, hull[k].y - origin.y},
            b{hull[k + 1].x - origin.x, hull[k + 1].y - origin.y};
        const double d = a.x * b.y - a.y * b.x;
        first.x += d * (a.x + b.x), first.y += d * (a.y + b.y);
        second += d * (a.x * a.x + a.x * b.x + b.x * b.x + a.y * a.y + a.y * b.y + b.y * b.y);
    }
    area_ = 0.5 * twice;
    const Vec2d own{first.x / (3 * twice), first.y / (3 * twice)};
    polar_per_mass_ = second / (6 * twice) - (own.x * own.x + own.y * own.y);
    equivalent_radius_ = std::sqrt(area_ / std::numbers::pi);
    for (const Vec2d& p : hull) {
        corners_.push_back({(p.x - origin.x) - own.x, (p.y - origin.y) - own.y});
        const Vec2d& c = corners_.back();
        outer_radius_ = std::max(outer_radius_, std::sqrt(c.x * c.x + c.y * c.y));
    }
    lay_out_edges();
    for (std::size_t k = 0; k < points.size(); ++k) {
        double depth = outer_radius_;
        const Vec2d p{points[k].x - origin.x - own.x, points[k].y - origin.y - own.y};
        for (const Edge& e : edges_) depth = std::min(depth, e.offset - (e.normal.x * p.x + e.normal.y * p.y));
        if (depth > on_hull * outer_radius_)
            throw InputError(
                fmt::format("{} is not convex: corner {} lies inside the hull of the others", what, k + 1));
    }
}

void ConvexPolygon::lay_out_edges() {
    for (std::size_t k = 0; k < corners_.size(); ++k) {
        const Vec2d &a = corners_[k], &b = corners_[(k + 1) % corners_.size()];
        const double ex = b.x - a.x, ey = b.y - a.y, length = std::sqrt(ex * ex + ey * ey);
        Edge edge{{ey / length, -ex / length}, 0};
        edge.offset = edge.normal.x * a.x + edge.normal.y * a.y;
        edges_.push_back(edge);
        longest_edge_ = std::max(longest_edge_, length);
    }
}

ConvexPolygon::ConvexPolygon(const std::string& name, const Finished& from, int normal)
    : normal_(normal),
      corners_(from.corners),
      area_(from.area),
      polar_per_mass_(from.polar_per_mass),
      outer_radius_(from.outer_radius),
      equivalent_radius_(from.equivalent_radius) {
    bool good = corners_.size() >= 3 && corners_.size() <= most_corners && normal >= 0 && normal <= 2;
    for (const double x : {area_, polar_per_mass_, outer_radius_, equivalent_radius_})
        good &= std::isnormal(x) && x > 0;
    for (std::size_t k = 0; k < corners_.size() && good; ++k)
        good &= turn(corners_[k], corners_[(k + 1) % corners_.size()], corners_[(k + 2) % corners_.size()]) > 0;
    if (good) lay_out_edges();
    for (const Edge& e : edges_) good &= e.offset > 0;
    if (!good) throw InputError("shape \"" + name + "\": it is no convex polygon around its centre");
}

ShapeTemplate make_polygon(const std::string& name, std::span<const Vec2d> corners, int normal) {
    const auto polygon = std::make_shared<const ConvexPolygon>(name, corners, normal);
    std::vector<Vec3d> ends;
    for (const Vec2d& c : polygon->corners())
        for (const double side : {-0.5, 0.5}) {
            Vec3d p = in_space(c, normal);
            at(p, normal) = side * polygon->prism_height();
            ends.push_back(p);
        }
    // Its frame is that of the polygon: no principal axes.
    ShapeTemplate t = make_polyhedron(name, ConvexPolyhedron(name, ends, 1e-10, ConvexPolyhedron::Frame::as_given));
    t.polygon = polygon;
    t.outer_radius = polygon->outer_radius();
    at(t.inertia_per_mass, normal) = polygon->polar_per_mass();
    set_thickness(t, 1);
    return t;
}

void set_thickness(ShapeTemplate& t, double thickness) {
    t.thickness = thickness, t.volume = t.polygon->area() * thickness;
}

}  // namespace granary
