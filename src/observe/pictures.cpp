#include "observe/pictures.hpp"

#include <fmt/format.h>
#include <boost/mpi/collectives.hpp>
#include <filesystem>
#include <fstream>
#include "io/formats/amounts.hpp"

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
        fmt::format("warning: no more pictures: the resumed run had ended while it drew one; to try again, "
                    "stop, remove {} and resume\n",
                    results.file(mark)));
}

bool Pictures::due_at(std::uint64_t step, double time) const {
    if (!insitu_ || !insitu_->on()) return false;
    return !begun_ || (every_steps_ > 0 && step >= next_step_) || by_time_.due_at(time);
}

void Pictures::before_step(Simulation& sim) {
    if (!insitu_ || !insitu_->on() || !wants_forces()) return;
    // Without intervals there is one picture at the end, and no one knows which step that will be.
    if (!intervals_ || due_at(sim.steps_done() + 1, sim.time() + sim.setup().dt)) {
        sim.note_contacts(insitu_->wants_contacts());
        asked_step_ = sim.steps_done() + 1;
    }
}

void Pictures::draw(Simulation& sim) {
    by_time_.done_at(sim.time());
    if (every_steps_ > 0) next_step_ = (sim.steps_done() / every_steps_ + 1) * every_steps_;
    last_step_ = sim.steps_done(), begun_ = true;
    const double begun = clock_();
    std::error_code ignored;
    if (sim.comm().rank() == 0) {
        fs::create_directories(results_.file(folder), ignored);
        std::ofstream(results_.file(mark)) << fmt::format("step {}\n", sim.steps_done());
    }

    const Setup& setup = sim.setup();
    std::vector<char> open;
    for (std::size_t w = 0; w < setup.walls.size(); ++w) open.push_back(sim.wall_is_open(w) ? 1 : 0);
    InsituScene scene{sim.inside(),        sim.motion(), setup.axes, sim.walls(),      open, setup.domain,
                      setup.gravity,       {},           sim.time(), sim.steps_done(), {},   {},
                      setup.largest_radius};
    scene.wall_balls = sim.wall_balls(), scene.walls_of_balls = setup.walls_of_balls;
    const std::vector<int>& cuts = sim.slabs().cuts();
    for (std::size_t k = 1; k + 1 < cuts.size(); ++k)
        scene.cuts.push_back(setup.domain.lower.z + cuts[k] * sim.cubes().edge.z);
    const bool asked = asked_step_ == sim.steps_done() && sim.steps_done() > 0;  // else what was noted is of the past
    if (asked && insitu_->wants_contacts())
        for (const PairSample& c : sim.pair_contacts())
            scene.contacts.push_back({sim.bodies().x(c.i), sim.bodies().x(c.j), norm(c.force)});
    if (asked && insitu_->wants_pressure()) scene.wall_pushes = sim.wall_contacts();

    const std::string problem = insitu_->draw(scene);
    if (sim.comm().rank() == 0) fs::remove(results_.file(mark), ignored);
    seconds_ += clock_() - begun;
    if (problem.empty()) ++drawn_;
    else results_.say(fmt::format("warning: no more pictures: {}\n", printable(problem.substr(0, problem.find('\n')))));
}

void Pictures::draw_last(Simulation& sim) {
    // A picture of forces that nobody has asked for in time would be empty: the one before stays the last.
    const bool worth =
        !begun_ || (sim.steps_done() > last_step_ && (!insitu_ || !wants_forces() || asked_step_ == sim.steps_done()));
    if (insitu_ && insitu_->on() && worth) draw(sim);
    insitu_.reset();
}

std::string Pictures::text() const {
    if (drawn_ == 0) return "";
    return fmt::format("{} pictures, {:.3g} s each, in {}\n", drawn_, seconds_ / static_cast<double>(drawn_),
                       results_.file(folder));
}

}  // namespace granary
