// Something that is due every so many seconds of simulated time.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>

namespace granary {

// Counted from time zero of the run; 0: never.
class Every {
  public:
    Every() = default;
    explicit Every(double interval) : interval_(interval) {}
    bool due_at(double time) const { return interval_ > 0 && number(time) > done_; }
    void done_at(double time) { done_ = number(time); }
    template <class Io> void run_state(Io& io, const std::string& name) { io(name, done_); }

  private:
    std::int64_t number(double time) const {
        return static_cast<std::int64_t>(std::min(time / interval_ + 1e-6, 9e18));  // what fits, however short it is
    }
    double interval_ = 0;
    std::int64_t done_ = -1;
};

}  // namespace granary
