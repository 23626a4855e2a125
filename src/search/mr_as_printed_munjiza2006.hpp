// MR as it is printed: the list is doubly linked and closed, and stays linked.
//   Munjiza, Rougier & John (2006), Int. J. Numer. Meth. Engng 66, 46-71, sections 2, 4 and 5.
//
//   paper                       code
//   bounding box, figure 4      Box: next, previous, integerised co-ordinates; 5 integers in 3D, 4 in 2D (25)
//   LH, the list head           the last box; it has no co-ordinates and stands before the first and after the last
//   matrix A of pointers (20)   one an offset of cells, 9 in 2D and 27 in 3D: the last box of the part already sorted
//   that is
//                               not greater than the cell
//   target boxes, figure 18     begin and end of each row of the mask, boxes of the list
//
// Sort: the list is parsed once. A box not smaller than its previous one stays, (18). A smaller one, (19), is taken out
// and put behind the box that the pointer of its offset shows, counted from its old cell: old cells ascend along the
// list, so every pointer only goes forward. A pointer is moved when it is needed, not at every box; its way is the
// same. The premise that no body moves by more than a cell is no law of nature: a box from farther away walks back from
// the end of the sorted part, at a cost that grows with the way. Within a cell the order is left open, as in the paper.
//
// The one to use is mr_sort_munjiza2006.hpp with mr_search_munjiza2006.hpp; this form shows what arrays gain.
#pragma once
#include <vector>
#include "search/mr_cells_munjiza2006.hpp"

namespace granary {

template <int D> class MrAsPrinted {
  public:
    // The first list, by comparison. position: n quads.
    MrAsPrinted(const MrCells<D>& cells, const double* position, Index n);

    void sort(const double* position);
    void search(const double* position, double margin, std::vector<Couple>& couples) const;

    std::vector<Index> order() const;  // numbers along the list
    // Since it was made: how often a pointer of A went on by one box, and how often a box walked back.
    std::uint64_t pointer_moves() const { return pointer_moves_; }
    std::uint64_t steps_back() const { return steps_back_; }
    std::uint64_t bytes() const { return list_.capacity() * sizeof(Box); }  // without the couples

  private:
    struct Box {
        Index next, prev;
        Cell<D> cell;
    };
    Index head() const { return static_cast<Index>(list_.size() - 1); }
    void take_out(Index b);
    void put_behind(Index place, Index b);

    MrCells<D> cells_;
    std::vector<Box> list_;  // by number; the last is LH
    std::uint64_t pointer_moves_ = 0, steps_back_ = 0;
};

extern template class MrAsPrinted<2>;
extern template class MrAsPrinted<3>;

}  // namespace granary
