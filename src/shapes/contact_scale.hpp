// How quick the contacts of a shape are, for the choice of a time step: the radius of the ball that is as quick.
//   A force at a point r of the surface along a unit vector d meets the mass m/(1 + x), x = m (r x d) I^-1 (r x d); for
//   a ball x is 0 along the normal n and 5/2 along a tangent. The lightest point of the surface sets against a hit the
//   mass of a ball of radius r_m. A Hertz contact lasts like m^(2/5) R^(-1/5), so a ball of radius
//   r = r_m^(6/5) R^(-1/5) is as quick, R the largest radius of curvature that the law may take. No more than the
//   smallest length of the shape, which a surface wave crosses first. Of a ball it is its radius.
#pragma once
#include "shapes/shape_template.hpp"

namespace granary {

// Smallest semi-axis; radius of the smallest ball of a clump; distance of the nearest face from the centre, m.
double smallest_length(const ShapeTemplate& shape);

// Largest radius of curvature that contacts take: of an ellipsoid 1/sqrt(Gaussian curvature) at the end of its shortest
// axis; of a polyhedron the radius of the ball of equal volume; of a clump its largest ball, m.
double largest_curvature_radius(const ShapeTemplate& shape);

// Least of m_eff/m over points of the surface: 1/(1 + x) along the normal, 7/2 of it along tangents. 1 of a ball.
double least_mass_share(const ShapeTemplate& shape);

// The radius of that ball, m, of a copy of size 1.
double stand_in_radius(const ShapeTemplate& shape);

// The radius of the ball of equal volume, of a polygon of the disc of equal area, m.
double equivalent_radius(const ShapeTemplate& shape);

}  // namespace granary
