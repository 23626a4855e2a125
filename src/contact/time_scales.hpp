// How quick the contacts of a case are, and which time step that allows.
//
// Time scales, to set the step beside (all for the smallest balls of a material, which are the quickest):
//   Rayleigh   of a material of balls: time a surface wave takes over half a ball (rayleigh_time); only where the law
//              knows elastic moduli.
//   contact    of a pair of materials: how long an elastic hit at the highest speed expected lasts, as the law says
//   (HitScale). Damping makes
//              a hit longer, but not a stable step, so it is left out.
//   stable     of a pair with friction: the largest step at which the leapfrog keeps its tangential and rolling swings
//   from growing. Two balls
//              that stick swing with B = k_t (1/m* + r_i^2/I_i + r_j^2/I_j) + k_r (1/I_i + 1/I_j), damped by A, the
//              same of c_t and c_r; for solid balls the first bracket is 7/2 1/m*. With dampers that see the velocity
//              of half a step before, the leapfrog is stable while B dt^2 + 2 A dt < 4. Springs and dampers as the law
//              has them at the deepest overlap, for as many contacts at once as it says.
#pragma once
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "contact/materials.hpp"

namespace granary {

struct MaterialUse {
    std::optional<double> smallest_radius;  // m, of the balls made of it; none: no balls
    bool of_walls = false;
};

struct MaterialScale {
    std::string material;
    double smallest_radius = 0;  // m
    double rayleigh_time = 0;    // s
};

// A pair of materials that may meet, with the smallest balls of each. Where balls of the one meet balls and walls of
// the other, the row is of two balls: they are lighter and quicker.
struct PairScale : HitScale {
    std::string first, second;
    bool at_wall = false;                                          // a ball and a wall
    double effective_mass = 0, effective_radius = 0;               // m*, R*: kg, m
    PairValues values;                                             // E*, G*, restitution, friction, ...
    double overlap_share = 0;                                      // of a hit with damping, over the smaller radius
    double stable_step = std::numeric_limits<double>::infinity();  // s; infinite where nothing swings sideways
};

// One entry for every material that balls are made of; none if the law has no elastic moduli.
std::vector<MaterialScale> material_scales(std::span<const Material> materials, std::span<const MaterialUse> uses,
                                           const LawSettings& law);

// One entry for every unordered pair that may meet. speed: the highest at which two partners meet, m/s, > 0.
// Throws InputError as resolve_pairs.
std::vector<PairScale> pair_scales(std::span<const Material> materials, std::span<const PairOverride> overrides,
                                   const LawSettings& law, std::span<const MaterialUse> uses, double speed);

// Shares of the time scales that a step may have. Beyond the first two it is refused unless the case allows it.
inline constexpr double largest_rayleigh_share = 0.4, largest_contact_share = 1.0 / 8, largest_stable_share = 2.0 / 3;
inline constexpr double careful_rayleigh_share = 0.2;  // beyond it a warning
// What dt = "auto" takes at most, beside the share of the Rayleigh time that the case asks for.
inline constexpr double chosen_contact_share = 0.1, chosen_stable_share = 0.6;

// The largest step at which the leapfrog is stable for x'' + damping x' + omega_squared x = 0, s; infinite for two
// zeros.
double stable_step(double omega_squared, double damping);

// The largest step that no limit refuses, s; infinite without balls.
double largest_dt(std::span<const MaterialScale> materials, std::span<const PairScale> pairs);

}  // namespace granary
