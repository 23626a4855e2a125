#include "io/log/progress.hpp"
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>
#include "io/formats/amounts.hpp"

namespace granary {
namespace {

constexpr double rate_window = 2;       // s: speeds are means over two to four of these seconds
constexpr double least_wall = 1;        // s of a stage before its end is foretold,
constexpr double least_share = 0.0005;  // and share of it
constexpr std::size_t narrowest_bar = 10, widest_bar = 40;

int columns_of_terminal(int fd) {
    winsize size{};
    return ::ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string rate_text(double rate) {
    if (rate <= 0) return "";
    return rate < 100 ? fmt::format("{:.3g} steps/s", rate) : fmt::format("{:.0f} steps/s", rate);
}

}  // namespace

WallClock system_clock() {
    return [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
}

Screen screen_of(std::FILE* stream) {
    Screen screen;
    const int fd = ::fileno(stream);
    const char* term = std::getenv("TERM");
    const bool dumb = term != nullptr && std::string_view(term) == "dumb";
    screen.is_terminal = ::isatty(fd) == 1 && columns_of_terminal(fd) > 0 && !dumb;
    screen.width = [fd] { return columns_of_terminal(fd); };
    screen.write = [stream](std::string_view text) {
        std::fwrite(text.data(), 1, text.size(), stream);  // a full disk under the log is no reason to end a run
        std::fflush(stream);
    };
    return screen;
}

double StepRate::look(double now, std::uint64_t step) {
    if (now - newer_.now >= rate_window) older_ = std::exchange(newer_, Mark{now, step});
    const double wall = now - older_.now;
    return wall > 0 ? static_cast<double>(step - older_.step) / wall : 0;
}

Progress::Progress(Screen screen, WallClock clock, ProgressSettings settings)
    : screen_(std::move(screen)),
      clock_(std::move(clock)),
      settings_(settings) {}

Progress::~Progress() {
    if (bar_shown_) screen_.write("\n");
}

void Progress::begin_stage(const ProgressStage& stage, const ProgressState& state) {
    stage_ = stage;
    stage_.name = printable(stage.name);
    first_ = last_ = state;
    stage_started_ = clock_();
    rate_.start(stage_started_, state.step);
    in_stage_ = true;
    if (screen_.is_terminal) draw(state);
    else last_drawn_ = stage_started_;
}

void Progress::update(const ProgressState& state, bool log_step) {
    if (settings_.quiet || !in_stage_) return;
    const double since = clock_() - last_drawn_;
    const bool due = screen_.is_terminal                                        ? since >= settings_.bar_interval
                     : settings_.lines == ProgressSettings::Lines::at_log_steps ? log_step
                                                                                : since >= settings_.line_interval;
    if (due) draw(state);
}

void Progress::end_stage(const ProgressState& state, std::string_view why) {
    if (!in_stage_) return;
    in_stage_ = false;
    if (settings_.quiet) return;
    const double wall = clock_() - stage_started_;
    const std::uint64_t steps = state.step - first_.step;
    std::string line = fmt::format("{}: {} steps to t = {:.{}f} s in {}", stage_.name, steps, state.time, decimals(),
                                   duration_text(wall));
    if (steps > 0 && wall > 0) line += fmt::format(" ({})", rate_text(static_cast<double>(steps) / wall));
    line += fmt::format(", {} balls inside", state.balls_inside);
    if (!why.empty()) line += fmt::format("; {}", printable(why));
    clear_bar();
    put_line(line);
}

void Progress::say(std::string_view text) {
    if (settings_.quiet) return;
    clear_bar();
    put_line(text);
    if (screen_.is_terminal && in_stage_) draw(last_);
}

void Progress::warn(std::string_view text) {
    clear_bar();
    put_line(fmt::format("warning: {}", text));
    if (screen_.is_terminal && in_stage_) draw(last_);
}

std::optional<double> Progress::time_left(const ProgressState& state) const {
    const double wall = clock_() - stage_started_, done = share(state);
    if (!in_stage_ || wall < least_wall || done < least_share) return std::nullopt;
    // A stage that was entered midway (resumed) has only its own part of the share behind it.
    const double done_here = done - share(first_);
    if (done_here <= 0) return std::nullopt;
    return wall * (1 - done) / done_here;
}

double Progress::share(const ProgressState& state) const {
    const double length = stage_.end - stage_.begin;
    double done = length > 0 ? (state.time - stage_.begin) / length : stage_.balls ? 0.0 : 1.0;
    if (stage_.balls && *stage_.balls != first_.balls_inside) {
        const auto from = static_cast<double>(first_.balls_inside), to = static_cast<double>(*stage_.balls);
        done = std::max(done, (static_cast<double>(state.balls_inside) - from) / (to - from));
    }
    return std::clamp(done, 0.0, 1.0);
}

std::string Progress::time_text(const ProgressState& state) const {
    if (stage_.end <= stage_.begin) return fmt::format("{:.{}f} s", state.time, decimals());
    return fmt::format("{:.{}f}/{:.{}f} s", state.time, decimals(), stage_.end, decimals());
}

int Progress::decimals() const {
    const double length = stage_.end - stage_.begin;
    return length > 0 ? std::clamp(3 - static_cast<int>(std::floor(std::log10(length))), 0, 12) : 3;
}

void Progress::draw(const ProgressState& state) {
    if (settings_.quiet) return;
    last_ = state;
    last_drawn_ = clock_();
    if (!screen_.is_terminal) return put_line(plain_line(state));
    const auto columns = static_cast<std::size_t>(std::max(screen_.width(), 2));
    // One column stays free: writing into the last one makes some terminals start a new line. ESC [ K clears what an
    // earlier, longer line left.
    screen_.write(fmt::format("\r{}\x1b[K", bar_line(state, columns - 1)));
    bar_shown_ = true;
}

std::string Progress::left_text(const ProgressState& state) const {
    const std::optional<double> left = time_left(state);
    if (!left) return "";
    // The balls' pace is a guess, the time of the stage a bound.
    const char* word = stage_.balls ? "about " : stage_.may_end_early ? "at most " : "";
    return fmt::format("{}{} left", word, duration_text(*left));
}

// As much as fits, from the most wanted on; the bar fills what remains.
std::string Progress::bar_line(const ProgressState& state, std::size_t columns) {
    const double done = share(state);
    const int percent = static_cast<int>(std::floor(100 * done));
    const std::string name =
        stage_.of > 1 ? fmt::format("{} {}/{}", stage_.name, stage_.number, stage_.of) : stage_.name;
    // In the order in which they stand; the last digit: in which they are given up, 0 never.
    struct Part {
        std::string text;
        int rank;
    };
    const std::vector<Part> parts = {{fmt::format("{:3} %", percent), 0},
                                     {time_text(state), 2},
                                     {fmt::format("{} balls", state.balls_inside), 3},
                                     {rate_text(rate_.look(last_drawn_, state.step)), 4},
                                     {left_text(state), 1}};
    std::string tail;
    for (int kept = 4; kept >= 0; --kept) {
        tail.clear();
        for (const Part& p : parts)
            if (p.rank <= kept && !p.text.empty()) tail += "  " + p.text;
        if (columns_of(name) + tail.size() <= columns) break;
    }
    const std::size_t taken = columns_of(name) + tail.size() + 3;  // space and brackets
    std::string bar;
    if (taken + narrowest_bar <= columns) {
        const std::size_t length = std::min(columns - taken, widest_bar);
        const auto filled = static_cast<std::size_t>(std::floor(done * static_cast<double>(length)));
        bar = fmt::format(" [{}{}]", std::string(filled, '#'), std::string(length - filled, '.'));
    }
    return std::string(first_columns(fmt::format("{}{}{}", name, bar, tail), columns));
}

std::string Progress::plain_line(const ProgressState& state) {
    const std::string end = stage_.end > stage_.begin ? fmt::format(" of {:.{}f}", stage_.end, decimals()) : "";
    std::string line = fmt::format("{} {:.1f} %  t = {:.{}f}{} s  step {}  {} balls inside", stage_.name,
                                   100 * share(state), state.time, decimals(), end, state.step, state.balls_inside);
    for (const std::string& part : {rate_text(rate_.look(last_drawn_, state.step)), left_text(state)})
        if (!part.empty()) line += "  " + part;
    return line;
}

void Progress::clear_bar() {
    if (bar_shown_) screen_.write("\r\x1b[K");
    bar_shown_ = false;
}

void Progress::put_line(std::string_view text) { screen_.write(printable(text, "\n") + '\n'); }

}  // namespace granary
