// What balls and walls are made of, and how the numbers of two materials become those of a pair.
//
//   quantity          used by                  of a pair
//   young, poisson    hertz_mindlin            E*, G* as in hertz_mindlin_huang2020.hpp
//   restitution       hertz_mindlin, linear    mixing key, default geometric
//   friction          hertz_mindlin, linear    mixing key, default geometric (a smooth partner makes a smooth pair)
//   stiffness         linear, kelvin_voigt     mixing key, default series
//   stiffness_ratio   linear                   always the mean; 2/7 where not given
//   damping           kelvin_voigt             mixing key, default series
//   cohesion          kelvin_voigt             mixing key, default min; 0 (none) where not given
//   rolling_friction  rolling friction         mixing key, default geometric
//   rolling_damping   rolling springs          always the mean; 0.3 where not given
//   cohesion_density  hertz_mindlin with sjkr  mixing key of cohesion, default min
//
// Mixing keys, for values a and b of the two materials:
//   series      a b/(a + b): two springs or dampers in a row. Two equal ones give half of it! An infinite one
//               leaves the other. (Two Kelvin-Voigt bodies in a row are one again only if c/k is the same.)
//   mean        (a + b)/2
//   geometric   sqrt(a b)
//   min         the smaller one
// All but series leave the value of two equal materials as it is; series is not for restitution and friction.
//
// An override names two materials (or one twice) and gives the numbers of that pair directly, unmixed.
// Numbers that the chosen law does not use are allowed and without effect, here and in overrides.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "contact/laws.hpp"

namespace granary {

double mix(Mixing mixing, double a, double b);

struct Material {
    std::string name;
    double density = 0;                        // kg/m^3, > 0; of no use for walls
    double young = 0;                          // E, Pa, > 0; infinity: rigid, for walls only
    double poisson = 0;                        // nu, -1 < nu <= 0.5
    std::optional<double> restitution;         // e, 0 < e <= 1
    std::optional<double> friction;            // mu, >= 0
    std::optional<double> stiffness;           // k or k_n, N/m, > 0; infinity: rigid, for walls only
    std::optional<double> stiffness_ratio;     // k_t/k_n, >= 0
    std::optional<double> damping;             // c, N s/m, >= 0; infinity: rigid, for walls only
    std::optional<double> cohesion;            // N_max, N, >= 0
    std::optional<double> rolling_friction{};  // mu_r, >= 0
    std::optional<double> rolling_damping{};   // eta_r, >= 0
    std::optional<double> cohesion_density{};  // k, J/m^3, >= 0
    bool wall_only = false;                    // no moving ball is made of it: two such materials never meet
};

struct PairOverride {
    std::string first, second;  // names of materials, in any order
    std::optional<double> restitution, friction, stiffness, stiffness_ratio, damping, cohesion;
    std::optional<double> rolling_friction{}, rolling_damping{}, cohesion_density{};
};

inline constexpr double default_rolling_damping = 0.3;        // as in the examples of Ai et al. (2011)
inline constexpr double default_stiffness_ratio = 2.0 / 7.0;  // equal normal and tangential contact times of balls

// One entry for every ordered pair (first material slowest), symmetric. Throws InputError with all that is wrong:
// values out of range, missing or infinite where the law needs them, names unknown or given twice.
std::vector<PairValues> resolve_pairs(std::span<const Material> materials, std::span<const PairOverride> overrides,
                                      const LawSettings& settings);

double shear_modulus(const Material& m);                       // G = E/(2 (1 + nu)), Pa
double effective_young(const Material& a, const Material& b);  // E*, Pa
double effective_shear(const Material& a, const Material& b);  // G*, Pa

// Time a Rayleigh wave takes over half a ball of radius r, s, Huang (31); usual steps are 10-30 % of it. Infinite
// moduli give zero.
double rayleigh_time(const Material& m, double r);

}  // namespace granary
