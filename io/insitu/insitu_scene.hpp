// What a picture shows, and the arrays that are made of it for ParaView. Positions and velocities lie in quads, in
// double precision and half a step apart: they are copied once a picture, in single precision. Numbers and materials of
// balls are handed over where they are, unless images or gone balls stand between them.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <span>
#include <vector>
#include "core/axes.hpp"
#include "core/bodies.hpp"
#include "core/domain.hpp"
#include "core/wall_ball.hpp"
#include "io/frames/bond_lines.hpp"
#include "io/frames/grain_surfaces.hpp"
#include "motion/integrate.hpp"
#include "walls/wall_contacts.hpp"
#include "walls/wall_shapes.hpp"

namespace granary {

// One contact between balls: the places of their centres, and how hard it is pressed.
struct InsituContact {
    Vec3d from, to;    // m
    double force = 0;  // N
};

// Vectors in the axes inside.
struct InsituScene {
    Bodies bodies;  // the real ones are shown: no ghosts, no images
    const Motion& motion;
    Axes axes;
    std::span<const Wall> walls;  // where they are now
    std::span<const char> open;   // gates
    Domain domain;
    Vec3d gravity;             // m/s^2
    std::vector<double> cuts;  // places of the slab boundaries along the third axis, m
    double time = 0;
    std::uint64_t step = 0;
    std::vector<InsituContact> contacts;      // each once over all ranks; only if a script wants them
    std::span<const WallSample> wall_pushes;  // this rank's; only if a script wants pressures
    double largest_radius = 0;                // m, of any ball that will ever be
    std::span<const WallBall> wall_balls{};   // the same on all ranks
    std::span<const char> walls_of_balls{};   // by wall: it is shown by its balls
    std::vector<BondLine> bonds{};            // whole ones, each once over all ranks; only if a script wants them
    std::uint64_t broken_bonds = 0;           // so far, over all ranks
    std::span<const ShapeTemplate> shapes{};  // of grains that are no balls
    std::uint64_t n_grains = 0;               // of them, over all ranks
};

struct InsituBalls {
    // A field that is marked `in_situ` in the table of columns, other than the position.
    struct Field {
        const FieldRow* row;
        std::vector<float>
            reals;  // copied in single precision, vectors in the user's axes, velocities at the time of the picture
        std::vector<std::byte> integers;  // copied, unless they are handed over where they are
        const void* data;                 // of either
    };
    std::vector<float> points;
    std::vector<Field> fields;
    std::vector<int> rank;
    bool by_pointer = true;  // integers are not copied
    double fastest = 0;      // m/s
    // Shapes have the radius 0 here: they are shown by insitu_grains.
    std::int64_t ids = 0;  // one more than the largest
    int bands = 0;

    std::uint64_t bytes() const;  // copied, with the cells that the module makes
};
InsituBalls insitu_balls(const InsituScene& scene, int rank);

// Polygons or lines with a number each, and a value at each point or cell.
struct InsituSurface {
    std::vector<float> points;
    std::vector<int> ends{0}, corners, number;
    std::vector<float> values;

    void add_point(const Vec3d& p);
    void close_cell(int of);
};
InsituSurface insitu_walls(const InsituScene& scene);
InsituSurface insitu_wall_balls(const InsituScene& scene);  // points, the value is the radius
InsituSurface insitu_slabs(const InsituScene& scene);       // a frame across the domain where ranks meet
InsituSurface insitu_contacts(const InsituScene& scene);    // lines, the value is the force
InsituSurface insitu_bonds(const InsituScene& scene);       // lines, the number is the type, the value the larger share

// Grains that are no balls, true to shape: polygons, whose points carry what their grain has.
struct InsituGrains {
    InsituSurface surface;
    std::vector<float> normals, centres, velocities;
    std::vector<std::int64_t> ids;
    std::vector<std::uint16_t> shapes, materials, bands;  // bands: only in runs that have them
    std::vector<int> ranks;
};
InsituGrains insitu_grains(const InsituScene& scene, int rank);

// The walls, those of balls too, in small triangles, with the pressure of the balls at every point, complete on the
// first rank, where the walls are. Collective. The force of a contact is spread over the wall around it by Lucy's
// function, 3 diameters wide (as the fields of probes are made).
InsituSurface insitu_walls_with_pressure(const boost::mpi::communicator& comm, const InsituScene& scene);

}  // namespace granary
