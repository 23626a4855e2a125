#include "observe/results.hpp"

#include <fmt/format.h>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>
#include "core/errors.hpp"
#include "io/log/standard_output.hpp"
#include "decomposition/together.hpp"

namespace granary {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& folder, const std::string& why) {
    throw InputError(
        fmt::format("cannot write results into {}: {}; choose another folder with --out", folder.string(), why));
}

std::ofstream open(const fs::path& folder, const char* name, std::ios::openmode mode = std::ios::out) {
    errno = 0;
    std::ofstream file(folder / name, mode);
    if (!file) fail(folder, fmt::format("{}: {}", name, errno != 0 ? std::strerror(errno) : "cannot be opened"));
    return file;
}

}  // namespace

void make_results_folder(const fs::path& folder) {
    std::error_code error;
    fs::path there = folder;  // the nearest part of the path that exists
    while (!fs::exists(there, error) && there.has_relative_path() && there != there.parent_path())
        there = there.parent_path();
    if (fs::exists(there, error) && !fs::is_directory(there, error)) fail(folder, there.string() + " is not a folder");
    fs::create_directories(folder, error);
    if (error) fail(folder, error.message());
}

Results::Results(const boost::mpi::communicator& comm, fs::path folder, const std::string& state,
                 const std::string& as_run, bool quiet)
    : folder_(std::move(folder)),
      speaks_(comm.rank() == 0),
      quiet_(quiet) {
    together(comm, [&] {
        if (!speaks_) return;
        make_results_folder(folder_);
        if (fs::is_directory(folder_ / state)) fail(folder_, state + " is a folder");
        open(folder_, "as-run.toml") << as_run;
        log_ = open(folder_, "log.txt");
    });
}

Results::Results(const boost::mpi::communicator& comm, fs::path folder, bool quiet)
    : folder_(std::move(folder)),
      speaks_(comm.rank() == 0),
      quiet_(quiet) {
    together(comm, [&] {
        if (!speaks_) return;
        make_results_folder(folder_);
        log_ = open(folder_, "log.txt", std::ios::app);
    });
}

void Results::say(const std::string& text) {
    note(text);
    if (!quiet_) print(text);
}

void Results::print(const std::string& text) {
    if (!speaks_) return;
    const std::string problem = print_out(text);
    if (problem.empty() || std::exchange(terminal_failed_, true)) return;
    note(fmt::format(
        "warning: standard output cannot be written ({}): the run continues, and this log has everything\n", problem));
}

void Results::note(const std::string& text) {
    if (!speaks_) return;
    log_.clear();  // a disk that was full may have room again
    log_ << text << std::flush;
}

}  // namespace granary
