// The data of the 3D view: read back from frames, states and walls as the program writes them, thinned, and put into a
// page.
#include "io/report/view_data.hpp"
#include <gtest/gtest.h>
#include <boost/mpi/communicator.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include "core/errors.hpp"
#include "io/formats/json.hpp"
#include "io/frames/frame_series.hpp"
#include "io/report/view_page.hpp"
#include "io/state/state_file.hpp"
#include "io/formats/text_file.hpp"
#include "io/frames/vtp_file.hpp"
#include "io/frames/wall_mesh.hpp"
#include "shapes/clump.hpp"
#include "shapes/convex_polyhedron.hpp"
#include "shapes/ellipsoid_template.hpp"
#include "shapes/saved_templates.hpp"
#include "shapes/solids.hpp"
#include "support/scratch_folder.hpp"
#include "support/state_samples.hpp"

namespace granary::report_view_test {
namespace {

const boost::mpi::communicator world;
constexpr std::uint64_t n_balls = 101;

class ReportView : public testing::Test {
  protected:
    // The k-th ball of a file is sample k.
    void expect_balls(const ViewMoment& m, std::uint64_t stride, bool with_band, double tolerance) {
        ASSERT_EQ(m.balls.size(), (n_balls + stride - 1) / stride);
        EXPECT_EQ(m.n_all, n_balls);
        for (std::size_t k = 0; k < m.balls.size(); ++k) {
            const BodyRecord b = samples::body_of(k * stride);
            for (std::size_t c = 0; c < 3; ++c) EXPECT_FLOAT_EQ(m.balls[k].x[c], static_cast<float>(b.position[c]));
            EXPECT_FLOAT_EQ(m.balls[k].radius, static_cast<float>(b.position[3]));
            EXPECT_NEAR(m.balls[k].speed, std::hypot(b.velocity[0], b.velocity[1], b.velocity[2]), tolerance);
            EXPECT_EQ(m.balls[k].material, b.material);
            EXPECT_EQ(m.balls[k].band, with_band ? b.band : 65535);
        }
    }
    const test::ScratchFolder folder_;
};

TEST_F(ReportView, BallsOfAState) {
    write_state(world, folder_ / "s.h5", samples::header(), samples::make(0, n_balls), samples::make_contacts(0, 7));
    expect_balls(balls_of_state(folder_ / "s.h5", 1000), 1, true, 1e-6);
    expect_balls(balls_of_state(folder_ / "s.h5", 30), 4, true, 1e-6);
    EXPECT_EQ(balls_of_state(folder_ / "s.h5", 30).time, 0.1);
    std::ofstream(folder_ / "bad.h5") << "no state";
    EXPECT_THROW(balls_of_state(folder_ / "bad.h5", 10), InputError);
}

TEST_F(ReportView, BallsOfAFrame) {
    const Bodies bodies = samples::make(0, n_balls);
    FrameOptions options;
    options.fields = {"id", "radius", "velocity", "material", "band"};
    for (const bool precise : {false, true}) {
        options.double_precision = precise;
        write_frame(world, folder_ / "f.vtp", bodies, Motion{}, Axes(), {0.25, 7}, options);
        expect_balls(balls_of_frame(folder_ / "f.vtp", 1000), 1, true, 1e-6);
        expect_balls(balls_of_frame(folder_ / "f.vtp", 30), 4, true, 1e-6);
        EXPECT_EQ(balls_of_frame(folder_ / "f.vtp", 30).time, 0.25);
    }
    // Cut off, without radius, no frame at all.
    const std::string whole = read_text_file(folder_ / "f.vtp");
    for (const std::size_t length : {std::size_t{0}, std::size_t{300}, whole.size() / 2}) {
        std::ofstream(folder_ / "cut.vtp", std::ios::binary) << whole.substr(0, length);
        EXPECT_THROW(balls_of_frame(folder_ / "cut.vtp", 1000), InputError) << length;
    }
    options.fields = {"id"};
    write_frame(world, folder_ / "f.vtp", bodies, Motion{}, Axes(), {0.25, 7}, options);
    EXPECT_THROW(balls_of_frame(folder_ / "f.vtp", 1000), InputError);
}

double area_of(const ViewMoment& m) {
    double area = 0;
    for (std::size_t t = 0; t + 2 < m.triangles.size(); t += 3) {
        const auto point = [&](std::size_t k) {
            const auto& c = m.corners.at(m.triangles[t + k]);
            return Vec3d{c[0], c[1], c[2]};
        };
        area += 0.5 * norm(cross(point(1) - point(0), point(2) - point(0)));
    }
    return area;
}

TEST_F(ReportView, Walls) {
    const std::vector<Wall> walls{make_wall("shell", Cylinder{{0, 0, 0}, {0, 0, 2}, 0.5}, 0),
                                  make_wall("floor", Disc{{0, 0, 0}, {0, 0, 1}, 0.5}, 0)};
    write_walls(folder_ / "w.vtp", walls, Domain{{-1, -1, -1}, {1, 1, 3}, {}}, Axes());
    ViewMoment m;
    add_walls(m, folder_ / "w.vtp", 20000);
    const double whole = area_of(m), exact = M_PI * (2 + 0.25);
    EXPECT_NEAR(whole, exact, 0.005 * exact);  // a circle of 64 corners
    // Fewer triangles are still about that surface.
    ViewMoment few;
    add_walls(few, folder_ / "w.vtp", 120);
    EXPECT_LE(few.triangles.size(), 360u);
    EXPECT_NEAR(area_of(few), exact, 0.2 * exact);
    EXPECT_LT(few.corners.size(), m.corners.size());
    std::ofstream(folder_ / "evil.vtp")
        << "<DataArray Name=\"position\">0 0 0</DataArray><DataArray Name=\"connectivity\">0 1 9</DataArray>"
           "<DataArray Name=\"offsets\">3</DataArray>";
    EXPECT_THROW(add_walls(m, folder_ / "evil.vtp", 100), InputError);
}

// A run that has gone through its stages: a moment for each, in the order of time; the last is the state.
TEST_F(ReportView, MomentsOfARun) {
    const Bodies bodies = samples::make(0, n_balls);
    {
        FrameSeries frames(world, folder_ / "run", FrameOptions{}, Axes());
        const std::vector<Wall> walls{make_wall("floor", Disc{{0, 0, 0}, {0, 0, 1}, 0.5}, 0)};
        frames.write_walls(walls, Domain{{-1, -1, -1}, {1, 1, 1}, {}});
        for (int k = 0; k <= 40; ++k) frames.write(bodies, Motion{}, 0.1 * k, static_cast<std::uint64_t>(k));
    }
    StateHeader header = samples::header();
    header.time = 4;
    write_state(world, folder_ / "run/state.h5", header, samples::make(0, 5), samples::make_contacts(0, 0));
    RunFolder run;
    run.path = folder_ / "run", run.ended = RunFolder::Ended::well;
    run.stage_types = {"fill", "settle", "discharge"};
    run.stages = {{1.02, "filled: all"}, {1.51, "settled: now"}, {4, "empty"}};
    run.materials = {"</script><script>alert(1)</script>"};
    const ViewData view = read_view(run);
    std::vector<std::string> words;
    for (const ViewMoment& m : view.moments) words.push_back(m.word);
    EXPECT_EQ(words, (std::vector<std::string>{"filled", "settled", "discharge", "end"}));
    ASSERT_EQ(view.moments.size(), 4u);
    EXPECT_NEAR(view.moments[0].time, 1.0, 1e-9);
    EXPECT_EQ(view.moments[3].balls.size(), 5u);
    EXPECT_EQ(view.first_shown, 2u) << "hardly anything is left at the end";
    EXPECT_GT(view.moments[3].triangles.size(), 0u);

    // All moments share the room.
    std::size_t shown = 0;
    for (const ViewMoment& m : read_view(run, {.balls = 100}).moments) shown += m.balls.size();
    EXPECT_LE(shown, 100u);
    EXPECT_GE(shown, 60u);

    const std::string page = view_figure(run, view);
    EXPECT_EQ(page.find("<script>alert"), std::string::npos);
    EXPECT_NE(page.find("\\u003c/script\\u003e"), std::string::npos);
    EXPECT_TRUE(view_script_source().starts_with("'sha256-") && view_script_source().ends_with("='"));
    EXPECT_EQ(view_script_source().size(), 9u + 44u);

    // Whatever is broken is left out.
    run.path = folder_ / "none";
    EXPECT_TRUE(read_view(run).moments.empty());
    EXPECT_EQ(view_figure(run, read_view(run)), "");
}

std::vector<ShapeTemplate> three_kinds() {
    return {make_ellipsoid("egg", {0.03, 0.02, 0.01}), make_polyhedron("die", corners_of(RegularSolid::cube, 0.02)),
            make_clump("nut", std::vector<ClumpBall>{{{-0.01, 0, 0}, 0.01}, {{0.01, 0, 0}, 0.01}})};
}

// Every fourth stays a ball; the others stand in any way.
Bodies some_shapes() {
    Bodies bodies = samples::make(0, n_balls);
    for (Index i = 0; i < bodies.size; ++i) {
        bodies.shape(i) = static_cast<std::uint16_t>(bodies.id(i) % 4);
        const double w = 0.1 * static_cast<double>(bodies.id(i) % 10), n = std::sqrt(1 + w * w);
        bodies.orientation(i, 0) = w / n, bodies.orientation(i, 1) = 0, bodies.orientation(i, 2) = -1 / n,
                              bodies.orientation(i, 3) = 0;
        bodies.position(i, 3) = 0.02 + 0.001 * static_cast<double>(bodies.id(i) % 5);
    }
    return bodies;
}

// Words of 16 bits out of the page, little end first.
std::vector<int> words_of(const Json& text) {
    const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned bits = 0, n = 0;
    for (const char c : text.get<std::string>()) {
        if (c == '=') break;
        bits = (bits << 6 | static_cast<unsigned>(alphabet.find(c))) & 0xFFFFFF, n += 6;
        if (n >= 8) n -= 8, bytes += static_cast<char>(bits >> n & 0xFF);
    }
    std::vector<int> words;
    for (std::size_t k = 0; k + 1 < bytes.size(); k += 2)
        words.push_back(static_cast<unsigned char>(bytes[k]) | static_cast<unsigned char>(bytes[k + 1]) << 8);
    return words;
}

// Grains that are no balls: from frame and state with shape and quaternion, templates from the state or a checkpoint,
// and all of it in the page as the script reads it.
TEST_F(ReportView, ShapesAreDrawnAsTheyAre) {
    const Bodies bodies = some_shapes();
    FrameOptions options;
    options.fields = {"id", "radius", "velocity", "material", "shape", "orientation"};
    std::filesystem::create_directories(folder_ / "run/checkpoints");
    {
        FrameSeries frames(world, folder_ / "run", options, Axes());
        for (int k = 0; k <= 2; ++k) frames.write(bodies, Motion{}, 0.1 * k, static_cast<std::uint64_t>(k));
    }
    StateHeader header = samples::header();
    header.time = 0.2;
    save_templates(three_kinds(), Axes(), header.run);
    write_state(world, folder_ / "run/state.h5", header, bodies, std::span<const ContactRecord>{});
    RunFolder run;
    run.path = folder_ / "run", run.ended = RunFolder::Ended::well;
    run.stages = {{0.1, "filled: all"}};
    const ViewData view = read_view(run);
    ASSERT_EQ(view.shapes.size(), 3u);
    ASSERT_EQ(view.moments.size(), 2u);
    for (const ViewMoment& m : view.moments) {
        ASSERT_EQ(m.balls.size(), n_balls);
        Index k = 0;
        for (const Range& range : bodies.real)
            for (Index i = range.begin; i < range.end; ++i, ++k) {
                EXPECT_EQ(m.balls[k].shape, bodies.shape(i));
                for (int c = 0; c < 4; ++c) EXPECT_NEAR(m.balls[k].orientation[c], bodies.orientation(i, c), 1e-6);
            }
    }
    const std::string page = view_figure(run, view);
    const std::size_t begin = page.find("id=\"view-data\">") + 15, end = page.find("</script>", begin);
    const Json data = Json::parse(page.substr(begin, end - begin));
    EXPECT_EQ(data["shapes"][0]["name"], "egg");
    EXPECT_NEAR(data["shapes"][0]["axes"][1].get<double>(), 2.0 / 3, 1e-5);
    EXPECT_EQ(data["shapes"][1]["faces"].size(), 6u);
    EXPECT_EQ(data["shapes"][1]["corners"].size(), 8u);
    EXPECT_EQ(data["shapes"][2]["balls"].size(), 2u);
    EXPECT_NEAR(data["shapes"][2]["balls"][0][3].get<double>(), 0.5, 1e-5);
    EXPECT_NEAR(data["shapes"][1]["share"].get<double>(), std::cbrt(3 / (4 * M_PI)) * 2 / std::sqrt(3.0), 1e-9);
    const std::vector<int> balls = words_of(data["moments"][1]["balls"]),
                           grains = words_of(data["moments"][1]["grains"]);
    EXPECT_EQ(balls.size() / 7 + grains.size() / 12, n_balls);
    ASSERT_EQ(grains.size() % 12, 0u);
    std::map<int, int> seen;
    for (std::size_t g = 0; g < grains.size(); g += 12) {
        EXPECT_TRUE(g == 0 || grains[g + 7] >= grains[g - 5]) << "copies of one shape stand side by side";
        ++seen[grains[g + 7]];
        double length = 0;
        for (std::size_t c = 8; c < 12; ++c) length += std::pow(2 * grains[g + c] / 65535.0 - 1, 2);
        EXPECT_NEAR(length, 1, 1e-3);
    }
    EXPECT_EQ(seen.size(), 3u);
    // Without a state: the newest checkpoint. Without both: the balls around them.
    std::filesystem::rename(folder_ / "run/state.h5", folder_ / "run/checkpoints/step-000000000002.h5");
    run.ended = RunFolder::Ended::unknown;
    EXPECT_EQ(read_view(run).shapes.size(), 3u);
    EXPECT_EQ(read_view(run).moments.back().balls[1].shape, bodies.shape(bodies.real[0].begin + 1));
    std::filesystem::remove(folder_ / "run/checkpoints/step-000000000002.h5");
    const ViewData none = read_view(run);
    EXPECT_TRUE(none.shapes.empty());
    for (const ViewMoment& m : none.moments)
        for (const ViewBall& b : m.balls) EXPECT_EQ(b.shape, 0);
}

// A template with many parts leaves room for fewer copies.
TEST_F(ReportView, ManyPartsAreThinned) {
    std::filesystem::create_directories(folder_ / "run");
    StateHeader header = samples::header();
    save_templates(three_kinds(), Axes(), header.run);
    write_state(world, folder_ / "run/state.h5", header, some_shapes(), std::span<const ContactRecord>{});
    RunFolder run;
    run.path = folder_ / "run", run.ended = RunFolder::Ended::well;
    EXPECT_EQ(read_view(run, {.balls = 1000, .grain_parts = 120}).moments.at(0).balls.size(), 17u);  // 20 of 6 faces
    EXPECT_EQ(read_view(run, {.balls = 60}).moments.at(0).balls.size(), 34u);                        // 35 of 24 bytes
}

}  // namespace
}  // namespace granary::report_view_test
