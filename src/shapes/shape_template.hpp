// A grain that is no ball: one rigid body, a copy of a template in any size. Its own frame has the centre of mass as
// origin and the principal axes of inertia as axes (where moments agree, the axes of the user). Lengths of a template
// are in m, those of a copy of size s are s times as large.
//   In the body table a copy has position.w = s times outer_radius (all that order, slabs, halo and broad phase see),
//   shape = number of its template + 1 (0: a ball), an orientation from its own frame to space, and its angular
//   momentum. Its size is position.w/outer_radius; its moments are mass s^2 inertia_per_mass.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>
#include "core/vec.hpp"
#include "shapes/quaternion.hpp"

namespace granary {

enum class ShapeKind : std::uint8_t { ball, ellipsoid, polyhedron, clump };

class ConvexPolyhedron;  // convex_polyhedron.hpp
class ConvexPolygon;     // convex_polygon.hpp

struct ClumpBall {
    Vec3d centre;  // in the own frame, m
    double radius = 0;
};

struct ShapeTemplate {
    std::string name;
    ShapeKind kind = ShapeKind::ball;
    double outer_radius = 0;  // m, of the sphere around the centre of mass that holds it
    double volume = 0;        // m^3; the mass for a density of 1
    Vec3d inertia_per_mass;   // m^2, principal moments divided by the mass
    Vec3d semi_axes;          // of an ellipsoid, along x, y, z of the own frame, m; in any order
    std::shared_ptr<const ConvexPolyhedron> polyhedron;  // of a polyhedron; of a polygon its prism
    std::shared_ptr<const ConvexPolygon> polygon;        // of a polyhedron that is a polygon in a plane
    double thickness = 0;                                // m, of a polygon; the same for copies of any size
    std::vector<ClumpBall> balls;                        // of a clump
    std::uint16_t material = no_material;                // no_material: that of its source
    bool turned_at_random = true;                        // copies that no one turns are
    Quaterniond as_given{1, 0, 0, 0};  // orientation of a copy that stands as the user has drawn the shape

    static constexpr std::uint16_t no_material = 65535;
};

// Where one copy is. The narrow phases work with coordinates relative to the centre of the lower body, so that they
// are the same on both sides of a slab or periodic face.
struct Placed {
    Vec3d centre;  // m
    Quaterniond orientation{1, 0, 0, 0};
    double size = 1;
};

// The area of an overlap, seen along the normal: what it needs beside its size to grip a partner
// (contact/face_contact.hpp).
struct ContactPatch {
    Vec3d middle;     // its centroid, from the contact point, across the normal, m
    Vec3d spread[2];  // across the normal, m: area (s0 s0^T + s1 s1^T) are its second moments about its centroid
    double face = 0;  // m^2, largest face of the partners, of both the smaller: a linear law is told for this area
};

// A contact of two convex bodies, or of one with a wall.
struct ConvexTouch {
    Vec3d normal;                 // unit, from the partner j to the body i
    double overlap = 0;           // m, along the normal; negative: a gap
    Vec3d point;                  // of contact, relative to the centre of i, m
    double effective_radius = 0;  // m, what the law takes as R*
    double area = 0;              // m^2, of the overlap across the normal; 0 where the shapes give none
    double stored_depth = 0;      // m; energy stored = elastic force times this; 0: as the law says for balls
    ContactPatch patch{};         // where there is an area
};

}  // namespace granary
