// What went in, what is there, what went out: inserted = inside + sum of left + deleted, at any step.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <optional>
#include <vector>
#include "core/mass_sum.hpp"
#include "core/vec.hpp"
#include "engine/clock.hpp"
#include "engine/requests.hpp"
#include "engine/setup.hpp"
#include "motion/outlets.hpp"

namespace granary {

struct Ledger {
    std::uint64_t inserted = 0, inside = 0;
    std::vector<std::uint64_t> left;  // by outlet
    std::vector<double> mass_left;    // kg, by outlet
    std::uint64_t deleted = 0;        // outside the domain
    double mass_deleted = 0;          // kg
    std::uint64_t all_left() const;   // by any outlet
    bool adds_up() const;
};

// The first ball that was deleted outside the domain; of several at one step that with the lowest id.
struct DeletedBall {
    Id id = 0;
    std::uint64_t step = 0;
    double time = 0, radius = 0, speed = 0;  // s, m, m/s
    Vec3d position;                          // m, in the user's axes
};

// The counts of this rank, and who waits behind an outlet for the next rebuild to go.
class LedgerCounts {
  public:
    void prepare(const Setup& setup);

    // Counts the bodies that have crossed an outlet since the last look. step: that the positions belong to.
    void watch_outlets(const Setup& setup, const Clock& clock, std::uint64_t step, const Bodies& bodies,
                       Requests& requests);
    void delete_body(const Bodies& bodies, Index i) { ++deleted_, mass_deleted_.add(bodies.mass(i), mass_unit_); }
    // Of this rank's candidates the one with the lowest id of all ranks is the first. Collective.
    void agree_on_first_deleted(const boost::mpi::communicator& comm, const std::optional<DeletedBall>& mine);

    Ledger sum(const boost::mpi::communicator& comm, const Clock& clock, const Bodies& bodies) const;  // collective
    std::vector<Id> crossed_ids(const boost::mpi::communicator& comm, const Bodies& bodies) const;  // likewise; sorted
    std::vector<char> marks_of_crossed(const Bodies& bodies) const;  // by index: not 0, it is no longer inside
    const std::optional<DeletedBall>& first_deleted() const { return first_deleted_; }

    template <class Io> void run_state(Io& io, const boost::mpi::communicator& comm, bool delete_outside);

    OutletWatch outlets;
    Id next_id = 0;
    std::uint64_t inserted = 0;  // over all ranks

  private:
    std::vector<std::uint64_t> left_;           // by outlet
    std::vector<MassSum> mass_left_;            // likewise, in units of mass_unit_
    double mass_unit_ = 0;                      // kg
    std::uint64_t deleted_ = 0;                 // outside the domain
    MassSum mass_deleted_;                      // likewise
    std::optional<DeletedBall> first_deleted_;  // the same on all ranks
};

// A sum of masses over all ranks, for saving; after loading the first rank has it. Older checkpoints rounded to whole
// units.
MassSum sum_over_ranks(const boost::mpi::communicator& comm, const MassSum& mine);
template <class Io>
void mass_state(Io& io, const boost::mpi::communicator& comm, const std::string& name, MassSum& mine) {
    MassSum mass = mine;
    if constexpr (!Io::loads) mass = sum_over_ranks(comm, mass);
    io(name, mass.units);
    if constexpr (Io::loads) {
        if (io.has(name + "_parts")) io(name + "_parts", mass.parts);
        mine = comm.rank() == 0 ? mass : MassSum{};
    } else {
        io(name + "_parts", mass.parts);
    }
}

// A name of one of several, such as "ledger.2.left".
inline std::string numbered(const char* what, std::size_t k, const char* member) {
    return std::string(what) + "." + std::to_string(k) + "." + member;
}

template <class Io> void LedgerCounts::run_state(Io& io, const boost::mpi::communicator& comm, bool delete_outside) {
    io("ledger.next_id", next_id), io("ledger.inserted", inserted);
    for (std::size_t o = 0; o < left_.size(); ++o) {
        io.sum(numbered("ledger", o, "left"), left_[o]);
        mass_state(io, comm, numbered("ledger", o, "mass_left"), mass_left_[o]);
    }
    if (!delete_outside) return;
    io.sum("ledger.deleted", deleted_), mass_state(io, comm, "ledger.mass_deleted", mass_deleted_);
    bool known = first_deleted_.has_value();
    DeletedBall first = first_deleted_.value_or(DeletedBall{});
    io("ledger.deleted_any", known), io("ledger.first_deleted_id", first.id);
    io("ledger.first_deleted_step", first.step), io("ledger.first_deleted_time", first.time);
    io("ledger.first_deleted_radius", first.radius), io("ledger.first_deleted_speed", first.speed);
    io("ledger.first_deleted_position", first.position);
    if (known) first_deleted_ = first;
}

}  // namespace granary
