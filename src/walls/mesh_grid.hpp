// Fixed cubes that find the triangles near a ball: every triangle is entered once into all cubes that hold a point
// nearer to it than `reach`; a ball then looks into the one cube of its centre. (Lazarević 2002, section 3, enters
// balls in the same way into all cubes they reach.) Cubes without triangles are not stored, so memory depends on the
// triangles, never on the volume of space. The cubes are the mesh's own and lie in its own frame: they stay as they are
// when the mesh moves.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>
#include "walls/triangle_mesh.hpp"
#include "walls/wall_shapes.hpp"

namespace granary {

class MeshGrid {
  public:
    // reach: the farthest at which a triangle must be found, m: radius of the largest ball, reach of the law, skin.
    MeshGrid(const TriangleMesh& mesh, double reach);

    double reach() const { return reach_; }
    double edge() const { return edge_; }                        // m
    std::size_t n_entries() const { return triangles_.size(); }  // pairs of cube and triangle
    std::uint64_t bytes() const;

    // All triangles nearer to x than reach, and some more; ascending.
    std::span<const std::uint32_t> near(const Vec3d& x) const {
        std::uint64_t key = 0;
        for (int axis = 2; axis >= 0; --axis) {
            const double k = (at(x, axis) - at(origin_, axis)) * inverse_edge_;
            if (!(k >= 0 && k < at(count_, axis))) return {};
            key = key << digit_bits | static_cast<std::uint64_t>(k);
        }
        const Cell& cell = table_[slot(key)];
        return {triangles_.data() + cell.begin, triangles_.data() + cell.end};
    }

  private:
    static constexpr int digit_bits = 21;
    static constexpr std::uint64_t no_key = ~std::uint64_t{0};
    struct Cell {  // of an open hash table
        std::uint64_t key = no_key;
        std::uint32_t begin = 0, end = 0;
    };

    // The place of this key, or the free one where it would stand.
    std::size_t slot(std::uint64_t key) const {
        std::uint64_t h = key * 0x9E3779B97F4A7C15u;
        std::size_t s = static_cast<std::size_t>(h >> shift_);
        while (table_[s].key != key && table_[s].key != no_key) s = (s + 1) & (table_.size() - 1);
        return s;
    }
    void choose_edge(const TriangleMesh& mesh);

    double reach_ = 0, edge_ = 0, inverse_edge_ = 0;
    Vec3d origin_, count_;
    std::vector<Cell> table_;  // a power of two
    int shift_ = 63;
    std::vector<std::uint32_t> triangles_;
};

// Calls take(t) for every triangle nearer than reach to a place, ascending.
template <class Take> void for_each_triangle(const Mesh& mesh, const Vec3d& from, double reach, Take&& take) {
    const Vec3d x = mesh.pose.home_point(from);
    const auto look = [&](std::uint32_t t) {
        if (closest(mesh.surface->frame(t), x).distance < reach) take(t);
    };
    if (mesh.grid && mesh.grid->reach() >= reach) {
        for (const std::uint32_t t : mesh.grid->near(x)) look(t);
    } else {
        for (std::uint32_t t = 0; t < mesh.surface->size(); ++t) look(t);
    }
}

}  // namespace granary
