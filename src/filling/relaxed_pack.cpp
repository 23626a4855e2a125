#include "filling/relaxed_pack.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include "core/elementary.hpp"
#include "core/errors.hpp"
#include "core/random.hpp"

namespace granary {

namespace {

// While pushed apart, balls are a little larger than they are: what overlap of that size is left is then a gap.
constexpr double swelling = 1.006;
// Pairs with a gap below this share of the smaller diameter are listed, the list is swept some times, then made anew.
// What comes near in the meantime waits for the next list.
constexpr double listed_gap = 0.2;
// So many sweeps with the first list, more with later ones, when balls move less.
constexpr int first_sweeps = 8, most_sweeps_of_a_list = 60;

// One octave of sizes, largest first: its balls in chains, one a cell.
struct Level {
    int cells;  // along each axis
    std::vector<std::int32_t> first;
    static constexpr std::int32_t none = -1;
};

class Relaxer {
  public:
    Relaxer(RelaxedPack& pack) : pack_(pack), next_(pack.balls.size()), level_(pack.balls.size()) {
        for (const PackBall& ball : pack_.balls) largest_ = std::max(largest_, 2 * ball.radius * swelling);
        for (std::size_t b = 0; b < pack_.balls.size(); ++b) {
            const double octaves = elementary::log2(largest_ / (2 * pack_.balls[b].radius * swelling));
            level_[b] = static_cast<std::size_t>(std::max(0.0, octaves * (1 - 1e-12)));
            while (levels_.size() <= level_[b]) {
                const double size = std::ldexp(largest_, -static_cast<int>(levels_.size()));
                levels_.push_back({std::max(3, static_cast<int>(pack_.edge / size)), {}});
            }
        }
        for (Level& level : levels_) level.first.resize(std::size_t(level.cells) * level.cells * level.cells);
    }

    // Lists the pairs that are near, and gives the largest overlap as a share of the smaller ball's diameter.
    double list_pairs() {
        enter();
        pairs_.clear();
        double worst = 0;
        for_each_near_pair([&](std::size_t i, std::size_t j) {
            const PackBall &a = pack_.balls[i], &b = pack_.balls[j];
            const Vec3d n = apart(a, b);
            const double smaller = 2 * std::min(a.radius, b.radius), touching = a.radius + b.radius,
                         far = swelling * touching + listed_gap * smaller, square = dot(n, n);
            if (square >= far * far) return;
            pairs_.emplace_back(i, j);
            if (square < touching * touching) worst = std::max(worst, (touching - std::sqrt(square)) / smaller);
        });
        return worst;
    }

    // Pushes every overlapping pair just apart, one after the other, the lighter ball giving way more.
    void push_apart() {
        for (const auto& [i, j] : pairs_) {
            PackBall &a = pack_.balls[i], &b = pack_.balls[j];
            Vec3d n = apart(a, b);
            const double wanted = swelling * (a.radius + b.radius), square = dot(n, n);
            if (square >= wanted * wanted) continue;
            const double distance = std::sqrt(square);
            n = distance > 1e-9 * wanted ? n * (1 / distance) : Vec3d{1, 0, 0};
            const double push = wanted - distance, mass_a = cube(a.radius), mass_b = cube(b.radius),
                         share = mass_b / (mass_a + mass_b);
            a.centre = wrapped(a.centre - n * (push * share));
            b.centre = wrapped(b.centre + n * (push * (1 - share)));
        }
    }

