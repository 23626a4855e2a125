// Rules about names, the run, and what a law needs to know of materials. Geometry is in case_geometry.cpp.
#include "io/case/case_rules.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include "contact/laws.hpp"
#include "io/case/case_schema.hpp"
#include "io/formats/words.hpp"

namespace granary {
namespace {

constexpr double most_trials = 1e8;  // places tried at one event

std::vector<std::string> material_names(const Case& c) {
    std::vector<std::string> names;
    for (const MaterialSpec& m : c.materials) names.push_back(m.name);
    return names;
}

template <class All> void names_differ(const char* section, const All& all, CaseReport& report) {
    std::map<std::string, std::string> first;  // name -> key
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string key = fmt::format("{}[{}].name", section, i);
        if (all[i].name.empty()) continue;
        const auto [it, is_new] = first.emplace(all[i].name, key);
        if (!is_new)
            report.add_at(
                key, fmt::format("{} is used twice (expected another name, got \"{}\", already used by {} in {})", key,
                                 all[i].name, it->second.substr(0, it->second.find('.')), report.where(it->second)));
    }
}

// selector: the key that decides whether there is to be a material at all.
void known_material(const std::string& key, const std::string& name, const Case& c, CaseReport& report,
                    const std::string& selector = "") {
    const std::vector<std::string> names = material_names(c);
    for (const std::string& n : names)
        if (n == name) return;
    const std::string near = nearest(name, names);
    report.add_at(key,
                  fmt::format("{} names an unknown material (expected {}, got \"{}\"{})", key, listed_or(names), name,
                              near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)),
                  {"materials[].name", selector});
}

template <class All> void known_materials(const char* section, const All& all, const Case& c, CaseReport& report) {
    for (std::size_t i = 0; i < all.size(); ++i)
        known_material(fmt::format("{}[{}].material", section, i), all[i].material, c, report);
}

template <class All> void known_mixtures(const char* section, const All& all, const Case& c, CaseReport& report) {
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const std::string& name : all[i].mix.mixed_with)
            known_material(fmt::format("{}[{}].mixed_with", section, i), name, c, report);
}

const PairSpec* find_pair(const Case& c, const MaterialSpec& a, const MaterialSpec& b) {
    for (const PairSpec& p : c.pairs)
        if ((p.first == a.name && p.second == b.name) || (p.first == b.name && p.second == a.name)) return &p;
    return nullptr;
}

// What must be known of a pair.
struct Need {
    const char* key;
    std::optional<double> ContactSpec::*value;
};

// What a law uses and what has no default.
std::vector<Need> needs_of(LawType law) {
    const std::pair<Quantity, Need> without_default[] = {
        {Quantity::restitution, {"restitution", &ContactSpec::restitution}},
        {Quantity::friction, {"friction", &ContactSpec::friction}},
        {Quantity::stiffness, {"stiffness", &ContactSpec::stiffness}},
        {Quantity::damping, {"damping", &ContactSpec::damping}},
    };
    const LawFacts facts = facts_of(law);
    std::vector<Need> needs;
    for (const auto& [quantity, need] : without_default)
        if (facts.uses(quantity)) needs.push_back(need);
    return needs;
}

std::string law_name(LawType type) { return choice_word("law", "type", static_cast<std::size_t>(type)); }

std::string material_key(std::size_t i, const char* key) { return fmt::format("materials[{}].{}", i, key); }

void needs(std::size_t i, const char* key, const std::string& reason, CaseReport& report,
           const std::vector<std::string>& others = {}) {
    report.add_at(material_key(i, key),
                  fmt::format("{} is missing (expected {}; {})", material_key(i, key),
                              describe_expected(*find_key("materials", key)), reason),
                  others);
}

