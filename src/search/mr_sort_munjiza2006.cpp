#include "search/mr_sort_munjiza2006.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>
#include "core/parallel.hpp"

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

// The new order.
struct Before {
    const Cube* cube;
    const Id* id;
    bool operator()(Index a, Index b) const { return cube[a] != cube[b] ? cube[a] < cube[b] : id[a] < id[b]; }
};

// Merges sorted lists; to: room for all of them. They overlap little: of the list with the least head all that comes
// before the other heads is copied at once.
void merge_lists(std::vector<std::span<const Index>>& lists, const Before& before, Index* to) {
    std::erase_if(lists, [](const auto& list) { return list.empty(); });
    const auto later = [&](const auto& a, const auto& b) { return before(b.front(), a.front()); };
    std::make_heap(lists.begin(), lists.end(), later);
    while (!lists.empty()) {
        std::pop_heap(lists.begin(), lists.end(), later);
        std::span<const Index>& least = lists.back();
        std::size_t n = least.size();
        if (lists.size() > 1) {
            const Index next = lists.front().front();
            std::size_t known = 1, leap = 1;  // so many come before the next head
            while (known + leap <= least.size() && before(least[known + leap - 1], next)) known += leap, leap *= 2;
            const auto rest = least.subspan(known, std::min(leap, least.size() - known));
            n = known + static_cast<std::size_t>(
                            std::partition_point(rest.begin(), rest.end(), [&](Index i) { return before(i, next); }) -
                            rest.begin());
        }
        to = std::copy_n(least.begin(), n, to);
        least = least.subspan(n);
        if (least.empty()) lists.pop_back();
        else std::push_heap(lists.begin(), lists.end(), later);
    }
}

}  // namespace

void mr_sort(const SortTask& task, RoomVector<Index>& order) {
    const Before before{task.new_cube, task.id};

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

void mr_sort_in_pieces(const SortTask& task, std::span<const Index> piece_ends, RoomVector<Index>& order) {
    if (piece_ends.empty()) return mr_sort(task, order);
    static const std::string sort_pieces = "search::sort_pieces", merge_pieces = "search::merge_pieces";
    const std::size_t n = piece_ends.size() + 1;
    std::vector<RoomVector<Index>> pieces(n);  // from the heap: lent memory is for one thread
    in_parallel(sort_pieces, n, [&](std::size_t k) {
        const Index begin = k > 0 ? piece_ends[k - 1] : 0;
        const bool last = k == n - 1;
        std::vector<Range> sorted;
        for (const Range& range : task.sorted) {
            const Range part{std::max(range.begin, begin), last ? range.end : std::min(range.end, piece_ends[k])};
            if (part.begin < part.end) sorted.push_back(part);
        }
        mr_sort({task.old_cube, task.new_cube, task.id, sorted, last ? task.newcomers : Range{}}, pieces[k]);
    });

    // Part k of the new order begins with the first body of piece k, or where part k - 1 begins if that comes later.
    const Before before{task.new_cube, task.id};
    std::vector<std::vector<std::size_t>> cut(n + 1, std::vector<std::size_t>(n, 0));  // of part k in each piece
    std::vector<std::size_t> begin(n + 1, 0);                                          // of part k in the new order
    const Index* first = nullptr;
    for (std::size_t k = 1; k <= n; ++k) {
        if (k < n && !pieces[k].empty() && (first == nullptr || before(*first, pieces[k].front())))
            first = &pieces[k].front();
        for (std::size_t p = 0; p < n; ++p) {
            const auto& piece = pieces[p];
            if (k == n) cut[k][p] = piece.size();
            else if (first != nullptr)
                cut[k][p] = static_cast<std::size_t>(std::lower_bound(piece.begin(), piece.end(), *first, before) -
                                                     piece.begin());
            begin[k] += cut[k][p];
        }
    }
    order.resize(begin[n]);
    in_parallel(merge_pieces, n, [&](std::size_t k) {
        std::vector<std::span<const Index>> lists;
        for (std::size_t p = 0; p < n; ++p)
            lists.push_back(std::span<const Index>(pieces[p]).subspan(cut[k][p], cut[k + 1][p] - cut[k][p]));
        merge_lists(lists, before, order.data() + begin[k]);
    });
}

}  // namespace granary
