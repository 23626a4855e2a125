#include "shapes/equivalent_spheres.hpp"
#include "shapes/common_normal.hpp"

namespace granary {
namespace {

struct Direction2 {
    double x = 1, y = 0;
};
double cross2(const Direction2& a, const Direction2& b) { return a.x * b.y - a.y * b.x; }

// One body: its frame with the major axis last, the estimate on its surface, and bounds of both parameters.
struct Estimate {
    BodyAxes axes;  // two minor ones, then the major
    Vec3d square;   // semi-axes squared in that order, m^2
    Vec3d per_square;
    double least = 0;  // of the three squares

    Direction2 theta;
    double k = 0;
    Vec3d p;         // estimate, from the own centre, in space
    Vec3d gradient;  // A^-1 p, along the outward normal

    double k_low = 0, k_high = 0;
    Direction2 theta_low, theta_high;
    bool has_low = false, has_high = false, has_k_low = false, has_k_high = false;

    explicit Estimate(const PlacedEllipsoid& e) {
        const BodyAxes r = body_axes(e.orientation);
        const Vec3d& s = e.semi_axes;
        const int major = s.z >= s.x && s.z >= s.y ? 2 : s.y >= s.x ? 1 : 0;
        const int first = major == 2 ? 0 : major + 1, second = 3 - major - first;
        axes = {r[first], r[second], r[major]};
        const double a = at(s, first), b = at(s, second), c = at(s, major);
        square = {a * a, b * b, c * c};
        per_square = {1 / square.x, 1 / square.y, 1 / square.z};
        least = a < b ? square.x : square.y;
    }

    // Intersection of the ray from `start` (own centre as origin) along u with the surface, where it leaves the body;
    // if it misses the body, the point of the surface below its nearest place. Sets theta and k only.
    void intersect(const Vec3d& start, const Vec3d& u, Direction2& new_theta, double& new_k) const {
        const Vec3d e{dot(start, axes.x), dot(start, axes.y), dot(start, axes.z)};
        const Vec3d v{dot(u, axes.x), dot(u, axes.y), dot(u, axes.z)};
        const Vec3d ev{e.x * per_square.x, e.y * per_square.y, e.z * per_square.z};
        const Vec3d vv{v.x * per_square.x, v.y * per_square.y, v.z * per_square.z};
        const double aa = dot(v, vv), bb = dot(e, vv), cc = dot(e, ev) - 1;
        const double discriminant = bb * bb - aa * cc;
        const double t = (root(discriminant > 0 ? discriminant : 0.0) - bb) / aa;
        Vec3d q = e + t * v;
        if (discriminant < 0) {
            const double level = q.x * q.x * per_square.x + q.y * q.y * per_square.y + q.z * q.z * per_square.z;
            q *= 1 / root(level);
        }
        const double rho = root(q.x * q.x + q.y * q.y);
        if (rho > 0) new_theta = {q.x / rho, q.y / rho};
        new_k = q.z;
    }

    // The point of the surface with these parameters, and the gradient there.
    void place() {
        const double rest = 1 - k * k * per_square.z;
        const double across = theta.x * theta.x * per_square.x + theta.y * theta.y * per_square.y;
        const double rho = root((rest > 0 ? rest : 0.0) / across);
        const double x = rho * theta.x, y = rho * theta.y;
        p = x * axes.x + y * axes.y + k * axes.z;
        gradient = (x * per_square.x) * axes.x + (y * per_square.y) * axes.y + (k * per_square.z) * axes.z;
    }
    Vec3d centre() const { return p - least * gradient; }

    // turn: rotation vector that would take the normal of this body to the opposite of the other's. Along the major
    // axis it asks for a larger or smaller theta, along (theta direction) x (major axis) for a larger or smaller k.
    void bound(const Vec3d& turn) {
        if (dot(turn, axes.z) > 0) theta_low = theta, has_low = true;
        else theta_high = theta, has_high = true;
        const Vec3d across = theta.y * axes.x - theta.x * axes.y;
        if (dot(turn, across) > 0) k_low = k, has_k_low = true;
        else k_high = k, has_k_high = true;
    }
    void move(const Direction2& new_theta, double new_k) {
        const bool below = has_low && cross2(theta_low, new_theta) < 0,
                   above = has_high && cross2(new_theta, theta_high) < 0;
        if ((below || above) && has_low && has_high) {
            const double x = theta_low.x + theta_high.x, y = theta_low.y + theta_high.y, l = root(x * x + y * y);
            if (l > 0) theta = {x / l, y / l};
        } else {  // one bound alone, set at a time when the other body was elsewhere, does not hold
            if (below) has_low = false;
            if (above) has_high = false;
            theta = new_theta;
        }
        const bool k_below = has_k_low && new_k < k_low, k_above = has_k_high && new_k > k_high;
        if ((k_below || k_above) && has_k_low && has_k_high && k_low < k_high) {
            k = 0.5 * (k_low + k_high);
        } else {
            if (k_below) has_k_low = false;
            if (k_above) has_k_high = false;
            k = new_k;
        }
    }
};

}  // namespace

SpheresResult equivalent_spheres(const PlacedEllipsoid& one, const PlacedEllipsoid& two, const Vec3d& d,
                                 const Vec3d& line, double near_enough, int most) {
    Estimate a(one), b(two);
    // (1), negated: theta towards the other body; and the line of centres intersected with both surfaces gives k.
    a.intersect({}, line, a.theta, a.k), b.intersect({}, -line, b.theta, b.k);
    a.place(), b.place();
    SpheresResult result{line, 2, 0};
    for (int it = 0;; ++it) {
        const Vec3d n1 = unit_vector(a.gradient), n2 = unit_vector(b.gradient);
        const Vec3d turn = cross(n2, n1);  // n1 x (-n2)
        const double skew = dot(n1, n2) < 0 ? root(dot(turn, turn)) : 2;
        if (skew < result.skew) result.n = unit_vector(n1 - n2), result.skew = skew;
        result.iterations = it;
        if (skew < near_enough || it == most) return result;
        if (it > 0) a.bound(turn), b.bound(-turn);
        const Vec3d from = a.centre(), to = d + b.centre();
        Vec3d vector = to - from;
        const double length = root(dot(vector, vector));
        if (!(length > 0)) return result;
        vector *= 1 / length;
        if (dot(vector, n1 - n2) < 0) vector = -vector;  // the spheres overlap beyond their centres
        Direction2 theta_a = a.theta, theta_b = b.theta;
        double k_a = 0, k_b = 0;
        a.intersect(from, vector, theta_a, k_a), b.intersect(to - d, -vector, theta_b, k_b);
        a.move(theta_a, k_a), b.move(theta_b, k_b);
        a.place(), b.place();
    }
}

}  // namespace granary
