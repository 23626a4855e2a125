#include "run/run_folder.hpp"

#include <fmt/format.h>
#include <algorithm>
#include "observe/checkpoint_file.hpp"
#include "observe/results.hpp"
#include "run/run_files.hpp"
#include "run/run_status.hpp"
#include "io/log/standard_output.hpp"
#include "decomposition/together.hpp"

namespace granary {

namespace fs = std::filesystem;

namespace {

std::string some_of(const std::vector<std::string>& files) {
    std::string text;
    const std::size_t shown = std::min<std::size_t>(files.size(), 3);
    for (std::size_t k = 0; k < shown; ++k) text += (k == 0 ? "" : ", ") + files[k];
    if (files.size() > shown) text += fmt::format(" and {} more", files.size() - shown);
    return text;
}

}  // namespace

std::unique_ptr<FolderLock> take_folder(const boost::mpi::communicator& comm, const fs::path& folder,
                                        const std::string& command, bool quiet) {
    std::unique_ptr<FolderLock> lock;
    together(comm, [&] {
        if (comm.rank() > 0) return;
        make_results_folder(folder);
        lock = std::make_unique<FolderLock>(folder.string(), this_process(command), [quiet](const std::string& text) {
            if (!quiet) print_out(text);
        });
    });
    return lock;
}

void check_folder(const boost::mpi::communicator& comm, const fs::path& folder, bool overwrite,
                  const FolderLock* lock) {
    together(comm, [&] {
        if (comm.rank() > 0) return;
        if (lock == nullptr) FolderLock::check_free(folder.string());
        if (overwrite) return;
        const std::size_t n_checkpoints = checkpoints_in(folder.string()).size();
        if (n_checkpoints > 0 && status_in(folder.string()) != "finished")
            throw InputError(fmt::format(
                "{0} contains a run that has not finished. `granary resume {0}` continues it. To start "
                "again, choose another "
                "folder with --out, or add --overwrite, which removes its results and its {1} checkpoint{2}",
                folder.string(), n_checkpoints, n_checkpoints == 1 ? "" : "s"));
        if (const std::vector<std::string> files = run_files_in(folder.string()); !files.empty())
            throw InputError(
                fmt::format("{} contains the results of an earlier run ({}). Choose another folder with --out, or add "
                            "--overwrite, which "
                            "removes them and keeps all other files",
                            folder.string(), some_of(files)));
    });
}

std::string clear_folder(const boost::mpi::communicator& comm, const fs::path& folder) {
    std::string text;
    together(comm, [&] {
        if (comm.rank() > 0) return;
        const std::vector<std::string> files = run_files_in(folder.string());
        remove_run_files(folder.string());
        if (!files.empty())
            text = fmt::format("overwrite: {} files of an earlier run in {} were removed\n", files.size(),
                               folder.string());
    });
    return text;
}

}  // namespace granary
