#include "support/collective_calls.hpp"

#include <mpi.h>

namespace {

std::uint64_t collective_calls_so_far = 0;

}  // namespace

// MPI's profiling interface: these stand before those of the library, for Boost.MPI too.
#define GRANARY_COUNT(name, parameters, arguments) \
    extern "C" int MPI_##name parameters {         \
        ++collective_calls_so_far;                 \
        return PMPI_##name arguments;              \
    }

#define GRANARY_REDUCED const void *in, void *out, int n, MPI_Datatype type, MPI_Op op
GRANARY_COUNT(Barrier, (MPI_Comm comm), (comm))
GRANARY_COUNT(Bcast, (void* data, int n, MPI_Datatype type, int root, MPI_Comm comm), (data, n, type, root, comm))
GRANARY_COUNT(Allreduce, (GRANARY_REDUCED, MPI_Comm comm), (in, out, n, type, op, comm))
GRANARY_COUNT(Iallreduce, (GRANARY_REDUCED, MPI_Comm comm, MPI_Request* request), (in, out, n, type, op, comm, request))
GRANARY_COUNT(Reduce, (GRANARY_REDUCED, int root, MPI_Comm comm), (in, out, n, type, op, root, comm))
GRANARY_COUNT(Scan, (GRANARY_REDUCED, MPI_Comm comm), (in, out, n, type, op, comm))
GRANARY_COUNT(Exscan, (GRANARY_REDUCED, MPI_Comm comm), (in, out, n, type, op, comm))
#undef GRANARY_REDUCED

#define GRANARY_BOTH const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype to
GRANARY_COUNT(Allgather, (GRANARY_BOTH, MPI_Comm comm), (in, n, type, out, m, to, comm))
GRANARY_COUNT(Alltoall, (GRANARY_BOTH, MPI_Comm comm), (in, n, type, out, m, to, comm))
GRANARY_COUNT(Gather, (GRANARY_BOTH, int root, MPI_Comm comm), (in, n, type, out, m, to, root, comm))
GRANARY_COUNT(Scatter, (GRANARY_BOTH, int root, MPI_Comm comm), (in, n, type, out, m, to, root, comm))
#undef GRANARY_BOTH

GRANARY_COUNT(Allgatherv,
              (const void* in, int n, MPI_Datatype type, void* out, const int* m, const int* at, MPI_Datatype to,
               MPI_Comm comm),
              (in, n, type, out, m, at, to, comm))
GRANARY_COUNT(Gatherv,
              (const void* in, int n, MPI_Datatype type, void* out, const int* m, const int* at, MPI_Datatype to,
               int root, MPI_Comm comm),
              (in, n, type, out, m, at, to, root, comm))
GRANARY_COUNT(Alltoallv,
              (const void* in, const int* n, const int* from, MPI_Datatype type, void* out, const int* m, const int* at,
               MPI_Datatype to, MPI_Comm comm),
              (in, n, from, type, out, m, at, to, comm))
#undef GRANARY_COUNT

namespace granary::test {

std::uint64_t collective_calls() { return collective_calls_so_far; }

}  // namespace granary::test
