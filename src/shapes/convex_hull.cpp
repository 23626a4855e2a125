#include "shapes/convex_hull.hpp"
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include "core/errors.hpp"

namespace granary {
namespace {

using HullFace = std::vector<std::uint32_t>;

bool before(const Vec3d& a, const Vec3d& b) { return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z); }

Vec3d unit_or_zero(const Vec3d& a) {
    const double length = norm(a);
    return length > 0 ? (1 / length) * a : Vec3d{};
}

class GiftWrapping {
  public:
    GiftWrapping(std::span<const Vec3d> points, double tolerance) : points_(points), tolerance_(tolerance) {}

    // False: the faces do not close at this tolerance.
    bool wrap(ConvexHull& hull) {
        if (!first_face()) return false;
        while (!open_.empty()) {
            const auto [edge, normal] = *open_.begin();
            open_.erase(open_.begin());
            if (!next_face(edge, normal)) return false;
            if (faces_.size() > 4 * points_.size()) return false;
        }
        return finish(hull);
    }

  private:
    using Edge = std::pair<std::uint32_t, std::uint32_t>;

    // The plane of the lowest x, tipped about its lowest point until it rests on three.
    bool first_face() {
        const Vec3d start{-1, 0, 0};
        const Vec3d p = points_[0];
        // First about the y axis through p, then about the edge found.
        std::size_t q = 0;
        double best_u = 0, best_w = 0;
        for (std::size_t k = 1; k < points_.size(); ++k) {
            const Vec3d d = points_[k] - p;
            if (d.x * d.x + d.z * d.z <= tolerance_ * tolerance_) continue;
            if (q == 0 || nearer(d.z, -d.x, best_u, best_w)) q = k, best_u = d.z, best_w = -d.x;
        }
        if (q == 0) return false;
        const Vec3d edge = points_[q] - p;
        // A plane through p and q that has all points on one side: contains the y direction.
        Vec3d normal = unit_or_zero(cross(Vec3d{0, 1, 0}, edge));
        double side = 0;
        for (const Vec3d& x : points_) {
            const double h = dot(x - p, normal);
            if (std::abs(h) > std::abs(side)) side = h;
        }
        if (side > 0) normal = -normal;
        if (dot(normal, normal) == 0) normal = start;
        HullFace face = face_in(p, normal);
        if (face.size() >= 3) return add(face);
        if (face.size() < 2) return false;
        return next_face({face[0], face[1]}, normal);
    }

    // Is (u, w), w <= 0, reached before (best_u, best_w) by a plane that turns from +u downward?
    static bool nearer(double u, double w, double best_u, double best_w) { return best_u * w - best_w * u > 0; }

    // Over the edge of a face with this outward normal, the edge as that face goes round it.
    bool next_face(const Edge& edge, const Vec3d& normal) {
        const Vec3d p = points_[edge.first], along = unit_or_zero(points_[edge.second] - p);
        const Vec3d out = cross(along, normal);  // in the plane of the old face, away from it
        bool found = false;
        double best_u = 0, best_w = 0;
        Vec3d best;
        for (const Vec3d& x : points_) {
            Vec3d d = x - p;
            d = d - dot(d, along) * along;
            const double u = dot(d, out), w = dot(d, normal);
            if (u * u + w * w <= tolerance_ * tolerance_) continue;  // on the edge
            if (w > -tolerance_ && u < 0) continue;                  // in the old face
            if (!found || nearer(u, w, best_u, best_w)) found = true, best_u = u, best_w = w, best = d;
        }
        if (!found) return false;
        const HullFace face = face_in(p, unit_or_zero(cross(unit_or_zero(best), along)));
        return face.size() >= 3 && add(face);
    }

    // Corners of the polygon that the points in a plane make, counter-clockwise about the normal.
    HullFace face_in(const Vec3d& p, const Vec3d& normal) const {
        const Vec3d e1 =
            unit_or_zero(std::abs(normal.x) < 0.7 ? cross(normal, Vec3d{1, 0, 0}) : cross(normal, Vec3d{0, 1, 0}));
        const Vec3d e2 = cross(normal, e1);
        struct Flat {
            double x, y;
            std::uint32_t k;
        };
        std::vector<Flat> flat;
        for (std::uint32_t k = 0; k < points_.size(); ++k) {
            const Vec3d d = points_[k] - p;
            if (std::abs(dot(d, normal)) <= tolerance_) flat.push_back({dot(d, e1), dot(d, e2), k});
        }
        std::sort(flat.begin(), flat.end(),
                  [](const Flat& a, const Flat& b) { return std::tie(a.x, a.y, a.k) < std::tie(b.x, b.y, b.k); });
        if (flat.size() < 3) {
            HullFace few;
            for (const Flat& a : flat) few.push_back(a.k);
            return few;
        }
        // Jarvis: from a corner to that which has all others on its left; of those in one line the farthest.
        HullFace face;
        std::size_t now = 0;
        do {
            face.push_back(flat[now].k);
            std::size_t next = now == 0 ? 1 : 0;
            for (std::size_t k = 0; k < flat.size(); ++k) {
                if (k == now || k == next) continue;
                const double ax = flat[next].x - flat[now].x, ay = flat[next].y - flat[now].y;
                const double bx = flat[k].x - flat[now].x, by = flat[k].y - flat[now].y;
                const double a = std::sqrt(ax * ax + ay * ay), b = std::sqrt(bx * bx + by * by);
                const double offset = (ax * by - ay * bx) / larger_of(a, b);  // of the nearer one from the line
                if (offset < -tolerance_ || (offset <= tolerance_ && ax * bx + ay * by > 0 && b > a)) next = k;
            }
            now = next;
        } while (now != 0 && face.size() <= flat.size());
        return face;
    }
    static double larger_of(double a, double b) { return a > b ? a : b; }

