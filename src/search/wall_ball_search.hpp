// Walls made of balls, after
//   Lazarević, Dvornik & Fresl (2002), "Contact Detection Algorithm for Discrete Element Analysis", section 4:
//   "it is sufficient to execute the sorting procedure and store the boundary balls in the appropriate cubes only once,
//   in the beginning of the calculation, as they do not move".
// So here: they stand in a list of their own, in the MR order of the same cubes (cube, then number), sorted once for
// the whole run. They are targets only: a moving ball looks for them, they look for nobody, and they are no part of the
// sort, the search and the exchange of moving balls. The paper enters every wall ball into all cubes it reaches, and
// walks through the cubes of a moving ball; here it stands in the cube of its centre alone, and a moving ball looks
// into the 27 cubes around its own: nine rows, each a run of the list. Moving balls stand in the same order, so nine
// pairs of cursors go forward over the list once: the cost is linear in both numbers, and far from walls it is a few
// comparisons a cube.
//
// All ranks hold all wall balls and find the same order; a body's candidates ascend in it, so sums do not know about
// ranks.
#pragma once
#include <span>
#include <vector>
#include "core/wall_ball.hpp"
#include "search/cubes.hpp"

namespace granary {

class WallBallSearch {
  public:
    // The one sort. Cubes must be at least radius + wall radius + margin wide, for the largest of both.
    void place(std::vector<WallBall> balls, const Cubes& cubes);

    std::span<const WallBall> balls() const { return balls_; }  // in order

    // Candidates of the real bodies, |x - x_w| < r + r_w + margin, ascending by body and wall ball; springs zero. The
    // balls of a wall that is open (a gate) are not there.
    void find(const Bodies& bodies, double margin, std::span<const char> open,
              std::vector<WallBallCandidate>& found) const;

    std::uint64_t bytes() const { return balls_.size() * (sizeof(WallBall) + sizeof(Cube)); }

  private:
    std::vector<WallBall> balls_;
    std::vector<Cube> cube_;  // of each
};

}  // namespace granary
