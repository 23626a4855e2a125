// A floor of triangles.
#pragma once
#include <memory>
#include <vector>
#include "walls/triangle_mesh.hpp"
#include "walls/wall_shapes.hpp"

namespace granary::test {

// A floor of n x n squares of two triangles, 2 half across.
inline Wall mesh_floor(double half, int n) {
    std::vector<Corners> triangles;
    const double e = 2 * half / n;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const Vec3d a{-half + i * e, -half + j * e, 0}, b = a + Vec3d{e, 0, 0}, c = a + Vec3d{e, e, 0},
                                                            d = a + Vec3d{0, e, 0};
            triangles.push_back({a, b, c}), triangles.push_back({a, c, d});
        }
    return make_wall("floor", Mesh{std::make_shared<TriangleMesh>(triangles), nullptr, {}}, 0);
}

}  // namespace granary::test
