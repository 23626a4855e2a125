#include "io/formats/text_file.hpp"
#include <fcntl.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
#include "core/errors.hpp"

namespace granary {
namespace {

std::string reason() { return std::strerror(errno); }

}  // namespace

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
    if (this != &other) {
        close();
        fd_ = other.release();
    }
    return *this;
}

int OpenFile::release() { return std::exchange(fd_, -1); }

bool OpenFile::close() { return fd_ < 0 || ::close(release()) == 0; }

OpenFile open_for_writing(const std::string& path, bool append) {
    OpenFile file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (append ? O_APPEND : O_TRUNC), 0666));
    if (!file) throw InputError("cannot open " + path + " for writing: " + reason());
    return file;
}

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

std::string read_text_file(const std::string& path) {
    const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) throw InputError("cannot open " + path + ": " + reason());
    std::string text;
    std::array<char, 65536> buffer{};
    while (true) {
        const ssize_t n = ::read(file.fd(), buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw InputError("cannot read " + path + ": " + reason());
        if (n == 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

void write_text_file(const std::string& path, std::string_view text) {
    const std::string aside = path + ".part";
    const auto fail = [&] {
        const std::string why = reason();
        ::unlink(aside.c_str());
        throw RunError("cannot write " + path + ": " + why);
    };
    OpenFile file(::open(aside.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_TRUNC, 0666));
    if (!file || !write_all(file.fd(), text) || !file.close()) fail();
    if (std::rename(aside.c_str(), path.c_str()) != 0) fail();
}

}  // namespace granary
