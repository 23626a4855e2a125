// The main of every benchmark program: Google Benchmark with MPI (one rank) and Kokkos running.
#include <benchmark/benchmark.h>
#include <Kokkos_Core.hpp>
#include <boost/mpi/environment.hpp>

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    boost::mpi::environment environment(argc, argv);
    Kokkos::ScopeGuard kokkos(argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
