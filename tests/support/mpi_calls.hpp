// How often this rank has called what of MPI. All test programs have MPI functions of their own, which count and call
// those of the library (the profiling interface of the MPI standard, chapter 14: every MPI_X is also there as PMPI_X).
#pragma once
#include <atomic>

namespace granary::test {

struct MpiCalls {
    std::atomic<long> blocking{0};                  // collective calls that wait for all ranks
    std::atomic<long> travelling{0}, gathering{0};  // those that do not: MPI_Iallreduce, MPI_Iallgatherv
    std::atomic<long> started{0}, sent{0};          // persistent requests; messages to a rank that is one
    long collective() const { return blocking + travelling + gathering; }
};

const MpiCalls& mpi_calls();

}  // namespace granary::test
