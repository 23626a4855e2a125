#include "io/frame_series.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include "core/errors.hpp"
#include "io/system_file.hpp"
#include "io/together.hpp"
#include "io/vtp_file.hpp"
#include "io/wall_ball_points.hpp"
#include "io/wall_mesh.hpp"

namespace granary {
namespace {

namespace fs = std::filesystem;

constexpr const char* frames_pvd = "frames.pvd";
constexpr const char* walls_pvd = "walls.pvd";
constexpr const char* wall_balls_pvd = "wall_balls.pvd";
constexpr const char* subfolder = "frames";

std::string file_name(const char* kind, std::uint64_t number) {
    return fmt::format("{}/{}_{:06}.vtp", subfolder, kind, number);
}

// The number in a file's name: its last digits before the suffix; 0 if it has none.
std::uint64_t number_in(const std::string& file) {
    const std::size_t dot = file.rfind('.');
    const std::string stem = file.substr(0, dot);
    const std::size_t before = stem.find_last_not_of("0123456789");
    std::uint64_t number = 0;
    const std::size_t first = before == std::string::npos ? 0 : before + 1;
    std::from_chars(stem.data() + first, stem.data() + stem.size(), number);
    return number;
}

// A number that no file of the series has.
std::uint64_t next_number(std::span<const PvdEntry> entries) {
    std::uint64_t next = 0;
    for (const PvdEntry& entry : entries) next = std::max(next, number_in(entry.file) + 1);
    return next;
}

std::vector<PvdEntry> before(std::span<const PvdEntry> entries, double time) {
    std::vector<PvdEntry> kept;
    std::copy_if(entries.begin(), entries.end(), std::back_inserter(kept),
                 [&](const PvdEntry& entry) { return entry.time < time; });
    return kept;
}

[[noreturn]] void fail_no_pvd(const std::string& path, const std::string& why) {
    throw InputError(path + ": is no series of frames as Granary writes them: " + why +
                     "; move it away to begin a new series");
}

// The value of an attribute in the text of one tag.
std::string attribute(const std::string& tag, const std::string& name, const std::string& path) {
    const std::string opening = " " + name + "=\"";
    const std::size_t at = tag.find(opening);
    const std::size_t end = at == std::string::npos ? at : tag.find('"', at + opening.size());
    if (end == std::string::npos) fail_no_pvd(path, "an entry without " + name);
    return tag.substr(at + opening.size(), end - at - opening.size());
}

void broadcast(const boost::mpi::communicator& comm, std::vector<PvdEntry>& entries) {
    std::vector<double> times;
    std::vector<std::string> files;
    for (const PvdEntry& entry : entries) times.push_back(entry.time), files.push_back(entry.file);
    boost::mpi::broadcast(comm, times, 0);
    boost::mpi::broadcast(comm, files, 0);
    entries.clear();
    for (std::size_t k = 0; k < times.size(); ++k) entries.push_back({times[k], files[k]});
}

}  // namespace

std::string pvd_text(std::span<const PvdEntry> entries) {
    std::string text =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
        "byte_order=\"LittleEndian\">\n<Collection>\n";
    for (const PvdEntry& entry : entries)  // {} writes as many digits as it takes to read the same bits again
        text += fmt::format("<DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}\"/>\n", entry.time, entry.file);
    return text + "</Collection>\n</VTKFile>\n";
}

std::vector<PvdEntry> read_pvd(const std::string& path) {
    if (fs::is_directory(path)) fail_no_pvd(path, "it is a folder");
    std::ifstream file(path, std::ios::binary);
    if (!file) fail_by_system(path, "cannot read the file");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.find("<VTKFile type=\"Collection\"") == std::string::npos) fail_no_pvd(path, "no VTK collection");
    if (text.find("</VTKFile>") == std::string::npos) fail_no_pvd(path, "its end is missing");
    std::vector<PvdEntry> entries;
    for (std::size_t at = 0; (at = text.find("<DataSet", at)) != std::string::npos; ++at) {
        const std::string tag = text.substr(at, text.find('>', at) - at);
        const std::string time = attribute(tag, "timestep", path);
        PvdEntry entry{0, attribute(tag, "file", path)};
        const auto [end, error] = std::from_chars(time.data(), time.data() + time.size(), entry.time);
        if (error != std::errc() || end != time.data() + time.size()) fail_no_pvd(path, "\"" + time + "\" is no time");
        entries.push_back(entry);
    }
    return entries;
}

