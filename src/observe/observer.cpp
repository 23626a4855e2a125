#include "observe/observer.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <cmath>
#include <fstream>
#include <numeric>
#include "observe/checkpoint_file.hpp"
#include "plan/output_plan.hpp"
#include "observe/wall_row.hpp"
#include "io/state/state_file.hpp"
#include "decomposition/together.hpp"
#include "engine/contact_records.hpp"
#include "engine/measures.hpp"

namespace granary {

namespace {

std::vector<SeriesColumn> columns_of(const Setup& s) {
    std::vector<SeriesColumn> columns{{"time", "s"}, {"step"}, {"balls_inserted"}, {"balls_inside"}, {"balls_out"}};
    for (const Outlet& o : s.outlets) columns.push_back({"balls_out", "", o.name});
    if (s.delete_outside) columns.push_back({"balls_deleted"}), columns.push_back({"mass_deleted", "kg"});
    for (const char* name : {"mass_in", "mass_inside", "mass_out"}) columns.push_back({name, "kg"});
    for (const Outlet& o : s.outlets) columns.push_back({"mass_out", "kg", o.name});
    columns.push_back({"mass_flow", "kg_per_s"});
    columns.push_back({"kinetic_energy", "J"});
    columns.push_back({"largest_overlap_share"});
    columns.push_back({"contacts"});
    if (!s.bonds.empty())
        for (const SeriesColumn& c : bond_columns()) columns.push_back(c);
    for (const Wall& w : s.walls)
        for (const char* axis : {"x", "y", "z"}) columns.push_back({std::string("force_") + axis, "N", w.name});
    if (s.energy)
        for (const char* name : {"kinetic", "potential", "elastic", "in", "by_walls", "by_stiffening", "lost_damping",
                                 "lost_friction", "lost_rolling", "out", "turned_over", "residual"})
            columns.push_back({std::string("energy_") + name, "J"});
    if (s.energy && !s.bonds.empty())
        for (const char* name : {"bonds", "lost_bond_damping", "lost_breaks"})
            columns.push_back({std::string("energy_") + name, "J"});
    for (const WallMotion& m : s.motions) {
        columns.push_back({"power", "W", m.name});
        if (m.type == WallMotion::Type::servo)
            columns.push_back({"position", "m", m.name}), columns.push_back({"press", "N", m.name});
    }
    if (s.outflow)
        for (const SeriesColumn& c : Outflow::columns(s)) columns.push_back(c);
    columns.push_back({"steps_per_second"});
    columns.push_back({"imbalance"});  // counted work of the busiest rank over that of the mean one
    return columns;
}

// Share of the energy turned over that may stay unexplained.
constexpr double residual_worth_a_warning = 0.01;

// Balls that meet at the speed that is expected may overlap by so much more than an elastic hit of the smallest ones.
constexpr double hit_reserve = 1.2;

// Poses as plain numbers, for a checkpoint, and back.
constexpr std::size_t pose_width = 13;
std::vector<double> numbers_of(const std::vector<Pose>& poses) {
    std::vector<double> all;
    for (const Pose& p : poses) {
        for (const Vec3d& v : {p.row[0], p.row[1], p.row[2], p.shift}) all.insert(all.end(), {v.x, v.y, v.z});
        all.push_back(p.turned ? 1 : 0);
    }
    return all;
}
std::vector<Pose> poses_of(const std::vector<double>& all) {
    std::vector<Pose> poses(all.size() / pose_width);
    for (std::size_t k = 0; k < poses.size(); ++k) {
        const double* n = all.data() + k * pose_width;
        for (Vec3d* v : {&poses[k].row[0], &poses[k].row[1], &poses[k].row[2], &poses[k].shift})
            *v = {n[0], n[1], n[2]}, n += 3;
        poses[k].turned = *n > 0;
    }
    return poses;
}

}  // namespace

Observer::Observer(const Simulation& sim, const Plan& plan, Results& results, std::string case_text, bool quiet,
                   const SavedState* resumed)
    : plan_(plan),
      results_(results),
      case_text_(std::move(case_text)),
      probes_(sim, plan.c.probes, results, resumed),
      quiet_(quiet),
      clock_(system_clock()) {
    const OutputSpec& o = plan.c.output;
    lines_ = Every(o.log_every), rows_ = Every(o.series_every);  // numbers: see output_plan.hpp
    const double frames = o.frames_every.value_or(0);
    images_ = Every(frames);
    states_ = Every(o.every);
    states_.done_at(sim.clock().time());
    hit_limit_ = overlap_worth_a_warning;
    for (const PairScale& p : plan.report.pairs) hit_limit_ = std::max(hit_limit_, hit_reserve * p.overlap_share);
    hit_limit_ = std::min(hit_limit_, hit_worth_a_warning);
    if (sim.comm().rank() == 0) {
        ProgressSettings settings;
        const Screen screen = screen_of(stdout);
        terminal_ = screen.is_terminal;
        settings.quiet = quiet || !terminal_;  // elsewhere the lines of the log are printed instead
        progress_ = std::make_unique<Progress>(screen, clock_, settings);
    }
    started_ = last_clock_ = clock_();
    if (sim.setup().outflow) outflow_.emplace(sim, results_, resumed != nullptr);
    if (sim.forces().bonds.possible() && sim.setup().break_events) breaks_.emplace(sim, results_, resumed != nullptr);
    if (frames > 0)
        frames_.emplace(sim.comm(), results_.file(""),
                        frame_options(o, sim.forces().bonds.possible(), !sim.setup().shapes.empty()), sim.setup().axes);
    if (resumed != nullptr) {
        take_up(sim, *resumed);
        return;
    }
    together(sim.comm(), [&] {
        if (speaks()) series_ = Series::create(results_.file("series.csv"), columns_of(sim.setup()));
    });
    start_mass_ = measures_of(sim).mass - sim.inserter().mass_of_all();  // balls may come in at the very start
    look(sim);
    frame(sim);
}

// What decides when something is written next, and what is counted from one time to another.
template <class Io> void Observer::run_state(Io& io) {
    rows_.run_state(io, "observer.rows"), lines_.run_state(io, "observer.lines");
    images_.run_state(io, "observer.images"), states_.run_state(io, "observer.states");
    io("observer.shown_open", shown_open_);
    io("observer.start_mass", start_mass_), io("observer.last_out", last_out_), io("observer.last_time", last_time_);
    io("observer.balls_inside", balls_inside_), io("observer.last_step", last_step_);
    io("observer.turned_over", turned_over_), io("observer.residual", residual_);
    io("observer.last_frame", last_frame_);
    if constexpr (Io::loads) {
        if (io.has("observer.hit_limit")) io("observer.hit_limit", hit_limit_);  // else of an earlier version
    } else {
        io("observer.hit_limit", hit_limit_);
    }
    std::vector<double> poses;
    if constexpr (!Io::loads) poses = numbers_of(shown_poses_);
    io("observer.shown_poses", poses);
    if constexpr (Io::loads) shown_poses_ = poses_of(poses);
    warnings_.run_state(io), servos_.run_state(io);
    probes_.run_state(io);
    if (outflow_) outflow_->run_state(io);
}

void Observer::save(const Simulation& sim, SavedState& to) {
    if (outflow_) outflow_->write(sim);
    if (breaks_) breaks_->write(sim);
    together(sim.comm(), [&] {
        if (series_) series_->bring_to_disk();
        if (outflow_) outflow_->bring_to_disk();
        if (breaks_) breaks_->bring_to_disk();
    });
    probes_.bring_to_disk(sim);
    StateSaver io(to);
    run_state(io);
}

void Observer::take_up(const Simulation& sim, const SavedState& resumed) {
    StateLoader io(resumed);
    run_state(io);
    // Not cut at the time of the simulation: a run that ended at this very step has written its last row and frame
    // after it was saved.
    together(sim.comm(), [&] {
        if (speaks()) series_ = Series::resume(results_.file("series.csv"), columns_of(sim.setup()), last_time_);
    });
    if (!frames_) return;
    frames_->continue_from(last_frame_);
    const bool seen = !frames_->walls().empty() && frames_->walls().back().time == last_frame_;
    if (!seen) shown_open_.clear();  // the walls as they were last are not in this folder: they are written again
}

ProgressState Observer::progress_state(const Simulation& sim) const {
    return {sim.clock().time(), sim.clock().step(), balls_inside_};
}

void Observer::begin_stage(const Simulation& sim, const Stage& stage, std::size_t number, std::size_t of,
                           const StageProgress& progress) {
    probes_.begin_stage(sim, stage.name, progress.begun);
    warn_of_early_outflow(sim, ledger_of(sim));  // before the stage opens its gates
    if (!speaks()) return;
    ProgressStage shown;
    shown.name = stage.name;
    shown.number = static_cast<int>(number), shown.of = static_cast<int>(of);
    shown.begin = sim.clock().time();
    if (progress.begun) shown.begin -= static_cast<double>(sim.clock().step() - progress.begin) * stage.dt;
    shown.end = shown.begin + static_cast<double>(stage.longest) * stage.dt;
    shown.may_end_early = stage.type != Stage::Type::run;
    if (stage.type == Stage::Type::fill) {
        shown.balls = balls_inside_;
        for (const InsertionSpec& i : stage.insertions) *shown.balls += i.total;
    }
    if (stage.until_empty) shown.balls = 0;
    progress_->begin_stage(shown, progress_state(sim));
}

void Observer::before_step(const Simulation& sim) { probes_.before_step(sim); }

void Observer::after_step(const Simulation& sim) {
    ball_steps_ += static_cast<double>(balls_inside_);
    probes_.after_step(sim);
    const double t = sim.clock().time();
    const bool row = rows_.due_at(t) || lines_.due_at(t);
    if (row) look(sim);
    if (images_.due_at(t)) frame(sim);
    if (states_.due_at(t)) {
        states_.done_at(t);
        state(sim, fmt::format("state-{:09}.h5", sim.clock().step()));
    }
    if (speaks()) progress_->update(progress_state(sim), row);
}

void Observer::look(const Simulation& sim, bool last) {
    PhaseTimer timer(sim.requests().times, Phase::measure);
    const bool row_due = last || rows_.due_at(sim.clock().time());
    const bool log = lines_.due_at(sim.clock().time()) || (last && last_step_ != sim.clock().step());
    rows_.done_at(sim.clock().time()), lines_.done_at(sim.clock().time());
    const Ledger ledger = ledger_of(sim);
    const Measures m = measures_of(sim);
    const BondState bonds = bond_state(sim);
    if (outflow_) outflow_->write(sim);
    if (breaks_) breaks_->write(sim);
    const EnergyBalance e = sim.setup().energy ? energy_balance_of(sim) : EnergyBalance{};
    turned_over_ = std::max(turned_over_, e.turned_over()), residual_ = e.residual();
    balls_inside_ = ledger.inside;
    note_deleted(sim, ledger);
    const double mass_in = start_mass_ + sim.inserter().mass_of_all();
    const double out = std::accumulate(ledger.mass_left.begin(), ledger.mass_left.end(), 0.0);
    const double span = sim.clock().time() - last_time_;
    const double flow = span > 0 ? (out - last_out_) / span : 0.0;
    const double now = clock_();
    const double rate =
        now > last_clock_ ? static_cast<double>(sim.clock().step() - last_step_) / (now - last_clock_) : 0.0;
    warn_of_overlaps(sim, m, hit_limit_);
    warn_of_early_outflow(sim, ledger);
    warn_of_slow_inlets(sim);
    for (const std::string& text : servos_.look(sim, warnings_)) {
        if (terminal_) results_.note(text);
        else results_.say(text);
    }
    if (log || sim.clock().step() == 0) line(sim, ledger, m, bonds, rate);
    last_clock_ = now, last_step_ = sim.clock().step();
    if (!row_due) return;
    const double imbalance = imbalance_of(sim);
    const WallRow walls = wall_row(sim);
    together(sim.comm(), [&] {
        if (!speaks()) return;
        std::vector<Series::Value> row{sim.clock().time(), sim.clock().step(), ledger.inserted, ledger.inside,
                                       ledger.all_left()};
        for (const std::uint64_t n : ledger.left) row.emplace_back(n);
        if (sim.setup().delete_outside) row.emplace_back(ledger.deleted), row.emplace_back(ledger.mass_deleted);
        for (const double x : {mass_in, m.mass, out}) row.emplace_back(x);
        for (const double x : ledger.mass_left) row.emplace_back(x);
        for (const double x : {flow, m.kinetic_energy, m.largest_overlap()}) row.emplace_back(x);
        row.emplace_back(m.contacts);
        if (sim.forces().bonds.possible()) add_bonds(bonds, row);
        for (const Vec3d& f : walls.forces)
            for (const double x : {f.x, f.y, f.z}) row.emplace_back(x);
        if (sim.setup().energy)
            for (const double x : {e.kinetic, e.potential, e.elastic, e.in, e.walls, e.stiffening, e.damped, e.friction,
                                   e.rolling, e.out, turned_over_, e.residual()})
                row.emplace_back(x);
        if (sim.setup().energy && sim.forces().bonds.possible())
            for (const double x : {e.bonds, e.bond_damping, e.breaks}) row.emplace_back(x);
        for (const double x : walls.motions) row.emplace_back(x);
        if (outflow_)
            for (const double x : outflow_->means(sim.setup())) row.emplace_back(x);
        row.emplace_back(rate);
        row.emplace_back(imbalance);
        series_->write(row);
    });
    if (outflow_) outflow_->begin_row();
    last_out_ = out, last_time_ = sim.clock().time();
    if (sim.setup().mean_loads) sim.requests().restart_means();
}

// Printed where there is no terminal to draw on, and always in the log.
void Observer::line(const Simulation& sim, const Ledger& ledger, const Measures& m, const BondState& bonds,
                    double rate) {
    const bool with_bonds = sim.forces().bonds.possible();
    std::string text;
    if (sim.clock().step() == 0)
        text = fmt::format("{:>10} {:>12} {:>10} {:>10} {:>10} {:>12} {:>9} {:>12}{}\n", "step", "time, s", "inside",
                           "out", "contacts", "kinetic, J", "overlap", "ball-steps/s",
                           with_bonds ? fmt::format(" {:>10} {:>10} {:>10}", "bonds", "broken", "pieces") : "");
    text += fmt::format("{:>10} {:>12.6g} {:>10} {:>10} {:>10} {:>12.5g} {:>8.3f}% {:>12.3g}{}\n", sim.clock().step(),
                        sim.clock().time(), ledger.inside, ledger.all_left(), m.contacts, m.kinetic_energy,
                        100 * m.largest_overlap(), rate * static_cast<double>(ledger.inside),
                        with_bonds ? fmt::format(" {:>10} {:>10} {:>10}", bonds.bonds.whole, bonds.bonds.all_broken(),
                                                 bonds.pieces.pieces)
                                   : "");
    if (const LastCutMove& move = sim.neighbourhood().last_move; move.step > noted_cut_move_) {
        text += fmt::format("slab boundaries moved, last at step {}: imbalance {:.3f} -> {:.3f}\n", move.step,
                            move.before, move.after);
        noted_cut_move_ = move.step;
    }
    if (terminal_) results_.note(text);
    else results_.say(text);
}

void Observer::frame(const Simulation& sim) {
    if (!frames_) return;
    PhaseTimer timer(sim.requests().times, Phase::measure);
    images_.done_at(sim.clock().time());
    std::vector<char> open;
    for (std::size_t w = 0; w < sim.setup().walls.size(); ++w) open.push_back((sim.forces().wall_open[w] != 0) ? 1 : 0);
    const std::vector<Pose> poses = sim.walls().poses();
    if (open != shown_open_ || poses != shown_poses_)
        frames_->write_walls(sim.walls().walls(), sim.setup().domain, sim.forces().walls_without_surface(sim.setup()));
    if (open != shown_open_ && !sim.forces().wall_balls.balls().empty())
        frames_->write_wall_balls(sim.forces().wall_balls.balls(), open);
    shown_open_ = open, shown_poses_ = poses;
    if (!sim.setup().shapes.empty())
        frames_->write_grains(bodies_inside(sim), sim.motion(), sim.setup().shapes, sim.clock().time(),
                              sim.clock().step());
    if (sim.forces().bonds.possible()) frames_->write_bonds(bond_lines(sim), sim.clock().time(), sim.clock().step());
    frames_->write(bodies_inside(sim), sim.motion(), sim.clock().time(), sim.clock().step());
    last_frame_ = sim.clock().time();
}

void Observer::state(const Simulation& sim, const std::string& name) {
    PhaseTimer timer(sim.requests().times, Phase::measure);
    write_state(sim.comm(), results_.file(name), state_header(sim, case_text_), bodies_inside(sim),
                contact_stream_inside(sim), sim.setup().axes);
}

void Observer::end_stage(const Simulation& sim, const StageEnd& end) {
    if (end.why != StageEnd::Why::stopped) probes_.end_stage(sim);  // else their averages go on when the run does
    balls_inside_ = ledger_of(sim).inside;
    if (end.why == StageEnd::Why::settled) warn_of_overlaps(sim, measures_of(sim), overlap_worth_a_warning);
    if (speaks()) progress_->end_stage(progress_state(sim), end.text);
    const std::string text =
        fmt::format("t = {:.6g} s, step {}: {}\n", sim.clock().time(), sim.clock().step(), end.text);
    if (terminal_) results_.note(text);
    else results_.say(text);
}

void Observer::finish(const Simulation& sim, Pictures* pictures) {
    if (sim.clock().time() > last_time_) look(sim, true);
    if (frames_ && (frames_->frames().empty() || frames_->frames().back().time < sim.clock().time())) frame(sim);
    state(sim, plan_.c.output.state);
    if (pictures != nullptr) pictures->draw_last(sim);

    // Where the time went.
    const double wall = clock_() - started_;
    std::vector<double> mine(sim.requests().times.seconds.begin(), sim.requests().times.seconds.end()),
        all(mine.size() * static_cast<std::size_t>(sim.comm().size()));
    boost::mpi::all_gather(sim.comm(), mine.data(), static_cast<int>(mine.size()), all.data());
    std::vector<PhaseTimes> ranks(sim.comm().size());
    for (std::size_t r = 0; r < ranks.size(); ++r)
        std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(r * n_phases), n_phases, ranks[r].seconds.begin());
    ExtraPhase drawing{"pictures", std::vector<double>(ranks.size())};
    boost::mpi::all_gather(sim.comm(), pictures != nullptr ? pictures->seconds() : 0.0, drawing.seconds);
    const PhaseTable table = make_phase_table(ranks, {wall, sim.clock().step(), ball_steps_}, drawing);
    together(sim.comm(), [&] {
        if (speaks()) std::ofstream(results_.file("phases.json")) << phase_json(table);
    });

