// A surface of triangles: corners welded, with what meets at each edge and corner. Pure geometry; contacts with balls
// are in mesh_contacts.hpp, the cubes that find triangles near a ball in mesh_grid.hpp, the file in
// io/formats/stl_file.hpp.
//
// The surface is thin and has two sides, like all walls but the plane. So the way round the corners does not matter,
// holes are allowed, and so are edges at which more than two triangles meet (a rib on a shell).
//
// Made from triangles as a file gives them, each with corners of its own: corners nearer to each other than `weld` are
// one. Triangles that have no area then, and those that have the same corners as an earlier one, are left out and
// counted.
//
// Patches: triangles that meet at an edge of exactly two and differ by less than smooth_angle are one smooth surface,
// and so are those that such edges join one after the other. A facetted pipe of 18 or more sides is one patch, the bend
// to its cone another.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "core/vec.hpp"
#include "walls/closest_on_triangle.hpp"

namespace granary {

inline constexpr double smooth_angle = 20.1;  // degrees

using Corners = std::array<Vec3d, 3>;

// What the triangles turned out to be.
struct MeshReport {
    std::uint64_t read = 0;                                   // triangles as given
    std::uint64_t degenerate = 0, duplicate = 0;              // left out
    std::uint64_t first_degenerate = 0, first_duplicate = 0;  // counted from 1
    std::uint64_t triangles = 0, corners = 0, edges = 0;
    std::uint64_t open_edges = 0;         // of one triangle
    std::uint64_t crowded_edges = 0;      // of more than two
    std::uint64_t opposed_edges = 0;      // of two that go round opposite ways
    std::uint64_t parts = 0;              // that hang together by edges
    Vec3d lower, upper;                   // m, box around all
    Vec3d open_example, crowded_example;  // the middle of one such edge
    double area = 0;                      // m^2
};

class TriangleMesh {
  public:
    TriangleMesh() = default;
    // Throws InputError if a coordinate is not finite or no triangle is left.
    explicit TriangleMesh(std::span<const Corners> triangles, std::uint64_t source = 0);

    // A checksum of the triangles as they stand in their file, wherever they were put: meshes that have the same one
    // number their triangles alike. 0: not known.
    std::uint64_t source() const { return source_; }

    std::uint32_t size() const { return static_cast<std::uint32_t>(frames_.size()); }
    const TriangleFrame& frame(std::uint32_t t) const { return frames_[t]; }
    const std::array<std::uint32_t, 3>& corners_of(std::uint32_t t) const { return corners_[t]; }
    const std::array<std::uint32_t, 3>& edges_of(std::uint32_t t) const { return edges_[t]; }
    std::span<const Vec3d> corners() const { return points_; }
    std::uint32_t patch_of(std::uint32_t t) const { return patch_[t]; }
    // Of all triangles around a place on this one; no_patch where several meet, and at an open rim.
    std::uint32_t patch_around(std::uint32_t t, Region r) const;
    static constexpr std::uint32_t no_patch = ~std::uint32_t{0};
    // Triangles at an edge or a corner, ascending.
    std::span<const std::uint32_t> at_edge(std::uint32_t e) const { return of(at_edge_, edge_begin_, e); }
    std::span<const std::uint32_t> at_corner(std::uint32_t c) const { return of(at_corner_, corner_begin_, c); }
    // Triangles that share a place on the rim of this one, itself included.
    std::span<const std::uint32_t> around(std::uint32_t t, Region r) const {
        const auto k = static_cast<std::size_t>(number_of(r));
        return is_edge(r) ? at_edge(edges_[t][k]) : at_corner(corners_[t][k]);
    }
    bool on_open_rim(std::uint32_t t, Region r) const;  // an open edge, or a corner of one

    double weld() const { return weld_; }  // m
    const MeshReport& report() const { return report_; }
    const Vec3d& lower() const { return report_.lower; }
    const Vec3d& upper() const { return report_.upper; }

  private:
    static std::span<const std::uint32_t> of(const std::vector<std::uint32_t>& list,
                                             const std::vector<std::uint32_t>& begin, std::uint32_t k) {
        return {list.data() + begin[k], list.data() + begin[k + 1]};
    }
    void weld_corners(std::span<const Corners> triangles);
    void join_edges();
    void find_patches();

    std::vector<Vec3d> points_;
    std::vector<std::array<std::uint32_t, 3>> corners_, edges_;  // by triangle
    std::vector<TriangleFrame> frames_;
    std::vector<std::uint32_t> patch_;
    std::vector<std::uint32_t> at_edge_, edge_begin_, at_corner_, corner_begin_;
    std::vector<char> corner_is_open_;
    double weld_ = 0;
    std::uint64_t source_ = 0;
    MeshReport report_;
};

// What deserves a word about a mesh, each a sentence without its name: triangles left out, edges of three, opposite
// ways round.
std::vector<std::string> remarks_on(const MeshReport& report);

}  // namespace granary
