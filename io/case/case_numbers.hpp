// What a case will need, worked out before anything runs: time scales of its contacts, memory, disk, steps, core-hours,
// ranks. Plain numbers in, plain numbers out; the words around them are in case_check_report.hpp.
//
// Time scales, to set the step beside (all for the smallest balls of a material, which are the quickest):
//   Rayleigh   of a material of balls: time a surface wave takes over half a ball (rayleigh_time); only where the law
//              knows elastic moduli (hertz_mindlin).
//   contact    of a pair of materials: how long an elastic hit lasts. hertz_mindlin: hertz_time at the highest speed
//              expected. Linear laws: pi sqrt(m*/k) at any speed; damping makes a hit longer, but not a stable step, so
//              it is left out. An overdamped pair (zeta >= 1, kelvin_voigt) has no hit; its time is shortened by
//              zeta + sqrt(zeta^2 - 1), which is continuous at zeta = 1 and follows its quickest motion.
//   stable     of a pair with friction: the largest step at which the leapfrog keeps its tangential and rolling swings from growing. Two balls
//              that stick swing with B = k_t (1/m* + r_i^2/I_i + r_j^2/I_j) + k_r (1/I_i + 1/I_j), damped by A, the same of c_t and c_r; for
//              solid balls the first bracket is 7/2 1/m*. With dampers that see the velocity of half a step before, the leapfrog is stable while
//              B dt^2 + 2 A dt < 4. Springs and dampers as the law has them at the deepest overlap (hertz_mindlin).
//              Linear springs are as stiff in a bed at rest as in the hardest hit, so there a ball has several of them at once: with n contacts
//              all balls turning the same way give 10/21 n times A and B of a pair. Taken is 3, some six contacts.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "contact/materials.hpp"
#include "core/domain.hpp"
#include "core/vec.hpp"

namespace granary {

// ---- Time scales ---------------------------------------------------------------------------------------------------

struct MaterialUse {
    std::optional<double> smallest_radius;  // m, of the balls made of it; none: no balls
    bool of_walls = false;
};

struct MaterialScale {
    std::string material;
    double smallest_radius = 0;  // m
    double rayleigh_time = 0;    // s
};

// A pair of materials that may meet, with the smallest balls of each. Where balls of the one meet balls and walls of the
// other, the row is of two balls: they are lighter and quicker.
struct PairScale {
    std::string first, second;
    bool at_wall = false;                             // a ball and a wall
    double effective_mass = 0, effective_radius = 0;  // m*, R*: kg, m
    PairValues values;                                // E*, G*, restitution, friction, ...
    double zeta = 0;                                  // share of critical damping
    double overlap = 0;                               // deepest of an elastic hit at the highest speed, m
    double overlap_share = 0;                         // the same with damping, over the smaller radius
    double stiffness = 0;                             // k: dF/d(overlap) there, N/m; that of the law if it is linear
    double damping = 0;                               // c: dF/d(speed) there, N s/m
    double contact_time = 0;                          // s
    double stable_step = std::numeric_limits<double>::infinity();  // s; infinite where nothing swings sideways
};

// One entry for every material that balls are made of; none if the law has no elastic moduli.
std::vector<MaterialScale> material_scales(std::span<const Material> materials, std::span<const MaterialUse> uses,
                                           const LawSettings& law);

// One entry for every unordered pair that may meet. speed: the highest at which two partners meet, m/s, > 0.
// Throws InputError as resolve_pairs.
std::vector<PairScale> pair_scales(std::span<const Material> materials, std::span<const PairOverride> overrides,
                                   const LawSettings& law, std::span<const MaterialUse> uses, double speed);

// Deepest overlap of an elastic Hertz hit, m: (15 m* v^2/(16 E* sqrt(R*)))^(2/5), from 8/15 E* sqrt(R*) delta^(5/2)
// = m* v^2/2.
double hertz_overlap(double effective_mass, double effective_radius, double effective_young, double v);

// Speed after a free fall through a height, m/s; at least the speed given (of balls at their start).
double highest_speed(double height, double gravity, double start_speed);

// Shares of the time scales that a step may have. Beyond the first two it is refused unless the case allows it.
inline constexpr double largest_rayleigh_share = 0.4, largest_contact_share = 1.0 / 8, largest_stable_share = 2.0 / 3;
inline constexpr double careful_rayleigh_share = 0.2;  // beyond it a warning
// What dt = "auto" takes at most, beside the share of the Rayleigh time that the case asks for.
inline constexpr double chosen_contact_share = 0.1, chosen_stable_share = 0.6;

// The largest step at which the leapfrog is stable for x'' + damping x' + omega_squared x = 0, s; infinite for two zeros.
double stable_step(double omega_squared, double damping);

// The largest step that no limit refuses, s; infinite without balls.
double largest_dt(std::span<const MaterialScale> materials, std::span<const PairScale> pairs);

// ---- What a run takes ----------------------------------------------------------------------------------------------

// Memory of a dense packing with tangential springs (hertz_mindlin, linear): bodies, neighbour list, springs. The peak is
// reached while a list is rebuilt or a state is written. Loose balls and kelvin_voigt take less. Detectors other than mr keep
// lists of their own, so many bytes a ball more. Not counted: the program and MPI, some 50-100 MB a rank, and the copies of two
// layers of cubes a rank.
inline constexpr double steady_bytes_a_ball = 350, peak_bytes_a_ball = 455;
inline constexpr double bytes_a_wall_ball = 150;  // the list of the case, the sorted one, and candidates

struct Memory {
    double steady = 0, peak = 0;  // bytes, all ranks together
};
// Wall balls: of one rank, all ranks hold them.
Memory memory_of(std::uint64_t balls, double detector_bytes_a_ball = 0, std::uint64_t wall_balls = 0);
double memory_of_machine();  // bytes; 0 if not known

// A state file: the saved fields of the field table, and 40 bytes for each contact that holds a spring.
double state_bytes(std::uint64_t balls, double springs_a_ball);
inline constexpr double springs_of_dense_packing = 3;  // a ball has six partners, a spring belongs to two

struct StagePlan {
    std::string name;
    double time = 0, dt = 0;                       // s; time: at most, 0 = no limit
    std::uint64_t balls_begin = 0, balls_end = 0;  // taken to change evenly from one to the other
    bool may_end_early = false;                    // time is then the longest
    double expected = 0;                           // s, an estimate of how long it takes; 0: none is known

    double length() const { return expected > 0 ? expected : time; }  // s, as far as it is known; 0: it is not
    std::uint64_t steps() const;                                      // of that length
    double ball_steps() const;
};

// ball-steps a second that one core does.
double core_hours(double ball_steps, double speed);

// Wall time of a run on so many cores, s. Pairs across the border of two ranks are worked out by both: of L layers a rank
// has, one more is done at its borders.
double wall_seconds(double ball_steps, double speed, int ranks, int filled_layers);

// Ranks own whole layers of cubes; with less than two a rank, more is copied than moved. At least 1.
int most_ranks(int filled_layers);

}  // namespace granary
