// The parts of a case as plain data in SI units: what each section of the file becomes. Every key, its range and its
// default stand in case_table.cpp, and which key becomes which member in case_bind.hpp.
// What a section leaves out and the rest of the case decides (region of a filling, time step of a stage, ...) is filled
// in when a case is read.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "contact/law_settings.hpp"
#include "core/domain.hpp"
#include "core/vec.hpp"
#include "filling/insertion_method.hpp"
#include "filling/size_distribution.hpp"
#include "io/case/case_cluster_specs.hpp"
#include "io/case/case_shape_specs.hpp"
#include "measure/kernel.hpp"
#include "motion/integrator.hpp"
#include "search/detector.hpp"
#include "walls/motion_type.hpp"

namespace granary {

// What the solver knows too is named by its enumerations: LawType, LawSettings::Rolling and Cohesion, Mixing,
// Integrator, Detector, MotionType, InsertionMethod, SizeType, Kernel. The values of all of them, and of these, stand
// in the order of the words in case_table.cpp.
enum class OutsideSpec { stop, delete_ball };
enum class BodySource { lattice, random, file, ball, cluster };
enum class WallType { plane, rectangle, disc, annulus, cylinder, cone, mesh };
enum class BinType { cylinder, rectangle };
enum class SiloWallType { smooth, balls };
enum class HopperType { cone, flat, wedge };
enum class OpeningType { circle, slot };
enum class StageType { fill, settle, discharge, run };
enum class InletType { box, disc };
enum class BalanceSpec { time, work };
enum class FramePrecision { float32, float64 };
enum class RowForces { moment, mean };
enum class ProbeType { pressure, loads, field, bands, track, count, fragments };

struct RunSpec {
    double dt = 0;         // s; 0 if dt_auto: to be chosen
    bool dt_auto = false;  // choose dt_share of the shortest Rayleigh time
    double dt_share = 0;
    bool allow_large_dt = false;
    std::optional<std::int64_t> steps;  // either this
    std::optional<double> time;         // or this, s; or there are stages
    Integrator integrator{};
    std::uint64_t seed = 0;
    std::optional<Detector> detector;  // empty: to be chosen
    double alpha = 0;                  // of mmr: ratio of diameters from one group to the next; else 0
    std::optional<double> skin;        // m; empty: to be chosen
    std::int64_t rebuild_every = 0;    // most steps between two rebuilds
    std::int64_t rebalance_every = 0;  // rebuilds between two moves of the cuts; 0: never
    BalanceSpec balance{};
    int slab_axis = 2;  // 0, 1, 2 = x, y, z
    double memory = 0;  // B, most on all ranks together

    std::int64_t n_steps() const;  // time is rounded to the nearest step; wants dt

    friend bool operator==(const RunSpec&, const RunSpec&) = default;
};

struct DomainSpec : Domain {
    OutsideSpec outside{};            // what becomes of a ball that leaves other than by an outlet
    std::int64_t dimension = 3;       // 2: bodies move in the plane in the middle of the box along `normal`
    int normal = 1;                   // 0, 1, 2 = x, y, z
    std::optional<double> thickness;  // m, of discs and polygons; there once read, unless sizes are in files

    bool is_plane() const { return dimension == 2; }
    double plane() const { return 0.5 * (at(lower, normal) + at(upper, normal)); }  // m
};

// What a material or a pair says about contacts; empty: not said.
struct ContactSpec {
    std::optional<double> restitution, friction;
    std::optional<double> stiffness;        // N/m
    std::optional<double> stiffness_ratio;  // tangential over normal
    std::optional<double> damping;          // N s/m
    std::optional<double> cohesion;         // N
    std::optional<double> rolling_friction;
    std::optional<double> rolling_damping;   // share of critical damping
    std::optional<double> cohesion_density;  // J/m^3

    friend bool operator==(const ContactSpec&, const ContactSpec&) = default;
};

struct MaterialSpec {
    std::string name;
    std::optional<double> density;         // kg/m^3; there if balls are made of it
    std::optional<double> young, poisson;  // Pa, -; there if the law wants them
    ContactSpec contact;                   // of each pair that may meet the law's needs are here or in PairSpec
    // Used by. The balls of [start] are not known here: beside it every material with a density counts as one of balls.
    bool of_balls = false, of_walls = false;

