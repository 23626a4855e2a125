// The loop of Nezami et al. (2003) for polygons to the letter, for comparison with fast_common_plane_2d.hpp, which runs
// use. Step 4 ends when the best of the five candidates is the plane that the step began with. Where a plane lies along
// an edge two corners are equally near, and the paper takes one of them ("the vertices A and B"): the search then may
// end on a plane that is not the one with the greatest gap.
//   Left open by the paper, chosen here: of equally near corners the first along the ring counts; the gap of a
//   candidate is that over all corners; "the same plane" means normals that agree to 1e-12; of candidates with equal
//   gaps the first in the order of the paper; polygons that touch are moved apart along the start normal to a gap of
//   1e-4 of their size; a search that does not halt ends after 40 rounds.
#pragma once
#include "shapes/fast_common_plane_2d.hpp"

namespace granary {

struct PrintedLine {
    CommonLine line;      // candidates: planes whose gap was computed, the paper's iterations
    bool halted = false;  // by step 4
};
// From the line of centroids.
PrintedLine common_line_as_printed(const FlatPolygon& i, const FlatPolygon& j);

}  // namespace granary
