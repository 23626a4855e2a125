// Numbers that all ranks must agree on.
#pragma once
#include <mpi.h>
#include <array>
#include <boost/mpi/communicator.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>
#include "decomposition/slabs.hpp"

namespace granary {

// A maximum that travels while the step goes on: started at one step, read at the next.
class TravellingMax {
  public:
    using Numbers = std::array<double, 3>;
    explicit TravellingMax(boost::mpi::communicator comm) : comm_(std::move(comm)) {}
    TravellingMax(const TravellingMax&) = delete;
    TravellingMax& operator=(const TravellingMax&) = delete;
    ~TravellingMax();

    void start(const Numbers& mine);
    bool under_way() const { return arrived_ || request_ != MPI_REQUEST_NULL; }
    Numbers take();

    // For a run that stops in between: the answer that take() will give, and a run that starts with such an answer.
    Numbers wait();
    void put(const Numbers& answer) { numbers_->all = answer, arrived_ = true; }

  private:
    boost::mpi::communicator comm_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    struct Buffers {
        Numbers mine{}, all{};
    };
    std::unique_ptr<Buffers> numbers_ = std::make_unique<Buffers>();
    bool arrived_ = false;  // waited for, and not yet taken
};

// Numbers of all layers that travel while the step goes on: started at one step, read at a later one; no allocation
// unless their number has grown. Their sums are those of sum_over_layers.
class TravellingLayers {
  public:
    explicit TravellingLayers(boost::mpi::communicator comm) : comm_(std::move(comm)) {}
    TravellingLayers(const TravellingLayers&) = delete;
    TravellingLayers& operator=(const TravellingLayers&) = delete;
    ~TravellingLayers();

    // `width` numbers for each of this rank's layers.
    void start(const Slabs& slabs, std::span<const double> mine, int width);
    bool under_way() const { return arrived_ || request_ != MPI_REQUEST_NULL; }
    std::span<const double> take();  // sums over the layers, from the lowest to the highest; `width` of them

    // For a run that stops in between: the answer that take() will give, and a run that starts with such an answer.
    std::span<const double> wait();
    void put(std::span<const double> sums) { sums_.assign(sums.begin(), sums.end()), arrived_ = true; }

  private:
    boost::mpi::communicator comm_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    bool arrived_ = false;  // waited for, and not yet taken
    std::vector<double> mine_, all_, sums_;
    std::vector<int> counts_, at_;
};

// Sums that do not know the number of ranks: every rank brings `width` numbers for each of its layers, and they are
// added over all layers from the lowest to the highest. All ranks get the sums.
std::vector<double> sum_over_layers(const boost::mpi::communicator& comm, const Slabs& slabs,
                                    std::span<const double> mine, int width);

// The numbers of all layers, for those who want to choose cuts.
std::vector<double> gather_layers(const boost::mpi::communicator& comm, const Slabs& slabs,
                                  std::span<const double> mine, int width);

// And back: the part of one rank; empty if the numbers are not of so many layers.
std::vector<double> layers_of(const Slabs& slabs, int rank, std::span<const double> all, int width);

// Some rank may have something to say, the empty string means no. All ranks get the text of the lowest rank that has.
std::string first_text(const boost::mpi::communicator& comm, const std::string& mine);

}  // namespace granary
