#include "plan/plan.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include "core/elementary.hpp"
#include "plan/bond_plan.hpp"
#include "plan/case_setup.hpp"
#include "plan/census.hpp"
#include "plan/choose_detector.hpp"
#include "plan/corner_depth.hpp"
#include "plan/cluster_plan.hpp"
#include "plan/fill_region.hpp"
#include "plan/motion_plan.hpp"
#include "plan/mesh_walls.hpp"
#include "plan/output_plan.hpp"
#include "plan/plane_plan.hpp"
#include "plan/probe_plan.hpp"
#include "plan/servo_gain.hpp"
#include "plan/start_bodies.hpp"
#include "plan/stage_estimates.hpp"
#include "plan/stage_plan.hpp"
#include "plan/start_state.hpp"
#include "engine/surface_sums.hpp"
#include "core/errors.hpp"
#include "io/case/case_remarks.hpp"
#include "io/formats/amounts.hpp"
#include "plan/core_limit.hpp"
#include "plan/memory_limit.hpp"
#include "plan/shape_plan.hpp"
#include "decomposition/together.hpp"
#include "search/cubes.hpp"

namespace granary {

namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();
constexpr double usual_core_speed = 6e6;  // ball-steps a second, a dense bed with friction on a core of the early 2020s

// The detector, if the case leaves it open, and what is said about it. The same on any number of ranks but for
// rounding, and the run is the same whatever is chosen.
void choose_detector(Case& c, const Census& n, const Cubes& cubes, Plan& plan) {
    Setup& s = plan.setup;
    const DetectorEstimate e = estimate_detector({n.count, n.volume, n.units}, cubes.edge);
    const bool open = !c.run.detector;
    if (open) c.run.detector = s.detector = e.best();
    std::string tests = fmt::format("mr {} about {:.2g} pairs per ball",
                                    s.detector == Detector::mr ? "tests" : "would test", e.pair_tests);
    if (s.detector == Detector::two_level)
        tests = fmt::format("{:.3g} bodies per cluster or single ball", e.bodies_a_unit);
    plan.report.detector = word_of(s.detector), plan.report.detector_bytes = bytes_a_ball(s.detector);
    if (s.detector == Detector::mmr) plan.report.detector += fmt::format(" with alpha = {:.4g}", s.alpha);
    if (open)
        plan.report.detector +=
            fmt::format(" (chosen by detector = \"auto\": size ratio {:.3g}, {})", n.radius_max / n.radius_min, tests);
    if (open && s.detector == Detector::mmr)
        plan.detector_line = fmt::format("detector mmr with alpha = {:.4g}: size ratio {:.3g}, {}\n", s.alpha,
                                         n.radius_max / n.radius_min, tests);
    if (open && s.detector == Detector::two_level) plan.detector_line = fmt::format("detector two-level: {}\n", tests);
}

// Gains that the case leaves open, for the largest step that the run will take.
void choose_gains(Case& c, const Census& n, Plan& plan) {
    double dt = plan.setup.dt;
    for (const Stage& s : plan.stages) dt = std::max(dt, s.dt);
    for (std::size_t k = 0; k < c.motions.size(); ++k) {
        MotionSpec& m = c.motions[k];
        if (m.type != MotionType::servo || m.gain) continue;
        m.gain = plan.setup.motions[k].gain = servo_gain(plan.setup, k, dt, {n.count, n.smallest});
        plan.chosen.values[fmt::format("motions[{}].gain", k)] = *m.gain;
    }
}

std::vector<MaterialUse> uses_of(const Case& c, const Census& n) {
    std::vector<MaterialUse> uses;
    for (std::size_t k = 0; k < c.materials.size(); ++k)
        uses.push_back(
            {n.smallest[k] < unknown ? std::optional(n.smallest[k]) : std::nullopt, c.materials[k].of_walls});
    return uses;
}

// Where a step stands among the time scales: refused, warned of, or fine.
void judge_step(double dt, const std::string& key, const CheckReport& r, bool allowed, const CasePlaces& places,
                std::vector<std::string>& remarks) {
    double rayleigh = unknown, contact = unknown, stable = unknown;
    for (const MaterialScale& m : r.materials) rayleigh = std::min(rayleigh, m.rayleigh_time);
    for (const PairScale& p : r.pairs)
        contact = std::min(contact, p.contact_time), stable = std::min(stable, p.stable_step);
    const double bonds = stable_step_of_bonds(r.bonds);
    const double limit = std::min(largest_dt(r.materials, r.pairs), largest_stable_share * bonds);
    if (dt > limit && !allowed) {
        std::string why;
        if (dt > largest_rayleigh_share * rayleigh)
            why += fmt::format(", {:.2f} of the Rayleigh time {:.3g} s (at most {})", dt / rayleigh, rayleigh,
                               largest_rayleigh_share);
        if (dt > largest_contact_share * contact)
            why += fmt::format(", 1/{:.1f} of the shortest contact time {:.3g} s (at most 1/8)", contact / dt, contact);
        if (dt > largest_stable_share * stable)
            why += fmt::format(
                ", {:.2f} of the step {:.3g} s above which tangential and rolling springs become unstable (at most "
                "2/3)",
                dt / stable, stable);
        if (dt > largest_stable_share * bonds)
            why += fmt::format(", {:.2f} of the step {:.3g} s above which bonds become unstable (at most 2/3)",
                               dt / bonds, bonds);
        throw InputError(
            places.at(key, fmt::format("{} = {:.3g} s is too large{}; use at most {:.2g} s or \"auto\", or set "
                                       "run.allow_large_dt = true",
                                       key, dt, why, limit)));
    }
    if (dt > careful_rayleigh_share * rayleigh)
        remarks.push_back(
            fmt::format("{} = {:.3g} s is {:.2f} of the Rayleigh time {:.3g} s; above {} results may be inaccurate",
                        key, dt, dt / rayleigh, rayleigh, careful_rayleigh_share));
}

// Tables of motions from files become numbers of the case.
void take_in_tables(Case& c, const Setup& setup) {
    for (std::size_t k = 0; k < c.motions.size(); ++k) {
        MotionSpec& m = c.motions[k];
        if (m.file.empty()) continue;
        const MotionTable& table = setup.motions[k].table;
        m.times = table.times, m.file.clear();
        for (const Vec3d& v : table.values) {
            if (m.turns()) m.angles.push_back(v.x);
            else m.displacements.push_back(setup.axes.out(v));
        }
    }
}

// What the balls of the start decide, for a run that is resumed without them. Reading sets the steps of the case, and
// its tables of motions, which may come from files that have changed.
template <class Io> void plan_state(Io& io, Plan& plan, Case& c) {
    io("plan.dt", c.run.dt);
    for (std::size_t k = 0; k < c.stages.size(); ++k) io("plan.stage_dt." + std::to_string(k), c.stages[k].dt);
    for (std::size_t k = 0; k < c.motions.size(); ++k) {
        if (c.motions[k].type != MotionType::servo) continue;
        double gain = c.motions[k].gain.value_or(0);
        io("plan.gain." + std::to_string(k), gain);
        c.motions[k].gain = gain;
    }
    if constexpr (Io::loads) {
        c.run.dt_auto = false;
        for (StageSpec& s : c.stages) s.dt_auto = false;
    }
    for (std::size_t k = 0; k < c.motions.size(); ++k) {
        MotionSpec& m = c.motions[k];
        const std::string name = "plan.motion." + std::to_string(k);
        if (m.type != MotionType::shift_table && m.type != MotionType::angle_table) continue;
        if constexpr (Io::loads) {
            if (!io.has(name + ".times")) continue;  // of an earlier version
            m.file.clear();
        }
        io(name + ".times", m.times), io(name + ".displacements", m.displacements), io(name + ".angles", m.angles);
    }
    io("plan.largest_radius", plan.setup.largest_radius), io("plan.skin", plan.setup.skin);
    io("plan.start_time", plan.setup.start_time), io("plan.detector", plan.setup.detector);
    io("plan.balls", plan.report.balls.count);
    if constexpr (Io::loads) {
        if (io.has("plan.bond_reach")) io("plan.bond_reach", plan.setup.bond_reach);  // else of a run without bonds
    } else {
        if (plan.setup.bond_reach > 0) io("plan.bond_reach", plan.setup.bond_reach);
    }
    double frames = c.output.frames_every.value_or(0);
    if constexpr (Io::loads) {
        if (!io.has("plan.frames_every")) {  // of an earlier version, in which the log gave the rhythm and there were
                                             // no frames
            c.output.frames_every = frames;
            c.output.log_every = c.output.log_every > 0 ? c.output.log_every : 0.01;
            c.output.series_every = c.output.series_every > 0 ? c.output.series_every : c.output.log_every;
            return;
        }
    }
    io("plan.frames_every", frames), io("plan.log_every", c.output.log_every);
    io("plan.series_every", c.output.series_every);
    c.output.frames_every = frames;
}

// Springs at triangles are kept by their numbers: another drawing would be another run.
void expect_same_meshes(const Case& c, const Setup& setup, const CasePlaces& places, const SavedState& resumed) {
    const SurfaceSums then = SurfaceSums::in(resumed), now = surface_sums(setup);
    for (std::size_t k = 0; k < c.walls.size(); ++k)
        for (std::size_t w = 0; w < setup.walls.size() && c.walls[k].type == WallType::mesh; ++w) {
            if (setup.walls[w].name != c.walls[k].name || then.sum(w) == 0 || then.sum(w) == now.sum(w)) continue;
            const std::string key = fmt::format("walls[{}].file", k);
            throw InputError(places.at(
                key,
                fmt::format("{}: {} has changed since the run began: its triangles have another checksum than those of "
                            "the checkpoint (expected the unchanged file; to continue with another one, start a new "
                            "case from the checkpoint with [start])",
                            key, c.walls[k].file)));
        }
}

// A plan without a look at the balls: they are in the checkpoint.
Plan plan_again(const boost::mpi::communicator& comm, Case c, const CasePlaces& places, const SavedState& resumed) {
    Plan plan;
    const std::string& file = places.file();
    StateLoader io(resumed);
    plan_state(io, plan, c);
    const std::vector<Mesh> meshes = load_meshes(comm, c, places);
    std::vector<ClusterTemplate> clusters = load_clusters(comm, c, places);
    const std::vector<ShapeTemplate> shapes = load_shapes(comm, c, places, &resumed);
    try {
        together(comm, [&] { plan.setup = make_setup(c, meshes, std::move(clusters), shapes); });
    } catch (const InputError& e) {
        throw InputError(fmt::format("{}: {}", file, e.what()));
    }
    plan_state(io, plan, c);
    expect_same_meshes(c, plan.setup, places, resumed);
    plan.stages = make_stages(c, plan.setup);
    plan.gates = timed_gates(c, plan.setup);
    if (!plan.stages.empty()) plan.setup.dt = plan.stages.front().dt;
    for (InsertionSpec& i : plan.setup.insertions) set_steps(i, plan.setup.dt);
    plan.c = c;
    plan.report.file = file, plan.report.title = c.title, plan.report.dt = c.run.dt;
    return plan;
}

}  // namespace

