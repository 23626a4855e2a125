// Whether the bodies of a state can be used: a file may hold any numbers, be it damaged before it was sealed or made by
// somebody else.
#pragma once
#include <cmath>
#include <span>
#include <string>
#include "core/contact_record.hpp"
#include "core/state_source.hpp"

namespace granary {

// What is wrong with a body; empty: nothing. n_materials: its material must be below. n_holds, n_shapes: of the case.
inline std::string problem_of(const BodyRecord& b, std::size_t n_materials, std::size_t n_holds,
                              std::size_t n_shapes = 0) {
    const auto of = [&](const std::string& what) { return "ball " + std::to_string(b.id) + " " + what; };
    for (const double* v : {b.position, b.velocity, b.spin})
        for (int c = 0; c < 4; ++c)
            if (!std::isfinite(v[c])) return of("has a position, velocity or spin that is not finite");
    for (const double* v : {b.force, b.torque, b.reference})
        for (int c = 0; c < 3; ++c)
            if (!std::isfinite(v[c])) return of("has a force, torque or position at the last sort that is not finite");
    if (b.id >= most_ids) return of("has an id that is too large");
    if (b.held > n_holds)
        return of("is held by number " + std::to_string(b.held) + " of [[hold]], and this case has " +
                  std::to_string(n_holds));
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
    if (is_held && !std::isnormal(b.held_mass)) return of("is held and has no mass");
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
inline std::string problem_of(std::span<const BodyRecord> bodies, std::size_t n_materials, std::size_t n_holds,
                              std::size_t n_shapes = 0) {
    for (const BodyRecord& b : bodies)
        if (std::string problem = problem_of(b, n_materials, n_holds, n_shapes); !problem.empty()) return problem;
    return {};
}

// What is wrong with the history of contacts: numbers that are none, bonds of types that the case does not have or
// without a length, which is divided by.
inline std::string problem_of(std::span<const ContactRecord> contacts, std::size_t n_bond_types) {
    for (const ContactRecord& c : contacts) {
        const auto of = [&](const std::string& what) {
            return "a contact of ball " + std::to_string(c.body) + " " + what;
        };
        for (const double x : c.xi)
            if (!std::isfinite(x)) return of("remembers a number that is not finite");
        const HistoryKind kind = c.partner.kind();
        if (kind == HistoryKind::bond && !std::isnormal(c.xi[0] * c.xi[0] + c.xi[1] * c.xi[1] + c.xi[2] * c.xi[2]))
            return of("is a bond without a length");
        if (kind != HistoryKind::bond_nature || n_bond_types == 0) continue;
        if (!(c.xi[0] >= 0 && c.xi[0] < static_cast<double>(n_bond_types)) || c.xi[0] != std::floor(c.xi[0]))
            return of("is a bond of a type that this case does not have");
        if (!(c.xi[1] >= 0)) return of("is a bond of negative strength");
    }
    return {};
}

}  // namespace granary
