// Runs on any number of ranks; the build starts it with 1, 2, 3, 4 and 7.
#include "io/frames/frame_series.hpp"
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "support/frame_samples.hpp"
#include "support/limits.hpp"

namespace granary {
namespace {

using namespace samples;
using Entries = std::vector<PvdEntry>;

class FrameSeriesTest : public FrameTest {
  protected:
    FrameSeries series() const { return {world, results(), FrameOptions(), Axes()}; }
    std::string results() const { return in_folder("deep/results"); }
    std::string in_results(const std::string& name) const { return results() + "/" + name; }
    void write_at(FrameSeries& to, double time, std::uint64_t n = 10) const {
        to.write(share(world, n), motion(), time, static_cast<std::uint64_t>(time * 1000));
    }
    // What the file lists; every file in it is whole and has its time.
    Entries listed(const std::string& pvd = "frames.pvd") const {
        world.barrier();
        const Entries entries = read_pvd(in_results(pvd));
        for (const PvdEntry& entry : entries) {
            const test::Vtp vtp = test::read_vtp(in_results(entry.file));
            EXPECT_EQ(vtp.problems, std::vector<std::string>()) << entry.file;
            if (pvd != "frames.pvd") continue;
            EXPECT_EQ(vtp.arrays.at("TimeValue").reals, std::vector<double>{entry.time}) << entry.file;
        }
        EXPECT_FALSE(fs::exists(in_results(pvd + ".part")));
        world.barrier();
        return entries;
    }
};

const Wall floor_wall = make_wall("floor", Rectangle{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 0);
const Wall gate_wall = make_wall("gate", Disc{{0, 0, 0}, {0, 0, 1}, 0.1}, 0);
const Domain box{{-1, -1, -1}, {1, 1, 1}, {}};

TEST_F(FrameSeriesTest, ListsEachFrameWhenItIsWritten) {
    FrameSeries frames = series();
    EXPECT_FALSE(fs::exists(in_folder("deep")));
    world.barrier();
    Entries expected;
    for (int k = 0; k < 12; ++k) {
        const double time = k * 0.1;  // not all of them short in decimal
        write_at(frames, time, 5 + k);
        expected.push_back({time, "frames/frame_0000" + std::string(k < 10 ? "0" : "") + std::to_string(k) + ".vtp"});
        EXPECT_EQ(listed(), expected);
        EXPECT_EQ(Entries(frames.frames().begin(), frames.frames().end()), expected);
        EXPECT_EQ(test::read_vtp(in_results(expected.back().file)).n_points(), 5u + k);
    }
    EXPECT_FALSE(fs::exists(in_results("walls.pvd")));
}

TEST_F(FrameSeriesTest, BeginsAnew) {
    FrameSeries frames = series();
    for (const double time : {0.0, 0.5, 1.0}) write_at(frames, time);
    FrameSeries other = series();
    write_at(other, 0.25);
    EXPECT_EQ(listed(), (Entries{{0.25, "frames/frame_000000.vtp"}}));
}

TEST_F(FrameSeriesTest, GoesOnFromATime) {
    {
        FrameSeries frames = series();
        for (const double time : {0.0, 0.1, 0.2, 0.30000000000000004, 0.4}) write_at(frames, time);
    }
    FrameSeries frames = series();
    frames.continue_from(0.30000000000000004);
    Entries expected{{0.0, "frames/frame_000000.vtp"},
                     {0.1, "frames/frame_000001.vtp"},
                     {0.2, "frames/frame_000002.vtp"},
                     {0.30000000000000004, "frames/frame_000003.vtp"}};
    EXPECT_EQ(listed(), expected);  // at once, since later files are about to be replaced
    EXPECT_TRUE(fs::exists(in_results("frames/frame_000004.vtp")));
    write_at(frames, 0.30000000000000004);  // written again: not listed twice
    EXPECT_EQ(listed(), expected);
    write_at(frames, 0.35);
    expected.push_back({0.35, "frames/frame_000004.vtp"});
    EXPECT_EQ(listed(), expected);

    FrameSeries early = series();
    early.continue_from(-1);
    EXPECT_EQ(listed(), Entries());
    write_at(early, 0);
    EXPECT_EQ(listed(), (Entries{{0.0, "frames/frame_000000.vtp"}}));
}

TEST_F(FrameSeriesTest, GoesOnWhereFramesHaveBeenRemoved) {
    {
        FrameSeries frames = series();
        for (const double time : {0.0, 0.1, 0.2}) write_at(frames, time);
    }
    if (world.rank() == 0) fs::remove(in_results("frames/frame_000001.vtp"));
    world.barrier();
    FrameSeries frames = series();
    frames.continue_from(1);
    write_at(frames, 0.3);
    EXPECT_EQ(listed(), (Entries{{0.0, "frames/frame_000000.vtp"},
                                 {0.2, "frames/frame_000002.vtp"},
                                 {0.3, "frames/frame_000003.vtp"}}));
}

TEST_F(FrameSeriesTest, ContinuesNothingAsANewSeries) {
    FrameSeries frames = series();
    frames.continue_from(1);
    EXPECT_FALSE(fs::exists(in_results("frames.pvd")));
    world.barrier();
    write_at(frames, 1.5);
    EXPECT_EQ(listed(), (Entries{{1.5, "frames/frame_000000.vtp"}}));
}

TEST_F(FrameSeriesTest, ShowsTheWallsOfEachFrame) {
    const std::vector<Wall> closed{floor_wall, gate_wall}, open{floor_wall};
    const std::string first = "frames/walls_000000.vtp", second = "frames/walls_000001.vtp";
    {
        FrameSeries frames = series();
        frames.write_walls(open, box);
        frames.write_walls(closed, box);  // no frame has shown the former
        write_at(frames, 0), write_at(frames, 1);
        EXPECT_EQ(listed("walls.pvd"), (Entries{{0, first}, {1, first}}));
        frames.write_walls(open, box);
        EXPECT_EQ(listed("walls.pvd"), (Entries{{0, first}, {1, first}}));
        write_at(frames, 2);
        EXPECT_EQ(listed("walls.pvd"), (Entries{{0, first}, {1, first}, {2, second}}));
    }
    const auto names = [&](const std::string& file) {
        return test::read_vtp(in_results(file)).arrays.at("wall_name").texts;
    };
    EXPECT_EQ(names(first), (std::vector<std::string>{"floor", "gate"}));
    EXPECT_EQ(names(second), (std::vector<std::string>{"floor"}));

    FrameSeries resumed = series();
    resumed.continue_from(1.5);
    write_at(resumed, 1.6);
    EXPECT_EQ(listed("walls.pvd"), (Entries{{0, first}, {1, first}, {1.6, first}}));
    resumed.write_walls(open, box);
    write_at(resumed, 2);
    EXPECT_EQ(listed("walls.pvd"), (Entries{{0, first}, {1, first}, {1.6, first}, {2, second}}));
    EXPECT_EQ(listed().size(), 4u);
}

TEST_F(FrameSeriesTest, ChecksItsOptionsBeforeAnythingIsWritten) {
    FrameOptions options;
    options.fields = {"radios"};
    expect_contains(error_of([&] { FrameSeries(world, results(), options, Axes()); }), "did you mean \"radius\"?");
}

TEST_F(FrameSeriesTest, SaysThatTheFolderCannotBeMade) {
    if (world.rank() == 0) std::ofstream(in_folder("deep")) << "a file";
    world.barrier();
    FrameSeries frames = series();
    const std::string text = error_of([&] { write_at(frames, 0); });
    expect_contains(text, results() + "/frames: cannot create the folder");
    expect_contains(text, "Not a directory");
    EXPECT_EQ(error_of([&] { frames.write_walls({}, box); }), text);
}

TEST_F(FrameSeriesTest, KeepsItsListWhenAFrameFails) {
    FrameSeries frames = series();
    write_at(frames, 0), write_at(frames, 1);
    const Entries before = listed();
    {
        std::unique_ptr<test::Limit> limit;
        if (world.rank() == 0) limit = test::longest_file(300);  // even for the list
        expect_contains(error_of([&] { write_at(frames, 2, 5000); }), "File too large");
    }
    EXPECT_EQ(listed(), before);
    write_at(frames, 2);
    EXPECT_EQ(listed().size(), 3u);
    EXPECT_EQ(listed().back(), (PvdEntry{2, "frames/frame_000002.vtp"}));
}

TEST_F(FrameSeriesTest, KeepsItsListWhenTheListCannotBeWritten) {
    FrameOptions options;
    options.fields = {};  // short files, so that the list is soon the longest
    constexpr int n = 150;
    FrameSeries frames(world, results(), options, Axes());
    for (int k = 0; k < n; ++k) write_at(frames, k, 0);
    const Entries before = listed();
    const auto bytes = fs::file_size(in_results("frames/frame_000000.vtp"));
    ASSERT_GT(fs::file_size(in_results("frames.pvd")), bytes + 50);
    world.barrier();
    {
        std::unique_ptr<test::Limit> limit;
        if (world.rank() == 0) limit = test::longest_file(bytes + 50);
        expect_contains(error_of([&] { write_at(frames, n, 0); }), "frames.pvd: cannot write: File too large");
    }
    EXPECT_EQ(listed(), before);
    write_at(frames, n);
    EXPECT_EQ(listed().size(), n + 1u);
}

TEST_F(FrameSeriesTest, DoesNotGoOnFromWhatItDoesNotKnow) {
    const auto error_with = [&](const std::string& text) {
        world.barrier();
        if (world.rank() == 0) {
            fs::create_directories(results());
            std::ofstream(in_results("frames.pvd")) << text;
        }
        world.barrier();
        FrameSeries frames = series();
        return error_of([&] { frames.continue_from(1); });
    };
    expect_contains(error_with("<xml>"), "frames.pvd: is not a frame series of Granary: not a VTK collection");
    const std::string whole = pvd_text(Entries{{1.5, "frames/frame_000000.vtp"}});
    EXPECT_EQ(error_with(whole), "no error");
    expect_contains(error_with(whole.substr(21, whole.size() - 26)), "its end is missing");
    std::string text = whole;
    expect_contains(error_with(text.replace(text.find("1.5"), 3, "1.x")), "\"1.x\" is not a time");
    text = whole;
    expect_contains(error_with(text.replace(text.find(" file="), 6, " fill=")), "an entry without file");
}

}  // namespace
}  // namespace granary
