#include "search/mr_search_munjiza2006.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace granary {

namespace {

// One row of the mask: the cubes from `first` to `last`, given as offsets from the central cube.
struct CubeRow {
    Cube first, last;
    Index begin = 0, end = 0;

    void advance(const Cube* cube, Index n, Cube central) {
        while (begin < n && cube[begin] < central + first) ++begin;
        if (end < begin) end = begin;
        while (end < n && cube[end] <= central + last) ++end;
    }
    // For a range that does not begin with the first body.
    void begin_at(const Cube* cube, Index n, Cube central) {
        begin = end = static_cast<Index>(std::lower_bound(cube, cube + n, central + first) - cube);
    }
};

// The bodies of a range that ends between cubes; begin of each counts from the first partner found for the range.
void search_range(const SearchTask& task, Range range, Index* begin, PairList& pairs) {
    const Bodies& bodies = task.bodies;
    const Cube* cube = bodies.cube.data();
    const double* position = bodies.position.data();
    const Index n = bodies.size;
    const auto [x, y, z] = cube_step;
    CubeRow own{0, x};  // the central cube itself and its neighbour in x
    std::array<CubeRow, 4> rows{{{y - x, y + x}, {z - y - x, z - y + x}, {z - x, z + x}, {z + y - x, z + y + x}}};
    if (range.begin > 0 && range.begin < range.end) {
        own.begin_at(cube, n, cube[range.begin]);
        for (CubeRow& row : rows) row.begin_at(cube, n, cube[range.begin]);
    }
    for (Index i = range.begin; i < range.end;) {
        const Cube central = cube[i];
        own.advance(cube, n, central);
        for (CubeRow& row : rows) row.advance(cube, n, central);
        const bool real = is_real(task, i);  // the same for all bodies of a cube
        for (; i < range.end && cube[i] == central; ++i) {
            begin[i] = pairs.size;
            if (!real && i >= bodies.owned.end) continue;  // an upper ghost looks up to nobody
            add_candidates_in_run(position, i, {i + 1, own.end}, task.margin, pairs);
            for (const CubeRow& row : rows)
                add_candidates_in_run(position, i, {row.begin, row.end}, task.margin, pairs);
            if (!real) keep_real_partners(task, begin[i], pairs);
        }
    }
}

}  // namespace

void mr_search(const SearchTask& task, PairList& pairs) {
    pairs.start(task.bodies.size);
    Index* const begin = pairs.begin.data();
    if (task.ranges.size() < 2) {
        search_range(task, {0, task.bodies.size}, begin, pairs);
        pairs.finish(task.with_history);
        return;
    }
    // The first range writes to the list itself; what the others find is put behind it.
    static const std::string search = "search::mr_search", join = "search::join_ranges";
    std::vector<PairList> found(task.ranges.size());
    in_parallel(search, found.size(), [&](std::size_t k) {
        PairList& to = k == 0 ? pairs : found[k];
        search_range(task, task.ranges[k].bodies, begin, to);
    });
    std::vector<Index> offset(found.size(), 0);
    Index all = pairs.size;
    for (std::size_t k = 1; k < found.size(); ++k) offset[k] = all, all += found[k].size;
    pairs.make_room(all - pairs.size);
    pairs.size = all;
    in_parallel(join, found.size(), [&](std::size_t k) {
        if (k == 0) return;
        std::copy_n(found[k].partner.data(), found[k].size, pairs.partner.data() + offset[k]);
        const Range range = task.ranges[k].bodies;
        for (Index i = range.begin; i < range.end; ++i) begin[i] += offset[k];
    });
    pairs.finish(task.with_history);
}

}  // namespace granary
