#include "app/run.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>
#include "app/case_setup.hpp"
#include "app/results.hpp"
#include "app/simulation.hpp"
#include "app/start_check.hpp"
#include "app/time_step.hpp"
#include "core/errors.hpp"
#include "core/version.hpp"
#include "io/case.hpp"
#include "io/state_file.hpp"
#include "io/together.hpp"

namespace granary {

namespace {

namespace fs = std::filesystem;

// Where and when the log and the states are due.
struct Schedule {
    std::uint64_t steps, log_every, state_every;
};

Schedule schedule(const Case& c, const RunOptions& options) {
    const auto in_steps = [&](double time) {
        return static_cast<std::uint64_t>(std::max(1LL, std::llround(time / c.run.dt)));
    };
    Schedule s{};
    s.steps = options.steps.value_or(static_cast<std::uint64_t>(c.run.n_steps()));
    s.log_every = c.output.log_every > 0 ? in_steps(c.output.log_every) : std::max<std::uint64_t>(1, s.steps / 20);
    s.state_every = c.output.every > 0 ? in_steps(c.output.every) : 0;
    return s;
}

// The case as read, below a comment that says by whom and with which changes.
std::string as_run(const RunOptions& options, const std::string& text) {
    std::string command = "granary run " + options.case_file;
    for (const std::string& set : options.sets) command += fmt::format(" --set '{}'", set);
    if (options.steps) command += fmt::format(" --steps {}", *options.steps);
    return fmt::format("# {}\n# granary {} ({}), {}, {}\n\n{}", command, version, git_commit, compiler, build_flags,
                       text);
}

std::string counted(std::uint64_t n, const char* word) { return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s"); }

std::string readable(double seconds) {
    if (!(seconds < 360'000)) return "days";
    if (seconds < 100) return fmt::format("{:.0f} s", seconds);
    if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.0f} h", seconds / 3600);
}

// The lines of the log.
class Reporter {
  public:
    Reporter(Results& results, std::uint64_t steps) : results_(results), steps_(steps) {}

    // Collective.
    void head(const std::string& title, const Simulation& sim, const std::string& warning) {
        const TimeScale scale = shortest_time(sim);
        const double share = sim.setup().dt / scale.seconds;
        const auto& cubes = sim.cubes();
        const std::array<int, 3> n = sim.setup().axes.out(cubes.count);
        results_.say(fmt::format("{}: {}, {}, {} x {} x {} cubes of {:.4g} m, skin {:.3g} m\n", title,
                                 counted(sim.ledger().inserted, "ball"),
                                 counted(static_cast<std::uint64_t>(sim.comm().size()), "rank"), n[0], n[1], n[2],
                                 cubes.edge.x, sim.setup().skin));
        results_.say(fmt::format("dt {:.3g} s is {:.3g} % of the {}, {:.3g} s\n", sim.setup().dt, 100 * share,
                                 scale.name, scale.seconds));
        if (share > scale.usual_share)
            results_.say(fmt::format("warning: dt is large; up to {:.0f} % of the {} is usual: {:.2g} s\n",
                                     100 * scale.usual_share, scale.name, scale.usual_share * scale.seconds));
        results_.say(warning);
        results_.say(fmt::format("{:>10} {:>12} {:>10} {:>10} {:>10} {:>12} {:>9} {:>12} {:>7}\n", "step", "time, s",
                                 "inside", "out", "contacts", "kinetic, J", "overlap", "ball-steps/s", "left"));
    }
    // Collective.
    void line(Simulation& sim) {
        const Ledger ledger = sim.ledger();
        const Measures m = sim.measures();
        const auto now = std::chrono::steady_clock::now();
        const auto seconds_since = [&](auto then) { return std::chrono::duration<double>(now - then).count(); };
        const std::uint64_t done = sim.steps_done();
        const double rate = static_cast<double>(done - last_step_) * static_cast<double>(ledger.inside) /
                            std::max(seconds_since(last_time_), 1e-9);
        const double left =
            done > 0 ? seconds_since(start_) / static_cast<double>(done) * static_cast<double>(steps_ - done) : 0;
        results_.say(fmt::format("{:>10} {:>12.6g} {:>10} {:>10} {:>10} {:>12.5g} {:>8.3f}% {:>12.3g} {:>7}\n", done,
                                 sim.time(), ledger.inside, ledger.inserted - ledger.inside, m.contacts,
                                 m.kinetic_energy, 100 * m.largest_overlap, rate, done > 0 ? readable(left) : "-"));
        last_time_ = now, last_step_ = done;
    }
    // Collective. What the whole run came to.
    void end(const Simulation& sim) {
        const Setup& setup = sim.setup();
        const Ledger ledger = sim.ledger();
        const Events events = sim.events();
        const std::vector<WallLoad> loads = sim.wall_loads();
        std::string text = fmt::format("\nballs inserted {} = inside {}", ledger.inserted, ledger.inside);
        for (std::size_t o = 0; o < setup.outlets.size(); ++o)
            text += fmt::format(" + left by {} {}", setup.outlets[o].name, ledger.left[o]);
        text += "\n";
        for (std::size_t w = 0; w < setup.walls.size() && steps_ > 0; ++w) {
            const Vec3d f = setup.axes.out(loads[w].force), t = setup.axes.out(loads[w].torque);
            text += fmt::format(
                "wall {}: force ({:.5g}, {:.5g}, {:.5g}) N, torque about the origin ({:.5g}, {:.5g}, {:.5g}) N m\n",
                setup.walls[w].name, f.x, f.y, f.z, t.x, t.y, t.z);
        }
        text += fmt::format("{}, {} changed rank, cuts moved {}\n", counted(events.rebuilds, "rebuild"),
                            counted(events.migrations, "ball"), counted(events.cut_moves, "time"));
        results_.say(text + insertion_warnings(sim));
        if (events.late_checks > 0)
            results_.say(fmt::format(
                "warning: {} a ball had moved farther than half the skin before it was seen; a contact may have been "
                "found late. Enlarge run.skin.\n",
                counted(events.late_checks, "time")));
    }

  private:
    // Balls that were due but found no room.
    static std::string insertion_warnings(const Simulation& sim) {
        std::string text;
        for (std::size_t k = 0; k < sim.setup().insertions.size(); ++k) {
            const InsertionSpec& spec = sim.setup().insertions[k];
            if (sim.steps_done() < spec.first_step) continue;
            const std::uint64_t events = event_number(spec, sim.steps_done()) + 1, came = sim.inserted_by()[k];
            const std::uint64_t due = events > spec.total / spec.per_event ? spec.total : events * spec.per_event;
            if (came < due)
                text += fmt::format(
                    "warning: insert {}: {} of {} came in, the others found no room. Is its box blocked by balls or "
                    "walls, or too small?\n",
                    spec.name.empty() ? std::to_string(k) : spec.name, came, counted(due, "ball"));
        }
        return text;
    }

    Results& results_;
    std::uint64_t steps_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_time_ = start_;
    std::uint64_t last_step_ = 0;
};

// Collective.
void write(Simulation& sim, const std::string& case_text, const std::string& path) {
    const Setup& setup = sim.setup();
    const Ledger ledger = sim.ledger();
    StateHeader h;
    h.step = sim.steps_done(), h.time = sim.time(), h.dt = setup.dt, h.next_id = sim.next_id(),
    h.inserted = ledger.inserted;
    h.domain = setup.axes.out(setup.domain);
    for (const Material& m : setup.materials) h.material_names.push_back(m.name);
    for (const Wall& w : setup.walls) h.wall_names.push_back(w.name);
    for (const Outlet& o : setup.outlets) h.outlet_names.push_back(o.name);
    h.left_by_outlet = ledger.left, h.case_text = case_text, h.version = version;
    sim.in_axes(setup.axes, [&](const Bodies& bodies, std::span<const ContactRecord> contacts) {
        write_state(sim.comm(), path, h, bodies, contacts);
    });
}

}  // namespace

void run_case(const boost::mpi::communicator& comm, const RunOptions& options) {
    std::string text;
    together(comm, [&] {
        if (comm.rank() == 0) text = read_case_text(options.case_file);
    });
    boost::mpi::broadcast(comm, text, 0);
    const Case c = read_case(text, options.case_file, options.sets);
    Setup setup;
    together(comm, [&] { setup = make_setup(c); });  // may read files, which a rank elsewhere may not see
    Simulation sim(comm, setup);
    const std::string warning = check_start(sim);

    const Schedule when = schedule(c, options);
    const fs::path name = fs::path(options.case_file).stem();
    Results results(comm, options.out.empty() ? name : fs::path(options.out), c.output.state, as_run(options, text),
                    options.quiet);
    Reporter report(results, when.steps);
    report.head(c.title.empty() ? name.string() : c.title, sim, warning);
    try {
        report.line(sim);
        while (sim.steps_done() < when.steps) {
            const std::uint64_t next = sim.steps_done() + 1;
            const bool log = next % when.log_every == 0 || next == when.steps;
            if (log) sim.measure_walls();
            sim.step();
            if (log) report.line(sim);
            if (when.state_every > 0 && next % when.state_every == 0)
                write(sim, text, results.file(fmt::format("state-{:09}.h5", next)));
        }
        write(sim, text, results.file(c.output.state));
        report.end(sim);
    } catch (const std::exception& e) {
        results.note(fmt::format("{}\n", e.what()));
        throw;
    }
    const Digest digest = sim.in_axes(setup.axes, [&](const Bodies& bodies, std::span<const ContactRecord> contacts) {
        return digest_of(comm, bodies, contacts);
    });
    results.say(fmt::format("state {}\n", results.file(c.output.state)));
    results.note(fmt::format("digest {}\n", digest.hex()));
    if (comm.rank() == 0) fmt::print("digest {}\n", digest.hex());
}

}  // namespace granary
