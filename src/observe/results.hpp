// The folder of a run's results. It is made and tried before the first step, so that hours of work do not end at a
// closed door.
//   as-run.toml       the case as it was read; version and overrides in a comment above it
//   log.txt           what the terminal shows, and the message if the run fails
//   state.h5, ...     states
//   report.html       the run as a page, made at its end (io/report/report.hpp)
//   run.lock          while a process runs here: which (io/log/folder_lock.hpp)
//   status.json       whether the run is running, done, or to be resumed (run_status.hpp)
//   checkpoints/      from which it can be resumed (checkpoint_file.hpp)
#pragma once
#include <boost/mpi/communicator.hpp>
#include <filesystem>
#include <fstream>
#include <string>

namespace granary {

// Makes a folder for results, with those above it. Throws InputError: what stands in the way.
void make_results_folder(const std::filesystem::path& folder);

class Results {
  public:
    // Collective. state: name of the last state's file. Throws the same InputError on all ranks if the folder cannot be
    // made or written, or something stands in the way.
    Results(const boost::mpi::communicator& comm, std::filesystem::path folder, const std::string& state,
            const std::string& as_run, bool quiet);

    // The folder of a run that is resumed: the log is gone on with, the rest stays. Collective.
    Results(const boost::mpi::communicator& comm, std::filesystem::path folder, bool quiet);

    std::string file(const std::string& name) const { return (folder_ / name).string(); }

    // Rank 0 writes the text to the log and, unless quiet, to the terminal; the others are silent. A terminal that
    // cannot be written (a full disk, a pipe that nobody reads) does not end a run: the log says so once.
    void say(const std::string& text);
    void note(const std::string& text);   // to the log only
    void print(const std::string& text);  // to the terminal only, even if quiet

  private:
    std::filesystem::path folder_;
    bool speaks_, quiet_, terminal_failed_ = false;
    std::ofstream log_;
};

}  // namespace granary
