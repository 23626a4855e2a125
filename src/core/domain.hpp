// The box in which everything happens. Along a periodic axis it repeats; along the others a ball
// whose centre leaves it without having crossed an outlet is lost: an error, unless such balls are to be deleted.
#pragma once
#include <array>
#include <string>
#include "core/vec.hpp"

namespace granary {

struct Domain {
    Vec3d lower, upper;              // m
    std::array<bool, 3> periodic{};  // x, y, z
};

// A plane through which balls leave: a ball is out once its centre is on the far side, that is
// normal . (x - point) < 0.
struct Outlet {
    std::string name;
    Vec3d point;
    Vec3d normal;  // unit, pointing to where balls come from
};

}  // namespace granary
