#include "decomposition/halo.hpp"

#include <array>
#include <type_traits>

namespace granary {

namespace {

// A message is named by the column and by the way it goes, so that two ranks that meet on both sides do not mix them
// up.
enum Way { downward = 0, upward = 1 };
int tag(int column, Way way) { return 2 * column + way; }
constexpr int count_tag = 2 * static_cast<int>(n_columns);

// A whole body's share of a column as one element: message counts stay below 2^31 at any size.
template <class View> MPI_Datatype body_type(const View& view) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(sizeof(*view.data()) * view.stride(0)), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    return type;
}

struct Link {          // the two layers that go out and the two that come in
    int below, above;  // MPI_PROC_NULL where there is nobody
    Range lowest, highest, ghosts_below, ghosts_above;
};

Link link_of(const Slabs& slabs, int me) {
    return {slabs.below(me).value_or(MPI_PROC_NULL), slabs.above(me).value_or(MPI_PROC_NULL), {}, {}, {}, {}};
}

// Calls f(send?, data, count, peer, tag) for the four messages of one column.
template <class View, class F> void for_each_message(const Link& link, int column, View& view, F&& f) {
    auto* data = view.data();
    const std::size_t width = view.stride(0);
    f(false, data + width * link.ghosts_below.begin, link.ghosts_below.size(), link.below, tag(column, upward));
    f(false, data + width * link.ghosts_above.begin, link.ghosts_above.size(), link.above, tag(column, downward));
    f(true, data + width * link.lowest.begin, link.lowest.size(), link.below, tag(column, downward));
    f(true, data + width * link.highest.begin, link.highest.size(), link.above, tag(column, upward));
}

}  // namespace

Halo::Counts Halo::count(const boost::mpi::communicator& comm, const Slabs& slabs, Index lowest_layer,
                         Index highest_layer) {
    const Link link = link_of(slabs, comm.rank());
    Counts counts;
    std::array<MPI_Request, 4> r;
    MPI_Irecv(&counts.below, 1, MPI_UINT32_T, link.below, count_tag + upward, comm, &r[0]);
    MPI_Irecv(&counts.above, 1, MPI_UINT32_T, link.above, count_tag + downward, comm, &r[1]);
    MPI_Isend(&lowest_layer, 1, MPI_UINT32_T, link.below, count_tag + downward, comm, &r[2]);
    MPI_Isend(&highest_layer, 1, MPI_UINT32_T, link.above, count_tag + upward, comm, &r[3]);
    MPI_Waitall(4, r.data(), MPI_STATUSES_IGNORE);
    return counts;
}

void Halo::create(const boost::mpi::communicator& comm, const Slabs& slabs, const Cubes& cubes, Bodies& bodies,
                  Range lowest, Range highest) {
    forget();
    const int me = comm.rank();
    below_ = {0, bodies.owned.begin};
    above_ = {bodies.owned.end, bodies.size};
    Link link = link_of(slabs, me);
    link.lowest = lowest, link.highest = highest, link.ghosts_below = below_, link.ghosts_above = above_;

    std::vector<MPI_Request> once;
    bodies.for_each_column([&](const ColumnRow& row, auto& view) {
        if (row.travels < Travels::on_ghost_creation) return;
        MPI_Datatype type = body_type(view);
        for_each_message(link, static_cast<int>(row.column), view,
                         [&](bool send, auto* data, Index n, int peer, int message) {
                             MPI_Request request;
                             if (send) MPI_Isend(data, static_cast<int>(n), type, peer, message, comm, &request);
                             else MPI_Irecv(data, static_cast<int>(n), type, peer, message, comm, &request);
                             once.push_back(request);
                             if (row.travels != Travels::every_step) return;
                             if (send) MPI_Send_init(data, static_cast<int>(n), type, peer, message, comm, &request);
                             else MPI_Recv_init(data, static_cast<int>(n), type, peer, message, comm, &request);
                             requests_.push_back(request);
                         });
        MPI_Type_free(&type);  // lives on in the requests
    });
    MPI_Waitall(static_cast<int>(once.size()), once.data(), MPI_STATUSES_IGNORE);

    const double period = cubes.domain().upper.z - cubes.domain().lower.z;
    const Cube turn = static_cast<Cube>(cubes.layers()) * cube_step[2];
    shift_below_ = slabs.wraps_below(me) ? -period : 0;
    shift_above_ = slabs.wraps_above(me) ? period : 0;
    if (shift_below_ != 0)
        for (Index i = below_.begin; i < below_.end; ++i) bodies.position(i, 2) += shift_below_, bodies.cube(i) -= turn;
    if (shift_above_ != 0)
        for (Index i = above_.begin; i < above_.end; ++i) bodies.position(i, 2) += shift_above_, bodies.cube(i) += turn;
}

void Halo::start() {
    if (!requests_.empty()) MPI_Startall(static_cast<int>(requests_.size()), requests_.data());
}

void Halo::finish(Bodies& bodies) {
    if (!requests_.empty()) MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    if (shift_below_ != 0)
        for (Index i = below_.begin; i < below_.end; ++i) bodies.position(i, 2) += shift_below_;
    if (shift_above_ != 0)
        for (Index i = above_.begin; i < above_.end; ++i) bodies.position(i, 2) += shift_above_;
}

void Halo::forget() {
    for (MPI_Request& r : requests_) MPI_Request_free(&r);
    requests_.clear();
}

}  // namespace granary
