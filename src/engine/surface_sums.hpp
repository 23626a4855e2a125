// What the numbers of triangles and wall balls stand for. Springs of contacts are kept under these numbers, so whoever
// takes springs from a file must know that the n-th triangle or wall ball is still the same one: a state keeps a
// checksum for each wall that is made of them.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>
#include "engine/setup.hpp"
#include "core/saved_state.hpp"

namespace granary {

struct SurfaceSums {
    // By wall. Of a mesh: its triangles as the file has them, so that it may be put elsewhere; of a wall of balls:
    // their centres and radii. 0: a wall of another type, which has no such numbers.
    std::vector<std::uint64_t> sums;
    std::vector<std::uint64_t> n_balls;  // by wall; wall balls are numbered one wall after the other

    std::uint64_t sum(std::size_t wall) const { return wall < sums.size() ? sums[wall] : 0; }

    // The wall that a wall ball belongs to, and its number there.
    struct Place {
        std::size_t wall;
        std::uint32_t number;
    };
    std::optional<Place> place_of(std::uint32_t ball) const;
    std::uint32_t first_ball(std::size_t wall) const;

    // Silent about walls that have no such numbers: without any nothing is written, and nothing is as good as 0 for all
    // walls. So a file of before these sums is one whose triangles and wall balls are not known.
    void save(SavedState& to) const;
    static SurfaceSums in(const SavedState& from);
};

SurfaceSums surface_sums(const Setup& setup);

}  // namespace granary
