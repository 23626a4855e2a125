#include "walls/mesh_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include "walls/ellipsoid_at_wall.hpp"

namespace granary {
namespace {

constexpr double same_place = 1e-6;  // share of the radius

// The candidate of a triangle; the end if the ball is not near it.
std::size_t place_of(std::span<const WallCandidate> near, std::uint32_t triangle) {
    const auto at = std::lower_bound(near.begin(), near.end(), triangle,
                                     [](const WallCandidate& c, std::uint32_t t) { return c.place < t; });
    return at != near.end() && at->place == triangle ? static_cast<std::size_t>(at - near.begin()) : near.size();
}

SurfacePoint surface_point(const TriangleFrame& f, const NearestOnTriangle& q, const Vec3d& x) {
    const bool face = q.region == Region::face;
    const Vec3d d = x - q.point;
    if (face || q.distance == 0) return {q.point, dot(x - f.a, f.normal) < 0 ? -f.normal : f.normal, q.distance, !face};
    return {q.point, (1.0 / q.distance) * d, q.distance, true};
}

// A ball at one triangle: is it near, and where it touches.
struct BallLook {
    const Vec3d& x;
    double far;
    bool near(const TriangleFrame& f, NearestOnTriangle& at, std::size_t) const {
        if (!(std::abs(dot(x - f.a, f.normal)) < far)) return false;  // the plane is never farther than the triangle
        at = closest(f, x);
        return at.distance < far;
    }
    SurfacePoint place(const TriangleFrame& f, const NearestOnTriangle& at, std::size_t) const {
        return surface_point(f, at, x);
    }
    SurfacePoint wherever(const TriangleFrame& f) const { return surface_point(f, closest(f, x), x); }
};

struct EllipsoidLook {
    const Vec3d& x;
    const PlacedEllipsoid& body;
    double far;
    std::span<ConvexTouch> touches;
    bool near(const TriangleFrame& f, NearestOnTriangle& at, std::size_t k) const {
        EllipsoidOnTriangle t;
        if (!ellipsoid_on_triangle(body, x, f, t, far)) return false;
        at = {t.at.wall_point, -t.at.touch.overlap, t.region};
        touches[k] = t.at.touch;
        return true;
    }
    SurfacePoint place(const TriangleFrame&, const NearestOnTriangle& at, std::size_t k) const {
        return {at.point, touches[k].normal, at.distance, at.region != Region::face};
    }
    SurfacePoint wherever(const TriangleFrame& f) const {
        EllipsoidOnTriangle t;
        ellipsoid_on_triangle(body, x, f, t, std::numeric_limits<double>::infinity());
        return {t.at.wall_point, t.at.touch.normal, -t.at.touch.overlap, t.at.on_rim};
    }
};

// Face before edge before corner.
int rank_of(Region r) { return r == Region::face ? 0 : is_edge(r) ? 1 : 2; }

}  // namespace

void MeshContacts::reserve(std::size_t most_near) {
    near_.reserve(most_near);
    contacts_.reserve(most_near);
}

void MeshContacts::touch(const TriangleMesh& mesh, std::span<WallCandidate> near, const Vec3d& x, double radius,
                         double reach, std::span<Spring> theta) {
    touch_by(mesh, near, std::max(same_place * radius, mesh.weld()), BallLook{x, radius + reach}, theta);
}

void MeshContacts::touch(const TriangleMesh& mesh, std::span<WallCandidate> near, const Vec3d& x,
                         const PlacedEllipsoid& body, double reach, std::span<Spring> theta) {
    touches_.resize(near.size());
    touch_by(mesh, near, std::max(same_place * body.largest, mesh.weld()), EllipsoidLook{x, body, reach, touches_},
             theta);
}

template <class Look> void MeshContacts::touch_by(const TriangleMesh& mesh, std::span<WallCandidate> near,
                                                  double tolerance, const Look& look, std::span<Spring> theta) {
    near_.resize(near.size());
    contacts_.clear();
    for (std::size_t k = 0; k < near.size(); ++k)
        near_[k].touching = look.near(mesh.frame(near[k].place), near_[k].at, k);
    for (std::size_t k = 0; k < near.size(); ++k) {
        if (!near_[k].touching || !is_least(mesh, near, k, tolerance)) continue;
        const std::uint32_t t = near[k].place;
        contacts_.push_back({static_cast<std::uint32_t>(k), look.place(mesh.frame(t), near_[k].at, k),
                             mesh.patch_around(t, near_[k].at.region), false});
    }
    if (contacts_.size() > 1) {
        join_same_points(2 * tolerance);
        join_smooth();
    }
    hand_on_springs(mesh, near, look, theta);
}

// Is the nearest point of this triangle also the nearest of all triangles that hold it?
bool MeshContacts::is_least(const TriangleMesh& mesh, std::span<const WallCandidate> near, std::size_t k,
                            double tolerance) const {
    const NearestOnTriangle& mine = near_[k].at;
    if (mine.region == Region::face) return true;
    const std::uint32_t t = near[k].place;
    for (const std::uint32_t other : mesh.around(t, mine.region)) {
        if (other == t) continue;
        const std::size_t j = place_of(near, other);
        if (j < near.size() && near_[j].touching && norm(near_[j].at.point - mine.point) > tolerance) return false;
    }
    if (!mesh.on_open_rim(t, mine.region)) return true;
    // At an open rim the surface may go on in a triangle that does not share the corners (a file whose triangles do not
    // match).
    for (std::size_t j = 0; j < near.size(); ++j)
        if (near_[j].touching && norm(near_[j].at.point - mine.point) > tolerance &&
            closest(mesh.frame(near[j].place), mine.point).distance <= tolerance)
            return false;
    return true;
}

void MeshContacts::join_same_points(double tolerance) {
    for (std::size_t i = 0; i < contacts_.size(); ++i)
        for (std::size_t j = 0; j < contacts_.size() && !contacts_[i].dropped; ++j) {
            if (j == i || contacts_[j].dropped || norm(contacts_[i].at.point - contacts_[j].at.point) > tolerance)
                continue;
            const int mine = rank_of(near_[contacts_[i].near].at.region),
                      other = rank_of(near_[contacts_[j].near].at.region);
            contacts_[i].dropped = other < mine || (other == mine && j < i);
        }
    std::erase_if(contacts_, [](const Contact& c) { return c.dropped; });
}

// The deepest stays and takes the place of all others that it stands for, then the next.
void MeshContacts::join_smooth() {
    for (std::size_t n = 0; n < contacts_.size(); ++n) {
        std::size_t best = n;
        for (std::size_t j = n + 1; j < contacts_.size(); ++j)
            if (contacts_[j].at.distance < contacts_[best].at.distance ||
                (contacts_[j].at.distance == contacts_[best].at.distance && contacts_[j].near < contacts_[best].near))
                best = j;
        std::swap(contacts_[n], contacts_[best]);
        const Contact kept = contacts_[n];
        if (kept.patch == TriangleMesh::no_patch) continue;
        std::erase_if(contacts_, [&](const Contact& c) {
            return c.near != kept.near && c.patch == kept.patch && c.at.distance >= kept.at.distance &&
                   dot(c.at.normal, kept.at.normal) > same_direction;
        });
    }
    std::sort(contacts_.begin(), contacts_.end(), [](const Contact& a, const Contact& b) { return a.near < b.near; });
}

template <class Look> void MeshContacts::hand_on_springs(const TriangleMesh& mesh, std::span<WallCandidate> near,
                                                         const Look& look, std::span<Spring> theta) const {
    const auto has_spring = [&](std::size_t k) {
        return near[k].has_spring() || (!theta.empty() && theta[k] != Spring{});
    };
    const auto has_contact = [&](std::size_t k) {
        return std::any_of(contacts_.begin(), contacts_.end(), [&](const Contact& c) { return c.near == k; });
    };
    const auto is_left = [&](std::size_t k) { return has_spring(k) && !has_contact(k); };
    const auto drop = [&](std::size_t k) {
        std::fill_n(near[k].xi, 3, 0.0);
        if (!theta.empty()) theta[k] = {};
    };
    std::size_t first = 0;
    while (first < near.size() && !is_left(first)) ++first;
    if (first == near.size()) return;
    for (const Contact& c : contacts_) {
        if (has_spring(c.near)) continue;
        std::size_t from = near.size();
        double least = 0;
        for (std::size_t k = first; k < near.size(); ++k) {
            if (!is_left(k)) continue;
            const SurfacePoint q = look.wherever(mesh.frame(near[k].place));
            if (dot(q.normal, c.at.normal) < same_direction) continue;
            const double way = norm(q.point - c.at.point);
            if (from == near.size() || way < least) from = k, least = way;
        }
        if (from == near.size()) continue;
        std::copy_n(near[from].xi, 3, near[c.near].xi);
        if (!theta.empty()) theta[c.near] = theta[from];
        drop(from);
    }
    for (std::size_t k = first; k < near.size(); ++k)
        if (is_left(k)) drop(k);
}

}  // namespace granary
