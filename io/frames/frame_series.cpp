#include "io/frames/frame_series.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <charconv>
#include <filesystem>
#include "core/errors.hpp"
#include "io/formats/system_file.hpp"
#include "decomposition/together.hpp"
#include "io/frames/grain_surfaces.hpp"
#include "io/frames/vtp_file.hpp"
#include "io/frames/wall_ball_points.hpp"
#include "io/frames/wall_mesh.hpp"

namespace granary {
namespace {

namespace fs = std::filesystem;

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

FrameSeries::FrameSeries(boost::mpi::communicator comm, std::string folder, FrameOptions options, Axes axes)
    : comm_(std::move(comm)),
      folder_(std::move(folder)),
      options_(std::move(options)),
      axes_(axes),
      frames_(path("frames.pvd")),
      walls_(path("walls.pvd")),
      wall_balls_(path("wall_balls.pvd")),
      bonds_(path("bonds.pvd")),
      grains_(path("grains.pvd")) {
    together(comm_, [&] { check(options_); });
}

void FrameSeries::make_folder() const {
    together(comm_, [&] {
        std::error_code error;
        if (comm_.rank() == 0) fs::create_directories(path(subfolder), error);
        if (error) throw InputError(path(subfolder) + ": cannot create the folder: " + error.message());
    });
}

void FrameSeries::take_up(PvdFile& pvd, double time) const {
    std::vector<PvdEntry> kept;
    together(comm_, [&] {
        if (comm_.rank() > 0 || !fs::exists(pvd.path())) return;
        for (const PvdEntry& entry : read_pvd(pvd.path()))
            if (entry.time <= time && fs::exists(path(entry.file))) kept.push_back(entry);
        replace_file(pvd.path(), pvd_text(kept));
    });
    broadcast(comm_, kept);
    pvd.set(std::move(kept));
}

void FrameSeries::continue_from(double time) {
    for (PvdFile* pvd : {&frames_, &walls_, &wall_balls_, &bonds_, &grains_}) take_up(*pvd, time);
    current_walls_ = walls_.entries().empty() ? "" : walls_.entries().back().file;
    current_wall_balls_ = wall_balls_.entries().empty() ? "" : wall_balls_.entries().back().file;
}

std::uint64_t FrameSeries::next_frame(double time) const { return next_number(frames_.before(time)); }

void FrameSeries::write_bonds(std::vector<BondLine> mine, double time, std::uint64_t step) {
    std::erase_if(mine, [&](const BondLine& b) { return !is_shown(b, options_, axes_); });
    const PvdEntry lines{time, file_name("bonds", next_frame(time))};  // of the number of the frame
    make_folder();
    write_bond_lines(comm_, path(lines.file), mine, axes_, {time, step}, options_.double_precision);
    together(comm_, [&] {
        if (comm_.rank() == 0) bonds_.write(lines);
    });
    bonds_.add(lines);
}

void FrameSeries::write_grains(const Bodies& bodies, const Motion& motion, std::span<const ShapeTemplate> shapes,
                               double time, std::uint64_t step) {
    const PvdEntry surfaces{time, file_name("grains", next_frame(time))};  // of the number of the frame
    make_folder();
    write_grain_surfaces(comm_, path(surfaces.file), drawn_grains(bodies, motion, axes_, shapes, options_), shapes,
                         axes_, {time, step});
    together(comm_, [&] {
        if (comm_.rank() == 0) grains_.write(surfaces);
    });
    grains_.add(surfaces);
}

void FrameSeries::write(const Bodies& bodies, const Motion& motion, double time, std::uint64_t step) {
    const PvdEntry frame{time, file_name("frame", next_frame(time))};
    make_folder();
    write_frame(comm_, path(frame.file), bodies, motion, axes_, {time, step}, options_);
    together(comm_, [&] {
        if (comm_.rank() > 0) return;
        // A reader between two times shows the later one, so the walls are listed at every time of a frame.
        if (!current_walls_.empty()) walls_.write({time, current_walls_});
        if (!current_wall_balls_.empty()) wall_balls_.write({time, current_wall_balls_});
        frames_.write(frame);
    });
    if (!current_walls_.empty()) walls_.add({time, current_walls_});
    if (!current_wall_balls_.empty()) wall_balls_.add({time, current_wall_balls_});
    frames_.add(frame);
}

void FrameSeries::write_walls(std::span<const Wall> walls, const Domain& domain, std::span<const char> open) {
    make_folder();
    const std::string file = file_name("walls", next_number(walls_.entries()));
    granary::write_walls(comm_, path(file), walls, domain, axes_, open);
    current_walls_ = file;
}

void FrameSeries::write_wall_balls(std::span<const WallBall> balls, std::span<const char> open) {
    make_folder();
    const std::string file = file_name("wall_balls", next_number(wall_balls_.entries()));
    together(comm_, [&] {
        if (comm_.rank() == 0) granary::write_wall_balls(path(file), balls, axes_, open);
    });
    current_wall_balls_ = file;
}

}  // namespace granary
