// Quick sort with the middle cell as pivot, and the two searches that the paper sets beside MR sort and MR search:
//   Munjiza, Rougier & John (2006), Int. J. Numer. Meth. Engng 66, 46-71, section 3, figures 6, 7, 21 and 22.
//
//   symbol      code           meaning
//   m, M        least, greatest  the least and greatest box in the order (7); not the extremes along the axes, whatever
//   (8)-(9)
//                              look like: in the example (15) M_x < m_x
//   mu          middle_cell    half-way between m and M, counted in cells: numbers of three digits with the radices
//   n_z, n_y,
//                              n_x, added and halved digit by digit (12)-(14), all divisions being those of integers
//
// The paper swaps boxes inside a doubly linked list. Swapping what two elements hold never changes a link, so the links
// are left out and the list is an array. Boxes up to mu go to the front and the others to the back, then both parts are
// sorted alike; a part whose m and M are one cell is done. Each division halves the range of cells, so the parts nest
// no deeper than the bits of the number of cells, however the bodies stand; the cost is N times that depth at most.
// "Binary search" is not described: here the beginning and the end of every row of the mask are each found by
// bisection of the sorted array.
#pragma once
#include <vector>
#include "search/mr_cells_munjiza2006.hpp"

namespace granary {

// Least and greatest are cells, so their digits lie in [0, n).
Cell<3> middle_cell(const Cell<3>& least, const Cell<3>& greatest, std::int32_t n_x, std::int32_t n_y);

class QuickSortDetector {
  public:
    // Boxes by number. position: n quads.
    QuickSortDetector(const MrCells<3>& cells, const double* position, Index n);

    // Starts from the order of the last sort, as the list of the paper does.
    void sort(const double* position);

    void mr_search(const double* position, double margin, std::vector<Couple>& couples) const;
    void binary_search(const double* position, double margin, std::vector<Couple>& couples) const;

    std::vector<Index> order() const;
    std::uint64_t bytes() const { return boxes_.capacity() * sizeof(Box); }  // without the couples

  private:
    struct Box {
        Cell<3> cell;
        Index body;
    };
    struct Row {
        Index begin, end;
    };
    void sort_part(Index begin, Index end, const Cell<3>& least, const Cell<3>& greatest);
    template <class FindRows>
    void search(const double* position, double margin, std::vector<Couple>& couples, FindRows&& find_rows) const;

    MrCells<3> cells_;
    std::vector<Box> boxes_;
};

}  // namespace granary
