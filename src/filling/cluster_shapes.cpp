#include "filling/cluster_shapes.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include "core/errors.hpp"
#include "core/random.hpp"
#include "filling/dense_pack.hpp"

namespace granary {
namespace {

using Element = ClusterTemplate::Element;
using Elements = std::vector<Element>;

constexpr double rounding = 1e-9;  // share of a radius
// What a few triangles may ask for: each element takes some 200 bytes on every rank, each place of the box some 1e-6 s.
constexpr double most_elements = 1e7, most_places = 1e8;

// ---- Balls in a ball -----------------------------------------------------------------------------------------------

constexpr std::uint64_t seed_of_fits = 2020;
constexpr std::uint32_t starts = 4, starts_of_many = 2, many = 40;  // of which the best is taken
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION                     // tests/fuzz/README.md
constexpr int sweeps = 20, growing = 12;
#else
constexpr int sweeps = 2000, growing = 1200;
#endif
constexpr double first_size = 0.6;  // share of their radius that elements have at first
// What overlaps gives way by half of it, what sticks out by a fifth: both then end at some 5 %.
constexpr double pull_back = 0.2;

std::vector<Vec3d> thrown(const SphereFit& fit, std::uint32_t start) {
    const double room = std::max(0.5 * fit.radius, fit.radius - fit.element_radius);
    std::vector<Vec3d> centres;
    for (std::uint32_t trial = 0; centres.size() < fit.elements; ++trial) {
        const RandomKey key{seed_of_fits, Purpose::cluster_fit, static_cast<std::uint16_t>(start), fit.elements, trial};
        const Vec3d x = uniform(key, 0, {-1, -1, -1}, {1, 1, 1});
        if (dot(x, x) <= 1) centres.push_back(room * x);
    }
    return centres;
}

// Elements grow to their size while they are pushed apart and back into the ball, one after the other.
void relax(const SphereFit& fit, std::vector<Vec3d>& centres) {
    const double room = fit.radius - fit.element_radius;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        const double grown = std::min(1.0, first_size + (1 - first_size) * sweep / growing);
        const double touching = 2 * fit.element_radius * grown;
        for (std::size_t i = 0; i < centres.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const Vec3d apart = centres[i] - centres[j];
                const double square = dot(apart, apart);
                if (square >= touching * touching) continue;
                const double distance = std::sqrt(square);
                const Vec3d n = distance > 1e-9 * touching ? (1 / distance) * apart : Vec3d{1, 0, 0};
                const Vec3d push = (0.25 * (touching - distance)) * n;
                centres[i] += push, centres[j] -= push;
            }
            const double out = norm(centres[i]);
            if (out > room) centres[i] -= (pull_back * (out - room) / out) * centres[i];
        }
    }
}

// How badly it fits: the deepest overlap over a diameter and how far elements stick out over the radius.
double misfit(const SphereFit& fit, const std::vector<Vec3d>& centres) {
    double nearest = std::numeric_limits<double>::infinity(), farthest = 0;
    for (std::size_t i = 0; i < centres.size(); ++i) {
        farthest = std::max(farthest, norm(centres[i]) + fit.element_radius);
        for (std::size_t j = 0; j < i; ++j) nearest = std::min(nearest, norm(centres[i] - centres[j]));
    }
    return std::max(0.0, 1 - nearest / (2 * fit.element_radius)) + std::max(0.0, farthest / fit.radius - 1);
}

// ---- Lattices ------------------------------------------------------------------------------------------------------

// Calls f with the places of a lattice that lie in a box; origin: one of its places.
template <class F>
void for_each_place(const FillRules& rules, const Vec3d& origin, const Vec3d& lower, const Vec3d& upper, F&& f) {
    const double d = rules.spacing;
    const bool hexagonal = rules.filling == ElementFilling::hexagonal;
    // Hexagonal close packing: rows along x, shifted by half a step from row to row, layers ABAB along z.
    const double row = hexagonal ? 0.5 * std::sqrt(3.0) * d : d, layer = hexagonal ? std::sqrt(6.0) / 3 * d : d;
    const auto from = [](double length, double step) {
        return static_cast<std::int64_t>(std::floor(length / step)) - 1;
    };
    const auto to = [](double length, double step) { return static_cast<std::int64_t>(std::ceil(length / step)) + 1; };
    for (std::int64_t k = from(lower.z - origin.z, layer); k <= to(upper.z - origin.z, layer); ++k)
        for (std::int64_t j = from(lower.y - origin.y, row); j <= to(upper.y - origin.y, row); ++j)
            for (std::int64_t i = from(lower.x - origin.x, d); i <= to(upper.x - origin.x, d); ++i) {
                const bool odd_layer = hexagonal && k % 2 != 0, odd = hexagonal && (j + k) % 2 != 0;
                f(origin + Vec3d{(static_cast<double>(i) + (odd ? 0.5 : 0.0)) * d,
                                 (static_cast<double>(j) + (odd_layer ? 1.0 / 3 : 0.0)) * row,
                                 static_cast<double>(k) * layer});
            }
}

