#include "shapes/ellipsoid_point.hpp"
#include "shapes/common_normal.hpp"

namespace granary {
namespace {

constexpr int most_secular = 60;

// In the frame of the axes: y given by its sizes (>= 0), square = semi-axes squared. Gives the gradient y_k/(t + a_k^2)
// and t.
struct Secular {
    Vec3d gradient;
    double t = 0;
};
Secular solve_secular(Vec3d y, const Vec3d& semi, const Vec3d& square) {
    const double least = std::min(square.x, std::min(square.y, square.z)),
                 most = std::max(semi.x, std::max(semi.y, semi.z));
    // Off the plane across the least axis by something that no digit of the answer sees.
    const double off = 1e-18 * most;
    if (square.x == least) y.x = std::max(y.x, off);
    else if (square.y == least) y.y = std::max(y.y, off);
    else y.z = std::max(y.z, off);
    const Vec3d gap{square.x - least, square.y - least, square.z - least};
    const Vec3d f{semi.x * y.x, semi.y * y.y, semi.z * y.z};
    // One term alone is 1 here, so S >= 1.
    double u = std::max(f.x - gap.x, std::max(f.y - gap.y, f.z - gap.z));
    Vec3d per;
    for (int it = 0;; ++it) {
        per = {1 / (u + gap.x), 1 / (u + gap.y), 1 / (u + gap.z)};
        const double wx = f.x * per.x, wy = f.y * per.y, wz = f.z * per.z, xx = wx * wx, yy = wy * wy, zz = wz * wz;
        const double s = xx + yy + zz, slope = xx * per.x + yy * per.y + zz * per.z;
        const double excess = root(s) - 1;
        if (!(excess > 1e-15) || it == most_secular) break;
        const double next = u + excess * s / slope;
        if (!(next > u)) break;
        u = next;
    }
    return {{y.x * per.x, y.y * per.y, y.z * per.z}, u - least};
}

double with_sign(double size, double of) { return of < 0 ? -size : size; }
double size_of(double a) { return a < 0 ? -a : a; }

FlatTouch wall_touch(const Vec3d& wall_point, const Vec3d& outwards, double distance, double support, double abc,
                     const Vec3d& surface_point) {
    return {{-outwards, -distance, 0.5 * (surface_point + wall_point), gaussian_radius(abc, support), 0}, wall_point};
}

}  // namespace

NearestOnEllipsoid nearest_on_ellipsoid(const PlacedEllipsoid& e, const Vec3d& y) {
    const BodyAxes r = body_axes(e.orientation);
    const Vec3d& s = e.semi_axes;
    const Vec3d square{s.x * s.x, s.y * s.y, s.z * s.z}, b{dot(y, r.x), dot(y, r.y), dot(y, r.z)};
    const Secular at = solve_secular({size_of(b.x), size_of(b.y), size_of(b.z)}, s, square);
    const Vec3d n =
        unit_vector(Vec3d{with_sign(at.gradient.x, b.x), with_sign(at.gradient.y, b.y), with_sign(at.gradient.z, b.z)});
    // From the normal to the point: h and the point fit each other to rounding, whatever is left of S - 1.
    const Vec3d an{square.x * n.x, square.y * n.y, square.z * n.z};
    const double h = root(dot(n, an));
    const Vec3d p = (1 / h) * an;
    NearestOnEllipsoid found;
    found.normal = n.x * r.x + n.y * r.y + n.z * r.z;
    found.point = p.x * r.x + p.y * r.y + p.z * r.z;
    found.distance = dot(b, n) - h;
    found.support = h;
    return found;
}

bool touch_ellipsoid_ball(const PlacedEllipsoid& i, const Vec3d& from_i_to_j, double radius, ConvexTouch& out,
                          double far) {
    const double reach = i.largest + radius + far;
    if (dot(from_i_to_j, from_i_to_j) >= reach * reach) return false;
    const NearestOnEllipsoid at = nearest_on_ellipsoid(i, from_i_to_j);
    if (at.distance - radius >= far) return false;
    const double r = gaussian_radius(i.abc, at.support);
    out = {-at.normal, radius - at.distance, 0.5 * (at.point + (from_i_to_j - radius * at.normal)),
           r * radius / (r + radius), 0};
    return true;
}

bool touch_ellipsoid_plane(const PlacedEllipsoid& e, const Vec3d& from_centre, const Vec3d& normal, FlatTouch& out,
                           double far) {
    const Vec3d u = e.a * normal;
    const double h = root(dot(normal, u)), gap = -dot(from_centre, normal) - h;
    if (gap >= far) return false;
    const Vec3d lowest = (-1 / h) * u;
    out = wall_touch(lowest - gap * normal, -normal, gap, h, e.abc, lowest);
    return true;
}

FlatTouch touch_at_point(const PlacedEllipsoid& e, const Vec3d& y) {
    const NearestOnEllipsoid at = nearest_on_ellipsoid(e, y);
    FlatTouch touch = wall_touch(y, at.normal, at.distance, at.support, e.abc, at.point);
    touch.part = FlatPart::corner;
    return touch;
}

FlatTouch nearest_on_segment(const PlacedEllipsoid& e, const Vec3d& a, const Vec3d& b) {
    const Vec3d along = b - a;
    const double length = root(dot(along, along));
    const Vec3d u = (1 / length) * along;
    // The shadow along u: an ellipse with the matrix (ss, st; st, tt) in the plane of s and t.
    const double x = size_of(u.x), y = size_of(u.y), z = size_of(u.z);
    const Vec3d axis = x <= y && x <= z ? Vec3d{1, 0, 0} : y <= z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    const Vec3d s = unit_vector(cross(u, axis)), t = cross(u, s), as = e.a * s, at = e.a * t;
    const double ss = dot(s, as), st = dot(s, at), tt = dot(t, at);
    const double half = 0.5 * (ss - tt), spread = root(half * half + st * st), mean = 0.5 * (ss + tt);
    // Its major axis: (mean + spread - tt, st) or (st, mean + spread - ss), whichever is longer.
    double cx = half >= 0 ? half + spread : st, cy = half >= 0 ? st : spread - half;
    const double l = root(cx * cx + cy * cy);
    if (l > 0) cx /= l, cy /= l;
    else cx = 1, cy = 0;
    const Vec3d major = cx * s + cy * t, minor = cx * t - cy * s;
    const double big = mean + spread, small = (ss * tt - st * st) / big;  // squared semi-axes
    const double ym = dot(a, major), yn = dot(a, minor);
    const double m = root(big), n = root(small);
    const Secular sec = solve_secular({size_of(ym), size_of(yn), 0}, {m, n, m}, {big, small, big});
    const Vec3d normal = unit_vector(with_sign(sec.gradient.x, ym) * major + with_sign(sec.gradient.y, yn) * minor);
    const Vec3d an = e.a * normal;
    const double h = root(dot(normal, an)), distance = dot(a, normal) - h;
    const Vec3d foot = (1 / h) * an;
    const double place = dot(foot - a, u);
    if (place > 0 && place < length) {
        FlatTouch touch = wall_touch(a + place * u, normal, distance, h, e.abc, foot);
        touch.part = FlatPart::edge;
        return touch;
    }
    FlatTouch touch = touch_at_point(e, place > 0 ? b : a);
    touch.number = place > 0 ? 1 : 0;
    return touch;
}

bool touch_ellipsoid_polygon(const PlacedEllipsoid& e, std::span<const Vec3d> corners, const Vec3d& normal,
                             FlatTouch& out, double far) {
    const double height = -dot(corners[0], normal);  // of the centre over the face
    const Vec3d n = height < 0 ? -normal : normal;
    if (!touch_ellipsoid_plane(e, corners[0], n, out, far)) return false;
    bool inside = true;
    const std::size_t count = corners.size();
    // The corners go round the normal one way or the other.
    const double way = dot(cross(corners[1] - corners[0], corners[2] - corners[0]), normal) < 0 ? -1 : 1;
    for (std::size_t k = 0; k < count && inside; ++k) {
        const Vec3d &a = corners[k], &b = corners[k + 1 < count ? k + 1 : 0];
        inside = way * dot(cross(b - a, out.wall_point - a), normal) >= 0;
    }
    if (inside) return true;
    bool any = false;
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t next = k + 1 < count ? k + 1 : 0;
        FlatTouch touch = nearest_on_segment(e, corners[k], corners[next]);
        touch.number =
            touch.part == FlatPart::edge ? static_cast<int>(k) : static_cast<int>(touch.number == 0 ? k : next);
        if (!any || touch.touch.overlap > out.touch.overlap) out = touch, any = true;
    }
    return -out.touch.overlap < far;
}

}  // namespace granary
