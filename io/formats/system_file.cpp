#include "io/formats/system_file.hpp"
#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include "core/errors.hpp"

namespace granary {

void fail_by_system(const std::string& path, const std::string& what) {
    throw InputError(path + ": " + what + ": " + std::strerror(errno));
}

Descriptor::Descriptor(int fd, const std::string& path, const std::string& what) : fd_(fd) {
    if (fd_ < 0) fail_by_system(path, what);
}

Descriptor::~Descriptor() { ::close(fd_); }

Descriptor new_file(const std::string& path) {
    return {::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), path, "cannot create the file"};
}

Descriptor open_to_write(const std::string& path) {
    return {::open(path.c_str(), O_RDWR | O_CLOEXEC), path, "cannot open the file"};
}

void reserve_room(int file, std::uint64_t size, const std::string& path) {
    const off_t length = static_cast<off_t>(size);
    if (::ftruncate(file, length) == 0 &&
        (size == 0 || ::fallocate(file, 0, 0, length) == 0 || errno == EOPNOTSUPP || errno == ENOSYS))
        return;
    fail_by_system(path, "cannot reserve " + std::to_string(size) + " bytes");
}

void write_all(int file, std::string_view bytes, std::uint64_t at, const std::string& path) {
    while (!bytes.empty()) {
        const ssize_t now = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (now < 0 && errno == EINTR) continue;
        if (now < 0) fail_by_system(path, "cannot write");
        bytes.remove_prefix(static_cast<std::size_t>(now));
        at += static_cast<std::uint64_t>(now);
    }
}

void bring_to_disk(int file, const std::string& path) {
    if (::fsync(file) != 0) fail_by_system(path, "cannot flush the file to disk");
}

void take_name(const std::string& part, const std::string& path) {
    if (std::rename(part.c_str(), path.c_str()) != 0) fail_by_system(path, "cannot rename the finished file");
    const std::size_t slash = path.rfind('/');
    const int folder = ::open(slash == std::string::npos ? "." : path.substr(0, slash + 1).c_str(),
                              O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;  // the file is there; some file systems open no folders
    ::fsync(folder);
    ::close(folder);
}

bool replace_end(const std::string& path, std::uint64_t at, std::string_view old_end, std::string_view new_end) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) return false;
    const Descriptor file(fd, path, "cannot open the file");
    std::string found(old_end.size() + 1, '\0');  // one more: the file must not go on
    const ssize_t n = ::pread(file, found.data(), found.size(), static_cast<off_t>(at));
    if (n < 0) fail_by_system(path, "cannot read");
    if (std::string_view(found.data(), static_cast<std::size_t>(n)) != old_end) return false;
    try {
        write_all(file, new_end, at, path);
        if (new_end.size() < old_end.size() && ::ftruncate(file, static_cast<off_t>(at + new_end.size())) != 0)
            fail_by_system(path, "cannot shorten the file");
        bring_to_disk(file, path);
    } catch (const InputError&) {
        try {
            write_all(file, old_end, at, path);
        } catch (const InputError&) {  // what could not be written now was not changed before
        }
        [[maybe_unused]] const int ignored = ::ftruncate(file, static_cast<off_t>(at + old_end.size()));
        throw;
    }
    return true;
}

void replace_file(const std::string& path, std::string_view text) {
    const std::string part = path + ".part";
    const Descriptor file = new_file(part);
    try {
        write_all(file, text, 0, part);
        bring_to_disk(file, part);
        take_name(part, path);
    } catch (const InputError&) {
        ::unlink(part.c_str());
        throw;
    }
}

}  // namespace granary
