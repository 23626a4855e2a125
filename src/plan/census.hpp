// What there is at the start and what will come in, over all ranks: what the plan decides from.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <algorithm>
#include <limits>
#include <vector>
#include "engine/setup.hpp"
#include "io/case/case.hpp"
#include "io/case/case_check_report.hpp"
#include "plan/stage_estimates.hpp"

namespace granary {

struct Census : Grain {
    std::vector<double> smallest;  // radius by material; infinite: no ball is made of it
    double speed = 0;
    double radius_min = std::numeric_limits<double>::infinity(), radius_max = 0;
    std::vector<CheckReport::Sizes> sizes;  // of what comes in
    double clusters = 0, bonds = 0;         // of what comes in
    double units = 0;                       // clusters and single bodies, at the start and of what comes in
    std::vector<double> shapes;             // grains of each shape, by number

    // quick: radius of the ball that is as quick as the smallest; least, most: of the spheres around bodies.
    void see(std::uint16_t material, double quick, double least, double most) {
        smallest[material] = std::min(smallest[material], quick);
        radius_min = std::min(radius_min, least), radius_max = std::max(radius_max, most);
    }
};

// Collective; the same on any number of ranks.
Census census(const boost::mpi::communicator& comm, const Case& c, const Setup& setup);

}  // namespace granary
