#include "io/log/progress.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>
#include "io/formats/amounts.hpp"

namespace granary {
namespace {

// A screen that remembers and a clock that stands still until it is set.
struct Watcher {
    double now = 1000;
    int width = 100;
    std::vector<std::string> written;

    Screen screen(bool terminal) {
        return {terminal, [this] { return width; }, [this](std::string_view s) { written.emplace_back(s); }};
    }
    WallClock clock() {
        return [this] { return now; };
    }
    std::string all() const {
        std::string s;
        for (const std::string& w : written) s += w;
        return s;
    }
    // The last drawing of the bar without its control characters.
    std::string bar() const {
        const std::string& s = written.back();
        EXPECT_EQ(s.substr(0, 1), "\r");
        EXPECT_EQ(s.substr(s.size() - 3), "\x1b[K");
        return s.substr(1, s.size() - 4);
    }
};

const ProgressStage fill{"fill", 1, 4, 0, 2, false};

TEST(Progress, TheBarSaysItAll) {
    Watcher w;
    {
        Progress progress(w.screen(true), w.clock());
        progress.begin_stage(fill, {0, 0, 0});
        w.now += 60;
        progress.update({0.5, 50000, 12345});
        // 60 s for a quarter: 180 s are left. 29 columns remain for the bar, a quarter of it is filled.
        EXPECT_EQ(
            w.bar(),
            "fill 1/4 [#######......................]   25 %  0.500/2.000 s  12345 balls  833 steps/s  3:00 left");
        EXPECT_EQ(w.bar().size(), 99U);
    }
    EXPECT_EQ(w.written.back(), "\n");  // whatever comes next starts on a line of its own
}

TEST(Progress, DrawnTenTimesASecondAtMost) {
    Watcher w;
    Progress progress(w.screen(true), w.clock());
    progress.begin_stage(fill, {});
    const std::size_t before = w.written.size();
    for (int k = 1; k <= 1000; ++k) {
        w.now += 0.001;
        progress.update({0.0001 * k, static_cast<std::uint64_t>(k), 1});
    }
    EXPECT_GE(w.written.size() - before, 9U);
    EXPECT_LE(w.written.size() - before, 10U);
}

TEST(Progress, NeverWiderThanTheWindow) {
    for (int width = 1; width < 200; ++width) {
        Watcher w;
        w.width = width;
        Progress progress(w.screen(true), w.clock());
        progress.begin_stage({"f\xC3\xBCllen", 1, 4, 0, 2, true}, {});
        w.now += 60;
        progress.update({0.5, 50000, 123456789});
        EXPECT_LT(columns_of(w.bar()), static_cast<std::size_t>(std::max(width, 2))) << w.bar();
        EXPECT_EQ(w.bar().find("25 %") != std::string::npos, width >= 18) << w.bar();
        EXPECT_EQ(w.bar().find("at most 3:00 left") != std::string::npos, width >= 37) << w.bar();
    }
}

TEST(Progress, WindowsAreResized) {
    Watcher w;
    Progress progress(w.screen(true), w.clock());
    progress.begin_stage(fill, {});
    w.now += 60;
    w.width = 30;
    progress.update({0.5, 50000, 12345});
    EXPECT_EQ(w.bar(), "fill 1/4   25 %  3:00 left");
}

TEST(Progress, TheBarFromEmptyToFull) {
    Watcher w;
    Progress progress(w.screen(true), w.clock());
    progress.begin_stage({"run", 1, 1, 0, 1, false}, {});
    EXPECT_EQ(w.bar(), fmt::format("run [{:.<40}]    0 %  0.000/1.000 s  0 balls", ""));
    w.now += 0.5;
    progress.update({1, 100, 7});
    EXPECT_EQ(w.bar(), fmt::format("run [{:#<40}]  100 %  1.000/1.000 s  7 balls  200 steps/s", ""));
    w.now += 0.5;
    progress.update({1.001, 101, 7});  // a rounded step too far
    EXPECT_NE(w.bar().find("  100 %"), std::string::npos);
}

TEST(Progress, PlainLinesByTheClock) {
    Watcher w;
    {
        Progress progress(w.screen(false), w.clock());
        progress.begin_stage(fill, {});
        for (int k = 1; k <= 120; ++k) {
            w.now += 0.1;
            progress.update({0.01 * k, static_cast<std::uint64_t>(10 * k), 5}, true);
        }
        progress.end_stage({1.2, 1200, 5}, "all balls are in");
    }
    // After 5 and 10 of 12 seconds. The speed is steady, so what is left is exact.
    EXPECT_EQ(w.all(),
              "fill 25.0 %  t = 0.500 of 2.000 s  step 500  5 balls inside  100 steps/s  0:15 left\n"
              "fill 50.0 %  t = 1.000 of 2.000 s  step 1000  5 balls inside  100 steps/s  0:10 left\n"
              "fill: 1200 steps to t = 1.200 s in 0:12 (100 steps/s), 5 balls inside; all balls are in\n");
    EXPECT_EQ(w.all().find_first_of("\r\x1b\b"), std::string::npos);
}

TEST(Progress, PlainLinesAtLogSteps) {
    Watcher w;
    ProgressSettings settings;
    settings.lines = ProgressSettings::Lines::at_log_steps;
    Progress progress(w.screen(false), w.clock(), settings);
    progress.begin_stage(fill, {});
    w.now += 100;
    progress.update({0.5, 500, 5}, false);
    EXPECT_EQ(w.written.size(), 0U);
    progress.update({1, 1000, 5}, true);
    progress.update({1, 1000, 5}, true);  // though no time has passed
    EXPECT_EQ(w.written.size(), 2U);
}

TEST(Progress, NoEscapeCodesEvenFromNames) {
    Watcher w;
    Progress progress(w.screen(false), w.clock());
    progress.begin_stage({"\x1b[31mred\r", 1, 1, 0, 1, false}, {});
    w.now += 10;
    progress.update({0.5, 10, 1});
    progress.say("two\nlines \x1b[0m");
    progress.warn("bell \a");
    progress.end_stage({0.5, 10, 1}, "because\x1b");
    EXPECT_EQ(w.all(),
              "?[31mred? 50.0 %  t = 0.500 of 1.000 s  step 10  1 balls inside  1 steps/s  0:10 left\n"
              "two\nlines ?[0m\n"
              "warning: bell ?\n"
              "?[31mred?: 10 steps to t = 0.500 s in 0:10 (1 steps/s), 1 balls inside; because?\n");
}

TEST(Progress, QuietSaysOnlyWarnings) {
    for (const bool terminal : {false, true}) {
        Watcher w;
        {
            ProgressSettings settings;
            settings.quiet = true;
            Progress progress(w.screen(terminal), w.clock(), settings);
            progress.begin_stage(fill, {});
            w.now += 100;
            progress.update({1, 1000, 5}, true);
            progress.say("hello");
            progress.warn("a ball is fast");
            progress.end_stage({1, 1000, 5});
        }
        EXPECT_EQ(w.all(), "warning: a ball is fast\n");
    }
}

TEST(Progress, LinesStandAboveTheBar) {
    Watcher w;
    Progress progress(w.screen(true), w.clock());
    progress.begin_stage(fill, {});
    const std::string bar = w.written.back();
    w.written.clear();
    progress.say("state-000100.h5 written");
    ASSERT_EQ(w.written.size(), 3U);
    EXPECT_EQ(w.written[0], "\r\x1b[K");
    EXPECT_EQ(w.written[1], "state-000100.h5 written\n");
    EXPECT_EQ(w.written[2], bar);
    w.written.clear();
    progress.end_stage({2, 100, 3}, "full");
    EXPECT_EQ(w.all(), "\r\x1b[Kfill: 100 steps to t = 2.000 s in 0:00, 3 balls inside; full\n");
    progress.say("end");  // between stages there is no bar
    EXPECT_EQ(w.written.back(), "end\n");
}

TEST(Progress, TimeLeft) {
    Watcher w;
    Progress progress(w.screen(false), w.clock());
    progress.begin_stage({"discharge", 3, 4, 10, 20, true}, {10, 1000, 5});
    w.now += 0.5;
    EXPECT_FALSE(progress.time_left({12, 1100, 5}));  // too early to tell
    w.now += 99.5;
    EXPECT_FALSE(progress.time_left({10, 1100, 5}));  // nothing done
    EXPECT_DOUBLE_EQ(progress.time_left({12, 1100, 5}).value(), 400);
    EXPECT_DOUBLE_EQ(progress.time_left({20, 1100, 5}).value(), 0);
    progress.update({12, 1100, 5});
    EXPECT_EQ(w.all(),
              "discharge 20.0 %  t = 12.00 of 20.00 s  step 1100  5 balls inside  1 steps/s  at most 6:40 left\n");
}

TEST(Progress, AStageWithoutATimeGoesByItsBalls) {
    Watcher w;
    Progress progress(w.screen(false), w.clock());
    progress.begin_stage({"discharge", 3, 3, 10, 10, true, 0}, {10, 1000, 800});
    w.now += 10;
    EXPECT_FALSE(progress.time_left({11, 1100, 800}));  // none has left
    EXPECT_DOUBLE_EQ(progress.time_left({11, 1100, 600}).value(), 30);
    progress.update({11, 1100, 600});
    EXPECT_EQ(w.all(), "discharge 25.0 %  t = 11.000 s  step 1100  600 balls inside  10 steps/s  about 0:30 left\n");
}

TEST(Progress, AStageWithATimeAndBallsGoesByWhatIsFurther) {
    Watcher w;
    Progress progress(w.screen(false), w.clock());
    progress.begin_stage({"fill", 1, 3, 0, 10, true, 1000}, {0, 0, 0});
    w.now += 10;
    EXPECT_DOUBLE_EQ(progress.time_left({1, 100, 500}).value(), 10);
    EXPECT_DOUBLE_EQ(progress.time_left({8, 100, 500}).value(), 2.5);
}

TEST(Progress, TimeLeftOfAStageEnteredMidway) {
    Watcher w;
    Progress progress(w.screen(false), w.clock());
    progress.begin_stage({"discharge", 1, 1, 0, 10, false}, {5, 1000, 5});  // resumed at its half
    w.now += 10;
    EXPECT_DOUBLE_EQ(progress.time_left({6, 1100, 5}).value(), 40);  // 10 s a second
}

TEST(Progress, TheSpeedIsThatOfTheLastSeconds) {
    StepRate rate;
    rate.start(0, 0);
    EXPECT_EQ(rate.look(0, 0), 0);
    std::uint64_t step = 0;
    double now = 0;
    for (int k = 0; k < 100; ++k) rate.look(now += 0.1, step += 100);  // 1000 a second for 10 s
    EXPECT_NEAR(rate.look(now, step), 1000, 1e-6);
    for (int k = 0; k < 45; ++k) rate.look(now += 0.1, step += 1);  // then 10 a second
    EXPECT_NEAR(rate.look(now, step), 10, 1e-6);
}

// ---- Real streams --------------------------------------------------------------------------------------------------

TEST(ScreenOf, AFileIsNoTerminal) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
    const Screen screen = screen_of(file.get());
    EXPECT_FALSE(screen.is_terminal);
    screen.write("abc");
    char text[8] = {};
    EXPECT_EQ(::pread(::fileno(file.get()), text, 7, 0), 3);  // out at once
    EXPECT_STREQ(text, "abc");
}

TEST(ScreenOf, ATerminalHasASize) {
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) GTEST_SKIP() << "no pseudo terminals here";
    const char* term = std::getenv("TERM");
    const std::string before = term == nullptr ? "" : term;
    ::setenv("TERM", "xterm", 1);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> slave(std::fopen(::ptsname(master), "r+"), std::fclose);
    ASSERT_NE(slave, nullptr);
    winsize size{};
    ASSERT_EQ(::ioctl(master, TIOCSWINSZ, &size), 0);
    EXPECT_FALSE(screen_of(slave.get()).is_terminal);  // as under mpirun with its output in a file
    size.ws_col = 93;
    ASSERT_EQ(::ioctl(master, TIOCSWINSZ, &size), 0);
    const Screen screen = screen_of(slave.get());
    EXPECT_TRUE(screen.is_terminal);
    EXPECT_EQ(screen.width(), 93);
    size.ws_col = 71;
    ASSERT_EQ(::ioctl(master, TIOCSWINSZ, &size), 0);
    EXPECT_EQ(screen.width(), 71);
    ::setenv("TERM", "dumb", 1);
    EXPECT_FALSE(screen_of(slave.get()).is_terminal);
    if (term == nullptr) ::unsetenv("TERM");
    else ::setenv("TERM", before.c_str(), 1);
    ::close(master);
}

TEST(ScreenOf, TheClockGoesOn) {
    const WallClock clock = system_clock();
    const double first = clock();
    EXPECT_GE(clock(), first);
}

}  // namespace
}  // namespace granary