    friend bool operator==(const MaterialSpec&, const MaterialSpec&) = default;
};

struct PairSpec {
    std::string first, second;  // names of materials
    ContactSpec contact;

    friend bool operator==(const PairSpec&, const PairSpec&) = default;
};

// One radius or an even spread, or another distribution: see filling/size_distribution.hpp. Where all grains are
// clusters: of the balls around them; where all are rigid shapes: of the balls of equal volume.
struct RadiusSpec {
    SizeType sizes{};
    std::optional<double> radius, radius_min, radius_max;  // m; uniform: one or two; normal: the two
    std::optional<double> radius_mean, radius_deviation;   // m; normal
    std::vector<double> sieve_sizes, passing;              // m, diameters; shares of mass; sieve
    std::vector<double> radii, shares;                     // m; shares by number; list

    bool is_whole() const;                  // all numbers that its type needs are there and go together
    SizeDistribution distribution() const;  // all zero if it is not whole
    double smallest() const;                // m; as far as it is known, also if it is not whole
    double largest() const;
    double mean_volume() const;             // m^3, of a ball
    RadiusSpec times(double factor) const;  // all lengths

    friend bool operator==(const RadiusSpec&, const RadiusSpec&) = default;
};

// Further materials of the balls of one source. A body file says itself which ball is of which: it has no shares.
struct MixSpec {
    std::vector<std::string> mixed_with;  // names
    std::vector<double> mixed_shares;     // of the balls, by number; the rest is of the first material

    friend bool operator==(const MixSpec&, const MixSpec&) = default;
};

struct BodiesSpec {
    BodySource source{};
    std::string name;  // may be empty
    std::string material;
    MixSpec mix;
    GrainUse grains;                                    // all or none; once read, also of a cluster
    std::string copy_of;                                // name; cluster
    Vec3d lower, upper;                                 // balls are wholly inside; lattice, random
    std::optional<double> spacing;                      // m; lattice: either this
    std::optional<std::array<std::int64_t, 3>> counts;  // or this
    double jitter = 0;                                  // share of the free way in a cell, 0 to 1; lattice
    std::int64_t count = 0;                             // random
    std::string file;                                   // file: path, from the folder of the case resolved
    double scale = 1;                                   // of lengths in the file
    Vec3d position;                                     // m; ball, cluster
    Vec3d rotation;                                     // degrees, about x, then y, then z; ball, cluster
    RadiusSpec radii;                                   // lattice, random, ball
    Vec3d velocity, spin;

    // Sites of a lattice along each axis, and their distance. A site is in the middle of its cell; the first cell has
    // its lower corner at `lower`.
    std::array<std::int64_t, 3> lattice_counts() const;
    Vec3d lattice_spacing() const;

    friend bool operator==(const BodiesSpec&, const BodiesSpec&) = default;
};

struct InsertSpec {
    std::string name;  // may be empty
    std::string material;
    MixSpec mix;
    GrainUse grains;
    InletType inlet{};
    Vec3d lower, upper;                     // balls appear wholly inside; there once read
    Vec3d centre;                           // m; disc
    double inlet_radius = 0;                // m; disc
    int inlet_axis = 2;                     // disc: axis at right angles to it
    std::optional<std::int64_t> total;      // either this
    std::optional<double> mass;             // or this, kg
    std::optional<std::int64_t> per_event;  // either this, with an interval
    std::optional<double> rate, mass_rate;  // or one of these, 1/s, kg/s
    std::optional<double> interval;         // s; empty, beside a rate: to be chosen
    double start = 0;                       // s; from the start of the run, or of its stage
    std::string stage;                      // name of the stage it belongs to; empty: the whole run
    std::int64_t trials = 0;                // for each ball wanted
    RadiusSpec radii;
    Vec3d velocity;

    friend bool operator==(const InsertSpec&, const InsertSpec&) = default;
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
    std::string file;                           // mesh: path, from the folder of the case resolved
    double scale = 0;                           // m, of a length of 1 in the file
    Vec3d rotation;                             // degrees, about x, then y, then z
    Vec3d offset;                               // m

