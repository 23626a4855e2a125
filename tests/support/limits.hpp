// Limits of this process that stand for a full disk and for files that cannot be opened.
#pragma once
#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <memory>

namespace granary::test {

// A limit, for as long as this lives.
class Limit {
  public:
    Limit(__rlimit_resource which, rlim_t value) : which_(which) {
        ::getrlimit(which_, &before_);
        const rlimit now{std::min(value, before_.rlim_max), before_.rlim_max};
        ::setrlimit(which_, &now);
    }
    ~Limit() { ::setrlimit(which_, &before_); }
    Limit(const Limit&) = delete;
    Limit& operator=(const Limit&) = delete;

  private:
    __rlimit_resource which_;
    rlimit before_{};
};

// Only so many more files can be opened; those that are open, the message library's too, go on working.
inline std::unique_ptr<Limit> only_files(int more) {
    const int next = ::dup(0);
    ::close(next);
    return std::make_unique<Limit>(RLIMIT_NOFILE, next + more);
}

// Files cannot grow beyond this; a write says so instead of ending the program.
inline std::unique_ptr<Limit> longest_file(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    return std::make_unique<Limit>(RLIMIT_FSIZE, bytes);
}

}  // namespace granary::test
