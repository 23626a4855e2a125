// Bodies as one rank holds them, arranged by brute force from a plain list of all balls: every copy of a ball over
// periodic faces is tried, those that the rank must have are kept, std::sort puts them in the one order. It shares no
// code with what arranges bodies in cleverer ways (MR sort, woven images, halo), and so can judge it.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>
#include "core/bodies.hpp"
#include "core/pair_list.hpp"
#include "search/cubes.hpp"
#include "support/dice.hpp"

namespace granary::test {

struct Copy {
    std::size_t ball;  // number in the list of all balls
    Cube cube;
    Vec3d shift;
    bool real;
};

struct Arranged {
    Bodies bodies;
    std::vector<Copy> copies;  // by place
};

// Room behind the last place, as the search wants it, holding what must never be taken for a body: giants at the place
// of the last one.
inline void set_traps(Bodies& b) {
    b.reserve(b.size + 4);
    for (Index i = b.size; i < b.size + 4; ++i) {
        for (int axis = 0; axis < 3; ++axis) b.position(i, axis) = b.size > 0 ? b.position(b.size - 1, axis) : 0.0;
        b.position(i, 3) = 1e3;
    }
}

// What the owner of the layers [first, end) holds.
inline Arranged arrange(const std::vector<NewBody>& balls, const Cubes& cubes, int first, int end) {
    Arranged a;
    const Domain& d = cubes.domain();
    for (std::size_t n = 0; n < balls.size() && first < end; ++n) {
        const Cube home = cubes.of(balls[n].position);
        for (int code = 0; code < 27; ++code) {
            const std::array turn{code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
            std::array<int, 3> k;
            Vec3d shift;
            bool wanted = true;
            for (int axis = 0; axis < 3; ++axis) {
                k[axis] = digit(home, axis) + turn[axis] * cubes.count[axis];
                at(shift, axis) = turn[axis] * (at(d.upper, axis) - at(d.lower, axis));
                wanted &= (turn[axis] == 0 || d.periodic[axis]) && k[axis] >= -1 && k[axis] <= cubes.count[axis];
            }
            wanted &= (k[2] >= first && k[2] < end && turn[2] == 0) || k[2] == first - 1 || k[2] == end;
            const bool owned = k[2] >= first && k[2] < end;
            if (wanted) a.copies.push_back({n, pack(k[0], k[1], k[2]), shift, owned && turn[0] == 0 && turn[1] == 0});
        }
    }
    std::sort(a.copies.begin(), a.copies.end(), [&](const Copy& p, const Copy& q) {
        return std::tuple(digit(p.cube, 2), digit(p.cube, 1), digit(p.cube, 0), balls[p.ball].id) <
               std::tuple(digit(q.cube, 2), digit(q.cube, 1), digit(q.cube, 0), balls[q.ball].id);
    });

    Bodies& b = a.bodies;
    b.reserve(static_cast<Index>(a.copies.size()) + 4);
    b.size = static_cast<Index>(a.copies.size());
    set_traps(b);
    for (Index i = 0; i < b.size; ++i) {
        const Copy& copy = a.copies[i];
        NewBody body = balls[copy.ball];
        body.position += copy.shift;
        b.put(i, body);
        b.cube(i) = copy.cube;
        for (int c = 0; c < 4; ++c) b.force(i, c) = b.torque(i, c) = 0;
        for (int axis = 0; axis < 3; ++axis) b.reference(i, axis) = b.position(i, axis);
        if (digit(copy.cube, 2) < first) b.owned.begin = b.owned.end = i + 1;
        else if (digit(copy.cube, 2) < end) b.owned.end = i + 1;
        if (!copy.real) continue;
        if (!b.real.empty() && b.real.back().end == i) ++b.real.back().end;
        else b.real.push_back({i, i + 1});
    }
    return a;
}

inline Arranged arrange(const std::vector<NewBody>& balls, const Cubes& cubes) {
    return arrange(balls, cubes, 0, cubes.layers());
}

// A ball of mass 1 that a test needs no more of.
inline NewBody ball(Id id, const Vec3d& position, double radius) {
    NewBody b;
    b.id = id, b.position = position, b.radius = radius, b.mass = 1, b.inertia = 1;
    return b;
}

template <class View> bool same_bits(const View& a, Index i, const View& b, Index j) {
    const std::size_t width = a.stride(0);
    return std::memcmp(a.data() + width * i, b.data() + width * j, width * sizeof(*a.data())) == 0;
}

// Pairs (i, j) of places.
using Pairs = std::vector<std::pair<Index, Index>>;

inline Pairs listed(const PairList& list) {
    Pairs pairs;
    for (Index i = 0; i < list.n_bodies; ++i)
        for (Index slot = list.begin(i); slot < list.begin(i + 1); ++slot) pairs.emplace_back(i, list.partner_of(slot));
    return pairs;
}

// Every pair nearer than its radii and the margin of which one partner is real.
inline Pairs brute_force(const Arranged& a, double margin) {
    Pairs pairs;
    const Bodies& b = a.bodies;
    for (Index i = 0; i < b.size; ++i)
        for (Index j = i + 1; j < b.size; ++j) {
            const Vec3d d = b.x(i) - b.x(j);
            const double reach = b.radius(i) + b.radius(j) + margin;
            if ((a.copies[i].real || a.copies[j].real) && dot(d, d) < reach * reach) pairs.emplace_back(i, j);
        }
    return pairs;
}

}  // namespace granary::test
