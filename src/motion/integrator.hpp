// The ways to move bodies by a step: integrate.hpp, gear_predictor_corrector.hpp.
#pragma once

namespace granary {

enum class Integrator { verlet, gear };

}  // namespace granary
