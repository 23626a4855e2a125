// A case: what a run is asked to do, as plain data in SI units. It is read from a TOML text; every key, its range and
// its default stand in case_schema.cpp, and a case that was read has passed all checks.
// The reader sees text only: one rank reads the file and hands the text to all.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "core/domain.hpp"
#include "core/vec.hpp"
#include "io/case_problem.hpp"

namespace granary {

// The values of these stand in the order of the words in case_schema.cpp.
enum class DetectorSpec { mr, all_pairs };
enum class LawType { hertz_mindlin, linear, kelvin_voigt };
enum class MixingSpec { mean, geometric, min, series };
enum class BodySource { lattice, random, file };
enum class WallType { plane, rectangle, disc, annulus, cylinder, cone };

struct RunSpec {
    double dt = 0;                      // s
    std::optional<std::int64_t> steps;  // either this
    std::optional<double> time;         // or this, s
    std::uint64_t seed = 0;
    DetectorSpec detector{};
    std::optional<double> skin;        // m; empty: to be chosen
    std::int64_t rebuild_every = 0;    // most steps between two rebuilds
    std::int64_t rebalance_every = 0;  // rebuilds between two moves of the cuts; 0: never
    int slab_axis = 2;                 // 0, 1, 2 = x, y, z

    std::int64_t n_steps() const;  // time is rounded to the nearest step
};

struct LawSpec {
    LawType type{};
    bool attraction = true;       // hertz-mindlin, linear
    bool damper_may_pull = true;  // kelvin-voigt
    MixingSpec restitution_mixing{}, friction_mixing{}, stiffness_mixing{}, damping_mixing{}, cohesion_mixing{};
};

// What a material or a pair says about contacts; empty: not said.
struct ContactSpec {
    std::optional<double> restitution, friction;
    std::optional<double> stiffness;        // N/m
    std::optional<double> stiffness_ratio;  // tangential over normal
    std::optional<double> damping;          // N s/m
    std::optional<double> cohesion;         // N
};

struct MaterialSpec {
    std::string name;
    std::optional<double> density;            // kg/m^3; there if balls are made of it
    std::optional<double> young, poisson;     // Pa, -; there if the law wants them
    ContactSpec contact;                      // of each pair that may meet the law's needs are here or in PairSpec
    bool of_balls = false, of_walls = false;  // used by
};

struct PairSpec {
    std::string first, second;  // names of materials
    ContactSpec contact;
};

// Either one radius or an even spread.
struct RadiusSpec {
    std::optional<double> radius, radius_min, radius_max;  // m
    double smallest() const { return radius ? *radius : radius_min.value_or(0.0); }
    double largest() const { return radius ? *radius : radius_max.value_or(0.0); }
};

struct BodiesSpec {
    BodySource source{};
    std::string name;  // may be empty
    std::string material;
    Vec3d lower, upper;                                 // balls are wholly inside; lattice, random
    std::optional<double> spacing;                      // m; lattice: either this
    std::optional<std::array<std::int64_t, 3>> counts;  // or this
    double jitter = 0;                                  // share of the free way in a cell, 0 to 1; lattice
    std::int64_t count = 0;                             // random
    std::string file;                                   // file: path, from the folder of the case resolved
    RadiusSpec radii;                                   // lattice, random
    Vec3d velocity, spin;

    // Sites of a lattice along each axis, and their distance. A site is in the middle of its cell; the first cell has
    // its lower corner at `lower`.
    std::array<std::int64_t, 3> lattice_counts() const;
    Vec3d lattice_spacing() const;
};

struct InsertSpec {
    std::string name;  // may be empty
    std::string material;
    Vec3d lower, upper;  // balls appear wholly inside
    std::int64_t total = 0, per_event = 0;
    double interval = 0, start = 0;  // s
    std::int64_t trials = 0;         // for each ball wanted
    RadiusSpec radii;
    Vec3d velocity;
};

// The geometry of its type is filled in, the rest is zero. Normals are as written, of any length above zero.
struct WallSpec {
    WallType type{};
    std::string name, material;
    Vec3d point, normal;                        // plane
    Vec3d centre;                               // disc, annulus, with normal
    Vec3d corner, edge_a, edge_b;               // rectangle
    Vec3d bottom, top;                          // cylinder, cone: ends of the axis
    double radius = 0;                          // disc, cylinder
    double inner_radius = 0, outer_radius = 0;  // annulus
    double bottom_radius = 0, top_radius = 0;   // cone
};

struct OutputSpec {
    double every = 0;      // s; 0: only the last state
    double log_every = 0;  // s; 0: to be chosen
    std::string state;     // file name in the output folder
};

struct Case {
    std::string title;
    Vec3d gravity;  // m/s^2
    RunSpec run;
    Domain domain;
    LawSpec law;
    std::vector<MaterialSpec> materials;
    std::vector<PairSpec> pairs;
    std::vector<BodiesSpec> bodies;
    std::vector<InsertSpec> insert;
    std::vector<WallSpec> walls;
    std::vector<Outlet> outlets;  // normals are unit
    OutputSpec output;

    // The largest radius known from the case alone; balls from files may be larger.
    double largest_radius() const;
};

// The case in a TOML text. file_name is for messages, and its folder is where files named in the case are looked for;
// sets are the overrides key=value of the command line (case_set.hpp). Throws CaseError with all problems.
Case read_case(const std::string& text, const std::string& file_name, const std::vector<std::string>& sets = {});

// The text of a case file. Throws CaseError.
std::string read_case_text(const std::string& file_name);

}  // namespace granary
