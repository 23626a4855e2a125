// The results folder before a run begins in it: taken, so that no other process runs there.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include "io/folder_lock.hpp"

namespace granary {

// Makes the folder if it is not there and locks it on the first rank, which alone holds the lock; it ends with the object. command: for
// whoever is refused, such as "run silo.toml". Throws the same InputError on all ranks if another process runs there. Collective.
std::unique_ptr<FolderLock> take_folder(const boost::mpi::communicator& comm, const std::filesystem::path& folder,
                                        const std::string& command, bool quiet);

}  // namespace granary
