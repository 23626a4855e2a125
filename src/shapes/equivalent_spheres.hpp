// The iteration of equivalent spheres (ellipsoid_johnson2005.hpp): a first normal for a pair that remembers none.
#pragma once
#include "shapes/placed_ellipsoid.hpp"

namespace granary {

struct SpheresResult {
    Vec3d n;          // unit, from 1 to 2: between the outward normals n_1 and -n_2
    double skew = 0;  // |n_1 x n_2|; 2 if the normals do not oppose each other
    int iterations = 0;
};

// line: unit vector along d.
SpheresResult equivalent_spheres(const PlacedEllipsoid& one, const PlacedEllipsoid& two, const Vec3d& d,
                                 const Vec3d& line, double near_enough, int most);

}  // namespace granary
