// The common normal of two ellipsoids as a stationary point of
//   g(n) = n.d - h_1(n) - h_2(n),   h_k = sqrt(n.A_k n),   |n| = 1,
// d from the centre of 1 to that of 2: the gap between the two planes with normal n that touch the bodies. The contact
// normal maximises it; the overlap is -g. Newton's method on the unit sphere:
//   v_k = A_k n/h_k                        points of the surfaces, v_1 from centre 1, -v_2 from centre 2
//   r = (d - v_1 - v_2) - g n              by how much the normal line through one point misses the other
//   (H_1 + H_2 + g) s = r, s.n = 0         H_k = (A_k - v_k v_k^T)/h_k: principal radii of curvature; H_k n = 0
//   n <- (n + s)/|n + s|
// Apart (g > 0) there is one maximum and the matrix is positive everywhere. Overlapping it is so where -g is below the
// sum of the radii of curvature. A stationary point with -g below the sum of the LEAST radii of curvature (sharpest) is
// the greatest maximum: by Blaschke's rolling theorem a ball of that radius fits into the Minkowski sum at every point.
//   Here are the plain steps, for one pair (T = double) or four at a time (T = Real4) with the same bits. What they do
// not solve goes to the safeguarded form (ellipsoid_johnson2005.cpp).
#pragma once
#include "shapes/placed_ellipsoid.hpp"

namespace granary {

template <class T> struct CommonNormal {
    Vec3<T> n;       // unit, from 1 to 2
    Vec3<T> v1, v2;  // m
    T h1{}, h2{};    // m
    T g{};           // m
    Vec3<T> r;       // m
};

template <class T> struct EllipsoidPair {
    Symmetric3<T> a1, a2;
    Vec3<T> d;
};

template <class T>
[[gnu::always_inline]] inline CommonNormal<T> look_along(const EllipsoidPair<T>& p, const Vec3<T>& n) {
    CommonNormal<T> c;
    c.n = n;
    const Vec3<T> u1 = p.a1 * n, u2 = p.a2 * n;
    c.h1 = root(dot(n, u1)), c.h2 = root(dot(n, u2));
    const T one = broadcast<T>(1.0);
    c.v1 = (one / c.h1) * u1, c.v2 = (one / c.h2) * u2;
    const Vec3<T> slope = (p.d - c.v1) - c.v2;
    c.g = dot(n, slope);
    c.r = slope - c.g * n;
    return c;
}

// One plain step. positive: the matrix is positive definite, so that s leads uphill. The direction n is filled with
// h_1 + h_2 + |g|, which keeps it apart from the others: M n = (g + that) n.
template <class T> struct NewtonStep {
    Vec3<T> s;
    T least_minor;  // > 0: positive definite
};
template <class T>
[[gnu::always_inline]] inline NewtonStep<T> newton_step(const EllipsoidPair<T>& p, const CommonNormal<T>& c) {
    const T one = broadcast<T>(1.0), p1 = one / c.h1, p2 = one / c.h2;
    const Vec3<T> w1 = p1 * c.v1, w2 = p2 * c.v2, &n = c.n;
    const T size_of_g = where(c.g < broadcast<T>(0.0), -c.g, c.g);
    const Vec3<T> f = ((c.h1 + c.h2) + size_of_g) * n;
    const T xx = ((p1 * p.a1.xx - w1.x * c.v1.x) + (p2 * p.a2.xx - w2.x * c.v2.x)) + (c.g + f.x * n.x);
    const T yy = ((p1 * p.a1.yy - w1.y * c.v1.y) + (p2 * p.a2.yy - w2.y * c.v2.y)) + (c.g + f.y * n.y);
    const T zz = ((p1 * p.a1.zz - w1.z * c.v1.z) + (p2 * p.a2.zz - w2.z * c.v2.z)) + (c.g + f.z * n.z);
    const T xy = ((p1 * p.a1.xy - w1.x * c.v1.y) + (p2 * p.a2.xy - w2.x * c.v2.y)) + f.x * n.y;
    const T xz = ((p1 * p.a1.xz - w1.x * c.v1.z) + (p2 * p.a2.xz - w2.x * c.v2.z)) + f.x * n.z;
    const T yz = ((p1 * p.a1.yz - w1.y * c.v1.z) + (p2 * p.a2.yz - w2.y * c.v2.z)) + f.y * n.z;
    const Symmetric3<T> minors{yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy,
                               xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy};
    const T det = xx * minors.xx + xy * minors.xy + xz * minors.xz;
    const Vec3<T> s = minors * c.r;
    return {(one / det) * s, smaller(smaller(xx, minors.zz), det)};
}

template <class T> [[gnu::always_inline]] inline Vec3<T> unit_vector(const Vec3<T>& v) {
    return (broadcast<T>(1.0) / root(dot(v, v))) * v;
}

}  // namespace granary
