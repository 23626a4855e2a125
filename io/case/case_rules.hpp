// What the table of keys cannot say: rules between keys. A rule is left out if a key it needs is unsound already.
#pragma once
#include <span>
#include <string>
#include <utility>
#include "io/case/case.hpp"
#include "io/case/case_problem.hpp"

namespace granary {

// Before anything is made from it: which shapes go together, sizes against each other, the balls and the domain.
void check_silo(const Case& c, CaseReport& report);

void check_names(const Case& c, CaseReport& report);      // given once, and known where they are used
void check_run(const Case& c, CaseReport& report);        // length of the run, intervals, file names, no balls at all
void check_stages(const Case& c, CaseReport& report);     // what each needs, whether it can end, and their order
void check_materials(const Case& c, CaseReport& report);  // what the law needs
void check_geometry(const Case& c, CaseReport& report);   // domain, periodic lengths, walls, outlets
void check_motions(const Case& c, CaseReport& report);    // what moves, how, and which walls
void check_sizes(const Case& c, CaseReport& report);      // distributions of radii, mixed materials, flows
void check_packing(const Case& c, CaseReport& report);    // boxes, and whether the balls fit
void check_probes(const Case& c, CaseReport& report);     // names, intervals, grids
void check_clusters(const Case& c, CaseReport& report);   // bonds, clusters, who makes them, holds
void check_shapes(const Case& c, CaseReport& report);     // rigid grains that are no balls, who makes them
void check_plane(const Case& c, CaseReport& report);      // runs in a plane: what is in it, what is not defined there
void check_size(const Case& c, CaseReport& report);       // number of balls and memory

inline void check_rules(const Case& c, CaseReport& report) {
    check_names(c, report), check_run(c, report), check_stages(c, report), check_materials(c, report);
    check_geometry(c, report), check_motions(c, report), check_sizes(c, report), check_packing(c, report);
    check_probes(c, report), check_clusters(c, report), check_shapes(c, report);
    check_plane(c, report), check_size(c, report);
}

// Walls written in the file: the first ones of all. walls[i] is the key of the i-th.
std::span<const WallSpec> written_walls(const Case& c);

// The interval at `key` must not be shorter than the longest time step of the run, as far as it is known.
void not_below_dt(const std::string& key, double interval, const Case& c, CaseReport& report);

// Misfits below this share of a length are rounding of the numbers in the file.
inline constexpr double rounding = 1e-9;
inline constexpr double most_steps = 1e15;  // doubles count steps exactly up to here, with room to spare

inline constexpr const char* axis_names[3] = {"x", "y", "z"};

// Least and greatest height of a box above the plane of an outlet, m; negative is behind.
std::pair<double, double> heights_above(const Outlet& o, const Vec3d& lower, const Vec3d& upper);

}  // namespace granary
