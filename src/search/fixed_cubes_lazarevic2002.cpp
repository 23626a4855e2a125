#include "search/fixed_cubes_lazarevic2002.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include "search/local_cubes.hpp"

namespace granary {

namespace {

using Entered = FixedCubesWorkspace::Entered;
using Mask = std::uint8_t;

// Of the eight numbers of a mask, those on the lower side along each axis; and how far the upper side is from it.
constexpr std::array<unsigned, 3> lower_side{0x55, 0x33, 0x0f};
constexpr std::array<int, 3> across{1, 2, 4};

// Which of the central cube and its seven neighbours a ball reaches: algorithm 3. d2: squared distances (11) from the
// centre to the faces of its octant. A ball that does not reach a face reaches none of its edges, and so on: (15).
template <class Examine> unsigned examine(const std::array<double, 3>& d2, Examine&& reaches) {
    const bool x = reaches(d2[0]);
    const bool y = reaches(d2[1]);
    const bool xy = x && y && reaches(d2[0] + d2[1]);
    const bool z = reaches(d2[2]);
    const bool xz = x && z && reaches(d2[0] + d2[2]);
    const bool yz = y && z && reaches(d2[1] + d2[2]);
    const bool xyz = xy && xz && yz && reaches(d2[0] + d2[1] + d2[2]);
    return 1u | (x ? 2u : 0) | (y ? 4u : 0) | (xy ? 8u : 0) | (z ? 16u : 0) | (xz ? 32u : 0) | (yz ? 64u : 0) |
           (xyz ? 128u : 0);
}

// The cubes of one ball; radius: enlarged.
template <class Examine> Entered enter(const LocalCubes& cubes, const Vec3d& centre, Examine&& reaches) {
    const std::uint64_t central = cubes.key(centre);
    const Vec3d low = cubes.above_lower_face(centre, central);
    std::array<bool, 3> upper;  // half of the cube, by axis
    std::array<double, 3> d2;
    for (int axis = 0; axis < 3; ++axis) {
        const double edge = at(cubes.edge, axis), below = at(low, axis);
        upper[axis] = below >= 0.5 * edge;
        // Rounding may put a centre a trifle outside of its cube.
        const double distance = std::max(0.0, upper[axis] ? edge - below : below);
        d2[axis] = distance * distance;
    }
    unsigned mask = examine(d2, reaches);
    std::uint64_t lowest = central;
    for (int axis = 0; axis < 3; ++axis) {
        if (upper[axis])
            continue;  // the neighbours are on the upper side, the central cube on the lower one; else turned round
        mask = ((mask & lower_side[axis]) << across[axis]) | ((mask >> across[axis]) & lower_side[axis]);
        lowest -= cubes.step(axis);
    }
    return {lowest, static_cast<Mask>(mask)};
}

std::uint64_t key_of(const LocalCubes& cubes, const Entered& e, int number) {
    const unsigned n = static_cast<unsigned>(number);
    return e.lowest + (n & 1u) + ((n >> 1) & 1u) * cubes.step(1) + (n >> 2) * cubes.step(2);
}

// Of two balls that have cubes in common.
std::uint64_t lowest_common_cube(const LocalCubes& cubes, const Entered& a, const Entered& b) {
    unsigned mask = b.mask;  // seen from the eight cubes of a
    for (int axis = 0; axis < 3; ++axis) {
        const int apart = cubes.digit_of(b.lowest, axis) - cubes.digit_of(a.lowest, axis);
        if (apart > 0) mask = (mask & lower_side[axis]) << across[axis];
        if (apart < 0) mask = (mask >> across[axis]) & lower_side[axis];
    }
    return key_of(cubes, a, std::countr_zero(mask & a.mask));
}

// Cubes that stand still while the bodies move: counted from the domain's lower corner.
LocalCubes cubes_for(const SearchTask& task, const FixedCubesSettings& settings) {
    const Bodies& bodies = task.bodies;
    Vec3d lower = bodies.x(0), upper = lower;
    double largest = 0;
    for (Index i = 0; i < bodies.size; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            at(lower, axis) = std::min(at(lower, axis), bodies.position(i, axis));
            at(upper, axis) = std::max(at(upper, axis), bodies.position(i, axis));
        }
        largest = std::max(largest, bodies.radius(i));
    }
    const double edge = (2 * largest + task.margin) * (1 + std::max(settings.delta, 1e-6));
    const double step = edge * LocalCubes::share_on_top;
    for (int axis = 0; axis < 3 && step > 0; ++axis) {
        const double corner = at(task.cubes.domain().lower, axis);
        double first = corner + std::floor((at(lower, axis) - corner) / step) * step;
        if (first > at(lower, axis)) first -= step;  // by rounding
        at(lower, axis) = first;
    }
    return LocalCubes(lower, upper, edge);
}

template <class Key> class Search {
  public:
    Search(const SearchTask& task, const LocalCubes& cubes, const FixedCubesSettings& settings,
           FixedCubesWorkspace& work, FixedCubesCounts* counts, LargeVector<KeyedBody<Key>>& items,
           LargeVector<KeyedBody<Key>>& spare)
        : task_(task),
          cubes_(cubes),
          settings_(settings),
          work_(work),
          counts_(counts),
          items_(items),
          spare_(spare) {}

    void run(Index* count) {
        enter_all();
        fill();
        sort_by_key(items_, spare_, n_, cubes_.key_bits());
        SortedBodies<Key>::close(items_.data() + n_);
        for (std::size_t first = 0; first < n_;) first = search_cube(first, count);
    }

  private:
    void enter_all() {
        const Bodies& bodies = task_.bodies;
        const double hair = 1e-8 * std::min({cubes_.edge.x, cubes_.edge.y, cubes_.edge.z});
        if (work_.entered.size() < bodies.size) work_.entered.resize(bodies.size + bodies.size / 16);
        n_ = 0;
        for (Index i = 0; i < bodies.size; ++i) {
            const double radius = bodies.radius(i) + 0.5 * task_.margin + hair, r2 = radius * radius;
            if (counts_ == nullptr) {
                work_.entered[i] = enter(cubes_, bodies.x(i), [&](double d2) { return d2 <= r2; });
            } else {
                std::uint64_t n = 3;  // signs
                work_.entered[i] = enter(cubes_, bodies.x(i), [&](double d2) { return ++n, d2 <= r2; });
                counts_->examinations += n;
                counts_->fewest = i == 0 ? n : std::min(counts_->fewest, n);
                counts_->most = std::max(counts_->most, n);
            }
            n_ += static_cast<std::size_t>(std::popcount(work_.entered[i].mask));
        }
    }

    void fill() {
        if (n_ > std::numeric_limits<Index>::max() - SortedBodies<Key>::padding)
            throw InputError(
                "too many balls on one rank for the fixed cubes: use more ranks, or run.detector = \"mr\"");
        if (items_.size() < n_ + SortedBodies<Key>::padding) items_.resize(n_ + n_ / 16 + SortedBodies<Key>::padding);
        if (spare_.size() < items_.size()) spare_.resize(items_.size());
        std::size_t to = 0;
        for (Index i = 0; i < task_.bodies.size; ++i)
            for (unsigned left = work_.entered[i].mask; left != 0; left &= left - 1)
                items_[to++] = {static_cast<Key>(key_of(cubes_, work_.entered[i], std::countr_zero(left))), i};
    }

    // All pairs of the cube whose balls begin there; returns where the next one's begin.
    std::size_t search_cube(std::size_t first, Index* count) {
        const Key cube = items_[first].key;
        std::size_t end = first + 1;
        while (end < n_ && items_[end].key == cube) ++end;
        if (counts_ != nullptr) {
            const std::uint64_t balls = end - first;
            ++counts_->cubes, counts_->entries += balls;
            counts_->most_in_a_cube = std::max(counts_->most_in_a_cube, balls);
            counts_->pair_tests += balls * (balls - 1) / 2;
        }
        for (std::size_t k = first; k + 1 < end; ++k) {
            const Index i = items_[k].place;
            const bool real = is_real(task_, i);
            work_.found.open(i);
            work_.found.show(task_, items_.data(), {static_cast<Index>(k + 1), static_cast<Index>(end)});
            work_.found.keep_if(task_, [&](Index j) { return (real || is_real(task_, j)) && belongs(i, j, cube); });
            work_.found.close(task_, count);
        }
        return end;
    }

    bool belongs(Index i, Index j, Key cube) const {
        if (settings_.once == FixedCubesSettings::Once::midpoint)
            return cubes_.key(0.5 * (task_.bodies.x(i) + task_.bodies.x(j))) == cube;
        return lowest_common_cube(cubes_, work_.entered[i], work_.entered[j]) == cube;
    }

    const SearchTask& task_;
    const LocalCubes& cubes_;
    const FixedCubesSettings& settings_;
    FixedCubesWorkspace& work_;
    FixedCubesCounts* counts_;
    LargeVector<KeyedBody<Key>>& items_;
    LargeVector<KeyedBody<Key>>& spare_;
    std::size_t n_ = 0;  // entries
};

}  // namespace

void fixed_cubes_search(const SearchTask& task, PairList& pairs, const FixedCubesSettings& settings,
                        FixedCubesWorkspace& work, FixedCubesCounts* counts) {
    if (counts != nullptr) *counts = {}, counts->balls = task.bodies.size;
    work.found.start(task, pairs);
    if (task.bodies.size > 0) {
        const LocalCubes cubes = cubes_for(task, settings);
        Index* count = pairs.begin.data();
        if (cubes.key_bits() < std::numeric_limits<std::uint32_t>::digits)
            Search<std::uint32_t>(task, cubes, settings, work, counts, work.short_items, work.short_spare).run(count);
        else Search<std::uint64_t>(task, cubes, settings, work, counts, work.long_items, work.long_spare).run(count);
    }
    work.found.finish(task, pairs);
}

}  // namespace granary
