// From a coefficient of restitution to a damping ratio.
#pragma once
#include <cmath>
#include <numbers>
#include "core/elementary.hpp"

namespace granary {

// beta = -ln e/sqrt(ln^2 e + pi^2), for 0 < e <= 1: 0 for an elastic hit, towards 1 for a dead one.
// It is the share of critical damping with which a linear contact returns e, and the number from which
// the Hertz damping of hertz_mindlin_huang2020.hpp is made. Exact if the contact may pull at its end.
inline double damping_ratio(double restitution) {
    const double l = std::abs(elementary::log(restitution));
    return l / std::sqrt(l * l + std::numbers::pi * std::numbers::pi);
}

}  // namespace granary
