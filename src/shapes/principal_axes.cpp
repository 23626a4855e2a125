#include "shapes/principal_axes.hpp"
#include <cmath>

namespace granary {
namespace {

using Matrix3 = std::array<std::array<double, 3>, 3>;

// a := J^T a J, v := v J, so that a[p][q] vanishes.
void rotate_away(Matrix3& a, Matrix3& v, std::size_t p, std::size_t q) {
    const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = (theta >= 0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1));
    const double c = 1 / std::sqrt(t * t + 1), s = t * c;
    for (std::size_t k = 0; k < 3; ++k) {
        const double kp = a[k][p], kq = a[k][q];
        a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const double pk = a[p][k], qk = a[q][k];
        a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const double kp = v[k][p], kq = v[k][q];
        v[k][p] = c * kp - s * kq, v[k][q] = s * kp + c * kq;
    }
}

Vec3d unit_axis(int k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }

}  // namespace

PrincipalAxes principal_axes(const std::array<Vec3d, 3>& m) {
    Matrix3 a{{{m[0].x, m[0].y, m[0].z}, {m[1].x, m[1].y, m[1].z}, {m[2].x, m[2].y, m[2].z}}};
    Matrix3 v{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const double scale = std::abs(a[0][0]) + std::abs(a[1][1]) + std::abs(a[2][2]);
    // Below this an element is rounding of the sums that made it.
    const double nothing = 1e-13 * scale;
    for (int sweep = 0; sweep < 30; ++sweep) {
        bool turned_any = false;
        for (const auto& [p, q] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}})
            if (std::abs(a[p][q]) > (sweep == 0 ? nothing : 1e-17 * scale)) rotate_away(a, v, p, q), turned_any = true;
        if (!turned_any) break;
    }
    std::array<double, 3> value{a[0][0], a[1][1], a[2][2]};
    std::array<Vec3d, 3> axis;
    for (std::size_t k = 0; k < 3; ++k) axis[k] = {v[0][k], v[1][k], v[2][k]};
    const auto agree = [&](double b, double c) { return std::abs(b - c) <= 1e-9 * scale; };
    const bool same01 = agree(value[0], value[1]), same02 = agree(value[0], value[2]),
               same12 = agree(value[1], value[2]);
    if (same01 + same02 + same12 >= 2)
        return {{value[0], value[1], value[2]}, {unit_axis(0), unit_axis(1), unit_axis(2)}};
    if (same01 || same02 || same12) {
        const std::size_t single = same12 ? 0 : same02 ? 1 : 2;
        Vec3d u = axis[single];
        int place = 0;
        for (int k = 1; k < 3; ++k)
            if (std::abs(at(u, k)) > std::abs(at(u, place)) + 1e-9) place = k;
        if (at(u, place) < 0) u = -u;
        const int next = (place + 1) % 3, last = (place + 2) % 3;
        Vec3d w = unit_axis(next) - dot(unit_axis(next), u) * u;
        w = (1 / norm(w)) * w;
        const double mean = (value[0] + value[1] + value[2] - value[single]) / 2;
        PrincipalAxes result;
        at(result.moments, place) = value[single], at(result.moments, next) = mean, at(result.moments, last) = mean;
        result.axes[static_cast<std::size_t>(place)] = u;
        result.axes[static_cast<std::size_t>(next)] = w;
        result.axes[static_cast<std::size_t>(last)] = cross(u, w);
        return result;
    }
    PrincipalAxes result;
    std::array<bool, 3> taken{};
    for (int place = 0; place < 2; ++place) {
        int best = -1;
        for (int k = 0; k < 3; ++k)
            if (!taken[static_cast<std::size_t>(k)] &&
                (best < 0 || std::abs(at(axis[static_cast<std::size_t>(k)], place)) >
                                 std::abs(at(axis[static_cast<std::size_t>(best)], place)) + 1e-9))
                best = k;
        const auto b = static_cast<std::size_t>(best);
        taken[b] = true;
        at(result.moments, place) = value[b];
        result.axes[static_cast<std::size_t>(place)] = at(axis[b], place) < 0 ? -axis[b] : axis[b];
    }
    for (std::size_t k = 0; k < 3; ++k)
        if (!taken[k]) result.moments.z = value[k];
    result.axes[2] = cross(result.axes[0], result.axes[1]);
    return result;
}

}  // namespace granary
