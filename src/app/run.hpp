// `granary run`: a case from its file to its last state. `granary check`: what it would be, without starting anything.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace granary {

struct RunOptions {
    std::string case_file;
    std::string out;                     // folder of the results; empty: the name of the case beside the current folder
    std::vector<std::string> sets;       // key=value
    std::optional<std::uint64_t> steps;  // instead of what the case says
    bool quiet = false;
};

void check_case(const boost::mpi::communicator& comm, const RunOptions& options);  // case_file and sets only
void run_case(const boost::mpi::communicator& comm, const RunOptions& options);

}  // namespace granary
