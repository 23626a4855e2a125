#include "run/failure.hpp"

#include <fmt/format.h>
#include <chrono>
#include <cstdio>
#include <optional>
#include <thread>
#include "core/errors.hpp"

namespace granary {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto pause = std::chrono::milliseconds(10);
constexpr auto for_all = std::chrono::seconds(2);            // until it is clear that some ranks do not come
constexpr auto for_others = std::chrono::milliseconds(500);  // until others that do have said so
constexpr auto for_the_teller = std::chrono::seconds(60);    // which may have a report to write before it ends all

struct Verdict {
    bool alike = false;
    bool is_mine = false;  // to tell, and to end all
};

MPI_Comm everybody = MPI_COMM_NULL;
std::optional<Verdict> verdict;

bool all_are_here() {
    MPI_Request barrier;
    MPI_Ibarrier(everybody, &barrier);
    int here = 0;
    for (const auto end = Clock::now() + for_all; here == 0;) {
        MPI_Test(&barrier, &here, MPI_STATUS_IGNORE);
        if (here != 0 || Clock::now() > end) break;
        std::this_thread::sleep_for(pause);
    }
    return here != 0;
}

// Among those that are here, found by a message from each to all.
bool is_lowest_here(int rank, int size) {
    static const int here = 1;
    for (int other = 0; other < size; ++other) {
        if (other == rank) continue;
        MPI_Request sent;
        MPI_Isend(&here, 1, MPI_INT, other, 0, everybody, &sent);
        MPI_Request_free(&sent);
    }
    for (const auto end = Clock::now() + for_others; Clock::now() < end; std::this_thread::sleep_for(pause))
        for (int lower = 0; lower < rank; ++lower) {
            int arrived = 0;
            MPI_Iprobe(lower, 0, everybody, &arrived, MPI_STATUS_IGNORE);
            if (arrived != 0) return false;
        }
    return true;
}

Verdict find_verdict() {
    if (everybody == MPI_COMM_NULL) return {true, true};
    int rank = 0, size = 1;
    MPI_Comm_rank(everybody, &rank);
    MPI_Comm_size(everybody, &size);
    const bool alike = all_are_here();
    return {alike, alike ? rank == 0 : is_lowest_here(rank, size)};
}

}  // namespace

void watch_for_failures(MPI_Comm all) { everybody = all; }

std::string failure_text(const std::exception& error) {
    switch (kind_of(error)) {
        case ErrorKind::input:
        case ErrorKind::run: return error.what();
        case ErrorKind::memory: return "out of memory: use fewer balls, or more ranks on more machines";
        case ErrorKind::internal: break;
    }
    return fmt::format("internal error: {}", error.what());
}

bool tell_failure(const std::string& text) {
    if (!verdict) {
        verdict = find_verdict();
        std::fflush(stdout);
        if (verdict->is_mine) std::fputs(fmt::format("granary: {}\n", text).c_str(), stderr);  // which may be closed
        std::fflush(stderr);
    }
    return verdict->alike;
}

int end_after_failure(const std::exception& error) {
    const int code = exit_code(kind_of(error));
    if (tell_failure(failure_text(error)) || everybody == MPI_COMM_NULL) return code;
    if (!verdict->is_mine) std::this_thread::sleep_for(for_the_teller);
    MPI_Abort(everybody, code);
    return code;
}

}  // namespace granary
