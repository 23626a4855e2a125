#include "fuzz/harness.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <stdexcept>

namespace granary::fuzz {

std::span<const Target> targets() {
    static constexpr std::array all{Target{"case", case_target},     Target{"stl", stl_target},
                                    Target{"bodies", bodies_target}, Target{"motion", motion_target},
                                    Target{"json", json_target},     Target{"cluster", cluster_target},
                                    Target{"shapes", shapes_target}, Target{"seal", seal_target},
                                    Target{"state", state_target},   Target{"checkpoint", checkpoint_target}};
    return all;
}

void must(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

// A file of its own name, since HDF5 asks for the real path; in memory where there is such a file system.
MemoryFile::MemoryFile() : fd_(-1) {
    for (const std::string& folder : {std::string("/dev/shm"), std::filesystem::temp_directory_path().string()}) {
        path_ = folder + "/granary-fuzz-XXXXXX";
        fd_ = ::mkostemp(path_.data(), O_CLOEXEC);
        if (fd_ >= 0) return;
    }
    throw std::runtime_error("no file can be made in " + path_);
}

MemoryFile::~MemoryFile() {
    ::close(fd_);
    ::unlink(path_.c_str());
}

const std::string& MemoryFile::hold(Bytes content) {
    // Over what was there: pages that are given back and taken anew cost more than the bytes.
    must(::pwrite(fd_, content.data(), content.size(), 0) == static_cast<ssize_t>(content.size()),
         "a file in memory is written");
    must(::ftruncate(fd_, static_cast<off_t>(content.size())) == 0, "a file in memory ends where its bytes do");
    return path_;
}

MemoryFile& one_file() {
    static MemoryFile file;
    return file;
}

double Numbers::real() {
    constexpr double huge = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
    constexpr std::array special{0.0,  -0.0, 1.0,   -1.0,  1e-3, 1e3,   1e9, -1e9,
                                 1e18, 1e19, -1e19, 1e300, huge, -huge, tiny};
    const auto kind = take<std::uint8_t>();
    if (kind < special.size()) return special[kind];
    if (kind == 253) return std::nan("");
    if (kind == 254) return HUGE_VAL;
    if (kind == 255) return -HUGE_VAL;
    if (kind < 128) return take<std::int16_t>() * 1e-4;
    return take<double>();
}

std::uint64_t Numbers::integer() {
    const auto kind = take<std::uint8_t>();
    if (kind < 64) return kind;
    if (kind < 128) return (std::uint64_t{1} << (kind - 64)) - 1;
    if (kind < 192) return std::uint64_t{1} << (kind - 128);
    return take<std::uint64_t>();
}

}  // namespace granary::fuzz
