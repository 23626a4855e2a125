#include "bench/bench_halo.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <chrono>
#include "core/simd.hpp"
#include "decomposition/halo.hpp"

namespace granary {

namespace {

constexpr double edge = 6e-3, radius = 2.5e-3;  // m

// Bytes of one body in a refresh, as the table of columns has them.
std::size_t bytes_a_body(const Bodies& bodies) {
    std::size_t sum = 0;
    bodies.for_each_column([&](const ColumnRow& row, const auto&) {
        if (row.travels == Travels::every_step) sum += static_cast<std::size_t>(row.width) * bytes_of(row.number);
    });
    return sum;
}

// A slab of this rank: ghosts, its layers, ghosts; all with the same number of balls.
struct Slab {
    Cubes cubes;
    Slabs slabs;
    Bodies bodies;
    Halo halo;
    Range interior;

    Slab(const boost::mpi::communicator& comm, int layers, Index n)
        : cubes({{0, 0, 0}, {edge, edge, edge * layers * comm.size()}, {false, false, true}}, edge) {
        std::vector<int> cuts;
        for (int r = 0; r <= comm.size(); ++r) cuts.push_back(layers * r);
        slabs = Slabs(cuts, true);
        const Index owned = n * static_cast<Index>(layers);
        bodies.reserve(owned + 2 * n + 4);
        bodies.size = owned + 2 * n;
        bodies.owned = {n, n + owned}, bodies.real = {bodies.owned};
        interior = {2 * n, std::max(2 * n, owned)};
        for (Index i = 0; i < bodies.size; ++i) {
            NewBody b;
            b.id = static_cast<Id>(comm.rank()) * bodies.size + i, b.radius = radius, b.mass = 1e-4, b.inertia = 1e-10;
            b.position = {0.5 * edge, 0.5 * edge, edge * layers * comm.rank() + 0.5 * edge};
            bodies.put(i, b);
            for (int k = 0; k < 4; ++k) bodies.force(i, k) = bodies.torque(i, k) = 0;
        }
        halo.create(comm, slabs, cubes, bodies, {n, 2 * n}, {owned, owned + n});
    }
};

// What integration moves through memory: five quads a ball.
void move(Bodies& bodies, Range range) {
    const Real4 dt{1e-9, 1e-9, 1e-9, 0};
    for (std::size_t q = std::size_t{4} * range.begin; q < std::size_t{4} * range.end; q += 4) {
        const Real4 v = load4(bodies.velocity.data() + q) + load4(bodies.force.data() + q) * dt;
        const Real4 w = load4(bodies.spin.data() + q) + load4(bodies.torque.data() + q) * dt;
        store4(bodies.velocity.data() + q, v), store4(bodies.spin.data() + q, w);
        store4(bodies.position.data() + q, load4(bodies.position.data() + q) + v * dt);
        store4(bodies.force.data() + q, Real4{}), store4(bodies.torque.data() + q, Real4{});
    }
}

// Over the repeats, of the longest time of all ranks, s.
struct Times {
    double least, median;
};
template <class F> Times timed(const boost::mpi::communicator& comm, int repeats, F&& f) {
    std::vector<double> mine, all(static_cast<std::size_t>(repeats));
    for (int k = 0; k < repeats; ++k) {
        comm.barrier();
        const auto start = std::chrono::steady_clock::now();
        f();
        mine.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    boost::mpi::all_reduce(comm, mine.data(), repeats, all.data(), boost::mpi::maximum<double>());
    std::sort(all.begin(), all.end());
    return {all.front(), all[static_cast<std::size_t>(repeats / 2)]};
}

}  // namespace

std::string bench_halo(const boost::mpi::communicator& comm, const BenchHalo& options) {
    std::string text;
    for (const int balls : options.balls) {
        Slab slab(comm, options.layers, static_cast<Index>(balls));
        const auto work = [&] { move(slab.bodies, slab.interior); };
        const Times refresh = timed(comm, options.repeats, [&] { slab.halo.start(), slab.halo.finish(slab.bodies); });
        const Times alone = timed(comm, options.repeats, work);
        const Times both = timed(comm, options.repeats, [&] {
            slab.halo.start();
            work();
            slab.halo.finish(slab.bodies);
        });
        const std::size_t bytes = 2 * static_cast<std::size_t>(balls) * bytes_a_body(slab.bodies);
        const auto us = [](const Times& t) { return fmt::format("[{:.4g}, {:.4g}]", 1e6 * t.least, 1e6 * t.median); };
        text += fmt::format(
            "{{\"benchmark\": \"halo\", \"ranks\": {}, \"layers\": {}, \"balls_a_layer\": {}, \"bytes_sent\": {}, "
            "\"refresh_us\": {}, \"work_us\": {}, \"both_us\": {}, \"hidden\": {:.3f}}}\n",
            comm.size(), options.layers, balls, bytes, us(refresh), us(alone), us(both),
            (refresh.median + alone.median - both.median) / refresh.median);
    }
    return text;
}

}  // namespace granary
