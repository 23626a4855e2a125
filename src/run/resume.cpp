// `granary resume`: everything it needs is in the checkpoint.
#include <fmt/format.h>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/string.hpp>
#include <filesystem>
#include <utility>
#include "observe/checkpoint_file.hpp"
#include "run/run.hpp"
#include "run/run_folder.hpp"
#include "run/run_stages.hpp"
#include "run/run_status.hpp"
#include "core/errors.hpp"
#include "core/version.hpp"
#include "io/case/case.hpp"
#include "io/log/standard_output.hpp"
#include "decomposition/together.hpp"

namespace granary {

namespace {

namespace fs = std::filesystem;

// Rank 0: what is later than the checkpoint belongs to a past that will be run again; what is broken is moved out of
// the way. Only in a folder that is ours: a run that goes on in another folder leaves that of the checkpoint as it is.
std::vector<std::string> set_aside(const FoundCheckpoint& found, const std::string& folder) {
    std::vector<std::string> told;
    std::error_code ignored;
    const bool ours = fs::path(folder) == fs::path(found.folder);
    for (std::size_t k = 0; k < found.broken.size(); ++k) {
        if (ours) fs::rename(found.broken[k], found.broken[k] + ".bad", ignored);
        told.push_back(fmt::format("warning: {}; {}an older checkpoint is used\n", found.warnings[k],
                                   ours ? fmt::format("it was renamed to {}.bad, and ", found.broken[k]) : ""));
    }
    if (!ours) return told;
    for (const std::string& path : checkpoints_in(folder)) {
        if (path == found.path) break;  // newest first
        if (fs::path(found.path).parent_path() != fs::path(path).parent_path()) break;
        fs::remove(path, ignored);
        told.push_back(fmt::format("{} is later and was removed: its steps are run again\n", path));
    }
    return told;
}

}  // namespace

int resume_case(const boost::mpi::communicator& comm, const RunOptions& options) {
    std::string home;  // of the run that stopped
    bool finished = false, in_place = options.out.empty();
    together(comm, [&] {
        if (comm.rank() > 0) return;
        home = run_folder_of(options.resume);
        std::error_code not_there;
        in_place |= fs::equivalent(options.out, home, not_there);
        finished = !options.steps && fs::is_directory(options.resume) && status_in(home) == "finished" &&
                   !checkpoints_in(home).empty();
    });
    boost::mpi::broadcast(comm, home, 0);
    boost::mpi::broadcast(comm, finished, 0);
    boost::mpi::broadcast(comm, in_place, 0);
    if (finished) {
        if (comm.rank() == 0 && !options.quiet)
            print_out(fmt::format("the run in {} is finished: there is nothing to resume\n", home));
        return 0;
    }
    const std::string folder = in_place ? home : fs::absolute(options.out).lexically_normal().string();
    const std::string command = "resume " + options.resume;
    // Before anything is read: a run that lives removes its older checkpoints.
    std::unique_ptr<FolderLock> lock;
    if (in_place) lock = take_folder(comm, folder, command, options.quiet);
    const FoundCheckpoint found = find_checkpoint(comm, options.resume);
    if (!in_place) check_folder(comm, folder, options.overwrite);

    const OpenState state(comm, found.path);
    const SavedState& saved = state.header.run;
    Asked asked;
    asked.text = state.header.case_text;
    StateLoader io(saved);
    asked.run_state(io);
    const std::string commit = std::exchange(asked.program, git_commit);
    if (options.steps) asked.steps = options.steps;
    Plan plan = make_plan(comm, read_case(asked.text, asked.file, asked.sets),
                          CasePlaces(asked.text, asked.file, asked.sets), &saved);
    const std::size_t number = stage_number_in(saved);
    if (number >= plan.stages.size())
        throw InputError(found.path + ": the checkpoint does not match its case: it has fewer stages");
    Setup setup = plan.setup;
    const Stage& stage = plan.stages[number];
    setup.insertions.insert(setup.insertions.end(), stage.insertions.begin(), stage.insertions.end());
    Simulation sim(comm, std::move(setup), state);

    std::string cleared;
    if (!in_place) {
        lock = take_folder(comm, folder, command, options.quiet);
        check_folder(comm, folder, options.overwrite, lock.get());
        if (options.overwrite) cleared = clear_folder(comm, folder);
    }
    Results results(comm, folder, options.quiet);
    const std::string here = fs::path(found.path).lexically_relative(folder).string();
    std::string text =
        fmt::format("resumed at step {}, t = {:.6g} s, from {}: {} balls, {} rank{}\n", sim.clock().step(),
                    sim.clock().time(), here, state.n_bodies(), comm.size(), comm.size() == 1 ? "" : "s");
    if (commit != git_commit)
        text += fmt::format(
            "warning: the checkpoint was written by granary {}, this is {}: the run continues, but its bits may "
            "differ\n",
            commit, git_commit);
    if (comm.rank() == 0)
        for (const std::string& line : set_aside(found, folder)) text += line;
    results.say(text + cleared);
    return run_stages(sim, plan, results, asked, options, {&saved, here});
}

}  // namespace granary
