// Insertion of balls while the run goes on, so that the result depends neither on the number of ranks nor on
// who owns what. At an event, all ranks
//     make the same trials            trials(spec, seed, event, first, end)
//     mark those that are blocked     blocked_by(own bodies, ...), and whatever else stands in the way; OR over ranks
//     accept by trial number          accept(trials, blocked, wanted(spec, inserted so far), domain)
// batch by batch, so that memory does not grow with the number of trials; balls accepted in an earlier batch stand in
// the way of a later one, and what is accepted does not depend on the batches. That is how a packing comes in.
// A rain comes in by insertion_queue.hpp.
// Ids are then given in the order of acceptance. Only the pure parts are here; who sends what is decided elsewhere.
// How many balls went in so far is state of the run (saved and resumed); the rest is a function of the event.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "core/axes.hpp"
#include "core/bodies.hpp"
#include "filling/dense_pack.hpp"
#include "core/domain.hpp"
#include "filling/insertion_method.hpp"
#include "filling/packing.hpp"
#include "core/vec.hpp"

namespace granary {

// A round bin: balls must be wholly inside the cylinder around the axis.
struct Tube {
    Vec3d point, axis;  // axis: unit
    double radius = 0;  // m; 0: no limit
};

// A hopper below a bin, in the axes of the user: from the outlet upwards the room widens evenly. Centres of balls must
// be in it; that they keep off its walls is tested with the walls themselves.
struct Hopper {
    double outlet = 0, top = 0;                             // m; z of its ends; no height: there is none
    std::array<double, 2> centre{}, at_outlet{}, at_top{};  // m; half lengths along x, y; round: radius
    bool round = true;
};

struct InsertionSpec {
    std::string name;
    Vec3d lower{}, upper{};  // m; balls appear wholly inside this box
    // Along these axes the box is the whole period of the domain: centres anywhere in [lower, upper).
    std::array<bool, 3> spans_period{};
    std::uint64_t total = 0;             // balls over the whole run
    std::uint32_t per_event = 0;         // at most so many at one event
    std::uint32_t trials_per_event = 0;  // places tried at one event
    InsertionMethod method = InsertionMethod::rain;
    Tube inside{};
    std::function<bool(const Vec3d&)>
        vessel{};  // is a place inside whatever else holds the balls? Empty: no such limit
    Hopper hopper{};
    std::shared_ptr<const DenseTile> tile{};  // dense
    // A flow: how much is due by event n is (n + 1) times one of these; per_event is then the most at one event. What
    // finds no room stays due. 0: per_event it is.
    double due = 0;          // balls
    double mass_due = 0;     // kg
    double mass = 0;         // kg; if not 0, this is the aim: the last balls are made to meet it
    double max_overlap = 0;  // greatest overlap at the start, as a share of the radius
    BallKind balls{};
    std::uint64_t first_step = 0;   // step of the event first_event
    std::uint64_t interval = 1;     // steps from event to event
    std::uint64_t first_event = 0;  // events before it have been, or never were
    // s, from the start of the run. If interval_time is not 0, these are meant, and the steps follow (set_steps).
    double start_time = 0, interval_time = 0;
    std::uint16_t stream = 0;  // different for each insertion of a case
    Axes axes{};               // of the user; everything else here is already turned
};

// Throws InputError: what is wrong, and what to do.
void validate(const InsertionSpec&);

// Is there an event at this step, and which one? Whether balls are still wanted is another question.
inline bool is_event(const InsertionSpec& s, std::uint64_t step) {
    return step >= s.first_step && (step - s.first_step) % s.interval == 0;
}
inline std::uint64_t event_number(const InsertionSpec& s, std::uint64_t step) {
    return s.first_event + (step - s.first_step) / s.interval;
}
// Events up to this step, itself included.
inline std::uint64_t events_until(const InsertionSpec& s, std::uint64_t step) {
    return step < s.first_step ? s.first_event : event_number(s, step) + 1;
}

// From times to steps, for a step dt that holds from `step` on, at `time` (s, from the start of the run). Events up to
// that step have been and are not repeated; at the very start (step 0) none has. Nothing happens without interval_time.
void set_steps(InsertionSpec&, double dt, std::uint64_t step = 0, double time = 0);

// Balls wanted at one event when so many have gone in before. By mass: the most; enough_mass says when to stop.
std::uint64_t wanted(const InsertionSpec&, std::uint64_t inserted, std::uint64_t event = 0);
// Has so much gone in that none is due until the next event? Only of a flow by mass.
inline bool enough_mass(const InsertionSpec& s, double inserted, std::uint64_t event) {
    return s.mass_due > 0 && inserted >= s.mass_due * static_cast<double>(event + 1);
}
// What came in of what was due up to this step: "17 of 20 balls", "1.2 of 1.5 kg"; and whether that is all, but for a
// ball of a flow by mass.
struct CameIn {
    bool all = true;
    std::string text;
};
// Of a flow: is the share that has come in of what was due by now, after some events, so low that its rate is not met?
bool is_behind(const InsertionSpec&, std::uint64_t inserted, double mass, std::uint64_t step);
CameIn came_in(const InsertionSpec&, std::uint64_t inserted, double mass, std::uint64_t step);

// Trials of an event; of a packing: cells of its lattice.
std::uint64_t n_trials(const InsertionSpec&);

// The trials [first, end) of a packing, ids still 0; a function of the arguments alone. Trial k is the same, whichever
// others are asked for.
std::vector<NewBody> trials(const InsertionSpec&, std::uint64_t seed, std::uint64_t first, std::uint64_t end);
inline std::vector<NewBody> trials(const InsertionSpec& s, std::uint64_t seed) {
    return trials(s, seed, 0, n_trials(s));
}

// A ball that is there already.
struct PlacedBall {
    Vec3d position;
    double radius = 0;
};

// For each trial 1 if it touches or overlaps one of the bodies (nearest image along periodic axes), else 0. A mark
// depends on the trial and single bodies only: split the bodies over any callers and OR the marks.
// Cost is linear in bodies plus trials as long as their sizes are alike; bodies out of reach are skipped.
std::vector<char> blocked_by(std::span<const PlacedBall> bodies, std::span<const NewBody> trials, const Domain&);

// Trials that are not wholly inside the tube are marked; the radii are those tested, see tested_radius.
void mark_outside(const Tube&, std::span<const NewBody> trials, std::span<char> blocked);

// The same for all limits of its region: the tube, the hopper, and for a dense packing the box, over which its tiles
// stick out.
void mark_outside(const InsertionSpec&, std::span<const NewBody> trials, std::span<char> blocked);

// By how much the radius with which a trial is tested is smaller than its own: two such balls then overlap by
// max_overlap of the smallest radius at most, one and a ball or wall that was there before by half of that. A cluster
// is tested as the ball around it, and overlaps by that share of its smallest element at most.
inline double allowance(const InsertionSpec& s) { return 0.5 * s.max_overlap * body_radii(s.balls)[0]; }
inline double tested_radius(const InsertionSpec& s, double radius) { return radius - allowance(s); }

// The ball as it should be made when so much of a mass is still wanted, or none if another one should be tried. The
// last balls are made smaller, all by the same mass, so that together they meet the mass; the others stay as they were
// drawn. Balls that are nearly equal cannot meet any mass: they come as near to it as whole balls do, from below.
std::optional<NewBody> fitted_to_mass(const InsertionSpec&, const NewBody& ball, double still_wanted);

// Is less wanted than the smallest ball has?
bool mass_is_met(const InsertionSpec&, double inserted);

// Numbers of the accepted trials, ascending: in trial order, not blocked, touching none accepted before, until
// there are max_count. Between any two accepted balls |x_i - x_j| >= r_i + r_j holds also in rounded numbers.
std::vector<std::size_t> accept(std::span<const NewBody> trials, std::span<const char> blocked, std::uint64_t max_count,
                                const Domain&);

}  // namespace granary
