#include "engine/measures.hpp"
#include "engine/equivalent_radius.hpp"

#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <functional>
#include "contact/contact_geometry.hpp"
#include "decomposition/digest_over_ranks.hpp"
#include "motion/rigid_rotation.hpp"

namespace granary {

std::size_t Measures::deepest_wall() const {
    return static_cast<std::size_t>(std::max_element(wall_overlap.begin(), wall_overlap.end()) - wall_overlap.begin());
}

double Measures::largest_overlap() const {
    return wall_overlap.empty() ? pair_overlap : std::max(pair_overlap, wall_overlap[deepest_wall()]);
}

Events events_of(const Simulation& sim) {
    const Neighbourhood& hood = sim.neighbourhood();
    const std::uint64_t mine[2] = {hood.migrations, hood.wraps};
    std::uint64_t all[2];
    boost::mpi::all_reduce(sim.comm(), mine, 2, all, std::plus<std::uint64_t>());
    return {hood.rebuilds, all[0], all[1], hood.cut_moves, hood.staleness.n_late()};
}

Measures measures_of(const Simulation& sim) {
    const Neighbourhood& hood = sim.neighbourhood();
    const Bodies& bodies = sim.bodies();
    const Forces& forces = sim.forces();
    const PairList& pairs = sim.forces().pairs;
    constexpr int width = 7;
    std::vector<double> mine(width * hood.n_layers(), 0.0);
    const std::vector<char> out = sim.counts().marks_of_crossed(bodies);
    for (const Range& range : bodies.real)
        for (Index i = range.begin; i < range.end; ++i) {
            if (out[i] != 0) continue;
            double* const m = mine.data() + width * hood.layer_of(bodies, i);
            const Vec3d v = synchronised_velocity(bodies, i, sim.motion()),
                        w = synchronised_spin(bodies, i, sim.motion());
            const double mass = bodies.mass(i);
            m[0] += 0.5 * bodies.moving_mass(i) * dot(v, v);
            m[1] += bodies.is_shape(i) ? rotational_energy(bodies, i, sim.setup().shapes, sim.motion())
                                       : 0.5 * bodies.moving_inertia(i) * dot(w, w);
            m[2] += mass;
            m[3] += mass * v.x, m[4] += mass * v.y, m[5] += mass * v.z;
            m[6] += mass * 2 * equivalent_radius(bodies, i, sim.setup().shapes);
        }
    const std::vector<double> sums = sum_over_layers(sim.comm(), hood.slabs, mine, width);

    std::uint64_t counts[4] = {0, 0, 0, 0}, all[4];
    std::vector<double> deepest(sim.setup().walls.size() + 1, 0.0),
        deepest_of_all(deepest.size());  // at walls; of pairs
    for (Index i = 0; i < pairs.n_bodies; ++i) {
        const bool i_real = hood.is_real(bodies, i);
        for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot) {
            if (!i_real) continue;  // a pair counts once, at its lower body
            ++counts[0];
            if (!pairs.touches(slot)) continue;
            const Index j = pairs.partner_of(slot);
            const bool has_spring = pairs.xi.extent(0) > 0 && pairs.xi(slot, 0) != 0;
            if (has_spring && !hood.is_real(bodies, j)) ++counts[bodies.owned.contains(j) ? 3 : 2];
            if (!balls_overlap(bodies, i, j)) continue;
            ++counts[1];
            if (pairs.is_masked(slot)) continue;  // of a pair with an offset only a part counts
            deepest.back() = std::max(deepest.back(), overlap_share(bodies, i, j));
        }
    }
    forces.shapes.count_contacts(bodies, hood, counts, deepest.back());
    boost::mpi::all_reduce(sim.comm(), counts, 4, all, std::plus<std::uint64_t>());
    forces.wall_contacts.deepest(bodies, sim.walls().walls(), deepest);
    forces.wall_ball_contacts.deepest(bodies, forces.wall_balls.balls(), deepest);
    forces.shapes.walls.deepest(deepest);
    boost::mpi::all_reduce(sim.comm(), deepest.data(), static_cast<int>(deepest.size()), deepest_of_all.data(),
                           boost::mpi::maximum<double>());
    const double of_pairs = deepest_of_all.back();
    deepest_of_all.pop_back();
    return {sums[0] + sums[1],
            sums[2],
            sums[6],
            {sums[3], sums[4], sums[5]},
            of_pairs,
            std::move(deepest_of_all),
            all[1],
            all[0],
            all[2],
            all[3]};
}

