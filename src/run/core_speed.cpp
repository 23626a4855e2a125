#include "run/core_speed.hpp"

#include <mpi.h>
#include <algorithm>
#include <cmath>
#include <ctime>
#include "core/elementary.hpp"
#include "engine/simulation.hpp"
#include "filling/dense_pack.hpp"

namespace granary {

namespace {

constexpr double most_balls = 50'000;        // some 20 MB: more than the caches of a core
constexpr double solid_fraction = 0.62;      // of a bed whose balls press on each other
constexpr double overlap = 0.02;             // of a diameter, at most: quickly made
constexpr std::uint64_t rebuild_every = 20;  // steps; what default_skin aims at
constexpr double long_enough = 0.6;          // s

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// The balls of the case: those that come in, or else balls of the radii that are there at the start.
BallKind kind_of(const Plan& plan) {
    for (const Stage& s : plan.stages)
        for (const InsertionSpec& i : s.insertions) return i.balls;
    for (const InsertionSpec& i : plan.setup.insertions) return i.balls;
    BallKind kind;
    kind.radius_min = plan.report.balls.radius_min, kind.radius_max = plan.report.balls.radius_max;
    for (std::size_t m = 0; m < plan.setup.materials.size(); ++m)
        if (!plan.setup.materials[m].wall_only) {
            kind.material = static_cast<std::uint16_t>(m), kind.density = plan.setup.materials[m].density;
            break;
        }
    return kind;
}

BallKind of_one_size(BallKind kind) {
    kind.radius_min = kind.radius_max = elementary::cbrt(sizes_of(kind).moment(3));
    kind.sizes.reset();
    return kind;
}

}  // namespace

std::optional<CoreSpeed> measure_core_speed(const Plan& plan) {
    try {
        BallKind kind = kind_of(plan);
        kind.velocity = {};
        // Sizes that differ widely would need a large tile: balls of their mean volume must do then.
        if (kind.radius_max > 4 * kind.radius_min) kind = of_one_size(kind);
        const DenseTile tile = dense_tile(kind, solid_fraction, overlap, 1);
        const double wanted = std::min(static_cast<double>(plan.report.balls.count), most_balls);
        const auto n = static_cast<int>(
            std::max(1.0, std::round(elementary::cbrt(wanted / static_cast<double>(tile.balls.size())))));
        Setup s;
        s.dt = plan.setup.dt, s.integrator = plan.setup.integrator;
        s.materials = plan.setup.materials, s.pairs = plan.setup.pairs, s.law = plan.setup.law;
        s.energy = plan.setup.energy, s.skin = plan.setup.skin;
        s.detector = plan.setup.detector, s.alpha = plan.setup.alpha;
        s.largest_radius = kind.radius_max;
        s.fixed_interval = rebuild_every;
        const double edge = tile.edge * n;
        s.domain = {{0, 0, 0}, {edge, edge, edge}, {true, true, true}};
        const std::uint64_t in_tile = tile.balls.size(), tiles = static_cast<std::uint64_t>(n);
        s.start = shares_of_sites(
            in_tile * tiles * tiles * tiles, [&](std::uint64_t first, std::uint64_t end, const BodySink& sink) {
                for (Id id = first; id < end; ++id) {
                    const std::uint64_t t = id / in_tile;
                    const PackBall& b = tile.balls[id % in_tile];
                    const Vec3d corner{static_cast<double>(t % tiles) * tile.edge,
                                       static_cast<double>(t / tiles % tiles) * tile.edge,
                                       static_cast<double>(t / tiles / tiles) * tile.edge};
                    sink(make_ball(id, corner + b.centre, b.radius, kind.density, kind.material, {}));
                }
            });
        const boost::mpi::communicator self(MPI_COMM_SELF, boost::mpi::comm_duplicate);
        Simulation sim(self, s);
        for (std::uint64_t k = 0; k < rebuild_every; ++k) sim.step();
        CoreSpeed speed;
        speed.balls = tile.balls.size() * static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(n) *
                      static_cast<std::uint64_t>(n);
        const double begin = cpu_seconds();
        double steps = 0;
        while (speed.seconds < long_enough) {
            for (std::uint64_t k = 0; k < rebuild_every; ++k) sim.step();
            steps += static_cast<double>(rebuild_every), speed.seconds = cpu_seconds() - begin;
        }
        speed.ball_steps = steps * static_cast<double>(speed.balls) / speed.seconds;
        return speed;
    } catch (const std::exception&) {  // no such bed: what is usual must do
        return {};
    }
}

}  // namespace granary
