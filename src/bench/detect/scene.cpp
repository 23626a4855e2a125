#include "bench/detect/scene.hpp"

#include <algorithm>
#include <cmath>

namespace granary {

namespace {

constexpr double border = 1.5;  // from the outermost centres to the domain's faces, d

// Three numbers from -1 to 1 of 21 bits each; quick, and good enough to shake bodies (the finaliser of splitmix64).
std::array<double, 3> dice(std::uint64_t number, std::uint64_t round) {
    std::uint64_t h = (number + 1) * 0x9E3779B97F4A7C15ULL + round * 0xD1B54A32D192ED03ULL;
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ULL;
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBULL;
    h ^= h >> 31;
    constexpr std::uint64_t mask = (1 << 21) - 1;
    const auto part = [&](int k) { return static_cast<double>((h >> (21 * k)) & mask) * 0x1p-20 - 1.0; };
    return {part(0), part(1), part(2)};
}

void fit_domain(DetectScene& scene) {
    Vec3d lower{0, 0, 0}, upper{0, 0, 0};
    for (Index b = 0; b < scene.size(); ++b)
        for (int axis = 0; axis < 3; ++axis) {
            const double x = scene.quads[std::size_t{4} * b + axis];
            if (b == 0 || x < at(lower, axis)) at(lower, axis) = x;
            if (b == 0 || x > at(upper, axis)) at(upper, axis) = x;
        }
    for (int axis = 0; axis < 3; ++axis) at(lower, axis) -= border, at(upper, axis) += border;
    scene.domain = {lower, upper, {}};
}

}  // namespace

DetectScene lattice_scene(std::array<std::uint64_t, 3> counts, std::array<double, 3> spacing) {
    DetectScene scene;
    scene.margin = trifle;
    scene.quads.reserve(4 * counts[0] * counts[1] * counts[2]);
    for (std::uint64_t z = 0; z < counts[2]; ++z)
        for (std::uint64_t y = 0; y < counts[1]; ++y)
            for (std::uint64_t x = 0; x < counts[0]; ++x)
                scene.quads.insert(scene.quads.end(), {border + spacing[0] * static_cast<double>(x),
                                                       border + spacing[1] * static_cast<double>(y),
                                                       border + spacing[2] * static_cast<double>(z), 0.5});
    fit_domain(scene);
    return scene;
}

DetectScene tiled_scene(const RelaxedPack& pack, std::uint64_t n, double margin) {
    DetectScene scene;
    scene.margin = margin;
    const double tiles = std::max(1.0, static_cast<double>(n) / static_cast<double>(pack.balls.size()));
    const double side = std::max(1.0, std::floor(std::cbrt(tiles) + 1e-9));
    const auto kx = static_cast<std::uint64_t>(side),
               ky = static_cast<std::uint64_t>(std::max(side, std::floor(std::sqrt(tiles / side) + 1e-9))),
               kz = static_cast<std::uint64_t>(std::max(1.0, std::round(tiles / (side * static_cast<double>(ky)))));
    scene.quads.reserve(4 * kx * ky * kz * pack.balls.size());
    scene.largest_diameter = 0, scene.smallest_diameter = pack.edge;
    for (const PackBall& ball : pack.balls) {
        scene.largest_diameter = std::max(scene.largest_diameter, 2 * ball.radius);
        scene.smallest_diameter = std::min(scene.smallest_diameter, 2 * ball.radius);
    }
    for (std::uint64_t z = 0; z < kz; ++z)
        for (std::uint64_t y = 0; y < ky; ++y)
            for (std::uint64_t x = 0; x < kx; ++x)
                for (const PackBall& ball : pack.balls)
                    scene.quads.insert(scene.quads.end(),
                                       {ball.centre.x + pack.edge * static_cast<double>(x),
                                        ball.centre.y + pack.edge * static_cast<double>(y),
                                        ball.centre.z + pack.edge * static_cast<double>(z), ball.radius});
    fit_domain(scene);
    return scene;
}

void mix_numbers(DetectScene& scene) {
    for (Index b = scene.size(); b > 1; --b) {  // Fisher and Yates
        const double share = 0.5 + 0.5 * dice(b, 77)[0];
        const auto other = std::min(b - 1, static_cast<Index>(share * static_cast<double>(b)));
        std::swap_ranges(scene.quads.begin() + std::ptrdiff_t{4} * (b - 1), scene.quads.begin() + std::ptrdiff_t{4} * b,
                         scene.quads.begin() + std::ptrdiff_t{4} * other);
    }
}

DetectScene random_scene(std::uint64_t n, double edge, double smallest_diameter, std::uint64_t seed) {
    DetectScene scene;
    scene.margin = trifle;
    scene.smallest_diameter = smallest_diameter;
    scene.quads.reserve(4 * n);
    for (std::uint64_t b = 0; b < n; ++b) {
        const auto [x, y, z] = dice(b, 2 * seed);
        const double share = 0.5 + 0.5 * dice(b, 2 * seed + 1)[0];
        scene.quads.insert(scene.quads.end(), {0.5 * edge * (1 + x), 0.5 * edge * (1 + y), 0.5 * edge * (1 + z),
                                               0.5 * (smallest_diameter + (1 - smallest_diameter) * share)});
    }
    fit_domain(scene);
    return scene;
}

Shaker::Shaker(DetectScene& scene, double scatter, double amplitude)
    : scene_(scene),
      homes_(scene.quads),
      amplitude_(amplitude) {
    for (Index b = 0; b < scene.size(); ++b) {
        const auto by = dice(b, 1'000'003);
        for (int axis = 0; axis < 3; ++axis) homes_[std::size_t{4} * b + axis] += scatter * by[axis];
    }
    shake(0);
}

void Shaker::shake(std::uint64_t round) {
    for (Index b = 0; b < scene_.size(); ++b) {
        const auto by = dice(b, round);
        for (int axis = 0; axis < 3; ++axis)
            scene_.quads[std::size_t{4} * b + axis] = homes_[std::size_t{4} * b + axis] + amplitude_ * by[axis];
    }
}

}  // namespace granary
