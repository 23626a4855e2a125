#include "io/frames/pvd_file.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include "core/errors.hpp"
#include "io/formats/system_file.hpp"

namespace granary {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view opening =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
    "byte_order=\"LittleEndian\">\n<Collection>\n";
constexpr std::string_view closing = "</Collection>\n</VTKFile>\n";

std::string line_of(const PvdEntry& entry) {  // {} writes as many digits as it takes to read the same bits again
    return fmt::format("<DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}\"/>\n", entry.time, entry.file);
}

[[noreturn]] void fail_no_pvd(const std::string& path, const std::string& why) {
    throw InputError(path + ": is not a frame series of Granary: " + why + "; move it away to start a new series");
}

// The value of an attribute in the text of one tag.
std::string attribute(const std::string& tag, const std::string& name, const std::string& path) {
    const std::string before = " " + name + "=\"";
    const std::size_t at = tag.find(before);
    const std::size_t end = at == std::string::npos ? at : tag.find('"', at + before.size());
    if (end == std::string::npos) fail_no_pvd(path, "an entry without " + name);
    return tag.substr(at + before.size(), end - at - before.size());
}

}  // namespace

std::string pvd_text(std::span<const PvdEntry> entries) {
    std::string text(opening);
    for (const PvdEntry& entry : entries) text += line_of(entry);
    return text.append(closing);
}

std::vector<PvdEntry> read_pvd(const std::string& path) {
    if (fs::is_directory(path)) fail_no_pvd(path, "it is a folder");
    std::ifstream file(path, std::ios::binary);
    if (!file) fail_by_system(path, "cannot read the file");
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.find("<VTKFile type=\"Collection\"") == std::string::npos) fail_no_pvd(path, "not a VTK collection");
    if (text.find("</VTKFile>") == std::string::npos) {
        if (!text.starts_with(opening)) fail_no_pvd(path, "its end is missing");
        text.resize(text.rfind("/>\n") == std::string::npos ? opening.size() : text.rfind("/>\n") + 3);
    }
    std::vector<PvdEntry> entries;
    for (std::size_t at = 0; (at = text.find("<DataSet", at)) != std::string::npos; ++at) {
        const std::string tag = text.substr(at, text.find('>', at) - at);
        const std::string time = attribute(tag, "timestep", path);
        PvdEntry entry{0, attribute(tag, "file", path)};
        const auto [end, error] = std::from_chars(time.data(), time.data() + time.size(), entry.time);
        if (error != std::errc() || end != time.data() + time.size())
            fail_no_pvd(path, "\"" + time + "\" is not a time");
        entries.push_back(entry);
    }
    return entries;
}

std::span<const PvdEntry> PvdFile::before(double time) const {
    const auto end = std::find_if(entries_.rbegin(), entries_.rend(), [&](const PvdEntry& e) { return e.time < time; });
    return {entries_.begin(), end.base()};
}

void PvdFile::set(std::vector<PvdEntry> entries) {
    entries_ = std::move(entries);
    bytes_ = opening.size();
    for (const PvdEntry& entry : entries_) bytes_ += line_of(entry).size();
}

void PvdFile::write(const PvdEntry& entry) const {
    const std::span<const PvdEntry> kept = before(entry.time);
    if (!kept.empty() && kept.size() == entries_.size() &&
        replace_end(path_, bytes_, closing, line_of(entry).append(closing)))
        return;
    std::vector<PvdEntry> all(kept.begin(), kept.end());
    all.push_back(entry);
    replace_file(path_, pvd_text(all));
}

void PvdFile::add(const PvdEntry& entry) {
    if (const std::size_t n = before(entry.time).size(); n < entries_.size() || n == 0) {
        entries_.resize(n);
        set(std::move(entries_));
    }
    entries_.push_back(entry);
    bytes_ += line_of(entry).size();
}

}  // namespace granary
