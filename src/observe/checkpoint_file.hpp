// Checkpoints as files: <run's folder>/checkpoints/step-000000012345.h5, each a state file (io/state/state_file.hpp)
// with the whole state of the run in it, so that nothing else is needed to go on.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <string>
#include <vector>
#include "engine/simulation.hpp"
#include "core/saved_state.hpp"
#include "io/state/state_file.hpp"

namespace granary {

// What stands at the head of every state of a run. Collective.
StateHeader state_header(const Simulation& sim, const std::string& case_text);

inline constexpr const char* checkpoint_folder = "checkpoints";
std::string checkpoint_name(std::uint64_t step);  // step-000000012345.h5

// Collective. Throws the same InputError on all ranks if it cannot be written; whatever was there before stays.
void write_checkpoint(const std::string& path, const Simulation& sim, const std::string& case_text, SavedState run);

// The checkpoints of a run's folder, newest first, whole or not.
std::vector<std::string> checkpoints_in(const std::string& folder);

// The newest whole checkpoint, and what is wrong with those that are newer.
struct FoundCheckpoint {
    std::string path, folder;           // folder: of the run
    std::vector<std::string> warnings;  // of those that were passed over
    std::vector<std::string> broken;    // their paths
};
// The folder of the run to which a checkpoint, or a folder of them, belongs; a run's folder is its own. Throws
// InputError: there is no such thing.
std::string run_folder_of(const std::string& what);
// what: a run's folder, its folder of checkpoints, or one checkpoint, which must then be whole. Collective. Throws
// InputError: there is none.
FoundCheckpoint find_checkpoint(const boost::mpi::communicator& comm, const std::string& what);

}  // namespace granary
