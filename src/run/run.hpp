// `granary run`: a case from its file to its last state. `granary resume`: a run that stopped, from its last checkpoint
// on. `granary check`: what a case would be, without starting anything.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace granary {

// The exit code of a run that has saved itself and stopped before its end, because a signal or its wall time said so:
// "resume me". No failure; those are in core/errors.hpp.
inline constexpr int exit_resume_me = 85;

struct RunOptions {
    std::string case_file;
    std::string out;                     // folder of the results; empty: the name of the case beside the current folder
    std::vector<std::string> sets;       // key=value
    std::optional<std::uint64_t> steps;  // instead of what the case says
    std::optional<double> wall_time;     // s, after which the run saves itself and stops
    double started = 0;                  // of the system's clock, when the program began
    std::string resume;                  // resume: a run's folder, or a checkpoint
    bool quiet = false;
    std::optional<int> ranks;  // check: for which the wall time is told; empty: those it runs on
    bool measure = true;       // check: the speed of this machine
    bool overwrite = false;    // remove what an earlier run has written into the folder
};

void check_case(const boost::mpi::communicator& comm, const RunOptions& options);  // case_file, sets, ranks, measure
// The exit code: 0, or exit_resume_me.
int run_case(const boost::mpi::communicator& comm, const RunOptions& options);
int resume_case(const boost::mpi::communicator& comm, const RunOptions& options);  // without case_file and sets

}  // namespace granary
