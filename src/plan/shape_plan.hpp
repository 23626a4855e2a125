// From the shapes of a case to what the simulation knows: templates with the numbers of their materials, how quick
// their contacts are.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <string>
#include <vector>
#include "core/axes.hpp"
#include "io/case/case.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

// By number of the shape, in the axes of the user. One rank reads the files of those that are in files, and the case
// learns their sizes. Collective. Throws InputError on all ranks alike, at the key of the shape.
std::vector<ShapeTemplate> load_shapes(const boost::mpi::communicator& comm, Case& c, const CasePlaces& places);

// The same shape with its own frame in the axes inside: an orientation then only changes the order of its numbers.
ShapeTemplate turned_in(const ShapeTemplate& shape, const Axes& axes);

// A line for each shape: what it is.
std::vector<std::string> shape_texts(const std::vector<ShapeTemplate>& shapes);

// The least share of its mass that a shape of this template sets against a force at its surface along the normal there:
// 1/(1 + m (r x n) I^-1 (r x n)), over points r of the surface. 1 for a ball. Contacts are quicker by its square root.
double least_mass_share(const ShapeTemplate& shape);

// What stands for the smallest grains of a template when time steps are chosen: a ball of its smallest length with the
// mass that meets a hit, in units of a template of size 1.
struct StandIn {
    double radius = 0;      // m
    double mass_share = 0;  // of the mass of a ball of that radius and the same density
};
StandIn stand_in(const ShapeTemplate& shape);

}  // namespace granary
