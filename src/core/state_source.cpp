#include "core/state_source.hpp"

namespace granary {

namespace {

template <class T> void copy_quad(const Quads& to, Index i, const T& from) {
    for (std::size_t c = 0; c < std::size(from); ++c) to(i, c) = from[c];
}

}  // namespace

std::set<Id> crossed_in(const StateHeader& header) {
    const auto at = header.run.integers.find(crossed_name);
    return at == header.run.integers.end() ? std::set<Id>() : std::set<Id>(at->second.begin(), at->second.end());
}

void put(Bodies& bodies, Index i, const StateBody& body) {
    copy_quad(bodies.position, i, body.position);
    copy_quad(bodies.velocity, i, body.velocity);
    copy_quad(bodies.spin, i, body.spin);
    copy_quad(bodies.force, i, body.force);
    copy_quad(bodies.torque, i, body.torque);
    for (int c = 0; c < 3; ++c) bodies.reference(i, c) = body.reference[c];
    bodies.id(i) = body.id;
    bodies.material(i) = body.material;
    if (bodies.has_bands()) bodies.band(i) = body.band;
    if (bodies.has_entry_times()) bodies.entry_time(i) = body.entry_time;
    if (!bodies.with_derivatives) return;
    copy_quad(bodies.acceleration, i, body.acceleration), copy_quad(bodies.jerk, i, body.jerk);
    copy_quad(bodies.spin_rate, i, body.spin_rate), copy_quad(bodies.spin_jerk, i, body.spin_jerk);
    for (const Quads* view : {&bodies.acceleration, &bodies.jerk, &bodies.spin_rate, &bodies.spin_jerk})
        (*view)(i, 3) = 0;
}

}  // namespace granary
