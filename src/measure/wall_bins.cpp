#include "measure/wall_bins.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include "core/elementary.hpp"
#include "measure/mesh_bins.hpp"

namespace granary {

namespace {

constexpr double turn = 2 * std::numbers::pi;
constexpr double level = 1e-6;  // a direction that rises less is level

Vec3d unit(const Vec3d& a) { return (1.0 / norm(a)) * a; }

// A unit vector at right angles to the unit vector n, as near to the x axis as it can be.
Vec3d reference(const Vec3d& n, const Vec3d& x_axis, const Vec3d& y_axis) {
    const Vec3d a = x_axis - dot(x_axis, n) * n;
    return norm(a) > 0.1 ? unit(a) : unit(y_axis - dot(y_axis, n) * n);
}

// Is the way from a to b one downwards?
bool falls(const Vec3d& a, const Vec3d& b, const Vec3d& up) { return dot(b - a, up) < -level * norm(b - a); }

// The part of a straight piece from a to b that lies in the domain, if it goes along one of its periods: balls touch no
// more of it than that, wherever its ends are.
void cut_to_period(Vec3d& a, Vec3d& b, const Domain& domain) {
    for (int k = 0; k < 3; ++k) {
        if (!domain.periodic[static_cast<std::size_t>(k)]) continue;
        if (std::abs(at(b - a, k)) < (1 - level) * norm(b - a)) continue;
        at(a, k) = std::clamp(at(a, k), at(domain.lower, k), at(domain.upper, k));
        at(b, k) = std::clamp(at(b, k), at(domain.lower, k), at(domain.upper, k));
    }
}

}  // namespace

Cylinder upright(const Cylinder& given, const Vec3d& up) {
    return falls(given.bottom, given.top, up) ? Cylinder{given.top, given.bottom, given.radius} : given;
}

WallBins::WallBins(const WallShape& shape, std::size_t bins, std::size_t sectors, const Domain& domain, const Vec3d& up,
                   const Vec3d& x_axis, const Vec3d& y_axis, const std::optional<Vec3d>& axis_point)
    : bins_(bins),
      sectors_(sectors),
      up_(up) {
    const auto turned = [&](Vec3d bottom, Vec3d top, double r_bottom, double r_top) {
        if (falls(bottom, top, up)) std::swap(bottom, top), std::swap(r_bottom, r_top);
        kind_ = Kind::turned, round_ = true, origin_ = bottom;
        length_ = norm(top - bottom), first_ = unit(top - bottom);
        second_ = reference(first_, x_axis, y_axis), third_ = cross(first_, second_);
        bottom_radius_ = r_bottom, top_radius_ = r_top;
    };
    const auto ring = [&](const Vec3d& centre, const Vec3d& normal, double inner, double outer) {
        kind_ = Kind::ring, round_ = true, origin_ = centre, first_ = normal;
        second_ = reference(normal, x_axis, y_axis), third_ = cross(normal, second_);
        begin_ = inner, length_ = outer - inner;
    };
    if (const auto* s = std::get_if<Cylinder>(&shape)) {
        Vec3d bottom = s->bottom, top = s->top;
        cut_to_period(bottom, top, domain);
        turned(bottom, top, s->radius, s->radius);
    } else if (const auto* c = std::get_if<ConeFrustum>(&shape))
        turned(c->bottom, c->top, c->bottom_radius, c->top_radius);
    else if (const auto* d = std::get_if<Disc>(&shape)) ring(d->centre, d->normal, 0, d->radius);
    else if (const auto* a = std::get_if<Annulus>(&shape)) ring(a->centre, a->normal, a->inner, a->outer);
    else if (const auto* m = std::get_if<Mesh>(&shape)) {
        const UprightAxis axis = axis_of(*m, up, reference(up, x_axis, y_axis), axis_point);
        kind_ = Kind::mesh, round_ = true, origin_ = axis.origin, length_ = axis.height;
        first_ = axis.up, second_ = axis.across, third_ = axis.third;
        areas_ = areas_by_bin(*m, axis, bins, sectors);
    } else if (const auto* r = std::get_if<Rectangle>(&shape)) {
        origin_ = r->corner;
        Vec3d edges[2] = {r->edge_a, r->edge_b};
        for (Vec3d& edge : edges) {
            Vec3d end = origin_ + edge;
            cut_to_period(origin_, end, domain);
            edge = end - origin_;
        }
        const bool b_rises = std::abs(dot(unit(edges[1]), up)) > std::abs(dot(unit(edges[0]), up)) + level;
        Vec3d rising = edges[b_rises ? 1 : 0];
        const Vec3d other = edges[b_rises ? 0 : 1];
        if (dot(rising, up) < -level * norm(rising)) origin_ = origin_ + rising, rising = -rising;
        first_ = unit(rising), length_ = norm(rising);
        second_ = unit(other), width_ = norm(other);
    } else if (const auto* p = std::get_if<Plane>(&shape)) {
        const Vec3d rise = up - dot(up, p->normal) * p->normal;
        origin_ = p->point;
        first_ = norm(rise) > level ? unit(rise) : reference(p->normal, x_axis, y_axis);
        second_ = cross(first_, p->normal);
        double first_end = -1e300, second_end = -1e300;
        begin_ = across_begin_ = 1e300;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3d x{corner & 1 ? domain.upper.x : domain.lower.x, corner & 2 ? domain.upper.y : domain.lower.y,
                          corner & 4 ? domain.upper.z : domain.lower.z};
            const double up_there = dot(x - origin_, first_), aside = dot(x - origin_, second_);
            begin_ = std::min(begin_, up_there), first_end = std::max(first_end, up_there);
            across_begin_ = std::min(across_begin_, aside), second_end = std::max(second_end, aside);
        }
        length_ = first_end - begin_, width_ = second_end - across_begin_;
    }
}

