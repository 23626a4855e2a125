// What theory says about the pressure of grain on the wall of a round or rectangular silo, to be laid beside what was
// measured:
//   Janssen (1895), Zeitschrift des VDI 39, 1045-1049;
//   EN 1991-4:2006, Actions on structures: silos and tanks, sections 5.2 (slender) and 5.3 (squat, intermediate).
// Here, at the depth z below the surface of the grain (if it were level):
//   Janssen        lambda = D/(4 mu K);  p_v = rho g lambda (1 - exp(-z/lambda));  p_h = K p_v;  p_w = mu p_h
//   EN, filling    z_o = A/(K mu U) = lambda;  p_ho = rho g K z_o;  p_hf = p_ho Y;  p_wf = mu p_hf
//     slender (h_c/d_c >= 2)   Y = Y_J = 1 - exp(-z/z_o)                                                (5.1)-(5.6)
//     others                   Y = Y_R = 1 - ((z - h_o)/(z_o - h_o) + 1)^n, n = -(1 + tan phi_r)(1 - h_o/z_o),
//                              h_o = (r/3) tan phi_r, of a rectangle (d_c/4) tan phi_r; where z_o <= h_o, for which it
//                              is not meant: Y_J
//     without friction         their limits: rho g K z, and rho g K (1 + tan phi_r)(z - h_o)
//   EN, discharge  p_he = C_h p_hf, p_we = C_w p_wf;  slender: C_h = 1.15, C_w = 1.10;           (5.18), (5.19),
//   (5.21), (5.22)
//                  intermediate (1 < h_c/d_c < 2): C_h = 1 + 0.15 C_S, C_w = 1 + 0.10 C_S, C_S = h_c/d_c - 1; squat: 1
//
//   symbol    code               meaning                                                            unit
//   D, r      diameter           of the silo; r = D/2; of a rectangle the hydraulic one, 4 A/U      m
//   d_c       across             of the largest circle in a rectangle; round: D                     m
//   mu        friction           between grain and wall                                             -
//   K         lateral_ratio      horizontal over vertical pressure; EN 1991-4: 1.1 (1 - sin phi)           -
//   phi       friction_angle     of internal friction; taken for the angle of repose phi_r too      rad
//   rho       bulk_density       measured                                                           kg/m^3
//   h_c/d_c   slenderness        height of the grain over d_c                                       -
//
// Chosen here: the plain symmetrical loads with the values given, neither the upper and lower characteristic values of
// annex E nor patch loads nor partial factors. The slender case agrees with a published implementation that quotes
// these equations; the squat and the intermediate one and the rule for K are from memory of the standard: look them up
// before you build a silo with them.
#pragma once
#include <algorithm>
#include <cmath>
#include "core/elementary.hpp"

namespace granary {

struct SiloGrain {
    double diameter = 0;        // m; 4 A/U
    double across = 0;          // m; of a rectangle; 0: round
    double bulk_density = 0;    // kg/m^3
    double gravity = 0;         // m/s^2
    double friction = 0;        // grain on wall
    double lateral_ratio = 0;   // K
    double friction_angle = 0;  // rad
    double slenderness = 0;

    double characteristic() const { return across > 0 ? across : diameter; }             // m, d_c
    double janssen_length() const { return diameter / (4 * friction * lateral_ratio); }  // m
};

struct WallPressure {
    double vertical = 0, normal = 0, shear = 0;  // Pa
};

// Above the grain, z <= 0, there is none. Without friction: the pressure of a liquid, times K at the wall.
inline WallPressure janssen_1895(const SiloGrain& s, double z) {
    if (!(z > 0)) return {};
    const double mu_k = s.friction * s.lateral_ratio;
    const double length = mu_k > 0 ? s.janssen_length() : 0;
    const double depth = mu_k > 0 ? length * -elementary::expm1(-z / length) : z;
    const double vertical = s.bulk_density * s.gravity * depth;
    return {vertical, s.lateral_ratio * vertical, s.friction * s.lateral_ratio * vertical};
}

struct EnPressure {
    double fill_normal = 0, fill_shear = 0, discharge_normal = 0, discharge_shear = 0;  // Pa
};

inline EnPressure en_1991_4(const SiloGrain& s, double z) {
    const double h_o =
        s.slenderness >= 2 ? 0.0 : (s.across > 0 ? s.across / 4 : s.diameter / 6) * elementary::tan(s.friction_angle);
    if (!(z > h_o)) return {};
    const bool slender = s.slenderness >= 2, smooth = !(s.friction * s.lateral_ratio > 0);
    const double z_o = smooth ? 0 : s.janssen_length(), steep = 1 + elementary::tan(s.friction_angle);
    double depth = 0;  // z_o Y: of a liquid with the same pressure
    if (smooth) depth = slender ? z : steep * (z - h_o);
    else if (slender || z_o <= h_o) depth = z_o * -elementary::expm1(-z / z_o);
    else depth = z_o * (1 - elementary::pow((z - h_o) / (z_o - h_o) + 1, -steep * (1 - h_o / z_o)));
    const double c_s = slender ? 1.0 : std::max(0.0, s.slenderness - 1), c_h = 1 + 0.15 * c_s, c_w = 1 + 0.10 * c_s;
    const double normal = s.bulk_density * s.gravity * s.lateral_ratio * depth, shear = s.friction * normal;
    return {normal, shear, c_h * normal, c_w * shear};
}

}  // namespace granary
