// Does a servo hold its force? Seen at every look, from the first time that the balls press as hard as they are to, or
// nearly: windows of looks, and in each the root mean square of what the force is off, as a share of the force wanted.
// The first windows, in which the bed yields and comes to rest, are not judged.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>

namespace granary {

struct ServoWatch {
    static constexpr double window = 200;  // looks; 2000 steps
    static constexpr double unjudged = 5;  // windows at the beginning
    static constexpr double limit = 0.1;   // of the force wanted

    // Whole numbers are kept as doubles: a checkpoint then holds one list.
    double reached = 0;             // not 0: it has come within the limit
    double looks = 0, squares = 0;  // of the window that is open
    double windows = 0;             // closed so far
    double last = 0;                // off in the last one that was closed, as a share
    double failed = 0,
           worst = 0;  // of those that were judged: how many were off by more than the limit, and the worst of all

    void see(double share) {  // force over the force wanted
        if (reached == 0 && share < 1 - limit) return;
        reached = 1;
        ++looks, squares += (share - 1) * (share - 1);
        if (looks < window) return;
        last = std::sqrt(squares / looks), ++windows;
        looks = squares = 0;
        if (windows <= unjudged) return;
        if (last > limit) ++failed;
        worst = std::max(worst, last);
    }

    static constexpr std::size_t n_numbers = 7;
    std::array<double, n_numbers> numbers() const { return {reached, looks, squares, windows, last, failed, worst}; }
    static ServoWatch of(const double* n) { return {n[0], n[1], n[2], n[3], n[4], n[5], n[6]}; }
};

}  // namespace granary
