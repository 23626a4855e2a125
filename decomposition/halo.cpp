#include "decomposition/halo.hpp"

#include <array>
#include <cstddef>

namespace granary {

namespace {

// A message is named by what it is for and by the way it goes, so that two ranks that meet on both sides do not mix
// them up.
enum Way { downward = 0, upward = 1 };
enum Use { of_step = 0, of_creation = 2, of_count = 4 };
int tag(Use use, Way way) { return static_cast<int>(use) + static_cast<int>(way); }

// The numbers that a range of bodies has in several columns, where they stand, as one message.
class Message {
  public:
    template <class View> void add(const View& view, Range range) {
        // A whole body's share of a column is one element: counts stay below 2^31 at any size.
        MPI_Datatype body = MPI_DATATYPE_NULL;
        MPI_Type_contiguous(static_cast<int>(sizeof(*view.data()) * view.stride(0)), MPI_BYTE, &body);
        MPI_Aint at = 0;
        MPI_Get_address(view.data() + view.stride(0) * range.begin, &at);
        parts_.push_back(body), at_.push_back(at), count_.push_back(static_cast<int>(range.size()));
    }
    // To be freed; its addresses are absolute.
    MPI_Datatype type() {
        MPI_Datatype all = MPI_DATATYPE_NULL;
        MPI_Type_create_struct(static_cast<int>(parts_.size()), count_.data(), at_.data(), parts_.data(), &all);
        MPI_Type_commit(&all);
        for (MPI_Datatype& part : parts_) MPI_Type_free(&part);
        return all;
    }

  private:
    std::vector<MPI_Datatype> parts_;
    std::vector<MPI_Aint> at_;
    std::vector<int> count_;
};

struct Link {          // the two layers that go out and the two that come in
    int below, above;  // MPI_PROC_NULL where there is nobody
    Range lowest, highest, ghosts_below, ghosts_above;
};

Link link_of(const Slabs& slabs, int me) {
    return {slabs.below(me).value_or(MPI_PROC_NULL), slabs.above(me).value_or(MPI_PROC_NULL), {}, {}, {}, {}};
}

// Calls f(send?, range, peer, way) for the four messages of a use.
template <class F> void for_each_message(const Link& link, F&& f) {
    f(false, link.ghosts_below, link.below, upward);
    f(false, link.ghosts_above, link.above, downward);
    f(true, link.lowest, link.below, downward);
    f(true, link.highest, link.above, upward);
}

// Of all columns that travel at least so often.
MPI_Datatype message_of(const Bodies& bodies, Range range, Travels least) {
    Message message;
    bodies.for_each_column([&](const ColumnRow& row, const auto& view) {
        if (row.travels >= least) message.add(view, range);
    });
    return message.type();
}

}  // namespace

Halo::Counts Halo::count(const boost::mpi::communicator& comm, const Slabs& slabs, Index lowest_layer,
                         Index highest_layer) {
    const Link link = link_of(slabs, comm.rank());
    Counts counts;
    std::array<MPI_Request, 4> r;
    MPI_Irecv(&counts.below, 1, MPI_UINT32_T, link.below, tag(of_count, upward), comm, &r[0]);
    MPI_Irecv(&counts.above, 1, MPI_UINT32_T, link.above, tag(of_count, downward), comm, &r[1]);
    MPI_Isend(&lowest_layer, 1, MPI_UINT32_T, link.below, tag(of_count, downward), comm, &r[2]);
    MPI_Isend(&highest_layer, 1, MPI_UINT32_T, link.above, tag(of_count, upward), comm, &r[3]);
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

    std::array<MPI_Request, 4> once;
    std::size_t n = 0;
    for_each_message(link, [&](bool send, Range range, int peer, Way way) {
        MPI_Datatype type = message_of(bodies, range, Travels::on_ghost_creation);
        if (send) MPI_Isend(MPI_BOTTOM, 1, type, peer, tag(of_creation, way), comm, &once[n++]);
        else MPI_Irecv(MPI_BOTTOM, 1, type, peer, tag(of_creation, way), comm, &once[n++]);
        MPI_Type_free(&type);  // lives on in the request
        if (peer == MPI_PROC_NULL) return;
        type = message_of(bodies, range, Travels::every_step);
        MPI_Request request;
        if (send) MPI_Send_init(MPI_BOTTOM, 1, type, peer, tag(of_step, way), comm, &request);
        else MPI_Recv_init(MPI_BOTTOM, 1, type, peer, tag(of_step, way), comm, &request);
        MPI_Type_free(&type);
        requests_.push_back(request);
    });
    MPI_Waitall(static_cast<int>(n), once.data(), MPI_STATUSES_IGNORE);

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
