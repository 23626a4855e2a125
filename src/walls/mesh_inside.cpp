#include "walls/mesh_inside.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace granary {

namespace {

constexpr int directions = 64, enough = 56;
constexpr std::size_t most_slices = 512, most_each = 8;  // a triangle is in so many slices, on an average
constexpr double below_rim = 1e-6;                       // of the height of the mesh

// Grows with the angle from 0 to 4, as the way round a square on its corner does.
double way_round(double u, double v) {
    const double s = std::abs(u) + std::abs(v);
    if (v >= 0) return u >= 0 ? v / s : 1 - u / s;
    return u < 0 ? 2 - v / s : 3 + u / s;
}

// The directions from one way round to another, counter-clockwise.
std::uint64_t between(double from, double to) {
    const int first = static_cast<int>(std::ceil(from * (directions / 4.0) - 0.5));
    const int last = static_cast<int>(std::ceil(to * (directions / 4.0) - 0.5));
    const int n = (last - first + 2 * directions) % directions;
    const std::uint64_t ones = n == 0 ? 0 : ~std::uint64_t{0} >> (directions - n);
    return std::rotl(ones, first % directions);
}

}  // namespace

MeshInside::MeshInside(std::shared_ptr<const TriangleMesh> mesh, const Vec3d& up) : mesh_(std::move(mesh)) {
    for (int axis = 0; axis < 3; ++axis) {
        make_slices(axis);
        if (std::abs(at(up, axis)) > 0.999) up_axis_ = axis, up_sign_ = at(up, axis) > 0 ? 1 : -1;
    }
}

void MeshInside::make_slices(int axis) {
    Slices& s = slices_[static_cast<std::size_t>(axis)];
    const double low = at(mesh_->lower(), axis), high = at(mesh_->upper(), axis);
    std::size_t n = most_slices;
    const auto range = [&](std::uint32_t t) {
        std::array<double, 3> z{};
        for (std::size_t k = 0; k < 3; ++k) z[k] = at(mesh_->corners()[mesh_->corners_of(t)[k]], axis);
        const auto number = [&](double h) {
            return static_cast<std::size_t>(std::clamp((h - s.begin) / s.height, 0.0, static_cast<double>(n - 1)));
        };
        return std::array{number(*std::min_element(z.begin(), z.end())), number(*std::max_element(z.begin(), z.end()))};
    };
    for (;; n /= 2) {
        s.begin = low, s.height = high > low ? (high - low) / static_cast<double>(n) : 1;
        s.first.assign(n + 1, 0);
        std::size_t entries = 0;
        for (std::uint32_t t = 0; t < mesh_->size(); ++t) {
            const auto [from, to] = range(t);
            entries += to - from + 1;
            for (std::size_t k = from; k <= to; ++k) ++s.first[k + 1];
        }
        if (n == 1 || entries <= most_each * mesh_->size() + 8 * most_slices) break;
    }
    for (std::size_t k = 0; k < n; ++k) s.first[k + 1] += s.first[k];
    s.triangles.resize(s.first[n]);
    std::vector<std::uint32_t> next(s.first.begin(), s.first.end() - 1);
    for (std::uint32_t t = 0; t < mesh_->size(); ++t) {
        const auto [from, to] = range(t);
        for (std::size_t k = from; k <= to; ++k) s.triangles[next[k]++] = t;
    }
}

const std::uint32_t* MeshInside::begin_of(int axis, double h, const std::uint32_t*& end) const {
    const Slices& s = slices_[static_cast<std::size_t>(axis)];
    const auto n = static_cast<double>(s.first.size() - 1);
    const auto k = static_cast<std::size_t>(std::clamp((h - s.begin) / s.height, 0.0, n - 1));
    end = s.triangles.data() + s.first[k + 1];
    return s.triangles.data() + s.first[k];
}

std::array<std::uint64_t, 2> MeshInside::section(const Vec3d& place, int axis) const {
    const double h = at(place, axis);
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    std::uint64_t hit = 0, odd = 0;
    const std::uint32_t* end = nullptr;
    for (const std::uint32_t* t = begin_of(axis, h, end); t != end; ++t) {
        const auto& of = mesh_->corners_of(*t);
        std::array<std::array<double, 2>, 2> ends{};
        int n = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            // A side belongs to two triangles: worked out from its lower corner in both, it gives them the same point.
            const Vec3d &a = mesh_->corners()[std::min(of[k], of[(k + 1) % 3])],
                        &b = mesh_->corners()[std::max(of[k], of[(k + 1) % 3])];
            if ((at(a, axis) <= h) == (at(b, axis) <= h)) continue;
            const double share = (h - at(a, axis)) / (at(b, axis) - at(a, axis));
            ends[static_cast<std::size_t>(n++)] = {at(a, u) + share * (at(b, u) - at(a, u)) - at(place, u),
                                                   at(a, v) + share * (at(b, v) - at(a, v)) - at(place, v)};
        }
        if (n != 2) continue;
        const auto [p, q] = ends;
        const double turn = p[0] * q[1] - p[1] * q[0];
        if (turn == 0) continue;  // seen from its end
        const double from = way_round(p[0], p[1]), to = way_round(q[0], q[1]);
        const std::uint64_t seen = turn > 0 ? between(from, to) : between(to, from);
        hit |= seen, odd ^= seen;
    }
    return {hit, odd};
}

// Does a triangle lie between a place above the rim and the section below it? Then the vessel has a lid, and the place
// is outside.
bool MeshInside::covered(const Vec3d& place, double height) const {
    const int u = (up_axis_ + 1) % 3, v = (up_axis_ + 2) % 3;
    const std::uint32_t* end = nullptr;
    for (const std::uint32_t* t = begin_of(up_axis_, height, end); t != end; ++t) {
        int sides = 0;
        bool above = false;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d &a = mesh_->corners()[mesh_->corners_of(*t)[k]],
                        &b = mesh_->corners()[mesh_->corners_of(*t)[(k + 1) % 3]];
            const double turn = (at(a, u) - at(place, u)) * (at(b, v) - at(place, v)) -
                                (at(a, v) - at(place, v)) * (at(b, u) - at(place, u));
            sides += turn > 0 ? 1 : turn < 0 ? -1 : 0;
            above |= up_sign_ * (at(a, up_axis_) - height) > 0;
        }
        if (std::abs(sides) == 3 && above) return true;
    }
    return false;
}

MeshInside::Seen MeshInside::look(const Vec3d& place) const {
    Seen seen;
    for (int k = 0; k < 3 && !seen.inside; ++k) {
        const int axis = up_axis_ < 0 ? k : (up_axis_ + k) % 3;
        Vec3d from = place;
        if (axis == up_axis_) {
            const double low = at(mesh_->lower(), axis), high = at(mesh_->upper(), axis),
                         skip = below_rim * (high - low);
            const double rim = up_sign_ > 0 ? high - skip : low + skip;
            if (up_sign_ * (at(place, axis) - rim) > 0 && !covered(place, rim)) at(from, axis) = rim;
        }
        const auto [hit, odd] = section(from, axis);
        const int n = std::popcount(hit);
        seen = {n >= enough, 2 * std::popcount(odd) > n};
    }
    return seen;
}

}  // namespace granary
