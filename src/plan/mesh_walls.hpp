// Walls of type "mesh": from the file that the case names to triangles in their place. One rank reads the file and
// hands its bytes to all; each rank then holds the whole mesh (a hundred thousand triangles with their cubes are some
// 50 MB) and searches it only around its own balls.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <span>
#include <string>
#include <vector>
#include "engine/setup.hpp"
#include "io/case/case.hpp"
#include "io/case/case_check_report.hpp"

namespace granary {

// By number of the wall; empty for walls of other types. Scaled, turned and shifted as the case says, in the axes
// inside. Collective. Throws InputError on all ranks alike, at the key of the file.
std::vector<Mesh> load_meshes(const boost::mpi::communicator& comm, const Case& c, const CasePlaces& places);

// What deserves a word: what the file is like, and a size or place that does not go with the domain and the balls
// (other units?). The largest radius must be known. Facts go to the report.
void look_at_meshes(const Case& c, const Setup& setup, std::span<const Mesh> meshes, std::vector<std::string>& remarks,
                    CheckReport& report);

}  // namespace granary
