// How fast a silo empties, before it is run:
//   Beverloo, Leniger & van de Velde (1961), Chem. Eng. Sci. 15, 260-269:  W = C rho_b sqrt(g) (D - k d)^(5/2)
//   symbol   code           meaning                                               unit
//   W        (result)       mass flow through a round hole                        kg/s
//   C, k     beverloo_c/k   0.58 and 1.4, fitted to grains in flat-bottomed bins  -
//   rho_b    bulk_density   of the grain at rest                                  kg/m^3
//   D        Opening        diameter of the hole                                  m
//   d        grain          diameter of a grain                                   m
// Other openings: the same with their hydraulic diameter, W = (4/pi) C rho_b sqrt(g) A' sqrt(4 A'/U'), area A' and
// circumference U' without a rim of k d/2. That is the law above for a circle; for a long slot of width b it is 1.04
// rho_b sqrt(g) l' b'^(3/2), where Nedderman (1992), Statics and Kinematics of Granular Materials, has 1.03. An
// estimate: steep hoppers flow faster (by a quarter at 30 degrees from the vertical), holes of less than some five
// grains slower, or not at all.
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>

namespace granary {

inline constexpr double beverloo_c = 0.58, beverloo_k = 1.4;

// A hole that grain flows through; a circle has a length of 0.
struct Opening {
    double width = 0, length = 0;  // m; circle: the diameter
    bool round() const { return !(length > 0); }
};

// 0: narrower than k d.
inline double beverloo_1961(const Opening& hole, double grain, double bulk_density, double gravity) {
    const double rim = beverloo_k * grain, a = hole.width - rim, b = hole.round() ? a : hole.length - rim;
    if (!(a > 0 && b > 0)) return 0;
    const double area = (hole.round() ? std::numbers::pi / 4 : 1.0) * a * b;
    const double around = hole.round() ? std::numbers::pi * a : 2 * (a + b);
    return 4 / std::numbers::pi * beverloo_c * bulk_density * std::sqrt(gravity) * area * std::sqrt(4 * area / around);
}

}  // namespace granary
