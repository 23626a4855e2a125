#include "search/pair_search.hpp"

#include "search/all_pairs.hpp"
#include "search/fixed_cubes_lazarevic2002.hpp"
#include "search/mmr_search_munjiza2006.hpp"
#include "search/mr_search_munjiza2006.hpp"
#include "search/two_level_huang2020.hpp"

namespace granary {

struct PairSearch::Rooms {
    std::unique_ptr<MmrWorkspace> mmr;
    std::unique_ptr<FixedCubesWorkspace> fixed_cubes;
    std::unique_ptr<TwoLevelWorkspace> two_level;
};

namespace {

template <class Workspace> Workspace& made(std::unique_ptr<Workspace>& room) {
    if (room == nullptr) room = std::make_unique<Workspace>();
    return *room;
}
template <class Workspace> std::uint64_t bytes_of(const std::unique_ptr<Workspace>& room) {
    return room == nullptr ? 0 : room->bytes();
}

}  // namespace

PairSearch::PairSearch() : rooms_(std::make_unique<Rooms>()) {}
PairSearch::~PairSearch() = default;
PairSearch::PairSearch(PairSearch&&) noexcept = default;
PairSearch& PairSearch::operator=(PairSearch&&) noexcept = default;

void PairSearch::search(Detector detector, double alpha, const SearchTask& task, PairList& pairs) {
    switch (detector) {
        case Detector::mr: mr_search(task, pairs); break;
        case Detector::mmr: mmr_search(task, pairs, {.alpha = alpha}, made(rooms_->mmr)); break;
        case Detector::fixed_cubes: fixed_cubes_search(task, pairs, {}, made(rooms_->fixed_cubes)); break;
        case Detector::all_pairs: all_pairs_search(task, pairs); break;
        case Detector::two_level:
            two_level_search(task, pairs, two_level_of_runs(alpha), made(rooms_->two_level));
            break;
    }
}

std::uint64_t PairSearch::bytes() const {
    return bytes_of(rooms_->mmr) + bytes_of(rooms_->fixed_cubes) + bytes_of(rooms_->two_level);
}

}  // namespace granary
