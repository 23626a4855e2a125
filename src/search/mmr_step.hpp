// One step of MMR: bodies by cubes, the large ones of a group and all smaller ones in two lists. See
// mmr_search_munjiza2006.hpp.
//
// A body looks at the large ones around its cube, gathered into one short list, and at the small ones row by row: only
// at rows that its ball reaches when enlarged by the largest radius of a small one, and in a row, which is sorted along
// x, only from the first to the last that can be near. Sixteen are tested at a time in single precision
// (float_sieve.hpp); the caller tests what is left.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <vector>
#include "search/float_sieve.hpp"
#include "search/keyed_bodies.hpp"
#include "search/local_cubes.hpp"

namespace granary::mmr {

using CubeOfList = LongKeyed;  // key, and where its bodies begin in the list
using SortedCubes = SortedBodies<std::uint64_t>;

// One row of the mask, up to three cubes along x, in a list by cubes. Its cursors only move forward.
class Row {
  public:
    // From so many cubes before the middle one to the one after it.
    Row(const LocalCubes& cubes, int dy, int dz, unsigned before = 1)
        : middle_(static_cast<std::uint64_t>(dy) * cubes.step(1) + static_cast<std::uint64_t>(dz) * cubes.step(2)),
          before_(before),
          dy_(dy + 1),
          dz_(dz + 1) {}

    Range go_to(const SortedCubes& cubes, std::uint64_t central) {  // places in the list
        const std::uint64_t here = central + middle_;
        begin_ = cubes.forward(begin_, here - before_);
        end_ = cubes.forward(std::max(begin_, end_), here + 2);
        return {cubes.begin[begin_].place, cubes.begin[end_].place};
    }
    int dy() const { return dy_; }  // 0: below the central cube, 1: beside it, 2: above
    int dz() const { return dz_; }

  private:
    std::uint64_t middle_;  // from the central cube to the middle one of the row
    unsigned before_;
    int dy_, dz_;
    Index begin_ = 0, end_ = 0;
};

// Half the mask: the rest of the central cube's own row, and four rows after it.
inline std::array<Row, 5> half_mask(const LocalCubes& cubes) {
    return {{{cubes, 0, 0, 0}, {cubes, 1, 0}, {cubes, -1, 1}, {cubes, 0, 1}, {cubes, 1, 1}}};
}
inline std::array<Row, 9> whole_mask(const LocalCubes& cubes) {
    return {{{cubes, -1, -1},
             {cubes, 0, -1},
             {cubes, 1, -1},
             {cubes, -1, 0},
             {cubes, 0, 0},
             {cubes, 1, 0},
             {cubes, -1, 1},
             {cubes, 0, 1},
             {cubes, 1, 1}}};
}

// Distances from centres to the planes between the rows of cubes, squared; 0: those below, 1: their own, 2: those
// above.
class Gaps {
  public:
    Gaps(const LocalCubes& cubes, const FloatSieve& sieve, std::uint64_t central) {
        for (int axis : {1, 2}) {
            const double low = cubes.lower_face(central, axis), edge = at(cubes.edge, axis);
            low_[axis] = sieve.coordinate(low, axis), high_[axis] = sieve.coordinate(low + edge, axis);
            // Rounding of a digit may put a centre a trifle outside of its cube, and so may single precision.
            slack_[axis] = 1e-6F * (high_[axis] - low_[axis]) + 0x1p-21F;
        }
    }
    std::array<float, 3> squares(float x, int axis) const {
        const float below = std::max(0.0F, x - (low_[axis] + slack_[axis])),
                    above = std::max(0.0F, (high_[axis] - slack_[axis]) - x);
        return {below * below, 0, above * above};
    }
    std::array<Float16, 3> squares(const Float16& x, int axis) const {
        const Float16 none = Float16::all(0), below = larger(x - Float16::all(low_[axis] + slack_[axis]), none),
                      above = larger(Float16::all(high_[axis] - slack_[axis]) - x, none);
        return {below * below, none, above * above};
    }

