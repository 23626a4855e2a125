#include "search/cluster_units.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace granary {

namespace {

// Which copy of the cluster of a body this one belongs to: a number, the same for all of a copy.
int copy_of(const Domain& domain, const Vec3d& x, const Vec3d& anchor) {
    int code = 0;
    for (int axis = 0; axis < 3; ++axis) {
        if (!domain.periodic[axis]) continue;
        const double period = at(domain.upper, axis) - at(domain.lower, axis);
        code = 16 * code + 8 + static_cast<int>(std::floor((at(x, axis) - at(anchor, axis)) / period + 0.5));
    }
    return code;
}

}  // namespace

void ClusterUnits::find_kinds(const SearchTask& task, const SlabShare& share) {
    const Bodies& b = task.bodies;
    const auto periodic = task.cubes.domain().periodic;
    const bool images = periodic[0] || periodic[1];
    kind.clear();
    if (!images && b.owned.size() == b.size) return;
    kind.assign(b.size, nobodys);
    if (share.for_above()) {
        if (images) std::fill(kind.begin() + share.highest, kind.begin() + share.above, image_below_face);
        for (Index i = share.above; i < b.size; ++i)
            if (!task.cubes.is_image(b.cube(i))) kind[i] = real_above;
    }
    for (const Range& range : b.real) std::fill(kind.begin() + range.begin, kind.begin() + range.end, real);
}

void ClusterUnits::make(const SearchTask& task, const Extent& all, Index most_elements, const SlabShare& share) {
    const Bodies& b = task.bodies;
    const Index n = b.size;
    most_elements_ = most_elements, first_ = share.begin;
    sieve = FloatSieve(all.lower, all.upper, 2 * all.radius + task.margin);
    units.clear();
    elements.make_room(n - first_);
    n_elements_ = clusters = dissolved = 0;
    find_kinds(task, share);
    Id least = ~Id{0}, most = 0;
    for (Index i = first_; i < n; ++i) {
        const Id label = b.cluster(i) == no_cluster ? b.id(i) : b.cluster(i);
        least = std::min(least, label), most = std::max(most, label);
    }
    const int bits = n == first_ ? 0 : static_cast<int>(std::bit_width(most - least));
    if (bits <= 32) group(task, short_items_, short_spare_, least, bits);
    else group(task, long_items_, long_spare_, least, bits);
}

template <class Items>
void ClusterUnits::group(const SearchTask& task, Items& items, Items& spare, Id least, int bits) {
    using Key = decltype(items[0].key);
    const Bodies& b = task.bodies;
    const Index n = b.size - first_;
    for (Items* list : {&items, &spare})
        if (list->size() < n) list->resize(n + n / 16);
    for (Index k = 0, i = first_; k < n; ++k, ++i)
        items[k] = {static_cast<Key>((b.cluster(i) == no_cluster ? b.id(i) : b.cluster(i)) - least), i};
    sort_by_key(items, spare, n, bits);
    const auto periodic = task.cubes.domain().periodic;
    const bool copies = periodic[0] || periodic[1] || periodic[2];
    for (Index k = 0; k < n;) {
        Index end = k + 1;
        while (end < n && items[end].key == items[k].key) ++end;
        const auto* run = items.data() + k;
        constexpr Index ahead = 160;  // some clusters; their bodies stand all over memory
        for (Index m = k; m < end && m + ahead < n; ++m)
            __builtin_prefetch(b.position.data() + std::size_t{4} * items[m + ahead].place);
        if (end - k == 1) add_single(task, n_elements_++, run->place);
        else if (copies) add_copies(task, run, end - k);
        else add(task, end - k, [&](Index m) { return run[m].place; });
        k = end;
    }
}

template <class Item> void ClusterUnits::add_copies(const SearchTask& task, const Item* items, Index n) {
    const Bodies& b = task.bodies;
    copies_.clear();
    const Vec3d anchor = b.x(items[0].place);
    for (Index m = 0; m < n; ++m)
        copies_.emplace_back(copy_of(task.cubes.domain(), b.x(items[m].place), anchor), items[m].place);
    std::sort(copies_.begin(), copies_.end());
    for (Index m = 0; m < n;) {
        Index end = m + 1;
        while (end < n && copies_[end].first == copies_[m].first) ++end;
        add(task, end - m, [&](Index k) { return copies_[m + k].second; });
        m = end;
    }
}

template <class PlaceOf> void ClusterUnits::add(const SearchTask& task, Index n, PlaceOf&& place) {
    if (n == 1 || n > most_elements_) {
        dissolved += n > 1 ? n : 0;
        for (Index m = 0; m < n; ++m) add_single(task, n_elements_++, place(m));
        return;
    }
    const double* position = task.bodies.position.data();
    Real4 sum{0, 0, 0, 0};
    Unit unit;
    unit.begin = n_elements_;
    for (Index m = 0; m < n; ++m) {
        const Index i = place(m);
        const double* q = position + std::size_t{4} * i;
        const double cube = q[3] * q[3] * q[3];  // the volume but for a factor
        sum += Real4{q[0], q[1], q[2], 1} * broadcast4(cube);
        elements.put(n_elements_++, sieve.of(q), i);
        unit.any_wanted |= is_wanted(i), unit.all_real &= is_real(i);
    }
    unit.end = n_elements_;
    unit.centre = sum[3] > 0 ? Vec3d{sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]} : task.bodies.x(place(0));
    unit.radius = sieve.radius_around(elements, unit.begin, unit.end, unit.centre);
    units.push_back(unit);
    ++clusters;
}

void ClusterUnits::add_single(const SearchTask& task, Index element, Index body) {
    elements.put(element, sieve.of(task.bodies.position.data() + std::size_t{4} * body), body);
    units.push_back(
        {task.bodies.x(body), task.bodies.radius(body), element, element + 1, is_wanted(body), is_real(body)});
}

void ClusterUnits::dissolve(const SearchTask& task, double largest_radius) {
    LargeVector<Unit> all;
    all.swap(units);
    clusters = 0;
    for (const Unit& unit : all) {
        if (!unit.is_cluster() || unit.radius <= largest_radius) {
            units.push_back(unit);
            clusters += unit.is_cluster() ? 1 : 0;
            continue;
        }
        dissolved += unit.size();
        for (Index e = unit.begin; e < unit.end; ++e) add_single(task, e, elements.number[e]);
    }
}

double ClusterUnits::largest_radius() const {
    double largest = 0;
    for (const Unit& unit : units) largest = std::max(largest, unit.radius);
    return largest;
}

}  // namespace granary
