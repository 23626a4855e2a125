// Frames in the order of time, for ParaView to open as one thing:
//   <folder>/frames.pvd                       the balls: times and files, always listing whole files only
//   <folder>/walls.pvd                        the walls, at the same times
//   <folder>/wall_balls.pvd                   the balls that walls are made of, if there are any
//   <folder>/bonds.pvd                        the bonds, in runs with bonds, at the same times
//   <folder>/grains.pvd                       the grains that are no balls, true to shape, in runs with shapes
//   <folder>/frames/frame_000012.vtp          one frame, see vtp_file.hpp
//   <folder>/frames/bonds_000012.vtp          the bonds of that frame, see bond_lines.hpp
//   <folder>/frames/grains_000012.vtp         the shapes of that frame, see grain_surfaces.hpp
//   <folder>/frames/walls_000000.vtp          the walls from some frame on, see wall_mesh.hpp
// Files are named relative to the .pvd, so the folder may be moved.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "core/axes.hpp"
#include "core/bodies.hpp"
#include "core/domain.hpp"
#include "core/wall_ball.hpp"
#include "io/frames/bond_lines.hpp"
#include "io/frames/frame_fields.hpp"
#include "io/frames/pvd_file.hpp"
#include "motion/integrate.hpp"
#include "shapes/shape_template.hpp"
#include "walls/wall_shapes.hpp"

namespace granary {

// All of it is collective; what cannot be done throws the same InputError on all ranks, and what was there before
// stays.
class FrameSeries {
  public:
    // Checks the options. Writes nothing yet: the folder is made with the first frame, which then begins the
    // series anew.
    FrameSeries(boost::mpi::communicator comm, std::string folder, FrameOptions options, Axes axes);

    // Goes on with the series in the folder, cut back to its frames not later than `time`; entries whose file is
    // gone are left out. Files of later frames stay where they are until they are written again. Without a series
    // in the folder: a new one.
    void continue_from(double time);

    // The next frame. One of the same time or later (of a run that went further before it was resumed) gives way to it.
    void write(const Bodies& bodies, const Motion& motion, double time, std::uint64_t step);

    // The bonds of the next frame: this rank's, each once over all ranks. Those that the options leave out are not
    // written. To be followed by write() of the same time.
    void write_bonds(std::vector<BondLine> mine, double time, std::uint64_t step);

    // The grains of the next frame that are no balls, as surfaces; templates in the axes inside. To be followed by
    // write() of the same time.
    void write_grains(const Bodies& bodies, const Motion& motion, std::span<const ShapeTemplate> shapes, double time,
                      std::uint64_t step);

    // The walls as they are from the next frame on; walls and domain in the axes inside, open as in wall_mesh.hpp.
    void write_walls(std::span<const Wall> walls, const Domain& domain, std::span<const char> open = {});

    // The same for the balls that walls are made of: wall_balls.pvd, frames/wall_balls_000000.vtp. open: by wall.
    void write_wall_balls(std::span<const WallBall> balls, std::span<const char> open = {});

    std::span<const PvdEntry> frames() const { return frames_.entries(); }
    std::span<const PvdEntry> walls() const { return walls_.entries(); }

  private:
    std::string path(const std::string& file) const { return folder_ + "/" + file; }
    void make_folder() const;
    std::uint64_t next_frame(double time) const;
    void take_up(PvdFile& pvd, double time) const;

    boost::mpi::communicator comm_;
    std::string folder_;
    FrameOptions options_;
    Axes axes_;
    PvdFile frames_, walls_, wall_balls_, bonds_, grains_;
    std::string current_walls_, current_wall_balls_;  // files of the present walls; empty: none were given
};

}  // namespace granary