void check_own_values(const Case& c, CaseReport& report) {
    const std::string for_law = fmt::format("needed by law.type = \"{}\"", law_name(c.law.type));
    for (std::size_t i = 0; i < c.materials.size(); ++i) {
        const MaterialSpec& m = c.materials[i];
        if (m.of_balls && !m.density) needs(i, "density", "needed for balls", report, {material_key(i, "name")});
        if (facts_of(c.law.type).elastic_moduli && (m.of_balls || m.of_walls)) {
            if (!m.young) needs(i, "young", for_law, report, {"law.type", material_key(i, "name")});
            if (!m.poisson) needs(i, "poisson", for_law, report, {"law.type", material_key(i, "name")});
        }
        const auto finite = [&](const char* key, const std::optional<double>& value) {
            if (m.of_balls && value && std::isinf(*value))
                report.add_at(material_key(i, key),
                              fmt::format("{} is infinite (expected a finite number for a material of "
                                          "balls)",
                                          material_key(i, key)));
        };
        finite("young", m.young);
        finite("stiffness", m.contact.stiffness);
    }
}

// What the additions to a law want, with the key that asks for it.
std::vector<std::pair<Need, std::string>> needs_of_additions(const LawSettings& law) {
    std::vector<std::pair<Need, std::string>> needs;
    if (law.rolling != LawSettings::Rolling::none)
        needs.push_back({{"rolling_friction", &ContactSpec::rolling_friction}, "rolling"});
    if (law.cohesion != LawSettings::Cohesion::none)
        needs.push_back({{"cohesion_density", &ContactSpec::cohesion_density}, "cohesion"});
    return needs;
}

void check_pair_values(const Case& c, std::size_t i, std::size_t j, CaseReport& report) {
    const MaterialSpec &a = c.materials[i], &b = c.materials[j];
    const PairSpec* pair = find_pair(c, a, b);
    for (const Need& need : needs_of(c.law.type)) {
        if (pair && pair->contact.*need.value) continue;
        const std::vector<std::string> others = {"law.type", "materials[].name", "pairs[].materials",
                                                 fmt::format("pairs[].{}", need.key)};
        for (const std::size_t k : {i, j})
            if (!(c.materials[k].contact.*need.value))
                needs(k, need.key,
                      fmt::format("needed by law.type = \"{}\", here or in [[pairs]] for \"{}\" and \"{}\"",
                                  law_name(c.law.type), a.name, b.name),
                      report, others);
    }
    for (const auto& [need, key] : needs_of_additions(c.law)) {
        if (pair && pair->contact.*need.value) continue;
        for (const std::size_t k : {i, j})
            if (!(c.materials[k].contact.*need.value))
                needs(k, need.key,
                      fmt::format("needed by law.{}, here or in [[pairs]] for \"{}\" and \"{}\"", key, a.name, b.name),
                      report,
                      {"law." + key, "materials[].name", "pairs[].materials", fmt::format("pairs[].{}", need.key)});
    }
    const bool uses_stiffness = facts_of(c.law.type).uses(Quantity::stiffness) && !(pair && pair->contact.stiffness);
    const bool mixes_infinity = c.law.stiffness_mixing == Mixing::mean || c.law.stiffness_mixing == Mixing::geometric;
    if (uses_stiffness && mixes_infinity && std::isinf(b.contact.stiffness.value_or(0.0)))
        report.add_at(
            "law.stiffness_mixing",
            fmt::format("law.stiffness_mixing makes an infinite stiffness (expected \"series\" or \"min\" for "
                        "\"{}\" and \"{}\")",
                        a.name, b.name),
            {material_key(j, "stiffness")});
}

void check_pairs_differ(const Case& c, CaseReport& report) {
    for (std::size_t i = 0; i < c.pairs.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const PairSpec &a = c.pairs[i], &b = c.pairs[j];
            if (!((a.first == b.first && a.second == b.second) || (a.first == b.second && a.second == b.first)))
                continue;
            const std::string key = fmt::format("pairs[{}].materials", i),
                              other = fmt::format("pairs[{}].materials", j);
            report.add_at(
                key,
                fmt::format("{} is given twice (expected one [[pairs]] for \"{}\" and \"{}\", got another in {})", key,
                            a.first, a.second, report.where(other)),
                {other});
            break;
        }
}

