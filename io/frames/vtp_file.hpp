// One frame: the balls of all ranks at one time in one .vtp file (VTK XML PolyData, appended raw binary), as ParaView
// opens it. The balls are points, held by one poly-vertex cell; fields are point data, with their unit as
// UNITS_LABEL; field data TimeValue (s), step, and velocity_time (s), the same: velocities and spins are brought to it.
// The same state makes the same file, byte for byte, whatever the number of ranks.
//
// Rank 0 makes the file, with its room on the disk reserved, and writes head, lengths and tail; then every rank
// writes its own rows with MPI-IO. Each rank opens the file by itself and none writes collectively: a collective
// write or open in which one rank fails tells nobody or leaves the others waiting, depending on the MPI-IO in use.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <string>
#include <vector>
#include "core/axes.hpp"
#include "core/bodies.hpp"
#include "io/frames/frame_fields.hpp"
#include "io/frames/vtp_parts.hpp"
#include "motion/integrate.hpp"

namespace granary {

// Collective. Writes the chosen real bodies of all ranks, ranks in order. The file is written as path + ".part" and
// takes its name when it is whole and on the disk. Any failure throws the same InputError on all ranks; an older file
// of that name is then untouched and the part removed. The bodies are not changed.
void write_frame(const boost::mpi::communicator& comm, const std::string& path, const Bodies& bodies,
                 const Motion& motion, const Axes& axes, const FrameTime& when, const FrameOptions& options);

// Where things lie in the file of n balls.
struct VtpLayout {
    std::vector<FrameArray> arrays;
    std::string head, tail;  // text before the first and after the last array
    std::vector<std::uint64_t>
        rows_at;  // by array: place of its first row in the file; its length stands in the 8 bytes before
    std::uint64_t offset_at = 0;  // the end of the one cell's connectivity, an array of its own
    std::uint64_t tail_at = 0, size = 0;
    std::uint64_t n = 0;
};

VtpLayout vtp_layout(const FrameOptions& options, std::uint64_t n, const FrameTime& when);

}  // namespace granary
