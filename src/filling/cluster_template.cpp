#include "filling/cluster_template.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include "core/errors.hpp"

namespace granary {
namespace {

using Element = ClusterTemplate::Element;
using Bond = ClusterTemplate::Bond;

constexpr double rounding = 1e-9;  // share of a radius: balls of a lattice that touch

double cube(double a) { return a * a * a; }

// Elements by cells of a grid that is no finer than a pair reaches.
class Cells {
  public:
    Cells(std::span<const Element> elements, double reach) : elements_(elements) {
        Vec3d upper = elements.front().centre;
        lower_ = upper;
        for (const Element& e : elements)
            for (int k = 0; k < 3; ++k) {
                at(lower_, k) = std::min(at(lower_, k), at(e.centre, k));
                at(upper, k) = std::max(at(upper, k), at(e.centre, k));
            }
        edge_ = reach;
        const double most = 4.0 * static_cast<double>(elements.size()) + 64;
        for (double all = std::numeric_limits<double>::infinity(); all > most; edge_ *= 1.26) {
            all = 1;
            for (int k = 0; k < 3; ++k)
                all *= static_cast<double>(n_[static_cast<std::size_t>(k)] = count_of(at(upper, k) - at(lower_, k)));
            if (all <= most) break;
        }
        first_.assign(n_[0] * n_[1] * n_[2] + 1, 0);
        for (const Element& e : elements) ++first_[number(e.centre) + 1];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        order_.resize(elements.size());
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (std::uint32_t e = 0; e < elements.size(); ++e) order_[next[number(elements[e].centre)]++] = e;
    }

    // f(a, b) for all pairs a < b in the same or in neighbouring cells, by a and then b.
    template <class F> void for_each_pair(F&& f) const {
        std::vector<std::uint32_t> near;
        for (std::uint32_t a = 0; a < elements_.size(); ++a) {
            near.clear();
            const std::array<std::uint64_t, 3> c = cell(elements_[a].centre);
            for (std::uint64_t z = c[2] > 0 ? c[2] - 1 : 0; z <= std::min(c[2] + 1, n_[2] - 1); ++z)
                for (std::uint64_t y = c[1] > 0 ? c[1] - 1 : 0; y <= std::min(c[1] + 1, n_[1] - 1); ++y) {
                    const std::uint64_t row = (z * n_[1] + y) * n_[0];
                    const std::uint64_t begin = first_[row + (c[0] > 0 ? c[0] - 1 : 0)],
                                        end = first_[row + std::min(c[0] + 1, n_[0] - 1) + 1];
                    for (std::uint64_t at_place = begin; at_place < end; ++at_place)
                        if (order_[at_place] > a) near.push_back(order_[at_place]);
                }
            std::sort(near.begin(), near.end());
            for (const std::uint32_t b : near) f(a, b);
        }
    }

  private:
    std::uint64_t count_of(double length) const {
        return static_cast<std::uint64_t>(std::min(1e9, std::floor(length / edge_))) + 1;
    }
    std::array<std::uint64_t, 3> cell(const Vec3d& x) const {
        std::array<std::uint64_t, 3> c{};
        for (int k = 0; k < 3; ++k) {
            const auto m = static_cast<std::size_t>(k);
            c[m] = std::min(static_cast<std::uint64_t>((at(x, k) - at(lower_, k)) / edge_), n_[m] - 1);
        }
        return c;
    }
    std::uint64_t number(const Vec3d& x) const {
        const std::array<std::uint64_t, 3> c = cell(x);
        return (c[2] * n_[1] + c[1]) * n_[0] + c[0];
    }

