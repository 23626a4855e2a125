// An axis of a plot with round ticks: 1, 2 or 5 times a power of ten apart, or whole powers of ten.
#pragma once
#include <string>
#include <vector>

namespace granary {

struct Axis {
    double lo = 0, hi = 1;  // the ends; lo < hi
    std::vector<double> ticks;
    std::vector<std::string> labels;  // of the ticks, divided by 10^power
    int power = 0;                    // a multiple of 3; 0: the labels are the values
    bool log = false;

    double place(double value) const;  // 0 at lo, 1 at hi; what lies outside is brought to the nearer end
    std::string unit(const std::string& name) const;  // "10³ kg", "kg", "10³"
};

// From a tick to a tick around lo..hi, with about so many of them. Equal ends, and ends that are no numbers, get a
// range.
Axis round_axis(double lo, double hi, int about);
// The same, but the axis ends at lo and hi themselves: for time, where nothing follows the last value.
Axis tight_axis(double lo, double hi, int about);
// Powers of ten around lo..hi, both above 0.
Axis log_axis(double lo, double hi, int about);

std::string power_of_ten(int power);  // 10⁻³

}  // namespace granary
