#include "search/mr_as_printed_munjiza2006.hpp"

#include <algorithm>
#include <numeric>

namespace granary {

namespace {

constexpr int power_of_three(int n) { return n == 0 ? 1 : 3 * power_of_three(n - 1); }

// The entry of A for a step from one cell to another, or -1 if it is longer than a cell.
template <int D> int entry(const Cell<D>& from, const Cell<D>& to) {
    int e = 0;
    for (int digit = 0; digit < D; ++digit) {
        const std::int32_t step = to[digit] - from[digit];
        if (step < -1 || step > 1) return -1;
        e = 3 * e + step + 1;
    }
    return e;
}

}  // namespace

template <int D> MrAsPrinted<D>::MrAsPrinted(const MrCells<D>& cells, const double* position, Index n)
    : cells_(cells),
      list_(n + std::size_t{1}) {
    std::vector<Index> order(n);
    std::iota(order.begin(), order.end(), Index{0});
    for (Index b = 0; b < n; ++b) list_[b].cell = cells_.of(position + std::size_t{4} * b);
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return list_[a].cell < list_[b].cell; });
    list_[head()].next = list_[head()].prev = head();
    for (const Index b : order) put_behind(list_[head()].prev, b);
}

template <int D> void MrAsPrinted<D>::take_out(Index b) {
    list_[list_[b].prev].next = list_[b].next;
    list_[list_[b].next].prev = list_[b].prev;
}

template <int D> void MrAsPrinted<D>::put_behind(Index place, Index b) {
    const Index after = list_[place].next;
    list_[b].prev = place, list_[b].next = after;
    list_[place].next = list_[after].prev = b;
}

template <int D> void MrAsPrinted<D>::sort(const double* position) {
    std::array<Index, power_of_three(D)> pointers;
    pointers.fill(head());
    Index last = head();  // of the part already sorted
    for (Index b = list_[head()].next; b != head();) {
        Box& box = list_[b];
        const Index following = box.next;
        const Cell<D> old = box.cell;
        box.cell = cells_.of(position + std::size_t{4} * b);
        if (last == head() || !(box.cell < list_[last].cell)) {
            last = b;
        } else {
            take_out(b);
            const int e = entry<D>(old, box.cell);
            if (e >= 0) {
                Index& pointer = pointers[e];
                for (Index next = list_[pointer].next; !(box.cell < list_[next].cell); next = list_[pointer].next)
                    pointer = next, ++pointer_moves_;
                put_behind(pointer, b);
            } else {
                Index place = list_[last].prev;
                for (; place != head() && box.cell < list_[place].cell; place = list_[place].prev) ++steps_back_;
                put_behind(place, b);
            }
        }
        b = following;
    }
}

template <int D>
void MrAsPrinted<D>::search(const double* position, double margin, std::vector<Couple>& couples) const {
    couples.clear();
    constexpr auto mask = contact_mask<D>();
    const Index first = list_[head()].next;
    std::array<Index, mask.size()> begin, end;
    begin.fill(first), end.fill(first);

    const auto quad = [&](Index b) { return position + std::size_t{4} * b; };
    for (Index i = first; i != head(); i = list_[i].next) {
        const Cell<D>& central = list_[i].cell;
        if (i == first || central != list_[list_[i].prev].cell)
            for (std::size_t row = 0; row < mask.size(); ++row) {
                const Cell<D> from = shifted<D>(central, mask[row].first), to = shifted<D>(central, mask[row].last);
                while (begin[row] != head() && list_[begin[row]].cell < from) begin[row] = list_[begin[row]].next;
                while (end[row] != head() && !(to < list_[end[row]].cell)) end[row] = list_[end[row]].next;
            }
        for (std::size_t row = 0; row < mask.size(); ++row)
            for (Index j = row == 0 ? list_[i].next : begin[row]; j != end[row]; j = list_[j].next)
                if (in_contact<D>(quad(i), quad(j), margin)) couples.push_back({i, j});
    }
}

template <int D> std::vector<Index> MrAsPrinted<D>::order() const {
    std::vector<Index> order;
    for (Index b = list_[head()].next; b != head(); b = list_[b].next) order.push_back(b);
    return order;
}

template class MrAsPrinted<2>;
template class MrAsPrinted<3>;

}  // namespace granary
