// Counts what a program sends, from outside: built as a shared library, put before the MPI library by LD_PRELOAD, it
// stands between the two (the profiling interface of the MPI standard, chapter 14: every MPI_X is also there as
// PMPI_X). At MPI_Finalize the first rank writes sums over all ranks to the file that GRANARY_COUNTS names:
//   messages   sent to single ranks, started persistent ones among them; none that goes to nobody
//   bytes      in them
//   waiting    collective calls that block, of one rank (all have the same); those of Finalize are not counted
//   travelling collective calls that do not block
#include <mpi.h>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace {

long messages = 0, bytes = 0, waiting = 0, travelling = 0;
std::map<MPI_Request, long> persistent;  // bytes of sends; -1: a receive, or nobody

long size_of(int n, MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return static_cast<long>(n) * size;
}
void sent(long n) { ++messages, bytes += n; }
void start(MPI_Request request) {
    const auto found = persistent.find(request);
    if (found != persistent.end() && found->second >= 0) sent(found->second);
}

}  // namespace

extern "C" {

int MPI_Isend(const void* p, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request* r) {
    if (to != MPI_PROC_NULL) sent(size_of(n, t));
    return PMPI_Isend(p, n, t, to, tag, c, r);
}
int MPI_Send(const void* p, int n, MPI_Datatype t, int to, int tag, MPI_Comm c) {
    if (to != MPI_PROC_NULL) sent(size_of(n, t));
    return PMPI_Send(p, n, t, to, tag, c);
}
int MPI_Send_init(const void* p, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request* r) {
    const int result = PMPI_Send_init(p, n, t, to, tag, c, r);
    persistent[*r] = to != MPI_PROC_NULL ? size_of(n, t) : -1;
    return result;
}
int MPI_Recv_init(void* p, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request* r) {
    const int result = PMPI_Recv_init(p, n, t, from, tag, c, r);
    persistent[*r] = -1;
    return result;
}
int MPI_Start(MPI_Request* r) { return start(*r), PMPI_Start(r); }
int MPI_Startall(int n, MPI_Request* r) {
    for (int k = 0; k < n; ++k) start(r[k]);
    return PMPI_Startall(n, r);
}

int MPI_Barrier(MPI_Comm c) { return ++waiting, PMPI_Barrier(c); }
int MPI_Bcast(void* p, int n, MPI_Datatype t, int root, MPI_Comm c) { return ++waiting, PMPI_Bcast(p, n, t, root, c); }
int MPI_Allreduce(const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
    return ++waiting, PMPI_Allreduce(s, r, n, t, op, c);
}
int MPI_Reduce(const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c) {
    return ++waiting, PMPI_Reduce(s, r, n, t, op, root, c);
}
int MPI_Exscan(const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
    return ++waiting, PMPI_Exscan(s, r, n, t, op, c);
}
int MPI_Gather(const void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, int root, MPI_Comm c) {
    return ++waiting, PMPI_Gather(s, sn, st, r, rn, rt, root, c);
}
int MPI_Gatherv(const void* s, int sn, MPI_Datatype st, void* r, const int* rn, const int* at, MPI_Datatype rt,
                int root, MPI_Comm c) {
    return ++waiting, PMPI_Gatherv(s, sn, st, r, rn, at, rt, root, c);
}
int MPI_Allgather(const void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, MPI_Comm c) {
    return ++waiting, PMPI_Allgather(s, sn, st, r, rn, rt, c);
}
int MPI_Allgatherv(const void* s, int sn, MPI_Datatype st, void* r, const int* rn, const int* at, MPI_Datatype rt,
                   MPI_Comm c) {
    return ++waiting, PMPI_Allgatherv(s, sn, st, r, rn, at, rt, c);
}
int MPI_Alltoall(const void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, MPI_Comm c) {
    return ++waiting, PMPI_Alltoall(s, sn, st, r, rn, rt, c);
}
int MPI_Alltoallv(const void* s, const int* sn, const int* sa, MPI_Datatype st, void* r, const int* rn, const int* ra,
                  MPI_Datatype rt, MPI_Comm c) {
    return ++waiting, PMPI_Alltoallv(s, sn, sa, st, r, rn, ra, rt, c);
}
int MPI_Iallreduce(const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c, MPI_Request* q) {
    return ++travelling, PMPI_Iallreduce(s, r, n, t, op, c, q);
}

int MPI_Finalize() {
    const char* const file = std::getenv("GRANARY_COUNTS");
    int me = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &me);
    long mine[4] = {messages, bytes, me == 0 ? waiting : 0, me == 0 ? travelling : 0}, all[4];
    PMPI_Reduce(mine, all, 4, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (file != nullptr && me == 0)
        if (std::FILE* out = std::fopen(file, "w")) {
            std::fprintf(out, "%ld %ld %ld %ld\n", all[0], all[1], all[2], all[3]);
            std::fclose(out);
        }
    return PMPI_Finalize();
}

}  // extern "C"
