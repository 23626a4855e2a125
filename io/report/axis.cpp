#include "io/report/axis.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace granary {
namespace {

constexpr double slack = 1e-9;  // of a step: values that are a tick but for rounding

double round_step(double range, int about) {
    const double raw = range / std::max(1, about);
    const double ten = std::pow(10, std::floor(std::log10(raw)));
    for (const double m : {1.0, 2.0, 5.0})
        if (m * ten >= 0.8 * raw) return m * ten;  // rather a tick more than half as many
    return 10 * ten;
}

std::string label_of(double value, int decimals) {
    std::string text = fmt::format("{:.{}f}", value, decimals);
    const bool zero = text.find_first_of("123456789") == std::string::npos;
    if (text.front() == '-') text = (zero ? "" : "−") + text.substr(1);
    return text;
}

void mend(double& lo, double& hi) {
    if (!std::isfinite(lo) || !std::isfinite(hi)) lo = 0, hi = 1;
    if (lo > hi) std::swap(lo, hi);
    const double size = std::max(std::abs(lo), std::abs(hi));
    if (hi - lo > 1e-12 * size) return;
    if (size == 0) hi = 1;
    else lo -= 0.5 * size, hi += 0.5 * size;
}

void add_ticks(Axis& axis, double step) {
    const double size = std::max(std::abs(axis.lo), std::abs(axis.hi));
    if (size >= 1e5 || size < 1e-2) axis.power = 3 * static_cast<int>(std::floor(std::log10(size) / 3 + slack));
    const double unit = std::pow(10, axis.power);
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step / unit) + slack)));
    for (double k = std::ceil(axis.lo / step - slack); k * step <= axis.hi + slack * step; ++k) {
        axis.ticks.push_back(k * step);
        axis.labels.push_back(label_of(k * step / unit, decimals));
    }
}

}  // namespace

double Axis::place(double value) const {
    const double p = log ? (std::log10(std::max(value, lo)) - std::log10(lo)) / (std::log10(hi) - std::log10(lo))
                         : (value - lo) / (hi - lo);
    return std::clamp(p, 0.0, 1.0);
}

std::string Axis::unit(const std::string& name) const {
    if (power == 0) return name;
    return power_of_ten(power) + (name.empty() ? "" : " " + name);
}

Axis round_axis(double lo, double hi, int about) {
    mend(lo, hi);
    const double step = round_step(hi - lo, about);
    Axis axis;
    axis.lo = step * std::floor(lo / step + slack), axis.hi = step * std::ceil(hi / step - slack);
    add_ticks(axis, step);
    return axis;
}

Axis tight_axis(double lo, double hi, int about) {
    mend(lo, hi);
    Axis axis;
    axis.lo = lo, axis.hi = hi;
    add_ticks(axis, round_step(hi - lo, about));
    return axis;
}

Axis log_axis(double lo, double hi, int about) {
    if (!(lo > 0) || !(hi >= lo) || !std::isfinite(hi)) lo = 1, hi = 10;
    Axis axis;
    axis.log = true;
    int first = static_cast<int>(std::floor(std::log10(lo) + slack)),
        last = static_cast<int>(std::ceil(std::log10(hi) - slack));
    if (last == first) ++last;
    const int step = std::max(1, (last - first + about - 1) / std::max(1, about));
    axis.lo = std::pow(10, first), axis.hi = std::pow(10, last);
    for (int k = last - (last - first) / step * step; k <= last; k += step) {
        axis.ticks.push_back(std::pow(10, k));
        axis.labels.push_back(k == 0 ? "1" : power_of_ten(k));
    }
    return axis;
}

std::string power_of_ten(int power) {
    static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = "10";
    if (power < 0) text += "⁻";
    for (const char c : std::to_string(std::abs(power))) text += digits[c - '0'];
    return text;
}

}  // namespace granary
