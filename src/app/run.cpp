#include "app/run.hpp"

#include <fmt/format.h>
#include <boost/mpi/collectives.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>
#include "app/case_setup.hpp"
#include "app/simulation.hpp"
#include "core/version.hpp"
#include "decomposition/reductions.hpp"
#include "io/case.hpp"
#include "io/state_file.hpp"

namespace granary {

namespace {

namespace fs = std::filesystem;

// f runs on rank 0; what it throws is thrown on all ranks.
template <class F> void on_first_rank(const boost::mpi::communicator& comm, F&& f) {
    std::string trouble;
    if (comm.rank() == 0) {
        try {
            f();
        } catch (const std::exception& e) {
            trouble = e.what();
            if (trouble.empty()) trouble = "unknown error";
        }
    }
    trouble = first_text(comm, trouble);
    if (!trouble.empty()) throw InputError(trouble);
}

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

class Reporter {
  public:
    Reporter(bool speaks) : speaks_(speaks) {}

    void head(const Case& c, const Simulation& sim, const Ledger& ledger) const {
        if (!speaks_) return;
        const auto& cubes = sim.cubes();
        fmt::print("{}: {} balls, {} ranks, {} x {} x {} cubes of {:.4g} m, skin {:.3g} m, dt {:.3g} s\n",
                   c.title.empty() ? "case" : c.title, ledger.inserted, sim.comm().size(), cubes.count[0],
                   cubes.count[1], cubes.count[2], cubes.edge.x, sim.setup().skin, sim.setup().dt);
        fmt::print("{:>10} {:>12} {:>10} {:>10} {:>10} {:>12} {:>9} {:>12}\n", "step", "time", "inside", "out",
                   "contacts", "kinetic", "overlap", "ball-steps/s");
        std::fflush(stdout);
    }
    // Collective.
    void line(Simulation& sim) {
        const Ledger ledger = sim.ledger();
        const Measures m = sim.measures();
        const auto now = std::chrono::steady_clock::now();
        const double wall = std::chrono::duration<double>(now - last_time_).count();
        const double rate = static_cast<double>(sim.steps_done() - last_step_) * static_cast<double>(ledger.inside) /
                            std::max(wall, 1e-9);
        if (speaks_) {
            fmt::print("{:>10} {:>12.6g} {:>10} {:>10} {:>10} {:>12.5g} {:>8.3f}% {:>12.3g}\n", sim.steps_done(),
                       sim.time(), ledger.inside, ledger.inserted - ledger.inside, m.contacts, m.kinetic_energy,
                       100 * m.largest_overlap, rate);
            std::fflush(stdout);
        }
        last_time_ = now, last_step_ = sim.steps_done();
    }

  private:
    bool speaks_;
    std::chrono::steady_clock::time_point last_time_ = std::chrono::steady_clock::now();
    std::uint64_t last_step_ = 0;
};

}  // namespace

void run_case(const boost::mpi::communicator& comm, const RunOptions& options) {
    std::string text;
    on_first_rank(comm, [&] { text = read_case_text(options.case_file); });
    boost::mpi::broadcast(comm, text, 0);
    const Case c = read_case(text, options.case_file, options.sets);
    const Setup setup = make_setup(c);
    const Axes axes(c.run.slab_axis);
    const Schedule when = schedule(c, options);

    const fs::path out = options.out.empty() ? fs::path(options.case_file).stem() : fs::path(options.out);
    Simulation sim(comm, setup);
    on_first_rank(comm, [&] { fs::create_directories(out); });

    const auto write = [&](const std::string& name) {
        StateHeader h;
        const Ledger ledger = sim.ledger();
        h.step = sim.steps_done(), h.time = sim.time(), h.dt = setup.dt, h.next_id = sim.next_id(),
        h.inserted = ledger.inserted;
        h.domain = axes.out(sim.setup().domain);
        for (const Material& m : setup.materials) h.material_names.push_back(m.name);
        for (const Wall& w : setup.walls) h.wall_names.push_back(w.name);
        for (const Outlet& o : setup.outlets) h.outlet_names.push_back(o.name);
        h.left_by_outlet = ledger.left, h.case_text = text, h.version = version;
        sim.in_axes(axes, [&](const Bodies& bodies, std::span<const ContactRecord> contacts) {
            write_state(comm, (out / name).string(), h, bodies, contacts);
        });
    };

    Reporter report(comm.rank() == 0 && !options.quiet);
    report.head(c, sim, sim.ledger());
    report.line(sim);
    while (sim.steps_done() < when.steps) {
        const std::uint64_t next = sim.steps_done() + 1;
        const bool log = next % when.log_every == 0 || next == when.steps;
        if (log) sim.measure_walls();
        sim.step();
        if (log) report.line(sim);
        if (when.state_every > 0 && next % when.state_every == 0) write(fmt::format("state-{:09}.h5", next));
    }
    write(c.output.state);

    const Ledger ledger = sim.ledger();
    const Events events = sim.events();
    const std::vector<WallLoad> loads = sim.wall_loads();
    const Digest digest = sim.in_axes(axes, [&](const Bodies& bodies, std::span<const ContactRecord> contacts) {
        return digest_of(comm, bodies, contacts);
    });
    if (comm.rank() != 0) return;
    if (!options.quiet) {
        fmt::print("\nballs inserted {} = inside {}", ledger.inserted, ledger.inside);
        for (std::size_t o = 0; o < setup.outlets.size(); ++o)
            fmt::print(" + left by {} {}", setup.outlets[o].name, ledger.left[o]);
        fmt::print("\n");
        for (std::size_t w = 0; w < setup.walls.size() && when.steps > 0; ++w) {
            const Vec3d f = axes.out(loads[w].force), t = axes.out(loads[w].torque);
            fmt::print(
                "wall {}: force ({:.5g}, {:.5g}, {:.5g}) N, torque about the origin ({:.5g}, {:.5g}, {:.5g}) N m\n",
                setup.walls[w].name, f.x, f.y, f.z, t.x, t.y, t.z);
        }
        fmt::print("{} rebuilds, {} bodies changed rank, cuts moved {} times\n", events.rebuilds, events.migrations,
                   events.cut_moves);
        if (events.late_checks > 0)
            fmt::print(
                "warning: {} times a ball had moved farther than half the skin before it was seen; a contact may have "
                "been found late. "
                "Enlarge run.skin.\n",
                events.late_checks);
        fmt::print("state: {}\n", (out / c.output.state).string());
    }
    fmt::print("digest {}\n", digest.hex());
}

}  // namespace granary
