// Opens a series of frames in ParaView itself, where pvpython is installed; the other tests read the files with a
// reader of their own.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <boost/mpi/communicator.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>
#include "io/frames/frame_series.hpp"
#include "support/state_samples.hpp"
#include "support/source_folder.hpp"

namespace granary {
namespace {

namespace fs = std::filesystem;

bool installed(const std::string& program) {
    return std::system(("command -v " + program + " >/dev/null").c_str()) == 0;
}

// Sum of one number over all bodies, as JSON.
template <class F> std::string sum(std::uint64_t n, F&& value) {
    double total = 0;
    for (std::uint64_t k = 0; k < n; ++k) total += value(samples::body_of(k));
    std::ostringstream text;
    text << std::showpoint << total;
    return text.str();
}

TEST(ParaView, OpensASeriesWithItsWalls) {
    if (!installed("pvpython")) GTEST_SKIP() << "pvpython is not installed";
    const fs::path folder = fs::temp_directory_path() / ("granary_paraview_test_" + std::to_string(::getpid()));
    fs::remove_all(folder);

    FrameOptions options;
    options.fields = {"id", "radius", "velocity", "material", "spin", "speed"};
    FrameSeries series(boost::mpi::communicator(), (folder / "my results").string(), options, Axes());
    const Motion still{0.0, {}, {}};
    const Domain box{{-1, -1, -1}, {1, 1, 1}, {}};
    std::vector<Wall> walls{make_wall("st\xc3\xa5l & co", ConeFrustum{{0, 0, -0.5}, {0, 0, 0.5}, 0.25, 1}, 1),
                            make_wall("floor", Plane{{0, 0, -1}, {0, 0, 1}}, 0),
                            make_wall("gate", Disc{{0, 0, -0.5}, {0, 0, 1}, 0.25}, 0)};
    series.write_walls(walls, box);
    series.write(samples::make(0, 0), still, 0, 0);  // nothing there yet
    series.write(samples::make(0, 50), still, 0.1, 1000);
    walls.pop_back();
    series.write_walls(walls, box);
    series.write(samples::make(0, 120), still, 0.30000000000000004, 3000);

    const auto radius = [](const BodyRecord& b) { return b.position[3]; };
    const auto x = [](const BodyRecord& b) { return b.position[0]; };
    const auto y = [](const BodyRecord& b) { return b.position[1]; };
    const auto z = [](const BodyRecord& b) { return b.position[2]; };
    const auto row = [&](std::uint64_t n) { return fmt::format("[{}, {}, {}]", sum(n, x), sum(n, y), sum(n, z)); };
    std::ofstream(folder / "expected.json")
        << R"({"times": [0.0, 0.1, 0.3], "balls": [0, 50, 120], "cells": [0, 1, 1], "cell_points": [0, 50, 120],
"time_values": [0.0, 0.1, 0.3], "steps": [0, 1000, 3000],
"fields": ["id", "material", "radius", "speed", "spin", "velocity"],
"types": {"radius": "float", "velocity": "float", "material": "unsigned short"},
"units": {"radius": "m", "velocity": "m/s", "spin": "rad/s", "speed": "m/s"},
"largest_id": [null, )"
        << samples::body_of(49).id << ", " << samples::body_of(119).id << R"(],
"sums": {"radius": [[0.0], [)"
        << sum(50, radius) << "], [" << sum(120, radius) << R"(]],
  "position": [[0.0, 0.0, 0.0], )"
        << row(50) << ", " << row(120) << R"(]},
"wall_times": [0.0, 0.1, 0.3], "wall_cells": [129, 129, 65], "wall_numbers": [[0, 1, 2], [0, 1, 2], [0, 1]],
"wall_names": [["stål & co", "floor", "gate"], ["stål & co", "floor", "gate"], ["stål & co", "floor"]],
"wall_bounds": [[-1.0, 1.0, -1.0, 1.0, -1.0, 0.5], [-1.0, 1.0, -1.0, 1.0, -1.0, 0.5], [-1.0, 1.0, -1.0, 1.0, -1.0, 0.5]]}
)";
    // A clean environment: what MPI left in this one would make pvpython believe that it is part of the test.
    const std::string pvpython = installed("xvfb-run") ? "xvfb-run -a pvpython" : "pvpython";
    const std::string command =
        fmt::format("env -i PATH=\"$PATH\" HOME=\"$HOME\" {} {} '{}' --expect '{}' >'{}'", pvpython,
                    source_path("tests/paraview/what_paraview_sees.py"), (folder / "my results").string(),
                    (folder / "expected.json").string(), (folder / "seen.json").string());
    EXPECT_EQ(std::system(command.c_str()), 0) << std::ifstream(folder / "seen.json").rdbuf();
    fs::remove_all(folder);
}

}  // namespace
}  // namespace granary
