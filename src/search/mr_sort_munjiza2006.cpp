#include "search/mr_sort_munjiza2006.hpp"

#include <algorithm>
#include <array>

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

void mr_sort(const SortTask& task, std::vector<Index>& order) {
    const auto before = [&](Index a, Index b) {
        return task.new_cube[a] != task.new_cube[b] ? task.new_cube[a] < task.new_cube[b] : task.id[a] < task.id[b];
    };

    // Parse the list once: stayers in `order`, movers to the stream of their offset.
    Streams streams;
    std::vector<Index> newcomers;
    Cube last_offset = 0;
    std::vector<Index>* last_stream = nullptr;
    order.clear();
    std::size_t most = task.newcomers.size();
    for (const Range& run : task.sorted) most += run.size();
    order.reserve(most);
    for (const Range& run : task.sorted)
        for (Index i = run.begin; i < run.end; ++i) {
            const Cube to = task.new_cube[i];
            if (to == task.old_cube[i]) {
                order.push_back(i);
                continue;
            }
            if (to == no_cube) continue;
            const Cube offset = to - task.old_cube[i];
            if (last_stream == nullptr || offset != last_offset) last_stream = streams.of(offset), last_offset = offset;
            (last_stream != nullptr ? *last_stream : newcomers).push_back(i);
        }
    for (Index i = task.newcomers.begin; i < task.newcomers.end; ++i)
        if (task.new_cube[i] != no_cube) newcomers.push_back(i);
    std::sort(newcomers.begin(), newcomers.end(), before);

    // Merge the streams of movers: the one with the least head stands at the front of the heap.
    struct Head {
        const Index* next;
        const Index* end;
    };
    std::vector<Head> heads;
    std::size_t n_movers = 0;
    const auto open = [&](const std::vector<Index>& s) {
        heads.push_back({s.data(), s.data() + s.size()});
        n_movers += s.size();
    };
    streams.for_each(open);
    if (!newcomers.empty()) open(newcomers);
    if (heads.empty()) return;
    const auto later = [&](const Head& a, const Head& b) { return before(*b.next, *a.next); };
    std::make_heap(heads.begin(), heads.end(), later);
    std::vector<Index> movers;
    movers.reserve(n_movers);
    while (heads.size() > 1) {
        std::pop_heap(heads.begin(), heads.end(), later);
        Head& least = heads.back();
        movers.push_back(*least.next++);
        if (least.next == least.end) heads.pop_back();
        else std::push_heap(heads.begin(), heads.end(), later);
    }
    movers.insert(movers.end(), heads.front().next, heads.front().end);

    // Merge movers and stayers from behind, within the same array.
    std::size_t stayer = order.size(), mover = movers.size(), to = stayer + mover;
    order.resize(to);
    while (mover > 0) {
        if (stayer > 0 && before(movers[mover - 1], order[stayer - 1])) order[--to] = order[--stayer];
        else order[--to] = movers[--mover];
    }
}

}  // namespace granary