FrameSeries::FrameSeries(boost::mpi::communicator comm, std::string folder, FrameOptions options, Axes axes)
    : comm_(std::move(comm)),
      folder_(std::move(folder)),
      options_(std::move(options)),
      axes_(axes) {
    together(comm_, [&] { check(options_); });
}

void FrameSeries::make_folder() const {
    together(comm_, [&] {
        std::error_code error;
        if (comm_.rank() == 0) fs::create_directories(path(subfolder), error);
        if (error) throw InputError(path(subfolder) + ": cannot make the folder: " + error.message());
    });
}

std::vector<PvdEntry> FrameSeries::take_up(const std::string& pvd, double time) const {
    std::vector<PvdEntry> kept;
    together(comm_, [&] {
        if (comm_.rank() > 0 || !fs::exists(path(pvd))) return;
        for (const PvdEntry& entry : read_pvd(path(pvd)))
            if (entry.time <= time && fs::exists(path(entry.file))) kept.push_back(entry);
        replace_file(path(pvd), pvd_text(kept));
    });
    broadcast(comm_, kept);
    return kept;
}

void FrameSeries::continue_from(double time) {
    frames_ = take_up(frames_pvd, time);
    walls_ = take_up(walls_pvd, time);
    wall_balls_ = take_up(wall_balls_pvd, time);
    current_walls_ = walls_.empty() ? "" : walls_.back().file;
    current_wall_balls_ = wall_balls_.empty() ? "" : wall_balls_.back().file;
}

void FrameSeries::write(const Bodies& bodies, const Motion& motion, double time, std::uint64_t step) {
    std::vector<PvdEntry> frames = before(frames_, time), walls = before(walls_, time),
                          wall_balls = before(wall_balls_, time);
    frames.push_back({time, file_name("frame", next_number(frames))});
    if (!current_walls_.empty()) walls.push_back({time, current_walls_});
    if (!current_wall_balls_.empty()) wall_balls.push_back({time, current_wall_balls_});
    make_folder();
    write_frame(comm_, path(frames.back().file), bodies, motion, axes_, {time, step}, options_);
    together(comm_, [&] {
        if (comm_.rank() > 0) return;
        // A reader between two times shows the later one, so the walls are listed at every time of a frame.
        if (!current_walls_.empty()) replace_file(path(walls_pvd), pvd_text(walls));
        if (!current_wall_balls_.empty()) replace_file(path(wall_balls_pvd), pvd_text(wall_balls));
        replace_file(path(frames_pvd), pvd_text(frames));
    });
    wall_balls_ = std::move(wall_balls);
    frames_ = std::move(frames);
    walls_ = std::move(walls);
}

void FrameSeries::write_walls(std::span<const Wall> walls, const Domain& domain, std::span<const char> open) {
    make_folder();
    const std::string file = file_name("walls", next_number(walls_));
    granary::write_walls(comm_, path(file), walls, domain, axes_, open);
    current_walls_ = file;
}

void FrameSeries::write_wall_balls(std::span<const WallBall> balls, std::span<const char> open) {
    make_folder();
    const std::string file = file_name("wall_balls", next_number(wall_balls_));
    together(comm_, [&] {
        if (comm_.rank() == 0) granary::write_wall_balls(path(file), balls, axes_, open);
    });
    current_wall_balls_ = file;
}

}  // namespace granary
