#include "search/secondary_grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace granary {

LocalFrame LocalFrame::along(const Vec3d& line) {
    const double length = norm(line);
    if (!(length > 0)) return {};
    const Vec3d z = (1 / length) * line;
    // The axis that is the farthest from z' gives the directions across.
    const double ax = std::abs(z.x), ay = std::abs(z.y), az = std::abs(z.z);
    const Vec3d other = ax <= ay && ax <= az ? Vec3d{1, 0, 0} : ay <= az ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    Vec3d x = cross(other, z);
    x = (1 / norm(x)) * x;
    const Vec3d y = cross(z, x);
    const auto row = [](const Vec3d& a) {
        return std::array{static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
    };
    return {{row(x), row(y), row(z)}};
}

void ElementList::take(const SievedBalls& all, Index begin, Index end, const FloatSieve::Ball& ball, float reach) {
    size = 0;
    balls.make_room(end - begin);
    for (Index k = begin; k < end; k += 16)
        size += balls.copy_lanes(size, all, k, all.near(k, ball, reach) & first_lanes(end - k));
}

void ElementList::take_all(const SievedBalls& all, Index begin, Index end) {
    size = end - begin;
    balls.make_room(size);
    for (Index k = begin; k < end; k += 16) balls.copy16(k - begin, all, k);
}

// A body that is no real one of this rank finds real ones only.
void SecondLevel::close(Index body) {
    if (!units_.is_real(body)) found_.keep_if(task_, [&](Index j) { return is_listed(body, j); });
    found_.close(task_, count_);
}

inline void SecondLevel::look(const SievedBalls& targets, Range run, const FloatSieve::Ball& me, Index body,
                              bool only_after) {
    const float reach = me.r + margin_;
    for (Index k = run.begin; k < run.end; k += 16) {
        unsigned near = targets.near(k, me, reach) & first_lanes(run.end - k);
        if (only_after) near &= lanes_above(&targets.number[k], body);
        if (near != 0) found_.show_lanes(task_, &targets.number[k], near);
    }
}

void SecondLevel::side_by_side(const SievedBalls& lookers, Range looking, const SievedBalls& targets, Range run) {
    for (Index l = looking.begin; l < looking.end; ++l) {
        const Index body = lookers.number[l];
        found_.open(body);
        look(targets, run, {lookers.x[l], lookers.y[l], lookers.z[l], lookers.r[l]}, body, false);
        counts_.element_tests += run.size();
        close(body);
    }
}

// Most pairs are found here, so it goes in two sweeps, each without a branch that is often guessed wrong: sixteen
// targets look at all before them and leave a bit for each; bits become runs of partners. Single precision decides
// nearly always: the exact rule is asked for the few pairs that are near by less than its rounding.
void SecondLevel::within(const Unit& unit) {
    const SievedBalls& all = units_.elements;
    const Index n = unit.size(), sixteens = (n + 15) / 16, stride = (sixteens + 3) / 4 * 4;
    const Index* number = &all.number[unit.begin];
    counts_.element_tests += std::uint64_t{n} * (n - 1) / 2;
    float smallest = 2;
    for (Index k = 0; k < n; ++k) {
        found_.prefetch_run(number[k]);  // written below, all over memory
        smallest = std::min(smallest, all.r[unit.begin + k]);
    }
    const Float16 surely = Float16::all(FloatSieve::sure_share(2 * smallest + margin_));
    if (near_.size() < std::size_t{n} * stride) near_.resize(std::size_t{n} * stride);
    for (Index s = 0; s < sixteens; ++s) {
        const Index k = unit.begin + 16 * s;
        const Float16 x = Float16::load(&all.x[k]), y = Float16::load(&all.y[k]), z = Float16::load(&all.z[k]),
                      r = Float16::load(&all.r[k]) + Float16::all(margin_);
        const unsigned there = first_lanes(unit.end - k);
        for (Index l = 0; l < std::min(n, 16 * s + 16); ++l) {
            const Index me = unit.begin + l;
            const Float16 dx = x - Float16::all(all.x[me]), dy = y - Float16::all(all.y[me]),
                          dz = z - Float16::all(all.z[me]), both = r + Float16::all(all.r[me]);
            const Float16 distance = dx * dx + dy * dy + dz * dz, reach = both * both;
            unsigned near = lanes_below(distance, reach) & there;
            const unsigned doubt = near & ~lanes_below(distance, reach * surely);
            if (doubt != 0) [[unlikely]]
                near &= ~doubt | are_candidates(number[l], number + 16 * s, doubt);
            near_[l * stride + s] = static_cast<std::uint16_t>(near);
        }
    }
    for (Index s = sixteens; s < stride; ++s)
        for (Index l = 0; l < n; ++l) near_[l * stride + s] = 0;

    const bool as_they_are = unit.all_real;
    Index* upper = found_.room_for_runs(std::size_t{n} * (n - 1) / 2 + at_once);
    for (Index l = 0; l < n; ++l) {
        const std::uint16_t* row = near_.data() + std::size_t{l} * stride;
        Index* const first = upper;
        std::uint64_t after = ~std::uint64_t{1} << (l % 64);  // in its own word
        for (Index w = l / 64; w < stride / 4; ++w, after = ~std::uint64_t{0}) {
            std::uint64_t bits = (std::uint64_t{row[4 * w]} | std::uint64_t{row[4 * w + 1]} << 16 |
                                  std::uint64_t{row[4 * w + 2]} << 32 | std::uint64_t{row[4 * w + 3]} << 48) &
                                 after;
            const Index* from = number + 64 * w;
            Index* const to = upper;
            upper += std::popcount(bits);
            // Few, as usual: no loop's end to guess. Where no bit is left the first target is written, and not kept.
            for (Index k = 0; k < at_once; ++k, bits &= bits - 1)
                to[k] = from[static_cast<Index>(std::countr_zero(bits)) & 63u];
            for (Index* more = to + at_once; bits != 0; bits &= bits - 1)
                *more++ = from[static_cast<Index>(std::countr_zero(bits))];
        }
        if (!as_they_are) upper = std::remove_if(first, upper, [&](Index j) { return !is_listed(number[l], j); });
        found_.keep_run(number[l], static_cast<Index>(upper - first));
    }
}

// Which of the bodies whose bits are set the exact rule takes as candidates.
unsigned SecondLevel::are_candidates(Index i, const Index* bodies, unsigned bits) const {
    unsigned near = 0;
    for (; bits != 0; bits &= bits - 1) {
        const Index j = bodies[std::countr_zero(bits)];
        const std::array<Index, 4> i4{i, i, i, i}, j4{j, j, j, j};
        if (candidate_pairs(task_.bodies.position.data(), i4.data(), j4.data(), task_.margin) != 0)
            near |= bits & (~bits + 1);
    }
    return near;
}

void SecondLevel::make_grid(const ElementList& lookers, const ElementList& targets, const LocalFrame& frame) {
    const SievedBalls& t = targets.balls;
    const Index n = targets.size;
    ++counts_.grids;
    at_.resize(n), cell_of_.resize(n);
    std::array<float, 3> upper{};
    float smallest = 2;
    largest_ = 0;
    for (Index k = 0; k < n; ++k) {
        at_[k] = frame.of(t.x[k], t.y[k], t.z[k]);
        for (std::size_t a = 0; a < 3; ++a) {
            lower_[a] = k == 0 ? at_[k][a] : std::min(lower_[a], at_[k][a]);
            upper[a] = k == 0 ? at_[k][a] : std::max(upper[a], at_[k][a]);
        }
        smallest = std::min(smallest, t.r[k]), largest_ = std::max(largest_, t.r[k]);
    }
    for (Index k = 0; k < lookers.size; ++k) smallest = std::min(smallest, lookers.balls.r[k]);
    edge_ = std::max(std::numbers::sqrt2_v<float> * smallest, 1e-6F);  // (20)
    const double most_cells = 4.0 * n + 64;
    for (double cells = 2 * most_cells; cells > most_cells;) {
        cells = 1;
        for (std::size_t a = 0; a < 3; ++a) {
            const float across = std::floor((upper[a] - lower_[a]) / edge_) + 1;
            cells *= across;
            cells_[a] = static_cast<int>(across);
        }
        if (cells > most_cells) edge_ *= 1.26F;
    }
    inverse_ = 1 / edge_;
    const std::size_t n_cells = static_cast<std::size_t>(cells_[0]) * cells_[1] * cells_[2];
    start_.assign(n_cells + 1, 0);
    for (Index k = 0; k < n; ++k) {
        Index cell = 0;
        for (std::size_t a = 3; a-- > 0;)
            cell =
                cell * cells_[a] + std::clamp(static_cast<int>((at_[k][a] - lower_[a]) * inverse_), 0, cells_[a] - 1);
        cell_of_[k] = cell;
        ++start_[cell + 1];
    }
    for (std::size_t c = 0; c < n_cells; ++c) start_[c + 1] += start_[c];
    sorted_.make_room(n);
    for (Index k = n; k-- > 0;) {  // from behind: each start moves down to where its cell begins
        const Index to = --start_[cell_of_[k] + 1];
        sorted_.put(to, {t.x[k], t.y[k], t.z[k], t.r[k]}, t.number[k]);
    }
}

void SecondLevel::by_grid(const ElementList& lookers, const ElementList& targets, const LocalFrame& frame,
                          bool only_after) {
    if (lookers.size == 0 || targets.size == 0) return;
    make_grid(lookers, targets, frame);
    // Now the cell c begins at start_[c + 1]; it ends where the next one begins.
    start_.push_back(targets.size);
    const Index* start = start_.data() + 1;
    constexpr float slack = 0x1p-19F;  // coordinates of a turned frame are off by less
    for (Index l = 0; l < lookers.size; ++l) {
        const SievedBalls& all = lookers.balls;
        const FloatSieve::Ball me{all.x[l], all.y[l], all.z[l], all.r[l]};
        const std::array<float, 3> at = frame.of(me.x, me.y, me.z);
        const float reach = me.r + largest_ + margin_ + slack;
        std::array<int, 3> first, last;  // (21), the grid's ends included
        bool outside = false;
        for (std::size_t a = 0; a < 3; ++a) {
            const float low = std::floor((at[a] - reach - lower_[a]) * inverse_),
                        high = std::floor((at[a] + reach - lower_[a]) * inverse_);
            outside |= high < 0 || low > static_cast<float>(cells_[a]);
            first[a] = static_cast<int>(std::max(low, 0.0F));
            last[a] = static_cast<int>(std::min(high, static_cast<float>(cells_[a] - 1)));
            first[a] = std::min(first[a], cells_[a] - 1);
        }
        if (outside) continue;
        const Index body = all.number[l];
        found_.open(body);
        for (int z = first[2]; z <= last[2]; ++z)
            for (int y = first[1]; y <= last[1]; ++y) {
                const std::size_t row = (static_cast<std::size_t>(z) * cells_[1] + y) * cells_[0];
                const Range run{start[row + first[0]], start[row + last[0] + 1]};
                look(sorted_, run, me, body, only_after);
                counts_.element_tests += run.size();
            }
        close(body);
    }
}

}  // namespace granary