  private:
    std::array<float, 3> low_{}, high_{}, slack_{};
};

// A looker and what it may have found: in which lane of its sixteen it stands, and the number of the other.
inline constexpr int hit_bits = 28;
inline constexpr Index hit_number = (Index{1} << hit_bits) - 1;

// Puts the n hits of sixteen lookers in order of the lookers, into a spare list, with room for sixteen more.
inline Index* by_looker(const Index* hits, std::size_t n, std::vector<Index>& spare) {
    if (spare.size() < n + 16) spare.resize(n + n / 2 + 16);
    std::array<Index, 17> next{};
    for (std::size_t k = 0; k < n; ++k) ++next[(hits[k] >> hit_bits) + 1];
    for (std::size_t l = 0; l < 16; ++l) next[l + 1] += next[l];
    for (std::size_t k = 0; k < n; ++k) spare[next[hits[k] >> hit_bits]++] = hits[k];
    return spare.data();
}

// All that a step searches. Bodies are numbered as they stand in its order.
struct StepLists {
    const LocalCubes& cubes;
    const FloatSieve& sieve;
    const SievedBalls &large, &small;
    SortedCubes large_cubes, small_cubes;
    double largest_small = 0;  // radius, m
    float blur = 0;            // how far the small ones of a row are out of order along x
};

struct StepRoom {  // kept from search to search
    SievedBalls near_large, lookers;
    std::vector<Index> hits, spare;
    std::uint64_t bytes() const {
        return near_large.bytes() + lookers.bytes() + sizeof(Index) * (hits.capacity() + spare.capacity());
    }
};

class StepSearch {
  public:
    StepSearch(const StepLists& lists, double margin, StepRoom& room)
        : lists_(lists),
          near_(room.near_large),
          lookers_(room.lookers),
          hits_(room.hits),
          margin_(lists.sieve.margin(margin)),
          more_(lists.sieve.radius(lists.largest_small) + lists.blur) {}

    // Every body looks for those after it. key(k): of the k-th in the order of the step; sink(begin, end, hits, n):
    // what those from begin to end, up to sixteen, may have found.
    //
    // What is done next hardly ever depends on what was found: a wrong guess costs more than testing sixteen balls. So
    // it is first settled for the bodies of a cube which rows they look at, then they look, then what they found is
    // tested.
    template <class Key, class Sink> void all(Index n, Key&& key, Sink&& sink) {
        auto large = half_mask(lists_.cubes), small = half_mask(lists_.cubes);
        std::array<Range, 5> runs;
        Index large_from = 0, small_from = 0;
        for (Index k = 0; k < n;) {
            const std::uint64_t central = key(k);
            Index end = k + 1;
            while (end < n && key(end) == central) ++end;
            go_to(central, large, small, runs);
            const Gaps gaps(lists_.cubes, lists_.sieve, central);
            lookers_.make_room(std::size_t{end - k} + 16);
            take_lookers(lists_.large, k, end, large_from), take_lookers(lists_.small, k, end, small_from);
            for (Index from = 0; from < end - k; from += 16) {
                const Index n_lookers = std::min(Index{16}, end - k - from);
                first_ = k + from;
                Index* hits = make_room(n_lookers * most_);
                for (Index m = 0; m < n_near_; m += 16)
                    for (Index l = 0; l < n_lookers; ++l) hits = look_at_large(from + l, l, m, hits);
                // Who looks at which row.
                const auto y = gaps.squares(Float16::load(&lookers_.y[from]), 1),
                           z = gaps.squares(Float16::load(&lookers_.z[from]), 2);
                const Float16 far = Float16::load(&lookers_.r[from]) + Float16::all(margin_ + more_);
                Index n_visits = 0;
                for (std::size_t r = 0; r < small.size(); ++r) {
                    const unsigned looking = lanes_below(y[small[r].dy()] + z[small[r].dz()], far * far);
                    Index* const to = visitor_.data() + n_visits;
                    std::fill_n(row_of_visit_.data() + n_visits, 16, runs[r]);
                    n_visits += static_cast<Index>(
                        keep_lanes(lane_numbers.data(), 0, (r == 0 ? all16 : looking) & first_lanes(n_lookers), to) -
                        to);
                }
                for (Index v = 0; v < n_visits; ++v)
                    hits = look_along<true>(from + visitor_[v], visitor_[v], row_of_visit_[v], hits);
                sink(first_, first_ + n_lookers, hits_.data(), static_cast<std::size_t>(hits - hits_.data()));
            }
            k = end;
        }
    }

