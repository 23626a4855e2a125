// Hostile input for everything that reads files: each target takes any bytes and must come back, with or without an
// InputError, but never crash, hang, leak or reserve memory that has nothing to do with the size of its input. The same
// functions run in two ways:
//   replay_test.cpp    every test run: all files of corpus/<target>, by the usual compiler
//   fuzz_main.cpp      jobs/fuzz: libFuzzer of clang makes up inputs, with the sanitizers
#pragma once
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace granary::fuzz {

using Bytes = std::string_view;

struct Target {
    const char* name;
    void (*run)(Bytes);
};
std::span<const Target> targets();

void case_target(Bytes);        // a case: read, written out, read again, planned as `granary check` does
void stl_target(Bytes);         // triangles, welded, with their cubes
void bodies_target(Bytes);      // text files of balls
void motion_target(Bytes);      // tables of motions
void cluster_target(Bytes);     // elements of a cluster, in a list or to fill a drawing
void shapes_target(Bytes);      // rigid shapes: of Rockable, triangles, lists of balls
void json_target(Bytes);        // status.json, phases.json
void seal_target(Bytes);        // the lines of a seal, closed with a good checksum, before a good state
void state_target(Bytes);       // edits of a good state file, sealed again; a case starts from it
void checkpoint_target(Bytes);  // edits of a good checkpoint, with which a run goes on

// Ends the program: something that is promised does not hold.
void must(bool holds, const char* what);

// A file in memory that has a path.
class MemoryFile {
  public:
    MemoryFile();
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    const std::string& hold(Bytes content);  // nothing else from now on; gives the path
    const std::string& path() const { return path_; }

  private:
    int fd_;
    std::string path_;
};

MemoryFile& one_file();  // for targets that need one at a time

// The bytes of an input as numbers, one after the other; zeros at the end.
class Numbers {
  public:
    explicit Numbers(Bytes from) : rest_(from) {}
    bool any() const { return !rest_.empty(); }
    template <class T> T take() {
        T value{};
        const std::size_t n = rest_.size() < sizeof value ? rest_.size() : sizeof value;
        if (n > 0) std::memcpy(&value, rest_.data(), n);  // an empty input may have no address
        rest_.remove_prefix(n);
        return value;
    }
    std::size_t below(std::size_t n) { return n == 0 ? 0 : take<std::uint16_t>() % n; }
    // Most of the numbers that make trouble are not near others: limits, powers of two, what is no number.
    double real();
    std::uint64_t integer();

  private:
    Bytes rest_;
};

}  // namespace granary::fuzz
