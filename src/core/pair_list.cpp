#include "core/pair_list.hpp"

#include <algorithm>
#include "core/parallel.hpp"

namespace granary {

void PairList::start(Index bodies) {
    n_bodies = bodies;
    size = 0;
    any_masked = false;
    if (begin.extent(0) < bodies + std::size_t{1})
        begin = untouched<Array<Index*>>("pairs::begin", bodies + bodies / 10 + std::size_t{1});
}

void PairList::grow(std::size_t needed) {
    Array<Index*> larger = untouched<Array<Index*>>("pairs::partner", needed + needed / 8 + 1024);
    std::copy_n(partner.data(), size, larger.data());
    partner = larger;
}

void PairList::finish(bool with_history) {
    begin(n_bodies) = size;
    make_room(0);
    std::fill_n(partner.data() + size, padding, Index{0});
    if (with_history) start_springs(xi, "pairs::xi");
}

void PairList::add_rolling_springs() { start_springs(theta, "pairs::theta"); }

void PairList::start_springs(Array<double* [3]>& springs, const char* name) {
    if (springs.extent(0) <= size) {  // a load of four numbers runs past the last spring
        springs = {};                 // before the larger one is made: the two never stand side by side
        springs = untouched<Array<double* [3]>>(name, std::size_t{size} + size / 8 + 1024, 0);
    }
    want_large_pages(springs.data(), std::size_t{size} * sizeof(double[3]));
    static const std::string fill = "core::clear_springs";
    in_pieces(fill, size,
              [&](std::size_t from, std::size_t to) { std::fill_n(springs.data() + 3 * from, 3 * (to - from), 0.0); });
}

}  // namespace granary