// A wall of the file must not have the name of one that the silo makes.
void differ_from_silo(const Case& c, CaseReport& report) {
    const std::size_t n = written_walls(c).size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = n; j < c.walls.size(); ++j) {
            const std::string key = fmt::format("walls[{}].name", i);
            if (c.walls[i].name == c.walls[j].name)
                report.add_at(
                    key,
                    fmt::format("{} is used twice (expected another name, got \"{}\", already used by a wall of the "
                                "silo)",
                                key, c.walls[i].name));
        }
}

// A step must not spend minutes on places to be tried.
void check_trials(const InsertSpec& s, const std::string& path, CaseReport& report) {
    const double n = static_cast<double>(s.per_event.value_or(0)) * static_cast<double>(s.trials);
    if (n > most_trials)
        report.add_at(path + ".per_event",
                      fmt::format("{0}.per_event makes an event too large (expected {0}.per_event times trials to be "
                                  "at most {1:.0e}, got {2:.3g}; insert fewer balls per event, more often)",
                                  path, most_trials, n),
                      {path + ".trials"});
}

}  // namespace

std::span<const WallSpec> written_walls(const Case& c) {
    const auto end = std::find_if(c.walls.begin(), c.walls.end(), [](const WallSpec& w) { return w.of_silo; });
    return {c.walls.begin(), end};
}

void check_names(const Case& c, CaseReport& report) {
    names_differ("materials", c.materials, report);
    names_differ("bonds", c.bonds, report);
    names_differ("clusters", c.clusters, report);
    names_differ("shapes", c.shapes, report);
    names_differ("hold", c.hold, report);
    names_differ("bodies", c.bodies, report);
    names_differ("insert", c.insert, report);
    names_differ("walls", written_walls(c), report);
    differ_from_silo(c, report);
    names_differ("motions", c.motions, report);
    names_differ("outlets", c.outlets, report);
    names_differ("stages", c.stages, report);
    names_differ("probes", c.probes, report);
    known_materials("bodies", c.bodies, c, report);
    known_materials("insert", c.insert, c, report);
    known_mixtures("bodies", c.bodies, c, report);
    known_mixtures("insert", c.insert, c, report);
    known_mixtures("stages", c.stages, c, report);
    known_materials("walls", written_walls(c), c, report);
    if (c.silo) {
        known_material("silo.material", c.silo->material, c, report);
        if (c.silo->gate_material != c.silo->material)
            known_material("silo.gate_material", c.silo->gate_material, c, report);
    }
    for (std::size_t i = 0; i < c.stages.size(); ++i)
        if (c.stages[i].type == StageType::fill)
            known_material(fmt::format("stages[{}].material", i), c.stages[i].material, c, report,
                           fmt::format("stages[{}].type", i));
    for (std::size_t i = 0; i < c.pairs.size(); ++i) {
        const std::string key = fmt::format("pairs[{}].materials", i);
        known_material(key, c.pairs[i].first, c, report);
        if (c.pairs[i].second != c.pairs[i].first) known_material(key, c.pairs[i].second, c, report);
    }
    check_pairs_differ(c, report);
}

void not_below_dt(const std::string& key, double interval, const Case& c, CaseReport& report) {
    std::string dt_key = "run.dt";
    double dt = c.run.dt;  // 0 if it is automatic
    for (std::size_t i = 0; i < c.stages.size(); ++i)
        if (i == 0 || c.stages[i].dt > dt) dt = c.stages[i].dt, dt_key = fmt::format("stages[{}].dt", i);
    if (dt == c.run.dt) dt_key = "run.dt";
    if (interval > 0 && interval < dt)
        report.add_at(key,
                      fmt::format("{} is shorter than a time step (expected at least {} = {}, got {})", key, dt_key, dt,
                                  interval),
                      {"run.dt", "stages[].dt"});
}

