#include "filling/packing.hpp"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <stdexcept>
#include "core/elementary.hpp"
#include "core/errors.hpp"

namespace granary {
namespace {

// Room left around each ball of a loose packing, so that rounding of positions makes no overlap.
constexpr double clearance = 1e-9;  // share of the largest radius
// A box of n spacings must hold n balls even if the quotient rounds down.
constexpr double spacing_rounding = 1e-9;

[[noreturn]] void fail(const std::string& name, const std::string& what) {
    throw InputError(fmt::format("{}: {}", name, what));
}

void validate_box(const std::string& name, const Vec3d& lower, const Vec3d& upper) {
    for (int k = 0; k < 3; ++k)
        if (!std::isfinite(at(lower, k)) || !std::isfinite(at(upper, k)) || !(at(lower, k) < at(upper, k)))
            fail(name, fmt::format("along {} the box goes from {} to {} m; the upper end must be above the lower one",
                                   "xyz"[k], at(lower, k), at(upper, k)));
}

// Draws 1, 2, 3: a random place in the cell for a ball that keeps `gap` (its radius and any room) to the faces.
Vec3d shift_in_cell(const RandomKey& key, const Vec3d& step, double gap, double share) {
    Vec3d shift;
    for (int k = 0; k < 3; ++k) {
        const double free = std::max(0.0, 0.5 * at(step, k) - gap);
        at(shift, k) = share * free * (2 * uniform(key, static_cast<std::uint32_t>(k + 1)) - 1);
    }
    return shift;
}

bool is_special(const BallKind& balls, const RandomKey& key) {
    return balls.grains.any() && (balls.grains.share >= 1 || uniform(key, 5) < balls.grains.share);
}

// Of the balls around grains that are none: radii, and the mean of r^3.
std::array<double, 2> special_radii(const BallKind& balls) {
    const double r = balls.grains.radius;
    return r > 0 ? std::array{r, r} : std::array{balls.radius_min, balls.radius_max};
}
double special_cube(const BallKind& balls) {
    const double r = balls.grains.radius;
    if (balls.thickness > 0) return r > 0 ? r * r : sizes_of(balls).moment(2);
    return r > 0 ? r * r * r : sizes_of(balls).moment(3);
}
// The volume of a ball is so many times r^3, that of a disc so many times r^2; and the mean of that power.
double volume_factor(const BallKind& balls) {
    return balls.thickness > 0 ? std::numbers::pi * balls.thickness : 4.0 / 3.0 * std::numbers::pi;
}
double mean_power(const BallKind& balls) { return sizes_of(balls).moment(balls.thickness > 0 ? 2 : 3); }

}  // namespace

void validate(const BallKind& balls, const std::string& name) {
    if (!(balls.radius_min > 0) || !(balls.radius_min <= balls.radius_max) || !std::isfinite(balls.radius_max))
        fail(name, fmt::format("radii from {} to {} m; expected 0 < smallest <= largest", balls.radius_min,
                               balls.radius_max));
    const auto check_density = [&](double density) {
        if (!(density > 0) || !std::isfinite(density))
            fail(name, fmt::format("density {} kg/m^3; expected a number above 0", density));
    };
    check_density(balls.density);
    if (balls.grains.any()) check_density(balls.grains.density);
    for (const MixedMaterial& m : balls.mixed) check_density(m.density);
    const GrainKind& c = balls.grains;
    if (c.any() && c.share < 1 && (!balls.sizes || !(c.radius > 0)))
        throw std::logic_error("grains beside balls have a radius of their own, and balls a distribution");
    if (!std::isfinite(dot(balls.velocity, balls.velocity))) fail(name, "the velocity is not finite");
}

SizeDistribution sizes_of(const BallKind& balls) {
    return balls.sizes ? *balls.sizes : SizeDistribution::uniform(balls.radius_min, balls.radius_max);
}

double mean_density(const BallKind& balls) {
    double density = balls.density;
    for (const MixedMaterial& m : balls.mixed) density += m.share * (m.density - balls.density);
    return density;
}

double mean_mass(const BallKind& balls) {
    const GrainKind& c = balls.grains;
    if (!c.any()) return volume_factor(balls) * mean_power(balls) * mean_density(balls);
    return volume_factor(balls) *
           ((1 - c.share) * mean_power(balls) * mean_density(balls) + c.share * special_cube(balls) * c.density);
}

std::array<double, 2> mass_limits(const BallKind& balls) {
    double least = balls.density, most = balls.density;
    for (const MixedMaterial& m : balls.mixed) least = std::min(least, m.density), most = std::max(most, m.density);
    const GrainKind& c = balls.grains;
    const auto mass = [&](double radius, double density) {
        return make_ball(0, {}, radius, density, 0, {}, balls.thickness).mass;
    };
    if (!c.any()) return {mass(balls.radius_min, least), mass(balls.radius_max, most)};
    const auto [low, high] = special_radii(balls);
    std::array limits{mass(low, c.density), mass(high, c.density)};
    if (c.share < 1)
        limits = {std::min(limits[0], mass(balls.sizes->smallest, least)),
                  std::max(limits[1], mass(balls.sizes->largest, most))};
    return limits;
}

double mean_bodies(const BallKind& balls) {
    const GrainKind& c = balls.grains;
    return !c.any() ? 1 : 1 - c.share + c.share * c.elements;
}

double mean_solid_volume(const BallKind& balls) {
    const GrainKind& c = balls.grains;
    const double cubes = mean_power(balls);
    return volume_factor(balls) * (!c.any() ? cubes : (1 - c.share) * cubes + c.share * special_cube(balls) * c.solid);
}

std::array<double, 2> body_radii(const BallKind& balls) {
    const GrainKind& c = balls.grains;
    if (!c.any()) return {balls.radius_min, balls.radius_max};
    const auto [low, high] = special_radii(balls);
    std::array radii{low * c.smallest, high * c.largest};
    if (c.share < 1) radii = {std::min(radii[0], balls.sizes->smallest), std::max(radii[1], balls.sizes->largest)};
    return radii;
}

std::vector<std::uint16_t> materials_of(const BallKind& balls) {
    std::vector<std::uint16_t> materials;
    const GrainKind& c = balls.grains;
    if (!c.any() || c.share < 1) {
        materials.push_back(balls.material);
        for (const MixedMaterial& m : balls.mixed) materials.push_back(m.material);
    }
    if (c.any()) materials.push_back(c.material);
    return materials;
}

double draw_radius(const BallKind& balls, const RandomKey& key) {
    if (balls.grains.radius > 0 && is_special(balls, key)) return balls.grains.radius;
    if (balls.sizes) return balls.sizes->radius(uniform(key, 0));
    return balls.radius_min + (balls.radius_max - balls.radius_min) * uniform(key, 0);
}

NewBody draw_ball(const BallKind& balls, const RandomKey& key, Id id, const Vec3d& position, double radius) {
    if (is_special(balls, key)) {
        NewBody grain = make_ball(id, position, radius, balls.grains.density, balls.grains.material, balls.velocity,
                                  balls.thickness);
        grain.shape = balls.grains.shape, grain.rigid_shape = balls.grains.rigid_shape;
        return grain;
    }
    if (!balls.mixed.empty()) {
        double u = uniform(key, 4);
        for (const MixedMaterial& m : balls.mixed) {
            if (u < m.share)
                return make_ball(id, position, radius, m.density, m.material, balls.velocity, balls.thickness);
            u -= m.share;
        }
    }
    return make_ball(id, position, radius, balls.density, balls.material, balls.velocity, balls.thickness);
}

NewBody make_ball(Id id, const Vec3d& position, double radius, double density, std::uint16_t material,
                  const Vec3d& velocity, double thickness) {
    NewBody b;
    b.id = id;
    b.position = position;
    b.radius = radius;
    b.velocity = velocity;
    b.mass = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius * density;
    b.inertia = 0.4 * b.mass * radius * radius;
    if (thickness > 0) {
        b.mass = std::numbers::pi * radius * radius * thickness * density;
        b.inertia = 0.5 * b.mass * radius * radius;
    }
    b.material = material;
    return b;
}

Vec3d CellGrid::centre(std::uint64_t site) const {
    const std::uint64_t row = site / counts[0];
    const auto middle = [](std::uint64_t k) { return static_cast<double>(k) + 0.5; };
    return {lower.x + middle(site % counts[0]) * step.x, lower.y + middle(row % counts[1]) * step.y,
            lower.z + middle(row / counts[1]) * step.z};
}

CellGrid cells(const Lattice& l) {
    validate(l.balls, l.name);
    validate_box(l.name, l.lower, l.upper);
    if (!(l.jitter >= 0 && l.jitter <= 1))
        fail(l.name, fmt::format("jitter {}; expected a fraction from 0 to 1", l.jitter));
    const bool by_counts = l.counts != std::array<std::uint64_t, 3>{};
    if (!(l.spacing >= 0) || !std::isfinite(l.spacing) || (l.spacing == 0 && !by_counts))
        fail(l.name,
             fmt::format("spacing {} m; give a spacing above 0, or the counts of balls along x, y and z", l.spacing));
    CellGrid grid{l.lower, {}, l.counts};
    for (int k = 0; k < 3; ++k) {
        const double length = at(l.upper, k) - at(l.lower, k);
        std::uint64_t& n = grid.counts[static_cast<std::size_t>(k)];
        if (by_counts && n == 0) fail(l.name, fmt::format("the count along {} is 0; expected at least 1", "xyz"[k]));
        const double fit = l.spacing > 0 ? std::floor(length / l.spacing + spacing_rounding) : static_cast<double>(n);
        if (fit < 1 || fit > 0x1p31 || (by_counts && static_cast<double>(n) > fit))
            fail(l.name, fmt::format("along {} the box of {} m holds {} cells of {} m, but {} are asked for; change "
                                     "box, spacing or counts",
                                     "xyz"[k], length, fit, l.spacing, by_counts ? n : 1));
        if (!by_counts) n = static_cast<std::uint64_t>(fit);
        at(grid.step, k) = l.spacing > 0 ? std::min(l.spacing, length / fit) : length / fit;
        if (2 * l.balls.radius_max > at(grid.step, k) * (1 + spacing_rounding))
            fail(l.name, fmt::format("along {} the balls stand {} m apart, less than the largest diameter {} m; "
                                     "take a larger spacing or fewer balls",
                                     "xyz"[k], at(grid.step, k), 2 * l.balls.radius_max));
    }
    return grid;
}

std::uint64_t count(const Lattice& l) { return cells(l).size(); }

NewBody body(const Lattice& l, const CellGrid& grid, std::uint64_t seed, std::uint64_t site) {
    const RandomKey key{seed, Purpose::lattice, l.stream, site, 0};
    const double r = draw_radius(l.balls, key);
    Vec3d x = grid.centre(site);
    if (l.jitter > 0) x += shift_in_cell(key, grid.step, r, l.jitter);
    return draw_ball(l.balls, key, l.first_id + site, x, r);
}

CellGrid cells(const RandomLoose& p) {
    validate(p.balls, p.name);
    validate_box(p.name, p.lower, p.upper);
    const Vec3d length = p.upper - p.lower;
    const double smallest = 2 * p.balls.radius_max * (1 + clearance);
    std::array<double, 3> most{};
    for (int k = 0; k < 3; ++k) most[static_cast<std::size_t>(k)] = std::floor(at(length, k) / smallest);
    const double largest = most[0] * most[1] * most[2];
    if (static_cast<double>(p.count) > largest)
        fail(p.name, fmt::format("{} balls of radius up to {} m do not fit without overlap into a box of {} x {} x "
                                 "{} m; the largest number that does is {:.0f}",
                                 p.count, p.balls.radius_max, length.x, length.y, length.z, largest));
    // Nearly cubic cells, as large as the count allows: the larger, the freer the balls.
    CellGrid grid{p.lower, length, {1, 1, 1}};
    const double wanted = static_cast<double>(std::max<std::uint64_t>(p.count, 1));
    const double edge = elementary::cbrt(length.x * length.y * length.z / wanted);
    for (int k = 0; k < 3; ++k) {
        const auto m = static_cast<std::size_t>(k);
        const double n = std::clamp(std::floor(at(length, k) / edge), 1.0, std::max(1.0, most[m]));
        grid.counts[m] = static_cast<std::uint64_t>(n);
    }
    while (grid.size() < p.count) {  // split the axis with the longest cells that may still be split
        int split = -1;
        double longest = 0;
        for (int k = 0; k < 3; ++k) {
            const double n = static_cast<double>(grid.counts[static_cast<std::size_t>(k)]);
            const double cell = at(length, k) / (n + 1);
            if (n + 1 <= most[static_cast<std::size_t>(k)] && cell > longest) split = k, longest = cell;
        }
        ++grid.counts[static_cast<std::size_t>(split)];  // one is found: the product of the limits holds the count
    }
    for (int k = 0; k < 3; ++k)
        at(grid.step, k) = at(length, k) / static_cast<double>(grid.counts[static_cast<std::size_t>(k)]);
    return grid;
}

bool body(const RandomLoose& p, const CellGrid& grid, std::uint64_t seed, std::uint64_t site, NewBody& b) {
    const RandomKey key{seed, Purpose::loose_packing, p.stream, site, 0};
    const std::uint64_t number = permuted(site, grid.size(), {seed, Purpose::loose_packing, p.stream, 0, 0});
    if (number >= p.count) return false;
    const double r = draw_radius(p.balls, key);
    Vec3d x = grid.centre(site) + shift_in_cell(key, grid.step, r + clearance * p.balls.radius_max, 1.0);
    for (int k = 0; k < 3; ++k) {
        if (!p.periodic[static_cast<std::size_t>(k)]) continue;
        // One shift of the whole grid; trial 1 keeps it apart from the numbers of the sites.
        const RandomKey start{seed, Purpose::loose_packing, p.stream, 0, 1};
        const double low = at(p.lower, k), high = at(p.upper, k);
        at(x, k) += at(grid.step, k) * uniform(start, static_cast<std::uint32_t>(k));
        if (at(x, k) >= high) at(x, k) = std::max(low, at(x, k) - (high - low));
    }
    b = draw_ball(p.balls, key, p.first_id + number, x, r);
    return true;
}

// A Feistel network over (left, right) in [0, a) x [0, b) with a b >= size: each round adds a random function of
// one half to the other, which can be undone, so the whole is a permutation of a b numbers; those beyond size
// are sent through again until they fall inside (fewer than a of a b, so hardly ever). Eight rounds mix well.
std::uint64_t permuted(std::uint64_t i, std::uint64_t size, RandomKey key) {
    std::uint64_t a = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(size)));
    a = std::max<std::uint64_t>(a, 1);
    const std::uint64_t b = (size + a - 1) / a;
    do {
        std::uint64_t left = i / b, right = i % b;
        for (std::uint32_t round = 0; round < 8; ++round) {
            key.trial = 2 + round;  // 0 and 1 belong to the sites and the grid
            key.event = round % 2 ? left : right;
            const std::uint64_t r = random_bits(key, 0);
            if (round % 2) right = (right + r % b) % b;
            else left = (left + r % a) % a;
        }
        i = left * b + right;
    } while (i >= size);
    return i;
}

}  // namespace granary