InputError too_many(double elements) {
    return InputError(
        fmt::format("about {:.3g} elements would fill it (expected at most {:.0e}: a larger "
                    "element_radius, or a scale for a drawing that is not in m)",
                    elements, most_elements));
}

void check_amount(const SolidShape& shape, double spacing) {
    const Vec3d size = shape.upper - shape.lower;
    const double places = size.x / spacing * (size.y / spacing) * (size.z / spacing);
    const double elements = shape.volume / (spacing * spacing * spacing);
    if (!(places <= most_places) || !(elements <= most_elements)) throw too_many(std::max(elements, 0.1 * places));
}

Elements on_lattice(const SolidShape& shape, const FillRules& rules) {
    const Vec3d middle = 0.5 * (shape.lower + shape.upper);
    check_amount(shape, rules.spacing);
    Elements best;
    for (int code = 0; code < 8; ++code) {
        const double half = 0.5 * rules.spacing;
        const Vec3d origin = middle + Vec3d{code & 1 ? half : 0, code & 2 ? half : 0, code & 4 ? half : 0};
        Elements found;
        for_each_place(rules, origin, shape.lower, shape.upper, [&](const Vec3d& x) {
            if (shape.depth(x) >= rules.element_radius * (1 - rounding)) found.push_back({x, rules.element_radius});
        });
        if (found.size() > best.size()) best = std::move(found);
    }
    return best;
}

Elements in_dense_packing(const SolidShape& shape, const FillRules& rules) {
    check_amount(shape, 2 * rules.element_radius);
    BallKind balls;
    balls.radius_min = balls.radius_max = rules.element_radius, balls.density = 1;
    const DenseTile tile = dense_tile(balls, rules.solid_fraction, 0, rules.seed);
    const DenseSites sites(tile, shape.lower, shape.upper);
    Elements found;
    for (std::uint64_t site = 0; site < sites.size(); ++site) {
        const PackBall ball = sites.at(site);
        if (shape.depth(ball.centre) >= ball.radius * (1 - rounding)) found.push_back({ball.centre, ball.radius});
    }
    return found;
}

}  // namespace

Elements sphere_elements(const SphereFit& fit) {
    std::vector<Vec3d> best;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t start = 0; start < (fit.elements > many ? starts_of_many : starts); ++start) {
        std::vector<Vec3d> centres = thrown(fit, start);
        relax(fit, centres);
        const double bad = misfit(fit, centres);
        if (bad < least) least = bad, best = std::move(centres);
    }
    Elements elements;
    for (const Vec3d& x : best) elements.push_back({x, fit.element_radius});
    return elements;
}

Elements block_elements(const std::array<std::uint64_t, 3>& counts, double element_radius, double spacing) {
    Elements elements;
    elements.reserve(counts[0] * counts[1] * counts[2]);
    for (std::uint64_t z = 0; z < counts[2]; ++z)
        for (std::uint64_t y = 0; y < counts[1]; ++y)
            for (std::uint64_t x = 0; x < counts[0]; ++x)
                elements.push_back(
                    {spacing * Vec3d{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)},
                     element_radius});
    return elements;
}

SolidShape tablet(double radius, double height, double dome) {
    SolidShape shape;
    const double top = 0.5 * height + dome;
    shape.lower = {-radius, -radius, -top}, shape.upper = {radius, radius, top};
    // A cap of height h over a circle of radius r belongs to a sphere of radius (r^2 + h^2)/(2 h).
    const double sphere = dome > 0 ? (radius * radius + dome * dome) / (2 * dome) : 0;
    shape.volume = std::numbers::pi * (radius * radius * height + dome * (3 * radius * radius + dome * dome) / 3);
    shape.depth = [=](const Vec3d& x) {
        const double side = radius - std::sqrt(x.x * x.x + x.y * x.y);
        if (!(dome > 0)) return std::min(side, top - std::abs(x.z));
        const Vec3d from{x.x, x.y, std::abs(x.z) - (top - sphere)};
        return std::min(side, sphere - norm(from));
    };
    return shape;
}

Elements filled(const SolidShape& shape, const FillRules& rules) {
    Elements elements =
        rules.filling == ElementFilling::dense ? in_dense_packing(shape, rules) : on_lattice(shape, rules);
    if (elements.empty())
        throw InputError(fmt::format("no element of radius {:.6g} m fits into it (expected a smaller element_radius)",
                                     rules.element_radius));
    return elements;
}

}  // namespace granary
