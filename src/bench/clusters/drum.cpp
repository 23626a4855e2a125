#include "bench/clusters/drum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include "core/errors.hpp"
#include "shapes/clump.hpp"
#include "shapes/quaternion.hpp"

namespace granary {

namespace {

constexpr double drum_radius = Drum::radius, drum_length = Drum::length;
constexpr double before_settling = 0.55;  // solid fraction of the spheres around clusters and single balls

struct Numbers {
    std::uint64_t singles, clusters;
    bool loose;
};
Numbers numbers_of(int distribution) {
    switch (distribution) {
        case 1: return {10'000, 1'000, false};
        case 2: return {10'000, 1'000, true};
        case 3: return {5'500, 5'500, false};
        case 4: return {5'500, 5'500, true};
        default: throw InputError("distributions are numbered 1 to 4");
    }
}

double sphere_volume(double r) { return 4 * std::numbers::pi / 3 * r * r * r; }

// Numbers from 0 to 1 by what they are for (the finaliser of splitmix64).
double share_of(std::uint64_t what, std::uint64_t which) {
    std::uint64_t h = (what + 1) * 0x9E3779B97F4A7C15ULL + which * 0xD1B54A32D192ED03ULL;
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ULL;
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<double>((h ^ (h >> 31)) >> 11) * 0x1p-53;
}

bool fits_drum(const Vec3d& x, double r) {
    const double y = x.y - drum_radius, z = x.z - drum_radius;
    return x.x >= r && x.x <= drum_length - r && std::sqrt(y * y + z * z) <= drum_radius - r;
}

// A rotation for a cluster out of four numbers.
Quaterniond orientation(std::uint64_t which) {
    for (std::uint64_t turn = 0;; ++turn) {
        std::array<double, 4> q;
        double square = 0;
        for (std::uint64_t k = 0; k < 4; ++k) {
            q[k] = 2 * share_of(which, 1000 + 4 * turn + k) - 1;
            square += q[k] * q[k];
        }
        if (square <= 1 && square >= 0.01) return normalised(Quaterniond{q[0], q[1], q[2], q[3]});
    }
}

}  // namespace

bool is_loose(int distribution) { return numbers_of(distribution).loose; }

Drum packed_drum(int distribution, const FittedCluster& kind, bool all_over) {
    const Numbers wanted = numbers_of(distribution);
    Drum drum;
    std::vector<ClumpBall> elements;
    for (const auto& e : sphere_elements(kind.fit)) elements.push_back({e.centre, e.radius});
    drum.cluster = make_clump(std::string(1, kind.name), elements);
    const double outer = drum.cluster.outer_radius;
    const double volume = static_cast<double>(wanted.singles) * sphere_volume(Drum::single_radius) +
                          static_cast<double>(wanted.clusters) * sphere_volume(outer);
    // Near walls places are lost: the pack that fills the drum is a quarter denser than what is taken from it.
    const double fraction =
        all_over ? 1.25 * volume / (std::numbers::pi * drum_radius * drum_radius * drum_length) : before_settling;
    PackTask task;
    task.solid_fraction = fraction, task.accepted_overlap = 1e-3;
    // A third of the drum's length a tile.
    const double edge = drum_length / 3;
    const double pieces = fraction * edge * edge * edge / volume;
    for (double k = 0; k < pieces * static_cast<double>(wanted.clusters); ++k) task.diameters.push_back(2 * outer);
    for (double k = 0; k < pieces * static_cast<double>(wanted.singles); ++k)
        task.diameters.push_back(2 * Drum::single_radius);
    const RelaxedPack pack = relaxed_pack(task);
    std::vector<Vec3d> clusters;
    const int tiles = static_cast<int>(std::ceil(drum_length / pack.edge));
    for (int z = 0; z < tiles; ++z)
        for (int y = 0; y < tiles; ++y)
            for (int x = 0; x < tiles; ++x)
                for (const PackBall& ball : pack.balls) {
                    const Vec3d at = ball.centre + pack.edge * Vec3d{double(x), double(y), double(z)};
                    if (!fits_drum(at, ball.radius)) continue;
                    (ball.radius > 1.5 * Drum::single_radius ? clusters : drum.singles).push_back(at);
                }
    const auto take = [&](std::vector<Vec3d>& places, std::uint64_t n, std::uint64_t seed) {
        if (places.size() < n)
            throw RunError("the pack of distribution " + std::to_string(distribution) + " has too few places");
        std::vector<std::pair<double, std::size_t>> order;
        for (std::size_t k = 0; k < places.size(); ++k)
            order.emplace_back(all_over ? share_of(k, seed) : places[k].z, k);
        std::sort(order.begin(), order.end());
        std::vector<Vec3d> taken;
        for (std::size_t k = 0; k < n; ++k) taken.push_back(places[order[k].second]);
        places = std::move(taken);
    };
    take(drum.singles, wanted.singles, 11), take(clusters, wanted.clusters, 13);
    for (std::size_t c = 0; c < clusters.size(); ++c) drum.clusters.push_back({clusters[c], orientation(c)});
    return drum;
}

DetectScene drum_scene(const Drum& drum, double margin) {
    DetectScene scene;
    scene.margin = margin;
    scene.domain = {{-0.05, -0.05, -0.05}, {drum_length + 0.05, 2 * drum_radius + 0.05, 2 * drum_radius + 0.05}, {}};
    double smallest = Drum::single_radius;
    for (const ClumpBall& e : drum.cluster.balls) smallest = std::min(smallest, e.radius);
    scene.largest_diameter = 2 * Drum::single_radius, scene.smallest_diameter = 2 * smallest;
    const auto add = [&](const Vec3d& x, double r, Id label) {
        scene.quads.insert(scene.quads.end(), {x.x, x.y, x.z, r});
        scene.cluster.push_back(label);
    };
    for (const Vec3d& x : drum.singles) add(x, Drum::single_radius, scene.size());
    for (const Placed& cluster : drum.clusters) {
        const Id label = scene.size();
        for (const ClumpBall& e : drum.cluster.balls)
            add(cluster.centre + rotate(cluster.orientation, e.centre), e.radius, label);
    }
    return scene;
}

void shake_units(const DetectScene& home, double amplitude, std::uint64_t round, DetectScene& scene) {
    for (Index b = 0; b < home.size(); ++b)
        for (std::uint64_t axis = 0; axis < 3; ++axis)
            scene.quads[std::size_t{4} * b + axis] = home.quads[std::size_t{4} * b + axis] +
                                                     amplitude * (2 * share_of(home.cluster[b], 3 * round + axis) - 1);
}

}  // namespace granary