std::vector<WallLoad> wall_loads_of(const Simulation& sim) {
    const WallLoads& now = sim.forces().loads;
    const std::size_t n = sim.setup().walls.size();
    std::vector<double> mine;
    mine.reserve(6 * now.now().size());
    for (const WallLoad& l : now.now())
        mine.insert(mine.end(), {l.force.x, l.force.y, l.force.z, l.torque.x, l.torque.y, l.torque.z});
    const std::vector<double> sums =
        sum_over_layers(sim.comm(), sim.neighbourhood().slabs, mine, static_cast<int>(6 * n));
    std::vector<WallLoad> loads(n);
    for (std::size_t w = 0; w < n; ++w) {
        const double* s = sums.data() + 6 * w;
        loads[w] = {{s[0], s[1], s[2]}, {s[3], s[4], s[5]}};
    }
    return loads;
}

std::vector<MeanLoad> mean_loads_of(const Simulation& sim) {
    const WallLoads& loads = sim.forces().loads;
    const std::size_t n = sim.setup().walls.size();
    std::vector<MeanLoad> means(n);
    if (loads.integrated_time() > 0 && !sim.requests().means_restarted()) {
        const std::vector<double> sums = sum_over_layers(sim.comm(), sim.neighbourhood().slabs, loads.integrals(),
                                                         static_cast<int>(WallLoads::items * n));
        for (std::size_t w = 0; w < n; ++w) {
            const double *s = sums.data() + WallLoads::items * w, time = loads.integrated_time();
            means[w] = {{s[0] / time, s[1] / time, s[2] / time}, s[3] / time};
        }
        return means;
    }
    const std::vector<WallLoad> now = wall_loads_of(sim);
    for (std::size_t w = 0; w < n; ++w) {
        const Wall& wall = sim.setup().walls[w];
        means[w] = {now[w].force, wall.moves() ? power_into_balls(now[w], sim.walls().twists()[wall.motion]) : 0.0};
    }
    return means;
}

double imbalance_of(const Simulation& sim) {
    const Neighbourhood& hood = sim.neighbourhood();
    return imbalance(gather_layers(sim.comm(), hood.slabs, hood.layer_cost, 1), hood.slabs.cuts());
}

Bodies bodies_inside(const Simulation& sim) {
    const Bodies& bodies = sim.bodies();
    const std::vector<char> out = sim.counts().marks_of_crossed(bodies);
    Bodies left = bodies;  // the columns themselves are shared
    left.real.clear();
    for (const Range& range : bodies.real) {
        Index begin = range.begin;
        for (Index i = range.begin; i <= range.end; ++i) {
            if (i < range.end && out[i] == 0) continue;
            if (begin < i) left.real.push_back({begin, i});
            begin = i + 1;
        }
    }
    return left;
}

std::vector<std::uint16_t> contact_numbers_of(const Simulation& sim) {
    const Bodies& bodies = sim.bodies();
    const PairList& pairs = sim.forces().pairs;
    std::vector<std::uint16_t> number(bodies.size, 0);
    for (Index i = 0; i < pairs.n_bodies; ++i)  // a pair across a slab face or a periodic one is known on both sides
        for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot)
            if (const Index j = pairs.partner_of(slot); pairs.touches(slot) && balls_overlap(bodies, i, j))
                ++number[i], ++number[j];
    sim.forces().shapes.for_each_contact([&](Index i, Index j) { ++number[i], ++number[j]; });
    for (const WallSample& w : sim.forces().wall_samples)
        if (w.overlap > 0) ++number[w.body];
    return number;
}

double friction_between(const Simulation& sim, std::size_t a, std::size_t b) {
    const Setup& s = sim.setup();
    return resolve_pairs(s.materials, s.pairs, s.law)[a * s.materials.size() + b].friction;
}

Ledger ledger_of(const Simulation& sim) { return sim.counts().sum(sim.comm(), sim.clock(), sim.bodies()); }

}  // namespace granary
