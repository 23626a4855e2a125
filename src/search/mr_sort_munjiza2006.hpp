// MR-linear sort, after
//   Munjiza, Rougier & John (2006), Int. J. Numer. Meth. Engng 66, 46-71, section 4, criterion (7).
//
//   symbol           code           meaning
//   (i_x, i_y, i_z)  Cube           packed integerised co-ordinates of a body's cube
//   (7)              <              order of cubes; made total by the id: (z, y, x, id)
//   A                Streams        the paper's matrix of pointers to the neighbouring cells
//
// The paper re-sorts a linked list in which no body has moved by more than one cell: a body out of place is moved
// to the place that one of 27 pointers (9 in 2D) shows, one for each neighbouring cell, and as the list is
// parsed every pointer only goes forward; hence the linear cost.
// Here the list is an array. All bodies that moved by the same offset of cubes keep their order among themselves,
// since adding one constant to every cube keeps (7). So the 27 pointers become 27 sorted streams, one an offset (the
// stayers are the stream of offset zero), and the sort is their merge: each stream is read forward once.
// A step over a periodic face is one more constant offset and makes one more stream. The premise is not a law of
// nature: a body that has come from anywhere else (inserted, migrated, or too fast) goes to a stream that is sorted by
// comparison. Cost: linear in the bodies, plus M log M for the M newcomers. Memory: the order itself and 4 bytes for
// each mover.
//
// In pieces side by side (threads): each piece of the old order is sorted by itself as above. A body moves by one cube
// as a rule, so the sorted pieces overlap only where they end; the new order is divided at their first bodies, and each
// part of it is merged from what the pieces have of it. The order is total, so pieces do not change it.
#pragma once
#include <span>
#include "core/bodies.hpp"
#include "core/lent_room.hpp"
#include "search/cubes.hpp"

namespace granary {

struct SortTask {
    const Cube* old_cube;  // of the last sort; read for the places in `sorted`
    const Cube* new_cube;  // no_cube: the body is gone, it gets no place
    const Id* id;
    std::span<const Range> sorted;  // runs that are, together, in the order (old cube, id)
    Range newcomers;                // places in any order
};

// order: the old places of all bodies in the new order (new cube, id).
void mr_sort(const SortTask& task, RoomVector<Index>& order);

// The same by so many pieces side by side. A piece takes the bodies of `sorted` from piece_ends[k - 1] up to
// piece_ends[k]; the last one takes the rest and the newcomers.
void mr_sort_in_pieces(const SortTask& task, std::span<const Index> piece_ends, RoomVector<Index>& order);

}  // namespace granary