    const Setup& setup = sim.setup();
    const Ledger ledger = ledger_of(sim);
    const Events events = events_of(sim);
    std::string text = fmt::format("\nballs inserted {} = inside {}", ledger.inserted, ledger.inside);
    for (std::size_t o = 0; o < setup.outlets.size(); ++o)
        text += fmt::format(" + left by {} {}", setup.outlets[o].name, ledger.left[o]);
    if (setup.delete_outside) text += fmt::format(" + deleted {}", ledger.deleted);
    text += "\n" + bond_text(sim, bond_state(sim)) + loads_text(sim) + servos_.text(sim, warnings_);
    text += fmt::format("{} rebuilds, {} balls changed rank, slab boundaries moved {} times\n\n", events.rebuilds,
                        events.migrations, events.cut_moves);
    text += phase_text(table) + (pictures != nullptr ? pictures->text() : "");
    if (std::abs(residual_) > residual_worth_a_warning * turned_over_)
        warnings_.add(
            fmt::format("the energy balance does not close: energy_residual is more than {:.0f} % of the energy turned "
                        "over; use a smaller step",
                        100 * residual_worth_a_warning),
            sim.clock().time(), 100 * std::abs(residual_) / turned_over_, "%");
    if (events.late_checks > 0)
        warnings_.add(
            "a ball or wall had moved farther than half the skin before it was noticed: a contact may have been found "
            "late; "
            "enlarge run.skin",
            sim.clock().time());
    note_deleted(sim, ledger);
    results_.say(text + insertion_warnings(sim) + deleted_text_ + warnings_.text());
}

}  // namespace granary
