#include "run/checkpoints.hpp"

#include <fmt/format.h>
#include <filesystem>
#include <utility>
#include "observe/checkpoint_file.hpp"
#include "core/errors.hpp"

namespace granary {

namespace {

// A request may travel twice, since all learn of it some steps after it was made. Checks are at most so many
// steps apart.
constexpr std::uint64_t echo = Staleness::farthest_check + 2;

}  // namespace

Checkpoints::Checkpoints(const Simulation& sim, Results& results, CheckpointTimes times, std::string case_text,
                         std::function<SavedState()> save, WallClock clock)
    : results_(results),
      times_(times),
      case_text_(std::move(case_text)),
      save_(std::move(save)),
      clock_(std::move(clock)),
      by_time_(times.every),
      next_by_clock_(clock_() + times.every_wall) {
    by_time_.done_at(sim.clock().time());
}

void Checkpoints::before_step(const Simulation& sim) {
    if (signals_.asked()) sim.requests().ask(stop_by_signal);
    if (sim.comm().rank() > 0) return;
    if (signals_.by_keyboard() && !std::exchange(keyboard_told_, true))
        results_.say("Ctrl-C: the run saves a checkpoint and stops; press it again to end at once\n");
    const double now = clock_();
    if (times_.wall_time && now - times_.started >= *times_.wall_time) sim.requests().ask(stop_by_clock);
    if (times_.every_wall > 0 && now >= next_by_clock_) sim.requests().ask(save_now);
}

bool Checkpoints::after_step(const Simulation& sim) {
    const int requested = sim.requests().agreed();
    const bool stop = requested >= stop_by_clock;
    const bool by_clock = requested == save_now && (!written_ || sim.clock().step() > last_step_ + echo);
    const bool by_time = by_time_.due_at(sim.clock().time());
    if (requested > none) sim.requests().drop();
    if (!stop && !by_clock && !by_time) return false;
    by_time_.done_at(sim.clock().time());
    const bool whole = write(sim);
    if (!stop) return false;
    why_ = requested == stop_by_signal ? "signal received" : "wall-time limit reached";
    if (!whole && newest_.empty())
        throw RunError(fmt::format("{}, but no checkpoint could be written: {}", why_, last_problem_));
    return true;
}

void Checkpoints::write_now(const Simulation& sim) {
    if (newest_ != std::string(checkpoint_folder) + "/" + checkpoint_name(sim.clock().step())) write(sim);
}

// A checkpoint that cannot be written is no reason to end a run: perhaps the next one can.
bool Checkpoints::write(const Simulation& sim) {
    const std::string name = std::string(checkpoint_folder) + "/" + checkpoint_name(sim.clock().step());
    std::string problem;
    try {
        write_checkpoint(results_.file(name), sim, case_text_, save_());
    } catch (const Error& e) {  // the same on all ranks
        if (e.kind() != ErrorKind::input && e.kind() != ErrorKind::run) throw;
        problem = e.what();
    }
    next_by_clock_ = clock_() + times_.every_wall;
    last_step_ = sim.clock().step(), written_ = true;
    if (!problem.empty()) {
        if (last_problem_.empty())  // of several in a row, the first is told
            results_.say(fmt::format("warning: no checkpoint at step {}: {}; {}\n", sim.clock().step(), problem,
                                     newest_.empty() ? "there is none yet" : "the last intact one is " + newest_));
        last_problem_ = problem;
        return false;
    }
    if (!last_problem_.empty())
        results_.say(fmt::format("checkpoints are written again, at step {}\n", sim.clock().step()));
    last_problem_.clear();
    newest_ = name;
    if (sim.comm().rank() == 0) {
        write_status(results_.file(""), status(sim, "running"));
        remove_old();
    }
    results_.note(fmt::format("checkpoint {}\n", name));
    return true;
}

void Checkpoints::remove_old() const {
    const std::vector<std::string> all = checkpoints_in(results_.file(""));
    std::error_code ignored;
    for (std::size_t k = std::max<std::uint64_t>(times_.kept, 1); k < all.size(); ++k)
        std::filesystem::remove(all[k], ignored);
}

RunStatus Checkpoints::status(const Simulation& sim, std::string word, std::string message) const {
    return {std::move(word), sim.clock().step(), sim.clock().time(), newest_, sim.comm().size(), std::move(message)};
}

}  // namespace granary
