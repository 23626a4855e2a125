#include "shapes/solids.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include "core/elementary.hpp"

namespace granary {
namespace {

std::vector<Vec3d> scaled(std::vector<Vec3d> points, double factor) {
    for (Vec3d& p : points) p = factor * p;
    return points;
}

// Signs of all three, or of the two numbers of (0, a, b) and its cyclic permutations.
void add_all_signs(double x, double y, double z, std::vector<Vec3d>& to) {
    for (const double a : {-x, x})
        for (const double b : {-y, y})
            for (const double c : {-z, z}) {
                const Vec3d p{a, b, c};
                bool there = false;
                for (const Vec3d& q : to) there |= q == p;  // -0 is 0
                if (!there) to.push_back(p);
            }
}
void add_cyclic(double a, double b, std::vector<Vec3d>& to) {
    add_all_signs(0, a, b, to), add_all_signs(b, 0, a, to), add_all_signs(a, b, 0, to);
}

}  // namespace

std::vector<Vec3d> corners_of(RegularSolid solid, double edge) {
    const double golden = 0.5 * (1 + std::sqrt(5.0));
    std::vector<Vec3d> p;
    switch (solid) {
        case RegularSolid::tetrahedron:
            p = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
            return scaled(p, edge / (2 * std::sqrt(2.0)));
        case RegularSolid::cube: add_all_signs(1, 1, 1, p); return scaled(p, 0.5 * edge);
        case RegularSolid::octahedron:
            add_all_signs(1, 0, 0, p), add_all_signs(0, 1, 0, p), add_all_signs(0, 0, 1, p);
            return scaled(p, edge / std::sqrt(2.0));
        case RegularSolid::dodecahedron:
            add_all_signs(1, 1, 1, p), add_cyclic(1 / golden, golden, p);
            return scaled(p, 0.5 * edge * golden);
        case RegularSolid::icosahedron: add_cyclic(1, golden, p); return scaled(p, 0.5 * edge);
    }
    return p;
}

std::vector<Vec3d> box_corners(const Vec3d& edges) {
    std::vector<Vec3d> p;
    add_all_signs(0.5 * edges.x, 0.5 * edges.y, 0.5 * edges.z, p);
    return p;
}

std::vector<Vec3d> prism_corners(int sides, double radius, double height) {
    std::vector<Vec3d> p;
    for (const double z : {-0.5 * height, 0.5 * height})
        for (int k = 0; k < sides; ++k) {
            const double angle = 2 * std::numbers::pi * k / sides;
            const auto [sine, cosine] = elementary::sin_cos(angle);
            p.push_back({radius * cosine, radius * sine, z});
        }
    return p;
}

std::vector<ClumpBall> rod_balls(double length, double radius, int n) {
    std::vector<ClumpBall> balls;
    const double room = length - 2 * radius;
    for (int k = 0; k < n; ++k) balls.push_back({{room * (n > 1 ? k / (n - 1.0) - 0.5 : 0.0), 0, 0}, radius});
    return balls;
}

std::vector<ClumpBall> maize_balls(double unit) {
    std::vector<ClumpBall> balls{{{0, 0, -4.0}, 1.5},   {{-1.1, 0, -1.4}, 1.9}, {{1.1, 0, -1.4}, 1.9},
                                 {{-1.9, 0, 1.7}, 2.1}, {{1.9, 0, 1.7}, 2.1},   {{0, 0, 3.4}, 2.1}};
    for (ClumpBall& b : balls) b.centre = unit * b.centre, b.radius *= unit;
    return balls;
}

}  // namespace granary
