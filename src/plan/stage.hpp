// A stage of a run: fill, settle, discharge, or just run; what it came to, and how far it is. plan/stage.hpp runs it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>
#include "filling/insertion.hpp"
#include "io/case/case_specs.hpp"

namespace granary {

struct Stage {
    using Type = StageType;
    Type type = Type::run;
    std::string name;
    double dt = 0;                   // s
    std::uint64_t longest = 0;       // steps; 0: until the criterion is met
    std::uint64_t look_every = 500;  // steps from one look at the criterion to the next

    std::vector<InsertionSpec>
        insertions;  // first_step counts from the stage's beginning; with fill: the stage ends with them
    std::vector<std::size_t> opens;   // walls that vanish at the beginning
    std::vector<std::size_t> begins;  // motions that begin
    // Settle ends when the kinetic energy of all balls inside is below a limit: a share of the sum of their m g d, the
    // energy that lifts each by its own diameter; or so much a ball, in J, if that is not 0.
    double rest_share = 0, rest_energy = 0;
    std::uint64_t rest = 0;    // steps for which it must stay below
    bool until_empty = false;  // discharge ends when no ball is left inside
    std::uint64_t stall = 0;   // steps without a ball leaving after which discharge ends; 0: never
};

// A gate that opens at a time of its own.
struct TimedGate {
    std::size_t wall;
    double time;  // s, of the run
};

// What a stage came to.
struct StageEnd {
    enum class Why { time, filled, not_filled, settled, empty, stalled, stopped };
    Why why = Why::time;
    std::string text;         // for people
    std::uint64_t steps = 0;  // of the stage
};

// How far a stage is: what a run that stops in its middle must know to go on.
struct StageProgress {
    bool begun = false;       // false: run_stage begins the stage; true: it goes on with it
    std::uint64_t begin = 0;  // step
    std::size_t first_insertion = 0;
    std::uint64_t last_left = 0;    // discharge: balls that had left
    std::uint64_t last_motion = 0;  // step at which balls were last seen to leave (discharge) or to move (settle)
    bool stop = false;              // set by a hook: the stage is left after this step, to be taken up again

    template <class Io> void run_state(Io& io) {
        io("stage.begun", begun), io("stage.begin", begin), io("stage.first_insertion", first_insertion);
        io("stage.last_left", last_left), io("stage.last_motion", last_motion);
    }
};

}  // namespace granary
