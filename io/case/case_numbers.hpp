// What a case will need, worked out before anything runs: memory, disk, steps, core-hours, ranks. (Time scales of its
// contacts: contact/time_scales.hpp.) Plain numbers in, plain numbers out; the words around them are in
// case_check_report.hpp.
#pragma once
#include <cstdint>
#include <string>

namespace granary {

// Speed after a free fall through a height, m/s; at least the speed given (of balls at their start).
double highest_speed(double height, double gravity, double start_speed);

// Memory of a dense packing with tangential springs (hertz_mindlin, linear): bodies, neighbour list, springs. The peak
// is reached at a rebuild. Loose balls and kelvin_voigt take less. Detectors other
// than mr keep lists of their own, so many bytes a ball more. Not counted: the program and MPI, some 50-100 MB a rank,
// and the copies of two layers of cubes a rank.
inline constexpr double steady_bytes_a_ball = 320, peak_bytes_a_ball = 350;
inline constexpr double bytes_a_wall_ball = 150;  // the list of the case, the sorted one, and candidates

// What a shape needs more than a ball: orientation, angular momentum, number; normals and springs of its pairs; in the
// peak their old order.
inline constexpr double steady_bytes_a_shape = 180, peak_bytes_a_shape = 250;

struct Memory {
    double steady = 0, peak = 0;  // bytes, all ranks together
};
// Wall balls: of one rank, all ranks hold them.
Memory memory_of(std::uint64_t balls, double detector_bytes_a_ball = 0, std::uint64_t wall_balls = 0);
// What bonds add: the list (56 bytes, 48 more for spring bonds), orientation and label of every ball and their old
// order at a rebuild, and there two records (four of spring bonds) of 32 bytes at both ends of a bond.
Memory memory_of_bonds(double bonds, double balls, bool springs);
double memory_of_machine();  // bytes; 0 if not known

// What bonds add to a state file: two records a bond (four of spring bonds), 40 bytes a ball.
double state_bytes_of_bonds(double bonds, double balls, bool springs);
inline constexpr double frame_bytes_a_bond = 66;  // of bonds_*.vtp, in single precision

// A state file: the saved fields of the field table, and 48 bytes for each contact that holds a spring.
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

// Wall time of a run on so many cores, s. Pairs across the border of two ranks are worked out by both: of L layers a
// rank has, one more is done at its borders.
double wall_seconds(double ball_steps, double speed, int ranks, int filled_layers);

// Ranks own whole layers of cubes; with less than two a rank, more is copied than moved. At least 1.
int most_ranks(int filled_layers);

// Ranks and threads of each that are expected to be done first, on that many cores. By the model of
// tests/benchmarks/SCALING.md, in layers of balls that one core would have to work on:
//   slab  s = largest number of layers of a rank, and one more for what is done on both sides of its faces
//   step  (1 - q) (thickest range of its threads) + q s,  q = serial_share: what a rank does on one thread
// A range holds one layer at least. Of equals the one with fewer threads. with_threads: this build has them.
struct RanksAndThreads {
    int ranks = 1, threads = 1;
    double layers = 0;  // that one core works on in the time of a step
};
inline constexpr double serial_share = 0.05;
RanksAndThreads best_shares(int cores, int filled_layers, bool with_threads);

}  // namespace granary
