#include "engine/ledger.hpp"
#include "engine/equivalent_radius.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/vector.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include "core/errors.hpp"

namespace granary {

namespace {

// A power of two, such that 2^32 of the heaviest balls can be counted; for the light ones it has parts (MassSum).
double unit_of_mass(const Setup& s) {
    double density = 0;
    for (const Material& m : s.materials)
        if (!m.wall_only) density = std::max(density, m.density);
    const double r = s.largest_radius, ball = 4.0 / 3.0 * std::numbers::pi * r * r * r * density;
    const double heaviest = std::max(ball, std::numbers::pi * r * r * s.plane.thickness * density);  // ball or disc
    return heaviest > 0 ? std::ldexp(1.0, std::ilogb(heaviest) - 31) : std::ldexp(1.0, -31);
}

}  // namespace

std::uint64_t Ledger::all_left() const { return std::accumulate(left.begin(), left.end(), std::uint64_t{0}); }

bool Ledger::adds_up() const { return inserted == inside + all_left() + deleted; }

void LedgerCounts::prepare(const Setup& setup) {
    left_.assign(setup.outlets.size(), 0), mass_left_.assign(setup.outlets.size(), {});
    mass_unit_ = unit_of_mass(setup);
}

void LedgerCounts::watch_outlets(const Setup& setup, const Clock& clock, std::uint64_t step, const Bodies& bodies,
                                 Requests& requests) {
    outlets.look(bodies, setup.outlets, [&](std::size_t o, Index i) {
        const double mass = bodies.mass(i);
        ++left_[o];
        mass_left_[o].add(mass, mass_unit_);
        if (setup.outflow)
            requests.departures_.push_back({step, bodies.id(i), clock.time_at(step),
                                            equivalent_radius(bodies, i, setup.shapes), mass, bodies.entry_time(i),
                                            bodies.material(i), static_cast<std::uint16_t>(o)});
    });
}

void LedgerCounts::agree_on_first_deleted(const boost::mpi::communicator& comm,
                                          const std::optional<DeletedBall>& mine) {
    DeletedBall first = mine.value_or(DeletedBall());
    // Signed: Open MPI 4.1 takes the least of unsigned 64-bit numbers as if they were signed.
    const std::int64_t id = mine ? static_cast<std::int64_t>(mine->id) : std::numeric_limits<std::int64_t>::max();
    const std::int64_t lowest = boost::mpi::all_reduce(comm, id, boost::mpi::minimum<std::int64_t>());
    const int owner =
        boost::mpi::all_reduce(comm, id == lowest ? comm.rank() : comm.size(), boost::mpi::minimum<int>());
    MPI_Bcast(&first, sizeof first, MPI_BYTE, owner, comm);
    first_deleted_ = first;
}

Ledger LedgerCounts::sum(const boost::mpi::communicator& comm, const Clock& clock, const Bodies& bodies) const {
    const std::size_t n = left_.size();
    std::vector<std::uint64_t> mine = left_;
    for (const MassSum& m : mass_left_) mine.insert(mine.end(), {m.units, m.parts});
    mine.insert(mine.end(),
                {mass_deleted_.units, mass_deleted_.parts, deleted_, bodies.n_real() - outlets.n_crossed()});
    std::vector<std::uint64_t> all(mine.size());
    boost::mpi::all_reduce(comm, mine.data(), static_cast<int>(mine.size()), all.data(), std::plus<std::uint64_t>());
    Ledger ledger{inserted, all.back(), {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n)}, {}};
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
                        clock.step(), inserted, ledger.inside, ledger.all_left(), ledger.deleted));
    return ledger;
}

std::vector<Id> LedgerCounts::crossed_ids(const boost::mpi::communicator& comm, const Bodies& bodies) const {
    std::vector<Id> mine;
    outlets.for_each_crossed([&](Index i) { mine.push_back(bodies.id(i)); });
    std::vector<std::vector<Id>> all;
    boost::mpi::all_gather(comm, mine, all);
    std::vector<Id> ids;
    for (const std::vector<Id>& of_rank : all) ids.insert(ids.end(), of_rank.begin(), of_rank.end());
    std::sort(ids.begin(), ids.end());
    return ids;
}

std::vector<char> LedgerCounts::marks_of_crossed(const Bodies& bodies) const {
    std::vector<char> marks(bodies.size, 0);
    outlets.for_each_crossed([&](Index i) { marks[i] = 1; });
    return marks;
}

MassSum sum_over_ranks(const boost::mpi::communicator& comm, const MassSum& mine) {
    const std::uint64_t words[2] = {mine.units, mine.parts};
    std::uint64_t all[2];
    boost::mpi::all_reduce(comm, words, 2, all, std::plus<std::uint64_t>());
    MassSum sum{all[0], all[1]};
    sum.tidy();
    return sum;
}

}  // namespace granary
