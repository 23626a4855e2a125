// Where a rigid frame is: x = R X + d, X a point of the wall where the case puts it (rigid_frame.hpp). A frame that has
// not turned multiplies by nothing.
#pragma once
#include "core/vec.hpp"

namespace granary {

struct Pose {
    Vec3d row[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Vec3d shift;
    bool turned = false;

    // From home to now.
    Vec3d direction(const Vec3d& a) const { return turned ? Vec3d{dot(row[0], a), dot(row[1], a), dot(row[2], a)} : a; }
    Vec3d point(const Vec3d& home) const { return direction(home) + shift; }

    // From now to home: a ball seen from the wall.
    Vec3d home_direction(const Vec3d& a) const { return turned ? a.x * row[0] + a.y * row[1] + a.z * row[2] : a; }
    Vec3d home_point(const Vec3d& x) const { return home_direction(x - shift); }

    friend bool operator==(const Pose&, const Pose&) = default;

    // First `other`, then this one.
    Pose after(const Pose& other) const {
        Pose both;
        for (int k = 0; k < 3; ++k)
            both.row[k] =
                turned ? row[k].x * other.row[0] + row[k].y * other.row[1] + row[k].z * other.row[2] : other.row[k];
        both.shift = point(other.shift);
        both.turned = turned || other.turned;
        return both;
    }
};

}  // namespace granary
