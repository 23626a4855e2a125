// Contact of polyhedra with each other and with flat walls: an elastic foundation.
//
// Law: where the bodies overlap, the depth h along the normal presses with p = (E*/L) h, L = sum of the radii of the
// balls of the same volume (a flat wall has none): layers of springs, as thick as the bodies. So with V the volume
// shared
//   F = (E*/L) V along the normal, at the centroid of the volume.
// ConvexTouch says this to the laws of balls: with A the area of the overlap across the normal (length of the gradient
// of V)
//   overlap           delta = V/A           mean depth
//   effective radius  R* = (3 A/(4 L))^2/delta, so that the contact radius a = sqrt(R* delta) is 3 A/(4 L) and
//   Hertz             4/3 E* sqrt(R* delta) delta = (E*/L) V
// The stiffness of the laws, 2 E* a = 3/2 E* A/L normal and 8 G* a = 6 G* A/L tangential, is that of a block of area A
// and length about L: bounded by the areas of faces, whatever the overlap. A linear law has p = (k/A_0) h instead, A_0
// the area of the largest face (of the smaller of both), so that two such faces press with k times their depth.
//   Two faces: F grows with delta; rocking moves the centroid to the deeper side, moment (E*/L) I theta with the second
//   moment of area I, until an edge lifts. An edge on a face, or two edges: about delta^2 and delta^3 of the depth; a
//   corner: depth^3.
// Continuous: V, its centroid and its gradient are continuous functions of the pose (the gradient but where faces of
// both bodies come to lie in one plane side by side; its jump there is as small as the depth beside the size). Energy:
// stored_depth = int h dV/V, so that W = (E*/L) int h dV = F stored_depth. At a plane W is a potential: F = -dW/dz, and
// the torque is -dW/d(rotation), for any pose; F does the work of a hydrostatic force. The same where the normal is
// that of a face of one partner which the contact does not leave. Elsewhere the work over a closed path is of higher
// order in depth/size.
//
// The one memory of a pair is the normal of its plane, unit, from j to i; zero: none. Apart, it is one that separates
// the bodies; the gap along it is a lower bound of the distance, exact where the fast common plane has just found it.
// Overlapping, it is the normal of the contact. If the partners change places it changes its sign.
#pragma once
#include <array>
#include <span>
#include <vector>
#include "shapes/convex_polyhedron.hpp"
#include "shapes/fast_common_plane_nezami2003.hpp"
#include "shapes/overlap_volume.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

// i is the lower body. plane: as remembered; on return what to remember (zero for none). touch: set for a real contact;
// for a potential one its normal and overlap = -gap.
PlaneState touch_polyhedra(const ConvexPolyhedron& a, const Placed& i, const ConvexPolyhedron& b, const Placed& j,
                           double tol, Vec3d& plane, ConvexTouch& touch);

// With the half-space behind a plane through `point` with this unit normal to the side of the body. True: they overlap.
// Else touch.overlap = -distance.
bool touch_plane(const ConvexPolyhedron& a, const Placed& i, const Vec3d& point, const Vec3d& normal,
                 ConvexTouch& touch);

// The overlap with what lies beneath flat convex polygons of one plane (half-space, triangles of a mesh, a rectangle),
// added up before a touch is made of it: a floor of 2 and one of 200 triangles then are the same.
class FlatContact {
  public:
    // The plane through point with this unit normal, to the side of the body. touching() is false where no corner is
    // beyond it.
    FlatContact(const ConvexPolyhedron& a, const Placed& i, const Vec3d& point, const Vec3d& normal);
    bool touching() const { return lowest_ < level_; }
    double gap() const { return lowest_ - level_; }  // m, of the body from the plane
    void add_half_space();
    // A polygon by its corners in space, any way round; returns the volume beneath it. cells: as overlap_with_polygon,
    // in coordinates of flat().
    double add(std::span<const Vec3d> polygon, std::vector<Vec3d>* cells = nullptr);
    Vec3d flat(const Vec3d& x) const;  // a point of the plane: coordinates in it
    void scale(double factor);         // of all that was added
    // False: nothing overlaps.
    bool touch(ConvexTouch& result) const;

  private:
    ProjectionAxes axes_;
    Vec3d centre_;
    ProjectedBody body_;
    double length_, face_, level_, lowest_;
    std::array<double, ConvexPolyhedron::most_corners> heights_;
    OverlapSums sums_;
};

// The touch that sums make, without its patch. length: L. Wants sums.volume > 0.
ConvexTouch touch_of(const OverlapSums& sums, const ProjectionAxes& axes, double length);
// Its patch. reach: no patch is larger, m.
ContactPatch patch_of(const OverlapSums& sums, const ProjectionAxes& axes, const ConvexTouch& touch, double reach);

}  // namespace granary
