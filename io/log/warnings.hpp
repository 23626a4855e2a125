// Warnings of a run: each said once, counted, and listed at the end. A warning is known by its text, which therefore
// holds no number that changes; an amount (how bad it was) is kept apart, the worst of all.
// On one rank, or on all alike from numbers that all share.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "core/errors.hpp"
#include "core/overlap_limits.hpp"

namespace granary {

struct Warning {
    std::string text;
    std::uint64_t count = 0;
    double first_time = 0;  // s, simulated
    bool has_amount = false;
    double worst = 0, worst_time = 0;  // the largest amount, and when it was first reached
    std::string unit;                  // of the amount
};

class Warnings {
  public:
    // True the first time: now it is to be said.
    bool add(const std::string& text, double time);
    bool add(const std::string& text, double time, double amount, const std::string& unit);

    bool empty() const { return list_.empty(); }
    std::span<const Warning> list() const { return list_; }  // in the order of their first times

    // One line each: "warning: <text> (3 times, first at t = 0.5 s, at worst 3.4 % at t = 0.7 s)". Empty without any.
    std::string text() const;

    template <class Io> void run_state(Io& io) {  // for a run that stops and goes on
        std::vector<std::string> texts, units;
        std::vector<std::uint64_t> counts;
        std::vector<double> numbers;
        for (const Warning& w : list_) {
            texts.push_back(w.text), units.push_back(w.has_amount ? w.unit : ""), counts.push_back(w.count);
            counts.push_back(w.has_amount ? 1 : 0);
            numbers.insert(numbers.end(), {w.first_time, w.worst, w.worst_time});
        }
        io("warnings.texts", texts), io("warnings.units", units), io("warnings.counts", counts);
        io("warnings.numbers", numbers);
        if constexpr (Io::loads) {
            list_.clear();
            if (units.size() != texts.size() || counts.size() != 2 * texts.size() || numbers.size() != 3 * texts.size())
                throw InputError("the checkpoint holds " + std::to_string(texts.size()) +
                                 " warnings, and numbers of more or fewer");
            for (std::size_t k = 0; k < texts.size(); ++k)
                list_.push_back({texts[k], counts.at(2 * k), numbers.at(3 * k), counts.at(2 * k + 1) != 0,
                                 numbers.at(3 * k + 1), numbers.at(3 * k + 2), units.at(k)});
        }
    }

  private:
    Warning& find_or_add(const std::string& text, double time);
    std::vector<Warning> list_;
};

// wall: the name of that with which balls overlap; empty: with each other.
bool warn_of_overlap(Warnings& warnings, double largest_overlap_share, double time, const std::string& wall = {},
                     double limit = overlap_worth_a_warning);

}  // namespace granary
