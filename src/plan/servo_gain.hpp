// The gain of a servo that the case leaves open: as large as the balls that can lie on its walls allow.
//
// The servo moves its walls by v = g (F* - F) and looks at F every T = servo_interval dt. Of n balls that press with
// F*/n each, the plate feels the stiffness k = n dF_1/d(delta) and the damping c = n dF_1/d(velocity) of the law, so
// from look to look
//     v' = g (F* - k x - c v),   x' = x + T v',
// whose roots lie within the unit circle if g (c + k T/2) < 1: a gain above that hammers, however the bed below may
// yield (it can only make the plate feel less). Taken is an eighth of it, because the balls swing, and blows make
// contacts stiffer for a while.
//   n    as many of the smallest balls as find room on the walls, one on each 2 sqrt(3) r^2 (of discs in a plane one
//        on each 2 r), and not more than there are; the total
//        stiffness of Hertz contacts under one force grows with n^(2/3), so this is the stiffest that can be
// Each pair of materials, of a wall that moves and of a ball, is looked at, and the smallest gain taken. Rounded to
// three digits.
#pragma once
#include <cstddef>
#include <vector>
#include "engine/setup.hpp"

namespace granary {

// What may lie on a plate.
struct ServoBed {
    double count = 0;              // balls that there will ever be
    std::vector<double> smallest;  // radius by material, m; infinite: no ball is made of it
};

// The same on any number of ranks. dt: the longest step of the run, s.
double servo_gain(const Setup& setup, std::size_t motion, double dt, const ServoBed& bed);

}  // namespace granary
