// The single-level grid that the paper compares its own with, algorithm 1, with both rules for the size of a cell:
//   Huang, Ding, Miao, Sang & Jia (2020), Powder Technol. 374, 371-382, section 2.
//   maximum diameter (8): cells as long as the largest ball; a ball looks into its own cell and the 26 around it
//   minimum diameter (10), (11): cells of sqrt(2)/2 of the smallest diameter; a ball looks into all cells from I_l to
//   I_m.
//                         (10) has one centre a cell in two dimensions only, so a cell holds a list here too; (11) is
//                         for z too, and ends at the grid.
// Every element is a ball of its own. The cells are an array over the whole domain with a linked list for each, as
// usual; a pair is reported by the ball with the smaller number. The algorithm as printed moves a ball inside the loop
// that finds contacts; here nothing moves.
#pragma once
#include <array>
#include <vector>
#include "bench/detect/detectors.hpp"
#include "core/large_pages.hpp"
#include "search/mr_cells_munjiza2006.hpp"

namespace granary {

class FlatGrid final : public BenchDetector {
  public:
    enum class Rule { maximum_diameter, minimum_diameter };
    FlatGrid(const DetectScene& scene, Rule rule);

    void follow(const DetectScene&) override {}  // it reads the scene itself
    void sort() override;                        // grid subdivision
    void search() override;                      // contact resolution
    void for_each_pair(const std::function<void(Index, Index)>& f) const override;
    std::uint64_t n_pairs() const override { return couples_.size(); }
    std::uint64_t bytes() const override { return sizeof(Index) * (head_.capacity() + next_.capacity()); }
    std::uint64_t tests() const { return tests_; }  // of the last search

  private:
    int cell(double x, int axis) const;

    const DetectScene& scene_;
    Rule rule_;
    double edge_, inverse_, largest_radius_;
    std::array<int, 3> cells_{};
    LargeVector<Index> head_, next_;
    std::vector<Couple> couples_;
    std::uint64_t tests_ = 0;
};

}  // namespace granary
