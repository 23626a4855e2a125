// A convex polyhedron as the template of grains: hull of given points, mass properties, corners and faces laid out for
// the narrow phases. In its own frame: centre of mass at the origin, principal axes of inertia as axes, each next to
// the axis of the user that it is nearest to; where moments agree (to 1e-9), the axes of the user.
//   Corners and faces are numbered as in convex_hull.hpp, in the frame of the user: the order of the points that were
//   given does not matter.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "core/vec.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

class ConvexPolyhedron {
  public:
    static constexpr std::size_t most_corners = 1024, most_faces = 1024, most_corners_of_a_face = 30;

    struct Face {
        Vec3d normal;                      // unit, outward
        double offset = 0;                 // m, normal . x of its points
        std::uint32_t begin = 0, end = 0;  // in face_corners()
    };
    struct Edge {
        std::uint32_t from = 0, to = 0;     // corners, from < to
        std::uint32_t left = 0, right = 0;  // faces: left goes round it from -> to
    };

    enum class Frame { principal, as_given };  // the latter: the axes of the user, with the diagonal of the inertia

    // Hull of these points, m. Throws InputError, with the name, as convex_hull does.
    ConvexPolyhedron(const std::string& name, std::span<const Vec3d> points, double relative_tolerance = 1e-10,
                     Frame frame = Frame::principal);

    // All that its making has found, bit for bit; the rest follows. So it can be kept in a file.
    struct Finished {
        std::vector<Vec3d> corners;
        std::vector<std::vector<std::uint32_t>> faces;  // corners, counter-clockwise seen from outside
        double volume = 0, equivalent_radius = 0;
        Vec3d inertia_per_mass, user_centroid;
        std::array<Vec3d, 3> user_axes{};
    };
    Finished finished() const;
    // Throws InputError, with the name, unless it is closed and convex: the file may be damaged.
    ConvexPolyhedron(const std::string& name, const Finished& from);

    std::span<const Vec3d> corners() const { return corners_; }
    std::span<const Face> faces() const { return faces_; }
    std::span<const Edge> edges() const { return edges_; }
    // Of a face, counter-clockwise seen from outside.
    std::span<const std::uint32_t> corners_of(std::size_t face) const {
        return {face_corners_.data() + faces_[face].begin, face_corners_.data() + faces_[face].end};
    }
    // Of a corner: neighbours along edges, counter-clockwise seen from outside, the lowest first; and faces, ascending.
    std::span<const std::uint32_t> neighbours_of(std::size_t corner) const {
        return {neighbours_.data() + neighbour_begin_[corner], neighbours_.data() + neighbour_begin_[corner + 1]};
    }
    std::span<const std::uint32_t> faces_of(std::size_t corner) const {
        return {corner_faces_.data() + neighbour_begin_[corner], corner_faces_.data() + neighbour_begin_[corner + 1]};
    }
    // Coordinates side by side, each of padded() numbers; behind the last corner the first is repeated.
    const double* x() const { return side_by_side_.data(); }
    const double* y() const { return x() + padded_; }
    const double* z() const { return y() + padded_; }
    std::size_t padded() const { return padded_; }  // a multiple of 8

    double volume() const { return volume_; }                            // m^3
    double outer_radius() const { return outer_radius_; }                // m, about the centre of mass
    double inner_radius() const { return inner_radius_; }                // m, least distance of a face from it
    double largest_face() const { return largest_face_; }                // m^2
    double equivalent_radius() const { return equivalent_radius_; }      // m, of the ball of the same volume
    const Vec3d& inertia_per_mass() const { return inertia_per_mass_; }  // m^2

    // The own frame in that of the user: X_user = centroid + x e_x + y e_y + z e_z.
    const Vec3d& user_centroid() const { return user_centroid_; }
    const std::array<Vec3d, 3>& user_axes() const { return user_axes_; }

    // Corner with the greatest (direction . x), by hill climbing from another; of equal ones the last that was reached.
    std::uint32_t support(const Vec3d& direction, std::uint32_t start = 0) const;
    // Where to begin: the corner that reaches farthest along the middle of the part of all directions that this one is
    // in. 48 parts, by the signs of its components and the order of their sizes.
    std::uint32_t start_of(const Vec3d& direction) const { return starts_[part_of(direction)]; }

  private:
    void take_faces(const std::string& what, const std::vector<std::vector<std::uint32_t>>& faces);
    void find_mass_properties(Frame frame);
    void lay_out();

    std::vector<Vec3d> corners_;
    std::vector<Face> faces_;
    std::vector<Edge> edges_;
    std::vector<std::uint32_t> face_corners_, neighbours_, neighbour_begin_, corner_faces_;
    std::vector<double> side_by_side_;
    static std::size_t part_of(const Vec3d& d) {
        const double x = d.x < 0 ? -d.x : d.x, y = d.y < 0 ? -d.y : d.y, z = d.z < 0 ? -d.z : d.z;
        return std::size_t{d.x < 0} + 2 * std::size_t{d.y < 0} + 4 * std::size_t{d.z < 0} +
               8 * (std::size_t{x < y} + 2 * std::size_t{y < z} + 4 * std::size_t{z < x});
    }
    std::array<std::uint32_t, 64> starts_{};  // of sizes 0 and 7 equal ones only
    std::size_t padded_ = 0;
    double volume_ = 0, outer_radius_ = 0, inner_radius_ = 0, equivalent_radius_ = 0, largest_face_ = 0;
    Vec3d inertia_per_mass_, user_centroid_;
    std::array<Vec3d, 3> user_axes_{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};
};

// The template of a polyhedron given by its corners, m.
ShapeTemplate make_polyhedron(const std::string& name, std::span<const Vec3d> corners);

// And by the triangles of a closed surface, three corners each, any way round. Throws InputError also where the surface
// is open (an edge of one triangle) or not convex (its volume is not that of its hull, or a corner lies inside it).
ShapeTemplate make_polyhedron_from_triangles(const std::string& name, std::span<const std::array<Vec3d, 3>> triangles);

// The template of a polyhedron that exists.
ShapeTemplate make_polyhedron(const std::string& name, ConvexPolyhedron polyhedron);

}  // namespace granary
