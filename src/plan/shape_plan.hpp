// From the shapes of a case to what the simulation knows: templates with the numbers of their materials, how quick
// their contacts are.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <string>
#include <vector>
#include "core/axes.hpp"
#include "core/saved_state.hpp"
#include "engine/setup.hpp"
#include "io/case/case.hpp"
#include "io/case/case_check_report.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

// By number of the shape, in the axes of the user. One rank reads the files of those that are in files, and the case
// learns their sizes. resumed: of a checkpoint, whose templates are taken as they are; no file is read.
// Collective. Throws InputError on all ranks alike, at the key of the shape.
std::vector<ShapeTemplate> load_shapes(const boost::mpi::communicator& comm, Case& c, const CasePlaces& places,
                                       const SavedState* resumed = nullptr);

// What it is: "ellipsoid of semi-axes 7 mm, 4.5 mm, 3.5 mm".
std::string form_of(const ShapeTemplate& shape);

// A line for each shape: what it is.
std::vector<std::string> shape_texts(const std::vector<ShapeTemplate>& shapes);

// What so many grains of each shape need: for the report. grains: by shape.
void add_shape_needs(const Setup& setup, const std::vector<double>& grains, CheckReport& to);

// Warnings of shapes that are larger than the domain, such as one from a file in mm.
std::vector<std::string> tell_large_shapes(const Case& c, const Setup& setup);

// Warnings of thin walls in copies, lifters, whose rims polyhedra meet edge-on (shapes/README.md, Meshes).
std::vector<std::string> tell_thin_lifters(const Case& c, const Setup& setup);

// Bytes of the surfaces that a frame has beside its points.
double bytes_of_surfaces(const Setup& setup, const std::vector<double>& grains, const OutputSpec& output);

}  // namespace granary
