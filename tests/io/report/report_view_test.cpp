// The data of the 3D view: read back from frames, states and walls as the program writes them, thinned, and put into a
// page.
#include "io/report/view_data.hpp"
#include <gtest/gtest.h>
#include <boost/mpi/communicator.hpp>
#include <cmath>
#include <fstream>
#include "core/errors.hpp"
#include "io/frames/frame_series.hpp"
#include "io/report/view_page.hpp"
#include "io/state/state_file.hpp"
#include "io/formats/text_file.hpp"
#include "io/frames/vtp_file.hpp"
#include "io/frames/wall_mesh.hpp"
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

}  // namespace
}  // namespace granary::report_view_test
