#include "decomposition/cluster_pairs.hpp"

#include <algorithm>
#include <array>
#include <boost/mpi/collectives.hpp>
#include <cmath>
#include <functional>
#include <tuple>
#include "core/errors.hpp"
#include "decomposition/border_clusters.hpp"
#include "decomposition/exchange.hpp"
#include "decomposition/together.hpp"

namespace granary {

namespace {

using Shift = std::array<int, 3>;  // periods

// The second of two border clusters, shifted, is near the first one.
struct ClusterPair {
    std::uint32_t a, b;
    Shift shift;
    auto key() const { return std::tuple(a, b, shift); }
    friend bool operator<(const ClusterPair& p, const ClusterPair& q) { return p.key() < q.key(); }
    friend bool operator==(const ClusterPair& p, const ClusterPair& q) { return p.key() == q.key(); }
};

struct SentElement {
    ClusterPair pair;
    std::uint32_t second;  // 1: of the second cluster
    std::int32_t rank;     // whose real body it is
    Id id;
    std::array<double, 4> quad;  // where it is, and its radius
};

struct SentPair {
    Id first, second;
    Shift shift;  // of the second one, seen from the first
    std::int32_t padding = 0;
};

Shift negative(const Shift& s) { return {-s[0], -s[1], -s[2]}; }

class OwnerSearch {
  public:
    OwnerSearch(const boost::mpi::communicator& comm, const Slabs& slabs, const SearchTask& task,
                const TwoLevelSettings& settings, OwnerWorkspace& work)
        : comm_(comm),
          slabs_(slabs),
          task_(task),
          settings_(settings),
          work_(work),
          border_(comm, slabs, task, settings.most_elements, work.counts) {}

    // Collective.
    void run() {
        work_.counts.border_clusters = border_.clusters.size();
        Lists<SentElement> elements;
        Lists<SentPair> pairs;
        together(comm_, [&] {
            work_.elsewhere.copy.assign(task_.bodies.size, 0);
            work_.elsewhere.rows.clear();
            if (border_.clusters.size() > most_clusters) return;  // each rank finds all pairs, as if there were none
            mark_copies();
            find_pairs();
            elements = elements_to_owners();
        });
        if (border_.clusters.empty() || border_.clusters.size() > most_clusters) return;
        std::vector<SentElement> mine = exchange(elements);
        together(comm_, [&] { pairs = resolve(mine); });
        const std::vector<SentPair> found = exchange(pairs);
        together(comm_, [&] { make_rows(found); });
    }

  private:
    template <class T> using Lists = std::vector<std::vector<T>>;       // for each rank
    static constexpr std::size_t most_clusters = 0xffffffff / 512 - 1;  // so that the number of a copy fits

    double period(int axis) const {
        return at(task_.cubes.domain().upper, axis) - at(task_.cubes.domain().lower, axis);
    }
    bool periodic(int axis) const { return task_.cubes.domain().periodic[axis]; }
    Vec3d shifted(Vec3d x, const Shift& s) const {
        for (int axis = 0; axis < 3; ++axis) at(x, axis) += s[axis] * period(axis);
        return x;
    }
    // By how many periods a body stands away from the cluster around its centre.
    Shift copy_of(const Vec3d& x, const BorderCluster& cluster) const {
        Shift s{};
        for (int axis = 0; axis < 3; ++axis)
            if (periodic(axis))
                s[axis] = static_cast<int>(std::floor((at(x, axis) - at(cluster.centre, axis)) / period(axis) + 0.5));
        return s;
    }
    double grown(const BorderCluster& cluster) const { return cluster.radius + task_.margin + border_.largest_radius; }

    template <class T> std::vector<T> exchange(const Lists<T>& items) {
        for (int r = 0; r < comm_.size(); ++r)
            if (r != comm_.rank() && !items[r].empty())
                ++work_.counts.messages, work_.counts.bytes += sizeof(T) * items[r].size();
        return exchange_all(comm_, items).items;
    }

