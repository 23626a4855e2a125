// A convex polygon as the template of grains that move in a plane (dimension = 2): hull of given points, area, polar
// moment, corners and edges for the narrow phase.
//   Coordinates in the plane: with its normal along axis n, u is the axis behind n in the circle x, y, z and v the next
// one, so that u, v and the normal make a right-handed set whichever axis the normal is. Rotations are about the
// normal, from u to v. Own frame: the axes of the user, the centroid at the origin.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "core/vec.hpp"
#include "shapes/fast_common_plane_2d.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

inline Vec2d in_plane(const Vec3d& x, int normal) { return {at(x, (normal + 1) % 3), at(x, (normal + 2) % 3)}; }
inline Vec3d in_space(const Vec2d& x, int normal) {
    Vec3d to;
    at(to, (normal + 1) % 3) = x.x, at(to, (normal + 2) % 3) = x.y;
    return to;
}

class ConvexPolygon {
  public:
    static constexpr std::size_t most_corners = 30;  // its prism has faces with as many

    struct Edge {
        Vec2d normal;       // unit, outward; the edge goes from corner k to k + 1
        double offset = 0;  // m, normal . x of its points
    };

    // Hull of these points, m, in any order. normal: axis of the plane. Throws InputError with the name: fewer than
    // three corners or too many, no area, a point inside the hull of the others.
    ConvexPolygon(const std::string& name, std::span<const Vec2d> points, int normal);

    // All that its making has found, bit for bit, as for a polyhedron; the edges follow.
    struct Finished {
        std::vector<Vec2d> corners;
        double area = 0, polar_per_mass = 0, outer_radius = 0, equivalent_radius = 0;
    };
    Finished finished() const { return {corners_, area_, polar_per_mass_, outer_radius_, equivalent_radius_}; }
    ConvexPolygon(const std::string& name, const Finished& from, int normal);

    int normal() const { return normal_; }
    std::span<const Vec2d> corners() const { return corners_; }  // counter-clockwise, the least u first
    std::span<const Edge> edges() const { return edges_; }
    double area() const { return area_; }                            // m^2
    double longest_edge() const { return longest_edge_; }            // m
    double polar_per_mass() const { return polar_per_mass_; }        // m^2, moment about the normal over the mass
    double outer_radius() const { return outer_radius_; }            // m, about the centroid
    double equivalent_radius() const { return equivalent_radius_; }  // m, of the disc of the same area
    // The prism that stands for it at walls and in pictures is as thick as the disc of the same area is wide.
    double prism_height() const { return 2 * equivalent_radius_; }

  private:
    void lay_out_edges();

    int normal_;
    std::vector<Vec2d> corners_;
    std::vector<Edge> edges_;
    double area_ = 0, polar_per_mass_ = 0, outer_radius_ = 0, equivalent_radius_ = 0, longest_edge_ = 0;
};

// The template of a polygon; its thickness is 1 m until somebody says what it is (set_thickness).
ShapeTemplate make_polygon(const std::string& name, std::span<const Vec2d> corners, int normal);

// The volume follows.
void set_thickness(ShapeTemplate& polygon, double thickness);

}  // namespace granary
