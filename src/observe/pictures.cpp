#include "observe/pictures.hpp"

#include <fmt/format.h>
#include <boost/mpi/collectives.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include "io/formats/amounts.hpp"
#include "observe/bond_views.hpp"
#include "engine/measures.hpp"

namespace granary {

namespace {

namespace fs = std::filesystem;

constexpr const char* folder = "insitu";
// There while a picture is being made. Left behind by a run that a crash of the renderer has ended.
constexpr const char* mark = "insitu/being-drawn.txt";

InsituOptions options_of(const Plan& plan, const Results& results) {
    const InsituSpec& i = *plan.c.insitu;
    return {i.scripts,
            i.live,
            {static_cast<int>(i.width), static_cast<int>(i.height)},
            plan.c.title,
            results.file(folder)};
}

}  // namespace

Pictures::Pictures(const Simulation& sim, const Plan& plan, Results& results, const SavedState* resumed)
    : results_(results),
      clock_(system_clock()) {
    if (!plan.c.insitu) return;
    insitu_.emplace(sim.comm(), options_of(plan, results));
    by_time_ = Every(plan.c.insitu->every);
    every_steps_ = static_cast<std::uint64_t>(plan.c.insitu->every_steps);
    intervals_ = plan.c.insitu->every > 0 || every_steps_ > 0;
    std::error_code ignored;
    bool crashed = false;
    if (sim.comm().rank() == 0) {
        crashed = resumed != nullptr && fs::exists(results.file(mark), ignored);
        if (resumed == nullptr) fs::remove(results.file(mark), ignored);
    }
    if (resumed != nullptr) {
        StateLoader io(*resumed);
        run_state(io);
    }
    boost::mpi::broadcast(sim.comm(), crashed, 0);
    if (!crashed) return;
    insitu_->turn_off();
    results_.say(
        fmt::format("warning: pictures are off: the resumed run had ended while it drew one; to try again, "
                    "stop, remove {} and resume\n",
                    results.file(mark)));
}

bool Pictures::due_at(std::uint64_t step, double time) const {
    if (!insitu_ || !insitu_->on()) return false;
    return !begun_ || (every_steps_ > 0 && step >= next_step_) || by_time_.due_at(time);
}

void Pictures::before_step(const Simulation& sim) {
    if (!insitu_ || !insitu_->on() || !wants_forces()) return;
    // Without intervals there is one picture at the end, and no one knows which step that will be.
    if (!intervals_ || due_at(sim.clock().step() + 1, sim.clock().time() + sim.setup().dt)) {
        sim.requests().note_contacts(insitu_->wants_contacts());
        asked_step_ = sim.clock().step() + 1;
    }
}

void Pictures::draw(const Simulation& sim) {
    by_time_.done_at(sim.clock().time());
    if (every_steps_ > 0) next_step_ = (sim.clock().step() / every_steps_ + 1) * every_steps_;
    last_step_ = sim.clock().step(), begun_ = true;
    const double begun = clock_();
    std::error_code ignored;
    if (sim.comm().rank() == 0) {
        fs::create_directories(results_.file(folder), ignored);
        std::ofstream(results_.file(mark)) << fmt::format("step {}\n", sim.clock().step());
    }

    const Setup& setup = sim.setup();
    std::vector<char> open;
    for (std::size_t w = 0; w < setup.walls.size(); ++w) open.push_back((sim.forces().wall_open[w] != 0) ? 1 : 0);
    InsituScene scene{bodies_inside(sim),  sim.motion(), setup.axes,         sim.walls().walls(), open, setup.domain,
                      setup.gravity,       {},           sim.clock().time(), sim.clock().step(),  {},   {},
                      setup.largest_radius};
    scene.wall_balls = sim.forces().wall_balls.balls(), scene.walls_of_balls = setup.walls_of_balls;
    scene.shapes = setup.shapes;
    std::uint64_t grains = 0;
    for (const Range& range : scene.bodies.real)
        for (Index i = range.begin; i < range.end; ++i) grains += scene.bodies.is_shape(i) ? 1 : 0;
    scene.n_grains = boost::mpi::all_reduce(sim.comm(), grains, std::plus<std::uint64_t>());
    const std::vector<int>& cuts = sim.neighbourhood().slabs.cuts();
    for (std::size_t k = 1; k + 1 < cuts.size(); ++k)
        scene.cuts.push_back(setup.domain.lower.z + cuts[k] * sim.neighbourhood().cubes.edge.z);
    const bool asked =
        asked_step_ == sim.clock().step() && sim.clock().step() > 0;  // else what was noted is of the past
    if (asked && insitu_->wants_contacts())
        for (const PairSample& c : sim.forces().pair_samples)
            scene.contacts.push_back({sim.bodies().x(c.i), sim.bodies().x(c.j), norm(c.force)});
    if (asked && insitu_->wants_pressure()) scene.wall_pushes = sim.forces().wall_samples;
    if (insitu_->wants_bonds() && sim.forces().bonds.possible()) {
        scene.bonds = bond_lines(sim);
        scene.broken_bonds = sim.forces().bonds.counts(sim.comm(), sim.bodies(), sim.neighbourhood()).all_broken();
    }

    const std::string problem = insitu_->draw(scene);
    if (sim.comm().rank() == 0) fs::remove(results_.file(mark), ignored);
    seconds_ += clock_() - begun;
    if (problem.empty()) ++drawn_;
    else results_.say(fmt::format("warning: pictures are off: {}\n", printable(problem.substr(0, problem.find('\n')))));
}

void Pictures::draw_last(const Simulation& sim) {
    // A picture of forces that nobody has asked for in time would be empty: the one before stays the last.
    const bool worth = !begun_ || (sim.clock().step() > last_step_ &&
                                   (!insitu_ || !wants_forces() || asked_step_ == sim.clock().step()));
    if (insitu_ && insitu_->on() && worth) draw(sim);
    insitu_.reset();
}

std::string Pictures::text() const {
    if (drawn_ == 0) return "";
    return fmt::format("{} pictures, {:.3g} s each, in {}\n", drawn_, seconds_ / static_cast<double>(drawn_),
                       results_.file(folder));
}

}  // namespace granary
