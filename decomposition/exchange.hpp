// Everybody sends to everybody: items[r] of each rank goes to rank r, in the order of the senders. Plain structs, any
// number of them.
#pragma once
#include <mpi.h>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

namespace granary {

// What came in, sender by sender; from[r] .. from[r + 1] are the items of rank r.
template <class T> struct Received {
    std::vector<T> items;
    std::vector<int> from;
};

template <class T>
Received<T> exchange_all(const boost::mpi::communicator& comm, const std::vector<std::vector<T>>& items) {
    static_assert(std::is_trivially_copyable_v<T>);
    const int ranks = comm.size();
    std::vector<int> send_count(ranks), send_at(ranks), receive_count;
    std::vector<T> out;
    for (int r = 0; r < ranks; ++r) {
        send_at[r] = static_cast<int>(out.size());
        send_count[r] = static_cast<int>(items[r].size());
        out.insert(out.end(), items[r].begin(), items[r].end());
    }
    boost::mpi::all_to_all(comm, send_count, receive_count);
    Received<T> in;
    in.from.assign(ranks + 1, 0);
    std::inclusive_scan(receive_count.begin(), receive_count.end(), in.from.begin() + 1);
    in.items.resize(in.from.back());
    MPI_Datatype type = MPI_DATATYPE_NULL;  // counts are of items, not of bytes: they stay below 2^31
    MPI_Type_contiguous(sizeof(T), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Alltoallv(out.data(), send_count.data(), send_at.data(), type, in.items.data(), receive_count.data(),
                  in.from.data(), type, comm);
    MPI_Type_free(&type);
    return in;
}

// The items of all ranks on every rank, rank by rank. Collective.
template <class T> std::vector<T> gather_everywhere(const boost::mpi::communicator& comm, std::span<const T> mine) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<int> count, from(comm.size() + 1, 0);
    boost::mpi::all_gather(comm, static_cast<int>(mine.size()), count);
    std::inclusive_scan(count.begin(), count.end(), from.begin() + 1);
    std::vector<T> all(from.back());
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(sizeof(T), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Allgatherv(mine.data(), count[comm.rank()], type, all.data(), count.data(), from.data(), type, comm);
    MPI_Type_free(&type);
    return all;
}

// Each item to the rank owner_of(item); what comes in, in the order of the senders. Collective.
template <class T, class Owner>
std::vector<T> to_owners(const boost::mpi::communicator& comm, std::span<const T> items, Owner&& owner_of) {
    if (comm.size() == 1) return {items.begin(), items.end()};
    std::vector<std::vector<T>> out(comm.size());
    for (const T& item : items) out[owner_of(item)].push_back(item);
    return exchange_all(comm, out).items;
}

}  // namespace granary
