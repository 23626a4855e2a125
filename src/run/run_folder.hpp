// The results folder before a run begins in it: taken, so that no other process runs there, and without files of an
// earlier run, which would pass for those of this one.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include "io/log/folder_lock.hpp"

namespace granary {

// Makes the folder if it is not there and locks it on the first rank, which alone holds the lock; it ends with the
// object. command: for whoever is refused, such as "run silo.toml". Throws the same InputError on all ranks if another
// process runs there. Collective.
std::unique_ptr<FolderLock> take_folder(const boost::mpi::communicator& comm, const std::filesystem::path& folder,
                                        const std::string& command, bool quiet);

// A new run does not begin among the files of an earlier one: throws the same InputError on all ranks if there are any,
// or if another process runs there, unless lock says that the folder is taken already. overwrite: files of an earlier
// run are no reason. Changes nothing. Collective.
void check_folder(const boost::mpi::communicator& comm, const std::filesystem::path& folder, bool overwrite,
                  const FolderLock* lock = nullptr);

// Removes what an earlier run has written, and only that (run_files.hpp). Gives a line that says so; empty: there was
// nothing. Collective.
std::string clear_folder(const boost::mpi::communicator& comm, const std::filesystem::path& folder);

}  // namespace granary
