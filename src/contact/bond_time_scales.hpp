// Which time step bonds allow: the largest at which the leapfrog keeps all swings of bonded bodies from growing.
//
// One bond of two equal bodies (mass m, inertia I) at the distance L_0 has four swings,
//   stretch  k_n 2/m      shear  k_s (2/m + L_0^2/(2 I))      twist  k_t 2/I      bending  k_b 2/I        (omega^2)
// If no body has more than n bonds, no swing of the whole has an omega^2 larger than n times the largest of these: each
// bond gets 1/n of the mass of its bodies, and the whole cannot swing quicker than its quickest part (Irons & Treharne
// 1971; the element eigenvalue theorem). Lighter bodies are quicker, so the smallest ones are taken. Exact for a pair
// (n = 1) and, for stretch, in a long chain (n = 2); shear in a chain is a fifth, a cubic lattice (n = 6) up to sqrt(3)
// on the safe side.
// Dampers: omega^2 dt^2 + 2 A dt < 4, A = the same sums with c for k (time_scales.hpp).
#pragma once
#include "contact/bond_type.hpp"

namespace granary {

struct BondedBody {
    double radius;   // m, the smaller of the two
    double mass;     // kg
    double inertia;  // kg m^2
};

struct BondScale {
    double stretch = 0, shear = 0, twist = 0, bending = 0;  // s, the largest stable step of each swing
    double stable_step() const;
};

// length: L_0, the shortest bond of the type, m. bonds: the most that a body has, at least 1.
BondScale bond_scale(const BondType& type, const BondedBody& smallest, double length, double bonds);

}  // namespace granary