    std::span<const Element> elements_;
    Vec3d lower_;
    double edge_ = 0;
    std::array<std::uint64_t, 3> n_{};
    std::vector<std::uint32_t> first_, order_;
};

// Pieces that the bonds make of the elements.
std::size_t n_pieces(std::size_t n, std::span<const Bond> bonds) {
    std::vector<std::uint32_t> leader(n);
    std::iota(leader.begin(), leader.end(), 0u);
    const auto find = [&](std::uint32_t a) {
        while (leader[a] != a) a = leader[a] = leader[leader[a]];
        return a;
    };
    std::size_t pieces = n;
    for (const Bond& bond : bonds) {
        const std::uint32_t a = find(bond.a), b = find(bond.b);
        if (a != b) leader[std::max(a, b)] = std::min(a, b), --pieces;
    }
    return pieces;
}

void measure(ClusterTemplate& t) {
    t.outer_radius = t.largest = t.solid_volume = 0, t.smallest = std::numeric_limits<double>::infinity();
    double cubes = 0;
    for (const Element& e : t.elements) {
        t.outer_radius = std::max(t.outer_radius, norm(e.centre) + e.radius);
        t.smallest = std::min(t.smallest, e.radius), t.largest = std::max(t.largest, e.radius);
        cubes += cube(e.radius);
    }
    t.solid_volume = 4.0 / 3.0 * std::numbers::pi * cubes;
}

void list_partners(ClusterTemplate& t) {
    t.first_partner.assign(t.elements.size() + 1, 0);
    for (const Bond& b : t.bonds) ++t.first_partner[b.a + 1], ++t.first_partner[b.b + 1];
    std::partial_sum(t.first_partner.begin(), t.first_partner.end(), t.first_partner.begin());
    t.partners.resize(2 * t.bonds.size());
    std::vector<std::uint32_t> next(t.first_partner.begin(), t.first_partner.end() - 1);
    // Ascending bonds give ascending partners: those with a lower number come first.
    for (std::uint32_t k = 0; k < t.bonds.size(); ++k) t.partners[next[t.bonds[k].b]++] = {t.bonds[k].a, k};
    for (std::uint32_t k = 0; k < t.bonds.size(); ++k) t.partners[next[t.bonds[k].a]++] = {t.bonds[k].b, k};
}

}  // namespace

ClusterTemplate make_template(std::vector<Element> elements, const TemplateRules& rules) {
    if (elements.empty()) throw InputError(fmt::format("the cluster \"{}\" has no elements", rules.name));
    if (elements.size() > 0xfffffff0u)
        throw InputError(fmt::format("the cluster \"{}\" has {} elements (expected at most {})", rules.name,
                                     elements.size(), 0xfffffff0u));
    ClusterTemplate t;
    t.name = rules.name;
    Vec3d sum;
    double cubes = 0;
    for (const Element& e : elements) sum += cube(e.radius) * e.centre, cubes += cube(e.radius);
    const Vec3d centre = (1 / cubes) * sum;
    for (Element& e : elements) e.centre -= centre;
    t.elements = std::move(elements);
    measure(t);
    if (!std::isfinite(t.outer_radius) || !std::isfinite(t.solid_volume))
        throw InputError(
            fmt::format("the cluster \"{}\" is larger than any number (expected elements `x y z r` in m)", rules.name));

    double worst = 0;
    Bond deepest;
    const Cells cells(t.elements, (2 + rules.gap) * t.largest * (1 + 2 * rounding));
    cells.for_each_pair([&](std::uint32_t a, std::uint32_t b) {
        const Element &p = t.elements[a], &q = t.elements[b];
        const double least = std::min(p.radius, q.radius), distance = norm(p.centre - q.centre);
        const double between = distance - p.radius - q.radius;
        if (between > (rules.gap + rounding) * least) return;
        t.bonds.push_back({a, b});
        if (-between > worst * 2 * least) worst = -between / (2 * least), deepest = {a, b};
    });
    t.largest_overlap = worst > rounding ? worst : 0;
    if (worst > rules.max_overlap + rounding)
        throw InputError(fmt::format(
            "the cluster \"{}\" overlaps itself: its elements {} and {} overlap by {:.3g} % of the smaller diameter "
            "(expected at most max_overlap = {:.3g} %)",
            rules.name, deepest.a, deepest.b, 100 * worst, 100 * rules.max_overlap));
    if (const std::size_t pieces = n_pieces(t.elements.size(), t.bonds); pieces > 1)
        throw InputError(fmt::format(
            "the cluster \"{}\" is not in one piece: bonds between elements whose gap is at most {:.3g} of the smaller "
            "radius join its {} elements to {} pieces (expected one; use a larger gap)",
            rules.name, rules.gap, t.elements.size(), pieces));
    list_partners(t);
    return t;
}

ClusterTemplate scaled(ClusterTemplate t, double factor) {
    for (Element& e : t.elements) e.centre = factor * e.centre, e.radius *= factor;
    t.mass *= cube(factor);
    measure(t);
    return t;
}

}  // namespace granary
