// Clusters of many sizes and single balls that fly through each other and break, everywhere across slab faces.
#pragma once
#include <algorithm>
#include <array>
#include "support/bonded_box.hpp"
#include "support/closed_box.hpp"
#include "support/dice.hpp"

namespace granary::test {

enum class Crowd {
    whole,  // clusters everywhere
    half,   // clusters in the upper half, single balls below: some ranks have no cluster
    large,  // rods along z as long as half the domain
};

// Cubes of 27 small balls, rods of ten larger ones and single balls that fly through each other and break; walls where
// the box does not repeat.
inline Setup crowd(std::array<bool, 3> periodic, Crowd scene) {
    Setup s;
    s.domain = {{0, 0, 0}, {0.08, 0.082, 0.16}, periodic};
    s.dt = 4e-6;
    s.materials = {busy_grain()};
    s.largest_radius = 2.5e-3, s.skin = 3e-4;
    s.energy = true;
    s.bonds = {weak_bond(), strong_bond()};
    s.bond_reach = 4e-4;
    close_box(s);
    Bonded all;
    Dice dice(17);
    const double r = 1.3e-3, spacing = 2.5e-3;
    int layer = 0;
    for (double z = 0.0045; z < 0.155; z += 0.0115, ++layer)
        for (double y = 0.006; y < 0.078; y += 0.0115)
            for (double x = 0.006; x < 0.076; x += 0.0115) {
                const Vec3d centre = Vec3d{x, y, z} + dice.vector(3e-4), velocity = dice.vector(9);
                const int what = dice.below(8);
                if (what < 3 && (scene != Crowd::half || z > 0.09)) {
                    std::vector<Vec3d> cube;
                    for (int k = 0; k < 27; ++k)
                        cube.push_back(centre + spacing * Vec3d{k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0});
                    all.add_cluster(cube, r, 1e-4, velocity, dice.vector(100));
                } else if (what == 4)
                    all.bodies.push_back(ball(all.bodies.size(), centre, 2.5e-3, 2500, velocity, dice.vector(100)));
                const bool large = scene == Crowd::large;
                if (scene == Crowd::half || what < 5 || layer % (large ? 99 : 3) != 0 ||
                    std::max({x, y, z - 0.05}) > 0.065)
                    continue;
                std::vector<Vec3d> rod;  // between the cubes
                for (int k = 0; k < (large ? 32 : 10); ++k)
                    rod.push_back(Vec3d{x + 5.75e-3, y + 5.75e-3, z + 2.4e-3 * k});
                all.add_cluster(rod, 1.25e-3, 1e-4, dice.vector(2), {}, 1);
            }
    s.start = shares_of(all.bodies, all.contacts);
    return s;
}

}  // namespace granary::test
