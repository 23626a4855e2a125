// The point of a triangle nearest to a given point, and in which of the seven regions it lies: the face, one of three
// edges, one of three corners. After
//   C. Ericson (2005), Real-Time Collision Detection, Morgan Kaufmann, section 5.1.5.
//
//   symbol   code      meaning
//   a        a         first corner; ab, ac: from it to the two others
//   P        x         the point; ap, bp, cp: from the corners to it
//   d1..d6   d1..d6    projections of ap, bp, cp on ab and ac
//   va..vc   va..vc    areas of the triangles that P's foot makes with the edges, times twice the area of the whole
//
// Chosen here: above the face the distance is measured along the unit normal that is kept beside the triangle, not as
// the length of the difference of two points; so triangles of one plane give the same distance to the last digits.
#pragma once
#include <cstdint>
#include "core/vec.hpp"

namespace granary {

// Edge k goes from corner k to corner k + 1 (mod 3).
enum class Region : std::uint8_t { face, edge_0, edge_1, edge_2, corner_0, corner_1, corner_2 };
constexpr bool is_edge(Region r) { return r >= Region::edge_0 && r <= Region::edge_2; }
constexpr bool is_corner(Region r) { return r >= Region::corner_0; }
// 0, 1 or 2: which edge or corner.
constexpr int number_of(Region r) { return (static_cast<int>(r) - 1) % 3; }

struct TriangleFrame {
    Vec3d a, ab, ac;  // m
    Vec3d normal;     // unit, along ab x ac
};

struct NearestOnTriangle {
    Vec3d point;
    double distance = 0;  // m
    Region region = Region::face;
};

inline NearestOnTriangle closest(const TriangleFrame& t, const Vec3d& x) {
    const auto at_rim = [&](const Vec3d& point, Region region) {
        return NearestOnTriangle{point, norm(x - point), region};
    };
    const Vec3d ap = x - t.a;
    const double d1 = dot(t.ab, ap), d2 = dot(t.ac, ap);
    if (d1 <= 0 && d2 <= 0) return at_rim(t.a, Region::corner_0);
    const Vec3d bp = ap - t.ab;
    const double d3 = dot(t.ab, bp), d4 = dot(t.ac, bp);
    if (d3 >= 0 && d4 <= d3) return at_rim(t.a + t.ab, Region::corner_1);
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return at_rim(t.a + (d1 / (d1 - d3)) * t.ab, Region::edge_0);
    const Vec3d cp = ap - t.ac;
    const double d5 = dot(t.ab, cp), d6 = dot(t.ac, cp);
    if (d6 >= 0 && d5 <= d6) return at_rim(t.a + t.ac, Region::corner_2);
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return at_rim(t.a + (d2 / (d2 - d6)) * t.ac, Region::edge_2);
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6) {
        const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return at_rim(t.a + t.ab + w * (t.ac - t.ab), Region::edge_1);
    }
    const double h = dot(ap, t.normal);
    return {x - h * t.normal, h < 0 ? -h : h, Region::face};
}

}  // namespace granary
