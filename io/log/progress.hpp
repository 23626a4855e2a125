// How far a run is, for whoever watches: on a terminal one line that is rewritten,
//     fill 1/4 [########............]  42 %  0.841/2.000 s  12345 balls  1520 steps/s  1:23 left
// elsewhere (a file, a batch job) plain lines now and then, without escape codes. On one rank only.
// The clock is given from outside, and so is the screen: tests need neither wait nor own a terminal.
#pragma once
#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace granary {

using WallClock = std::function<double()>;  // s, from any origin, never going back
WallClock system_clock();

struct Screen {
    bool is_terminal = false;
    std::function<int()> width = [] { return 80; };  // columns; asked at each drawing, since windows are resized
    std::function<void(std::string_view)> write;     // straight to the eye, nothing kept back
};

// The screen behind a stream, in order with what others print to it. A terminal of zero columns is none: MPI starters
// give each rank a terminal of their own making, and its size is that of the user's terminal if there is one, else
// zero. TERM=dumb is none either.
Screen screen_of(std::FILE* stream);

struct ProgressSettings {
    enum class Lines { by_clock, at_log_steps };  // without a terminal; by_clock: at most one in line_interval
    bool quiet = false;                           // say nothing but warnings
    Lines lines = Lines::by_clock;
    double bar_interval = 0.1;  // s between two drawings at least
    double line_interval = 5;   // s
};

struct ProgressStage {
    std::string name;
    int number = 1, of = 1;      // first stage of four
    double begin = 0, end = 0;   // s, simulated; end = begin: no time is set
    bool may_end_early = false;  // a criterion may end it before: what is left is "at most"
    std::optional<std::uint64_t> balls =
        std::nullopt;  // inside at its end, if that is what it is for: filled, or emptied
};

struct ProgressState {
    double time = 0;  // s, simulated
    std::uint64_t step = 0;
    std::uint64_t balls_inside = 0;  // as last counted
};

// Steps a second over the last few seconds.
class StepRate {
  public:
    void start(double now, std::uint64_t step) { older_ = newer_ = {now, step}; }
    double look(double now, std::uint64_t step);  // 0 while nothing is known

  private:
    struct Mark {
        double now = 0;
        std::uint64_t step = 0;
    };
    Mark older_, newer_;
};

class Progress {
  public:
    Progress(Screen screen, WallClock clock, ProgressSettings settings = {});
    ~Progress();  // a bar in the middle of its work is left standing, and the next line is free
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void begin_stage(const ProgressStage& stage, const ProgressState& state);
    // After every step; draws only when it is time to, or (plain lines at log steps) when this is a log step.
    void update(const ProgressState& state, bool log_step = false);
    // One line that stays: steps, time taken, speed and, if there is something to say, why the stage ended.
    void end_stage(const ProgressState& state, std::string_view why = "");

    void say(std::string_view text);   // a line (or several) of its own, the bar goes below it; not if quiet
    void warn(std::string_view text);  // "warning: ...", even if quiet

    // Seconds of wall time to the planned end of the stage, at the mean speed of the stage so far.
    std::optional<double> time_left(const ProgressState& state) const;

  private:
    void draw(const ProgressState& state);
    std::string bar_line(const ProgressState& state, std::size_t columns);
    std::string plain_line(const ProgressState& state);
    std::string left_text(const ProgressState& state) const;
    double share(const ProgressState& state) const;  // of time or of balls, whichever is further
    std::string time_text(const ProgressState& state) const;
    int decimals() const;  // of simulated times: a thousandth of the stage is seen
    void clear_bar();
    void put_line(std::string_view text);

    Screen screen_;
    WallClock clock_;
    ProgressSettings settings_;
    ProgressStage stage_;
    ProgressState first_, last_;  // of the stage; last drawn
    bool in_stage_ = false, bar_shown_ = false;
    double stage_started_ = 0, last_drawn_ = 0;
    StepRate rate_;
};

}  // namespace granary
