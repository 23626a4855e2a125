#include "bench/shapes/ellipsoids.hpp"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <random>
#include <vector>
#include "shapes/ellipsoid_johnson2005.hpp"

namespace granary {
namespace {

constexpr double deepest = 0.01;       // overlap, of the least semi-axis
constexpr double turned_since = 1e-3;  // rad: by so much a remembered normal is old
constexpr double missed_by = 0.3;      // the gap of pairs that do not touch, of the least semi-axis
constexpr double anywhere = 1e300;
constexpr std::size_t clump_balls = 7;

// What is computed for its time alone.
void keep(double a) { asm volatile("" : : "m"(a)); }

struct Batch {
    std::vector<PlacedEllipsoid> i, j;
    std::vector<Vec3d> d, normal;  // normal: from j to i
    std::size_t size() const { return d.size(); }
};

class EllipsoidDraw {
  public:
    explicit EllipsoidDraw(std::uint64_t seed) : engine_(seed) {}
    double uniform(double from, double to) {
        return from + (to - from) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
    }
    Vec3d direction() {
        for (;;) {
            const Vec3d v{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            if (const double l = dot(v, v); l < 1 && l > 0.01) return (1 / std::sqrt(l)) * v;
        }
    }
    Quaterniond rotation() {
        for (;;) {
            const Quaterniond q{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            if (const double l = dot(q, q); l < 1 && l > 0.01) return normalised(q);
        }
    }

  private:
    std::mt19937_64 engine_;
};

// Equal bodies, turned at random, that touch at a place whose normal is random.
Batch make_batch(const Vec3d& semi_axes, std::uint64_t pairs) {
    EllipsoidDraw draw(1);
    Batch b;
    for (std::uint64_t k = 0; k < pairs; ++k) {
        const PlacedEllipsoid i = place_ellipsoid(semi_axes, draw.rotation()),
                              j = place_ellipsoid(semi_axes, draw.rotation());
        const Vec3d n = draw.direction(), u = i.a * n, v = j.a * n;
        const double least = std::min({semi_axes.x, semi_axes.y, semi_axes.z});
        b.d.push_back((1 / std::sqrt(dot(n, u))) * u + (1 / std::sqrt(dot(n, v))) * v -
                      (deepest * least * draw.uniform(0, 1)) * n);
        b.i.push_back(i), b.j.push_back(j), b.normal.push_back(-n);
    }
    return b;
}

// ns a pair, the fastest of all repeats.
double timed(std::uint64_t repeats, std::size_t pairs, const std::function<void()>& prepare,
             const std::function<void()>& run) {
    double best = 1e300;
    for (std::uint64_t r = 0; r < repeats; ++r) {
        prepare();
        const auto start = std::chrono::steady_clock::now();
        run();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return 1e9 * best / static_cast<double>(pairs);
}

// + - * / sqrt in the source: a look along a direction 67, a plain step 113 and a unit vector 13, a step of the
// fallback about 220 with one look, an iteration of equivalent spheres about 290 and their start 250, the stretched
// line 60, the contact 25.
double operations(const EllipsoidCounts& c) {
    const auto n = [](std::uint64_t a) { return static_cast<double>(a); };
    const double looks = n(c.pairs) + 2 * n(c.cold) + n(c.steps);
    return (67 * looks + 126 * n(c.steps) + 220 * n(c.safe_steps) + 290 * n(c.spheres) + 250 * n(c.by_spheres) +
            60 * n(c.cold) + 25 * n(c.pairs)) /
           n(c.pairs);
}

struct ColdResult {
    double ns = 0;
    EllipsoidCounts counts;
};
ColdResult measure_cold(const Batch& b, std::uint64_t repeats, EllipsoidStart start) {
    ColdResult result;
    const auto run = [&](EllipsoidCounts* counts) {
        for (std::size_t k = 0; k < b.size(); ++k) {
            Vec3d memory;
            ConvexTouch t;
            touch_ellipsoids(b.i[k], b.j[k], b.d[k], memory, t, anywhere, counts, start);
        }
    };
    run(&result.counts);
    result.ns = timed(
        repeats, b.size(), [] {}, [&] { run(nullptr); });
    return result;
}

// Balls on the long axis, each as large as fits in, the first and last with the radius of curvature of the tips; all
// pairs of balls of two clumps.
std::string measure_clump(const Batch& b, std::uint64_t repeats) {
    const Vec3d& s = b.i[0].semi_axes;
    const double e2 = s.z * s.z - s.x * s.x, reach = e2 / s.z;
    std::vector<double> place(clump_balls), radius(clump_balls);
    for (std::size_t k = 0; k < clump_balls; ++k) {
        place[k] = reach * (2.0 * static_cast<double>(k) / (clump_balls - 1) - 1);
        radius[k] = s.x * std::sqrt(1 - place[k] * place[k] / e2);
    }
    std::vector<Vec3d> axis_i, axis_j;
    for (std::size_t k = 0; k < b.size(); ++k)
        axis_i.push_back(body_axes(b.i[k].orientation).z), axis_j.push_back(body_axes(b.j[k].orientation).z);
    std::uint64_t contacts = 0;
    double sum = 0;
    const double ns = timed(
        repeats, b.size(), [&] { contacts = 0; },
        [&] {
            for (std::size_t k = 0; k < b.size(); ++k)
                for (std::size_t p = 0; p < clump_balls; ++p) {
                    const Vec3d from = place[p] * axis_i[k] - b.d[k];
                    for (std::size_t q = 0; q < clump_balls; ++q) {
                        const Vec3d apart = from - place[q] * axis_j[k];
                        const double radii = radius[p] + radius[q], square = dot(apart, apart);
                        if (square < radii * radii) sum += radii - std::sqrt(square), ++contacts;
                    }
                }
        });
    keep(sum);
    return fmt::format(", \"clump_balls\": {}, \"clump_ns\": {:.0f}, \"clump_contacts_per_pair\": {:.2f}", clump_balls,
                       ns, static_cast<double>(contacts) / static_cast<double>(b.size()));
}

std::string measure_kind(const std::string& kind, const Vec3d& semi_axes, std::uint64_t pairs, std::uint64_t repeats) {
    const Batch b = make_batch(semi_axes, std::max<std::uint64_t>(4, pairs / 4 * 4));
    std::vector<Vec3d> old, memory;
    std::vector<double> near_miss;
    EllipsoidDraw draw(2);
    for (const Vec3d& n : b.normal) {
        const Vec3d m = n + turned_since * draw.direction();
        old.push_back((1 / norm(m)) * m);
        near_miss.push_back(draw.uniform(deepest, missed_by) * std::min({semi_axes.x, semi_axes.y, semi_axes.z}));
    }
    const auto prepare = [&] { memory = old; };
    const auto alone = [&](EllipsoidCounts* counts) {
        for (std::size_t k = 0; k < b.size(); ++k) {
            ConvexTouch t;
            touch_ellipsoids(b.i[k], b.j[k], b.d[k], memory[k], t, anywhere, counts);
        }
    };
    const auto by_four = [&] {
        for (std::size_t k = 0; k < b.size(); k += 4) {
            EllipsoidPairs4 p;
            Vec3d m[4];
            ConvexTouch t[4];
            for (std::size_t l = 0; l < 4; ++l)
                p.i[l] = &b.i[k + l], p.j[l] = &b.j[k + l], p.from_i_to_j[l] = b.d[k + l], m[l] = memory[k + l];
            touch_ellipsoids4(p, m, t, {anywhere, anywhere, anywhere, anywhere});
            for (std::size_t l = 0; l < 4; ++l) memory[k + l] = m[l];
        }
    };
    EllipsoidCounts warm;
    prepare();
    alone(&warm);
    const double warm_ns = timed(repeats, b.size(), prepare, [&] { alone(nullptr); });
    const double four_ns = timed(repeats, b.size(), prepare, by_four);
    std::vector<PlacedEllipsoid> placed = b.i;
    const double place_ns = timed(
        repeats, b.size(), [] {},
        [&] {
            for (PlacedEllipsoid& e : placed) e = place_ellipsoid(e.semi_axes, e.orientation);
            keep(placed[0].a.xy);
        });
    const double missed_ns = timed(
        repeats, b.size(), [] {},
        [&] {
            for (std::size_t k = 0; k < b.size(); ++k) {
                Vec3d none;
                ConvexTouch t;
                touch_ellipsoids(b.i[k], b.j[k], b.d[k] - near_miss[k] * b.normal[k], none, t, 0);
            }
        });
    const auto share = [](std::uint64_t a, const EllipsoidCounts& c) {
        return static_cast<double>(a) / static_cast<double>(c.pairs);
    };
    std::string text = fmt::format(
        "{{\"benchmark\": \"shapes\", \"part\": \"ellipsoids\", \"kind\": \"{}\", \"semi_axes\": [{}, {}, {}], "
        "\"pairs\": {}, \"warm_ns\": {:.0f}, \"warm_by_four_ns\": {:.0f}, \"apart_ns\": {:.0f}, \"place_ns_per_body\": "
        "{:.1f}, "
        "\"warm_steps\": {:.2f}, \"warm_flops\": {:.0f}, \"paper_flops\": 1400, \"warm_fallback_share\": {:.4f}",
        kind, semi_axes.x, semi_axes.y, semi_axes.z, b.size(), warm_ns, four_ns, missed_ns, place_ns,
        share(warm.steps, warm), operations(warm), share(warm.fallback, warm));
    const auto add = [&](const char* name, EllipsoidStart start) {
        const ColdResult c = measure_cold(b, repeats, start);
        text += fmt::format(
            ", \"{}\": {{\"ns\": {:.0f}, \"sphere_iterations\": {:.2f}, \"steps\": {:.2f}, \"safe_steps\": {:.2f}, "
            "\"flops\": {:.0f}, \"fallback_share\": {:.4f}, \"unconverged\": {}}}",
            name, c.ns, share(c.counts.spheres, c.counts), share(c.counts.steps, c.counts),
            share(c.counts.safe_steps, c.counts), operations(c.counts), share(c.counts.fallback, c.counts),
            c.counts.unconverged);
    };
    add("cold", EllipsoidStart::by_ratio);
    add("cold_equivalent_spheres", EllipsoidStart::spheres);
    add("cold_stretched_line", EllipsoidStart::stretched);
    if (kind == "prolate") text += measure_clump(b, repeats);
    return text + "}\n";
}

}  // namespace

std::string bench_ellipsoids(std::uint64_t pairs, std::uint64_t repeats) {
    std::string text;
    for (const double ratio : {1.5, 2.5, 5.0, 10.0}) {
        text += measure_kind("prolate", {1, 1, ratio}, pairs, repeats);
        text += measure_kind("oblate", {ratio, ratio, 1}, pairs, repeats);
        text += measure_kind("triaxial", {1, 0.5 * (1 + ratio), ratio}, pairs, repeats);
    }
    return text;
}

}  // namespace granary