    // The large ones look for large ones after them, and for small ones anywhere.
    template <class Sink> void large_ones(Sink&& sink) {
        auto large = half_mask(lists_.cubes);
        auto small = whole_mask(lists_.cubes);
        std::array<Range, 9> runs;
        lookers_.make_room(16);
        for (Index c = 0; c < lists_.large_cubes.size; ++c) {
            const CubeOfList* cube = lists_.large_cubes.begin + c;
            go_to(cube->key, large, small, runs);
            const Gaps gaps(lists_.cubes, lists_.sieve, cube->key);
            for (Index m = cube->place; m < cube[1].place; ++m) {
                lookers_.copy16(0, lists_.large, m);
                first_ = lookers_.number[0];
                Index* hits = make_room(most_);
                for (Index near = 0; near < n_near_; near += 16) hits = look_at_large(0, 0, near, hits);
                const auto y = gaps.squares(lookers_.y[0], 1), z = gaps.squares(lookers_.z[0], 2);
                const float far = lookers_.r[0] + margin_ + more_;
                for (std::size_t r = 0; r < small.size(); ++r)
                    if (y[small[r].dy()] + z[small[r].dz()] < far * far) hits = look_along<false>(0, 0, runs[r], hits);
                sink(first_, first_ + 1, hits_.data(), static_cast<std::size_t>(hits - hits_.data()));
            }
        }
    }

  private:
    // The large ones around go into one short list; of the small ones, where each row lies.
    template <std::size_t n> void go_to(std::uint64_t central, std::array<Row, 5>& large, std::array<Row, n>& small,
                                        std::array<Range, n>& runs) {
        n_near_ = 0;
        for (Row& row : large) {
            const Range run = row.go_to(lists_.large_cubes, central);
            near_.make_room(std::size_t{n_near_} + run.size() + 16);
            for (Index k = run.begin; k < run.end; k += 16) near_.copy16(n_near_ + (k - run.begin), lists_.large, k);
            n_near_ += run.size();
        }
        most_ = n_near_;
        for (std::size_t r = 0; r < n; ++r) {
            runs[r] = small[r].go_to(lists_.small_cubes, central);
            most_ += runs[r].size();
        }
    }
    Index* make_room(std::size_t n) {
        if (hits_.size() < n + 32) hits_.resize(n + n / 2 + 32);
        return hits_.data();
    }

    // Those of the bodies from begin to end that are in the list, from a place in it on.
    void take_lookers(const SievedBalls& list, Index begin, Index end, Index& from) {
        for (; list.number[from] < end; ++from)
            lookers_.put(list.number[from] - begin, {list.x[from], list.y[from], list.z[from], list.r[from]},
                         list.number[from]);
    }

    // Looker l, in this lane of its sixteen, looks for those after it among sixteen large ones.
    Index* look_at_large(Index l, Index lane, Index m, Index* hits) const {
        const Index* numbers = &near_.number[m];
        const unsigned near = near_.near(m, ball(l), lookers_.r[l] + margin_);
        return keep(lane, numbers, near & lanes_above(numbers, first_ + lane) & first_lanes(n_near_ - m), hits);
    }

    // It looks along a row of small ones, from the first that is near along x to the last.
    template <bool only_after> Index* look_along(Index l, Index lane, Range run, Index* hits) const {
        const SievedBalls& small = lists_.small;
        const FloatSieve::Ball me = ball(l);
        const float reach = me.r + margin_, far = reach + more_;
        const Float16 from = Float16::all(me.x - far);
        Index m = run.begin;
        for (unsigned below = all16; below == all16 && m < run.end; m += static_cast<Index>(std::popcount(below)))
            below = lanes_below(Float16::load(&small.x[m]), from) & first_lanes(run.end - m);
        for (; m < run.end; m += 16) {
            const Index* numbers = &small.number[m];
            unsigned near = small.near(m, me, reach) & first_lanes(run.end - m);
            if (only_after) near &= lanes_above(numbers, first_ + lane);
            hits = keep(lane, numbers, near, hits);
            if (small.x[m + 15] > me.x + far) break;
        }
        return hits;
    }
    FloatSieve::Ball ball(Index l) const { return {lookers_.x[l], lookers_.y[l], lookers_.z[l], lookers_.r[l]}; }
    static Index* keep(Index lane, const Index* numbers, unsigned bits, Index* hits) {
        return keep_lanes(numbers, lane << hit_bits, bits, hits);
    }

    static constexpr std::array<Index, 16> lane_numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

    const StepLists& lists_;
    SievedBalls &near_, &lookers_;
    std::vector<Index>& hits_;
    float margin_, more_;
    Index n_near_ = 0;
    Index first_ = 0;  // number of the looker in lane 0
    std::size_t most_ = 0;
    std::array<Index, 16 * 6> visitor_{};
    std::array<Range, 16 * 6> row_of_visit_{};
};

}  // namespace granary::mmr
