// When must the order be made anew? A candidate list made with skin Delta is complete as long as no body has moved
// farther than Delta/2 from where the list was made: half, because both partners move (a moving wall is a partner too).
//
// Now and then, at check steps, the ranks begin to gather the largest displacement D and the largest speed V; the
// answer is used at the next step, neither earlier nor later, on any number of ranks. From it follows the next check,
// or the rebuild: while D + 2 V n dt <= Delta/2 nothing can be missed for n steps, with speeds allowed to double
// meanwhile. The next check comes after those n steps; as the slack shrinks the checks come closer, and when n < 1 the
// list is made anew.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include "core/bodies.hpp"

namespace granary {

class Staleness {
  public:
    using Step = std::uint64_t;
    Staleness() = default;
    // longest: steps between two rebuilds at most.
    Staleness(double skin, double dt, Step longest) : half_skin_(0.5 * skin), dt_(dt), longest_(longest) {}

    void change_dt(double dt) { dt_ = dt; }  // a rebuild must follow

    // A rebuild was made at this step; speed is the largest at that moment.
    void rebuilt(Step step, double speed) {
        last_rebuild_ = step;
        rebuild_ = false;
        plan(step, 0.0, speed);
    }
    bool check_due(Step step) const { return step == next_check_; }

    // The answer of the check at `step`.
    void learn(Step step, double displacement, double speed) {
        if (displacement > half_skin_) ++n_late_;
        plan(step, displacement, speed);
    }
    // Whether the step after the last answer, or any later one, must begin with a rebuild.
    bool rebuild_due(Step step) const { return rebuild_ || step >= last_rebuild_ + longest_; }

    // How often a body had already moved farther than half the skin when the check saw it.
    std::uint64_t n_late() const { return n_late_; }

    template <class Io> void run_state(Io& io) {  // for a run that stops and goes on; skin and step are given again
        io("staleness.last_rebuild", last_rebuild_);
        io("staleness.next_check", next_check_);
        io("staleness.rebuild", rebuild_);
        io("staleness.n_late", n_late_);
    }

    static constexpr double growth = 2.0;       // speeds may double between two checks
    static constexpr Step farthest_check = 20;  // and rest may end: a check at least so often

  private:
    void plan(Step step, double displacement, double speed) {
        const double steps = (half_skin_ - displacement) / (growth * speed * dt_);
        if (!(steps >= 1.0)) {  // also when it is not a number
            rebuild_ = true;
            next_check_ = step + 1;
        } else {
            next_check_ = step + static_cast<Step>(std::min(steps, static_cast<double>(farthest_check)));
        }
    }

    double half_skin_ = 0, dt_ = 0;
    Step longest_ = 1, last_rebuild_ = 0, next_check_ = 0;
    bool rebuild_ = false;
    std::uint64_t n_late_ = 0;
};

struct Extremes {
    double displacement = 0;  // m, from the positions of the last sort
    double speed = 0;         // m/s
};

// Over this rank's real bodies; infinite if a position or velocity is not a number.
Extremes extremes(const Bodies& bodies);

// m^2/s^2, as extremes() has it.
inline double square_of_speed(const Bodies& bodies, Index i) {
    const double* const v = bodies.velocity.data() + std::size_t{4} * i;
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

}  // namespace granary
