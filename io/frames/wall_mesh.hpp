// Walls as surfaces to look at: a .vtp file (VTK XML PolyData, text) of triangles, quadrangles and polygons.
//   cell data:   wall      number of the wall in the list, which an open gate does not change
//                material  its number in the material table
//   field data:  wall_name names, by number of the wall
// A mesh shows its triangles. Circles are polygons with their corners on the circle. A plane is drawn where it crosses
// the domain box; one that does not meet the box has no cells, only its name.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "core/axes.hpp"
#include "core/domain.hpp"
#include "core/vec.hpp"
#include "walls/wall_shapes.hpp"

namespace granary {

inline constexpr int circle_segments = 64;

struct WallMesh {
    std::vector<Vec3d> points;              // m
    std::vector<std::size_t> connectivity;  // corners of all cells, one after the other
    std::vector<std::size_t> ends;          // by cell: end of its corners
    std::vector<std::uint32_t> wall;        // by cell
};

// open: for each wall, not 0 if it is a gate that has opened and has no cells; empty: all are closed.
WallMesh mesh_of(std::span<const Wall> walls, const Domain& domain, int segments = circle_segments,
                 std::span<const char> open = {});

// Walls and domain are given in the axes inside, the file is in the user's. Written aside as path + ".part" and
// renamed; throws InputError.
void write_walls(const std::string& path, std::span<const Wall> walls, const Domain& domain, const Axes& axes,
                 std::span<const char> open = {});

// The same, collective: rank 0 writes, and a failure throws the same InputError on all ranks.
void write_walls(const boost::mpi::communicator& comm, const std::string& path, std::span<const Wall> walls,
                 const Domain& domain, const Axes& axes, std::span<const char> open = {});

}  // namespace granary
