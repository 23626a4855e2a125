#include "io/case.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include "io/case_check.hpp"
#include "io/case_rules.hpp"
#include "io/case_section.hpp"
#include "io/case_set.hpp"

namespace granary {
namespace {

RunSpec read_run(const CaseSection& s) {
    RunSpec run;
    run.dt = s.number("dt");
    run.steps = s.maybe_integer("steps");
    run.time = s.maybe_number("time");
    run.seed = static_cast<std::uint64_t>(s.integer("seed"));
    run.detector = s.choice_of<DetectorSpec>("detector");
    run.skin = s.maybe_number("skin");
    run.rebuild_every = s.integer("rebuild_every");
    run.rebalance_every = s.integer("rebalance_every");
    run.slab_axis = s.choice("slab_axis");
    return run;
}

Domain read_domain(const CaseSection& s) {
    Domain domain{s.vec3("lower"), s.vec3("upper"), {}};
    for (const int axis : s.choices("periodic")) domain.periodic[static_cast<std::size_t>(axis)] = true;
    return domain;
}

LawSpec read_law(const CaseSection& s) {
    LawSpec law;
    law.type = s.choice_of<LawType>("type");
    law.attraction = s.boolean("attraction");
    law.damper_may_pull = s.boolean("damper_may_pull");
    law.restitution_mixing = s.choice_of<MixingSpec>("restitution_mixing");
    law.friction_mixing = s.choice_of<MixingSpec>("friction_mixing");
    law.stiffness_mixing = s.choice_of<MixingSpec>("stiffness_mixing");
    law.damping_mixing = s.choice_of<MixingSpec>("damping_mixing");
    law.cohesion_mixing = s.choice_of<MixingSpec>("cohesion_mixing");
    return law;
}

ContactSpec read_contact(const CaseSection& s) {
    return {s.maybe_number("restitution"),     s.maybe_number("friction"), s.maybe_number("stiffness"),
            s.maybe_number("stiffness_ratio"), s.maybe_number("damping"),  s.maybe_number("cohesion")};
}

MaterialSpec read_material(const CaseSection& s) {
    return {s.text("name"),
            s.maybe_number("density"),
            s.maybe_number("young"),
            s.maybe_number("poisson"),
            read_contact(s),
            false,
            false};
}

PairSpec read_pair(const CaseSection& s) {
    std::vector<std::string> names = s.texts("materials");
    names.resize(2);
    return {names[0], names[1], read_contact(s)};
}

RadiusSpec read_radii(const CaseSection& s) {
    return {s.maybe_number("radius"), s.maybe_number("radius_min"), s.maybe_number("radius_max")};
}

BodiesSpec read_bodies(const CaseSection& s) {
    BodiesSpec b;
    b.source = s.choice_of<BodySource>("source");
    b.name = s.text("name");
    b.material = s.text("material");
    b.lower = s.vec3("lower");
    b.upper = s.vec3("upper");
    b.spacing = s.maybe_number("spacing");
    b.counts = s.maybe_int3("counts");
    b.jitter = s.number("jitter");
    b.count = s.integer("count");
    b.file = s.text("file");
    b.radii = read_radii(s);
    b.velocity = s.vec3("velocity");
    b.spin = s.vec3("spin");
    return b;
}

InsertSpec read_insert(const CaseSection& s) {
    InsertSpec i;
    i.name = s.text("name");
    i.material = s.text("material");
    i.lower = s.vec3("lower");
    i.upper = s.vec3("upper");
    i.total = s.integer("total");
    i.per_event = s.integer("per_event");
    i.interval = s.number("interval");
    i.start = s.number("start");
    i.trials = s.integer("trials");
    i.radii = read_radii(s);
    i.velocity = s.vec3("velocity");
    return i;
}

WallSpec read_wall(const CaseSection& s) {
    WallSpec w;
    w.type = s.choice_of<WallType>("type");
    w.name = s.text("name");
    w.material = s.text("material");
    w.point = s.vec3("point");
    w.normal = s.vec3("normal");
    w.centre = s.vec3("centre");
    w.corner = s.vec3("corner");
    w.edge_a = s.vec3("edge_a");
    w.edge_b = s.vec3("edge_b");
    w.bottom = s.vec3("bottom");
    w.top = s.vec3("top");
    w.radius = s.number("radius");
    w.inner_radius = s.number("inner_radius");
    w.outer_radius = s.number("outer_radius");
    w.bottom_radius = s.number("bottom_radius");
    w.top_radius = s.number("top_radius");
    return w;
}

Outlet read_outlet(const CaseSection& s) {
    Outlet o{s.text("name"), s.vec3("point"), s.vec3("normal")};
    const double length = norm(o.normal);
    if (length > 0) o.normal = (1.0 / length) * o.normal;
    return o;
}

OutputSpec read_output(const CaseSection& s) { return {s.number("every"), s.number("log_every"), s.text("state")}; }

class CaseReader {
  public:
    CaseReader(const TomlNode& root, const CaseReport& report) : root_(root), report_(report) {}

