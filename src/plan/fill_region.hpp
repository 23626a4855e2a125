// A box in which balls appear, and the cylinders and meshes around it. Whoever fills a round bin by a box as wide as
// the bin means the inside of it: the corners of the box are beyond the shell, and balls there would fall past it and
// be lost.
#pragma once
#include <functional>
#include <string>
#include <vector>
#include "engine/setup.hpp"
#include "filling/insertion.hpp"
#include "io/case/case.hpp"

namespace granary {

// The widest cylinder along x, y or z that has the middle of the box inside and the box between its sides, so that at
// most corners are beyond it; in the axes of the user. Without one: a tube without limit. Cylinders that move, other
// than by turning, do not count.
Tube tube_around(const Case& c, const Vec3d& lower, const Vec3d& upper);

// The mesh that is a vessel around a box (walls/mesh_inside.hpp): the middle of the box is inside, and so is a quarter
// of it at least. Of several the one that holds most. Meshes that open or move, other than by turning, do not count.
// Places are in the axes inside.
struct MeshAround {
    std::function<bool(const Vec3d&)> holds;  // empty: there is none
    std::string wall;                         // its name
    double share = 0;                         // of the box that is inside
};
MeshAround mesh_around(const Case& c, const Setup& setup, const Vec3d& lower, const Vec3d& upper);

// What is to be said of the boxes of fillings and [[insert]]s. setup: as made of the case.
struct FillTexts {
    std::vector<std::string>
        remarks;                     // a wall cuts the box, so that balls appear on both sides of it, or fall beside it
    std::vector<std::string> notes;  // the box reaches out of a mesh, and balls appear only inside
};
FillTexts fill_texts(const Case& c, const Setup& setup);

}  // namespace granary
