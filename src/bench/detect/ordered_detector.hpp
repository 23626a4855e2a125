// What the detectors of the product have in common: bodies stand in the one order, kept by MR sort, and are moved to
// their places before the search.
#pragma once
#include <vector>
#include "bench/detect/detectors.hpp"
#include "core/lent_room.hpp"
#include "core/pair_list.hpp"
#include "search/candidates.hpp"

namespace granary {

class OrderedDetector : public BenchDetector {
  public:
    OrderedDetector(const DetectScene& scene, const DetectorSettings& settings);

    void follow(const DetectScene& scene) final;
    void sort() final;
    void move() final;
    void search() final;
    void for_each_pair(const std::function<void(Index, Index)>& f) const final;
    std::uint64_t n_pairs() const final { return pairs_.size; }
    std::uint64_t bytes() const final;
    double changed_share() const final;

  protected:
    virtual void search_in_order(const SearchTask& task, PairList& pairs) = 0;
    virtual std::uint64_t search_bytes() const { return 0; }
    SearchTask task() const { return {bodies_, cubes_, margin_, false}; }

    Bodies bodies_;
    Cubes cubes_;

  private:
    double margin_;
    PairList pairs_;
    LargeVector<Cube> new_cube_;
    RoomVector<Index> order_;
    std::uint64_t n_movers_ = 0;
};

}  // namespace granary
