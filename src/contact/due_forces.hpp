// What lower bodies of pairs across the end of a range are due (pair_forces.hpp says how ranges side by side are worked
// on): kept while the upper bodies get theirs, and added in the order of the list when the range has done its own.
#pragma once
#include <vector>
#include "core/bodies.hpp"
#include "core/simd.hpp"

namespace granary {

class DueForces {
  public:
    void reserve(std::size_t most) {
        if (due_.capacity() < most) due_.reserve(most + most / 8 + 16);
    }
    void put(Index body, Real4 force, Real4 torque) { due_.push_back({force, torque, body}); }
    void put(Index body, const Vec3d& f, const Vec3d& t) {
        put(body, Real4{f.x, f.y, f.z, 0}, Real4{t.x, t.y, t.z, 0});
    }
    void give(Bodies& bodies) {
        for (const Due& d : due_) {
            double* const force = bodies.force.data() + std::size_t{4} * d.body;
            double* const torque = bodies.torque.data() + std::size_t{4} * d.body;
            store4(force, load4(force) + d.force), store4(torque, load4(torque) + d.torque);
        }
        due_.clear();
    }

  private:
    struct alignas(32) Due {
        Real4 force, torque;
        Index body;
    };
    std::vector<Due> due_;
};

}  // namespace granary
