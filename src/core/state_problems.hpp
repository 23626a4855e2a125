// Whether the bodies of a state can be used: a file may hold any numbers, be it damaged before it was sealed or made by
// somebody else.
#pragma once
#include <cmath>
#include <span>
#include <string>
#include "core/state_source.hpp"

namespace granary {

// What is wrong with a body; empty: nothing. n_materials: its material must be below; n_shapes: its shape not above.
inline std::string problem_of(const BodyRecord& b, std::size_t n_materials, std::size_t n_shapes = 0) {
    const auto of = [&](const std::string& what) { return "ball " + std::to_string(b.id) + " " + what; };
    for (const double* v : {b.position, b.velocity, b.spin})
        for (int c = 0; c < 4; ++c)
            if (!std::isfinite(v[c])) return of("has a position, velocity or spin that is not finite");
    for (const double* v : {b.force, b.torque, b.reference})
        for (int c = 0; c < 3; ++c)
            if (!std::isfinite(v[c])) return of("has a force, torque or position at the last sort that is not finite");
    if (b.id >= most_ids) return of("has an id that is too large");
    if (!(b.position[3] > 0)) return of("has no radius");
    const bool is_held = b.held != 0 && b.velocity[3] == 0 && b.spin[3] == 0;
    if (!is_held && (!(b.velocity[3] > 0) || !std::isnormal(1 / b.velocity[3]))) return of("has no mass");
    if (b.shape > n_shapes) return of("is of shape " + std::to_string(b.shape) + ", which does not exist");
    if (b.shape != 0) {
        const double* q = b.orientation;
        if (!(std::abs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-6))
            return of("has an orientation that is no unit quaternion");
        for (int c = 0; c < 3; ++c)
            if (!std::isfinite(b.angular_momentum[c])) return of("has an angular momentum that is not finite");
    }
    if (!is_held && b.shape == 0 && (!(b.spin[3] > 0) || !std::isnormal(1 / b.spin[3])))
        return of("has no moment of inertia");
    if (b.material >= n_materials) return of("is of material " + std::to_string(b.material) + ", which does not exist");
    return {};
}

// Where it was at the last sort, by itself: it is read before the rest.
inline std::string problem_of_reference(std::span<const BodyRecord> bodies) {
    for (const BodyRecord& b : bodies)
        for (const double x : b.reference)
            if (!std::isfinite(x))
                return "ball " + std::to_string(b.id) + " has a position at the last sort that is not finite";
    return {};
}

// Of the first that is none.
inline std::string problem_of(std::span<const BodyRecord> bodies, std::size_t n_materials, std::size_t n_shapes = 0) {
    for (const BodyRecord& b : bodies)
        if (std::string problem = problem_of(b, n_materials, n_shapes); !problem.empty()) return problem;
    return {};
}

}  // namespace granary
