#include "measure/mesh_bins.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/elementary.hpp"
#include "walls/triangle_mesh.hpp"

namespace granary {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;
constexpr double leaning = 0.02;      // of the normal's vertical part: about a degree
constexpr double same_radius = 0.01;  // share by which corners may stray from a circle
constexpr double flattest = 0.97;     // distance of a facet from the axis over the radius: cos(180 deg/13)
constexpr std::size_t looks_around = 12;

double area_of(const Corners& t) { return 0.5 * norm(cross(t[1] - t[0], t[2] - t[0])); }

Corners placed(const Mesh& mesh, std::uint32_t t) {
    const TriangleFrame& f = mesh.surface->frame(t);
    return {mesh.pose.point(f.a), mesh.pose.point(f.a + f.ab), mesh.pose.point(f.a + f.ac)};
}

bool is_upright(const Mesh& mesh, std::uint32_t t, const Vec3d& up) {
    return std::abs(dot(mesh.pose.direction(mesh.surface->frame(t).normal), up)) < leaning;
}

// Calls f(corners) for all triangles, or for the upright ones.
template <class F> void for_each(const Mesh& mesh, const Vec3d& up, bool upright_only, F&& f) {
    for (std::uint32_t t = 0; t < mesh.surface->size(); ++t)
        if (!upright_only || is_upright(mesh, t, up)) f(placed(mesh, t));
}

bool any_upright(const Mesh& mesh, const Vec3d& up) {
    for (std::uint32_t t = 0; t < mesh.surface->size(); ++t)
        if (is_upright(mesh, t, up)) return true;
    return false;
}

// A convex polygon, cut smaller and smaller. Each cut adds a corner at most.
struct Polygon {
    std::vector<Vec3d> corners;

    // Keeps what lies where side(x) >= 0, side being linear. room: spare.
    template <class Side> void cut(Side&& side, std::vector<Vec3d>& room) {
        room.clear();
        for (std::size_t k = 0; k < corners.size(); ++k) {
            const Vec3d &a = corners[k], &b = corners[(k + 1) % corners.size()];
            const double at_a = side(a), at_b = side(b);
            if (at_a >= 0) room.push_back(a);
            if ((at_a >= 0) != (at_b >= 0)) room.push_back(a + at_a / (at_a - at_b) * (b - a));
        }
        corners.swap(room);
    }

    double area() const {
        Vec3d sum;
        for (std::size_t k = 2; k < corners.size(); ++k)
            sum += cross(corners[k - 1] - corners[0], corners[k] - corners[0]);
        return 0.5 * norm(sum);
    }
};

// Deals the area of triangles out to bins and sectors.
class Dealer {
  public:
    Dealer(const UprightAxis& axis, std::size_t bins, std::size_t sectors)
        : areas(bins * sectors, 0.0),
          axis_(axis),
          bins_(bins),
          sectors_(sectors) {}

    void take(const Corners& t) {
        const double z[3] = {height(t[0]), height(t[1]), height(t[2])};
        const double low = std::min({z[0], z[1], z[2]}), high = std::max({z[0], z[1], z[2]});
        const std::size_t first = bin_of(low), last = bin_of(high);
        for (std::size_t b = first; b <= last; ++b) {
            slice_.corners.assign(t.begin(), t.end());
            const double begin = edge(b), end = edge(b + 1);
            if (b > first) slice_.cut([&](const Vec3d& x) { return height(x) - begin; }, room_);
            if (b < last) slice_.cut([&](const Vec3d& x) { return end - height(x); }, room_);
            if (slice_.corners.size() > 2) around(b);
        }
    }

    std::vector<double> areas;

  private:
    double height(const Vec3d& x) const { return dot(x - axis_.origin, axis_.up); }
    double edge(std::size_t bin) const { return axis_.height * static_cast<double>(bin) / static_cast<double>(bins_); }
    std::size_t bin_of(double z) const {
        if (!(axis_.height > 0)) return 0;
        const auto n = static_cast<double>(bins_);
        return static_cast<std::size_t>(std::clamp(std::floor(z / axis_.height * n), 0.0, n - 1));
    }

    double angle(const Vec3d& x) const {
        const Vec3d d = x - axis_.origin;
        return elementary::atan2(dot(d, axis_.third), dot(d, axis_.across));
    }
    // The half-space within half a turn after the beginning of a sector, or before it.
    auto beyond(long sector, double sign) const {
        const double a = full_turn * static_cast<double>(sector) / static_cast<double>(sectors_);
        const Vec3d n = sign * (elementary::cos(a) * axis_.third - elementary::sin(a) * axis_.across);
        return [n, this](const Vec3d& x) { return dot(x - axis_.origin, n); };
    }

