// The two tables of case_schema.hpp.
#include "io/case_schema.hpp"

namespace granary {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr KeyBounds unbounded{};
constexpr KeyBounds positive{0, inf, true, true};
constexpr KeyBounds positive_or_infinite{0, inf, true, false};  // a rigid wall
constexpr KeyBounds not_negative{0, inf, false, true};
constexpr KeyBounds at_least_1{1, inf, false, true};
constexpr KeyBounds not_empty = at_least_1;
constexpr KeyBounds exactly_2{2, 2, false, false};
constexpr KeyBounds restitution{0, 1, true, false};  // at 0 the damper would be infinite
constexpr KeyBounds poisson{-1, 0.5, true, false};
constexpr KeyBounds share{0, 1, false, false};
constexpr KeyBounds positive_share{0, 1, true, false};
constexpr KeyBounds group_ratio{1.1, 32, false, false};    // below, more groups than they are worth
constexpr KeyBounds count{1, 4294967295.0, false, false};  // places in an array are 32-bit

constexpr KeyDefault required{KeyDefault::Kind::required, ""};
constexpr KeyDefault none{};
constexpr KeyDefault preset(const char* toml) { return {KeyDefault::Kind::value, toml}; }

constexpr const char* axes = "x|y|z";
constexpr const char* mixings = "mean|geometric|min";
constexpr const char* spring_mixings = "mean|geometric|min|series";

using If = IfMissing;

// clang-format off
constexpr SectionRow sections[] = {
    // name      repeated if missing    selector stand-in doc
    {"",          false, If::defaults, "",       "", "Above all sections."},
    {"run",       false, If::error,    "",       "", "Time stepping and the search for contacts."},
    {"domain",    false, If::error,    "",       "silo",
     "The box in which everything happens. A ball that leaves it other than by an outlet is lost, and the run stops.\n"
     "May be left out beside a [silo]: it is then the box around the silo, with room for some balls on all sides."},
    {"law",       false, If::defaults, "",       "", "The contact law, for all pairs of materials."},
    {"materials", true,  If::error,    "",       "",
     "A material of balls and walls. Which keys it needs depends on the law; the others have no effect."},
    {"pairs",     true,  If::nothing,  "",       "",
     "Properties of one pair of materials, in place of what mixing gives."},
    {"bodies",    true,  If::nothing,  "source", "", "Balls that are there at the start."},
    {"insert",    true,  If::nothing,  "",       "", "Balls that come in during the run. Times count from its start."},
    {"walls",     true,  If::nothing,  "type",   "", "A wall at rest. It vanishes when it opens. Walls do not repeat along periodic axes."},
    {"outlets",   true,  If::nothing,  "",       "",
     "A plane through which balls leave. May be left out beside a [silo]: a plane named \"outlet\" is then put "
     "below it."},
    {"silo",      false, If::nothing,  "",       "",
     "A bin, its hopper and its gate, made of walls named \"cylinder\" (or \"bin-left\", \"bin-right\", ...), \"cone\"\n"
     "(or \"floor\", \"floor-left\", ..., \"wedge-left\", ...) and \"gate\"; left and right are along x, front and\n"
     "back along y. d_c, h_c, d_h, h_h are those of Lazarević (2002), section 4."},
    {"stages",    true,  If::nothing,  "type",   "",
     "A part of the run; one follows the other, in the order of the file. They take the place of run.steps and "
     "run.time."},
    {"start",     false, If::nothing,  "",       "",
     "Begin with the balls of another run. Walls, outlets, gravity and materials are those of this file."},
    {"output",    false, If::defaults, "",       "", "What is written, into the folder given by --out."},
};
// clang-format on

using T = ValueType;

// clang-format off
constexpr KeyRow keys[] = {
    // section name type unit bounds default example doc extra
    {"", "title", T::text, "", unbounded, preset("\"\""), "", "what the case is about", {}},
    {"", "gravity", T::vec3, "m/s^2", unbounded, preset("[0.0, 0.0, -9.81]"), "", "acceleration of every ball", {}},

    {"run", "dt", T::number_or_auto, "s", positive, required, "1e-5",
     "time step; auto: dt_share of the shortest Rayleigh time", {}},
    {"run", "dt_share", T::number, "", positive_share, preset("0.2"), "",
     "what auto takes, as a share of the shortest Rayleigh time", {}},
    {"run", "allow_large_dt", T::boolean, "", unbounded, preset("false"), "",
     "run also with a step above 0.4 of the Rayleigh time or an eighth of a collision", {}},
    {"run", "steps", T::integer, "", not_negative, none, "1000",
     "length of the run, in steps", {.rivals = "time", .unless = "stages"}},
    {"run", "time", T::number, "s", not_negative, none, "0.01",
     "length of the run; rounded to whole steps", {.rivals = "steps", .unless = "stages"}},
    {"run", "seed", T::integer, "", not_negative, preset("1"), "",
     "start of all random numbers; the same seed gives the same run", {}},
    {"run", "detector", T::choice, "", unbounded, preset("\"auto\""), "",
     "how contacts are searched: mr for like sizes, mmr for any, auto takes the faster; the others to compare; matters "
     "for speed only", {.choices = "auto|mr|mmr|fixed-cubes|all-pairs"}},
    {"run", "alpha", T::number, "", group_ratio, preset("2.0"), "",
     "mmr: ratio of diameters from one group of sizes to the next", {.only = "auto|mmr", .by = "detector"}},
    {"run", "skin", T::number_or_auto, "m", positive, preset("\"auto\""), "",
     "gap up to which pairs are listed ahead; matters for speed, not for physics", {}},
    {"run", "rebuild_every", T::integer, "", at_least_1, preset("1000"), "", "most steps between two searches", {}},
    {"run", "rebalance_every", T::integer, "", not_negative, preset("10"), "",
     "searches between two looks at the balance of work among ranks; 0: cuts stay", {}},
    {"run", "balance", T::choice, "", unbounded, preset("\"time\""), "",
     "what is to be even among ranks: time as measured, or work as counted (the same on any machine); no matter for the "
     "results", {.choices = "time|work"}},
    {"run", "slab_axis", T::choice, "", unbounded, preset("\"z\""), "",
     "axis along which ranks share the domain", {.choices = axes}},
    {"run", "memory", T::number, "B", positive, preset("64e9"), "",
     "most memory that the balls may take on all ranks together; a case that needs more is refused", {}},

    {"domain", "lower", T::vec3, "m", unbounded, required, "[-1.0, -1.0, -0.5]", "corner of the box", {}},
    {"domain", "upper", T::vec3, "m", unbounded, required, "[1.0, 1.0, 2.0]", "opposite corner of the box", {}},
    {"domain", "periodic", T::choices, "", unbounded, preset("[]"), "",
     "axes along which the box repeats: a ball that leaves comes in on the other side", {.choices = axes}},

    {"law", "type", T::choice, "", unbounded, preset("\"hertz-mindlin\""), "",
     "contact law; kelvin-voigt has no friction and no rotation", {.choices = "hertz-mindlin|linear|kelvin-voigt"}},
    {"law", "attraction", T::boolean, "", unbounded, preset("true"), "",
     "damping may pull just before balls part, which exact restitution needs; hertz-mindlin, linear", {}},
    {"law", "damper_may_pull", T::boolean, "", unbounded, preset("true"), "", "the same; kelvin-voigt", {}},
    {"law", "restitution_mixing", T::choice, "", unbounded, preset("\"geometric\""), "",
     "restitution of two materials from that of each", {.choices = mixings}},
    {"law", "friction_mixing", T::choice, "", unbounded, preset("\"geometric\""), "",
     "the same for friction", {.choices = mixings}},
    {"law", "stiffness_mixing", T::choice, "", unbounded, preset("\"series\""), "",
     "the same for stiffness; series: two springs in a row, equal ones give half", {.choices = spring_mixings}},
    {"law", "damping_mixing", T::choice, "", unbounded, preset("\"series\""), "",
     "the same for damping", {.choices = spring_mixings}},
    {"law", "cohesion_mixing", T::choice, "", unbounded, preset("\"min\""), "",
     "the same for cohesion", {.choices = mixings}},

    {"materials", "name", T::text, "", not_empty, required, "\"grain\"",
     "name by which other sections refer to it", {}},
    {"materials", "density", T::number, "kg/m^3", positive, none, "2500.0",
     "density of the solid; needed for balls", {}},
    {"materials", "young", T::number, "Pa", positive_or_infinite, none, "5e6",
     "Young's modulus; inf for a rigid wall; hertz-mindlin", {}},
    {"materials", "poisson", T::number, "", poisson, none, "0.45", "Poisson's ratio; hertz-mindlin", {}},
    {"materials", "restitution", T::number, "", restitution, none, "0.5",
     "rebound speed over impact speed; hertz-mindlin, linear", {}},
    {"materials", "friction", T::number, "", not_negative, none, "0.5",
     "Coulomb coefficient; hertz-mindlin, linear", {}},
    {"materials", "stiffness", T::number, "N/m", positive_or_infinite, none, "1e4",
     "stiffness of the normal spring; inf for a rigid wall; linear, kelvin-voigt", {}},
    {"materials", "stiffness_ratio", T::number, "", not_negative, preset("0.2857142857142857"), "",
     "tangential over normal stiffness; linear", {}},
    {"materials", "damping", T::number, "N s/m", not_negative, none, "1.0",
     "constant of the normal damper; kelvin-voigt", {}},
    {"materials", "cohesion", T::number, "N", not_negative, preset("0.0"), "",
     "greatest pull; acts up to a gap of cohesion/stiffness; kelvin-voigt", {}},

    {"pairs", "materials", T::texts, "", exactly_2, required, "[\"grain\", \"grain\"]",
     "names of the two materials, in any order", {}},
    {"pairs", "restitution", T::number, "", restitution, none, "0.5", "as in [[materials]], here of the pair", {}},
    {"pairs", "friction", T::number, "", not_negative, none, "0.5", "as in [[materials]], here of the pair", {}},
    {"pairs", "stiffness", T::number, "N/m", positive, none, "1e4", "as in [[materials]], here of the pair", {}},
    {"pairs", "stiffness_ratio", T::number, "", not_negative, none, "0.3",
     "as in [[materials]], here of the pair", {}},
    {"pairs", "damping", T::number, "N s/m", not_negative, none, "1.0", "as in [[materials]], here of the pair", {}},
    {"pairs", "cohesion", T::number, "N", not_negative, none, "0.0", "as in [[materials]], here of the pair", {}},

    {"bodies", "source", T::choice, "", unbounded, required, "",
     "where their places come from", {.choices = "lattice|random|file"}},
    {"bodies", "name", T::text, "", not_empty, none, "\"bed\"",
     "name for messages and --set bodies.NAME.key=value", {}},
    {"bodies", "material", T::text, "", not_empty, required, "\"grain\"", "name of their material", {}},
    {"bodies", "lower", T::vec3, "m", unbounded, required, "[0.2, 0.2, 0.2]",
     "corner of a box; balls are wholly inside it", {.only = "lattice|random"}},
    {"bodies", "upper", T::vec3, "m", unbounded, required, "[0.8, 0.8, 0.8]",
     "opposite corner of that box", {.only = "lattice|random"}},
    {"bodies", "spacing", T::number, "m", positive, none, "0.1",
     "edge of the cubes that fill the box from its lower corner; a ball in the middle of each",
     {.only = "lattice", .rivals = "counts"}},
    {"bodies", "counts", T::int3, "", count, none, "[6, 6, 6]",
     "the box is cut into so many cells along x, y, z; a ball in the middle of each",
     {.only = "lattice", .rivals = "spacing"}},
    {"bodies", "jitter", T::number, "", share, preset("0.0"), "",
     "random shift of each ball, as a share of its free way to the faces of its cell", {.only = "lattice"}},
    {"bodies", "count", T::integer, "", count, required, "100", "number of balls", {.only = "random"}},
    {"bodies", "file", T::text, "", not_empty, required, "\"balls.txt\"",
     "text file with a line \"x y z radius\" for each ball; path from the folder of this file", {.only = "file"}},
    {"bodies", "radius", T::number, "m", positive, none, "0.01",
     "radius of all balls", {.only = "lattice|random", .rivals = "radius_min|radius_max"}},
    {"bodies", "radius_min", T::number, "m", positive, none, "0.009",
     "radii are spread evenly from this", {.only = "lattice|random", .rivals = "radius"}},
    {"bodies", "radius_max", T::number, "m", positive, none, "0.011",
     "to this", {.only = "lattice|random", .rivals = "radius"}},
    {"bodies", "velocity", T::vec3, "m/s", unbounded, preset("[0.0, 0.0, 0.0]"), "", "velocity at the start", {}},
    {"bodies", "spin", T::vec3, "rad/s", unbounded, preset("[0.0, 0.0, 0.0]"), "", "angular velocity at the start", {}},

    {"insert", "name", T::text, "", not_empty, none, "\"rain\"",
     "name for messages and --set insert.NAME.key=value", {}},
    {"insert", "material", T::text, "", not_empty, required, "\"grain\"", "name of their material", {}},
    {"insert", "lower", T::vec3, "m", unbounded, required, "[0.2, 0.2, 1.5]",
     "corner of a box; balls appear wholly inside it", {}},
    {"insert", "upper", T::vec3, "m", unbounded, required, "[0.8, 0.8, 1.8]", "opposite corner of that box", {}},
    {"insert", "total", T::integer, "", count, required, "1000", "balls to come in, in all", {}},
    {"insert", "per_event", T::integer, "", count, required, "50",
     "balls wanted at each event; what finds no room waits for the next", {}},
    {"insert", "interval", T::number, "s", positive, required, "0.001",
     "time between events; rounded to whole steps", {}},
    {"insert", "start", T::number, "s", not_negative, preset("0.0"), "", "time of the first event", {}},
    {"insert", "trials", T::integer, "", {1, 1e6, false, false}, preset("20"), "",
     "random places tried for each ball wanted at an event", {}},
    {"insert", "radius", T::number, "m", positive, none, "0.01",
     "radius of all balls", {.rivals = "radius_min|radius_max"}},
    {"insert", "radius_min", T::number, "m", positive, none, "0.009",
     "radii are spread evenly from this", {.rivals = "radius"}},
    {"insert", "radius_max", T::number, "m", positive, none, "0.011", "to this", {.rivals = "radius"}},
    {"insert", "velocity", T::vec3, "m/s", unbounded, preset("[0.0, 0.0, 0.0]"), "",
     "velocity with which they come in", {}},

    {"walls", "type", T::choice, "", unbounded, required, "",
     "shape of the wall", {.choices = "plane|rectangle|disc|annulus|cylinder|cone"}},
    {"walls", "name", T::text, "", not_empty, required, "\"floor\"",
     "name for results, messages and --set walls.NAME.key=value", {}},
    {"walls", "material", T::text, "", not_empty, required, "\"grain\"", "name of its material", {}},
    {"walls", "point", T::vec3, "m", unbounded, required, "[0.0, 0.0, 0.0]",
     "any point of the plane", {.only = "plane"}},
    {"walls", "centre", T::vec3, "m", unbounded, required, "[0.5, 0.5, 0.1]",
     "middle of the disc or annulus", {.only = "disc|annulus"}},
    {"walls", "normal", T::vec3, "", unbounded, required, "[0.0, 0.0, 1.0]",
     "direction across the wall, of any length; at a plane the side where balls are", {.only = "plane|disc|annulus"}},
    {"walls", "corner", T::vec3, "m", unbounded, required, "[0.1, 0.1, 0.1]",
     "one corner of the rectangle", {.only = "rectangle"}},
    {"walls", "edge_a", T::vec3, "m", unbounded, required, "[0.8, 0.0, 0.0]",
     "from that corner along one edge to the next corner", {.only = "rectangle"}},
    {"walls", "edge_b", T::vec3, "m", unbounded, required, "[0.0, 0.8, 0.0]",
     "from that corner along the other edge, at a right angle to edge_a", {.only = "rectangle"}},
    {"walls", "bottom", T::vec3, "m", unbounded, required, "[0.5, 0.5, 0.2]",
     "middle of the lower end", {.only = "cylinder|cone"}},
    {"walls", "top", T::vec3, "m", unbounded, required, "[0.5, 0.5, 1.5]",
     "middle of the upper end; the axis may lean", {.only = "cylinder|cone"}},
    {"walls", "radius", T::number, "m", positive, required, "0.4",
     "radius of the disc or cylinder", {.only = "disc|cylinder"}},
    {"walls", "inner_radius", T::number, "m", positive, required, "0.1", "radius of the hole", {.only = "annulus"}},
    {"walls", "outer_radius", T::number, "m", positive, required, "0.4", "radius of the rim", {.only = "annulus"}},
    {"walls", "bottom_radius", T::number, "m", not_negative, required, "0.1",
     "radius at the bottom; 0 makes a tip", {.only = "cone"}},
    {"walls", "top_radius", T::number, "m", not_negative, required, "0.4",
     "radius at the top; 0 makes a tip", {.only = "cone"}},
    {"walls", "opens", T::text, "", unbounded, preset("\"\""), "",
     "stage at whose start the wall vanishes; empty: never", {.rivals = "opens_at"}},
    {"walls", "opens_at", T::number, "s", not_negative, none, "0.5",
     "time from the start of the run at which the wall vanishes", {.rivals = "opens"}},

    {"outlets", "name", T::text, "", not_empty, required, "\"outlet\"",
     "name for results, messages and --set outlets.NAME.key=value", {}},
    {"outlets", "point", T::vec3, "m", unbounded, required, "[0.0, 0.0, -0.1]", "any point of the plane", {}},
    {"outlets", "normal", T::vec3, "", unbounded, required, "[0.0, 0.0, 1.0]",
     "towards where balls come from, of any length; a ball is out when its centre is behind", {}},

    {"silo", "bin", T::choice, "", unbounded, preset("\"cylinder\""), "",
     "shape of the bin, which stands on the hopper", {.choices = "cylinder|rectangle"}},
    {"silo", "hopper", T::choice, "", unbounded, preset("\"cone\""), "",
     "shape of the bottom; cone: under a cylinder; wedge: under a rectangle, narrow along x; flat: under both",
     {.choices = "cone|flat|wedge"}},
    {"silo", "outlet", T::choice, "", unbounded, preset("\"circle\""), "",
     "shape of the opening; a cone ends in a circle, a wedge in a slot, a flat bottom has either",
     {.choices = "circle|slot"}},
    {"silo", "d_c", T::number, "m", positive, required, "0.8",
     "diameter of the cylinder", {.only = "cylinder", .by = "bin"}},
    {"silo", "width", T::number, "m", positive, required, "0.8",
     "length of the bin along x", {.only = "rectangle", .by = "bin"}},
    {"silo", "depth", T::number, "m", positive, required, "0.4",
     "length of the bin along y", {.only = "rectangle", .by = "bin"}},
    {"silo", "h_c", T::number, "m", positive, required, "1.2", "height of the bin, without the hopper", {}},
    {"silo", "d_h", T::number, "m", positive, required, "0.2",
     "diameter of the outlet", {.only = "circle", .by = "outlet"}},
    {"silo", "outlet_width", T::number, "m", positive, required, "0.1",
     "length of the slot along x", {.only = "slot", .by = "outlet"}},
    {"silo", "outlet_length", T::number, "m", positive, none, "0.4",
     "length of the slot along y; left out: the whole depth of a rectangular bin", {.only = "slot", .by = "outlet"}},
    {"silo", "h_h", T::number, "m", positive, required, "0.3",
     "height of the hopper", {.only = "cone|wedge", .by = "hopper"}},
    {"silo", "outlet_offset", T::vec2, "m", unbounded, preset("[0.0, 0.0]"), "",
     "from the middle of the bottom to the middle of the outlet", {.only = "flat", .by = "hopper"}},
    {"silo", "centre", T::vec2, "m", unbounded, preset("[0.0, 0.0]"), "", "where the axis of the silo stands", {}},
    {"silo", "bottom", T::number, "m", unbounded, preset("0.0"), "", "height of the outlet, along z", {}},
    {"silo", "material", T::text, "", not_empty, required, "\"grain\"", "name of the material of its walls", {}},
    {"silo", "gate_material", T::text, "", not_empty, none, "\"grain\"",
     "name of the material of its gate; left out: that of the walls", {}},
    {"silo", "opens", T::text, "", unbounded, preset("\"\""), "",
     "stage at whose start the gate vanishes; empty: the first discharge", {.rivals = "opens_at"}},
    {"silo", "opens_at", T::number, "s", not_negative, none, "0.5",
     "time from the start of the run at which the gate vanishes", {.rivals = "opens"}},

    {"stages", "type", T::choice, "", unbounded, required, "",
     "what happens", {.choices = "fill|settle|discharge|run"}},
    {"stages", "name", T::text, "", not_empty, none, "\"fill\"",
     "name for gates, messages and --set stages.NAME.key=value; left out: the type", {}},
    {"stages", "time", T::number, "s", positive, none, "2.0",
     "longest duration; needed by run; left out: twice what a rain needs and 1 s, 10 s to settle, no limit to "
     "discharge", {}},
    {"stages", "dt", T::number_or_auto, "s", positive, none, "1e-5", "time step; left out: run.dt", {}},
    {"stages", "method", T::choice, "", unbounded, preset("\"rain\""), "",
     "rain: balls appear at random places, bit by bit; pack: all at once, from the bottom of the region upwards",
     {.choices = "rain|pack", .only = "fill"}},
    {"stages", "material", T::text, "", not_empty, required, "\"grain\"",
     "name of the material of the balls", {.only = "fill"}},
    {"stages", "count", T::integer, "", count, none, "1000",
     "balls to come in", {.only = "fill", .rivals = "mass"}},
    {"stages", "mass", T::number, "kg", positive, none, "1.0",
     "mass to come in", {.only = "fill", .rivals = "count"}},
    {"stages", "rate", T::number, "1/s", positive, none, "1000.0",
     "balls that come in each second", {.only = "rain", .by = "method", .rivals = "mass_rate"}},
    {"stages", "mass_rate", T::number, "kg/s", positive, none, "1.0",
     "mass that comes in each second", {.only = "rain", .by = "method", .rivals = "rate"}},
    {"stages", "radius", T::number, "m", positive, none, "0.01",
     "radius of all balls", {.only = "fill", .rivals = "radius_min|radius_max"}},
    {"stages", "radius_min", T::number, "m", positive, none, "0.009",
     "radii are spread evenly from this", {.only = "fill", .rivals = "radius"}},
    {"stages", "radius_max", T::number, "m", positive, none, "0.011", "to this", {.only = "fill", .rivals = "radius"}},
    {"stages", "velocity", T::vec3, "m/s", unbounded, preset("[0.0, 0.0, 0.0]"), "",
     "velocity with which they come in", {.only = "fill"}},
    {"stages", "lower", T::vec3, "m", unbounded, none, "[-0.3, -0.3, 1.2]",
     "corner of the region; left out: the uppermost tenth of the silo's bin for rain, the whole bin for pack",
     {.only = "fill"}},
    {"stages", "upper", T::vec3, "m", unbounded, none, "[0.3, 0.3, 1.5]",
     "opposite corner; balls appear wholly inside the region, and inside of a round bin", {.only = "fill"}},
    {"stages", "max_overlap", T::number, "", {0, 0.5, false, false}, preset("0.0"), "",
     "greatest overlap of balls when they appear, as a share of the radius", {.only = "fill"}},
    {"stages", "energy", T::number, "J", positive, none, "1e-9",
     "mean kinetic energy of a ball below which all is at rest; left out: chosen for weight and size of the balls",
     {.only = "settle"}},
    {"stages", "open", T::texts, "", at_least_1, none, "[\"gate\"]",
     "walls that vanish at the start; left out: those whose `opens` names this stage", {.only = "discharge"}},
    {"stages", "empty", T::boolean, "", unbounded, preset("true"), "",
     "the stage ends when no ball is left", {.only = "discharge"}},
    {"stages", "stall_time", T::number, "s", not_negative, preset("1.0"), "",
     "the stage ends when no ball has left for so long, as under an arch; 0: it does not", {.only = "discharge"}},
    {"stages", "check_every", T::number, "s", positive, preset("0.01"), "",
     "time between two looks whether the stage is at its end", {.only = "settle|discharge"}},

    {"start", "from", T::text, "", not_empty, required, "\"filled.h5\"",
     "state file of the other run; path from the folder of this file", {}},
    {"start", "time_zero", T::boolean, "", unbounded, preset("true"), "",
     "begin at time 0; false: the clock goes on where the other run ended", {}},

    {"output", "every", T::number, "s", not_negative, preset("0.0"), "",
     "time between two states written; 0: only the last", {}},
    {"output", "log_every", T::number, "s", not_negative, preset("0.0"), "",
     "time between two lines of the log; 0: about twenty in a run", {}},
    {"output", "state", T::text, "", not_empty, preset("\"state.h5\""), "", "name of the file of the last state", {}},
    {"output", "frames_every", T::number, "s", not_negative, preset("0.0"), "",
     "time between two frames, which ParaView shows; 0: none", {}},
    {"output", "fields", T::choices, "", unbounded, preset("[\"id\", \"radius\", \"velocity\", \"material\"]"), "",
     "what a frame holds of each ball besides its position",
     {.choices = "id|radius|velocity|spin|material|force|speed|mass"}},
    {"output", "precision", T::choice, "", unbounded, preset("\"float32\""), "",
     "real numbers in frames", {.choices = "float32|float64"}},
    {"output", "region_lower", T::vec3, "m", unbounded, none, "[-0.5, -0.5, 0.0]",
     "frames show only balls whose centre is in a box; its corner", {}},
    {"output", "region_upper", T::vec3, "m", unbounded, none, "[0.5, 0.5, 0.5]", "opposite corner of that box", {}},
    {"output", "every_nth", T::integer, "", at_least_1, preset("1"), "",
     "frames show only every n-th ball, by id", {}},
    {"output", "series_every", T::number, "s", not_negative, preset("0.0"), "",
     "time between two lines of the time series; 0: as log_every", {}},
    {"output", "checkpoint_every", T::number, "s", not_negative, preset("0.0"), "",
     "simulated time between two checkpoints, from which the run can be resumed; 0: only by wall time", {}},
    {"output", "checkpoint_wall_time", T::number, "s", not_negative, preset("900.0"), "",
     "time on the clock of the wall between two checkpoints; 0: only by simulated time", {}},
    {"output", "checkpoints_kept", T::integer, "", at_least_1, preset("2"), "",
     "so many checkpoints, the newest, stay on the disk", {}},
};
// clang-format on

}  // namespace

std::span<const SectionRow> case_sections() { return sections; }
std::span<const KeyRow> case_keys() { return keys; }

}  // namespace granary
