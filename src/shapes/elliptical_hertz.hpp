// Hertz contact with an elliptical contact area, exactly:
//   K. L. Johnson (1985), Contact Mechanics, Cambridge University Press, sections 4.1 and 4.2.
//
//   symbol    code     meaning                                                                unit
//   R', R''   -        principal relative radii of curvature, R' >= R''                       m
//   R_e       -        sqrt(R' R'')                                                           m
//   e         e2 = e^2 eccentricity of the contact ellipse, e^2 = 1 - b^2/a^2                 -
//   K, E      -        complete elliptic integrals of e                                       -
//   k'        b_a      b/a                                                                    -
//   F_2       -        delta = (9 F^2/(16 E*^2 R_e))^(1/3) F_2(R'/R''), 1 for R' = R''        -
//
// Two ellipsoids touch with curvatures that add up as matrices in the tangent plane: 1/R' and 1/R'' are the eigenvalues
// of H_1^-1 + H_2^-1, where H_k = (A_k - v v^T)/h is the matrix of radii of curvature of body k (common_normal.hpp).
// With F = 4/3 E* sqrt(R*) delta^(3/2), which all laws use, the exact force has R* = R_e/F_2^3: an effective radius, so
// no law needs to know. The factor F_2^-3 is kept in one table over sqrt(R''/R'), made with AGMs; 1/F_2^3 is 1 for
// circles, 1.11 at R'/R'' = 5 and grows without bound, slowly. The plain choice R_1 R_2/(R_1 + R_2) with
// R = 1/sqrt(Gaussian curvature) is what is used unless asked for this.
//   From (4.26) with k'^2 = 1 - e^2 and S = (K - E)/K = sum 2^(n-1) c_n^2 of the AGM, which does not cancel:
//     R'/R'' = (e^2 - S)/(k'^2 S),   F_2^-3 = pi^2 sqrt(S (e^2 - S))/(2 K^2 e^2 k').
#pragma once
#include "shapes/placed_ellipsoid.hpp"

namespace granary {

// 1/F_2^3 for s = sqrt(R''/R') in (0, 1].
double elliptical_factor(double s);
// The same without the table.
double elliptical_factor_exact(double s);

// The effective radius R_e/F_2^3 of two ellipsoids that touch with the unit normal n.
double hertz_radius(const PlacedEllipsoid& i, const PlacedEllipsoid& j, const Vec3d& n);
// Of an ellipsoid and a ball; radius 0: and a plane.
double hertz_radius(const PlacedEllipsoid& i, double ball_radius, const Vec3d& n);

}  // namespace granary
