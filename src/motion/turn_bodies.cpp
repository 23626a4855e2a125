#include "motion/turn_bodies.hpp"
#include "core/parallel.hpp"
#include "shapes/quaternion.hpp"

namespace granary {
namespace {

void turn_one(double* orientation, const double* spin, double dt) {
    const Quaterniond q = turned(Quaterniond{orientation[0], orientation[1], orientation[2], orientation[3]},
                                 Vec3d{spin[0] * dt, spin[1] * dt, spin[2] * dt});
    orientation[0] = q.w, orientation[1] = q.x, orientation[2] = q.y, orientation[3] = q.z;
}

}  // namespace

void turn(Bodies& bodies, std::span<const Range> ranges, double dt) {
    static const std::string name = "motion::turn_bodies";
    double* const orientation = bodies.orientation.data();
    const double* const spin = bodies.spin.data();
    const Real4 dt4 = broadcast4(dt);
    in_parallel(name, ranges.size(), [&](std::size_t r) {
        const Range range = ranges[r];
        Index i = range.begin;
        for (; i + 4 <= range.end; i += 4) {
            double* const at_q = orientation + std::size_t{4} * i;
            const double* const at_w = spin + std::size_t{4} * i;
            Real4 q[4], w[4];
            for (int k = 0; k < 4; ++k) q[k] = load4(at_q + 4 * k), w[k] = load4(at_w + 4 * k);
            transpose(q[0], q[1], q[2], q[3]);
            transpose(w[0], w[1], w[2], w[3]);
            const Quaternion<Real4> next =
                turned(Quaternion<Real4>{q[0], q[1], q[2], q[3]}, Vec3<Real4>{w[0] * dt4, w[1] * dt4, w[2] * dt4});
            q[0] = next.w, q[1] = next.x, q[2] = next.y, q[3] = next.z;
            transpose(q[0], q[1], q[2], q[3]);
            for (int k = 0; k < 4; ++k) store4(at_q + 4 * k, q[k]);
        }
        for (; i < range.end; ++i) turn_one(orientation + std::size_t{4} * i, spin + std::size_t{4} * i, dt);
    });
}

}  // namespace granary
