// Fixed cubes, after
//   Lazarević, Dvornik & Fresl (2002), Contact detection algorithm for discrete element analysis, sections 3 to 5.
//
//   paper                           code
//   a = 2 r_max + Delta, (6)        edge of the cubes: (2 r_max + margin) (1 + delta); here Delta > 0, with 0 a ball
//   can touch
//                                   two opposite faces
//   central cube, (7)               the cube that holds the centre
//   octant or cell, (9)-(10)        three signs; algorithm 1 is then one routine instead of eight
//   k_1 ... k_8, (17)               bits 0 to 7 of a mask: bit 0 along x, bit 1 along y, bit 2 along z
//   (11)-(16), algorithm 3          examine(): faces, edges, corner; distances are compared as squares
//   a_i, A and b_k, B, alg. 2, 4    Entered of each ball; one array of (cube, ball), sorted: only cubes that hold a
//   ball algorithm 5                     all pairs within a cube
//
// Every ball is entered into all the cubes, up to eight, that it reaches when enlarged by half the margin. Two balls
// that are wanted as a pair then overlap, so they have a cube in common; they may have eight.
//
// Once only: by default a pair is reported in the lowest of the cubes that both are entered into. That takes integers
// only, so no pair is lost or reported twice, however unequal the balls and wherever they lie. The midpoint (23) of the
// paper is kept for its experiments: it loses pairs of unequal balls, because the midpoint between centres can lie in a
// cube that the smaller ball does not reach.
//
// Ambiguous positions: cubes are half-open, [k a, (k+1) a), by floor. The paper says that a centre on a face (18) goes
// to the highest cube; floor does that, its ceiling (7) takes the lowest and has no cube for a centre at 0. A centre in
// a middle plane (19) counts as in the upper half, as in the paper. A ball that touches a face, edge or corner is
// entered beyond it, as in the paper; a hair's breadth more is added for rounding. Cubes are counted from the lower
// corner of the domain, and indices are digits with room for neighbours: (8) runs into the next row at the border.
//
// The balls of walls, which section 4 sorts once, are no bodies here: wall_ball_search.hpp finds their candidates.
//
// Memory: 16 bytes a ball and twice 8 bytes (16 if keys need more than 31 bits) a ball and cube, some six cubes a ball
// at table 1's sizes; nothing depends on the volume of space.
#pragma once
#include "search/candidates.hpp"
#include "search/found_pairs.hpp"
#include "search/keyed_bodies.hpp"

namespace granary {

struct FixedCubesSettings {
    enum class Once { lowest_common_cube, midpoint };
    double delta = 0.1;  // Delta of (6) as a share of 2 r_max + margin; table 1 has 0.11
    Once once = Once::lowest_common_cube;
};

// What the paper tells of its experiments.
struct FixedCubesCounts {
    std::uint64_t balls = 0, cubes = 0;  // cubes that hold at least one ball
    std::uint64_t entries = 0;           // over all balls, the cubes that they are entered into
    std::uint64_t most_in_a_cube = 0;    // balls
    std::uint64_t examinations = 0;      // of signs (3 a ball) and distances, over all balls
    std::uint64_t fewest = 0, most = 0;  // examinations of one ball
    std::uint64_t pair_tests = 0;
};

struct FixedCubesWorkspace {
    struct Entered {
        std::uint64_t lowest;  // key of the lowest corner of the 2 x 2 x 2 cubes around the octant
        std::uint8_t mask;     // which of the eight, numbered from there in the order of keys
    };
    LargeVector<Entered> entered;
    LargeVector<ShortKeyed> short_items, short_spare;
    LargeVector<LongKeyed> long_items, long_spare;
    FoundPairs found;

    std::uint64_t bytes() const {
        return sizeof(Entered) * entered.capacity() +
               sizeof(ShortKeyed) * (short_items.capacity() + short_spare.capacity()) +
               sizeof(LongKeyed) * (long_items.capacity() + long_spare.capacity()) + found.bytes();
    }
};

// counts: filled if given.
void fixed_cubes_search(const SearchTask& task, PairList& pairs, const FixedCubesSettings& settings,
                        FixedCubesWorkspace& work, FixedCubesCounts* counts = nullptr);

}  // namespace granary