    // A gate vanishes, or slides if there is a way to go, at the start of a stage or at a time; with neither the wall
    // stays.
    std::string opens;               // name of the stage; the stage lists the wall in StageSpec::open
    std::optional<double> opens_at;  // s, from the start of the run
    Vec3d slides;                    // m; zero: it vanishes
    double slide_time = 0;           // s
    std::string motion;              // name; empty: at rest
    std::int64_t copies = 1;         // around the axis of its motion
    bool of_silo = false;            // made from [silo], not written in the file

    bool opens_sometime() const { return !opens.empty() || opens_at.has_value(); }
    bool slides_open() const { return opens_sometime() && norm(slides) > 0; }

    friend bool operator==(const WallSpec&, const WallSpec&) = default;
};

// What moves walls; the keys of its type are filled in, the rest is zero. Directions are as written, of any length.
struct MotionSpec {
    MotionType type{};
    std::string name;
    Vec3d velocity;                    // translate, m/s
    Vec3d point, axis;                 // rotate, swing, angle-table
    std::optional<double> rate, rpm;   // rotate: one of them, rad/s or 1/min
    Vec3d amplitude;                   // vibrate, m
    double angle = 0;                  // swing, rad
    double frequency = 0, phase = 0;   // vibrate, swing; Hz, rad
    std::vector<double> times;         // tables: either these, s
    std::vector<Vec3d> displacements;  // m
    std::vector<double> angles;        // rad
    std::string file;                  // or this: path, from the folder of the case resolved
    bool smooth = false;
    Vec3d direction;                     // servo: towards the balls
    double force = 0, speed = 0;         // servo; N, m/s
    std::optional<double> gain, travel;  // servo; m/s/N, m

    std::optional<double> start;  // s, from the start of the run
    std::string stage;            // or the name of a stage; with neither: at the start of the run
    std::optional<double> duration;
    double ramp = 0;  // s

    bool turns() const {
        return type == MotionType::rotate || type == MotionType::swing || type == MotionType::angle_table;
    }
    friend bool operator==(const MotionSpec&, const MotionSpec&) = default;
};

// A bin upon a hopper with an outlet, along z. Case::walls holds the walls made of it (case_silo.hpp).
// d_c, h_c, d_h, h_h: Lazarević (2002), section 4; there d_h is the diameter of the conical part, which can only mean
// the outlet.
struct SiloSpec {
    BinType bin{};
    HopperType hopper{};
    OpeningType outlet{};
    double d_c = 0, width = 0, depth = 0;             // m; cylinder: diameter; rectangle: along x, y
    double h_c = 0, h_h = 0;                          // m; bin, hopper (flat: 0)
    double d_h = 0;                                   // m; circle
    double outlet_width = 0;                          // m, along x; slot
    std::optional<double> outlet_length;              // m, along y; slot, there once read
    std::array<double, 2> outlet_offset{}, centre{};  // m; offset from the centre: flat
    double bottom = 0;                                // m; z of the outlet
    std::string material, gate_material;              // gate_material: there once read
    SiloWallType wall{};
    double wall_spacing = 0, wall_radius_min = 0, wall_radius_max = 0;  // m; balls
    std::string opens;               // as of a wall, of the gate; filled in if there is a discharge
    std::optional<double> opens_at;  // s
    Vec3d slides;                    // m; zero: the gate vanishes
    double slide_time = 0;           // s

    friend bool operator==(const SiloSpec&, const SiloSpec&) = default;
};

struct StageSpec {
    StageType type{};
    std::string name;            // unique; by default the type
    std::optional<double> time;  // s, longest duration; empty: discharge, which then ends by itself, and pack
    double dt = 0;               // s; 0 if dt_auto; that of the run unless said otherwise
    bool dt_auto = false;

    // fill
    InsertionMethod method{};
    std::string material;
    MixSpec mix;
    GrainUse grains;
    double solid_fraction = 0;              // dense
    std::optional<std::int64_t> count;      // either this
    std::optional<double> mass;             // or this, kg
    std::optional<double> rate, mass_rate;  // 1/s, kg/s; rain: one of them, there once read
    RadiusSpec radii;
    Vec3d velocity;
    std::optional<Vec3d> lower, upper;  // m; balls appear wholly inside, and inside of a round bin; there once read
    double max_overlap = 0;             // share of the radius

