#include "bench/shapes/polyhedra.hpp"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <random>
#include <vector>
#include "bench/shapes/polygon_pairs.hpp"
#include "shapes/common_plane_as_printed_nezami2003.hpp"
#include "shapes/cundall_common_plane.hpp"
#include "shapes/polyhedron_contact.hpp"

namespace granary {
namespace {

void keep_number(double a) { asm volatile("" : : "m"(a)); }

// Seconds of the fastest of several runs.
template <class Run> double fastest(std::uint64_t repeats, Run&& run) {
    double best = 1e300;
    for (std::uint64_t r = 0; r < std::max<std::uint64_t>(repeats, 1); ++r) {
        const auto start = std::chrono::steady_clock::now();
        run();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

struct PolyhedronDraw {
    std::mt19937_64 engine{1};
    double uniform(double from, double to) {
        return from + (to - from) * std::ldexp(static_cast<double>(engine() >> 11), -53);
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
};

// What two methods found and needed for the same pairs.
struct Comparison {
    std::string name;
    std::uint64_t pairs = 0, rival_better = 0, rival_worse = 0;
    double ratios = 0;  // sum over pairs; 0: not known
    struct Apart {      // of these pairs those that do not overlap
        std::vector<bool> pair;
        std::uint64_t pairs = 0;
        double fast_seconds = 0, rival_seconds = 0, ratios = 0, planes = 0, rival_planes = 0;
    } apart;
    double fast_seconds = 0, rival_seconds = 0, rounds = 0, planes = 0, rival_rounds = 0, rival_planes = 0,
           worst_loss = 0;

    template <class Found> void add(const Found& fast, const Found& rival, double size) {
        ++pairs;
        rounds += fast.rounds, planes += fast.candidates;
        rival_rounds += rival.rounds, rival_planes += rival.candidates;
        if (rival.gap > fast.gap + 1e-9 * size) ++rival_better;
        if (rival.gap < fast.gap - 1e-6 * size) ++rival_worse;
        worst_loss = std::max(worst_loss, (fast.gap - rival.gap) / size);
        apart.pair.push_back(fast.gap > 0);
        if (fast.gap > 0) ++apart.pairs, apart.planes += fast.candidates, apart.rival_planes += rival.candidates;
    }
    void add_times(std::size_t k, double fast, double rival) {
        fast_seconds += fast, rival_seconds += rival, ratios += rival / fast;
        if (apart.pair[k]) apart.fast_seconds += fast, apart.rival_seconds += rival, apart.ratios += rival / fast;
    }
    std::string json() const {
        const double n = static_cast<double>(pairs);
        return fmt::format(
            R"({{"kind": "{}", "pairs": {}, "fast_ns": {:.0f}, "cundall_ns": {:.0f}, "ratio": {:.2f}, "mean_of_ratios": {}, "rounds": {:.2f}, "planes": {:.1f}, )"
            R"("cundall_iterations": {:.1f}, "cundall_planes": {:.1f}, "cundall_first_angle_deg": 10, "cundall_last_angle_rad": 1e-4, )"
            R"("cundall_gap_greater": {}, "cundall_gap_less_by_1e-6": {}, "greatest_loss_of_cundall": {:.2e}{}}})"
            "\n",
            name, pairs, 1e9 * fast_seconds / n, 1e9 * rival_seconds / n, rival_seconds / fast_seconds,
            ratios > 0 ? fmt::format("{:.2f}", ratios / n) : "null", rounds / n, planes / n, rival_rounds / n,
            rival_planes / n, rival_better, rival_worse, worst_loss, ratios > 0 && apart.pairs > 0 ? of_apart() : "");
    }
    std::string of_apart() const {
        const double n = static_cast<double>(apart.pairs);
        return fmt::format(
            R"(, "apart": {{"pairs": {}, "fast_ns": {:.0f}, "cundall_ns": {:.0f}, "ratio": {:.2f}, "mean_of_ratios": {:.2f}, )"
            R"("planes": {:.1f}, "cundall_planes": {:.1f}}})",
            apart.pairs, 1e9 * apart.fast_seconds / n, 1e9 * apart.rival_seconds / n,
            apart.rival_seconds / apart.fast_seconds, apart.ratios / n, apart.planes / n, apart.rival_planes / n);
    }
};

std::string compare_lines(const std::string& name, const std::vector<PolygonPair>& all, std::uint64_t repeats) {
    Comparison c;
    c.name = name;
    for (const PolygonPair& p : all)
        c.add(fast_common_line(p.i, p.j, {}), cundall_common_line(p.i, p.j, {}), p.i.size + p.j.size);
    c.fast_seconds = fastest(repeats, [&] {
        for (const PolygonPair& p : all) keep_number(fast_common_line(p.i, p.j, {}).gap);
    });
    c.rival_seconds = fastest(repeats, [&] {
        for (const PolygonPair& p : all) keep_number(cundall_common_line(p.i, p.j, {}).gap);
    });
    return c.json();
}

// The loop as printed beside the one that runs use: how often it ends on another plane than that with the greatest gap,
// of pairs that are apart; and how often it does not halt.
std::string loop_as_printed(const std::vector<PolygonPair>& all, std::uint64_t repeats) {
    std::uint64_t apart = 0, wrong = 0, endless = 0;
    double planes = 0, worst = 0;
    for (const PolygonPair& p : all) {
        const CommonLine best = fast_common_line(p.i, p.j, {});
        if (!(best.gap > 0)) continue;
        const PrintedLine printed = common_line_as_printed(p.i, p.j);
        ++apart;
        planes += printed.line.candidates;
        endless += printed.halted ? 0 : 1;
        const double loss = (best.gap - printed.line.gap) / (p.i.size + p.j.size);
        if (loss > 1e-12) ++wrong, worst = std::max(worst, loss);
    }
    const double seconds = fastest(repeats, [&] {
        for (const PolygonPair& p : all) keep_number(common_line_as_printed(p.i, p.j).line.gap);
    });
    return fmt::format(
        R"({{"kind": "polygons, random: the loop as printed", "pairs": {}, "apart": {}, "wrong": {}, "does_not_halt": {}, )"
        R"("greatest_loss": {:.2e}, "planes": {:.1f}, "ns": {:.0f}}})"
        "\n",
        all.size(), apart, wrong, endless, worst, planes / std::max(1.0, static_cast<double>(apart)),
        1e9 * seconds / static_cast<double>(all.size()));
}

struct PolyhedronPair {
    ConvexPolyhedron a, b;
    CornersInSpace i, j;
    PolyhedronPair(ConvexPolyhedron first, ConvexPolyhedron second, const Placed& at_i, const Placed& at_j)
        : a(std::move(first)),
          b(std::move(second)),
          i(a, at_i, {}),
          j(b, at_j, {}) {}
};

// All that a search may read of a body: in a run its corners have just been placed, and its template is that of many
// bodies.
void read_all(const CornersInSpace& at) {
    const ConvexPolyhedron& body = *at.body;
    double sum = 0;
    for (const Vec3d& x : at.corner) sum += x.x + x.z;
    for (std::size_t c = 0; c < body.corners().size(); ++c) {
        for (const std::uint32_t k : body.neighbours_of(c)) sum += k;
        for (const std::uint32_t f : body.faces_of(c)) sum += f;
    }
    for (std::size_t f = 0; f < body.faces().size(); ++f) {
        sum += body.faces()[f].normal.x + body.faces()[f].end;
        for (const std::uint32_t k : body.corners_of(f)) sum += k;
    }
    for (const double x : {1.0, 2.0, 3.0})
        for (const double y : {1.0, 2.0, 3.0})
            for (const double z : {1.0, 2.0, 3.0})
                for (int signs = 0; signs < 8; ++signs)
                    sum += body.start_of({signs & 1 ? -x : x, signs & 2 ? -y : y, signs & 4 ? -z : z});
    keep_number(sum);
}

// Each pair by itself, one method after the other, in turns, each the fastest of several times with other pairs in
// between.
void time_each_pair(Comparison& c, const std::vector<std::unique_ptr<PolyhedronPair>>& all,
                    const std::vector<Vec3d>& start, std::uint64_t repeats) {
    const auto seconds = [](auto&& run) {
        const auto from = std::chrono::steady_clock::now();
        run();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
    };
    double clock = 1e300;
    for (int k = 0; k < 1000; ++k) clock = std::min(clock, seconds([] {}));
    std::vector<double> fast(all.size(), 1e300), rival(all.size(), 1e300);
    for (std::uint64_t r = 0; r < std::max<std::uint64_t>(repeats, 1); ++r)
        for (std::size_t k = 0; k < all.size(); ++k) {
            const PolyhedronPair& p = *all[k];
            read_all(p.i), read_all(p.j);
            const auto one = [&] {
                const double s = seconds([&] { keep_number(fast_common_plane(p.i, p.j, start[k]).gap); });
                fast[k] = std::min(fast[k], s - clock);
            };
            const auto other = [&] {
                const double s = seconds([&] { keep_number(cundall_common_plane(p.i, p.j, start[k]).gap); });
                rival[k] = std::min(rival[k], s - clock);
            };
            if (r % 2 == 0) one(), other();
            else other(), one();
        }
    for (std::size_t k = 0; k < all.size(); ++k) c.add_times(k, fast[k], rival[k]);
}

// Corners on a sphere of radius 1.
std::string compare_planes(std::uint64_t pairs, std::uint64_t repeats, const std::string& kind, double fewest,
                           double most, double nearest) {
    PolyhedronDraw draw;
    std::vector<std::unique_ptr<PolyhedronPair>> all;
    const auto body = [&] {
        std::vector<Vec3d> points;
        const auto n = static_cast<int>(draw.uniform(fewest, most + 1));
        for (int k = 0; k < n; ++k) points.push_back(draw.direction());
        return ConvexPolyhedron("random", points);
    };
    for (std::uint64_t k = 0; k < pairs; ++k)
        all.push_back(std::make_unique<PolyhedronPair>(
            body(), body(), Placed{{}, draw.rotation(), 1},
            Placed{draw.uniform(nearest, 2.4) * draw.direction(), draw.rotation(), 1}));
    std::string text;
    for (const bool warm : {false, true}) {
        Comparison c;
        c.name = kind + (warm ? ", plane remembered" : "");
        std::vector<Vec3d> start(all.size());
        if (warm)
            for (std::size_t k = 0; k < all.size(); ++k) {  // turned by 1e-3 rad since
                const Vec3d n = fast_common_plane(all[k]->i, all[k]->j, {}).normal + 1e-3 * draw.direction();
                start[k] = (1 / norm(n)) * n;
            }
        for (std::size_t k = 0; k < all.size(); ++k)
            c.add(fast_common_plane(all[k]->i, all[k]->j, start[k]),
                  cundall_common_plane(all[k]->i, all[k]->j, start[k]), 2);
        time_each_pair(c, all, start, repeats);
        text += c.json();
    }
    return text;
}

// Dodecahedra that overlap by a mean depth of at most `deepest` of the radius, and some that are near.
std::string contacts_of_12_faces(std::uint64_t pairs, std::uint64_t repeats, double deepest) {
    std::vector<Vec3d> points;
    const double g = (1 + std::sqrt(5.0)) / 2;
    for (int k = 0; k < 8; ++k) points.push_back({k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0});
    for (const double a : {1.0, -1.0})
        for (const double b : {1.0, -1.0})
            points.insert(points.end(), {{0, a / g, b * g}, {a / g, b * g, 0}, {a * g, 0, b / g}});
    const ConvexPolyhedron body("dodecahedron", points);
    struct Pair {
        Placed i, j;
        Vec3d plane;
    };
    PolyhedronDraw draw;
    std::vector<Pair> touching, apart;
    const double r = body.outer_radius(), tol = 0.1 * r;
    ConvexTouch touch;
    while (touching.size() < pairs || apart.size() < pairs) {
        // Along a line until they overlap a little.
        Pair p{{{}, draw.rotation(), 1}, {{}, draw.rotation(), 1}, {}};
        const Vec3d line = draw.direction();
        double far = 2.1 * r, near = 1.2 * r;
        for (int halves = 0; halves < 12; ++halves) {
            const double middle = (far + near) / 2;
            p.j.centre = middle * line, p.plane = {};
            const PlaneState state = touch_polyhedra(body, p.i, body, p.j, tol, p.plane, touch);
            if (state == PlaneState::real && touch.overlap > deepest * r) near = middle;
            else far = middle;
            if (state == PlaneState::real && touch.overlap <= deepest * r && touching.size() < pairs) {
                touching.push_back(p);
                break;
            }
            if (state == PlaneState::potential && apart.size() < pairs) {
                apart.push_back(p);
                break;
            }
        }
    }
    const auto run = [&](const std::vector<Pair>& list) {
        return 1e9 / static_cast<double>(list.size()) * fastest(repeats, [&] {
                   for (const Pair& p : list) {
                       Vec3d plane = p.plane;
                       touch_polyhedra(body, p.i, body, p.j, tol, plane, touch);
                       keep_number(touch.overlap);
                   }
               });
    };
    return fmt::format(
        R"({{"kind": "dodecahedra, mean depth up to {} of the radius", "pairs": {}, "touching_ns": {:.0f}, "apart_ns": {:.0f}}})"
        "\n",
        deepest, pairs, run(touching), run(apart));
}

}  // namespace

std::string bench_polyhedra(std::uint64_t pairs, std::uint64_t repeats) {
    std::string text;
    const auto described = described_polygon_pairs();
    for (const PolygonPair& p : described) text += compare_lines(p.name, {p}, 100 * repeats);
    text += compare_lines("polygons: the 16 above", described, 100 * repeats);
    const auto random = random_polygon_pairs(pairs, 1);
    text += compare_lines("polygons, random, 3 to 12 corners", random, repeats);
    text += loop_as_printed(random, repeats);
    const std::uint64_t bodies = std::min<std::uint64_t>(pairs, 1000);
    text += compare_planes(bodies, repeats, "polyhedra, 8 to 40 corners", 8, 40, 1.9);
    text += compare_planes(bodies, repeats, "polyhedra, 4 to 200 corners", 4, 200, 1.9);
    text += compare_planes(bodies, repeats, "polyhedra, 4 to 200 corners, some overlapping", 4, 200, 1.0);
    for (const double deepest : {0.01, 0.001})
        text += contacts_of_12_faces(std::min<std::uint64_t>(pairs, 500), repeats, deepest);
    return text;
}

}  // namespace granary
