#include "decomposition/cluster_pairs.hpp"

#include <mpi.h>
#include <algorithm>
#include <optional>
#include "core/errors.hpp"

namespace granary {

void FaceAgreement::meet(int other) {
    if (other == rank) return;
    owned = rank == not_yet, quiet = 0;
    rank = other;
}

namespace {

constexpr int pairs_tag = 76;

class OwnerSearch {
  public:
    OwnerSearch(const boost::mpi::communicator& comm, const Slabs& slabs, const SearchTask& task, OwnerWorkspace& work)
        : comm_(comm),
          slabs_(slabs),
          task_(task),
          work_(work) {
        const auto other = [&](std::optional<int> rank) {
            return rank && *rank != comm.rank() ? *rank : FaceAgreement::none;
        };
        work.below.meet(other(slabs.below(comm.rank())));
        work.above.meet(other(slabs.above(comm.rank())));
    }

    void run(PairList& pairs, const TwoLevelSettings& settings) {
        TwoLevelWorkspace& local = work_.local;
        const Bodies& b = task_.bodies;
        const Index highest = begin_of_highest_layer();
        SlabShare share;
        if (work_.below.has_pairs()) share.begin = b.owned.begin;
        if (work_.above.has_pairs()) share.highest = highest, share.above = b.owned.end;
        two_level_subdivide(task_, settings, local, share);
        two_level_resolve(task_, pairs, settings, local, share);
        work_.counts.pairs = local.counts.across;

        MPI_Request sending = MPI_REQUEST_NULL;
        if (work_.above.has_message()) {
            tell_above(highest);
            MPI_Isend(work_.sent.data(), static_cast<int>(2 * work_.sent.size()), MPI_UINT32_T, work_.above.rank,
                      pairs_tag, comm_, &sending);
        } else if (work_.above.quiet > 0) --work_.above.quiet;
        if (work_.below.has_message()) take_from_below(pairs);
        else if (work_.below.quiet > 0) --work_.below.quiet;
        two_level_finish(task_, pairs, local);
        MPI_Wait(&sending, MPI_STATUS_IGNORE);
    }

  private:
    Index begin_of_highest_layer() const {
        const Bodies& b = task_.bodies;
        const int highest = slabs_.end(comm_.rank()) - 1;
        const Cube* const cube = b.cube.data();
        return static_cast<Index>(std::partition_point(cube + b.owned.begin, cube + b.owned.end,
                                                       [&](Cube c) { return digit(c, 2) < highest; }) -
                                  cube);
    }

    // The header: whether the next message will have the pairs, and in how many searches there will be none before it.
    void tell_above(Index highest) {
        const TwoLevelWorkspace& local = work_.local;
        const bool owned = !local.is_flat && !local.is_slow;
        work_.sent.assign(1, {owned ? Index{1} : Index{0}, static_cast<Index>(owned ? 0 : local.flat_left)});
        for (const auto& [i, j] : local.for_above) work_.sent.push_back({i - highest, j - task_.bodies.owned.end});
        ++work_.counts.messages;
        work_.counts.bytes += work_.sent.size() * sizeof(work_.sent[0]);
        work_.counts.pairs_sent += local.for_above.size();
        work_.above.owned = owned, work_.above.quiet = work_.sent[0][1];
    }

    void take_from_below(PairList& pairs) {
        MPI_Message message;
        MPI_Status status;
        int size = 0;
        MPI_Mprobe(work_.below.rank, pairs_tag, comm_, &message, &status);
        MPI_Get_count(&status, MPI_UINT32_T, &size);
        auto& taken = work_.taken;
        taken.resize(static_cast<std::size_t>(size) / 2);
        MPI_Mrecv(taken.data(), size, MPI_UINT32_T, &message, MPI_STATUS_IGNORE);
        if (taken.empty()) throw InternalError("an empty message about pairs across a slab face");
        work_.below.owned = taken[0][0] != 0, work_.below.quiet = taken[0][1];
        if (work_.local.is_flat) return;  // they are known
        const Bodies& b = task_.bodies;
        for (std::size_t k = 1; k < taken.size(); ++k) {
            const Index i = taken[k][0], j = b.owned.begin + taken[k][1];
            if (i >= b.owned.begin || j >= b.size || !is_real(task_, j))
                throw InternalError("the rank below names a pair across the slab face that is not here");
            work_.local.found.add(i, j, pairs.begin.data());
        }
        work_.counts.pairs_taken += taken.size() - 1;
    }

    const boost::mpi::communicator& comm_;
    const Slabs& slabs_;
    const SearchTask& task_;
    OwnerWorkspace& work_;
};

}  // namespace

void two_level_search_by_owners(const boost::mpi::communicator& comm, const Slabs& slabs, const SearchTask& task,
                                PairList& pairs, const TwoLevelSettings& settings, OwnerWorkspace& work) {
    work.counts = {};
    if (comm.size() == 1 || !task.bodies.has(When::clusters)) {
        two_level_search(task, pairs, settings, work.local);
        return;
    }
    OwnerSearch(comm, slabs, task, work).run(pairs, settings);
}

}  // namespace granary
