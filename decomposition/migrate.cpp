#include "decomposition/migrate.hpp"

#include <mpi.h>
#include <cstring>
#include <optional>
#include <set>
#include "decomposition/exchange.hpp"

namespace granary {

namespace {

using Bytes = std::vector<char>;
struct Unit {  // messages are counted in units, so that int counts reach far
    char bytes[64];
};

template <class T> void put(Bytes& to, const T* data, std::size_t n) {
    const char* p = reinterpret_cast<const char*>(data);
    to.insert(to.end(), p, p + n * sizeof(T));
}

template <class T> const char* take(const char* from, T* data, std::size_t n) {
    if (n > 0) std::memcpy(data, from, n * sizeof(T));  // no springs: data may be null
    return from + n * sizeof(T);
}

// Message: number of bodies, then column by column, then for each body the number of its springs and the springs.
std::vector<Unit> pack(Bodies& bodies, const ContactHistory& history, const std::vector<Index>& leaving) {
    if (leaving.empty()) return {};
    Bytes bytes;
    const std::uint64_t n_bodies = leaving.size();
    put(bytes, &n_bodies, 1);
    bodies.for_each_column([&](const ColumnRow& row, auto& view) {
        if (row.travels < Travels::on_migration) return;
        for (const Index i : leaving) put(bytes, view.data() + view.stride(0) * i, view.stride(0));
    });
    for (const Index i : leaving) {
        const std::uint64_t n = history.of(i).size();
        put(bytes, &n, 1);
        put(bytes, history.of(i).data(), n);
    }
    std::vector<Unit> units((bytes.size() + sizeof(Unit) - 1) / sizeof(Unit));
    std::memcpy(units.data(), bytes.data(), bytes.size());
    return units;
}

void unpack(const char* from, Bodies& bodies, ContactHistory& history, RoomVector<Cube>& new_cube) {
    std::uint64_t n_bodies = 0;
    from = take(from, &n_bodies, 1);
    const Index first = bodies.size, n = static_cast<Index>(n_bodies);
    if (first + n > bodies.capacity()) bodies.reserve(first + n + first / 16);
    bodies.for_each_column([&](const ColumnRow& row, auto& view) {
        if (row.travels < Travels::on_migration) return;
        from = take(from, view.data() + view.stride(0) * first, view.stride(0) * n);
    });
    bodies.size += n;
    std::vector<ContactHistory::Entry> entries;
    for (Index i = first; i < first + n; ++i) {
        std::uint64_t n_entries = 0;
        from = take(from, &n_entries, 1);
        entries.resize(n_entries);
        from = take(from, entries.data(), n_entries);
        history.append(entries);
        new_cube.push_back(bodies.cube(i));
    }
}

// One message to each neighbour and one from each, be it empty.
template <class Pack> std::vector<std::vector<Unit>> exchange_with_neighbours(const boost::mpi::communicator& comm,
                                                                              const Slabs& slabs, Pack&& pack_for) {
    constexpr int tag = 72;
    const int me = comm.rank();
    std::set<int> peers;  // below and above may be the same rank, or this one
    for (const std::optional<int>& peer : {slabs.below(me), slabs.above(me)})
        if (peer && *peer != me) peers.insert(*peer);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(sizeof(Unit), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    std::vector<std::vector<Unit>> out, in;
    std::vector<MPI_Request> sent;
    for (const int peer : peers) out.push_back(pack_for(peer));
    for (auto message = out.begin(); const int peer : peers) {
        sent.emplace_back();
        MPI_Isend(message->data(), static_cast<int>(message->size()), type, peer, tag, comm, &sent.back());
        ++message;
    }
    for (const int peer : peers) {
        MPI_Message message;
        MPI_Status status;
        int n = 0;
        MPI_Mprobe(peer, tag, comm, &message, &status);
        MPI_Get_count(&status, type, &n);
        in.emplace_back(static_cast<std::size_t>(n));
        MPI_Mrecv(in.back().data(), n, type, &message, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(static_cast<int>(sent.size()), sent.data(), MPI_STATUSES_IGNORE);
    MPI_Type_free(&type);
    return in;
}

}  // namespace

Range migrate(const boost::mpi::communicator& comm, const Slabs& slabs, Bodies& bodies, std::span<const Range> runs,
              RoomVector<Cube>& new_cube, ContactHistory& history, Reach reach) {
    const Range none{bodies.size, bodies.size};
    if (comm.size() == 1) return none;
    const int me = comm.rank(), ranks = comm.size();
    std::vector<std::vector<Index>> leaving(ranks);
    for (const Range& range : runs)
        for (Index i = range.begin; i < range.end; ++i) {
            if (new_cube[i] == no_cube) continue;
            const int layer = digit(new_cube[i], 2);
            if (layer >= slabs.first(me) && layer < slabs.end(me)) continue;
            leaving[slabs.owner(layer)].push_back(i);
            bodies.cube(i) = new_cube[i];  // travels as an integer, computed once
            new_cube[i] = no_cube;
        }

    const auto take = [&](const Unit* from) { unpack(from->bytes, bodies, history, new_cube); };
    if (reach == Reach::neighbours) {
        for (const std::vector<Unit>& units :
             exchange_with_neighbours(comm, slabs, [&](int r) { return pack(bodies, history, leaving[r]); }))
            if (!units.empty()) take(units.data());
        return {none.begin, bodies.size};
    }
    std::vector<std::vector<Unit>> out(ranks);
    for (int r = 0; r < ranks; ++r) out[r] = pack(bodies, history, leaving[r]);
    const Received<Unit> in = exchange_all(comm, out);
    for (int r = 0; r < ranks; ++r)
        if (in.from[r] < in.from[r + 1]) take(&in.items[in.from[r]]);
    return {none.begin, bodies.size};
}

}  // namespace granary