    void around(std::size_t bin) {
        double* const to = areas.data() + bin * sectors_;
        if (sectors_ == 1) {
            to[0] += slice_.area();
            return;
        }
        // Sectors that it reaches. Seen from the first corner the others are within half a turn either way, unless the
        // axis is inside.
        const double n = static_cast<double>(sectors_), begin = angle(slice_.corners[0]);
        double low = 0, high = 0;
        for (const Vec3d& c : slice_.corners) {
            const double from_begin = std::remainder(angle(c) - begin, full_turn);
            low = std::min(low, from_begin), high = std::max(high, from_begin);
        }
        auto first = static_cast<long>(std::floor((begin + low) / full_turn * n - 1e-9));
        auto last = static_cast<long>(std::floor((begin + high) / full_turn * n + 1e-9));
        const auto all = static_cast<long>(sectors_);
        if (high - low > 0.5 * full_turn - 1e-6 || last - first + 1 >= all) first = 0, last = all - 1;
        for (long s = first; s <= last; ++s) {
            wedge_.corners = slice_.corners;
            if (first < last) {
                wedge_.cut(beyond(s, 1), room_);
                if (sectors_ > 2) wedge_.cut(beyond(s + 1, -1), room_);  // of two sectors the other's begin is the end
            }
            if (wedge_.corners.size() > 2) to[static_cast<std::size_t>((s % all + all) % all)] += wedge_.area();
        }
    }

    UprightAxis axis_;
    std::size_t bins_, sectors_;
    Polygon slice_, wedge_;
    std::vector<Vec3d> room_;
};

}  // namespace

UprightAxis axis_of(const Mesh& mesh, const Vec3d& up, const Vec3d& across, const std::optional<Vec3d>& point) {
    double low = 1e300, high = -1e300, area = 0;
    Vec3d centroid;
    for_each(mesh, up, false, [&](const Corners& t) {
        for (const Vec3d& c : t) low = std::min(low, dot(c, up)), high = std::max(high, dot(c, up));
    });
    for_each(mesh, up, any_upright(mesh, up), [&](const Corners& t) {
        const double a = area_of(t);
        area += a, centroid += a / 3 * (t[0] + t[1] + t[2]);
    });
    const Vec3d through = point ? *point : 1 / area * centroid;
    return {through + (low - dot(through, up)) * up, up, across, cross(up, across), high - low};
}

std::vector<double> areas_by_bin(const Mesh& mesh, const UprightAxis& axis, std::size_t bins, std::size_t sectors) {
    Dealer dealer(axis, bins, sectors);
    for_each(mesh, axis.up, false, [&](const Corners& t) { dealer.take(t); });
    return std::move(dealer.areas);
}

Heights upright_part(const Mesh& mesh, const UprightAxis& axis) {
    if (!any_upright(mesh, axis.up)) return {0, axis.height};
    Heights h{1e300, -1e300};
    for_each(mesh, axis.up, true, [&](const Corners& t) {
        for (const Vec3d& c : t) {
            const double z = dot(c - axis.origin, axis.up);
            h.begin = std::min(h.begin, z), h.end = std::max(h.end, z);
        }
    });
    return h;
}

std::optional<double> radius_if_round(const Mesh& mesh, const UprightAxis& axis) {
    Dealer dealer(axis, 1, looks_around);
    double area = 0, sum = 0, least = 1e300, most = 0, nearest = 1e300;
    for_each(mesh, axis.up, true, [&](const Corners& t) {
        dealer.take(t);
        const double a = area_of(t);
        area += a;
        const Vec3d n = cross(t[1] - t[0], t[2] - t[0]);
        nearest = std::min(nearest, std::abs(dot(t[0] - axis.origin, n)) / norm(n));
        for (const Vec3d& c : t) {
            const Vec3d d = c - axis.origin;
            const double r = norm(d - dot(d, axis.up) * axis.up);
            sum += a / 3 * r, least = std::min(least, r), most = std::max(most, r);
        }
    });
    if (!(area > 0)) return {};
    const double radius = sum / area, mean = area / looks_around;
    const bool goes_round = *std::min_element(dealer.areas.begin(), dealer.areas.end()) >= 0.5 * mean;
    const bool one_radius = least >= (1 - same_radius) * radius && most <= (1 + same_radius) * radius;
    if (!goes_round || !one_radius || nearest < flattest * radius) return {};
    return radius;
}

}  // namespace granary