void check_run(const Case& c, CaseReport& report) {
    if (!c.run.steps && !c.run.time && c.stages.empty())
        report.add_at("run.steps", "run.steps, run.time or [[stages]] is missing (expected one of them)",
                      {"run.time", "stages"});
    if (c.run.time && !c.run.dt_auto && *c.run.time / c.run.dt > most_steps)
        report.add_at("run.time",
                      fmt::format("run.time is too long (expected at most {:.0e} steps, got {:.0e})", most_steps,
                                  *c.run.time / c.run.dt),
                      {"run.dt"});
    for (std::size_t i = 0; i < c.insert.size(); ++i) {
        not_below_dt(fmt::format("insert[{}].interval", i), c.insert[i].interval.value_or(0), c, report);
        check_trials(c.insert[i], fmt::format("insert[{}]", i), report);
    }
    not_below_dt("output.every", c.output.every, c, report);
    not_below_dt("output.log_every", c.output.log_every, c, report);
    not_below_dt("output.frames_every", c.output.frames_every.value_or(0), c, report);
    not_below_dt("output.series_every", c.output.series_every, c, report);
    if (c.insitu) not_below_dt("insitu.every", c.insitu->every, c, report);
    if (c.insitu && !c.insitu->live.empty()) {
        const std::size_t colon = c.insitu->live.rfind(':');
        int port = 0;
        const char* const end = c.insitu->live.data() + c.insitu->live.size();
        bool whole = false;
        if (colon != std::string::npos && colon > 0) {
            const auto [last, error] = std::from_chars(&c.insitu->live[colon] + 1, end, port);
            whole = last == end && error == std::errc();
        }
        if (!whole || port < 1 || port > 65535)
            report.add_at("insitu.live", fmt::format("insitu.live is not an address (expected host:port, such as "
                                                     "\"localhost:22222\", got \"{}\")",
                                                     c.insitu->live));
    }

    if (c.output.energy && c.run.integrator != Integrator::verlet)
        report.add_at(
            "output.energy",
            "output.energy is not available with this integrator (expected false, or run.integrator = \"verlet\")",
            {"run.integrator"});
    if (c.output.outflow && c.outlets.empty())
        report.add_at("output.outflow",
                      "output.outflow has nothing to write (expected false, or a case with [[outlets]] or a [silo])",
                      {"outlets", "silo"});
    if (c.output.state.find('/') != std::string::npos)
        report.add_at("output.state",
                      fmt::format("output.state is not a file name (expected no \"/\", the folder is given by "
                                  "--out, got \"{}\")",
                                  c.output.state));
    const bool fills =
        std::any_of(c.stages.begin(), c.stages.end(), [](const StageSpec& s) { return s.type == StageType::fill; });
    if (c.bodies.empty() && c.insert.empty() && !fills && !c.start)
        report.add_at("bodies",
                      "the case has no balls (expected a [[bodies]], an [[insert]], a stage of type \"fill\" or a "
                      "[start])",
                      {"insert", "stages", "stages[].type", "start"});
}

void check_materials(const Case& c, CaseReport& report) {
    const LawFacts law = facts_of(c.law.type);
    if (!law.allows_rolling && c.law.rolling != LawSettings::Rolling::none)
        report.add_at(
            "law.rolling",
            fmt::format("law.rolling is not available with this law (expected \"none\" with law.type = \"{}\"{})",
                        law_name(c.law.type), law.rotates ? "" : ", which has no rotation"),
            {"law.type"});
    if (!law.allows_cohesion && c.law.cohesion != LawSettings::Cohesion::none)
        report.add_at(
            "law.cohesion",
            fmt::format("law.cohesion is not available with this law (expected \"none\" with law.type = \"{}\")",
                        law_name(c.law.type)),
            {"law.type"});
    check_own_values(c, report);
    for (std::size_t i = 0; i < c.materials.size(); ++i)
        for (std::size_t j = 0; j < c.materials.size(); ++j) {
            const MaterialSpec &a = c.materials[i], &b = c.materials[j];
            const bool meet = a.of_balls && (b.of_walls || (b.of_balls && j >= i));
            if (meet) check_pair_values(c, i, j, report);
        }
}

}  // namespace granary
