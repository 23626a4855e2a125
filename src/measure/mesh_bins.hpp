// The surface of a mesh by height and by angle about an upright axis: areas of bins for pressures (wall_bins.hpp), and
// the round bin that a mesh may be for the curves of theory.
//
// Areas are exact: each triangle is clipped by the planes between bins, then by those between sectors, and what is left
// of it is measured; all areas add up to that of the mesh. A level triangle belongs to the bin of its height.
//
// A triangle is upright if its normal leans by less than `leaning` from the horizontal. The axis goes through the
// centroid of the upright triangles (of all, if none is). A mesh is round if the corners of all its upright triangles
// lie within 1 % of one distance R from the axis, their planes not nearer to it than 97 % of R (13 sides, of which a
// square has too few), and if it goes all the way round: in each twelfth of a turn there is at least half the mean
// area. R is the mean over the area, of the corners, since drawings put them on the circle. The cylinder reaches over
// the heights of the upright triangles; a cone below does not matter. A pipe within a bin, a skin outside of it at
// another radius or a square bin is not round.
#pragma once
#include <optional>
#include <vector>
#include "walls/wall_shapes.hpp"

namespace granary {

struct UprightAxis {
    Vec3d origin;         // on the axis, at the height of the mesh's lowest point
    Vec3d up;             // unit, against gravity
    Vec3d across, third;  // unit: where angles begin, and a quarter turn further
    double height = 0;    // m, from the lowest point to the highest
};

// The axis of a mesh where it is now. point: of the user, through which it goes; empty: chosen as above.
// across: any unit vector at right angles to up.
UprightAxis axis_of(const Mesh& mesh, const Vec3d& up, const Vec3d& across, const std::optional<Vec3d>& point);

// m^2 of each bin and sector, sectors fastest.
std::vector<double> areas_by_bin(const Mesh& mesh, const UprightAxis& axis, std::size_t bins, std::size_t sectors);

// The heights of its upright part over the origin of the axis, m; all of it if nothing is upright.
struct Heights {
    double begin = 0, end = 0;
};
Heights upright_part(const Mesh& mesh, const UprightAxis& axis);

// Radius of a round mesh, m; empty: it is not round.
std::optional<double> radius_if_round(const Mesh& mesh, const UprightAxis& axis);

}  // namespace granary
