#include "io/log/standard_output.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace granary {

std::string print_out(std::string_view text) {
    errno = 0;
    const bool whole = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (std::fflush(stdout) == 0 && whole) return {};
    const int error = errno;
    std::clearerr(stdout);
    return error != 0 ? std::strerror(error) : "it is closed";
}

void open_missing_streams() {
    for (int fd = 0; fd <= 2; ++fd)
        if (::fcntl(fd, F_GETFD) == -1 && errno == EBADF) {
            const int nowhere =
                ::open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY);  // the lowest that is free: this one
            if (nowhere > fd) ::dup2(nowhere, fd), ::close(nowhere);
        }
}

void survive_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

}  // namespace granary
