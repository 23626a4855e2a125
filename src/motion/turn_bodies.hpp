// How bodies are turned follows their spin: q(t + dt) = rotation by spin(t + dt/2) dt of q(t), after the kick of the
// leapfrog (integrate.hpp). The spin is constant during the step, so this is the free motion of a ball, to the seventh
// order of the angle (shapes/quaternion.hpp): leapfrog with it keeps energy without drift. Held bodies turn with the
// spin that they were given.
#pragma once
#include <span>
#include "core/bodies.hpp"

namespace granary {

// Of the bodies of these ranges, by one step. The table must have orientations.
void turn(Bodies& bodies, std::span<const Range> ranges, double dt);

}  // namespace granary
