// The grains of all ranks that are no balls, at one time, as surfaces in one .vtp file (VTK XML PolyData, appended raw
// binary), beside the frame of all bodies: what is drawn is the true shape, as fine as shapes/shape_surface.hpp says
// for so many grains.
//   point data:  Normals    of the surface
//                id, shape, material   of the grain; shape: number in the case's [[shapes]], from 1
//                centre     of the grain, m: filters that choose grains by place keep them whole
//                velocity   of its centre, m/s
//                speed      its length, m/s
//   field data:  TimeValue (s), step, shape_name: names, by number of the shape
// The same state makes the same file, byte for byte, whatever the number of ranks. It is written like vtp_file.hpp.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "core/axes.hpp"
#include "core/bodies.hpp"
#include "io/frames/vtp_parts.hpp"
#include "motion/integrate.hpp"
#include "shapes/shape_surface.hpp"

namespace granary {

// Above so many grains in a frame none are written: the points of the frame have orientation and shape.
inline constexpr std::uint64_t most_drawn_grains = 1000000;

// A grain as it is drawn, in the axes of the user.
struct DrawnGrain {
    Vec3d centre, velocity;
    Quaterniond orientation;
    double size = 1;  // over that of its template
    Id id = 0;
    std::uint16_t shape = 0, material = 0;  // shape: from 1
};

// This rank's real bodies that the options show and that are no balls, in order. Bodies and templates in the axes
// inside, where the orientation is meant; the centre is turned out by whoever draws.
std::vector<DrawnGrain> drawn_grains(const Bodies& bodies, const Motion& motion, const Axes& axes,
                                     std::span<const ShapeTemplate> shapes, const FrameOptions& options);

// A point or a normal of the surface of its template, in the axes of the user.
inline Vec3d placed_normal(const DrawnGrain& g, const Axes& axes, const Vec3d& normal) {
    return axes.out(rotate(g.orientation, normal));
}
inline Vec3d placed_point(const DrawnGrain& g, const Axes& axes, const Vec3d& point) {
    return g.centre + axes.out(rotate(g.orientation, g.size * point));
}

// Collective: the grains of all ranks, ranks in order. Whole or not at all; a failure throws the same InputError on all
// ranks, and an older file of that name stays.
void write_grain_surfaces(const boost::mpi::communicator& comm, const std::string& path,
                          std::span<const DrawnGrain> mine, std::span<const ShapeTemplate> shapes, const Axes& axes,
                          const FrameTime& when);

// Bytes of a file of so many grains of a shape.
double surface_bytes(const ShapeTemplate& shape, double grains);

}  // namespace granary
