#include "search/mr_sort_munjiza2006.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace granary {

namespace {

// Sorted streams of movers, one an offset. At most 125 offsets occur: -1, 0, 1 and the two jumps over a periodic
// face along each axis; whatever finds no room goes to the newcomers.
class Streams {
  public:
    std::vector<Index>* of(Cube offset) {
        for (std::size_t probe = 0; probe < slots; ++probe) {
            auto& slot = table_[(hash(offset) + probe) % slots];
            if (!slot.used) {
                if (used_ == most) return nullptr;
                slot.used = true, slot.offset = offset, ++used_;
                return &slot.places;
            }
            if (slot.offset == offset) return &slot.places;
        }
        return nullptr;
    }
    template <class F> void for_each(F&& f) {
        for (auto& slot : table_)
            if (slot.used && !slot.places.empty()) f(slot.places);
    }

  private:
    static constexpr std::size_t slots = 256, most = 125;
    static std::size_t hash(Cube offset) { return static_cast<std::size_t>((offset * 0x9e3779b97f4a7c15ULL) >> 56); }
    struct Slot {
        bool used = false;
        Cube offset = 0;
        std::vector<Index> places;
    };
    std::array<Slot, slots> table_;
    std::size_t used_ = 0;
};

}  // namespace

void mr_sort(const SortTask& task, RoomVector<Index>& order) {
    const auto before = [&](Index a, Index b) {
        return task.new_cube[a] != task.new_cube[b] ? task.new_cube[a] < task.new_cube[b] : task.id[a] < task.id[b];
    };

    // Parse the list once: stayers in `order`, movers to the stream of their offset.
    Streams streams;
    std::vector<Index> newcomers;
    Cube last_offset = 0;
    std::vector<Index>* last_stream = nullptr;
    std::size_t most = task.newcomers.size();
    for (const Range& range : task.sorted) most += range.size();
    order.resize(most);
    Index* stays = order.data();
    for (const Range& range : task.sorted)
        for (Index i = range.begin; i < range.end; ++i) {
            const Cube to = task.new_cube[i];
            if (to == task.old_cube[i]) {
                *stays++ = i;
                continue;
            }
            if (to == no_cube) continue;
            const Cube offset = to - task.old_cube[i];
            if (last_stream == nullptr || offset != last_offset) last_stream = streams.of(offset), last_offset = offset;
            (last_stream != nullptr ? *last_stream : newcomers).push_back(i);
        }
    order.resize(static_cast<std::size_t>(stays - order.data()));
    for (Index i = task.newcomers.begin; i < task.newcomers.end; ++i)
        if (task.new_cube[i] != no_cube) newcomers.push_back(i);
    std::sort(newcomers.begin(), newcomers.end(), before);

    // Merge the streams of movers: the one with the least head stands at the front of the heap. Heads know their cubes:
    // movers stand far apart in memory.
    struct Head {
        Cube cube;
        const Index* next;
        const Index* end;
    };
    std::vector<Head> heads;
    std::size_t n_movers = 0;
    const auto open = [&](const std::vector<Index>& s) {
        heads.push_back({task.new_cube[s.front()], s.data(), s.data() + s.size()});
        n_movers += s.size();
    };
    streams.for_each(open);
    if (!newcomers.empty()) open(newcomers);
    if (heads.empty()) return;
    const auto later = [&](const Head& a, const Head& b) {
        return a.cube != b.cube ? b.cube < a.cube : task.id[*b.next] < task.id[*a.next];
    };
    std::make_heap(heads.begin(), heads.end(), later);
    std::vector<Index> movers;
    movers.reserve(n_movers);
    while (heads.size() > 1) {
        Head least = heads.front();
        movers.push_back(*least.next++);
        if (least.next == least.end) least = heads.back(), heads.pop_back();
        else least.cube = task.new_cube[*least.next];
        std::size_t at = 0;  // lets the new head sink to its place
        for (std::size_t child = 1; child < heads.size(); child = 2 * at + 1) {
            if (child + 1 < heads.size() && later(heads[child], heads[child + 1])) ++child;
            if (!later(least, heads[child])) break;
            heads[at] = heads[child], at = child;
        }
        heads[at] = least;
    }
    movers.insert(movers.end(), heads.front().next, heads.front().end);

    // Merge movers and stayers from behind, within the same array. Few move: the stayers behind a mover are found by
    // leaps that double, then by halving, and pushed back together.
    std::size_t n_stayers = order.size(), to = n_stayers + movers.size();
    order.resize(to);
    for (std::size_t m = movers.size(); m > 0; --m) {
        const Index mover = movers[m - 1];
        std::size_t first = n_stayers, leap = 1;  // all stayers from `first` on come after the mover
        while (first >= leap && before(mover, order[first - leap])) first -= leap, leap *= 2;
        std::size_t low =
            first >= leap ? first - leap + 1 : 0;  // where the stayers after the mover begin: low to first
        while (low < first) {
            const std::size_t middle = low + (first - low) / 2;
            if (before(mover, order[middle])) first = middle;
            else low = middle + 1;
        }
        std::copy_backward(order.begin() + static_cast<std::ptrdiff_t>(first),
                           order.begin() + static_cast<std::ptrdiff_t>(n_stayers),
                           order.begin() + static_cast<std::ptrdiff_t>(to));
        to -= n_stayers - first;
        n_stayers = first;
        order[--to] = mover;
    }
}

}  // namespace granary
