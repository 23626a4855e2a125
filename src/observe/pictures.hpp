// The pictures of a run: when they are due, what is in them, and what becomes of a run whose pictures fail. They read
// and never change the run (io/insitu/insitu.hpp draws them).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include "observe/every.hpp"
#include "plan/plan.hpp"
#include "observe/results.hpp"
#include "engine/simulation.hpp"
#include "io/insitu/insitu.hpp"
#include "io/log/progress.hpp"

namespace granary {

class Pictures {
  public:
    // Collective, as everything below. resumed: of the run that is taken up again. If that one ended in the middle of a
    // picture there are no more of them: what brought it down once would do so again.
    Pictures(const Simulation& sim, const Plan& plan, Results& results, const SavedState* resumed);

    // Asks for the contacts of the coming step if a picture of them is due after it.
    void before_step(const Simulation& sim);
    bool due(const Simulation& sim) const { return due_at(sim.clock().step(), sim.clock().time()); }
    // Loads ParaView, which may crash: whoever calls writes a checkpoint before.
    bool loads() const { return insitu_ && insitu_->on() && insitu_->pictures() == 0; }
    void draw(const Simulation& sim);
    void draw_last(const Simulation& sim);  // unless it is there already; then ParaView is let go, before MPI ends

    double seconds() const { return seconds_; }  // of the clock, on this rank
    std::string text() const;                    // for the end of the log; "" without any

    template <class Io> void run_state(Io& io) {
        if (!insitu_) return;
        by_time_.run_state(io, "pictures.by_time");
        io("pictures.next_step", next_step_), io("pictures.last_step", last_step_), io("pictures.begun", begun_);
    }

  private:
    bool due_at(std::uint64_t step, double time) const;
    bool wants_forces() const { return insitu_->wants_contacts() || insitu_->wants_pressure(); }

    Results& results_;
    std::optional<Insitu> insitu_;
    Every by_time_;
    std::uint64_t every_steps_ = 0, next_step_ = 0, last_step_ = 0;
    bool intervals_ = false, begun_ = false;
    std::uint64_t asked_step_ = 0, drawn_ = 0;
    double seconds_ = 0;
    WallClock clock_;
};

}  // namespace granary
