// The common plane by perturbation, in two and three dimensions, beside the fast one for comparison, after
//   P. A. Cundall (1988), Formulation of a three-dimensional distinct element model, part I, Int. J. Rock Mech. Min.
//   Sci. 25(3), 107-116, as Nezami et al. (2003) describe it.
// The plane is turned about a fixed reference point, midway between the centroids, by an angle: in 2D both ways; in 3D
// both ways about two axes in the plane at right angles. The best of these replaces the plane if its gap is greater;
// else the angle is halved, until it is below the accuracy. One such trial is an iteration. The gap does not depend on
// the reference point.
//   Angles are given as t = tan(angle/2). Cundall does not print them: chosen here 10 degrees and 1e-4 rad, which make
//   as many iterations in 2D as the table of Nezami et al. has (14 to 23). The search for the nearest corners is that
//   of the fast method.
#pragma once
#include "shapes/fast_common_plane_2d.hpp"
#include "shapes/fast_common_plane_nezami2003.hpp"

namespace granary {

struct PerturbationSteps {
    double first = 0.0874886635259240;  // tan(10 degrees/2)
    double last = 0.5e-4;               // 1e-4 rad
};

// rounds: iterations; candidates: gaps computed.
CommonLine cundall_common_line(const FlatPolygon& i, const FlatPolygon& j, const Vec2d& start,
                               const PerturbationSteps& steps = {});
CommonPlane cundall_common_plane(const CornersInSpace& i, const CornersInSpace& j, const Vec3d& start,
                                 const PerturbationSteps& steps = {});

}  // namespace granary
