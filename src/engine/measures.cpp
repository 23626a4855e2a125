// What can be said about the state: ledger, energies, loads, digest. Sums run over layers in order, so they too are the same on any
// number of ranks.
#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <functional>
#include <numeric>
#include "engine/simulation.hpp"
#include "contact/contact_geometry.hpp"
#include "core/errors.hpp"
#include "decomposition/digest_over_ranks.hpp"

namespace granary {

std::size_t Measures::deepest_wall() const {
    return static_cast<std::size_t>(std::max_element(wall_overlap.begin(), wall_overlap.end()) - wall_overlap.begin());
}

double Measures::largest_overlap() const {
    return wall_overlap.empty() ? pair_overlap : std::max(pair_overlap, wall_overlap[deepest_wall()]);
}

std::uint64_t Ledger::all_left() const { return std::accumulate(left.begin(), left.end(), std::uint64_t{0}); }

bool Ledger::adds_up() const { return inserted == inside + all_left() + deleted; }

Ledger Simulation::ledger() const {
    const std::size_t n = left_.size();
    std::vector<std::uint64_t> mine = left_;
    for (const MassSum& m : mass_left_) mine.insert(mine.end(), {m.units, m.parts});
    mine.insert(mine.end(),
                {mass_deleted_.units, mass_deleted_.parts, deleted_, bodies_.n_real() - outlets_.n_crossed()});
    std::vector<std::uint64_t> all(mine.size());
    boost::mpi::all_reduce(comm_, mine.data(), static_cast<int>(mine.size()), all.data(), std::plus<std::uint64_t>());
    Ledger ledger{inserted_, all.back(), {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n)}, {}};
    const auto mass_at = [&](std::size_t k) {
        MassSum sum{all[k], all[k + 1]};
        sum.tidy();
        return sum.mass(mass_unit_);
    };
    for (std::size_t o = 0; o < n; ++o) ledger.mass_left.push_back(mass_at(n + 2 * o));
    ledger.mass_deleted = mass_at(3 * n), ledger.deleted = all[3 * n + 2];
    if (!ledger.adds_up())
        throw RunError(
            fmt::format("the ledger does not add up at step {}: {} balls inserted, but {} inside, {} left through "
                        "outlets and {} deleted",
                        step_, inserted_, ledger.inside, ledger.all_left(), ledger.deleted));
    return ledger;
}

Events Simulation::events() const {
    const std::uint64_t mine[2] = {mine_.migrations, mine_.wraps};
    std::uint64_t all[2];
    boost::mpi::all_reduce(comm_, mine, 2, all, std::plus<std::uint64_t>());
    return {mine_.rebuilds, all[0], all[1], mine_.cut_moves, staleness_.n_late()};
}

