// An ellipsoid as the narrow phases see it, in space, with its centre as origin: the symmetric matrix
// A = R diag(a^2, b^2, c^2) R^T. In the direction of a unit vector n it reaches h(n) = sqrt(n.A n), at the point A n/h
// whose outward normal is n; its Gaussian curvature there is h^4/(a b c)^2.
//   Made once a body and step if several pairs ask for it (place_ellipsoid), some 100 operations.
#pragma once
#include <algorithm>
#include "core/simd.hpp"
#include "core/vec.hpp"
#include "shapes/quaternion.hpp"

namespace granary {

template <class T> struct Symmetric3 { T xx{}, xy{}, xz{}, yy{}, yz{}, zz{}; };

template <class T> [[gnu::always_inline]] inline Vec3<T> operator*(const Symmetric3<T>& m, const Vec3<T>& v) {
    return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
            m.xz * v.x + m.yz * v.y + m.zz * v.z};
}

// Columns of a rotation: the axes of the body in space.
struct BodyAxes {
    Vec3d x, y, z;
    const Vec3d& operator[](int k) const { return k == 0 ? x : k == 1 ? y : z; }
};
inline BodyAxes body_axes(const Quaterniond& q) {
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z,
                 wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)},
            {2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)},
            {2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)}};
}

// R diag(s) R^T
inline Symmetric3<double> turned_diagonal(const BodyAxes& r, const Vec3d& s) {
    const Vec3d x = s.x * r.x, y = s.y * r.y, z = s.z * r.z;
    return {x.x * r.x.x + y.x * r.y.x + z.x * r.z.x, x.x * r.x.y + y.x * r.y.y + z.x * r.z.y,
            x.x * r.x.z + y.x * r.y.z + z.x * r.z.z, x.y * r.x.y + y.y * r.y.y + z.y * r.z.y,
            x.y * r.x.z + y.y * r.y.z + z.y * r.z.z, x.z * r.x.z + y.z * r.y.z + z.z * r.z.z};
}

struct PlacedEllipsoid {
    Symmetric3<double> a;  // m^2
    double abc = 0;        // m^3, product of the semi-axes
    double largest = 0;    // m, semi-axis
    double sharpest = 0;   // m, least radius of curvature anywhere: least^2/largest semi-axis
    Vec3d semi_axes;       // m, in the size of this copy
    Quaterniond orientation{1, 0, 0, 0};
};

inline PlacedEllipsoid place_ellipsoid(const Vec3d& semi_axes, const Quaterniond& q) {
    const Vec3d& s = semi_axes;
    const double largest = std::max(s.x, std::max(s.y, s.z)), least = std::min(s.x, std::min(s.y, s.z));
    return {turned_diagonal(body_axes(q), {s.x * s.x, s.y * s.y, s.z * s.z}),
            s.x * s.y * s.z,
            largest,
            least * least / largest,
            s,
            q};
}

// 1/sqrt of the Gaussian curvature where the support is h.
template <class T> [[gnu::always_inline]] inline T gaussian_radius(T abc, T h) { return abc / (h * h); }

}  // namespace granary
