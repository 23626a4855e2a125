// Files by the calls of the system, which say why something failed. Every failure is an InputError: "<path>: <what>:
// <reason>".
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace granary {

[[noreturn]] void fail_by_system(const std::string& path, const std::string& what);  // the reason is errno's

// A descriptor of the system that closes itself.
class Descriptor {
  public:
    Descriptor(int fd, const std::string& path, const std::string& what);
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    operator int() const { return fd_; }

  private:
    int fd_;
};

Descriptor new_file(const std::string& path);  // empty, whatever was there
Descriptor open_to_write(const std::string& path);

// Gives the file this size, with room for it on the disk. Where the file system cannot reserve room, a full disk
// shows up later, while the file is written.
void reserve_room(int file, std::uint64_t size, const std::string& path);

void write_all(int file, std::string_view bytes, std::uint64_t at, const std::string& path);
void bring_to_disk(int file, const std::string& path);

// The whole file `part`, which is safe on the disk, takes the name `path`, in the place of an older file; and that is
// brought to the disk, too.
void take_name(const std::string& part, const std::string& path);

// A file that ends with old_end, beginning at byte `at`, ends with new_end afterwards, and is brought to the disk.
// Nothing else of it is touched; it is one write, so that a reader sees the one end or the other. False, and nothing is
// done, if the file is not there or does not end so. If there is no room for the new end, the old one is put back.
bool replace_end(const std::string& path, std::uint64_t at, std::string_view old_end, std::string_view new_end);

// A small file, whole or not at all: written aside as path + ".part", brought to the disk, renamed. The part of a
// failure is removed.
void replace_file(const std::string& path, std::string_view text);

}  // namespace granary
