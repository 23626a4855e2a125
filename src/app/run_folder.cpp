#include "app/run_folder.hpp"

#include <fmt/format.h>
#include <cstdio>
#include "app/results.hpp"
#include "io/together.hpp"

namespace granary {

namespace fs = std::filesystem;

std::unique_ptr<FolderLock> take_folder(const boost::mpi::communicator& comm, const fs::path& folder,
                                        const std::string& command, bool quiet) {
    std::unique_ptr<FolderLock> lock;
    together(comm, [&] {
        if (comm.rank() > 0) return;
        make_results_folder(folder);
        lock = std::make_unique<FolderLock>(folder.string(), this_process(command), [quiet](const std::string& text) {
            if (quiet) return;
            fmt::print("{}", text);
            std::fflush(stdout);
        });
    });
    return lock;
}

}  // namespace granary
