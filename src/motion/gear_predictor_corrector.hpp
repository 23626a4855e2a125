// Predictor-corrector of Gear, 4 values, in the form PEC (one evaluation of the forces a step):
//   Gear (1971), Numerical Initial Value Problems in Ordinary Differential Equations; coefficients as in Allen &
//   Tildesley (1987), Computer Simulation of Liquids, appendix E, for forces that depend on velocities.
// Orders, as measured (tests/validation/integrators_test.cpp, spring_swings_test.cpp):
//                                                               here        leapfrog
//   smooth forces: overlap, tangential and rolling springs      3           2
//   the same with dampers, at plates that shake too             3           1: its damper sees the velocity of half a
//   step before a contact whose lever, normal or wall turns                 2           1 let go while the force
//   changes; a contact begins or ends    2 or less   2 or less
// (At a start there is no past: the jerk is taken as none. At first touch the jerk jumps, with a damper the force
// itself.) A swing without damper keeps all but 7e-5 of its amplitude in 36 periods of 68 steps, and loses with the
// fifth power of the step. With a = F/m + g and b = da/dt:
//   predict   x += v dt + a dt^2/2 + b dt^3/6      v += a dt + b dt^2/2      a += b dt
//   evaluate  F at the predicted x and v;          e = F/m + g - a
//   correct   x += e dt^2/12                       v += 5/12 e dt            a += e            b += e/dt
// The same for spin with its first derivative from the torque: omega like v. (For v it is the formula of Adams-Moulton
// of order 3: v' = v + (5 a' + 8 a - a_before) dt/12.)
//
//   symbol   column         meaning                                            unit
//   x, v     position, velocity   as predicted for the time of the step        m, m/s
//   a        acceleration   as predicted, gravity in it                        m/s^2
//   b        jerk           its rate                                           m/s^3
//   -        spin_rate, spin_jerk   the same of spin                           rad/s^2, rad/s^3
//   -        way, turn      from the predicted place of the last step to that of this one; springs follow them, see
//                           contact/spring_displacements.hpp                    m, rad
//
// One pass corrects the last step and predicts the next, so neighbours are sent predictions only and there is no second
// message: forces, staleness and frames see predicted positions, which differ from corrected ones by e dt^2/12.
// Whatever the corrector moves is moved at the begin of the next step, within the same skin: displacements and speeds
// are measured after it. Energies and frames use corrected velocities. The derivatives do not know the time step, so it
// may change from stage to stage.
#pragma once
#include <span>
#include "core/bodies.hpp"
#include "motion/integrate.hpp"

namespace granary {

// Corrects the step that led here (Motion::last_dt) and predicts the next. Forces and torques are then spent, and zero.
void correct_and_predict(Bodies& bodies, std::span<const Range> runs, const Motion& motion);

// Derivatives from the present forces, as if they had always been so: at the start, when there is no past.
void start_derivatives(Bodies& bodies, std::span<const Range> runs, const Motion& motion);

}  // namespace granary