    void mark_copies() {
        const Bodies& b = task_.bodies;
        for (const Index i : border_.held) {
            const std::uint32_t k = border_.number_of(b.cluster(i));
            if (k == BorderClusters::none) continue;
            const Shift s = copy_of(b.x(i), border_.clusters[k]);
            work_.elsewhere.copy[i] =
                1 + 512 * k + static_cast<std::uint32_t>((s[0] + 3) + 8 * (s[1] + 3) + 64 * (s[2] + 3));
        }
    }

    // Pairs of spheres that touch in or next to this rank's slab.
    void find_pairs() {
        pairs_.clear();
        const int me = comm_.rank();
        if (slabs_.empty(me)) return;
        const Domain& d = task_.cubes.domain();
        const double low = d.lower.z + slabs_.first(me) * task_.cubes.edge.z,
                     high = d.lower.z + slabs_.end(me) * task_.cubes.edge.z;
        struct Copy {
            double begin;  // of its sphere along x
            std::uint32_t cluster;
            Shift shift;
            Vec3d centre;
        };
        double widest = 0;
        for (const BorderCluster& c : border_.clusters) widest = std::max(widest, grown(c));
        std::vector<Copy> copies;
        for (std::uint32_t k = 0; k < border_.clusters.size(); ++k) {
            const BorderCluster& cluster = border_.clusters[k];
            const double far = grown(cluster);
            for (int code = 0; code < 27; ++code) {
                const Shift s{code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
                bool wanted = true;
                for (int axis = 0; axis < 3; ++axis) wanted &= s[axis] == 0 || periodic(axis);
                const Vec3d centre = shifted(cluster.centre, s);
                wanted &= centre.z + far >= low - slack() && centre.z - far <= high + slack();
                for (int axis = 0; axis < 2; ++axis)
                    wanted &= at(centre, axis) + far >= at(d.lower, axis) - widest &&
                              at(centre, axis) - far <= at(d.upper, axis) + widest;
                if (wanted) copies.push_back({centre.x - far, k, s, centre});
            }
        }
        std::sort(copies.begin(), copies.end(), [](const Copy& a, const Copy& b) { return a.begin < b.begin; });
        for (std::size_t m = 0; m < copies.size(); ++m) {
            const Copy& p = copies[m];
            const double end = p.begin + 2 * grown(border_.clusters[p.cluster]);
            for (std::size_t n = m + 1; n < copies.size() && copies[n].begin <= end; ++n) {
                const Copy& q = copies[n];
                const double reach =
                    (border_.clusters[p.cluster].radius + border_.clusters[q.cluster].radius + task_.margin) *
                        (1 + 1e-9) +
                    slack();
                const Vec3d between = q.centre - p.centre;
                if (dot(between, between) >= reach * reach) continue;
                ClusterPair pair{p.cluster, q.cluster, {}};
                for (int axis = 0; axis < 3; ++axis) pair.shift[axis] = q.shift[axis] - p.shift[axis];
                if (pair.a > pair.b || (pair.a == pair.b && pair.shift < Shift{}))
                    pair = {pair.b, pair.a, negative(pair.shift)};
                pairs_.push_back(pair);
            }
        }
        std::sort(pairs_.begin(), pairs_.end());
        pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    }
    double slack() const { return 1e-9 * task_.cubes.edge.z; }

    // The lowest rank whose slab both grown spheres reach.
    int owner_of(const ClusterPair& pair) const {
        const BorderCluster &a = border_.clusters[pair.a], &b = border_.clusters[pair.b];
        const double zb = b.centre.z + pair.shift[2] * period(2);
        const double low = std::max(a.centre.z - grown(a), zb - grown(b)),
                     high = std::min(a.centre.z + grown(a), zb + grown(b));
        const Cubes& cubes = task_.cubes;
        const auto layer = [&](double z) {
            return static_cast<int>(std::floor((z - cubes.domain().lower.z) / cubes.edge.z));
        };
        const int n = cubes.layers();
        int owner = comm_.size();
        for (int k = layer(low); k <= layer(high); ++k) {
            const int inside = periodic(2) ? ((k % n) + n) % n : std::clamp(k, 0, n - 1);
            owner = std::min(owner, slabs_.owner(inside));
        }
        return owner;
    }

    // Real elements of this rank that stand in the other cluster's sphere.
    Lists<SentElement> elements_to_owners() {
        Lists<SentElement> out(static_cast<std::size_t>(comm_.size()));
        for (const ClusterPair& pair : pairs_) {
            const auto owner = static_cast<std::size_t>(owner_of(pair));
            for (const std::uint32_t second : {0u, 1u}) {
                const std::uint32_t mine = second == 0 ? pair.a : pair.b, other = second == 0 ? pair.b : pair.a;
                const Vec3d centre =
                    shifted(border_.clusters[other].centre, second == 0 ? pair.shift : negative(pair.shift));
                const double radius = border_.clusters[other].radius + task_.margin;
                for (const Index i : border_.elements_of(mine)) {
                    const Vec3d x = task_.bodies.x(i);
                    const Vec3d d = shifted(x, negative(copy_of(x, border_.clusters[mine]))) - centre;
                    const double reach = (radius + task_.bodies.radius(i)) * (1 + 1e-9) + slack();
                    if (dot(d, d) >= reach * reach) continue;
                    out[owner].push_back(
                        {pair, second, comm_.rank(), task_.bodies.id(i), {x.x, x.y, x.z, task_.bodies.radius(i)}});
                }
            }
        }
        for (int r = 0; r < comm_.size(); ++r)
            if (r != comm_.rank()) work_.counts.elements_sent += out[r].size();
        return out;
    }

    // As an owner: all elements of all pairs as bodies of a small system of its own.
    Lists<SentPair> resolve(std::vector<SentElement>& elements) {
        std::sort(elements.begin(), elements.end(), [](const SentElement& a, const SentElement& b) {
            return std::tuple(a.pair.key(), a.second, a.id) < std::tuple(b.pair.key(), b.second, b.id);
        });
        Bodies all;
        const Index n = static_cast<Index>(elements.size());
        all.reserve(n + 4);
        std::fill_n(all.position.data(), std::size_t{4} * (n + 4), 0.0);
        all.size = n, all.owned = {0, n};
        std::vector<Shift> moved(n);  // from where it is to where it stands in its pair
        for (Index k = 0; k < n; ++k) {
            const SentElement& e = elements[k];
            const Vec3d x{e.quad[0], e.quad[1], e.quad[2]};
            moved[k] = negative(copy_of(x, border_.clusters[e.second == 0 ? e.pair.a : e.pair.b]));
            for (int axis = 0; axis < 3 && e.second == 1; ++axis) moved[k][axis] += e.pair.shift[axis];
            const Vec3d there = shifted(x, moved[k]);
            for (int axis = 0; axis < 3; ++axis) all.position(k, axis) = at(there, axis);
            all.position(k, 3) = e.quad[3];
        }
        PairList found;
        find(elements, all, found);
        Lists<SentPair> out(static_cast<std::size_t>(comm_.size()));
        for (Index i = 0; i < found.n_bodies; ++i)
            for (Index slot = found.begin(i); slot < found.begin(i + 1); ++slot) {
                const Index j = found.partner_of(slot);
                SentPair pair{elements[i].id, elements[j].id, {}};
                for (int axis = 0; axis < 3; ++axis) pair.shift[axis] = moved[j][axis] - moved[i][axis];
                out[elements[i].rank].push_back(pair);
                if (elements[j].rank != elements[i].rank) out[elements[j].rank].push_back(pair);
            }
        for (int r = 0; r < comm_.size(); ++r)
            if (r != comm_.rank()) work_.counts.pairs_sent += out[r].size();
        return out;
    }

    void find(const std::vector<SentElement>& elements, const Bodies& all, PairList& found) {
        TwoLevelWorkspace& work = work_.owned;
        work.counts = {};
        const SearchTask task{all, task_.cubes, task_.margin, false};
        work.found.start(task, found);
        if (all.size > 0) {
            const Extent extent(all);
            ClusterUnits& units = work.units;
            units.start(task, extent);
            for (Index k = 0; k < all.size; ++k)
                units.elements.put(k, units.sieve.of(all.position.data() + std::size_t{4} * k), k);
            SecondLevel second(task, units, work.found, found.begin.data(), work.counts, nullptr);
            for (Index k = 0; k < all.size;) {
                const ClusterPair& pair = elements[k].pair;
                Index middle = k;
                while (middle < all.size && elements[middle].pair == pair && elements[middle].second == 0) ++middle;
                Index end = middle;
                while (end < all.size && elements[end].pair == pair) ++end;
                if (k < middle && middle < end) {
                    ++work_.counts.pairs;
                    const Vec3d line =
                        shifted(border_.clusters[pair.b].centre, pair.shift) - border_.clusters[pair.a].centre;
                    resolve_two_lists(units.elements, {k, middle}, {middle, end}, line, settings_, work, second);
                }
                k = end;
            }
        }
        work.found.finish(task, found);
        work_.counts.element_tests = work.counts.element_tests;
    }

    // A body by its id and by how many periods it stands away from where it is real.
    struct Held {
        Id id;
        Shift shift;
        Index body;
        auto key() const { return std::tuple(id, shift); }
    };

    void make_rows(const std::vector<SentPair>& found) {
        if (found.empty()) return;
        const Bodies& b = task_.bodies;
        std::vector<Held> held;
        for (const Index i : border_.held) {
            if (work_.elsewhere.copy[i] == 0) continue;
            Shift s{};
            for (int axis = 0; axis < 3; ++axis) {
                const int k = digit(b.cube(i), axis);
                if (periodic(axis)) s[axis] = k < 0 ? -1 : k >= task_.cubes.count[axis] ? 1 : 0;
            }
            held.push_back({b.id(i), s, i});
        }
        std::sort(held.begin(), held.end(), [](const Held& p, const Held& q) { return p.key() < q.key(); });
        const auto place = [&](Id id, const Shift& shift) {
            const auto at_it = std::lower_bound(held.begin(), held.end(), std::tuple(id, shift),
                                                [](const Held& h, const auto& key) { return h.key() < key; });
            return at_it != held.end() && at_it->key() == std::tuple(id, shift) ? at_it->body : PairList::place;
        };
        auto& rows = work_.elsewhere.rows;
        const auto add = [&](Id real, Id other, const Shift& shift) {
            const Index i = place(real, {}), j = place(other, shift);
            if (i == PairList::place || !is_real(task_, i)) return;
            if (j == PairList::place)
                throw InternalError("a pair of clusters names a body that its partner's rank does not hold");
            rows.emplace_back(std::min(i, j), std::max(i, j));
        };
        for (const SentPair& pair : found) {
            add(pair.first, pair.second, pair.shift);
            add(pair.second, pair.first, negative(pair.shift));
        }
        std::sort(rows.begin(), rows.end());
        rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    }

    const boost::mpi::communicator& comm_;
    const Slabs& slabs_;
    const SearchTask& task_;
    const TwoLevelSettings& settings_;
    OwnerWorkspace& work_;
    BorderClusters border_;
    std::vector<ClusterPair> pairs_;
};

}  // namespace

void two_level_search_by_owners(const boost::mpi::communicator& comm, const Slabs& slabs, const SearchTask& task,
                                PairList& pairs, const TwoLevelSettings& settings, OwnerWorkspace& work) {
    work.counts = {};
    if (comm.size() == 1 || !task.bodies.has(When::clusters)) {
        two_level_search(task, pairs, settings, work.local);
        return;
    }
    together(comm, [&] { two_level_subdivide(task, settings, work.local); });
    const bool by_owners = boost::mpi::all_reduce(comm, !work.local.is_flat, std::logical_or<bool>());
    if (by_owners) OwnerSearch(comm, slabs, task, settings, work).run();
    two_level_resolve(task, pairs, settings, work.local, by_owners ? &work.elsewhere : nullptr);
}

}  // namespace granary
