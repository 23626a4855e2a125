// What a kind of bond is made of: one entry of [[bonds]], in SI units. A bond is a round bar between the centres of two
// bodies, of radius R_b = radius_factor min(r_i, r_j), and length L_0, the distance of the centres when it was made.
//
//   symbol   code            meaning                                      unit
//   R_b      radius          of the bond                                  m
//   A        area            pi R_b^2                    (Huang 2020 (5))  m^2
//   J        polar_moment    pi R_b^4/2                  (Huang 2020 (6))  m^4
//   I        second_moment   pi R_b^4/4                  (Huang 2020 (7))  m^4
//   k_n, k_s E/L_0, G/L_0    stiffness per area          (Huang 2020 (1)-(4))  N/m^3
#pragma once
#include <cstdint>
#include <limits>
#include <string>

namespace granary {

enum class BondForm {
    beam,   // from total displacements and rotations (beam_bond.hpp)
    spring  // in increments, as in Huang 2020 (spring_bond_huang2020.hpp)
};

// How normal and shear stress together break a bond.
enum class BondCriterion {
    separate,  // sigma >= sigma_c or tau >= tau_c (Potyondy & Cundall 2004)
    elliptic   // (sigma/sigma_c)^2 + (tau/tau_c)^2 >= 1, where sigma counts in tension only
};

enum class BreakCause : std::uint8_t { tension, shear, bending, reach };  // reach: longer than the list of pairs holds
inline constexpr int n_break_causes = 4;

struct BondType {
    std::string name;
    BondForm form = BondForm::beam;
    double radius_factor = 1;  // R_b / min(r_i, r_j)
    // Elastic moduli; if stiffness per area is given instead (normal_stiffness > 0), E = k_n L_0 and G = k_s L_0.
    double young_modulus = 0, shear_modulus = 0;       // Pa
    double normal_stiffness = 0, shear_stiffness = 0;  // N/m^3
    // Share of critical damping of each component: c = 2 zeta sqrt(k m*), for moments 2 zeta sqrt(k I*).
    double normal_damping = 0, shear_damping = 0, twist_damping = 0, bending_damping = 0;
    // Pa; infinite: it does not break that way.
    double tensile_strength = std::numeric_limits<double>::infinity();
    double shear_strength = std::numeric_limits<double>::infinity();
    double friction = 0;      // Mohr-Coulomb: tau_c = shear_strength + friction * (pressure in the bond)
    double moment_share = 1;  // share of the moments that counts in the stresses, 0 to 1 (Potyondy & Cundall's beta)
    BondCriterion criterion = BondCriterion::separate;
    double weibull_modulus = 0;    // of the factor of strength; 0: all bonds are equally strong
    double longest_stretch = 0.1;  // a bond that is longer by this share of L_0 breaks, cause "reach"
    bool touching = false;         // bonded bodies also touch as if there were no bond
};

}  // namespace granary
