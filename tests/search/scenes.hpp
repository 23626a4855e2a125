// Systems of balls on which detectors are tried, among them those that trip one up: centres exactly on faces of cubes,
// one lattice step beside them, at the same place, all in one cube, one ball, none.
#pragma once
#include <string>
#include <vector>
#include "core/position_lattice.hpp"
#include "search/cubes.hpp"
#include "support/arranged.hpp"

namespace granary::test {

inline constexpr double largest_radius = 0.5, margin = 0.125, smallest_edge = 2 * largest_radius + margin;  // m

// The last cube of an axis that is not periodic is only begun, so that all axes have as many cubes as asked for.
inline Cubes cubes_of(std::array<int, 3> n, std::array<bool, 3> periodic) {
    Domain domain{{-1.5, 2.25, 0.75}, {}, periodic};
    for (int axis = 0; axis < 3; ++axis)
        at(domain.upper, axis) = at(domain.lower, axis) + smallest_edge * (n[axis] + (periodic[axis] ? 0.2 : -0.6));
    return Cubes(PositionLattice(domain).snap(domain), smallest_edge);
}

// Half-open along periodic axes, closed along the others.
inline bool inside(const Domain& d, const Vec3d& x) {
    for (int axis = 0; axis < 3; ++axis) {
        if (at(x, axis) < at(d.lower, axis) || at(x, axis) > at(d.upper, axis)) return false;
        if (d.periodic[axis] && at(x, axis) == at(d.upper, axis)) return false;
    }
    return true;
}

inline constexpr std::array scene_names{"random", "lattice", "on faces", "coincident", "one cube", "one ball", "empty"};

inline std::vector<NewBody> scene(const std::string& name, const Cubes& cubes, std::uint64_t seed, int most = 400) {
    Dice dice(seed);
    const Domain& d = cubes.domain();
    const PositionLattice lattice(d);
    std::vector<NewBody> balls;
    const auto add = [&](const Vec3d& x, double r) {
        const Vec3d at_lattice = lattice.snap(x);
        // Ids in no order, the largest ones that there may be among them.
        if (inside(d, at_lattice)) balls.push_back(ball(dice.bits() >> 24, at_lattice, r));
    };
    const auto any_radius = [&] { return dice.uniform(0.5 * largest_radius, largest_radius); };
    const auto on_face = [&](Vec3d x) {  // along one axis at least
        const int sure = dice.below(3);
        for (int axis = 0; axis < 3; ++axis)
            if (axis == sure || dice.one_in(2))
                at(x, axis) = at(d.lower, axis) + dice.below(cubes.count[axis] + 1) * at(cubes.edge, axis) +
                              (dice.below(3) - 1) * lattice.step();
        return x;
    };
    if (name == "random") {
        for (int n = 0; n < most; ++n) add(dice.within(d.lower, d.upper), any_radius());
    } else if (name == "lattice") {  // along x just not near enough, along y and z near
        for (double z = d.lower.z; z <= d.upper.z; z += 1)
            for (double y = d.lower.y; y <= d.upper.y; y += 1)
                for (double x = d.lower.x; x <= d.upper.x; x += smallest_edge) add({x, y, z}, largest_radius);
    } else if (name == "on faces") {
        for (int n = 0; n < most; ++n) add(on_face(dice.within(d.lower, d.upper)), any_radius());
    } else if (name == "coincident") {
        for (int n = 0; n < most / 6; ++n) {
            const Vec3d x = dice.within(d.lower, d.upper), place = dice.one_in(2) ? on_face(x) : x;
            for (int m = dice.below(6); m >= 0; --m) add(place, any_radius());
        }
    } else if (name == "one cube") {
        for (int n = 0; n < 60; ++n) add(d.lower + dice.within({}, cubes.edge), any_radius());
    } else if (name == "one ball") {
        add(d.lower, largest_radius);
    }
    return balls;
}

}  // namespace granary::test
