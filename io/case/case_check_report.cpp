#include "io/case/case_check_report.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "io/case/case_schema.hpp"
#include "io/formats/amounts.hpp"
#include "io/log/warnings.hpp"

namespace granary {
namespace {

// Lines of cells, each column as wide as its widest cell; the first column to the left, numbers to the right.
class TextTable {
  public:
    explicit TextTable(std::vector<std::string> header, std::size_t n_left = 1) : n_left_(n_left) {
        rows_.push_back(std::move(header));
    }
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

    std::string text() const {
        std::vector<std::size_t> width(rows_.front().size(), 0);
        for (const auto& row : rows_)
            for (std::size_t k = 0; k < row.size(); ++k) width[k] = std::max(width[k], columns_of(row[k]));
        std::string s;
        for (const auto& row : rows_) {
            std::string line;
            for (std::size_t k = 0; k < row.size(); ++k) {
                const std::string blanks(width[k] - columns_of(row[k]), ' ');
                line += fmt::format("  {}{}", k < n_left_ ? row[k] : blanks, k < n_left_ ? blanks : row[k]);
            }
            line.erase(line.find_last_not_of(' ') + 1);
            s += line + '\n';
        }
        return s;
    }

  private:
    std::size_t n_left_;
    std::vector<std::vector<std::string>> rows_;
};

std::string fact(const char* name, const std::string& text) { return fmt::format("{:<12}{}\n", name, text); }

std::string sig(double v, int digits = 4) { return fmt::format("{:.{}g}", v, digits); }

std::string balls_text(const CheckReport::Balls& b) {
    const std::string radii = b.radius_min == b.radius_max
                                  ? si_text(b.radius_min, "m")
                                  : fmt::format("{} to {}", si_text(b.radius_min, "m"), si_text(b.radius_max, "m"));
    return fmt::format("{} of radius {}, {} kg", count_text(b.count), radii, sig(b.mass));
}

// Mean by number, and the diameter below which half of the mass is.
std::string sizes_text(const CheckReport::Sizes& z) {
    const SizeDistribution& d = z.radii;
    return fmt::format("{}: {}; mean radius {}, half of the mass is in balls up to {}, largest over smallest {}",
                       printable(z.source), d.text(), si_text(d.moment(1), "m"), si_text(d.radius_by_mass(0.5), "m"),
                       sig(d.largest / d.smallest, 3));
}

std::string domain_text(const Domain& d) {
    std::string s;
    for (int axis = 0; axis < 3; ++axis)
        s += fmt::format("{}{} {} to {} m{}", axis == 0 ? "" : ", ", "xyz"[axis], sig(at(d.lower, axis), 6),
                         sig(at(d.upper, axis), 6), d.periodic[static_cast<std::size_t>(axis)] ? " (periodic)" : "");
    return s;
}

std::string mesh_text(const CheckReport::MeshWall& m) {
    std::string s = fmt::format("\"{}\": {} triangles in {}, {} corners, {} edges, {}; ", printable(m.wall),
                                count_text(m.triangles), m.parts == 1 ? "one piece" : count_text(m.parts) + " pieces",
                                count_text(m.corners), count_text(m.edges),
                                m.open_edges == 0 ? "closed" : count_text(m.open_edges) + " of them open");
    return s + domain_text({m.lower, m.upper, {}});
}

std::string cubes_text(const CheckReport::Grid& c) {
    const bool one_edge = c.edge.x == c.edge.y && c.edge.y == c.edge.z;
    const std::string edge =
        one_edge ? si_text(c.edge.x, "m")
                 : fmt::format("{} x {} x {}", si_text(c.edge.x, "m"), si_text(c.edge.y, "m"), si_text(c.edge.z, "m"));
    return fmt::format("{} x {} x {} of {}, skin {}; slabs along {}", c.count[0], c.count[1], c.count[2], edge,
                       si_text(c.skin, "m"), "xyz"[c.slab_axis]);
}

std::string material_table(const CheckReport& r) {
    TextTable t({"material", "smallest radius", "Rayleigh time", "dt is"});
    for (const MaterialScale& m : r.materials)
        t.add({printable(m.material), si_text(m.smallest_radius, "m"), si_text(m.rayleigh_time, "s"),
               percent_text(r.dt / m.rayleigh_time)});
    return t.text();
}

// Columns that a law has no use for are left out.
std::string pair_table(const CheckReport& r) {
    const LawFacts law = facts_of(r.law);
    const bool friction = law.uses(Quantity::friction), pulls = law.uses(Quantity::cohesion);
    const auto any = [&](double PairValues::*value) {
        return std::any_of(r.pairs.begin(), r.pairs.end(), [&](const PairScale& p) { return p.values.*value > 0; });
    };
    const bool rolling = any(&PairValues::rolling_friction), cohesive = any(&PairValues::cohesion_density);
    std::vector<std::string> header = {"pair", "between"};
    if (law.elastic_moduli) header.insert(header.end(), {"E* Pa", "G* Pa"});
    if (friction) header.insert(header.end(), {"restitution", "friction"});
    if (rolling) header.emplace_back("rolling friction");
    if (cohesive) header.emplace_back("cohesion J/m^3");
    header.insert(header.end(), {"damping", "k N/m", "c N s/m"});
    if (pulls) header.emplace_back("cohesion N");
    header.insert(header.end(), {"overlap", "contact time", "dt is"});
    TextTable t(header, 2);
    for (const PairScale& p : r.pairs) {
        const PairValues& v = p.values;
        std::vector<std::string> row = {printable(p.first + " - " + p.second), p.at_wall ? "ball, wall" : "balls"};
        if (law.elastic_moduli) row.insert(row.end(), {sig(v.young), sig(v.shear)});
        if (friction) row.insert(row.end(), {sig(v.restitution), sig(v.friction)});
        if (rolling) row.push_back(sig(v.rolling_friction));
        if (cohesive) row.push_back(sig(v.cohesion_density));
        row.insert(row.end(), {sig(p.zeta), sig(p.stiffness), sig(p.damping)});
        if (pulls) row.push_back(sig(v.cohesion));
        row.insert(row.end(),
                   {percent_text(p.overlap_share), si_text(p.contact_time, "s"), percent_text(r.dt / p.contact_time)});
        t.add(row);
    }
    return t.text();
}

std::string bond_table(const CheckReport& r) {
    TextTable t(
        {"bond", "cluster", "smallest radius", "length", "bonds per element", "fastest mode", "stable step", "dt is"}, 2);
    for (const CheckReport::BondKind& b : r.bonds)
        t.add({printable(b.bond), printable(b.cluster), si_text(b.radius, "m"), si_text(b.length, "m"),
               fmt::format("{:.0f}", b.partners), b.swing, si_text(b.stable_step, "s"),
               percent_text(r.dt / b.stable_step)});
    return t.text();
}

std::string bonds_text(const CheckReport& r) {
    const std::string clusters =
        r.n_clusters > 0 ? fmt::format(" in {} clusters", count_text(static_cast<std::uint64_t>(r.n_clusters))) : "";
    return fmt::format("{}{}; when stretched they span gaps up to {}",
                       count_text(static_cast<std::uint64_t>(r.n_bonds)), clusters, si_text(r.bond_reach, "m"));
}

// What is known of the length of a stage: exactly so long, about, or only at most.
std::string how_surely(const StagePlan& s) {
    if (!s.may_end_early || !(s.length() > 0)) return "";
    return s.expected > 0 && s.expected != s.time ? "about " : "at most ";
}

// Without the fraction of a step by which whole steps are longer than the time of the case.
std::string time_text(double time) { return time < 1e4 ? sig(time) : fmt::format("{:.0f}", time); }

std::string length_text(const StagePlan& s) {
    if (!(s.length() > 0)) return "no limit";
    const bool estimated = how_surely(s) == "about ";
    std::string text = fmt::format("{}{} s", how_surely(s), estimated ? sig(s.length(), 3) : time_text(s.length()));
    if (estimated && s.time > 0) text += fmt::format(", at most {} s", time_text(s.time));
    return text;
}

std::string stage_table(const CheckReport& r) {
    TextTable t({"stage", "time", "dt", "steps", "balls"});
    for (const StagePlan& s : r.stages) {
        t.add({printable(s.name), length_text(s), si_text(s.dt, "s"),
               s.length() > 0 ? how_surely(s) + count_text(s.steps()) : "no limit",
               fmt::format("{} to {}", count_text(s.balls_begin), count_text(s.balls_end))});
    }
    return t.text();
}

std::string disk_text(const CheckReport& r) {
    const auto one = [](const char* name, const CheckReport::Files& f) {
        return fmt::format("{} {}{} of {}", f.count, name, f.count == 1 ? "" : "s", bytes_text(f.bytes_each));
    };
    const auto all = [](const CheckReport::Files& f) { return static_cast<double>(f.count) * f.bytes_each; };
    double probes = 0;
    for (const CheckReport::ProbeFiles& p : r.probes) probes += p.bytes;
    std::string s =
        fmt::format("at most {}: {}, {}", bytes_text(all(r.states) + all(r.frames) + all(r.checkpoints) + probes),
                    one("state", r.states), one("frame", r.frames));
    if (r.checkpoints.count > 0) s += ", " + one("checkpoint", r.checkpoints);
    if (!r.probes.empty()) s += fmt::format(", {} of probes", bytes_text(probes));
    return s;
}

std::string work_text(const CheckReport& r) {
    const auto any = [&](auto&& of) { return std::any_of(r.stages.begin(), r.stages.end(), of); };
    const char* how = any([](const StagePlan& s) { return how_surely(s) == "about "; }) ? "about "
                      : any([](const StagePlan& s) { return s.may_end_early; })         ? "at most "
                                                                                        : "";
    std::string s = fmt::format("{}{} steps, {} ball-steps", how, count_text(r.steps()), sig(r.ball_steps(), 3));
    if (r.core_speed > 0)
        s += fmt::format("; about {} core-hours at {} ball-steps/s per core{}",
                         sig(core_hours(r.cost * r.ball_steps(), r.core_speed), 2), sig(r.core_speed, 2),
                         r.speed_source.empty() ? "" : ", " + r.speed_source);
    if (r.core_speed > 0 && r.cost > 1)
        s += fmt::format(" (a step of a body here counts as {} of a ball: shapes)", sig(r.cost, 2));
    for (const StagePlan& stage : r.stages) {
        if (stage.length() > 0 || !(stage.dt > 0)) continue;
        StagePlan second = stage;
        second.expected = 1, second.balls_end = stage.balls_begin;
        s += fmt::format("; the stage \"{}\" has no time limit and is not included: {} steps", printable(stage.name),
                         count_text(second.steps()));
        if (r.core_speed > 0)
            s += fmt::format(", {} core-hours", sig(core_hours(r.cost * second.ball_steps(), r.core_speed), 2));
        s += " per simulated second";
    }
    return s;
}

std::string wall_time_text(const CheckReport& r) {
    const double s = wall_seconds(r.cost * r.ball_steps(), r.core_speed, r.ranks, r.cubes.filled_layers);
    const std::string time = s < 90            ? sig(s, 2) + " s"
                             : s < 90 * 60     ? sig(s / 60, 2) + " min"
                             : s < 48 * 3600.0 ? sig(s / 3600, 2) + " h"
                                               : sig(s / 86400, 2) + " days";
    return fmt::format("about {} on {} rank{}, each on a core of that speed", time, r.ranks, r.ranks == 1 ? "" : "s");
}

// How to use the cores that are here.
std::string cores_text(const CheckReport& r) {
    const int layers = r.cubes.filled_layers;
    const RanksAndThreads best = best_shares(r.cores, layers, r.has_threads);
    const auto command = [](const RanksAndThreads& s) {
        return (s.ranks > 1 ? fmt::format("mpirun -n {} granary run", s.ranks) : "granary run") +
               (s.threads > 1 ? fmt::format(" --threads {}", s.threads) : "");
    };
    std::string s =
        fmt::format("{} {} core{}: best used by {}", r.core_giver, r.cores, r.cores == 1 ? "" : "s", command(best));
    if (best.ranks * best.threads < r.cores)
        s += fmt::format(", which leaves {} idle", r.cores - best.ranks * best.threads);
    const RanksAndThreads other = best_shares(r.cores, layers, true);
    if (!r.has_threads && other.layers < 0.9 * best.layers)
        s += fmt::format("; a build with threads (jobs/setup --threads) by {}, {:.1f} times as fast", command(other),
                         best.layers / other.layers);
    return s;
}

}  // namespace

Memory CheckReport::memory() const {
    Memory m = memory_of(balls.count, detector_bytes, n_wall_balls);
    const Memory more = memory_of_bonds(n_bonds, n_bonds > 0 ? static_cast<double>(balls.count) : 0, spring_bonds);
    return {m.steady + more.steady + steady_bytes_a_shape * all_shapes,
            m.peak + more.peak + peak_bytes_a_shape * all_shapes};
}

double CheckReport::ball_steps() const {
    double sum = 0;
    for (const StagePlan& s : stages) sum += s.ball_steps();
    return sum;
}

std::uint64_t CheckReport::steps() const {
    std::uint64_t sum = 0;
    for (const StagePlan& s : stages) sum += s.steps();
    return sum;
}

std::vector<std::string> warnings_of(const CheckReport& r) {
    std::vector<std::string> w;
    for (const MaterialScale& m : r.materials) {
        const double share = r.dt / m.rayleigh_time;
        if (share > careful_rayleigh_share)
            w.push_back(fmt::format(
                "dt is {} of the Rayleigh time of {}; above {} contacts are resolved poorly{}", percent_text(share),
                m.material, percent_text(careful_rayleigh_share),
                share > largest_rayleigh_share
                    ? fmt::format(", above {} a run is likely to blow up", percent_text(largest_rayleigh_share))
                    : ""));
    }
    for (const PairScale& p : r.pairs) {
        const std::string pair = fmt::format("{} - {}", p.first, p.second);
        if (r.dt / p.contact_time > largest_contact_share)
            w.push_back(fmt::format("dt is {} of the contact time of {}; above {} a run is likely to blow up",
                                    percent_text(r.dt / p.contact_time), pair, percent_text(largest_contact_share)));
        if (r.dt / p.stable_step > largest_stable_share)
            w.push_back(fmt::format(
                "dt is {} of the step above which tangential and rolling springs of {} become unstable; above {} "
                "a run is likely to blow up",
                percent_text(r.dt / p.stable_step), pair, percent_text(largest_stable_share)));
        if (p.overlap_share > hit_worth_a_warning)
            w.push_back(
                fmt::format("{} overlap by {} of a radius on impact at {} m/s; above {} the law is only "
                            "approximate; use a higher stiffness",
                            pair, percent_text(p.overlap_share), sig(r.speed, 3), percent_text(hit_worth_a_warning)));
        if (p.zeta >= 1)
            w.push_back(
                fmt::format("{} are overdamped (damping {} of critical): they do not rebound", pair, sig(p.zeta, 3)));
    }
    for (const CheckReport::BondKind& b : r.bonds)
        if (r.dt / b.stable_step > largest_stable_share)
            w.push_back(
                fmt::format("dt is {} of the step above which bonds \"{}\" of \"{}\" become unstable; above {} a run "
                            "is likely to blow up",
                            percent_text(r.dt / b.stable_step), b.bond, b.cluster, percent_text(largest_stable_share)));
    const Memory memory = r.memory();
    if (r.machine_memory > 0 && memory.peak > r.machine_memory)
        w.push_back(fmt::format("the run needs {} of memory at its peak, {} {}: use more machines",
                                bytes_text(memory.peak), r.memory_giver, bytes_text(r.machine_memory)));
    if (r.ranks > most_ranks(r.cubes.filled_layers))
        w.push_back(fmt::format("{} ranks are too many for this case: use at most {}", r.ranks,
                                most_ranks(r.cubes.filled_layers)));
    return w;
}

std::string check_text(const CheckReport& r) {
    std::string s = printable(r.file);
    if (!r.title.empty()) s += ": " + printable(r.title);
    s += '\n';
    s += fact("balls", balls_text(r.balls));
    for (const CheckReport::Sizes& z : r.sizes)
        if (z.radii.smallest < z.radii.largest) s += fact("sizes", sizes_text(z));
    for (const std::string& cluster : r.clusters) s += fact("cluster", printable(cluster));
    for (const std::string& hold : r.holds) s += fact("hold", printable(hold));
    for (std::size_t k = 0; k < r.shapes.size(); ++k)
        s += fact("shape", printable(r.shapes[k]) +
                               (k < r.n_shapes.size()
                                    ? fmt::format("; {} grains", count_text(static_cast<std::uint64_t>(r.n_shapes[k])))
                                    : ""));
    if (r.n_bonds > 0) s += fact("bonds", bonds_text(r));
    s += fact("walls", fmt::format("{}{}, outlets {}", r.n_walls,
                                   r.n_wall_balls > 0 ? fmt::format(" with {} wall balls, which never move",
                                                                    count_text(r.n_wall_balls))
                                                      : "",
                                   r.n_outlets));
    for (const std::string& motion : r.motions) s += fact("motion", printable(motion));
    for (const CheckReport::MeshWall& m : r.meshes) s += fact("mesh", mesh_text(m));
    for (const std::string& fill : r.fills) s += fact("filling", printable(fill));
    s += fact("domain", domain_text(r.domain));
    s += fact("cells", cubes_text(r.cubes));
    if (!r.detector.empty()) s += fact("detector", r.detector);
    s += fact("law", fmt::format("{}; contacts below: smallest balls, impact at {} m/s",
                                 choice_word("law", "type", static_cast<std::size_t>(r.law)), sig(r.speed, 3)));
    s += fact("dt", fmt::format("{} s{}", sig(r.dt, 6), r.dt_chosen ? " (chosen by dt = \"auto\")" : ""));
    if (!r.materials.empty()) s += '\n' + material_table(r);
    if (!r.pairs.empty()) s += '\n' + pair_table(r);
    if (!r.bonds.empty()) s += '\n' + bond_table(r);
    if (!r.stages.empty()) s += '\n' + stage_table(r);
    s += '\n';

    const Memory memory = r.memory();
    s += fact(
        "memory",
        fmt::format(
            "{}, {} at the peak ({} and {} bytes per ball{}){}", bytes_text(memory.steady), bytes_text(memory.peak),
            steady_bytes_a_ball + r.detector_bytes, peak_bytes_a_ball + r.detector_bytes,
            r.n_bonds > 0
                ? fmt::format(
                      ", and {} of bonds",
                      bytes_text(memory_of_bonds(r.n_bonds, static_cast<double>(r.balls.count), r.spring_bonds).peak))
                : "",
            r.machine_memory > 0 ? fmt::format("; {} {}", r.memory_giver, bytes_text(r.machine_memory)) : ""));
    for (const CheckReport::ProbeFiles& p : r.probes) s += fact("probe", printable(p.text));
    s += fact("disk", disk_text(r));
    for (const std::string& estimate : r.estimates) s += fact("estimate", printable(estimate));
    s += fact("work", work_text(r));
    if (r.core_speed > 0) s += fact("wall time", wall_time_text(r));
    s += fact("ranks", fmt::format("at most {} are useful ({} layers of search cells with balls, two per rank)",
                                   most_ranks(r.cubes.filled_layers), r.cubes.filled_layers));
    if (r.cores > 0) s += fact("cores", cores_text(r));

    std::vector<std::string> warnings = warnings_of(r);
    warnings.insert(warnings.begin(), r.warnings.begin(), r.warnings.end());
    for (const std::string& w : warnings) s += fmt::format("warning: {}\n", printable(w));
    if (warnings.empty()) s += "no warnings\n";
    return s;
}

}  // namespace granary