std::size_t WallBins::of(const Vec3d& point) const {
    const Vec3d d = point - origin_;
    double along = 0, share = 0;
    if (kind_ == Kind::flat) {
        along = dot(d, first_);
        share = (dot(d, second_) - across_begin_) / width_;
    } else {
        const double a = dot(d, second_), b = dot(d, third_);
        along = kind_ == Kind::ring ? std::sqrt(a * a + b * b) : dot(d, first_);
        const double angle = elementary::atan2(b, a);
        share = (angle < 0 ? angle + turn : angle) / turn;
    }
    const auto number = [](double x, std::size_t n) {
        return static_cast<std::size_t>(
            std::clamp(std::floor(x * static_cast<double>(n)), 0.0, static_cast<double>(n - 1)));
    };
    return number(length_ > 0 ? (along - begin_) / length_ : 0.0, bins_) * sectors_ + number(share, sectors_);
}

Vec3d WallBins::along(const Vec3d& point, const Vec3d& normal) const {
    if (kind_ == Kind::flat) return first_;
    if (kind_ == Kind::ring) return radial(point);
    if (kind_ == Kind::mesh) {
        const auto in_wall = [&](const Vec3d& a) { return a - dot(a, normal) * normal; };
        const Vec3d rise = in_wall(up_), out = in_wall(radial(point));
        return norm(rise) > 0.01 ? unit(rise) : unit(out);
    }
    return unit(length_ * first_ + (top_radius_ - bottom_radius_) * radial(point));
}

Vec3d WallBins::sideways(const Vec3d& point, const Vec3d& normal) const {
    if (kind_ == Kind::flat) return second_;
    const Vec3d round = cross(first_, radial(point));
    if (kind_ != Kind::mesh) return round;
    const Vec3d across = unit(cross(normal, along(point, normal)));
    return dot(across, round) < 0 ? -across : across;  // the normal may point either way
}

// Away from the axis; on it, to the first sector.
Vec3d WallBins::radial(const Vec3d& point) const {
    const Vec3d d = point - origin_;
    const Vec3d out = d - dot(d, first_) * first_;
    const double r = norm(out);
    return r > 0 ? (1 / r) * out : second_;
}

double WallBins::lower(std::size_t bin) const {
    return begin_ + length_ * static_cast<double>(bin) / static_cast<double>(bins_);
}

double WallBins::area(std::size_t bin, std::size_t sector) const {
    if (kind_ == Kind::mesh) return areas_[bin * sectors_ + sector];
    const double a = lower(bin), b = lower(bin + 1), share = 1 / static_cast<double>(sectors_);
    switch (kind_) {
        case Kind::flat: return (b - a) * width_ * share;
        case Kind::ring: return 0.5 * turn * (b * b - a * a) * share;
        case Kind::turned:
        case Kind::mesh: break;
    }
    const double widening = (top_radius_ - bottom_radius_) / length_;
    const double slant = (b - a) * std::sqrt(1 + widening * widening);
    return turn * (bottom_radius_ + widening * 0.5 * (a + b)) * slant * share;
}

double WallBins::height(std::size_t bin) const {
    if (kind_ == Kind::ring) return dot(origin_, up_);
    return dot(origin_ + middle(bin) * first_, up_);
}

double WallBins::across(std::size_t sector) const {
    const double share = (static_cast<double>(sector) + 0.5) / static_cast<double>(sectors_);
    return round_ ? 360 * share : across_begin_ + share * width_;
}

}  // namespace granary
