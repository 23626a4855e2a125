// Every detector under one form, and systems of balls of widely different sizes on which they must all agree.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include "scenes.hpp"
#include "search/all_pairs.hpp"
#include "search/fixed_cubes_lazarevic2002.hpp"
#include "search/mmr_search_munjiza2006.hpp"
#include "search/mr_search_munjiza2006.hpp"

namespace granary::test {

struct DetectorUnderTest {
    std::string name;
    std::function<void(const SearchTask&, PairList&)> search;
};

// Workspaces and lists live on from call to call, as in a run: what is left in them must not matter.
inline std::vector<DetectorUnderTest> detectors() {
    std::vector<DetectorUnderTest> all{{"all-pairs", all_pairs_search}, {"mr", mr_search}};
    for (const MmrSettings& settings :
         {MmrSettings{}, MmrSettings{2, 0}, MmrSettings{1.3, 0}, MmrSettings{4, 1.5}, MmrSettings{100, 0}}) {
        const auto work = std::make_shared<MmrWorkspace>();
        all.push_back(
            {"mmr, alpha " + std::to_string(settings.alpha) + ", merge below " + std::to_string(settings.merge_below),
             [=](const SearchTask& task, PairList& pairs) { mmr_search(task, pairs, settings, *work); }});
    }
    for (const double delta : {0.1, 0.0, 1.0}) {
        const auto work = std::make_shared<FixedCubesWorkspace>();
        FixedCubesSettings settings;
        settings.delta = delta;
        all.push_back({"fixed-cubes, delta " + std::to_string(delta), [=](const SearchTask& task, PairList& pairs) {
                           fixed_cubes_search(task, pairs, settings, *work);
                       }});
    }
    return all;
}

// Sizes from largest_radius down to it over the ratio, and where the balls are.
struct Mixture {
    std::string name;
    double ratio;
    int count;

    double smallest() const { return largest_radius / ratio; }
    double margin() const { return std::min(test::margin, 0.5 * smallest()); }  // m
};

// How balls lie: anywhere; on the faces, edges and corners of the cubes of some step of MMR; in a few tight clusters;
// on the surfaces of the largest ones; several at one place.
inline constexpr std::array arrangements{"anywhere", "on faces", "clustered", "around large ones", "at one place"};

inline std::vector<NewBody> mixture(const Mixture& m, const Cubes& cubes, std::uint64_t seed) {
    Dice dice(seed);
    const Domain& d = cubes.domain();
    const PositionLattice lattice(d);
    std::vector<NewBody> balls;
    const auto add = [&](const Vec3d& x, double r) {
        const Vec3d at_lattice = lattice.snap(x);
        if (inside(d, at_lattice)) balls.push_back(ball(dice.bits() >> 1, at_lattice, r));
    };
    // Many small and few large ones, or the same number of all sizes; now and then exactly at the border of two groups.
    const bool by_mass = dice.one_in(2);
    const auto any_radius = [&] {
        if (m.ratio == 1) return largest_radius;
        if (dice.one_in(10)) return largest_radius * std::exp2(-dice.below(static_cast<int>(std::log2(m.ratio)) + 1));
        const double u = dice.uniform(0, 1);
        return by_mass ? largest_radius * std::pow(1 + u * (std::pow(m.ratio, 3) - 1), -1.0 / 3)
                       : largest_radius * std::pow(m.ratio, -u);
    };
    if (m.name == "on faces") {
        add(d.lower, m.smallest());  // pins the first cube of every step
        while (static_cast<int>(balls.size()) < m.count) {
            Vec3d x = dice.within(d.lower, d.upper);
            const double edge = 2 * largest_radius * std::exp2(-dice.below(11)) + m.margin();
            const int sure = dice.below(3);
            for (int axis = 0; axis < 3; ++axis) {
                const double length = at(d.upper, axis) - at(d.lower, axis);
                if (axis == sure || dice.one_in(2))
                    at(x, axis) = at(d.lower, axis) +
                                  dice.below(static_cast<int>(length / edge) + 1) * edge * (1 + 1e-8) +
                                  (dice.below(3) - 1) * lattice.step();
            }
            add(x, any_radius());
        }
    } else if (m.name == "clustered") {
        std::vector<Vec3d> middle;
        for (int n = 0; n < 4; ++n) middle.push_back(dice.within(d.lower, d.upper));
        for (int tries = 0; tries < 4 * m.count && static_cast<int>(balls.size()) < m.count; ++tries) {
            const double r = any_radius();
            add(middle[static_cast<std::size_t>(dice.below(4))] + dice.vector(10 * m.smallest() + r), r);
        }
    } else if (m.name == "around large ones") {
        for (int tries = 0; tries < 4 * m.count && static_cast<int>(balls.size()) < m.count; ++tries) {
            if (tries % 20 == 0) add(dice.within(d.lower, d.upper), largest_radius);
            if (balls.empty()) continue;
            const NewBody& large = balls[static_cast<std::size_t>(dice.below(static_cast<int>(balls.size())))];
            const Vec3d way = dice.vector(1);
            const double r = any_radius(), gap = dice.one_in(2) ? 0.0 : dice.uniform(-1, 2) * m.margin();
            add(large.position + (large.radius + r + gap) / std::max(1e-3, norm(way)) * way, r);
        }
    } else if (m.name == "at one place") {
        while (static_cast<int>(balls.size()) < m.count) {
            const Vec3d x = dice.within(d.lower, d.upper);
            for (int n = dice.below(6); n >= 0 && static_cast<int>(balls.size()) < m.count; --n) add(x, any_radius());
        }
    } else {
        while (static_cast<int>(balls.size()) < m.count) add(dice.within(d.lower, d.upper), any_radius());
    }
    return balls;
}

}  // namespace granary::test