    // settle
    std::optional<double> energy_share;  // kinetic energy over the sum of m g d; once read, this
    std::optional<double> energy;        // or this, J, mean of a ball
    double rest_time = 0;                // s, for which it must stay below that

    // discharge
    std::vector<std::string> open;  // walls that vanish at the start; once read, of any type of stage
    bool empty = true;              // end when no ball is left
    double stall_time = 0;          // s; end when no ball has left for so long; 0: no such end

    double check_every = 0;  // s, between two looks for the end; settle, discharge

    friend bool operator==(const StageSpec&, const StageSpec&) = default;
};

// Begin with the balls of a state file.
struct StartSpec {
    std::string from;       // path, from the folder of the case resolved
    bool time_zero = true;  // begin at time 0, else where the other run ended

    friend bool operator==(const StartSpec&, const StartSpec&) = default;
};

// Something to be measured over time, src/observe/probes.hpp.
struct ProbeSpec {
    ProbeType type{};
    std::string name;    // of its files; by default that of its wall, or its type
    std::string stage;   // only during this one; empty: always
    double every = 0;    // s, between two looks
    double average = 0;  // s, looks of so long make one average; 0: those of a stage

    // pressure
    std::string wall;
    std::int64_t bins = 1, sectors = 1;
    std::optional<double> wall_friction,
        lateral_ratio;                // for the curves of theory; empty: that of the case, from the angle
    double friction_angle = 0;        // degrees
    std::optional<Vec3d> axis_point;  // m, of a mesh; empty: to be found
    std::optional<double> diameter;   // m, of a mesh; empty: to be found

    // field, count
    Vec3d lower, upper;  // m

    // field
    std::optional<double> spacing;                      // m; either this
    std::optional<std::array<std::int64_t, 3>> counts;  // or this
    Kernel kernel{};
    std::optional<double> width;  // m; lucy; empty: to be chosen

    // bands
    std::int64_t bands = 0;
    int along = 2;  // 0, 1, 2 = x, y, z

    // track
    std::vector<double> ids;  // whole numbers; either these
    std::vector<Vec3d> near;  // m; or the balls nearest to these when it begins

    // count, fragments
    std::vector<double> size_edges;  // m, diameters between two classes of size

    // fragments
    std::string material;  // name; empty: bodies of all materials

    friend bool operator==(const ProbeSpec&, const ProbeSpec&) = default;
};

struct InsituSpec {
    std::vector<std::string> scripts;    // files (.py), or names of those in jobs/catalyst
    double every = 0;                    // s; 0: by steps only
    std::int64_t every_steps = 0;        // 0: by time only; both 0: at the start and at the end
    std::int64_t width = 0, height = 0;  // of an image, pixels
    std::string live;                    // host:port; empty: none

    friend bool operator==(const InsituSpec&, const InsituSpec&) = default;
};

struct OutputSpec {
    double every = 0;                                 // s; 0: only the last state
    double log_every = 0;                             // s; 0: to be chosen
    std::string state;                                // file name in the output folder
    std::optional<double> frames_every;               // s; 0: no frames; empty: to be chosen
    std::vector<std::string> fields;                  // of a ball in a frame, besides its position
    FramePrecision precision{};                       // of real numbers in frames
    std::optional<Vec3d> region_lower, region_upper;  // m; frames show only what is in this box; both or none
    std::int64_t every_nth = 1;                       // frames show only every n-th ball
    double series_every = 0;                          // s; 0: to be chosen
    double checkpoint_every = 0;                      // s, simulated; 0: never
    double checkpoint_wall_time = 900;                // s; 0: never
    std::int64_t checkpoints_kept = 2;
    bool energy = false;   // keep the energy balance
    bool outflow = false;  // write every ball that leaves
    bool breaks = true;    // write every bond that breaks
    RowForces forces{};    // on walls, in rows of the series

    friend bool operator==(const OutputSpec&, const OutputSpec&) = default;
};

}  // namespace granary
