// What the 3D view of a report shows: the bodies at the end of the run and at a few moments before, and the walls. Many
// bodies are thinned, evenly in the order of the file, which is an order in space; many triangles are made fewer by
// putting corners together. Grains that are no balls are drawn as copies of their templates, which a state or a
// checkpoint in the folder names; where none does, as the balls around them.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>
#include "io/report/run_folder.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

struct ViewBall {
    std::array<float, 3> x{};     // m, the user's axes
    float radius = 0, speed = 0;  // m, m/s; of a shape the radius of the ball around it
    std::uint16_t material = 0, band = 65535;
    std::uint16_t shape = 0;                       // number in ViewData::shapes, from 1; 0: a ball
    std::array<float, 4> orientation{1, 0, 0, 0};  // w, x, y, z
};

struct ViewMoment {
    double time = 0;          // s
    std::string word;         // "filled", "settled", "end"; empty: just a time
    std::uint64_t n_all = 0;  // balls of which those below were picked
    std::vector<ViewBall> balls;
    std::vector<std::array<float, 3>> corners;  // of the walls
    std::vector<std::uint32_t> triangles;       // three corners each
    std::vector<ViewBall> wall_balls;
};

struct ViewData {
    std::vector<ViewMoment> moments;    // in the order of time; empty: there is nothing to show
    std::size_t first_shown = 0;        // the last moment with a tenth of the most balls
    std::vector<ShapeTemplate> shapes;  // those that the bodies name, in the user's axes
};

struct ViewLimits {
    std::size_t balls = 120'000;     // in all moments together, 14 bytes each
    std::size_t triangles = 20'000;  // of a moment
    std::size_t moments = 5;
    std::size_t grain_parts = 400'000;  // balls of clumps, or faces, of the grains of a moment
};

// Never throws: what cannot be read is left out.
ViewData read_view(const RunFolder& run, const ViewLimits& limits = {});

// The templates that a run's state names, or its newest checkpoint; none: there are no shapes, or they are not known.
std::vector<ShapeTemplate> shapes_of(const RunFolder& run);

// The balls of a frame (vtp_file.hpp writes them) and of a state, at most so many. Throw InputError.
ViewMoment balls_of_frame(const std::string& path, std::size_t most);
ViewMoment balls_of_state(const std::string& path, std::size_t most);

// The surfaces and the balls of walls (wall_mesh.hpp, wall_ball_points.hpp), added to a moment. Throw InputError.
void add_walls(ViewMoment& moment, const std::string& path, std::size_t most);
void add_wall_balls(ViewMoment& moment, const std::string& path, std::size_t most);

}  // namespace granary
