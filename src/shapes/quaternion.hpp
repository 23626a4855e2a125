// How a body is turned: a unit quaternion q = w + (x, y, z) that takes vectors of the body's own frame to space,
// x = q X q*. q and -q are the same rotation. Only + - * / and square roots, so that four lanes (T = Real4) and one
// (T = double) give the same bits on any machine.
#pragma once
#include "core/simd.hpp"
#include "core/vec.hpp"

namespace granary {

template <class T> struct Quaternion {
    T w{}, x{}, y{}, z{};

    [[gnu::always_inline]] Vec3<T> vector() const { return {x, y, z}; }
    friend bool operator==(const Quaternion&, const Quaternion&) = default;
};

using Quaterniond = Quaternion<double>;

template <class T> [[gnu::always_inline]] inline Quaternion<T> conjugate(const Quaternion<T>& q) {
    return {q.w, -q.x, -q.y, -q.z};
}

// First b, then a.
template <class T>
[[gnu::always_inline]] inline Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b) {
    return {a.w * b.w - (a.x * b.x + a.y * b.y + a.z * b.z), a.w * b.x + a.x * b.w + (a.y * b.z - a.z * b.y),
            a.w * b.y + a.y * b.w + (a.z * b.x - a.x * b.z), a.w * b.z + a.z * b.w + (a.x * b.y - a.y * b.x)};
}

template <class T> [[gnu::always_inline]] inline T dot(const Quaternion<T>& a, const Quaternion<T>& b) {
    return (a.w * b.w + a.x * b.x) + (a.y * b.y + a.z * b.z);
}

template <class T> [[gnu::always_inline]] inline Quaternion<T> normalised(const Quaternion<T>& q) {
    const T s = broadcast<T>(1.0) / root(dot(q, q));
    return {s * q.w, s * q.x, s * q.y, s * q.z};
}

// A vector of the body's frame in space: v + w t + u x t, t = 2 u x v, with q = w + u.
template <class T> [[gnu::always_inline]] inline Vec3<T> rotate(const Quaternion<T>& q, const Vec3<T>& v) {
    const Vec3<T> u = q.vector();
    Vec3<T> t = cross(u, v);
    t = t + t;
    return v + q.w * t + cross(u, t);
}
// And back.
template <class T> [[gnu::always_inline]] inline Vec3<T> rotate_back(const Quaternion<T>& q, const Vec3<T>& v) {
    return rotate(conjugate(q), v);
}

// The rotation that takes x, y, z to three unit vectors at right angles, a right-handed set.
inline Quaternion<double> rotation_to(const Vec3<double>& x, const Vec3<double>& y, const Vec3<double>& z) {
    // The largest of 4 w^2, 4 x^2, ... gives the others by division.
    const double squares[4] = {1 + x.x + y.y + z.z, 1 + x.x - y.y - z.z, 1 - x.x + y.y - z.z, 1 - x.x - y.y + z.z};
    int k = 0;
    for (int i = 1; i < 4; ++i)
        if (squares[i] > squares[k]) k = i;
    Quaternion<double> q;
    if (k == 0) q = {squares[0], y.z - z.y, z.x - x.z, x.y - y.x};
    else if (k == 1) q = {y.z - z.y, squares[1], x.y + y.x, z.x + x.z};
    else if (k == 2) q = {z.x - x.z, x.y + y.x, squares[2], y.z + z.y};
    else q = {x.y - y.x, z.x + x.z, y.z + z.y, squares[3]};
    return normalised(q);
}

// What to multiply a rotation vector phi (axis times angle) with to get twice the tangent of half the angle along its
// axis: 2 tan(a/2)/a, from a^2. For u = phi/2 times this number, (1 + u)/|1 + u| is the rotation, and a rigid turn from
// x_0 to x_1 has x_1 - x_0 = u x (x_0 + x_1) exactly (Cayley). The series of the tangent is cut behind a^5: the angle
// is wrong by 17/20160 a^7, below the last bit for a < 0.01.
template <class T> [[gnu::always_inline]] inline T half_tangent_factor(T angle_squared) {
    return broadcast<T>(1.0) + angle_squared * (broadcast<T>(1.0 / 12) + angle_squared * broadcast<T>(1.0 / 120));
}

// Turned on by a rotation vector in space, rad: spin times time. Of unit length to the last bits, whatever q was.
template <class T> [[gnu::always_inline]] inline Quaternion<T> turned(const Quaternion<T>& q, const Vec3<T>& rotation) {
    const Vec3<T> u = (broadcast<T>(0.5) * half_tangent_factor(dot(rotation, rotation))) * rotation;
    return normalised(Quaternion<T>{broadcast<T>(1.0), u.x, u.y, u.z} * q);
}

}  // namespace granary
