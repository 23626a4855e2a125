// Loads on the walls at the present step, by layer of the last sort: their sums over the layers have the same bits on any number of ranks. They are kept
// at every step, because nobody knows one step ahead where a run will end; few contacts are at walls, and only layers where a ball is near
// a wall are cleared.
#pragma once
#include <cstddef>
#include <span>
#include <vector>
#include "motion/moving_walls.hpp"
#include "motion/wall_contacts.hpp"

namespace granary {

// On all walls of a motion, the torque about the origin of coordinates. loads: one a wall.
inline WallLoad load_on(const MovingWalls& walls, std::size_t motion, std::span<const WallLoad> loads) {
    WallLoad all;
    for (std::size_t w = 0; w < loads.size(); ++w)
        if (walls.home()[w].motion == motion) all.force += loads[w].force, all.torque += loads[w].torque;
    return all;
}

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

  private:
    std::size_t n_walls_ = 0;
    std::vector<WallLoad> now_;
    std::vector<char> is_expected_;
    std::vector<std::size_t> expected_;  // places in now_
};

}  // namespace granary
