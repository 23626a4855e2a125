// Text that goes to a file through the system directly, so that what was written is out of our hands at once.
#pragma once
#include <string>
#include <string_view>

namespace granary {

// A file descriptor that closes itself.
class OpenFile {
  public:
    OpenFile() = default;
    explicit OpenFile(int fd) : fd_(fd) {}
    OpenFile(OpenFile&& other) noexcept : fd_(other.release()) {}
    OpenFile& operator=(OpenFile&& other) noexcept;
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile() { close(); }

    int fd() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    int release();
    bool close();  // false: the system says that something was not written (errno)

  private:
    int fd_ = -1;
};

// Opens a file for writing, made if it is not there; append: what stands in it stays and is written behind, else it is
// emptied. Throws InputError.
OpenFile open_for_writing(const std::string& path, bool append);

// All of the text, or false with the reason in errno; some of it may have been written.
bool write_all(int fd, std::string_view text);

// The whole content of a file. Throws InputError.
std::string read_text_file(const std::string& path);

// The file whole or not at all: written aside as <path>.part and renamed. Throws RunError.
void write_text_file(const std::string& path, std::string_view text);

}  // namespace granary
