#include "run/stop_signals.hpp"

#include <time.h>
#include <unistd.h>
#include <array>
#include <csignal>
#include <cstddef>

namespace granary {

namespace {

constexpr std::array signals{SIGUSR1, SIGTERM, SIGINT};

volatile std::sig_atomic_t first_signal = 0;
volatile long first_time = 0;  // ms of the monotonic clock; written by the handler alone
std::array<struct sigaction, signals.size()> before;

// Only calls that are allowed in a handler.
void note(int signal) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long ms = 1000 * now.tv_sec + now.tv_nsec / 1'000'000;
    if (first_signal == 0) {
        first_signal = signal;
        first_time = ms;
        return;
    }
    const bool both_by_keyboard = signal == SIGINT && first_signal == SIGINT;
    if (ms - first_time > (both_by_keyboard ? 250 : 1000)) _exit(128 + signal);
}

}  // namespace

StopSignals::StopSignals() {
    first_signal = 0;
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;  // reads and writes under way go on
    sigemptyset(&action.sa_mask);
    for (std::size_t k = 0; k < signals.size(); ++k) {
        sigaction(signals[k], &action, &before[k]);
        // In the background of a script Ctrl-C is ignored: it is meant for others, and stays so.
        if (signals[k] == SIGINT && before[k].sa_handler == SIG_IGN) sigaction(SIGINT, &before[k], nullptr);
    }
}

StopSignals::~StopSignals() {
    for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals[k], &before[k], nullptr);
}

bool StopSignals::asked() const { return first_signal != 0; }

bool StopSignals::by_keyboard() const { return first_signal == SIGINT; }

}  // namespace granary
