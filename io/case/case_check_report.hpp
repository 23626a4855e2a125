// What `granary check` prints about a sound case: what it holds, how its step compares with its time scales, what it
// will need, and what deserves a second look. Text only, from plain numbers; contact/time_scales.hpp and
// case_numbers.hpp work most of them out.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>
#include "contact/time_scales.hpp"
#include "core/domain.hpp"
#include "core/vec.hpp"
#include "filling/size_distribution.hpp"
#include "io/case/case_numbers.hpp"

namespace granary {

struct CheckReport {
    std::string file, title;

    struct Balls {
        std::uint64_t count = 0;                // expected: there at the start or put in later
        double mass = 0;                        // kg, all of them
        double radius_min = 0, radius_max = 0;  // m
    } balls;
    struct Sizes {  // of the balls of one source
        std::string source;
        SizeDistribution radii;
    };
    std::vector<Sizes> sizes;
    int n_walls = 0, n_outlets = 0;
    std::vector<std::string> motions;  // a line each
    struct MeshWall {
        std::string wall;
        std::uint64_t triangles = 0, corners = 0, edges = 0, open_edges = 0, parts = 0;
        Vec3d lower, upper;  // m, box around it
    };
    std::vector<MeshWall> meshes;
    std::vector<std::string> clusters;  // what they are made of, a line each
    std::vector<std::string> holds;     // how many bodies each holds, a line each
    std::vector<std::string> shapes;    // what they are, a line each
    std::vector<double> n_shapes;       // expected grains of each, at the start or put in later
    double all_shapes = 0;              // their sum
    double cost = 1;                    // work of a step of a body, over that of a ball, in the mean
    std::vector<std::string> fills;     // boxes of which a part is left out, a line each
    std::uint64_t n_wall_balls = 0;     // that walls are made of

    Domain domain;  // axes of the user, here and below
    struct Grid {
        std::array<int, 3> count{};
        Vec3d edge;             // m
        double skin = 0;        // m
        int slab_axis = 2;      // layers stand along x, y, z = 0, 1, 2
        int filled_layers = 0;  // that will hold balls
    } cubes;

    std::string detector;       // its name, and why it was chosen; empty: nothing is said
    double detector_bytes = 0;  // a ball, of its own lists

    LawSettings::Type law = LawSettings::Type::hertz_mindlin;
    double dt = 0;           // s, the largest of all stages
    bool dt_chosen = false;  // dt = "auto"
    double speed = 0;        // m/s, for which the pairs were worked out
    std::vector<MaterialScale> materials;
    std::vector<PairScale> pairs;
    struct BondKind {  // of one cluster, the quickest of its bonds in the smallest copies
        std::string bond, cluster;
        double length = 0, radius = 0;  // m, of the bond, of the smaller element
        double partners = 0;            // bonds of the element that has more
        double stable_step = 0;         // s
        std::string swing;              // which part of it is the quickest
    };
    std::vector<BondKind> bonds;
    double n_clusters = 0, n_bonds = 0;  // expected: at the start or put in later; n_clusters 0: not known
    double bond_reach = 0;               // m, widest gap between two bonded elements
    bool spring_bonds = false;           // some are of the form "spring", which keeps more

    std::vector<StagePlan> stages;
    std::vector<std::string> estimates;  // how lengths of stages were estimated, a line each
    double core_speed = 0;               // ball-steps a second of one core; 0: core-hours are not told
    std::string speed_source;            // where that number comes from
    int ranks = 1;                       // for which the wall time is told
    double machine_memory = 0;           // bytes; 0: not known
    std::string memory_giver = "this machine has";
    int cores = 0;  // that may be used here; 0: not known
    std::string core_giver = "this machine has";
    bool has_threads = false;  // this build

    struct Files {  // of one kind
        std::uint64_t count = 0;
        double bytes_each = 0;  // with all balls inside
    } states, frames, checkpoints;
    struct ProbeFiles {
        std::string text;        // what it measures, how often, into which file
        double bytes = 0;        // of its files
        double saved_bytes = 0;  // of its sums in a checkpoint
    };
    std::vector<ProbeFiles> probes;

    std::vector<std::string> warnings;  // of the case; those that follow from the numbers are added when printed

    Memory memory() const;
    double ball_steps() const;  // of the stages whose length is known
    std::uint64_t steps() const;
};

// What the numbers give reason to warn of: a large step, deep overlaps, overdamped pairs, too little memory.
std::vector<std::string> warnings_of(const CheckReport& report);

std::string check_text(const CheckReport& report);

}  // namespace granary
