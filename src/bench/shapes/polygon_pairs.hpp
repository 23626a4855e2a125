// Pairs of polygons for the comparison of common plane methods: 16 described ones in the manner of table 1 of Nezami et
// al. (2003), whose drawings give no numbers, and random ones.
#pragma once
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>
#include "shapes/fast_common_plane_2d.hpp"

namespace granary {

struct PolygonPair {
    std::string name;
    FlatPolygon i, j;
};

// Regular, stretched by 1 and `aspect`, turned, moved.
inline FlatPolygon regular_polygon(int corners, double aspect, double turned_by, double x, double y) {
    std::vector<Vec2d> c;
    for (int k = 0; k < corners; ++k) {
        const double angle = 6.283185307179586 * (k + 0.5) / corners, u = std::cos(angle), v = aspect * std::sin(angle);
        c.push_back({x + std::cos(turned_by) * u - std::sin(turned_by) * v,
                     y + std::sin(turned_by) * u + std::cos(turned_by) * v});
    }
    return FlatPolygon(c);
}

inline std::vector<PolygonPair> described_polygon_pairs() {
    const auto p = [](int n, double aspect, double turn, double x, double y) {
        return regular_polygon(n, aspect, turn, x, y);
    };
    return {
        {"squares, face to face, apart", p(4, 1, 0, 0, 1.6), p(4, 1, 0, 0, 0)},
        {"squares, face to face, shifted by half", p(4, 1, 0, 0.7, 1.6), p(4, 1, 0, 0, 0)},
        {"squares, corner to corner across", p(4, 1, 0, 1.7, 1.7), p(4, 1, 0, 0, 0)},
        {"square on its corner over a face", p(4, 1, 0.785398, 0.2, 1.8), p(4, 1, 0, 0, 0)},
        {"square turned by 10 degrees over a face", p(4, 1, 0.174533, 0.1, 1.7), p(4, 1, 0, 0, 0)},
        {"two squares on their corners", p(4, 1, 0.785398, 0.3, 2.1), p(4, 1, 0.785398, 0, 0)},
        {"triangle over a square, tip down", p(3, 1, 0, 0.3, 1.8), p(4, 1, 0, 0, 0)},
        {"triangle over a square, face down", p(3, 1, 3.141593, 0.3, 1.4), p(4, 1, 0, 0, 0)},
        {"hexagons, face to face", p(6, 1, 0, 0.1, 1.8), p(6, 1, 0, 0, 0)},
        {"hexagon and octagon", p(6, 1, 0.4, 1.2, 1.6), p(8, 1, 0.1, 0, 0)},
        {"octagons, corner to face", p(8, 1, 0.39, 0.2, 2.0), p(8, 1, 0, 0, 0)},
        {"slender bars, crossed", p(4, 0.2, 1.2, 0.6, 1.3), p(4, 0.2, 0.1, 0, 0)},
        {"slender bars, nearly parallel", p(4, 0.2, 0.15, 0.3, 0.5), p(4, 0.2, 0.1, 0, 0)},
        {"squares, faces overlapping by 1 %", p(4, 1, 0, 0.2, 1.4), p(4, 1, 0, 0, 0)},
        {"square on its corner, 2 % in a face", p(4, 1, 0.785398, 0.1, 1.69), p(4, 1, 0, 0, 0)},
        {"dodecagons overlapping", p(12, 1, 0.1, 0.9, 1.65), p(12, 1, 0, 0, 0)},
    };
}

// Convex polygons of 3 to 12 corners on ellipses, apart, near or slightly overlapping.
inline std::vector<PolygonPair> random_polygon_pairs(std::uint64_t pairs, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    const auto uniform = [&](double from, double to) {
        return from + (to - from) * std::ldexp(static_cast<double>(engine() >> 11), -53);
    };
    const auto polygon = [&](double x, double y) {
        const auto n = static_cast<int>(uniform(3, 13));
        const double aspect = uniform(0.2, 1), turn = uniform(0, 6.28), first = uniform(0, 6.28);
        std::vector<Vec2d> c;
        for (int k = 0; k < n; ++k) {
            const double angle = first + 6.283185307179586 * (k + uniform(0.1, 0.9)) / n;
            const double u = std::cos(angle), v = aspect * std::sin(angle);
            c.push_back({x + std::cos(turn) * u - std::sin(turn) * v, y + std::sin(turn) * u + std::cos(turn) * v});
        }
        return FlatPolygon(c);
    };
    std::vector<PolygonPair> all;
    for (std::uint64_t k = 0; k < pairs; ++k) {
        const double angle = uniform(0, 6.28), distance = uniform(1.2, 2.5);
        FlatPolygon i = polygon(0, 0), j = polygon(distance * std::cos(angle), distance * std::sin(angle));
        all.push_back({"random", std::move(i), std::move(j)});
    }
    return all;
}

}  // namespace granary
