// A new case from the bodies of another run: fill once, discharge many times. Materials and walls are matched by name,
// shapes by name and form (start_shapes.hpp); whatever does not match is an error (a material, a shape) or is said (a
// wall whose springs are dropped).
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>
#include "engine/setup.hpp"
#include "core/axes.hpp"

namespace granary {

struct StartState {
    double time = 0;  // s, of the state
    std::uint64_t bodies = 0;
    std::vector<std::string> remarks;  // what the user should know; the same on every rank
};

// Number of what holds a body of a state, 0: nothing. Position in the axes of the user; was: what held it in the old
// run, 0 if this case has fewer holds. Empty: what held it goes on.
using HoldsOfStart = std::function<std::uint16_t(Id id, const Vec3d& position, std::uint16_t was)>;

// Collective. Makes the setup begin with the bodies of the file, in shares; enlarges its largest radius if need be.
// Throws InputError on all ranks alike.
StartState start_from(const boost::mpi::communicator& comm, const std::string& path, const Axes& axes, Setup& setup,
                      bool time_zero = true, HoldsOfStart holds = {});

}  // namespace granary
