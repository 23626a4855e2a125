// `granary resume`: everything it needs is in the checkpoint.
#include <fmt/format.h>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/string.hpp>
#include <filesystem>
#include <utility>
#include "app/checkpoint_file.hpp"
#include "app/run.hpp"
#include "app/run_stages.hpp"
#include "app/run_status.hpp"
#include "core/errors.hpp"
#include "core/version.hpp"
#include "io/case.hpp"
#include "io/together.hpp"

namespace granary {

namespace {

namespace fs = std::filesystem;

// Rank 0: what is later than the checkpoint belongs to a past that will be run again; what is broken is moved out of the way.
std::vector<std::string> set_aside(const FoundCheckpoint& found, const std::string& folder) {
    std::vector<std::string> told;
    std::error_code ignored;
    for (const std::string& path : found.broken) fs::rename(path, path + ".bad", ignored);
    for (std::size_t k = 0; k < found.broken.size(); ++k)
        told.push_back(fmt::format("warning: {}; it is now called {}.bad, and an older checkpoint is taken\n",
                                   found.warnings[k], found.broken[k]));
    if (fs::path(folder) != fs::path(found.folder)) return told;
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
    const FoundCheckpoint found = find_checkpoint(comm, options.resume);
    const std::string folder =
        options.out.empty() ? found.folder : fs::absolute(options.out).lexically_normal().string();
    bool finished = false;
    if (comm.rank() == 0 && !options.steps && fs::is_directory(options.resume))
        finished = status_in(found.folder) == "finished";
    boost::mpi::broadcast(comm, finished, 0);
    if (finished) {
        if (comm.rank() == 0 && !options.quiet)
            fmt::print("the run in {} is finished: there is nothing to resume\n", found.folder);
        return 0;
    }

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
        throw InputError(found.path + ": the checkpoint does not fit its case: it has fewer stages");
    Setup setup = plan.setup;
    const Stage& stage = plan.stages[number];
    setup.insertions.insert(setup.insertions.end(), stage.insertions.begin(), stage.insertions.end());
    Simulation sim(comm, std::move(setup), state);

    Results results(comm, folder, options.quiet);
    const std::string here = fs::path(found.path).lexically_relative(folder).string();
    std::string text = fmt::format("resumed at step {}, t = {:.6g} s, from {}: {} balls, {} rank{}\n", sim.steps_done(),
                                   sim.time(), here, state.n_bodies(), comm.size(), comm.size() == 1 ? "" : "s");
    if (commit != git_commit)
        text += fmt::format(
            "warning: the checkpoint is of granary {}, this is {}: it goes on, but perhaps not bit for bit\n", commit,
            git_commit);
    if (comm.rank() == 0)
        for (const std::string& line : set_aside(found, folder)) text += line;
    results.say(text);
    return run_stages(sim, plan, results, asked, options, {&saved, here});
}

}  // namespace granary
