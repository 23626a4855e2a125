// What the forms of MR that follow the paper to the letter have in common, in two and in three dimensions:
//   Munjiza, Rougier & John (2006), Int. J. Numer. Meth. Engng 66, 46-71, sections 2 and 5.
//
//   symbol             code           meaning
//   (i_x, i_y, i_z)    Cell<3>        integerised co-ordinates (5), stored z, y, x: the most significant digit first
//   (7)                <              of std::array, then just that criterion
//   n_x, n_y, n_z      MrCells::count number of cells (4), with the integer cast that the print lacks
//   contact mask       MaskRow        two rows in 2D (figure 14), five in 3D (figure 17): the rest of the own cell with
//                                     its neighbour in x, and rows of three cells ahead
//
// (5) casts toward zero; floor is taken, so that a centre just below x_min does not fall into cell 0. Digits are
// signed, so the row below the first one is no row of another layer. Bodies are named by their number and never moved;
// a body is a quad (x, y, z, radius). In 2D, z is not looked at.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>
#include "core/bodies.hpp"

namespace granary {

template <int D> using Cell = std::array<std::int32_t, D>;

template <int D> struct MrCells {
    std::array<double, D> lower{};        // x_min, y_min(, z_min), m
    std::array<std::int32_t, D> count{};  // n_x, n_y(, n_z)
    double edge = 0;                      // m

    // smallest_edge: the farthest at which two bodies must find each other, d of the paper.
    static MrCells over(const std::array<double, D>& lower, const std::array<double, D>& upper, double smallest_edge) {
        MrCells cells;
        cells.lower = lower;
        cells.edge = smallest_edge * (1 + 1e-9);  // covers the rounding of the quotient
        for (int axis = 0; axis < D; ++axis)
            cells.count[axis] = static_cast<std::int32_t>((upper[axis] - lower[axis]) / cells.edge) + 1;
        return cells;
    }
    Cell<D> of(const double* x) const {
        Cell<D> cell;
        for (int axis = 0; axis < D; ++axis)
            cell[D - 1 - axis] = static_cast<std::int32_t>(std::floor((x[axis] - lower[axis]) / edge));
        return cell;
    }
};

// A contacting couple, by numbers.
struct Couple {
    Index contactor, target;
    friend bool operator==(const Couple&, const Couple&) = default;
};

template <int D> bool in_contact(const double* a, const double* b, double margin) {
    double square = 0;
    for (int axis = 0; axis < D; ++axis) square += (b[axis] - a[axis]) * (b[axis] - a[axis]);
    const double reach = a[3] + b[3] + margin;  // the same bits whichever of the two looks
    return square < reach * reach;
}

// One row of the mask: the cells from `first` to `last`, as offsets from the central cell.
template <int D> struct MaskRow { Cell<D> first, last; };

template <int D> Cell<D> shifted(Cell<D> cell, const Cell<D>& by) {
    for (int digit = 0; digit < D; ++digit) cell[digit] += by[digit];
    return cell;
}

template <int D> inline constexpr std::size_t n_mask_rows = D == 2 ? 2 : 5;

// The own row first: it begins behind the contactor itself.
template <int D> constexpr std::array<MaskRow<D>, n_mask_rows<D>> contact_mask() {
    if constexpr (D == 2) return {{{{0, 0}, {0, 1}}, {{1, -1}, {1, 1}}}};
    else
        return {{{{0, 0, 0}, {0, 0, 1}},
                 {{0, 1, -1}, {0, 1, 1}},
                 {{1, -1, -1}, {1, -1, 1}},
                 {{1, 0, -1}, {1, 0, 1}},
                 {{1, 1, -1}, {1, 1, 1}}}};
}

}  // namespace granary
