// MR-linear search, after
//   Munjiza, Rougier & John (2006), Int. J. Numer. Meth. Engng 66, 46-71, section 5, figures 15-18.
//
//   paper                         code
//   contact mask in 3D            the central cube's own rest and 13 forward neighbours in 5 rows
//   beginning / ending target     CubeRow::begin, end: first body of the row's cubes, first body after them
//
// As the central cube advances through the sorted bodies, the ten cursors only move forward; each passes the list
// once, so the cost is linear in the bodies and does not know the volume of space. The rows are visited in the order
// of the bodies, so partners come out ascending.
#pragma once
#include "search/candidates.hpp"

namespace granary {

void mr_search(const SearchTask& task, PairList& pairs);

}  // namespace granary
