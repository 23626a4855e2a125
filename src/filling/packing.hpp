// Makers of the first bodies. A body is a function of (seed, stream, site): any rank makes any part, in any
// order, and gets the same bits. All lengths in m, density in kg/m^3, velocity in m/s.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>
#include "core/bodies.hpp"
#include "core/random.hpp"
#include "filling/size_distribution.hpp"
#include "core/vec.hpp"

namespace granary {

// A further material of the balls of one maker.
struct MixedMaterial {
    std::uint16_t material = 0;
    double density = 0;
    double share = 0;  // by number
};

// Grains of one maker that are no balls: clusters (cluster_template.hpp) or rigid shapes (shapes/shape_template.hpp).
// They are drawn like balls, those around them.
struct GrainKind {
    std::uint16_t shape = 0;        // number of the template of a cluster, counted from 1; 0: it is none
    std::uint16_t rigid_shape = 0;  // the same of a rigid shape; one of the two at most
    std::uint16_t material = 0;     // of the bodies
    double share = 1;               // of the grains, by number
    double radius = 0;    // m, of the ball around a grain; 0: drawn as that of balls, none of which is one then
    double density = 0;   // kg/m^3, mass of a grain over the volume of that ball, in a plane of that disc
    double elements = 0;  // bodies of a grain
    double solid = 0;     // their volume over that of the ball
    double smallest = 0, largest = 0;  // radii of its bodies over that of the ball
    bool any() const { return shape != 0 || rigid_shape != 0; }
};

// What all balls of one maker have in common. Radii are drawn evenly by number,
//   r = radius_min + (radius_max - radius_min) * rnd      Lazarević (2002), eq. (1)
// or as `sizes` says, which is cut at the same two radii.
struct BallKind {
    double radius_min = 0, radius_max = 0;
    double density = 0;
    std::uint16_t material = 0;
    Vec3d velocity{};
    std::shared_ptr<const SizeDistribution> sizes{};
    std::vector<MixedMaterial> mixed{};  // a ball is of one of these with its share, else of `material`
    GrainKind grains{};                  // beside balls; radius_min and radius_max are those of all grains
    double thickness = 0;                // m, if the balls are discs in a plane; 0: they are balls
};

// Throws InputError unless 0 < radius_min <= radius_max and density > 0, all finite. The name says whose they are.
void validate(const BallKind&, const std::string& name);

SizeDistribution sizes_of(const BallKind&);
double mean_density(const BallKind&);                // over all materials
double mean_mass(const BallKind&);                   // kg, of a ball
std::array<double, 2> mass_limits(const BallKind&);  // kg, of the lightest and the heaviest ball that can be
// Of the bodies that are made: balls, elements of clusters, shapes.
double mean_bodies(const BallKind&);                // of a grain
double mean_solid_volume(const BallKind&);          // m^3, of a grain
std::array<double, 2> body_radii(const BallKind&);  // m, the smallest and the largest
std::vector<std::uint16_t> materials_of(const BallKind&);

// What the random numbers of a ball's key say: draw 0 its radius, draw 4 its material (1 to 3 are left for its place),
// draw 5 whether it is a cluster or a shape.
double draw_radius(const BallKind&, const RandomKey&);
NewBody draw_ball(const BallKind&, const RandomKey&, Id id, const Vec3d& position, double radius);

// A solid sphere: m = 4/3 pi r^3 rho, I = 2/5 m r^2. With a thickness t a disc: m = pi r^2 t rho, I = 1/2 m r^2.
NewBody make_ball(Id id, const Vec3d& position, double radius, double density, std::uint16_t material,
                  const Vec3d& velocity, double thickness = 0);

// A box cut into equal cells, at most one ball in each, wholly inside its cell.
struct CellGrid {
    Vec3d lower, step;  // step: edges of a cell
    std::array<std::uint64_t, 3> counts{};
    std::uint64_t size() const { return counts[0] * counts[1] * counts[2]; }
    Vec3d centre(std::uint64_t site) const;  // x fastest, then y, then z
};

// Simple cubic lattice, one ball in every cell; id = first_id + site.
// Give spacing: as many cells as fit, from the lower corner on, what is left stays empty at the upper faces.
// Or counts:    the box is cut into exactly so many cells, which need not be cubes.
// Or both:      counts cells of that spacing, from the lower corner on.
// Without jitter neighbours of radius spacing/2 touch, to rounding.
struct Lattice {
    std::string name = "lattice";  // for messages
    Vec3d lower{}, upper{};
    double spacing = 0;                     // 0: from counts
    std::array<std::uint64_t, 3> counts{};  // 0: from spacing
    BallKind balls{};
    double jitter = 0;  // 0 to 1: share of the free gap to the cell's faces for a random shift
    Id first_id = 0;
    std::uint16_t stream = 0;  // different for each maker of a case
};

CellGrid cells(const Lattice&);  // throws InputError if it cannot be
std::uint64_t count(const Lattice&);
NewBody body(const Lattice&, const CellGrid&, std::uint64_t seed, std::uint64_t site);

// Random loose packing without overlap: `count` balls in the cells of a grid just fine enough, the empty
// cells chosen by a keyed permutation of the sites, every ball anywhere in its cell. Cost is linear. The solid
// fraction can reach pi/6 <r^3>/r_max^3 (0.52 for equal balls); the denser, the more it looks like a lattice:
// let it settle under gravity for a packing with the structure of real grain.
// Along an axis without period all balls are inside the box. A periodic axis must be given the whole period:
// there the grid starts at a random place and goes on across the faces; centres are in [lower, upper).
struct RandomLoose {
    std::string name = "packing";  // for messages
    Vec3d lower{}, upper{};
    std::uint64_t count = 0;
    BallKind balls{};
    std::array<bool, 3> periodic{};
    Id first_id = 0;  // ids are first_id .. first_id + count - 1, scattered in space
    std::uint16_t stream = 0;
};

CellGrid cells(const RandomLoose&);  // throws InputError if the count does not fit
// Fills in the body of a site and says true, or false if the site stays empty.
bool body(const RandomLoose&, const CellGrid&, std::uint64_t seed, std::uint64_t site, NewBody&);

// Bodies of the sites [first, end) in order of sites, so by layers of z: callback(const NewBody&).
template <class F>
void for_each(const Lattice& l, std::uint64_t seed, std::uint64_t first, std::uint64_t end, F&& callback) {
    const CellGrid grid = cells(l);
    for (std::uint64_t site = first; site < end; ++site) callback(body(l, grid, seed, site));
}
template <class F>
void for_each(const RandomLoose& p, std::uint64_t seed, std::uint64_t first, std::uint64_t end, F&& callback) {
    const CellGrid grid = cells(p);
    NewBody b;
    for (std::uint64_t site = first; site < end; ++site)
        if (body(p, grid, seed, site, b)) callback(static_cast<const NewBody&>(b));
}
// All of them.
template <class Maker, class F> void for_each(const Maker& maker, std::uint64_t seed, F&& callback) {
    for_each(maker, seed, 0, cells(maker).size(), callback);
}

// A permutation of 0 .. size-1 (size at least 1), the same for the same key (its trial is not used). Cost is constant.
std::uint64_t permuted(std::uint64_t i, std::uint64_t size, RandomKey key);

}  // namespace granary
