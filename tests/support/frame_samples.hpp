// Bodies and a folder for the tests of frames; for any number of ranks.
#pragma once
#include <string>
#include <vector>
#include "core/axes.hpp"
#include "io/frames/vtp_file.hpp"
#include "support/state_samples.hpp"
#include "support/vtp_reader.hpp"

namespace granary::samples {

inline Motion motion() { return {0.25, {0.5, -9.75, 2.0}, {}}; }

class FrameTest : public StateFileTest {
  protected:
    // Bodies [0, n) dealt out unevenly over the ranks of comm, every third rank without any.
    static Bodies share(const mpi::communicator& comm, std::uint64_t n) {
        const auto [first, mine] = uneven(n, comm.rank(), comm.size());
        return make(first, mine);
    }
    void frame(const mpi::communicator& comm, const std::string& path, std::uint64_t n,
               const FrameOptions& options) const {
        write_frame(comm, path, share(comm, n), motion(), Axes(), {0.1, 42}, options);
    }
    // Writes a frame and reads it on every rank.
    test::Vtp written(std::uint64_t n, const FrameOptions& options) const {
        frame(world, in_folder("a.vtp"), n, options);
        const test::Vtp vtp = test::read_vtp(in_folder("a.vtp"));
        EXPECT_EQ(vtp.problems, std::vector<std::string>());
        world.barrier();
        return vtp;
    }
};

// All fields that a frame can have.
inline FrameOptions everything(bool double_precision = false) {
    FrameOptions options;
    options.fields = frame_field_names();
    options.double_precision = double_precision;
    return options;
}

}  // namespace granary::samples
