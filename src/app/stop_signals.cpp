#include "app/stop_signals.hpp"

#include <time.h>
#include <unistd.h>
#include <csignal>

namespace granary {

namespace {

volatile std::sig_atomic_t first_signal = 0;
volatile long first_second = 0;  // of the monotonic clock; written by the handler alone
struct sigaction before_usr1, before_term;

// Only calls that are allowed in a handler.
void note(int signal) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (first_signal == 0) {
        first_signal = signal;
        first_second = now.tv_sec;
        return;
    }
    if (now.tv_sec - first_second > 1) _exit(128 + signal);
}

}  // namespace

StopSignals::StopSignals() {
    first_signal = 0;
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;  // reads and writes under way go on
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, &before_usr1);
    sigaction(SIGTERM, &action, &before_term);
}

StopSignals::~StopSignals() {
    sigaction(SIGUSR1, &before_usr1, nullptr);
    sigaction(SIGTERM, &before_term, nullptr);
}

bool StopSignals::asked() const { return first_signal != 0; }

const char* StopSignals::name() const {
    return first_signal == SIGUSR1 ? "SIGUSR1" : first_signal == SIGTERM ? "SIGTERM" : "";
}

}  // namespace granary
