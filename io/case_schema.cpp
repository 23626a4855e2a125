#include "io/case_schema.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include "io/words.hpp"

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
constexpr KeyBounds count{1, 4294967295.0, false, false};  // places in an array are 32-bit

constexpr KeyDefault required{KeyDefault::Kind::required, ""};
constexpr KeyDefault none{};
constexpr KeyDefault preset(const char* toml) { return {KeyDefault::Kind::value, toml}; }

constexpr const char* axes = "x|y|z";
constexpr const char* mixings = "mean|geometric|min";
constexpr const char* spring_mixings = "mean|geometric|min|series";

// clang-format off
constexpr SectionRow sections[] = {
    // name      repeated required selector doc
    {"",          false, false, "",       "Above all sections."},
    {"run",       false, true,  "",       "Time stepping and the search for contacts."},
    {"domain",    false, true,  "",
     "The box in which everything happens. A ball that leaves it other than by an outlet is lost, and the run stops."},
    {"law",       false, false, "",       "The contact law, for all pairs of materials."},
    {"materials", true,  true,  "",
     "A material of balls and walls. Which keys it needs depends on the law; the others have no effect."},
    {"pairs",     true,  false, "",       "Properties of one pair of materials, in place of what mixing gives."},
    {"bodies",    true,  false, "source", "Balls that are there at the start."},
    {"insert",    true,  false, "",       "Balls that come in during the run."},
    {"walls",     true,  false, "type",   "A wall at rest."},
    {"outlets",   true,  false, "",       "A plane through which balls leave."},
    {"output",    false, false, "",       "What is written, into the folder given by --out."},
};
// clang-format on

using T = ValueType;

// clang-format off
constexpr KeyRow keys[] = {
    // section name type unit bounds default example doc extra
    {"", "title", T::text, "", unbounded, preset("\"\""), "", "what the case is about", {}},
    {"", "gravity", T::vec3, "m/s^2", unbounded, preset("[0.0, 0.0, -9.81]"), "", "acceleration of every ball", {}},

    {"run", "dt", T::number, "s", positive, required, "1e-5", "time step", {}},
    {"run", "steps", T::integer, "", not_negative, none, "1000", "length of the run, in steps", {.rivals = "time"}},
    {"run", "time", T::number, "s", not_negative, none, "0.01",
     "length of the run; rounded to whole steps", {.rivals = "steps"}},
    {"run", "seed", T::integer, "", not_negative, preset("1"), "",
     "start of all random numbers; the same seed gives the same run", {}},
    {"run", "detector", T::choice, "", unbounded, preset("\"mr\""), "",
     "how contacts are searched; all-pairs is slow and for tests", {.choices = "mr|all-pairs"}},
    {"run", "skin", T::number_or_auto, "m", positive, preset("\"auto\""), "",
     "gap up to which pairs are listed ahead; matters for speed, not for physics", {}},
    {"run", "rebuild_every", T::integer, "", at_least_1, preset("1000"), "", "most steps between two searches", {}},
    {"run", "rebalance_every", T::integer, "", not_negative, preset("10"), "",
     "searches between two shifts of work among ranks; 0: never", {}},
    {"run", "slab_axis", T::choice, "", unbounded, preset("\"z\""), "",
     "axis along which ranks share the domain", {.choices = axes}},

    {"domain", "lower", T::vec3, "m", unbounded, required, "[0.0, 0.0, 0.0]", "corner of the box", {}},
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

    {"outlets", "name", T::text, "", not_empty, required, "\"outlet\"",
     "name for results, messages and --set outlets.NAME.key=value", {}},
    {"outlets", "point", T::vec3, "m", unbounded, required, "[0.5, 0.5, 0.05]", "any point of the plane", {}},
    {"outlets", "normal", T::vec3, "", unbounded, required, "[0.0, 0.0, 1.0]",
     "towards where balls come from, of any length; a ball is out when its centre is behind", {}},

    {"output", "every", T::number, "s", not_negative, preset("0.0"), "",
     "time between two states written; 0: only the last", {}},
    {"output", "log_every", T::number, "s", not_negative, preset("0.0"), "",
     "time between two lines of the log; 0: about twenty in a run", {}},
    {"output", "state", T::text, "", not_empty, preset("\"state.h5\""), "", "name of the file of the last state", {}},
};
// clang-format on

// ", above 0", ", from 0 to 1", ", above 0 and at most 1", ", above 0, or inf"; lead is the comma.
std::string bounds_text(const KeyBounds& b, const char* lead) {
    const bool from_below = b.lower > -inf, from_above = b.upper < inf;
    if (from_below && from_above && !b.lower_open && !b.upper_open)
        return fmt::format("{}from {} to {}", lead, b.lower, b.upper);
    std::string s;
    if (from_below) s = fmt::format("{}{} {}", lead, b.lower_open ? "above" : "at least", b.lower);
    if (from_above)
        s += fmt::format("{}{} {}", from_below ? " and " : lead, b.upper_open ? "below" : "at most", b.upper);
    if (!from_above && !b.upper_open) s += ", or inf";
    return s;
}

}  // namespace

bool KeyBounds::accept(double v) const {
    return (lower_open ? v > lower : v >= lower) && (upper_open ? v < upper : v <= upper);
}

std::span<const SectionRow> case_sections() { return sections; }
std::span<const KeyRow> case_keys() { return keys; }

const SectionRow* find_section(const std::string& name) {
    const auto it =
        std::find_if(std::begin(sections), std::end(sections), [&](const SectionRow& s) { return s.name == name; });
    return it == std::end(sections) ? nullptr : it;
}

const KeyRow* find_key(const std::string& section, const std::string& name) {
    const auto it = std::find_if(std::begin(keys), std::end(keys),
                                 [&](const KeyRow& k) { return k.section == section && k.name == name; });
    return it == std::end(keys) ? nullptr : it;
}

std::vector<std::string> split_list(const char* list) {
    std::vector<std::string> words;
    for (const char* c = list; *c != '\0';) {
        const std::size_t n = std::strcspn(c, "|");
        words.emplace_back(c, n);
        c += n + (c[n] == '|' ? 1 : 0);
    }
    return words;
}

bool belongs(const KeyRow& key, const std::string& selected) {
    const std::vector<std::string> only = split_list(key.extra.only);
    return only.empty() || std::find(only.begin(), only.end(), selected) != only.end();
}

std::string describe_expected(const KeyRow& key) {
    const std::string unit = *key.unit ? fmt::format(" in {}", key.unit) : "";
    switch (key.type) {
        case T::number: return "a number" + unit + bounds_text(key.bounds, ", ");
        case T::number_or_auto: return "\"auto\" or a number" + unit + bounds_text(key.bounds, ", ");
        case T::integer: return "an integer" + bounds_text(key.bounds, ", ");
        case T::boolean: return "true or false";
        case T::text: return key.bounds.lower > 0 ? "a string that is not empty" : "a string";
        case T::choice: return listed_or(split_list(key.extra.choices));
        case T::choices: return "a list with none, some or all of " + listed(quoted(split_list(key.extra.choices)));
        case T::texts:
            return key.bounds.lower == key.bounds.upper ? fmt::format("a list of {} strings", key.bounds.lower)
                                                        : "a list of strings";
        case T::vec3: return "three numbers [x, y, z]" + unit + bounds_text(key.bounds, ", each ");
        case T::int3: return "three integers [nx, ny, nz]" + bounds_text(key.bounds, ", each ");
    }
    return "?";
}

}  // namespace granary
