// The walls of a run where they are now. Walls that share a motion are one rigid piece. Nothing here knows of ranks:
// places and velocities are functions of the time, or of a force that all ranks have been told.
//
// The shape itself is moved, once a step: contacts, doubled contacts and boxes then see plain walls at their places,
// and a wall at rest is never touched. (A mesh, which has too many corners for that, takes the ball to its own frame by
// pose() instead.)
#pragma once
#include <span>
#include <vector>
#include "motion/integrate.hpp"
#include "motion/staleness.hpp"
#include "walls/wall_motion.hpp"

namespace granary {

class MovingWalls {
  public:
    MovingWalls() = default;
    // Times of motions count from start_time. reachable: a box in which all contacts lie.
    MovingWalls(std::vector<Wall> home, std::vector<WallMotion> motions, double start_time,
                const BoundingBox& reachable);

    // To the places of `time`. Velocities belong to the same time as the stored velocities of the balls. With the
    // leapfrog they are those of half a step dt earlier: then the way v dt that a spring sees is the way that the wall
    // has gone, up to the third order in dt. With the predictor-corrector they are those of `time`, for the dampers,
    // and springs follow displacements().
    void move_to(double time, double dt, Integrator integrator = Integrator::verlet);
    void move_to_remembered();  // where they were at the last remember()

    std::span<const Wall> walls() const { return walls_; }  // by number of the wall
    std::span<const Wall> home() const { return home_; }
    std::span<const WallMotion> motions() const { return motions_; }
    // By number of the motion.
    const Pose& pose(std::size_t motion) const { return poses_[motion]; }
    const std::vector<Pose>& poses() const { return poses_; }
    std::span<const Twist> twists() const { return twists_; }
    // Shift (m) and turn (rad) of the step that led here, in the place of velocity and spin; predictor-corrector only.
    std::span<const Twist> displacements() const { return displacements_; }
    const MotionState& state(std::size_t motion) const { return states_[motion]; }
    double position_of(std::size_t servo, double time) const;  // m along its direction

    // A motion that waits for a stage begins at this time.
    void begin(std::size_t motion, double time) { states_[motion].start = states_[motion].since = time; }

    // Since the last remember(): the farthest that any surface has gone, and the greatest speed that any which has
    // begun to move, or will within `horizon` seconds, can get.
    void remember(double time);
    Extremes extremes(double time, double horizon) const;

    bool any_servo(double time) const;  // that has begun
    // x, y, z of the force on each wall, at the time given.
    void steer(double time, std::span<const double> force);

    // All that does not follow from the case and the time; see core/saved_state.hpp.
    template <class Io> void run_state(Io& io) {
        std::vector<double> numbers;
        for (const MotionState& s : states_) {
            numbers.insert(numbers.end(), {s.start, s.position, s.velocity, s.since, s.force, s.touched});
            const auto watch = s.watch.numbers();
            numbers.insert(numbers.end(), watch.begin(), watch.end());
        }
        for (const MotionAt& m : remembered_) numbers.insert(numbers.end(), {m.shift.x, m.shift.y, m.shift.z, m.angle});
        io("walls.motions", numbers);
        if constexpr (Io::loads) restore(numbers);
    }

    // Of the surfaces of a motion, m/s, at any time.
    double greatest(std::size_t motion) const {
        return greatest_[motion].shift + levers_[motion] * greatest_[motion].turn;
    }

  private:
    void restore(const std::vector<double>& numbers);

    std::vector<Wall> home_, walls_;
    std::vector<WallMotion> motions_;
    std::vector<MotionState> states_;
    std::vector<Pose> poses_;
    std::vector<Twist> twists_, displacements_;
    std::vector<MotionAt> remembered_;
    std::vector<GreatestSpeed> greatest_;
    std::vector<double> levers_;
    std::vector<std::size_t> carried_;  // walls that have a motion
};

}  // namespace granary
