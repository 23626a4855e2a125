// A .pvd file: which file shows which time, for ParaView to open a series as one thing.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace granary {

struct PvdEntry {
    double time = 0;   // s
    std::string file;  // relative to the .pvd
    friend bool operator==(const PvdEntry&, const PvdEntry&) = default;
};

std::string pvd_text(std::span<const PvdEntry> entries);

// Throws InputError if the file cannot be read or is no .pvd as pvd_text makes them. One of our own whose end is
// missing, because the machine went down while it was written, is read as far as it goes.
std::vector<PvdEntry> read_pvd(const std::string& path);

// A .pvd that grows with a run. A new entry takes the place of the closing tags, and they follow it in the same write:
// each costs as little as the first, and whoever opens the file finds it whole. It is brought to the disk before the
// next one. If it is not as it was left, because someone changed it or it lists what will be written again, it is made
// anew.
class PvdFile {
  public:
    explicit PvdFile(std::string path) : path_(std::move(path)) {}

    const std::string& path() const { return path_; }
    std::span<const PvdEntry> entries() const { return entries_; }
    std::span<const PvdEntry> before(double time) const;  // earlier than that

    void set(std::vector<PvdEntry> entries);  // what the file lists, or is to list with the next entry
    void write(const PvdEntry& entry) const;  // to the file, behind all earlier entries; later ones give way
    void add(const PvdEntry& entry);          // the same for what is remembered; on every rank

  private:
    std::string path_;
    std::vector<PvdEntry> entries_;  // times ascending
    std::uint64_t bytes_ = 0;        // up to the closing tags
};

}  // namespace granary
