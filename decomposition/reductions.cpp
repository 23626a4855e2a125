#include "decomposition/reductions.hpp"

#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <exception>

namespace granary {

// If an error is on its way, other ranks may never have begun this reduction: nobody waits, and the numbers stay where
// they are.
TravellingMax::~TravellingMax() {
    if (request_ == MPI_REQUEST_NULL) return;
    if (std::uncaught_exceptions() > 0) static_cast<void>(numbers_.release());
    else MPI_Wait(&request_, MPI_STATUS_IGNORE);
}

void TravellingMax::start(const Numbers& mine) {
    numbers_->mine = mine;
    arrived_ = false;
    MPI_Iallreduce(numbers_->mine.data(), numbers_->all.data(), static_cast<int>(mine.size()), MPI_DOUBLE, MPI_MAX,
                   comm_, &request_);
}

TravellingMax::Numbers TravellingMax::wait() {
    MPI_Wait(&request_, MPI_STATUS_IGNORE);  // returns at once if there is nothing to wait for
    arrived_ = true;
    return numbers_->all;
}

TravellingMax::Numbers TravellingMax::take() {
    wait();
    arrived_ = false;
    return numbers_->all;
}

TravellingLayers::~TravellingLayers() {
    if (request_ != MPI_REQUEST_NULL) MPI_Wait(&request_, MPI_STATUS_IGNORE);
}

void TravellingLayers::start(const Slabs& slabs, std::span<const double> mine, int width) {
    const int n = comm_.size();
    mine_.assign(mine.begin(), mine.end());
    counts_.resize(static_cast<std::size_t>(n)), at_.resize(static_cast<std::size_t>(n));
    for (int r = 0; r < n; ++r) {
        at_[r] = width * slabs.first(r);
        counts_[r] = width * (slabs.end(r) - slabs.first(r));
    }
    all_.resize(static_cast<std::size_t>(width) * slabs.n_layers());
    sums_.resize(static_cast<std::size_t>(width));
    MPI_Iallgatherv(mine_.data(), counts_[comm_.rank()], MPI_DOUBLE, all_.data(), counts_.data(), at_.data(),
                    MPI_DOUBLE, comm_, &request_);
}

std::span<const double> TravellingLayers::wait() {
    if (request_ != MPI_REQUEST_NULL) {
        MPI_Wait(&request_, MPI_STATUS_IGNORE);
        std::fill(sums_.begin(), sums_.end(), 0.0);
        for (std::size_t k = 0; k < all_.size(); ++k) sums_[k % sums_.size()] += all_[k];
        arrived_ = true;
    }
    return sums_;
}

std::span<const double> TravellingLayers::take() {
    wait();
    arrived_ = false;
    return sums_;
}

std::vector<double> gather_layers(const boost::mpi::communicator& comm, const Slabs& slabs,
                                  std::span<const double> mine, int width) {
    std::vector<int> counts(comm.size()), at(comm.size());
    for (int r = 0; r < comm.size(); ++r) {
        at[r] = width * slabs.first(r);
        counts[r] = width * (slabs.end(r) - slabs.first(r));
    }
    std::vector<double> all(static_cast<std::size_t>(width) * slabs.n_layers());
    MPI_Allgatherv(mine.data(), counts[comm.rank()], MPI_DOUBLE, all.data(), counts.data(), at.data(), MPI_DOUBLE,
                   comm);
    return all;
}

std::vector<double> layers_of(const Slabs& slabs, int rank, std::span<const double> all, int width) {
    if (all.size() != static_cast<std::size_t>(width) * slabs.n_layers()) return {};
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(width) * slabs.first(rank);
    return {begin, begin + static_cast<std::ptrdiff_t>(width) * (slabs.end(rank) - slabs.first(rank))};
}

std::vector<double> sum_over_layers(const boost::mpi::communicator& comm, const Slabs& slabs,
                                    std::span<const double> mine, int width) {
    const std::vector<double> all = gather_layers(comm, slabs, mine, width);
    std::vector<double> sums(width, 0.0);
    for (std::size_t k = 0; k < all.size(); ++k) sums[k % width] += all[k];
    return sums;
}

std::string first_text(const boost::mpi::communicator& comm, const std::string& mine) {
    const int speaker =
        boost::mpi::all_reduce(comm, mine.empty() ? comm.size() : comm.rank(), boost::mpi::minimum<int>());
    std::string text = mine;
    if (speaker == comm.size()) return {};
    boost::mpi::broadcast(comm, text, speaker);
    return text;
}

}  // namespace granary
