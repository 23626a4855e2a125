// When and where to move the cuts between ranks. Cuts do not change the run, so clocks may have a say here.
//
// What a rank will take is the counted work of its layers times its pace: seconds that it has taken for a unit of
// counted work, beside the mean of all ranks. Paces differ where a core is slow or shared, or where work is not what
// the counts say; they are measured over at least `least_seconds` and smoothed. The cuts chosen are the best there are:
// no others have a smaller largest share.
//
// Against moving to and fro: work is smoothed over the looks, balance that is good enough is left alone, a move must be
// worth it, and must be worth more the more moves there were of late.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace granary {

struct BalanceRules {
    double tolerated = 1.05;         // largest share over the mean that is left alone
    double least_gain = 0.02;        // by which a move must lower it
    double restless = 0.02;          // so much more after a move; fades by a quarter from look to look
    bool by_time = true;             // paces count; else all ranks are taken as equally fast
    double least_seconds = 0.5;      // of work on a rank (mean of all) before a pace is believed
    double least_difference = 0.05;  // of a pace from the mean; below it is noise
};

struct CutMove {
    std::vector<int> cuts;
    double before = 1, after = 1;  // imbalance with the old cuts and the new ones, as far as is known
};

class Balance {
  public:
    Balance() = default;
    explicit Balance(const BalanceRules& rules) : rules_(rules) {}

    // layer_cost: counted work of a step in each layer; rank_seconds: what each rank has worked in all so far, without
    // waiting; steps: done so far. The same on all ranks, so all come to the same answer: new cuts, if moving is worth
    // it.
    std::optional<CutMove> look(std::span<const double> layer_cost, const std::vector<int>& cuts,
                                std::span<const double> rank_seconds, std::uint64_t steps);

    const std::vector<double>& pace() const { return pace_; }  // of each rank; 1: the mean. Empty: not known

  private:
    void learn_paces(std::span<const double> layer_cost, const std::vector<int>& cuts,
                     std::span<const double> rank_seconds, std::uint64_t steps);

    BalanceRules rules_;
    std::vector<double> cost_;  // of each layer, smoothed
    std::vector<double> pace_;
    std::vector<double> seconds_then_, work_;  // of each rank: seconds when measuring began, work counted since
    std::uint64_t steps_then_ = 0;
    bool measuring_ = false;
    double restlessness_ = 0;
};

// Cuts with the smallest largest share that whole layers allow: a rank's share is the cost of its layers times its pace
// (no paces: 1). Among those, each cut is as near as can be to an even split, so that layers without cost are shared
// too.
std::vector<int> balanced_cuts(std::span<const double> layer_cost, int n_ranks, std::span<const double> pace = {});

// Largest share of a rank over the mean, 1 when nothing costs anything.
double imbalance(std::span<const double> layer_cost, const std::vector<int>& cuts, std::span<const double> pace = {});

}  // namespace granary
