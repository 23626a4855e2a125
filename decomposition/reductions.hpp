// Numbers that all ranks must agree on.
#pragma once
#include <mpi.h>
#include <array>
#include <boost/mpi/communicator.hpp>
#include <span>
#include <string>
#include <vector>
#include "decomposition/slabs.hpp"

namespace granary {

// A maximum that travels while the step goes on: started at one step, read at the next.
class TravellingMax {
  public:
    explicit TravellingMax(boost::mpi::communicator comm) : comm_(std::move(comm)) {}
    TravellingMax(const TravellingMax&) = delete;
    TravellingMax& operator=(const TravellingMax&) = delete;
    ~TravellingMax();

    void start(const std::array<double, 2>& mine);
    bool under_way() const { return request_ != MPI_REQUEST_NULL; }
    std::array<double, 2> take();

  private:
    boost::mpi::communicator comm_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::array<double, 2> mine_{}, all_{};
};

// Sums that do not know the number of ranks: every rank brings `width` numbers for each of its layers, and they are added
// over all layers from the lowest to the highest. All ranks get the sums.
std::vector<double> sum_over_layers(const boost::mpi::communicator& comm, const Slabs& slabs,
                                    std::span<const double> mine, int width);

// The numbers of all layers, for those who want to choose cuts.
std::vector<double> gather_layers(const boost::mpi::communicator& comm, const Slabs& slabs,
                                  std::span<const double> mine, int width);

// Some rank may have something to say, the empty string means no. All ranks get the text of the lowest rank that has.
std::string first_text(const boost::mpi::communicator& comm, const std::string& mine);

}  // namespace granary