Measures Simulation::measures() const {
    constexpr int width = 7;
    const std::size_t n_layers = layer_begin_.size() - 1;
    std::vector<double> mine(width * n_layers, 0.0);
    const int first = slabs_.first(comm_.rank());
    std::vector<char> out(bodies_.size, 0);  // has crossed an outlet and is no longer inside
    outlets_.for_each_crossed([&](Index i) { out[i] = 1; });
    for (const Range& run : bodies_.real)
        for (Index i = run.begin; i < run.end; ++i) {
            if (out[i] != 0) continue;
            double* const m = mine.data() + width * static_cast<std::size_t>(digit(bodies_.cube(i), 2) - first);
            const Vec3d v = synchronised_velocity(bodies_, i, motion_), w = synchronised_spin(bodies_, i, motion_);
            const double mass = 1.0 / bodies_.velocity(i, 3), inertia = 1.0 / bodies_.spin(i, 3);
            m[0] += 0.5 * mass * dot(v, v);
            m[1] += 0.5 * inertia * dot(w, w);
            m[2] += mass;
            m[3] += mass * v.x, m[4] += mass * v.y, m[5] += mass * v.z;
            m[6] += mass * 2 * bodies_.radius(i);
        }
    const std::vector<double> sums = sum_over_layers(comm_, slabs_, mine, width);

    std::uint64_t counts[4] = {0, 0, 0, 0}, all[4];
    std::vector<double> deepest(setup_.walls.size() + 1, 0.0), deepest_of_all(deepest.size());  // at walls; of pairs
    for (Index i = 0; i < pairs_.n_bodies; ++i) {
        const bool i_real = is_real(i);
        for (Index slot = pairs_.begin(i); slot < pairs_.begin(i + 1); ++slot) {
            if (!i_real) continue;  // a pair counts once, at its lower body
            ++counts[0];
            if (!pairs_.touches(slot)) continue;
            const Index j = pairs_.partner_of(slot);
            const bool has_spring = pairs_.xi.extent(0) > 0 && pairs_.xi(slot, 0) != 0;
            if (has_spring && !is_real(j)) ++counts[bodies_.owned.contains(j) ? 3 : 2];
            if (!balls_overlap(bodies_, i, j)) continue;
            ++counts[1];
            deepest.back() = std::max(deepest.back(), overlap_share(bodies_, i, j));
        }
    }
    boost::mpi::all_reduce(comm_, counts, 4, all, std::plus<std::uint64_t>());
    wall_contacts_.deepest(bodies_, walls_.walls(), deepest);
    wall_ball_contacts_.deepest(bodies_, wall_balls_.balls(), deepest);
    boost::mpi::all_reduce(comm_, deepest.data(), static_cast<int>(deepest.size()), deepest_of_all.data(),
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

std::vector<WallLoad> Simulation::wall_loads() const {
    const std::size_t n = setup_.walls.size();
    std::vector<double> mine;
    mine.reserve(6 * loads_.now().size());
    for (const WallLoad& l : loads_.now())
        mine.insert(mine.end(), {l.force.x, l.force.y, l.force.z, l.torque.x, l.torque.y, l.torque.z});
    const std::vector<double> sums = sum_over_layers(comm_, slabs_, mine, static_cast<int>(6 * n));
    std::vector<WallLoad> loads(n);
    for (std::size_t w = 0; w < n; ++w) {
        const double* s = sums.data() + 6 * w;
        loads[w] = {{s[0], s[1], s[2]}, {s[3], s[4], s[5]}};
    }
    return loads;
}

std::vector<MeanLoad> Simulation::mean_loads() const {
    const std::size_t n = setup_.walls.size();
    std::vector<MeanLoad> means(n);
    if (loads_.integrated_time() > 0) {
        const std::vector<double> sums =
            sum_over_layers(comm_, slabs_, loads_.integrals(), static_cast<int>(WallLoads::items * n));
        for (std::size_t w = 0; w < n; ++w) {
            const double *s = sums.data() + WallLoads::items * w, time = loads_.integrated_time();
            means[w] = {{s[0] / time, s[1] / time, s[2] / time}, s[3] / time};
        }
        return means;
    }
    const std::vector<WallLoad> now = wall_loads();
    for (std::size_t w = 0; w < n; ++w) {
        const Wall& wall = setup_.walls[w];
        means[w] = {now[w].force, wall.moves() ? power_into_balls(now[w], walls_.twists()[wall.motion]) : 0.0};
    }
    return means;
}

// In the order of the bodies, those at walls before those with balls: ranks one after the other then give the same list, however many.
std::vector<ContactRecord> Simulation::contacts() const {
    const std::vector<ContactRecord> walls = wall_springs();  // ascending places
    std::vector<ContactRecord> found;
    std::size_t touching = 0;
    for (Index slot = 0; slot < pairs_.size; ++slot) touching += pairs_.touches(slot) ? 1 : 0;
    found.reserve(walls.size() + touching);
    std::size_t w = 0;
    const auto take_walls_below = [&](Index end) {
        for (; w < walls.size() && walls[w].body < end; ++w) {
            found.push_back(walls[w]);
            found.back().body = bodies_.id(static_cast<Index>(walls[w].body));
        }
    };
    for (Index i = 0; i < pairs_.n_bodies && pairs_.xi.extent(0) > 0; ++i) {
        if (!is_real(i)) continue;
        take_walls_below(i + 1);
        for (Index slot = pairs_.begin(i); slot < pairs_.begin(i + 1); ++slot) {
            const bool touches = pairs_.touches(slot);
            pairs_.for_each_history([&](HistoryKind kind, const Array<double* [3]>& numbers) {
                const double* xi = &numbers(slot, 0);
                if (is_dead(kind, touches, xi)) return;
                const Partner partner = Partner(bodies_.id(pairs_.partner_of(slot))).with(kind);
                found.push_back(canonical({bodies_.id(i), partner, {xi[0], xi[1], xi[2]}}));
            });
        }
    }
    take_walls_below(bodies_.size);
    return found;
}

std::vector<ContactRecord> Simulation::wall_springs() const {
    std::vector<ContactRecord> springs = wall_contacts_.springs();
    const auto middle = static_cast<std::ptrdiff_t>(springs.size());
    const std::vector<ContactRecord> at_balls = wall_ball_contacts_.springs(wall_balls_.balls());
    springs.insert(springs.end(), at_balls.begin(), at_balls.end());
    std::inplace_merge(springs.begin(), springs.begin() + middle, springs.end(),
                       [](const ContactRecord& a, const ContactRecord& b) { return a.body < b.body; });
    return springs;
}

double Simulation::imbalance() const {
    return granary::imbalance(gather_layers(comm_, slabs_, layer_cost_, 1), slabs_.cuts());
}

Bodies Simulation::inside() const {
    std::vector<char> out(bodies_.size, 0);
    outlets_.for_each_crossed([&](Index i) { out[i] = 1; });
    Bodies left = bodies_;  // the columns themselves are shared
    left.real.clear();
    for (const Range& run : bodies_.real) {
        Index begin = run.begin;
        for (Index i = run.begin; i <= run.end; ++i) {
            if (i < run.end && out[i] == 0) continue;
            if (begin < i) left.real.push_back({begin, i});
            begin = i + 1;
        }
    }
    return left;
}

// The partner may be a copy of a ball that has crossed on another rank, so all ranks are told who has.
std::vector<ContactRecord> Simulation::contacts_inside() const {
    const std::vector<Id> out = crossed_ids();
    std::vector<ContactRecord> found = contacts();
    std::erase_if(found, [&](const ContactRecord& c) {
        const auto has_left = [&](std::uint64_t id) { return std::binary_search(out.begin(), out.end(), id); };
        return has_left(c.body) || (c.partner.is_body() && has_left(c.partner.number()));
    });
    return found;
}

std::vector<std::uint16_t> Simulation::contact_numbers() const {
    std::vector<std::uint16_t> number(bodies_.size, 0);
    for (Index i = 0; i < pairs_.n_bodies; ++i)  // a pair across a slab face or a periodic one is known on both sides
        for (Index slot = pairs_.begin(i); slot < pairs_.begin(i + 1); ++slot)
            if (const Index j = pairs_.partner_of(slot); pairs_.touches(slot) && balls_overlap(bodies_, i, j))
                ++number[i], ++number[j];
    for (const WallSample& w : wall_samples_)
        if (w.overlap > 0) ++number[w.body];
    return number;
}

double Simulation::friction(std::size_t a, std::size_t b) const {
    return resolve_pairs(setup_.materials, setup_.pairs, setup_.law)[a * setup_.materials.size() + b].friction;
}

std::uint64_t Simulation::bytes() const {
    return pairs_.bytes() + mmr_work_.bytes() + fixed_cubes_work_.bytes() + wall_balls_.bytes();
}

Digest Simulation::digest() const { return digest_of(comm_, inside(), contacts_inside(), setup_.axes); }

}  // namespace granary
