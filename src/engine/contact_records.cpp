#include "engine/contact_records.hpp"

#include <algorithm>
#include <memory>
#include "decomposition/digest_over_ranks.hpp"
#include "engine/measures.hpp"

namespace granary {

namespace {

// Those that do not stand beside the candidates of the pair list; few, but for bonds and shapes.
struct OtherRecords {
    struct OfPair {
        Index lower;
        ContactRecord record;
    };
    std::vector<ContactRecord> walls;  // ascending places
    std::vector<OfPair> pairs;         // bonds, and contacts of shapes, by lower body

    explicit OtherRecords(const Simulation& sim) : walls(sim.forces().wall_records()) {
        const Neighbourhood& hood = sim.neighbourhood();
        const Bodies& bodies = sim.bodies();
        const auto take = [&](Index i, Index j, HistoryKind kind, const double* xi, std::uint32_t feature = 0) {
            const Partner partner(PartnerClass::body, bodies.id(j), feature, kind);
            if (hood.is_real(bodies, i))
                pairs.push_back({i, canonical({bodies.id(i), partner, {xi[0], xi[1], xi[2]}})});
        };
        sim.forces().bonds.for_each_record(take);
        sim.forces().shapes.for_each_record(take);
        std::stable_sort(pairs.begin(), pairs.end(),
                         [](const OfPair& a, const OfPair& b) { return a.lower < b.lower; });
    }
};

// Calls f(record) for all of them.
template <class F> void for_each_record(const Simulation& sim, const OtherRecords& others, F&& f) {
    const Neighbourhood& hood = sim.neighbourhood();
    const Bodies& bodies = sim.bodies();
    const PairList& pairs = sim.forces().pairs;
    std::size_t w = 0, next = 0;
    const auto take_walls_below = [&](Index end) {
        for (; w < others.walls.size() && others.walls[w].body < end; ++w) {
            ContactRecord record = others.walls[w];
            record.body = bodies.id(static_cast<Index>(record.body));
            f(record);
        }
    };
    for (Index i = 0; i < pairs.n_bodies; ++i) {
        if (!hood.is_real(bodies, i)) continue;
        take_walls_below(i + 1);
        for (; next < others.pairs.size() && others.pairs[next].lower == i; ++next) f(others.pairs[next].record);
        for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1) && pairs.xi.extent(0) > 0; ++slot) {
            const bool touches = pairs.touches(slot);
            pairs.for_each_history([&](HistoryKind kind, const Array<double* [3]>& numbers) {
                const double* xi = &numbers(slot, 0);
                if (is_dead(kind, touches, xi)) return;
                const Partner partner = Partner(bodies.id(pairs.partner_of(slot))).with(kind);
                f(canonical({bodies.id(i), partner, {xi[0], xi[1], xi[2]}}));
            });
        }
    }
    take_walls_below(bodies.size);
}

// keep(record): whether it is one of the stream.
template <class Keep> ContactStream stream_of(const Simulation& sim, Keep keep) {
    constexpr std::size_t at_once = 16384;
    const auto others = std::make_shared<const OtherRecords>(sim);
    ContactStream stream;
    for_each_record(sim, *others, [&](const ContactRecord& record) { stream.n += keep(record) ? 1 : 0; });
    stream.for_slices = [&sim, others, keep](const ContactStream::Use& use) {
        std::vector<ContactRecord> slice;
        slice.reserve(at_once);
        for_each_record(sim, *others, [&](const ContactRecord& record) {
            if (!keep(record)) return;
            slice.push_back(record);
            if (slice.size() == at_once) use(slice), slice.clear();
        });
        if (!slice.empty()) use(slice);
    };
    return stream;
}

std::vector<ContactRecord> all_of(const ContactStream& stream) {
    std::vector<ContactRecord> all;
    all.reserve(stream.n);
    stream.for_slices([&](std::span<const ContactRecord> slice) { all.insert(all.end(), slice.begin(), slice.end()); });
    return all;
}

}  // namespace

ContactStream contact_stream_of(const Simulation& sim) {
    return stream_of(sim, [](const ContactRecord&) { return true; });
}

// The partner may be a copy of a ball that has crossed on another rank, so all ranks are told who has.
ContactStream contact_stream_inside(const Simulation& sim) {
    const auto out = std::make_shared<const std::vector<Id>>(sim.counts().crossed_ids(sim.comm(), sim.bodies()));
    return stream_of(sim, [out](const ContactRecord& c) {
        const auto has_left = [&](std::uint64_t id) { return std::binary_search(out->begin(), out->end(), id); };
        return !has_left(c.body) && !(c.partner.is_body() && has_left(c.partner.number()));
    });
}

std::vector<ContactRecord> contacts_of(const Simulation& sim) { return all_of(contact_stream_of(sim)); }
std::vector<ContactRecord> contacts_inside(const Simulation& sim) { return all_of(contact_stream_inside(sim)); }

Digest digest_of(const Simulation& sim) {
    const Axes& axes = sim.setup().axes;
    DigestSum mine = digest_sum(bodies_inside(sim), {}, axes);
    contact_stream_inside(sim).for_slices(
        [&](std::span<const ContactRecord> slice) { mine.merge(digest_sum(Bodies(), slice, axes)); });
    return over_ranks(sim.comm(), mine).digest();
}

}  // namespace granary