  private:
    static double cube(double a) { return a * a * a; }
    int cell(double x, const Level& level) const {
        return std::min(level.cells - 1, static_cast<int>(x / pack_.edge * level.cells));
    }
    Vec3d wrapped(Vec3d x) const {
        for (int axis = 0; axis < 3; ++axis) {
            at(x, axis) -= pack_.edge * std::floor(at(x, axis) / pack_.edge);
            if (at(x, axis) >= pack_.edge) at(x, axis) = 0;
        }
        return x;
    }
    Vec3d apart(const PackBall& a, const PackBall& b) const {  // from a to the nearest image of b
        Vec3d n = b.centre - a.centre;
        for (int axis = 0; axis < 3; ++axis)
            at(n, axis) -= at(n, axis) > 0.5 * pack_.edge    ? pack_.edge
                           : at(n, axis) < -0.5 * pack_.edge ? -pack_.edge
                                                             : 0;
        return n;
    }
    std::size_t place(const Level& level, int x, int y, int z) const {
        return (std::size_t(z) * level.cells + y) * level.cells + x;
    }
    void enter() {
        for (Level& level : levels_) std::fill(level.first.begin(), level.first.end(), Level::none);
        for (std::size_t b = 0; b < pack_.balls.size(); ++b) {
            Level& level = levels_[level_[b]];
            const Vec3d& x = pack_.balls[b].centre;
            std::int32_t& first = level.first[place(level, cell(x.x, level), cell(x.y, level), cell(x.z, level))];
            next_[b] = first, first = static_cast<std::int32_t>(b);
        }
    }
    // A ball looks among those of its own octave and of larger ones: their cells are no smaller than any reach it has
    // there.
    template <class F> void for_each_near_pair(F&& f) {
        for (std::size_t i = 0; i < pack_.balls.size(); ++i)
            for (std::size_t l = 0; l <= level_[i]; ++l) {
                const Level& level = levels_[l];
                const Vec3d x = pack_.balls[i].centre;
                const int n = level.cells;
                const std::array k{cell(x.x, level), cell(x.y, level), cell(x.z, level)};
                for (int code = 0; code < 27; ++code) {
                    const auto turn = [n](int c) { return c < 0 ? c + n : c >= n ? c - n : c; };
                    const std::size_t at_cell = place(level, turn(k[0] + code % 3 - 1), turn(k[1] + code / 3 % 3 - 1),
                                                      turn(k[2] + code / 9 - 1));
                    for (std::int32_t j = level.first[at_cell]; j != Level::none; j = next_[j])
                        if (l < level_[i] || static_cast<std::size_t>(j) > i) f(i, static_cast<std::size_t>(j));
                }
            }
    }

    RelaxedPack& pack_;
    double largest_ = 0;  // swollen diameter
    std::vector<Level> levels_;
    std::vector<std::int32_t> next_;
    std::vector<std::size_t> level_;
    std::vector<std::pair<std::size_t, std::size_t>> pairs_;
};

}  // namespace

std::vector<double> log_uniform_diameters(std::uint64_t n, double smallest, double largest, SizeReading reading) {
    std::vector<double> diameters;
    for (std::uint64_t k = 0; k < n; ++k) {
        const double share = (static_cast<double>(k) + 0.5) / static_cast<double>(n);
        // By mass, the number density falls with the fourth power of the size.
        const double low = 1 / (smallest * smallest * smallest), high = 1 / (largest * largest * largest);
        diameters.push_back(reading == SizeReading::by_number ? smallest * elementary::pow(largest / smallest, share)
                                                              : 1 / elementary::cbrt(low - share * (low - high)));
    }
    return diameters;
}

RelaxedPack relaxed_pack(const PackTask& task) {
    RelaxedPack pack;
    double solid = 0, largest = 0;
    for (const double d : task.diameters) solid += std::numbers::pi / 6 * d * d * d, largest = std::max(largest, d);
    pack.edge = elementary::cbrt(solid / task.solid_fraction);
    if (!(pack.edge >= 3 * largest * swelling))
        throw InputError(
            fmt::format("a pack of {} balls makes a cube of {:.2f} times the largest ball's diameter, and needs at "
                        "least 3: take more balls or a smaller ratio of sizes",
                        task.diameters.size(), pack.edge / largest));
    const Vec3d corner{pack.edge, pack.edge, pack.edge};
    for (std::size_t b = 0; b < task.diameters.size(); ++b)
        pack.balls.push_back(
            {uniform({task.seed, Purpose::relaxed_pack, 0, b, 0}, 0, {}, corner), 0.5 * task.diameters[b]});
    Relaxer relaxer(pack);
    pack.largest_overlap = relaxer.list_pairs();
    for (int more = first_sweeps; pack.largest_overlap > task.accepted_overlap && pack.sweeps < task.most_sweeps;
         more = std::min(more + more / 4, most_sweeps_of_a_list)) {
        const int end = std::min(pack.sweeps + more, task.most_sweeps);
        for (; pack.sweeps < end; ++pack.sweeps) relaxer.push_apart();
        pack.largest_overlap = relaxer.list_pairs();
    }
    return pack;
}

}  // namespace granary
