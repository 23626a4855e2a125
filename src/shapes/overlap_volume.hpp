// The volume that two convex polyhedra share, or one shares with what lies beneath a flat polygon, with what a contact
// law needs of it: first moments, the integral of the depth, and the gradient of the volume. Exact, for any direction
// n.
//
// Both surfaces are seen along n as sheets over a plane (x, y at right angles to n, z along n). Body i has lower and
// upper sheets b_i, t_i, body j b_j and t_j. The length that they share on a line along n is, with p(h) = max(h, 0),
//   p(t_j - b_i) - p(t_j - t_i) - p(b_j - b_i) + p(b_j - t_i)
// so that the volume is a sum over pairs of faces f of i, g of j, over the CELL where their projections overlap and g
// is above f:
//   V = sum s_f s_g int (z_g - z_f) dA,   s_f = 1 for lower faces of i, s_g = 1 for upper faces of j, else -1.
// On a cell h = z_g - z_f is linear, so its integrals are sums over the triangles of a fan. A cell that is lost or
// counted by rounding has no area: no case is special. Faces along n (|n . n_f| < 1e-5) have no projection and are left
// out.
//   symbol   code        meaning                                                                         unit
//   V        volume      shared                                                                          m^3
//   M        moment      int x dV, from the centre of i; axes x, y, n                                     m^4
//   U        depth_sum   sum s s int h^2/2 dA: for a flat partner the integral of the depth over V        m^4
//   N        push        - dV/d(centre of i) = vector area of the surface of j inside i: the way in which i has to move
//   to
//                        shed volume fastest, and by how much                                            m^2
// N of a cell: s (area) along n; across n, -s (area dz_f/dx + int h dy) with the second over those sides of the cell
// that are sides of f. Over sides that two faces of i share it cancels; what is left is the share of faces along n.
//
// For the common contacts N is along the common plane's normal: a corner or a face in a face (normal of the face), two
// edges crossed (their cross product). Between them it turns continuously.
#pragma once
#include <span>
#include <vector>
#include "core/vec.hpp"
#include "shapes/convex_polyhedron.hpp"

namespace granary {

//
// The patch: the area seen along n, a sum over cells with the signs of V, with its first and second moments. It is the
// only part that depends on the direction n (by the cosine between n and N); bodies in contact keep N from the last
// step, so that this is 1 but for the turn of a step.
//   symbol   code          meaning                                                    unit
//   A x, A y area_moment   int x dA, int y dA, from the centre of i                   m^3
//   I        area_squares  int x^2 dA, int x y dA, int y^2 dA                         m^4

// Axes of the projection: unit, right-handed, n given.
struct ProjectionAxes {
    Vec3d x, y, n;
};
ProjectionAxes axes_along(const Vec3d& n);

// A copy of a polyhedron seen along n: coordinates of a corner c are origin + (dot(x, c), dot(y, c), dot(n, c)).
struct ProjectedBody {
    const ConvexPolyhedron* body = nullptr;
    Vec3d x, y, n;  // axes in the frame of the body, times its size
    Vec3d origin;   // of its centre, along the axes
};
// Its centre relative to the origin of the projection.
ProjectedBody project(const ConvexPolyhedron& body, const Placed& at, const Vec3d& centre, const ProjectionAxes& axes);

// Heights of all corners along n, padded; returns the least. `most`: the greatest instead.
double lowest(const ProjectedBody& body, double* heights);
double highest(const ProjectedBody& body, double* heights);

struct OverlapSums {
    double volume = 0;
    Vec3d moment;
    double depth_sum = 0;
    Vec3d push;
    double area_moment[2] = {}, area_squares[3] = {};

    OverlapSums& operator+=(const OverlapSums& b) {
        volume += b.volume, moment += b.moment, depth_sum += b.depth_sum, push += b.push;
        for (int k = 0; k < 2; ++k) area_moment[k] += b.area_moment[k];
        for (int k = 0; k < 3; ++k) area_squares[k] += b.area_squares[k];
        return *this;
    }
    void scale(double factor) {
        volume *= factor, moment *= factor, depth_sum *= factor, push *= factor;
        for (double& m : area_moment) m *= factor;
        for (double& m : area_squares) m *= factor;
    }
};

// Heights as given by lowest(i) and highest(j).
OverlapSums overlap_of(const ProjectedBody& i, const double* heights_i, double lowest_i, const ProjectedBody& j,
                       const double* heights_j, double highest_j);

// The part of i beneath z = level. push is along n.
OverlapSums overlap_with_plane(const ProjectedBody& i, const double* heights_i, double level);

// The part of i beneath a convex polygon in the plane z = level, given counter-clockwise along the axes (x, y; z is not
// read). push is along n: the area. Polygons of one plane that do not overlap may be added. If asked for, the corners
// of the cells are appended to `cells` as x, y, h.
OverlapSums overlap_with_polygon(const ProjectedBody& i, const double* heights_i, double level,
                                 std::span<const Vec3d> corners, std::vector<Vec3d>* cells = nullptr);

}  // namespace granary
