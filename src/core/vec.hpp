// Three-component vectors over any number type: double, or Real4 for four contacts at a time.
#pragma once
#include <cmath>

namespace granary {

template <class T> struct Vec3 {
    T x{}, y{}, z{};

    constexpr Vec3& operator+=(const Vec3& b) {
        x = x + b.x, y = y + b.y, z = z + b.z;
        return *this;
    }
    constexpr Vec3& operator-=(const Vec3& b) {
        x = x - b.x, y = y - b.y, z = z - b.z;
        return *this;
    }
    constexpr Vec3& operator*=(const T& s) {
        x = x * s, y = y * s, z = z * s;
        return *this;
    }
    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

using Vec3d = Vec3<double>;

template <class T> constexpr Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T> constexpr Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T> constexpr Vec3<T> operator-(const Vec3<T>& a) { return {-a.x, -a.y, -a.z}; }
template <class T> constexpr Vec3<T> operator*(const T& s, const Vec3<T>& a) { return {s * a.x, s * a.y, s * a.z}; }
template <class T> constexpr Vec3<T> operator*(const Vec3<T>& a, const T& s) { return {a.x * s, a.y * s, a.z * s}; }
template <class T> constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <class T> constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline double norm(const Vec3d& a) { return std::sqrt(dot(a, a)); }

// Component by number, for loops over axes.
constexpr double& at(Vec3d& a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }
constexpr double at(const Vec3d& a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

}  // namespace granary