    Case read() const {
        Case c;
        const CaseSection top(&root_, "", "", report_);
        c.title = top.text("title");
        c.gravity = top.vec3("gravity");
        c.run = read_run(single("run"));
        c.domain = read_domain(single("domain"));
        c.law = read_law(single("law"));
        repeated("materials", c.materials, read_material);
        repeated("pairs", c.pairs, read_pair);
        repeated("bodies", c.bodies, read_bodies);
        repeated("insert", c.insert, read_insert);
        repeated("walls", c.walls, read_wall);
        repeated("outlets", c.outlets, read_outlet);
        c.output = read_output(single("output"));
        return c;
    }

  private:
    CaseSection single(const char* name) const { return {root_.find(name), name, name, report_}; }

    template <class T> void repeated(const char* name, std::vector<T>& all, T (*read_one)(const CaseSection&)) const {
        const TomlNode* list = root_.find(name);
        if (!list || list->kind != TomlNode::Kind::array) return;
        for (std::size_t i = 0; i < list->items.size(); ++i)
            all.push_back(read_one(CaseSection(&list->items[i], name, fmt::format("{}[{}]", name, i), report_)));
    }

    const TomlNode& root_;
    const CaseReport& report_;
};

void mark_uses(Case& c) {
    for (MaterialSpec& m : c.materials) {
        const auto uses = [&](const auto& thing) { return thing.material == m.name; };
        m.of_balls =
            std::any_of(c.bodies.begin(), c.bodies.end(), uses) || std::any_of(c.insert.begin(), c.insert.end(), uses);
        m.of_walls = std::any_of(c.walls.begin(), c.walls.end(), uses);
    }
}

}  // namespace

std::int64_t RunSpec::n_steps() const { return steps ? *steps : std::llround(time.value_or(0.0) / dt); }

std::array<std::int64_t, 3> BodiesSpec::lattice_counts() const {
    if (counts) return *counts;
    std::array<std::int64_t, 3> n{};
    for (int axis = 0; axis < 3; ++axis) {
        // A box of exactly n cells must hold n in spite of rounding.
        const double cells = (at(upper, axis) - at(lower, axis)) / spacing.value_or(1.0);
        const double whole = std::floor(cells + 1e-9 * std::max(1.0, cells));
        n[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(std::clamp(whole, 0.0, 1e15));
    }
    return n;
}

Vec3d BodiesSpec::lattice_spacing() const {
    if (!counts) return {spacing.value_or(0.0), spacing.value_or(0.0), spacing.value_or(0.0)};
    const Vec3d size = upper - lower;
    return {size.x / static_cast<double>((*counts)[0]), size.y / static_cast<double>((*counts)[1]),
            size.z / static_cast<double>((*counts)[2])};
}

double Case::largest_radius() const {
    double r = 0;
    for (const BodiesSpec& b : bodies) r = std::max(r, b.radii.largest());
    for (const InsertSpec& i : insert) r = std::max(r, i.radii.largest());
    return r;
}

Case read_case(const std::string& text, const std::string& file_name, const std::vector<std::string>& sets) {
    TomlNode root;
    try {
        root = parse_toml(text);
    } catch (const TomlSyntaxError& e) {
        throw CaseError({{e.place.line, e.place.column, "", "not valid TOML: " + e.message, ""}}, file_name);
    }
    CaseReport report(root, sets);
    apply_sets(root, sets, report);
    check_keys(root, report);
    Case c = CaseReader(root, report).read();
    mark_uses(c);
    check_rules(c, report);
    if (!report.problems().empty()) throw CaseError(report.problems(), file_name);

    const std::filesystem::path folder = std::filesystem::path(file_name).parent_path();
    for (BodiesSpec& b : c.bodies)
        if (!b.file.empty()) b.file = (folder / b.file).lexically_normal().string();
    return c;
}

std::string read_case_text(const std::string& file_name) {
    const auto fail = [&](const std::string& why) {
        throw CaseError({{0, 0, "", "cannot be read: " + why, ""}}, file_name);
    };
    std::error_code ignored;
    if (std::filesystem::is_directory(file_name, ignored)) fail("it is a folder");
    errno = 0;
    std::ifstream file(file_name, std::ios::binary);
    if (!file) fail(errno ? std::strerror(errno) : "unknown reason");
    std::ostringstream text;
    text << file.rdbuf();
    if (file.bad()) fail("reading stopped half-way");
    return text.str();
}

}  // namespace granary
