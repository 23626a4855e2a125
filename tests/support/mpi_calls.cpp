#include "support/mpi_calls.hpp"

#include <mpi.h>

namespace {

granary::test::MpiCalls calls;

}  // namespace

extern "C" {

int MPI_Barrier(MPI_Comm c) { return ++calls.blocking, PMPI_Barrier(c); }
int MPI_Bcast(void* p, int n, MPI_Datatype t, int root, MPI_Comm c) {
    return ++calls.blocking, PMPI_Bcast(p, n, t, root, c);
}
int MPI_Allreduce(const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
    return ++calls.blocking, PMPI_Allreduce(s, r, n, t, op, c);
}
int MPI_Reduce(const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c) {
    return ++calls.blocking, PMPI_Reduce(s, r, n, t, op, root, c);
}
int MPI_Scan(const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
    return ++calls.blocking, PMPI_Scan(s, r, n, t, op, c);
}
int MPI_Exscan(const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
    return ++calls.blocking, PMPI_Exscan(s, r, n, t, op, c);
}
int MPI_Gather(const void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, int root, MPI_Comm c) {
    return ++calls.blocking, PMPI_Gather(s, sn, st, r, rn, rt, root, c);
}
int MPI_Scatter(const void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, int root, MPI_Comm c) {
    return ++calls.blocking, PMPI_Scatter(s, sn, st, r, rn, rt, root, c);
}
int MPI_Gatherv(const void* s, int sn, MPI_Datatype st, void* r, const int* rn, const int* at, MPI_Datatype rt,
                int root, MPI_Comm c) {
    return ++calls.blocking, PMPI_Gatherv(s, sn, st, r, rn, at, rt, root, c);
}
int MPI_Allgather(const void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, MPI_Comm c) {
    return ++calls.blocking, PMPI_Allgather(s, sn, st, r, rn, rt, c);
}
int MPI_Allgatherv(const void* s, int sn, MPI_Datatype st, void* r, const int* rn, const int* at, MPI_Datatype rt,
                   MPI_Comm c) {
    return ++calls.blocking, PMPI_Allgatherv(s, sn, st, r, rn, at, rt, c);
}
int MPI_Alltoall(const void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, MPI_Comm c) {
    return ++calls.blocking, PMPI_Alltoall(s, sn, st, r, rn, rt, c);
}
int MPI_Alltoallv(const void* s, const int* sn, const int* sa, MPI_Datatype st, void* r, const int* rn, const int* ra,
                  MPI_Datatype rt, MPI_Comm c) {
    return ++calls.blocking, PMPI_Alltoallv(s, sn, sa, st, r, rn, ra, rt, c);
}
// Not blocking: these must be called.
int MPI_Iallreduce(const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c, MPI_Request* q) {
    return ++calls.travelling, PMPI_Iallreduce(s, r, n, t, op, c, q);
}
int MPI_Iallgatherv(const void* s, int sn, MPI_Datatype st, void* r, const int* rn, const int* at, MPI_Datatype rt,
                    MPI_Comm c, MPI_Request* q) {
    return ++calls.gathering, PMPI_Iallgatherv(s, sn, st, r, rn, at, rt, c, q);
}
int MPI_Isend(const void* s, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request* q) {
    return calls.sent += to != MPI_PROC_NULL ? 1 : 0, PMPI_Isend(s, n, t, to, tag, c, q);
}
int MPI_Send(const void* s, int n, MPI_Datatype t, int to, int tag, MPI_Comm c) {
    return calls.sent += to != MPI_PROC_NULL ? 1 : 0, PMPI_Send(s, n, t, to, tag, c);
}
int MPI_Start(MPI_Request* q) { return ++calls.started, PMPI_Start(q); }
int MPI_Startall(int n, MPI_Request* q) { return calls.started += n, PMPI_Startall(n, q); }

}  // extern "C"

namespace granary::test {

const MpiCalls& mpi_calls() { return calls; }

}  // namespace granary::test
