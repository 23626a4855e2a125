#include "io/log/warnings.hpp"
#include <fmt/format.h>
#include <algorithm>

namespace granary {

Warning& Warnings::find_or_add(const std::string& text, double time) {
    auto known = std::find_if(list_.begin(), list_.end(), [&](const Warning& w) { return w.text == text; });
    if (known == list_.end()) {
        list_.emplace_back();
        known = list_.end() - 1;
        known->text = text;
        known->first_time = time;
    }
    ++known->count;
    return *known;
}

bool Warnings::add(const std::string& text, double time) { return find_or_add(text, time).count == 1; }

bool Warnings::add(const std::string& text, double time, double amount, const std::string& unit) {
    Warning& w = find_or_add(text, time);
    if (!w.has_amount || amount > w.worst) w.worst = amount, w.worst_time = time;
    w.has_amount = true;
    w.unit = unit;
    return w.count == 1;
}

std::string Warnings::text() const {
    std::string s;
    for (const Warning& w : list_) {
        s += fmt::format("warning: {} (", w.text);
        if (w.count == 1) s += fmt::format("once, at t = {:.6g} s", w.first_time);
        else s += fmt::format("{} times, first at t = {:.6g} s", w.count, w.first_time);
        if (w.has_amount) {
            s += fmt::format(", at worst {:.3g} {}", w.worst, w.unit);
            if (w.count > 1) s += fmt::format(" at t = {:.6g} s", w.worst_time);
        }
        s += ")\n";
    }
    return s;
}

bool warn_of_overlap(Warnings& warnings, double largest_overlap_share, double time, const std::string& wall,
                     double limit) {
    if (!(largest_overlap_share > limit)) return false;
    return warnings.add(
        fmt::format("balls overlap {}by more than {:.0f} % of a radius; use a stiffer material, with a smaller step",
                    wall.empty() ? "" : fmt::format("with the wall \"{}\" ", wall), 100 * limit),
        time, 100 * largest_overlap_share, "%");
}

}  // namespace granary