void save_plan(const Plan& plan, SavedState& to) {
    StateSaver io(to);
    Plan copy;
    copy.setup.largest_radius = plan.setup.largest_radius, copy.setup.skin = plan.setup.skin;
    copy.setup.start_time = plan.setup.start_time, copy.setup.detector = plan.setup.detector;
    copy.report.balls.count = plan.report.balls.count, copy.setup.bond_reach = plan.setup.bond_reach;
    Case c = plan.c;
    take_in_tables(c, plan.setup);
    plan_state(io, copy, c);
}

Plan make_plan(const boost::mpi::communicator& comm, Case c, const CasePlaces& places, const SavedState* resumed) {
    if (resumed != nullptr) return plan_again(comm, std::move(c), places, *resumed);
    Plan plan;
    const std::string& file = places.file();
    plan.remarks = remarks_on(c);
    const bool auto_dt = c.run.dt_auto;
    if (auto_dt) c.run.dt = 1.0;  // until it is known what the balls are
    const Axes axes(c.run.slab_axis);
    const std::vector<Mesh> meshes = load_meshes(comm, c, places);
    std::vector<ClusterTemplate> clusters = load_clusters(comm, c, places);
    const std::vector<ShapeTemplate> shapes = load_shapes(comm, c, places);
    plan.report.clusters = cluster_texts(c, clusters);
    plan.report.shapes = shape_texts(shapes);
    try {
        // May read files, which a rank elsewhere may not see.
        together(comm, [&] { plan.setup = make_setup(c, meshes, std::move(clusters), shapes); });
    } catch (const InputError& e) {
        throw InputError(fmt::format("{}: {}", file, e.what()));
    }
    add_start_bodies(comm, c, places, plan.setup);
    if (c.start) {
        StartState start;
        try {
            HoldsOfStart holds;
            if (!c.hold.empty())
                holds = [held = HeldBodies(c, {})](Id id, const Vec3d& position, std::uint16_t was) {
                    return held.number_in_state(id, position, was);
                };
            start = start_from(comm, c.start->from, axes, plan.setup, c.start->time_zero, std::move(holds));
        } catch (const InputError& e) {  // the same on all ranks
            throw InputError(places.at("start.from", fmt::format("start.from: {}", e.what())));
        }
        plan.remarks.insert(plan.remarks.end(), start.remarks.begin(), start.remarks.end());
        if (!c.start->time_zero) plan.setup.start_time = start.time;
    }
    plan.report.holds = hold_texts(comm, c, places, plan.setup);

    const Census n = census(comm, c, plan.setup);
    CheckReport& r = plan.report;
    r.speed = std::max(1e-3, highest_speed(fall_height(c, plan.setup, n), norm(plan.setup.gravity), n.speed));
    r.law = plan.setup.law.type;
    const std::vector<MaterialUse> uses = uses_of(c, n);
    const std::vector<Material> materials = materials_for_time_scales(plan.setup, n.radius_max);
    r.materials = material_scales(materials, uses, plan.setup.law);
    r.pairs = pair_scales(materials, plan.setup.pairs, plan.setup.law, uses, r.speed);

    r.bonds = bond_scales(c, plan.setup);
    r.n_clusters = n.clusters, r.n_bonds = n.bonds;
    try {
        const BondsAtStart first = bonds_at_start(comm, plan.setup, c.start.has_value());
        r.n_clusters += first.clusters, r.n_bonds += first.bonds;
        plan.bonds_at_start = static_cast<std::uint64_t>(first.bonds);
        if (c.start) plan.setup.bond_reach = std::max(plan.setup.bond_reach, reach_of(first, plan.setup, n.radius_min));
    } catch (const InputError& e) {  // the same on all ranks
        throw InputError(places.at("start.from", fmt::format("start.from: {}", e.what())));
    }
    r.bond_reach = plan.setup.bond_reach;
    for (const BondType& b : plan.setup.bonds) r.spring_bonds |= b.form == BondForm::spring;

    // Steps that the case leaves open: a share of the shortest Rayleigh time, and no more than shares of a contact and
    // of the largest stable step.
    const auto choose = [&] {
        double dt = unknown;
        for (const MaterialScale& m : r.materials) dt = std::min(dt, c.run.dt_share * m.rayleigh_time);
        for (const PairScale& p : r.pairs)
            dt = std::min({dt, chosen_contact_share * p.contact_time, chosen_stable_share * p.stable_step});
        dt = std::min(dt, chosen_stable_share * stable_step_of_bonds(r.bonds));
        if (!(dt < unknown))
            throw InputError(places.at("run.dt", "run.dt = \"auto\" needs balls to choose a step for; give a number"));
        const double digit = elementary::pow(10.0, std::floor(elementary::log10(dt)) - 1);  // two digits
        return std::floor(dt / digit) * digit;
    };
    if (auto_dt) {
        c.run.dt = choose();
        plan.chosen.values["run.dt"] = c.run.dt;
        plan.setup.dt = c.run.dt;
        plan.setup.insertions = inlets_of(c, plan.setup);
    }
    judge_step(c.run.dt, "run.dt", r, c.run.allow_large_dt, places, plan.remarks);
    for (std::size_t k = 0; k < c.stages.size(); ++k) {
        StageSpec& s = c.stages[k];
        const std::string key = fmt::format("stages[{}].dt", k);
        if (s.dt_auto) s.dt = auto_dt ? c.run.dt : choose(), plan.chosen.values[key] = s.dt;
        if (s.dt <= 0) s.dt = c.run.dt;
        if (s.dt != c.run.dt) judge_step(s.dt, key, r, c.run.allow_large_dt, places, plan.remarks);
    }
    plan.setup.largest_radius = std::max(plan.setup.largest_radius, n.radius_max);
    plan.stages = make_stages(c, plan.setup);
    plan.gates = timed_gates(c, plan.setup);
    if (!plan.stages.empty()) plan.setup.dt = plan.stages.front().dt;
    for (InsertionSpec& i : plan.setup.insertions) set_steps(i, plan.setup.dt);
    choose_gains(c, n, plan);
    if (plan.setup.largest_radius <= 0) throw InputError(file + ": there are no balls, and none will be inserted");
    if (plan.setup.skin <= 0) {
        plan.setup.skin = default_skin(plan.setup);
        plan.chosen.values["run.skin"] = plan.setup.skin;
    }

    plan.balls_at_start = static_cast<std::uint64_t>(n.start_count);
    check_walls_in_plane(c, plan.setup, places);
    r.file = file, r.title = c.title;
    r.balls = {static_cast<std::uint64_t>(n.count), n.mass, n.radius_min, n.radius_max};
    r.sizes = n.sizes;
    FillTexts fills = fill_texts(c, plan.setup);
    plan.remarks.insert(plan.remarks.end(), fills.remarks.begin(), fills.remarks.end());
    r.fills = std::move(fills.notes);
    if (plan.setup.plane.given())
        r.fills.push_back(fmt::format("all bodies are discs and polygons {} thick that move in the plane {} = {:.6g}",
                                      si_text(plan.setup.plane.thickness, "m"), "xyz"[c.domain.normal],
                                      plan.setup.plane.at));
    r.n_wall_balls = plan.setup.wall_balls.size();
    r.n_walls = static_cast<int>(plan.setup.walls.size()), r.n_outlets = static_cast<int>(plan.setup.outlets.size());
    r.domain = c.domain;
    look_at_meshes(c, plan.setup, meshes, plan.remarks, r);
    Cubes cubes;
    try {
        cubes = Cubes(plan.setup.domain,
                      least_cube_edge(plan.setup, std::max(plan.setup.bond_reach, longest_reach_of(plan.setup))));
    } catch (const InputError& e) {
        throw InputError(places.at("domain.upper", e.what() + reach_text(plan.setup)));
    }
    choose_detector(c, n, cubes, plan);
    check_motions(c, plan.setup, plan.stages, cubes.edge, places, plan.remarks);
    r.motions = motion_lines(c, plan.setup);
    const double low = plan.setup.domain.lower.z;
    const double top = c.stages.empty() && n.count == n.start_count ? n.upper.z : plan.setup.domain.upper.z;
    const double bottom = n.start_count > 0 && n.count == n.start_count ? n.lower.z : low;
    r.cubes = {axes.out(cubes.count), axes.out(cubes.edge), plan.setup.skin, c.run.slab_axis,
               std::clamp(static_cast<int>((top - bottom) / cubes.edge.z) + 1, 1, cubes.layers())};
    r.dt = c.run.dt, r.dt_chosen = auto_dt;
    for (const Stage& s : plan.stages) r.dt = std::max(r.dt, s.dt);
    r.stages = estimate_stages(c, plan.setup, plan.stages, n, r.estimates, plan.remarks);
    r.core_speed = usual_core_speed, r.speed_source = "a typical value, not measured";
    r.ranks = comm.size();
    const MemoryHere memory = memory_here();
    r.machine_memory = memory.bytes, r.memory_giver = memory.giver;
    const CoresHere cores = cores_here();
    r.cores = cores.cores, r.core_giver = cores.giver, r.has_threads = can_have_threads;
    double time = 0;
    for (const StagePlan& s : r.stages) time += s.time > 0 ? s.time : s.expected;
    const auto files = [&](double every) { return every > 0 ? static_cast<std::uint64_t>(time / every) + 1 : 0; };
    r.states = {files(c.output.every) + 1, state_bytes(r.balls.count, springs_of_dense_packing)};
    const bool bonds = !plan.setup.bonds.empty();
    if (bonds) r.states.bytes_each += state_bytes_of_bonds(r.n_bonds, n.count, r.spring_bonds);
    add_shape_needs(plan.setup, n.shapes, r);
    for (std::string& warning : tell_corner_depths(plan.setup, r)) plan.remarks.push_back(std::move(warning));
    for (std::string& warning : tell_large_shapes(c, plan.setup)) plan.remarks.push_back(std::move(warning));
    const double surfaces = bytes_of_surfaces(plan.setup, n.shapes, c.output);
    const double frame =
        frame_bytes(c.output, n.count, n.volume / std::max(1.0, n.count), bonds, !n.shapes.empty()) + surfaces +
        frame_bytes_a_bond * r.n_bonds / static_cast<double>(std::max<std::int64_t>(1, c.output.every_nth));
    choose_output(c.output, r.stages, frame, plan.chosen);
    r.frames = {files(*c.output.frames_every), frame};
    r.probes = probe_files(c.probes, r.stages, plan.setup.walls.size(), plan.setup.materials.size());
    if (c.output.outflow) r.probes.push_back(outflow_file(n.count));
    if (c.output.breaks && r.n_bonds > 0) r.probes.push_back(breaks_file(r.n_bonds));
    for (const std::string& remark : probe_remarks(c.probes, r.stages)) plan.remarks.push_back(remark);
    r.checkpoints = {static_cast<std::uint64_t>(c.output.checkpoints_kept), r.states.bytes_each};
    for (const CheckReport::ProbeFiles& p : r.probes) r.checkpoints.bytes_each += p.saved_bytes;
    if (c.output.checkpoint_wall_time <= 0)  // else nobody knows how many the clock asks for
        r.checkpoints.count = std::min(r.checkpoints.count, files(c.output.checkpoint_every));
    r.warnings = plan.remarks;
    plan.c = std::move(c);
    return plan;
}

}  // namespace granary
