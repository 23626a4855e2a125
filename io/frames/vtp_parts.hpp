// What the writers of .vtp files with appended raw numbers share: tags, the head, and how ranks write into one file.
#pragma once
#include <mpi.h>
#include <cstddef>
#include <cstdint>
#include <string>
#include "io/frames/frame_fields.hpp"

namespace granary {

inline constexpr std::uint64_t vtp_length_bytes = sizeof(std::uint64_t);  // before every array: how many bytes follow

struct FrameTime {
    double time = 0;  // s
    std::uint64_t step = 0;
};

// offset: of its length, from the first byte of the appended data.
std::string vtp_array_tag(const FrameArray& array, std::uint64_t offset);

std::string vtp_bytes(std::uint64_t number, std::size_t n_bytes);  // 4 or 8

// From the first line to the byte before the appended data, padded as readers need it. more: further field data; piece:
// all of <Piece>.
std::string vtp_head(const FrameTime& when, const std::string& more, const std::string& piece);
inline constexpr const char* vtp_tail = "\n</AppendedData>\n</VTKFile>\n";

// A file that this rank alone opens through MPI-IO, which knows what a shared file needs on each file system. Throws
// InputError.
class MpiFile {
  public:
    explicit MpiFile(const std::string& path);
    ~MpiFile();
    MpiFile(const MpiFile&) = delete;
    MpiFile& operator=(const MpiFile&) = delete;

    void write(std::uint64_t at, const std::byte* bytes, std::size_t n);  // n below 2^31
    void close();

  private:
    void check(int error, const char* what) const;
    [[noreturn]] void fail(const char* what, const std::string& why) const;
    std::string path_;
    MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace granary
