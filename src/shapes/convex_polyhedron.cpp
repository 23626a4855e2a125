#include "shapes/convex_polyhedron.hpp"
#include <numbers>
#include <algorithm>
#include <cmath>
#include <map>
#include <fmt/format.h>
#include "core/elementary.hpp"
#include "core/errors.hpp"
#include "shapes/convex_hull.hpp"
#include "shapes/principal_axes.hpp"

namespace granary {

ConvexPolyhedron::ConvexPolyhedron(const std::string& name, std::span<const Vec3d> points, double relative_tolerance,
                                   Frame frame) {
    const std::string what = "shape \"" + name + "\"";
    ConvexHull hull = convex_hull(points, what, relative_tolerance);
    corners_ = std::move(hull.corners);
    take_faces(what, hull.faces);
    find_mass_properties(frame);
    if (!(volume_ > 0)) throw InputError(what + ": its volume is zero");
    lay_out();
}

void ConvexPolyhedron::take_faces(const std::string& what, const std::vector<std::vector<std::uint32_t>>& faces) {
    if (corners_.size() > most_corners)
        throw InputError(what + ": " + std::to_string(corners_.size()) + " corners; at most " +
                         std::to_string(most_corners) + " are allowed");
    if (faces.size() > most_faces)
        throw InputError(what + ": " + std::to_string(faces.size()) + " faces; at most " + std::to_string(most_faces) +
                         " are allowed");
    for (const auto& face : faces) {
        if (face.size() > most_corners_of_a_face)
            throw InputError(what + ": a face has " + std::to_string(face.size()) + " corners; at most " +
                             std::to_string(most_corners_of_a_face) + " are allowed");
        Face f;
        f.begin = static_cast<std::uint32_t>(face_corners_.size());
        face_corners_.insert(face_corners_.end(), face.begin(), face.end());
        f.end = static_cast<std::uint32_t>(face_corners_.size());
        faces_.push_back(f);
    }
}

ConvexPolyhedron::Finished ConvexPolyhedron::finished() const {
    Finished all{corners_, {}, volume_, equivalent_radius_, inertia_per_mass_, user_centroid_, user_axes_};
    for (std::size_t f = 0; f < faces_.size(); ++f) all.faces.emplace_back(corners_of(f).begin(), corners_of(f).end());
    return all;
}

ConvexPolyhedron::ConvexPolyhedron(const std::string& name, const Finished& from)
    : corners_(from.corners),
      volume_(from.volume),
      equivalent_radius_(from.equivalent_radius),
      inertia_per_mass_(from.inertia_per_mass),
      user_centroid_(from.user_centroid),
      user_axes_(from.user_axes) {
    const std::string what = "shape \"" + name + "\"";
    const auto fail = [&](const char* why) { throw InputError(what + ": " + why); };
    take_faces(what, from.faces);
    for (const double x : {volume_, equivalent_radius_, inertia_per_mass_.x, inertia_per_mass_.y, inertia_per_mass_.z})
        if (!std::isnormal(x) || x < 0) fail("its volume and moments are no numbers above 0");
    for (const Vec3d& x : corners_)
        if (!std::isfinite(norm(x))) fail("a corner is not finite");
    // Each edge once each way, and all in one piece without holes.
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
    std::vector<char> used(corners_.size(), 0);
    for (const auto& ring : from.faces) {
        if (ring.size() < 3) fail("a face has less than three corners");
        for (std::size_t k = 0; k < ring.size(); ++k) {
            if (ring[k] >= corners_.size()) fail("a face names a corner that does not exist");
            used[ring[k]] = 1, ++sides[{ring[k], ring[(k + 1) % ring.size()]}];
        }
    }
    bool closed = corners_.size() + faces_.size() == sides.size() / 2 + 2;
    for (const auto& [side, count] : sides)
        closed &= side.first != side.second && count == 1 && sides.contains({side.second, side.first});
    for (const char one : used) closed &= one != 0;
    if (!closed) fail("its faces do not close");
    lay_out();
    for (const Face& f : faces_)
        for (const Vec3d& x : corners_)
            if (!(dot(f.normal, x) - f.offset <= 1e-2 * outer_radius_)) fail("it is not convex");
    if (!(inner_radius_ > 0)) fail("its centre lies outside");
}

// Sums over tetrahedra from the mean of the corners to the triangles of the faces. For one with corners 0, a, b, c and
// determinant d: volume d/6, first moment d (a + b + c)/24, second moment d (sum of x x^T over a, b, c and a + b +
// c)/120.
void ConvexPolyhedron::find_mass_properties(Frame frame) {
    Vec3d origin;
    for (const Vec3d& x : corners_) origin += x;
    origin *= 1.0 / static_cast<double>(corners_.size());
    double six_volumes = 0;
    Vec3d first;
    std::array<Vec3d, 3> second{};
    const auto add_square = [&](double w, const Vec3d& x) {
        second[0] += (w * x.x) * x, second[1] += (w * x.y) * x, second[2] += (w * x.z) * x;
    };
    for (std::size_t f = 0; f < faces_.size(); ++f) {
        const auto ring = corners_of(f);
        for (std::size_t k = 1; k + 1 < ring.size(); ++k) {
            const Vec3d a = corners_[ring[0]] - origin, b = corners_[ring[k]] - origin,
                        c = corners_[ring[k + 1]] - origin;
            const double d = dot(a, cross(b, c));
            const Vec3d sum = a + b + c;
            six_volumes += d;
            first += d * sum;
            add_square(d, a), add_square(d, b), add_square(d, c), add_square(d, sum);
        }
    }
    volume_ = six_volumes / 6;
    if (!(volume_ > 0)) return;
    const Vec3d centroid = (1 / (4 * six_volumes)) * first;
    for (auto& row : second) row *= 1 / (20 * six_volumes);
    second[0] -= centroid.x * centroid, second[1] -= centroid.y * centroid, second[2] -= centroid.z * centroid;
    const double trace = second[0].x + second[1].y + second[2].z;
    const PrincipalAxes found = principal_axes({Vec3d{trace - second[0].x, -second[0].y, -second[0].z},
                                                Vec3d{-second[1].x, trace - second[1].y, -second[1].z},
                                                Vec3d{-second[2].x, -second[2].y, trace - second[2].z}});
    user_centroid_ = origin + centroid;
    if (frame == Frame::principal) user_axes_ = found.axes, inertia_per_mass_ = found.moments;
    else inertia_per_mass_ = {trace - second[0].x, trace - second[1].y, trace - second[2].z};
    for (Vec3d& x : corners_) {
        const Vec3d d = x - user_centroid_;
        x = {dot(d, user_axes_[0]), dot(d, user_axes_[1]), dot(d, user_axes_[2])};
    }
    equivalent_radius_ = elementary::cbrt(volume_ * 3 / (4 * std::numbers::pi));
}

void ConvexPolyhedron::lay_out() {
    for (const Vec3d& x : corners_) outer_radius_ = std::max(outer_radius_, norm(x));
    inner_radius_ = outer_radius_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> face_at;
    for (std::uint32_t f = 0; f < faces_.size(); ++f) {
        const auto ring = corners_of(f);
        Vec3d area, middle;
        for (std::size_t k = 0; k < ring.size(); ++k) {
            area +=
                cross(corners_[ring[k]] - corners_[ring[0]], corners_[ring[(k + 1) % ring.size()]] - corners_[ring[0]]);
            middle += corners_[ring[k]];
            face_at[{ring[k], ring[(k + 1) % ring.size()]}] = f;
        }
        faces_[f].normal = (1 / norm(area)) * area;
        faces_[f].offset = dot(faces_[f].normal, middle) / static_cast<double>(ring.size());
        inner_radius_ = std::min(inner_radius_, faces_[f].offset);
        largest_face_ = std::max(largest_face_, 0.5 * norm(area));
    }
    std::vector<std::vector<std::uint32_t>> next(corners_.size()), around(corners_.size());
    for (const auto& [edge, face] : face_at) {
        next[edge.first].push_back(edge.second);
        around[edge.first].push_back(face);
        if (edge.first < edge.second)
            edges_.push_back({edge.first, edge.second, face, face_at.at({edge.second, edge.first})});
    }
    neighbour_begin_.push_back(0);
    for (std::uint32_t c = 0; c < corners_.size(); ++c) {
        // Round the corner: in the face to the left of c -> k, the corner before c is the next.
        std::uint32_t k = next[c].front();
        for (std::size_t m = 0; m < next[c].size(); ++m) {
            neighbours_.push_back(k);
            const auto ring = corners_of(face_at.at({c, k}));
            const auto here = static_cast<std::size_t>(std::find(ring.begin(), ring.end(), c) - ring.begin());
            k = ring[here == 0 ? ring.size() - 1 : here - 1];
        }
        std::sort(around[c].begin(), around[c].end());
        corner_faces_.insert(corner_faces_.end(), around[c].begin(), around[c].end());
        neighbour_begin_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
    }
    padded_ = (corners_.size() + 7) / 8 * 8;
    side_by_side_.resize(3 * padded_);
    for (std::size_t k = 0; k < padded_; ++k) {
        const Vec3d& x = corners_[k < corners_.size() ? k : 0];
        side_by_side_[k] = x.x, side_by_side_[padded_ + k] = x.y, side_by_side_[2 * padded_ + k] = x.z;
    }
    for (std::size_t part = 0; part < starts_.size(); ++part) {
        const bool x_y = part & 8, y_z = part & 16, z_x = part & 32;  // the first is smaller
        const double size[3] = {0.577, 1.284, 2.284};                 // middle of the part
        const auto signed_size = [&](std::size_t bit, int rank) { return part & bit ? -size[rank] : size[rank]; };
        const Vec3d middle{signed_size(1, !x_y + z_x), signed_size(2, !y_z + x_y), signed_size(4, !z_x + y_z)};
        starts_[part] = support(middle);
    }
}

std::uint32_t ConvexPolyhedron::support(const Vec3d& direction, std::uint32_t start) const {
    std::uint32_t best = start;
    double height = dot(direction, corners_[best]);
    for (bool climbed = true; climbed;) {
        climbed = false;
        for (const std::uint32_t k : neighbours_of(best))
            if (const double h = dot(direction, corners_[k]); h > height) {
                best = k, height = h, climbed = true;
                break;
            }
    }
    return best;
}

ShapeTemplate make_polyhedron(const std::string& name, ConvexPolyhedron polyhedron) {
    ShapeTemplate shape;
    shape.name = name;
    shape.kind = ShapeKind::polyhedron;
    shape.outer_radius = polyhedron.outer_radius();
    shape.volume = polyhedron.volume();
    shape.inertia_per_mass = polyhedron.inertia_per_mass();
    shape.polyhedron = std::make_shared<const ConvexPolyhedron>(std::move(polyhedron));
    return shape;
}

ShapeTemplate make_polyhedron(const std::string& name, std::span<const Vec3d> corners) {
    return make_polyhedron(name, ConvexPolyhedron(name, corners));
}

ShapeTemplate make_polyhedron_from_triangles(const std::string& name, std::span<const std::array<Vec3d, 3>> triangles) {
    const std::string what = "shape \"" + name + "\"";
    std::vector<Vec3d> points;
    for (const auto& t : triangles) points.insert(points.end(), t.begin(), t.end());
    if (points.empty()) throw InputError(what + ": no triangles");
    // Files have seven digits: what is nearer than that is one.
    constexpr double digits = 1e-6;
    ConvexPolyhedron hull(name, points, digits);
    const double weld = 4 * digits * 2 * hull.outer_radius();
    std::vector<Vec3d> welded;
    std::map<std::pair<std::size_t, std::size_t>, int> sides;
    const auto number_of_corner = [&](const Vec3d& x) {
        for (std::size_t k = 0; k < welded.size(); ++k)
            if (norm(welded[k] - x) <= weld) return k;
        welded.push_back(x);
        return welded.size() - 1;
    };
    double cone_volumes = 0;  // of the tetrahedra from the centroid to the triangles, all counted positive
    for (const auto& t : triangles) {
        const std::array<std::size_t, 3> k{number_of_corner(t[0]), number_of_corner(t[1]), number_of_corner(t[2])};
        if (k[0] == k[1] || k[1] == k[2] || k[0] == k[2]) continue;
        for (std::size_t c = 0; c < 3; ++c) ++sides[std::minmax(k[c], k[(c + 1) % 3])];
        const Vec3d& o = hull.user_centroid();
        cone_volumes += std::abs(dot(t[0] - o, cross(t[1] - o, t[2] - o))) / 6;
    }
    for (const auto& [edge, count] : sides)
        if (count != 2) {
            const Vec3d m = 0.5 * (welded[edge.first] + welded[edge.second]);
            throw InputError(fmt::format("{}: {} at ({:.6g}, {:.6g}, {:.6g}); a grain needs a closed surface", what,
                                         count == 1 ? "its surface is open: an edge of one triangle only"
                                                    : "more than two triangles meet at one edge",
                                         m.x, m.y, m.z));
        }
    for (const Vec3d& x : welded) {
        const Vec3d d = x - hull.user_centroid();
        const auto& e = hull.user_axes();
        const Vec3d own{dot(d, e[0]), dot(d, e[1]), dot(d, e[2])};
        double inside = 2 * hull.outer_radius();
        for (const auto& face : hull.faces()) inside = std::min(inside, face.offset - dot(face.normal, own));
        if (inside > 100 * weld)
            throw InputError(
                fmt::format("{}: it is not convex: the corner ({:.6g}, {:.6g}, {:.6g}) lies inside its hull; "
                            "make it of convex parts",
                            what, x.x, x.y, x.z));
    }
    if (std::abs(cone_volumes - hull.volume()) > 1e-3 * hull.volume())
        throw InputError(what + ": it is not convex: its surface does not enclose the volume of its hull");
    return make_polyhedron(name, std::move(hull));
}

}  // namespace granary
