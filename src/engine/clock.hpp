// The time of a run: whole steps since the last change of dt, never summed up.
#pragma once
#include <cstdint>

namespace granary {

class Clock {
  public:
    Clock() = default;
    Clock(double start_time, double dt) : time_zero_(start_time), dt_(dt) {}

    std::uint64_t step() const { return step_; }  // steps done
    double dt() const { return dt_; }             // s
    double time() const { return time_at(step_); }
    double time_at(std::uint64_t step) const {  // a step since the last change of dt
        return time_zero_ + static_cast<double>(step - step_zero_) * dt_;
    }
    // From where time is counted.
    std::uint64_t step_zero() const { return step_zero_; }
    double time_zero() const { return time_zero_; }
    void advance() { ++step_; }
    void change_dt(double dt) { time_zero_ = time(), step_zero_ = step_, dt_ = dt; }

    template <class Io> void run_state(Io& io) {
        io("run.step", step_), io("run.step_zero", step_zero_), io("run.time_zero", time_zero_), io("run.dt", dt_);
    }

  private:
    std::uint64_t step_ = 0, step_zero_ = 0;
    double time_zero_ = 0, dt_ = 0;  // s
};

}  // namespace granary
