#include "search/mr_search_munjiza2006.hpp"

#include <array>

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
};

}  // namespace

void mr_search(const SearchTask& task, PairList& pairs) {
    const Bodies& bodies = task.bodies;
    const Cube* cube = bodies.cube.data();
    const double* position = bodies.position.data();
    const Index n = bodies.size;
    const auto [x, y, z] = cube_step;
    CubeRow own{0, x};  // the central cube itself and its neighbour in x
    std::array<CubeRow, 4> rows{{{y - x, y + x}, {z - y - x, z - y + x}, {z - x, z + x}, {z + y - x, z + y + x}}};

    pairs.start(n);
    Index* begin = pairs.begin.data();
    for (Index i = 0; i < n;) {
        const Cube central = cube[i];
        own.advance(cube, n, central);
        for (CubeRow& row : rows) row.advance(cube, n, central);
        const bool real = is_real(task, i);  // the same for all bodies of a cube
        for (; i < n && cube[i] == central; ++i) {
            begin[i] = pairs.size;
            if (!real && i >= bodies.owned.end) continue;  // an upper ghost looks up to nobody
            add_candidates_in_run(position, i, {i + 1, own.end}, task.margin, pairs);
            for (const CubeRow& row : rows)
                add_candidates_in_run(position, i, {row.begin, row.end}, task.margin, pairs);
            if (!real) keep_real_partners(task, begin[i], pairs);
        }
    }
    pairs.finish(task.with_history);
}

}  // namespace granary
