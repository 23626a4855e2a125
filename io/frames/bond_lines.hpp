// The bonds of all ranks at one time as lines in one .vtp file (VTK XML PolyData, appended raw binary), beside the
// frame of the balls. A line goes from one body to the other; across a periodic face it ends where the image of the
// other is.
//   cell data:   type           number of the kind of bond
//                age            s since it was made
//                tensile_share  tension (and bending) over its strength, negative in pressure; 0 if it cannot break so
//                shear_share    shear (and twist) over its strength; 0 if it cannot break so
//                id_a, id_b     of its bodies, the smaller first
//   field data:  TimeValue (s), step
// The same state makes the same file, byte for byte, whatever the number of ranks. It is written like vtp_file.hpp.
#pragma once
#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <span>
#include <string>
#include "core/axes.hpp"
#include "core/bodies.hpp"
#include "io/frames/vtp_parts.hpp"

namespace granary {

struct BondLine {
    Vec3d from, to;  // m, places of its bodies, in the axes inside
    Id smaller = 0, larger = 0;
    std::uint16_t type = 0;
    double age = 0;                             // s
    double tensile_share = 0, shear_share = 0;  // see above
    double larger_share() const { return std::max({tensile_share, shear_share, 0.0}); }
};

// Which bonds a frame shows: both bodies among every n-th, the middle in the region.
bool is_shown(const BondLine& bond, const FrameOptions& options, const Axes& axes);

// Collective: the lines of all ranks, ranks in order. Whole or not at all; a failure throws the same InputError on all
// ranks, and an older file of that name stays.
void write_bond_lines(const boost::mpi::communicator& comm, const std::string& path, std::span<const BondLine> mine,
                      const Axes& axes, const FrameTime& when, bool double_precision = false);

}  // namespace granary
