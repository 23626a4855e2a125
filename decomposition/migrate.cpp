#include "decomposition/migrate.hpp"

#include <mpi.h>
#include <boost/mpi/collectives.hpp>
#include <cstring>
#include <numeric>

namespace granary {

namespace {

using Bytes = std::vector<char>;
constexpr std::size_t unit = 64;  // messages are counted in units, so that int counts reach far

template <class T> void put(Bytes& to, const T* data, std::size_t n) {
    const char* p = reinterpret_cast<const char*>(data);
    to.insert(to.end(), p, p + n * sizeof(T));
}

template <class T> const char* take(const char* from, T* data, std::size_t n) {
    std::memcpy(data, from, n * sizeof(T));
    return from + n * sizeof(T);
}

// Message: number of bodies, number of book entries, then column by column, then the entries.
Bytes pack(Bodies& bodies, const ContactBook& book, const std::vector<Index>& leaving) {
    Bytes bytes;
    if (leaving.empty()) return bytes;
    std::uint64_t counts[2] = {leaving.size(), 0};
    for (const Index i : leaving) counts[1] += book.of(i).size();
    put(bytes, counts, 2);
    bodies.for_each_column([&](const ColumnRow& row, auto& view) {
        if (row.travels < Travels::on_migration) return;
        for (const Index i : leaving) put(bytes, view.data() + view.stride(0) * i, view.stride(0));
    });
    for (const Index i : leaving) {
        const std::uint64_t n = book.of(i).size();
        put(bytes, &n, 1);
        put(bytes, book.of(i).data(), n);
    }
    bytes.resize((bytes.size() + unit - 1) / unit * unit);
    return bytes;
}

void unpack(const char* from, Bodies& bodies, ContactBook& book, std::vector<Cube>& new_cube) {
    std::uint64_t counts[2];
    from = take(from, counts, 2);
    const Index first = bodies.size, n = static_cast<Index>(counts[0]);
    bodies.reserve(first + n);
    bodies.for_each_column([&](const ColumnRow& row, auto& view) {
        if (row.travels < Travels::on_migration) return;
        from = take(from, view.data() + view.stride(0) * first, view.stride(0) * n);
    });
    bodies.size += n;
    std::vector<ContactBook::Entry> entries;
    for (Index i = first; i < first + n; ++i) {
        std::uint64_t n_entries = 0;
        from = take(from, &n_entries, 1);
        entries.resize(n_entries);
        from = take(from, entries.data(), n_entries);
        book.append(entries);
        new_cube.push_back(bodies.cube(i));
    }
}

}  // namespace

Range migrate(const boost::mpi::communicator& comm, const Slabs& slabs, Bodies& bodies, std::vector<Cube>& new_cube,
              ContactBook& book) {
    const Range none{bodies.size, bodies.size};
    if (comm.size() == 1) return none;
    const int me = comm.rank(), ranks = comm.size();
    std::vector<std::vector<Index>> leaving(ranks);
    for (const Range& run : bodies.real)
        for (Index i = run.begin; i < run.end; ++i) {
            if (new_cube[i] == no_cube) continue;
            const int layer = digit(new_cube[i], 2);
            if (layer >= slabs.first(me) && layer < slabs.end(me)) continue;
            leaving[slabs.owner(layer)].push_back(i);
            bodies.cube(i) = new_cube[i];  // travels as an integer, computed once
            new_cube[i] = no_cube;
        }

    Bytes out;
    std::vector<int> send_count(ranks), send_at(ranks), receive_count, receive_at(ranks);
    for (int r = 0; r < ranks; ++r) {
        const Bytes message = pack(bodies, book, leaving[r]);
        send_at[r] = static_cast<int>(out.size() / unit);
        send_count[r] = static_cast<int>(message.size() / unit);
        out.insert(out.end(), message.begin(), message.end());
    }
    boost::mpi::all_to_all(comm, send_count, receive_count);
    std::exclusive_scan(receive_count.begin(), receive_count.end(), receive_at.begin(), 0);
    Bytes in(unit * static_cast<std::size_t>(receive_at.back() + receive_count.back()));
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(unit, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Alltoallv(out.data(), send_count.data(), send_at.data(), type, in.data(), receive_count.data(),
                  receive_at.data(), type, comm);
    MPI_Type_free(&type);
    for (int r = 0; r < ranks; ++r)
        if (receive_count[r] > 0)
            unpack(in.data() + unit * static_cast<std::size_t>(receive_at[r]), bodies, book, new_cube);
    return {none.begin, bodies.size};
}

}  // namespace granary
