// Balls by number, as the forms of MR that follow the paper to the letter want them: quads that never change their
// place.
#pragma once
#include <gtest/gtest.h>
#include <algorithm>
#include <utility>
#include <vector>
#include "scenes.hpp"
#include "search/mr_cells_munjiza2006.hpp"

namespace granary::test {

using NumberPairs = std::vector<std::pair<Index, Index>>;  // sorted, the smaller number first

inline NumberPairs sorted_pairs(const std::vector<Couple>& couples) {
    NumberPairs pairs;
    for (const Couple& c : couples)
        pairs.emplace_back(std::min(c.contactor, c.target), std::max(c.contactor, c.target));
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

template <int D> struct NumberedBalls {
    NumberedBalls(const std::string& scene_name, std::uint64_t seed, int most = 400)
        : cubes(cubes_of({5, 4, D == 2 ? 1 : 6}, {})) {
        for (const NewBody& b : scene(scene_name, cubes, seed, most))
            quads.insert(quads.end(), {b.position.x, b.position.y, b.position.z, b.radius});
    }
    Index size() const { return static_cast<Index>(quads.size() / 4); }

    MrCells<D> cells() const {
        const Domain& d = cubes.domain();
        std::array<double, D> lower, upper;
        for (int axis = 0; axis < D; ++axis) lower[axis] = at(d.lower, axis), upper[axis] = at(d.upper, axis);
        return MrCells<D>::over(lower, upper, smallest_edge);
    }

    // Every ball by up to so much along each axis, inside the domain.
    void move(Dice& dice, double by) {
        const Domain& d = cubes.domain();
        for (Index b = 0; b < size(); ++b)
            for (int axis = 0; axis < 3; ++axis) {
                double& x = quads[4 * b + axis];
                x = std::clamp(x + dice.uniform(-by, by), at(d.lower, axis), at(d.upper, axis));
            }
    }
    // Some to anywhere.
    void scatter(Dice& dice, int one_in) {
        const Domain& d = cubes.domain();
        for (Index b = 0; b < size(); ++b)
            if (dice.one_in(one_in))
                for (int axis = 0; axis < 3; ++axis)
                    quads[4 * b + axis] = dice.uniform(at(d.lower, axis), at(d.upper, axis));
    }

    // By the definition, in plain words: distance of the centres in D dimensions below the radii and the margin.
    NumberPairs brute_force() const {
        NumberPairs pairs;
        for (Index i = 0; i < size(); ++i)
            for (Index j = i + 1; j < size(); ++j) {
                double square = 0;
                for (int axis = 0; axis < D; ++axis) {
                    const double apart = quads[4 * j + axis] - quads[4 * i + axis];
                    square += apart * apart;
                }
                const double reach = quads[4 * i + 3] + quads[4 * j + 3] + margin;
                if (square < reach * reach) pairs.emplace_back(i, j);
            }
        return pairs;
    }

    // All numbers, each once, by ascending cells.
    ::testing::AssertionResult is_order(const std::vector<Index>& order) const {
        std::vector<bool> seen(size());
        const MrCells<D> in = cells();
        for (std::size_t k = 0; k < order.size(); ++k) {
            if (order[k] >= size() || seen[order[k]]) return ::testing::AssertionFailure() << order[k] << " twice";
            seen[order[k]] = true;
            if (k > 0 && in.of(&quads[4 * order[k]]) < in.of(&quads[4 * order[k - 1]]))
                return ::testing::AssertionFailure() << order[k] << " after " << order[k - 1];
        }
        if (order.size() != size()) return ::testing::AssertionFailure() << order.size() << " of " << size();
        return ::testing::AssertionSuccess();
    }

    Cubes cubes;
    std::vector<double> quads;
};

}  // namespace granary::test
