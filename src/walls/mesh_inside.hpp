// Is a place inside a vessel made of triangles? A bin or hopper from a drawing is seldom a closed surface: its top and
// its outlet are open, its triangles may go round either way, and a drawing of a solid has an inner and an outer skin.
// So the question is asked of a section: in a plane through the place, at right angles to x, y or z, the surface is a
// set of lines, and from a place inside it is seen all around.
//   seen      share of the directions in that plane that meet the surface, of 64; inside: at least 7/8, in one of the
//   three planes. From
//             outside, half of the directions lead away; doors and gaps may take an eighth.
//   odd       whether most of them meet it an odd number of times. Inside of a single skin: odd; between the walls of a
//   solid drawing:
//             even, and odd within its material. Places of one room are all alike.
// Above the open rim, the section just below it counts, so a bin goes on upwards like the column above it.
// No angles are worked out, only + - * /: the answer is the same on every machine.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>
#include "walls/triangle_mesh.hpp"

namespace granary {

class MeshInside {
  public:
    // up: unit, against gravity; only one along an axis has a rim to look below.
    MeshInside(std::shared_ptr<const TriangleMesh> mesh, const Vec3d& up);

    struct Seen {
        bool inside = false;
        bool odd = false;
    };
    Seen look(const Vec3d& place) const;

  private:
    // Triangles by slices along one axis: those that reach into a slice.
    struct Slices {
        double begin = 0, height = 1;
        std::vector<std::uint32_t> first, triangles;  // of slice k: triangles[first[k]] up to triangles[first[k + 1]]
    };
    void make_slices(int axis);
    std::array<std::uint64_t, 2> section(const Vec3d& place,
                                         int axis) const;  // directions that meet the surface, and oddly
    bool covered(const Vec3d& place, double height) const;
    const std::uint32_t* begin_of(int axis, double at, const std::uint32_t*& end) const;

    std::shared_ptr<const TriangleMesh> mesh_;
    std::array<Slices, 3> slices_;
    int up_axis_ = -1;
    double up_sign_ = 1;
};

}  // namespace granary
