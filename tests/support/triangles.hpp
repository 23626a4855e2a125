// Surfaces made of triangles, as a drawing program would give them: each triangle with corners of its own. And the same
// as an STL file.
#pragma once
#include <fmt/format.h>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numbers>
#include <string>
#include <vector>
#include "walls/triangle_mesh.hpp"
#include "walls/wall_shapes.hpp"

namespace granary::test {

using Triangles = std::vector<Corners>;

inline Triangles operator+(Triangles a, const Triangles& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

inline Triangles quadrangle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    return {{a, b, c}, {a, c, d}};
}

// A surface over the unit square: point(u, v), cut into n x m quadrangles of two triangles each; the diagonals change
// direction.
template <class Point> Triangles sheet(int n, int m, Point&& point) {
    Triangles all;
    const auto p = [&](int i, int j) { return point(static_cast<double>(i) / n, static_cast<double>(j) / m); };
    for (int j = 0; j < m; ++j)
        for (int i = 0; i < n; ++i) {
            const Vec3d a = p(i, j), b = p(i + 1, j), c = p(i + 1, j + 1), d = p(i, j + 1);
            all = (i + j) % 2 == 0 ? std::move(all) + quadrangle(a, b, c, d) : std::move(all) + quadrangle(b, c, d, a);
        }
    return all;
}

// A flat one: corner and the two edges.
inline Triangles flat(const Vec3d& corner, const Vec3d& a, const Vec3d& b, int n, int m) {
    return sheet(n, m, [&](double u, double v) { return corner + u * a + v * b; });
}

// Around the z axis through `bottom`: radius and height change linearly; `sides` facets around, `rings` up. The corners
// lie on the cone.
inline Triangles funnel(const Vec3d& bottom, double height, double bottom_radius, double top_radius, int sides,
                        int rings) {
    return sheet(sides, rings, [&](double u, double v) {
        const int k = static_cast<int>(std::lround(u * sides)) % sides;  // the last is the first, to the bit
        const double angle = 2 * std::numbers::pi * k / sides, r = bottom_radius + v * (top_radius - bottom_radius);
        return bottom + Vec3d{r * std::cos(angle), r * std::sin(angle), v * height};
    });
}

inline Triangles box_surface(const Vec3d& lower, const Vec3d& upper) {
    const auto p = [&](int k) {
        return Vec3d{k & 1 ? upper.x : lower.x, k & 2 ? upper.y : lower.y, k & 4 ? upper.z : lower.z};
    };
    const auto side = [&](int a, int b, int c, int d) { return quadrangle(p(a), p(b), p(c), p(d)); };
    return side(0, 2, 3, 1) + side(4, 5, 7, 6) + side(0, 1, 5, 4) + side(2, 6, 7, 3) + side(0, 4, 6, 2) +
           side(1, 3, 7, 5);
}

inline Mesh mesh_wall(const Triangles& triangles) {
    return {std::make_shared<const TriangleMesh>(triangles), nullptr, {}};
}

inline std::string stl_text(const Triangles& triangles, const std::string& line_end = "\n") {
    std::string s = "solid sample" + line_end;
    for (const Corners& t : triangles) {
        s += "  facet normal 0 0 0" + line_end + "    outer loop" + line_end;
        for (const Vec3d& p : t) s += fmt::format("      vertex {} {} {}", p.x, p.y, p.z) + line_end;
        s += "    endloop" + line_end + "  endfacet" + line_end;
    }
    return s + "endsolid sample" + line_end;
}

// head: the first of the 80 bytes.
inline std::string stl_binary(const Triangles& triangles, const std::string& head = "sample") {
    std::string s = head;
    s.resize(80, ' ');
    const auto put = [&](auto value) {
        char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        s.append(bytes, sizeof value);
    };
    put(static_cast<std::uint32_t>(triangles.size()));
    for (const Corners& t : triangles) {
        for (int k = 0; k < 3; ++k) put(0.0f);
        for (const Vec3d& p : t)
            put(static_cast<float>(p.x)), put(static_cast<float>(p.y)), put(static_cast<float>(p.z));
        put(std::uint16_t{0});
    }
    return s;
}

}  // namespace granary::test
