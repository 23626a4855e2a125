// Grains of bonded balls to which everything happens: they fall, hit each other and a floor, break, drift through
// periodic faces and slabs, and some leave through an outlet.
#pragma once
#include <cmath>
#include <vector>
#include "engine/setup.hpp"
#include "support/busy_box.hpp"
#include "support/few_balls.hpp"

namespace granary::test {

// Bodies at places with bonds between all that are nearer than `gap` beyond touching; each group is one cluster.
struct Bonded {
    std::vector<NewBody> bodies;
    std::vector<ContactRecord> contacts;

    void add_cluster(const std::vector<Vec3d>& places, double radius, double gap, const Vec3d& velocity,
                     const Vec3d& spin, double type = 0) {
        const Id first = bodies.size();
        Vec3d centre;
        for (const Vec3d& x : places) centre += (1.0 / static_cast<double>(places.size())) * x;
        for (const Vec3d& x : places) {
            bodies.push_back(ball(bodies.size(), x, radius, 2500, velocity + cross(spin, x - centre), spin));
            bodies.back().cluster = first;
        }
        for (std::size_t a = 0; a < places.size(); ++a)
            for (std::size_t b = a + 1; b < places.size(); ++b)
                if (const Vec3d d = places[a] - places[b]; norm(d) < 2 * radius + gap)
                    bond(first + a, first + b, d, type);
    }
    void bond(Id a, Id b, const Vec3d& d, double type = 0) {
        const auto add = [&](HistoryKind kind, const Vec3d& n) {
            contacts.push_back({a, {PartnerClass::body, b, 0, kind}, {n.x, n.y, n.z}});
        };
        add(HistoryKind::bond, d), add(HistoryKind::bond_nature, {type, 1, 0});
    }
};

inline BondType strong_bond(BondForm form = BondForm::beam) {
    BondType t;
    t.name = "glue", t.form = form, t.young_modulus = 5e6, t.shear_modulus = 2e6, t.radius_factor = 0.8;
    t.normal_damping = t.shear_damping = t.twist_damping = t.bending_damping = 0.02;
    return t;
}
inline BondType weak_bond(BondForm form = BondForm::beam) {
    BondType t = strong_bond(form);
    t.tensile_strength = 4e4, t.shear_strength = 4e4, t.friction = 0.3;
    return t;
}

// Balls alone in space, periodic all round.
inline Setup empty_space(double length) {
    Setup s;
    s.domain = {{0, 0, 0}, {length, length, length}, {true, true, true}};
    s.dt = 2e-6;
    s.materials = {busy_grain()};
    s.largest_radius = 2.5e-3;
    s.skin = 4e-4;
    s.bonds = {strong_bond()};
    return s;
}

// 2 x 2 x 2 balls that overlap a little.
inline std::vector<Vec3d> small_cube(const Vec3d& centre, double spacing) {
    std::vector<Vec3d> places;
    for (int k = 0; k < 8; ++k)
        places.push_back(centre + spacing * Vec3d{(k & 1) - 0.5, (k >> 1 & 1) - 0.5, (k >> 2 & 1) - 0.5});
    return places;
}

// Both forms of bond, breakable: every third cube has spring bonds.
inline Setup bonded_box(double strength = 1) {
    Setup s = busy_box();
    s.insertions.clear();
    s.skin = 3e-4;
    s.bonds = {weak_bond(), weak_bond(BondForm::spring)};
    for (BondType& t : s.bonds) t.tensile_strength *= strength, t.shear_strength *= strength;
    const double r = 2.5e-3, spacing = 0.97 * 2 * r;
    Bonded grains;
    int n = 0;
    for (double z = 0.045; z < 0.14; z += 0.0135)
        for (double y = 0.0075; y < 0.048; y += 0.0125)
            for (double x = 0.0075; x < 0.055; x += 0.015, ++n)
                grains.add_cluster(small_cube({x + 0.001 * (n % 3), y, z}, spacing), r, 1e-4,
                                   {0.5 - 0.1 * (n % 7), 0.4 * (n % 5 - 2), -1.2},
                                   {30.0 * (n % 3), -20, 10.0 * (n % 4)}, n % 3 == 2 ? 1 : 0);
    const double stretched = spacing * 1.1;
    s.bond_reach = std::max(0.0, stretched - 2 * r);
    s.start = shares_of(grains.bodies, grains.contacts);
    return s;
}

}  // namespace granary::test
