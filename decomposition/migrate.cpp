#include "decomposition/migrate.hpp"

#include <cstring>
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

void unpack(const char* from, Bodies& bodies, ContactHistory& history, std::vector<Cube>& new_cube) {
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

}  // namespace

Range migrate(const boost::mpi::communicator& comm, const Slabs& slabs, Bodies& bodies, std::span<const Range> runs,
              std::vector<Cube>& new_cube, ContactHistory& history) {
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

    std::vector<std::vector<Unit>> out(ranks);
    for (int r = 0; r < ranks; ++r) out[r] = pack(bodies, history, leaving[r]);
    const Received<Unit> in = exchange_all(comm, out);
    for (int r = 0; r < ranks; ++r)
        if (in.from[r] < in.from[r + 1])
            unpack(reinterpret_cast<const char*>(&in.items[in.from[r]]), bodies, history, new_cube);
    return {none.begin, bodies.size};
}

}  // namespace granary
