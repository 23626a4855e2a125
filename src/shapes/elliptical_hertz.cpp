#include "shapes/elliptical_hertz.hpp"
#include <array>
#include "shapes/common_normal.hpp"

namespace granary {
namespace {

constexpr double pi_hertz = 3.14159265358979323846;

struct ContactEllipse {
    double s = 1;       // sqrt(R''/R')
    double factor = 1;  // F_2^-3
};

ContactEllipse of_axes(double b_a) {
    const double e2 = (1 - b_a) * (1 + b_a);
    if (!(e2 > 0)) return {};
    double a = 1, g = b_a, sum = 0.5 * e2, weight = 1;
    for (int it = 0; it < 40; ++it) {
        const double c = 0.5 * (a - g), mean = 0.5 * (a + g);
        sum += weight * (c * c);
        if (!(c > 1e-17 * mean)) break;
        g = root(a * g), a = mean, weight *= 2;
    }
    const double k = pi_hertz / (2 * a), rest = e2 - sum;
    if (!(rest > 0)) return {};
    return {b_a * root(sum / rest), pi_hertz * pi_hertz * root(sum * rest) / (2 * k * k * e2 * b_a)};
}

// Nodes are equal steps of sqrt(s), down to R'/R'' of 160 000.
constexpr int n_nodes = 512;
constexpr double first_node = 0.05;

std::array<double, n_nodes + 1> make_table() {
    std::array<double, n_nodes + 1> table{};
    for (int k = 0; k <= n_nodes; ++k) {
        const double x = first_node + (1 - first_node) * k / n_nodes;
        table[static_cast<std::size_t>(k)] = elliptical_factor_exact(x * x);
    }
    return table;
}

// Radii of curvature (h H) in the tangent plane, and what adds curvature 1/r to both directions.
struct Curvature2 {
    double ss = 0, st = 0, tt = 0;
    void add(const PlacedEllipsoid& e, const Vec3d& n, const Vec3d& s, const Vec3d& t) {
        const Vec3d an = e.a * n, as = e.a * s, at = e.a * t;
        const double h2 = dot(n, an), vs = dot(an, s), vt = dot(an, t), h = root(h2);
        const double rs = (dot(s, as) - vs * vs / h2) / h, rt = (dot(t, at) - vt * vt / h2) / h,
                     rst = (dot(s, at) - vs * vt / h2) / h;
        const double per_det = h2 * h2 / (e.abc * e.abc);  // the Gaussian curvature
        ss += rt * per_det, tt += rs * per_det, st -= rst * per_det;
    }
    double effective_radius() const {
        const double half = 0.5 * (ss - tt), spread = root(half * half + st * st), mean = 0.5 * (ss + tt);
        const double large = mean + spread, det = ss * tt - st * st, small = det / large;  // curvatures
        return elliptical_factor(root(small / large)) / root(det);
    }
};

struct TangentPair {
    Vec3d s, t;
};
TangentPair across(const Vec3d& n) {
    const double x = n.x * n.x, y = n.y * n.y, z = n.z * n.z;
    const Vec3d axis = x <= y && x <= z ? Vec3d{1, 0, 0} : y <= z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    const Vec3d s = unit_vector(cross(n, axis));
    return {s, cross(n, s)};
}

}  // namespace

double elliptical_factor_exact(double s) {
    if (!(s < 1)) return 1;
    double low = 0, high = 1;  // b/a grows with s
    for (int it = 0; it < 100; ++it) {
        const double middle = 0.5 * (low + high);
        (of_axes(middle).s < s ? low : high) = middle;
    }
    return of_axes(0.5 * (low + high)).factor;
}

double elliptical_factor(double s) {
    static const std::array<double, n_nodes + 1> table = make_table();
    const double x = (root(s) - first_node) * (n_nodes / (1 - first_node));
    if (!(x > 0)) return table[0];
    if (!(x < n_nodes)) return 1;
    const auto k = static_cast<std::size_t>(x);
    const double w = x - static_cast<double>(k);
    return table[k] + w * (table[k + 1] - table[k]);
}

double hertz_radius(const PlacedEllipsoid& i, const PlacedEllipsoid& j, const Vec3d& n) {
    const TangentPair f = across(n);
    Curvature2 c;
    c.add(i, n, f.s, f.t), c.add(j, n, f.s, f.t);
    return c.effective_radius();
}

double hertz_radius(const PlacedEllipsoid& i, double ball_radius, const Vec3d& n) {
    const TangentPair f = across(n);
    Curvature2 c;
    c.add(i, n, f.s, f.t);
    const double more = ball_radius > 0 ? 1 / ball_radius : 0.0;
    c.ss += more, c.tt += more;
    return c.effective_radius();
}

}  // namespace granary
