#include "engine/neighbourhood.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <cmath>
#include <numeric>
#include <optional>
#include "core/errors.hpp"
#include "decomposition/reductions.hpp"
#include "search/mr_sort_munjiza2006.hpp"

namespace granary {

void Neighbourhood::prepare(const boost::mpi::communicator& comm, const Setup& setup, double reach) {
    comm_ = comm, rank_ = comm.rank();
    ranges_wanted_ = setup.ranges > 0 ? setup.ranges : threads_here();
    const double edge = least_cube_edge(setup, reach);
    if (!(edge > 0) || !std::isfinite(edge))
        throw InputError(
            fmt::format("search cells of edge {} m would be needed for a largest ball of radius {} m, a reach of "
                        "{} m and a skin of {} m",
                        edge, setup.largest_radius, reach, setup.skin));
    cubes = Cubes(setup.domain, edge);
    staleness = Staleness(setup.skin, setup.dt, setup.longest_interval);
    balance_ = Balance(setup.balance);
}

bool Neighbourhood::at_border(Cube cube) const {
    bool border = false;
    for (int axis = 0; axis < 3; ++axis) border |= digit(cube, axis) == 0 || digit(cube, axis) == cubes.count[axis] - 1;
    return border || digit(cube, 2) == slabs.first(rank_) || digit(cube, 2) == slabs.end(rank_) - 1;
}

void Neighbourhood::cut_by_count(const Setup& setup, const std::vector<double>& count) {
    slabs = Slabs(balanced_cuts(count, comm_.size()), setup.domain.periodic[2]);
    if (setup.choose_cuts) slabs = Slabs(setup.choose_cuts(0, count, slabs.cuts()), setup.domain.periodic[2]);
}

double Neighbourhood::given_here(const std::vector<double>& count) const {
    return std::accumulate(count.begin() + slabs.first(rank_), count.begin() + slabs.end(rank_), 0.0);
}

bool Neighbourhood::choose_cuts(const Setup& setup, std::uint64_t step, double seconds_worked) {
    if (comm_.size() == 1) return false;
    if (!setup.choose_cuts && (setup.rebalance_every == 0 || rebuilds % setup.rebalance_every != 0)) return false;
    const std::vector<double> cost = gather_layers(comm_, slabs, layer_cost, 1);
    std::vector<int> cuts;
    if (setup.choose_cuts) {
        cuts = setup.choose_cuts(rebuilds, cost, slabs.cuts());
    } else {
        std::vector<double> seconds(comm_.size());
        boost::mpi::all_gather(comm_, seconds_worked, seconds);
        const std::optional<CutMove> move = balance_.look(cost, slabs.cuts(), seconds, step);
        if (!move) return false;
        cuts = move->cuts;
        last_move = {step, move->before, move->after};
    }
    if (cuts == slabs.cuts()) return false;
    ++cut_moves;
    slabs = Slabs(cuts, setup.domain.periodic[2]);
    return true;
}

void Neighbourhood::sort(const Bodies& bodies, std::span<const Cube> new_cube, Range newcomers,
                         RoomVector<PeriodicImages::Place>& places) {
    LentRoom room;  // forces of the last step, which the bodies' move will overwrite
    room.lend(bodies.force, bodies.size);
    RoomVector<Index> order(&room);
    std::vector<Index> piece_ends;
    for (std::size_t k = 0; k + 1 < ranges.size(); ++k) piece_ends.push_back(ranges[k].bodies.end);
    mr_sort_in_pieces({bodies.cube.data(), new_cube.data(), bodies.id.data(), bodies.real, newcomers}, piece_ends,
                      order);
    images.weave(cubes, order, new_cube.data(), places);
}

void Neighbourhood::settle(Bodies& bodies, std::span<const PeriodicImages::Place> places,
                           std::span<const Cube> new_cube, PhaseTimes& times) {
    const Index n = static_cast<Index>(places.size());
    const int first = slabs.first(rank_), layers = slabs.end(rank_) - first;
    layer_begin.assign(layers + 1, 0);
    for (const auto& p : places) ++layer_begin[digit(new_cube[p.old_index()], 2) - first + 1];
    for (int k = 0; k < layers; ++k) layer_begin[k + 1] += layer_begin[k];
    const Index lowest_size = layers > 0 ? layer_begin[1] : 0;
    const Index highest_size = layers > 0 ? n - layer_begin[layers - 1] : 0;
    Halo::Counts ghosts;
    {
        PhaseTimer timer(times, Phase::ghosts);
        ghosts = Halo::count(comm_, slabs, lowest_size, highest_size);
    }
    {
        PhaseTimer timer(times, Phase::sort);
        const Index offset = ghosts.below, size = offset + n + ghosts.above;
        if (size + 4 > bodies.capacity()) bodies.reserve(size + size / 16 + 1024);  // searches read past the end
        PeriodicImages::take_new_order(bodies, cubes, places, new_cube.data(), offset);
        for (Index& b : layer_begin) b += offset;
        bodies.size = size;
        bodies.owned = {offset, offset + n};
        images.place(cubes, places, offset, new_cube.size(), bodies);
    }
    PhaseTimer timer(times, Phase::ghosts);
    const Range low{bodies.owned.begin, bodies.owned.begin + lowest_size};
    const Range high{bodies.owned.end - highest_size, bodies.owned.end};
    halo.create(comm_, slabs, cubes, bodies, low, high);
    cut_ranges(bodies);
    split_ranges(bodies, slabs.below(rank_) ? low : Range{low.begin, low.begin},
                 slabs.above(rank_) ? high : Range{high.end, high.end});
}

void Neighbourhood::begin_interval(Bodies& bodies) {
    static const std::string clear = "engine::clear_forces", remember = "engine::remember_positions";
    in_pieces(clear, bodies.size, [&](std::size_t from, std::size_t to) {
        std::fill_n(bodies.force.data() + 4 * from, 4 * (to - from), 0.0);
        std::fill_n(bodies.torque.data() + 4 * from, 4 * (to - from), 0.0);
    });
    in_pieces_of(remember, bodies.real, [&](const auto& for_each_range) {
        for_each_range([&](Range range) {
            for (Index i = range.begin; i < range.end; ++i)
                for (int axis = 0; axis < 3; ++axis) bodies.reference(i, axis) = bodies.position(i, axis);
        });
    });
}

// With about as many bodies each.
void Neighbourhood::cut_ranges(const Bodies& bodies) {
    ranges.clear();
    const std::size_t wanted = std::max<std::size_t>(1, std::min(ranges_wanted_, n_layers()));
    Index begin = 0;
    for (std::size_t k = 1; k < wanted; ++k) {
        const auto target = static_cast<Index>(bodies.owned.begin + std::uint64_t{bodies.owned.size()} * k / wanted);
        const auto layer = std::lower_bound(layer_begin.begin() + 1, layer_begin.end(), target);
        if (layer == layer_begin.end() || *layer <= begin || *layer >= bodies.owned.end) continue;
        ranges.push_back({{begin, *layer}, *(layer - 1)});
        begin = *layer;
    }
    ranges.push_back({{begin, bodies.size}, bodies.size});
}

// Ranges of real bodies in the layers that are sent each step, and the others; cut where the ranges of threads end.
void Neighbourhood::split_ranges(const Bodies& bodies, Range low, Range high) {
    if (high.begin < low.end) high.begin = std::min(low.end, high.end);  // one layer, sent both ways
    lowest = low, highest = high;
    boundary.clear(), interior.clear();
    const auto add = [this](std::vector<Range>& to, Index begin, Index end) {
        for (const LayeredRange& r : ranges)
            if (const Range part{std::max(begin, r.bodies.begin), std::min(end, r.bodies.end)}; part.begin < part.end)
                to.push_back(part);
    };
    for (const Range& range : bodies.real) {
        add(boundary, range.begin, std::min(range.end, low.end));
        add(interior, std::max(range.begin, low.end), std::min(range.end, high.begin));
        add(boundary, std::max(range.begin, high.begin), range.end);
    }
}

}  // namespace granary
