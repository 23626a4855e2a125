// Sums of many numbers over all bodies of all ranks, the same bits on any number of ranks: every number is added up in
// the one order. The sums go from rank to rank, and each adds its own bodies in their order to what it is given; a slab
// is an interval of the order, so the additions are those of one rank alone. For measurements now and then: ranks wait
// for each other in a row. (Numbers that every layer has only a few of are summed by sum_over_layers, without waiting.)
#pragma once
#include <mpi.h>
#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include <span>
#include <vector>

namespace granary {

// Collective. add(sums) adds what this rank has; afterwards all ranks hold the whole. Less than 2^31 numbers.
template <class Add> void fold_in_order(const boost::mpi::communicator& comm, std::vector<double>& sums, Add&& add) {
    constexpr int tag = 71;
    const int me = comm.rank(), last = comm.size() - 1, n = static_cast<int>(sums.size());
    if (me > 0) MPI_Recv(sums.data(), n, MPI_DOUBLE, me - 1, tag, comm, MPI_STATUS_IGNORE);
    add(sums);
    if (me < last) MPI_Send(sums.data(), n, MPI_DOUBLE, me + 1, tag, comm);
    if (last > 0) MPI_Bcast(sums.data(), n, MPI_DOUBLE, last, comm);
}

// So many sums that no rank should hold them all, added up over many folds. They go from rank to rank in slices, so
// that messages stay small and all ranks but the first few work at the same time; each rank keeps some of the slices.
// The bits are those of fold_in_order and plain addition.
class SlicedSums {
  public:
    // n numbers, at_once of them in a slice (less than 2^31).
    SlicedSums(boost::mpi::communicator comm, std::size_t n, std::size_t at_once)
        : comm_(std::move(comm)),
          n_(n),
          at_once_(std::max<std::size_t>(1, at_once)) {
        clear();
    }

    const boost::mpi::communicator& comm() const { return comm_; }
    std::size_t size() const { return n_; }
    std::size_t held() const { return mine_.size(); }  // by this rank
    void clear() { mine_.assign(end_of(comm_.rank()) - begin_of(comm_.rank()), 0.0); }

    // Collective. add(slice, first) adds what this rank has to the numbers [first, first + slice.size()); called once
    // for every slice, in order. What comes out over all ranks is added to what is kept.
    template <class Add> void fold(Add&& add) {
        constexpr int chain = 72, done = 73;
        const int me = comm_.rank(), last = comm_.size() - 1;
        std::vector<double> sums(std::min(at_once_, n_)), come(me < last ? mine_.size() : 0);
        // Those who keep slices listen from the beginning: the last rank never waits for one that waits for it.
        std::vector<MPI_Request> waiting;
        for (std::size_t at = 0; at < come.size(); at += at_once_)
            MPI_Irecv(come.data() + at, count(at, come.size()), MPI_DOUBLE, last, done, comm_, &waiting.emplace_back());
        for (std::size_t first = 0; first < n_; first += at_once_) {
            const int n = count(first, n_);
            if (me > 0) MPI_Recv(sums.data(), n, MPI_DOUBLE, me - 1, chain, comm_, MPI_STATUS_IGNORE);
            else std::fill_n(sums.begin(), n, 0.0);
            add(std::span<double>(sums.data(), static_cast<std::size_t>(n)), first);
            const int keeper = keeper_of(first / at_once_);
            if (me < last) MPI_Send(sums.data(), n, MPI_DOUBLE, me + 1, chain, comm_);
            else if (keeper < last) MPI_Send(sums.data(), n, MPI_DOUBLE, keeper, done, comm_);
            else keep(first - begin_of(me), {sums.data(), static_cast<std::size_t>(n)});
        }
        MPI_Waitall(static_cast<int>(waiting.size()), waiting.data(), MPI_STATUSES_IGNORE);
        keep(0, come);
    }

    // All numbers, on the first rank; the others get none. Collective.
    std::vector<double> whole() const {
        constexpr int tag = 74;
        if (comm_.rank() > 0) {
            for (std::size_t at = 0; at < mine_.size(); at += at_once_)
                MPI_Send(mine_.data() + at, count(at, mine_.size()), MPI_DOUBLE, 0, tag, comm_);
            return {};
        }
        std::vector<double> all = mine_;
        all.resize(n_);
        for (std::size_t at = mine_.size(); at < n_; at += at_once_)
            MPI_Recv(all.data() + at, count(at, n_), MPI_DOUBLE, keeper_of(at / at_once_), tag, comm_,
                     MPI_STATUS_IGNORE);
        return all;
    }

    // The other way: all numbers are those of the first rank, whatever the others say. Collective.
    void set(std::span<const double> all) {
        constexpr int tag = 75;
        if (comm_.rank() > 0) {
            for (std::size_t at = 0; at < mine_.size(); at += at_once_)
                MPI_Recv(mine_.data() + at, count(at, mine_.size()), MPI_DOUBLE, 0, tag, comm_, MPI_STATUS_IGNORE);
            return;
        }
        std::copy_n(all.begin(), mine_.size(), mine_.begin());
        for (std::size_t at = mine_.size(); at < n_; at += at_once_)
            MPI_Send(all.data() + at, count(at, n_), MPI_DOUBLE, keeper_of(at / at_once_), tag, comm_);
    }

  private:
    std::size_t n_slices() const { return (n_ + at_once_ - 1) / at_once_; }
    std::size_t ranks() const { return static_cast<std::size_t>(comm_.size()); }
    // Slices [begin, end) of a rank are those with begin <= slice * ranks / n_slices < end.
    int keeper_of(std::size_t slice) const { return static_cast<int>(slice * ranks() / n_slices()); }
    std::size_t begin_of(int rank) const {
        const std::size_t slice = (static_cast<std::size_t>(rank) * n_slices() + ranks() - 1) / ranks();
        return std::min(n_, slice * at_once_);
    }
    std::size_t end_of(int rank) const { return begin_of(rank + 1); }
    int count(std::size_t at, std::size_t end) const { return static_cast<int>(std::min(at_once_, end - at)); }
    void keep(std::size_t at, std::span<const double> sums) {
        for (std::size_t k = 0; k < sums.size(); ++k) mine_[at + k] += sums[k];
    }

    boost::mpi::communicator comm_;
    std::size_t n_, at_once_;
    std::vector<double> mine_;
};

}  // namespace granary