    bool add(HullFace face) {
        std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
        if (std::find(faces_.begin(), faces_.end(), face) != faces_.end())
            return false;  // an edge was open for nothing
        const Vec3d normal = normal_of(face);
        for (std::size_t k = 0; k < face.size(); ++k) {
            const Edge edge{face[k], face[(k + 1) % face.size()]}, back{edge.second, edge.first};
            if (!done_.insert({edge, 0}).second) return false;
            if (done_.count(back)) open_.erase(back);
            else open_[edge] = normal;
        }
        faces_.push_back(std::move(face));
        return true;
    }
    Vec3d normal_of(const HullFace& face) const {
        Vec3d area;
        for (std::size_t k = 1; k + 1 < face.size(); ++k)
            area += cross(points_[face[k]] - points_[face[0]], points_[face[k + 1]] - points_[face[0]]);
        return unit_or_zero(area);
    }

    bool finish(ConvexHull& hull) {
        std::vector<std::uint32_t> number(points_.size(), 0);
        for (const HullFace& face : faces_)
            for (const std::uint32_t k : face) number[k] = 1;
        hull.corners.clear();
        for (std::size_t k = 0; k < points_.size(); ++k)
            if (number[k])
                number[k] = static_cast<std::uint32_t>(hull.corners.size()), hull.corners.push_back(points_[k]);
        std::size_t sides = 0;
        for (HullFace& face : faces_) {
            const Vec3d normal = normal_of(face), p = points_[face[0]];
            for (const Vec3d& x : points_)
                if (dot(x - p, normal) > 10 * tolerance_) return false;
            for (std::uint32_t& k : face) k = number[k];
            sides += face.size();
        }
        for (const auto& [edge, nothing] : done_)
            if (!done_.count({edge.second, edge.first})) return false;
        if (hull.corners.size() + faces_.size() != sides / 2 + 2) return false;
        std::sort(faces_.begin(), faces_.end());
        hull.faces = std::move(faces_);
        hull.tolerance = tolerance_;
        return true;
    }

    std::span<const Vec3d> points_;
    double tolerance_;
    std::vector<HullFace> faces_;
    std::map<Edge, Vec3d> open_;  // edges of one face so far, with its normal
    std::map<Edge, int> done_;
};

}  // namespace

ConvexHull convex_hull(std::span<const Vec3d> given, const std::string& what, double relative_tolerance) {
    const auto refuse = [&](const std::string& text) { throw InputError(what + text); };
    std::vector<Vec3d> points(given.begin(), given.end());
    for (const Vec3d& x : points)
        if (!std::isfinite(x.x) || !std::isfinite(x.y) || !std::isfinite(x.z))
            refuse(": a coordinate is not a finite number");
    std::sort(points.begin(), points.end(), before);
    Vec3d lower, upper;
    if (!points.empty()) lower = upper = points[0];
    for (const Vec3d& x : points)
        for (int k = 0; k < 3; ++k) {
            if (at(x, k) < at(lower, k)) at(lower, k) = at(x, k);
            if (at(x, k) > at(upper, k)) at(upper, k) = at(x, k);
        }
    const double size = norm(upper - lower);
    double tolerance = relative_tolerance * size;
    std::vector<Vec3d> apart;
    for (const Vec3d& x : points) {  // of points that are one, the first in order stays
        const auto same = [&](const Vec3d& y) { return norm(x - y) <= 4 * tolerance; };
        if (std::none_of(apart.begin(), apart.end(), same)) apart.push_back(x);
    }
    if (apart.size() < 4)
        refuse(": " + std::to_string(apart.size()) +
               " different points; a body needs at least 4 that are not in one plane");
    // A thin body is no body: its greatest distance from the plane of the points that lie farthest apart.
    std::size_t q = 0, r = 0;
    double farthest = 0;
    for (std::size_t k = 1; k < apart.size(); ++k)
        if (const double d = norm(apart[k] - apart[0]); d > farthest) farthest = d, q = k;
    const Vec3d along = unit_or_zero(apart[q] - apart[0]);
    farthest = 0;
    for (std::size_t k = 1; k < apart.size(); ++k)
        if (const double d = norm(cross(apart[k] - apart[0], along)); d > farthest) farthest = d, r = k;
    if (farthest <= 1e-6 * size) refuse(": all points lie in one line; a body needs a volume");
    const Vec3d normal = unit_or_zero(cross(along, apart[r] - apart[0]));
    farthest = 0;
    for (const Vec3d& x : apart) farthest = std::max(farthest, std::abs(dot(x - apart[0], normal)));
    if (farthest <= 1e-6 * size) refuse(": all points lie in one plane; a body needs a volume");
    ConvexHull hull;
    for (; tolerance < 2e-5 * size; tolerance *= 10)
        if (GiftWrapping(apart, tolerance).wrap(hull)) return hull;
    refuse(": no closed convex surface found; points may lie nearly, but not quite, in one plane: merge or move them");
    return hull;
}

}  // namespace granary
