// Loads on the walls at the present step, by layer of the last sort: their sums over the layers have the same bits on
// any number of ranks. They are kept at every step, because nobody knows one step ahead where a run will end; few
// contacts are at walls, and only layers where a ball is near a wall are cleared. Whoever wants means over time has
// them added up, too.
#pragma once
#include <cstddef>
#include <span>
#include <utility>
#include <vector>
#include "walls/moving_walls.hpp"
#include "walls/wall_contacts.hpp"

namespace granary {

// On all walls of a motion, the torque about the origin of coordinates. loads: one a wall.
inline WallLoad load_on(const MovingWalls& walls, std::size_t motion, std::span<const WallLoad> loads) {
    WallLoad all;
    for (std::size_t w = 0; w < loads.size(); ++w)
        if (walls.home()[w].motion == motion) all.force += loads[w].force, all.torque += loads[w].torque;
    return all;
}

// That a moving wall puts into the balls, W. The wall moves with the twist of half a step before, where the force is
// that of now.
inline double power_into_balls(const WallLoad& on_wall, const Twist& twist) {
    return 0.0 - dot(on_wall.force, twist.velocity) -
           dot(on_wall.torque - cross(twist.centre, on_wall.force), twist.spin);
}

// Over the time since they were last asked for.
struct MeanLoad {
    Vec3d force;       // N
    double power = 0;  // W, into the balls
};

class WallLoads {
  public:
    // At a rebuild: layers of this rank, all without load. Until the next one only what is expected can be loaded.
    void start(std::size_t n_layers, std::size_t n_walls) {
        n_walls_ = n_walls;
        now_.assign(n_layers * n_walls, {});
        is_expected_.assign(now_.size(), 0);
        expected_.clear();
    }
    void expect(std::size_t layer, std::size_t wall) {
        const std::size_t k = layer * n_walls_ + wall;
        if (is_expected_[k] != 0) return;
        is_expected_[k] = 1;
        expected_.push_back(k);
    }
    // A new step begins: contacts add to now().
    void clear() {
        for (const std::size_t k : expected_) now_[k] = {};
    }
    // As a run that was saved had it, until the next step.
    void put(std::size_t layer, std::size_t wall, const WallLoad& load) {
        expect(layer, wall);
        now_[layer * n_walls_ + wall] = load;
    }

    std::span<WallLoad> now() { return now_; }  // by layer, then by wall
    std::span<const WallLoad> now() const { return now_; }

    // Integrals over time, by layer, wall and item. They live longer than a rebuild; when cuts move they go with the
    // layers.
    static constexpr std::size_t items = 4;  // x, y, z of the impulse, N s; work of the wall, J
    void begin_integrals() { integrals_.assign(items * now_.size(), 0.0), time_ = 0; }
    void integrate(double dt, const MovingWalls& walls) {
        time_ += dt;
        for (const std::size_t k : expected_) {
            double* const sum = integrals_.data() + items * k;
            const WallLoad& load = now_[k];
            for (int axis = 0; axis < 3; ++axis) sum[axis] += dt * at(load.force, axis);
            if (const Wall& wall = walls.home()[k % n_walls_]; wall.moves())
                sum[3] += dt * power_into_balls(load, walls.twists()[wall.motion]);
        }
    }
    double integrated_time() const { return time_; }  // s
    std::span<const double> integrals() const { return integrals_; }
    void set_integrals(std::vector<double> of_layers) { integrals_ = std::move(of_layers); }
    template <class Io> void run_state(Io& io) {
        io("walls.load_time", time_);
        if (n_walls_ > 0) io.layers("walls.load_integrals", integrals_, static_cast<int>(items * n_walls_));
    }

  private:
    std::size_t n_walls_ = 0;
    std::vector<WallLoad> now_;
    std::vector<char> is_expected_;
    std::vector<std::size_t> expected_;  // places in now_
    std::vector<double> integrals_;      // empty: nobody wants them
    double time_ = 0;
};

}  // namespace granary
