#include "walls/moving_walls.hpp"
#include <algorithm>
#include <cmath>
#include "core/errors.hpp"

namespace granary {

MovingWalls::MovingWalls(std::vector<Wall> home, std::vector<WallMotion> motions, double start_time,
                         const BoundingBox& reachable)
    : home_(std::move(home)),
      walls_(home_),
      motions_(std::move(motions)),
      states_(motions_.size()),
      poses_(motions_.size()),
      twists_(motions_.size()),
      remembered_(motions_.size()),
      levers_(motions_.size(), 0.0) {
    for (std::size_t k = 0; k < motions_.size(); ++k) {
        states_[k].start = states_[k].since = start_time + motions_[k].start;
        greatest_.push_back(greatest_speed(motions_[k]));
    }
    for (std::size_t w = 0; w < home_.size(); ++w) {
        if (!home_[w].moves()) continue;
        carried_.push_back(w);
        const WallMotion& m = motions_[home_[w].motion];
        double& lever = levers_[home_[w].motion];
        if (m.turns()) lever = std::max(lever, lever_of(home_[w].shape, m.point, m.axis, reachable));
    }
}

void MovingWalls::move_to(double time, double dt, Integrator integrator) {
    const bool leapfrog = integrator == Integrator::verlet;
    if (!leapfrog) displacements_.resize(motions_.size());
    for (std::size_t k = 0; k < motions_.size(); ++k) {
        const MotionAt now = motion_at(motions_[k], states_[k], time);
        poses_[k] = pose_of(motions_[k], now);
        twists_[k] = twist_of(motions_[k], leapfrog ? motion_at(motions_[k], states_[k], time - 0.5 * dt) : now);
        if (leapfrog) continue;
        const MotionAt before = motion_at(motions_[k], states_[k], time - dt);
        displacements_[k] = twist_of(motions_[k], {{}, now.shift - before.shift, 0, now.angle - before.angle});
    }
    for (const std::size_t w : carried_) walls_[w].shape = moved(home_[w].shape, poses_[home_[w].motion]);
}

void MovingWalls::move_to_remembered() {
    for (std::size_t k = 0; k < motions_.size(); ++k) poses_[k] = pose_of(motions_[k], remembered_[k]);
    for (const std::size_t w : carried_) walls_[w].shape = moved(home_[w].shape, poses_[home_[w].motion]);
}

void MovingWalls::restore(const std::vector<double>& numbers) {
    if (numbers.size() != (10 + ServoWatch::n_numbers) * motions_.size())
        throw InputError("the checkpoint does not match its case: it has other motions");
    // A motion that has not begun begins at an infinite time.
    if (std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::isnan(x); }))
        throw InputError("the checkpoint does not match its case: it has motions whose numbers are none");
    const double* n = numbers.data();
    for (MotionState& s : states_)
        s = {n[0], n[1], n[2], n[3], n[4], n[5], ServoWatch::of(n + 6)}, n += 6 + ServoWatch::n_numbers;
    for (MotionAt& m : remembered_) m = {{n[0], n[1], n[2]}, {}, n[3], 0}, n += 4;
}

double MovingWalls::position_of(std::size_t servo, double time) const {
    return dot(motion_at(motions_[servo], states_[servo], time).shift, motions_[servo].along);
}

void MovingWalls::remember(double time) {
    for (std::size_t k = 0; k < motions_.size(); ++k) remembered_[k] = motion_at(motions_[k], states_[k], time);
}

Extremes MovingWalls::extremes(double time, double horizon) const {
    Extremes most;
    for (std::size_t k = 0; k < motions_.size(); ++k) {
        const double start = states_[k].start;
        if (start > time + horizon) continue;
        const MotionAt now = motion_at(motions_[k], states_[k], time);
        const double gone =
            norm(now.shift - remembered_[k].shift) + levers_[k] * std::abs(now.angle - remembered_[k].angle);
        most.displacement = std::max(most.displacement, gone);
        if (time < start + motions_[k].duration) most.speed = std::max(most.speed, greatest(k));
    }
    return most;
}

bool MovingWalls::any_servo(double time) const {
    for (std::size_t k = 0; k < motions_.size(); ++k)
        if (motions_[k].type == WallMotion::Type::servo && states_[k].start <= time) return true;
    return false;
}

void MovingWalls::steer(double time, std::span<const double> force) {
    for (std::size_t k = 0; k < motions_.size(); ++k) {
        if (motions_[k].type != WallMotion::Type::servo) continue;
        Vec3d sum;
        for (const std::size_t w : carried_)
            if (home_[w].motion == k) sum += Vec3d{force[3 * w], force[3 * w + 1], force[3 * w + 2]};
        granary::steer(motions_[k], states_[k], time, -dot(sum, motions_[k].along));
    }
}

}  // namespace granary
