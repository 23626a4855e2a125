#include "decomposition/reductions.hpp"

#include <boost/mpi/collectives.hpp>

namespace granary {

TravellingMax::~TravellingMax() {
    if (under_way()) MPI_Wait(&request_, MPI_STATUS_IGNORE);
}

void TravellingMax::start(const std::array<double, 2>& mine) {
    mine_ = mine;
    MPI_Iallreduce(mine_.data(), all_.data(), 2, MPI_DOUBLE, MPI_MAX, comm_, &request_);
}

std::array<double, 2> TravellingMax::take() {
    MPI_Wait(&request_, MPI_STATUS_IGNORE);
    return all_;
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
