#include "shapes/shape_surface.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include "shapes/convex_polyhedron.hpp"
#include "shapes/solids.hpp"

namespace granary {
namespace {

struct Sphere {
    std::vector<Vec3d> points;  // on the unit sphere
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

Vec3d unit(const Vec3d& v) { return (1 / norm(v)) * v; }

Sphere icosahedron() {
    Sphere s;
    for (const Vec3d& p : corners_of(RegularSolid::icosahedron, 2)) s.points.push_back(unit(p));
    const auto n = static_cast<std::uint32_t>(s.points.size());
    const double edge = 1.06;  // between the edge, 1.0515, and the next distance, 1.7013
    const auto near = [&](std::uint32_t a, std::uint32_t b) { return norm(s.points[a] - s.points[b]) < edge; };
    for (std::uint32_t a = 0; a < n; ++a)
        for (std::uint32_t b = a + 1; b < n; ++b)
            for (std::uint32_t c = b + 1; c < n && near(a, b); ++c) {
                if (!near(a, c) || !near(b, c)) continue;
                const Vec3d out = cross(s.points[b] - s.points[a], s.points[c] - s.points[a]);
                if (dot(out, s.points[a]) > 0) s.triangles.push_back({a, b, c});
                else s.triangles.push_back({a, c, b});
            }
    return s;
}

Sphere divided(const Sphere& from) {
    Sphere to{from.points, {}};
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
        const auto [found, fresh] = middles.emplace(std::minmax(a, b), static_cast<std::uint32_t>(to.points.size()));
        if (fresh) to.points.push_back(unit(from.points[a] + from.points[b]));
        return found->second;
    };
    for (const auto& [a, b, c] : from.triangles) {
        const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
        to.triangles.insert(to.triangles.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    return to;
}

Sphere sphere(int times) {
    Sphere s = icosahedron();
    for (int k = 0; k < times; ++k) s = divided(s);
    return s;
}

void close_cell(ShapeSurface& s) { s.ends.push_back(static_cast<std::uint32_t>(s.corners.size())); }

ShapeSurface ellipsoid_surface(const Vec3d& a, int detail) {
    const Sphere ball = sphere(detail);
    ShapeSurface s;
    for (const Vec3d& p : ball.points) {
        s.points.push_back({a.x * p.x, a.y * p.y, a.z * p.z});
        s.normals.push_back(unit({p.x / a.x, p.y / a.y, p.z / a.z}));
    }
    for (const auto& t : ball.triangles) {
        s.corners.insert(s.corners.end(), t.begin(), t.end());
        close_cell(s);
    }
    return s;
}

ShapeSurface polyhedron_surface(const ConvexPolyhedron& p) {
    ShapeSurface s;
    for (std::size_t f = 0; f < p.faces().size(); ++f) {
        for (const std::uint32_t corner : p.corners_of(f)) {
            s.corners.push_back(static_cast<std::uint32_t>(s.points.size()));
            s.points.push_back(p.corners()[corner]), s.normals.push_back(p.faces()[f].normal);
        }
        close_cell(s);
    }
    return s;
}

ShapeSurface clump_surface(const std::vector<ClumpBall>& balls, int detail) {
    const Sphere ball = sphere(detail);
    ShapeSurface s;
    for (std::size_t k = 0; k < balls.size(); ++k) {
        // By point: the balls that hide it.
        std::vector<std::vector<std::size_t>> hidden_by(ball.points.size());
        for (std::size_t i = 0; i < ball.points.size(); ++i) {
            const Vec3d x = balls[k].centre + balls[k].radius * ball.points[i];
            for (std::size_t other = 0; other < balls.size(); ++other)
                if (other != k && norm(x - balls[other].centre) < balls[other].radius) hidden_by[i].push_back(other);
        }
        std::vector<std::uint32_t> number(ball.points.size(), ~std::uint32_t{0});
        for (const auto& t : ball.triangles) {
            // Wholly inside one other ball: that ball is convex.
            const auto& first = hidden_by[t[0]];
            if (std::any_of(first.begin(), first.end(), [&](std::size_t other) {
                    const auto has = [&](std::uint32_t i) {
                        return std::find(hidden_by[i].begin(), hidden_by[i].end(), other) != hidden_by[i].end();
                    };
                    return has(t[1]) && has(t[2]);
                }))
                continue;
            for (const std::uint32_t i : t) {
                if (number[i] == ~std::uint32_t{0}) {
                    number[i] = static_cast<std::uint32_t>(s.points.size());
                    s.points.push_back(balls[k].centre + balls[k].radius * ball.points[i]);
                    s.normals.push_back(ball.points[i]);
                }
                s.corners.push_back(number[i]);
            }
            close_cell(s);
        }
    }
    return s;
}

}  // namespace

SurfaceDetail detail_for(std::uint64_t grains) {
    return {grains <= 1000 ? 2 : grains <= 50000 ? 1 : 0, grains <= 3000 ? 1 : 0};
}

ShapeSurface surface_of(const ShapeTemplate& shape, const SurfaceDetail& detail) {
    switch (shape.kind) {
        case ShapeKind::ellipsoid: return ellipsoid_surface(shape.semi_axes, detail.ellipsoid);
        case ShapeKind::polyhedron: return polyhedron_surface(*shape.polyhedron);
        case ShapeKind::clump: return clump_surface(shape.balls, detail.ball);
        case ShapeKind::ball: break;
    }
    return {};
}

}  // namespace granary
