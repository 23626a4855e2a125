#include "engine/bonded_pairs.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/vector.hpp>
#include <functional>
#include <numeric>
#include "contact/contact_geometry.hpp"
#include "core/errors.hpp"
#include "decomposition/exchange.hpp"

namespace granary {

void BondedPairs::prepare(const Setup& setup) {
    types_ = setup.bonds;
    keeps_energy_ = setup.energy;
    any_spring_ =
        std::any_of(types_.begin(), types_.end(), [](const BondType& t) { return t.form == BondForm::spring; });
}

std::uint64_t BondedPairs::whole_here(const Bodies& bodies, const Neighbourhood& hood) const {
    std::uint64_t n = 0;
    for (Index b = 0; b < list.size; ++b) n += !list.is_broken(b) && hood.is_real(bodies, list.lower(b)) ? 1 : 0;
    return n;
}

// ---- Labels ---------------------------------------------------------------------------------------------------------

namespace {

// Sets that grow together; a set is named by its least member.
template <class Number> class Sets {
  public:
    explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), Number{0}); }
    Number of(Number k) {
        while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
        return k;
    }
    void join(Number a, Number b) {
        a = of(a), b = of(b);
        if (a != b) parent_[std::max(a, b)] = std::min(a, b);
    }

  private:
    std::vector<Number> parent_;
};

// A bond across a face, as one side sees it: the ids of its bodies and the label of the one that is real there.
struct EdgeAcross {
    Id smaller, larger, label;
    friend auto operator<=>(const EdgeAcross&, const EdgeAcross&) = default;
};

}  // namespace

// Each rank joins its own bodies. Bonds across faces of slabs and periods are known on both sides: all ranks get both
// views of each, and solve the same small graph of labels.
std::vector<Id> BondedPairs::labels(const boost::mpi::communicator& comm, const Bodies& bodies,
                                    const Neighbourhood& hood) const {
    Sets<Index> sets(bodies.size);
    for (Index b = 0; b < list.size; ++b)
        if (!list.is_broken(b) && hood.is_real(bodies, list.lower(b)) && hood.is_real(bodies, list.upper(b)))
            sets.join(list.lower(b), list.upper(b));
    std::vector<Id> least(bodies.size, no_cluster);
    for (const Range& range : bodies.real)
        for (Index i = range.begin; i < range.end; ++i) least[sets.of(i)] = std::min(least[sets.of(i)], bodies.id(i));

    std::vector<EdgeAcross> mine, all;
    for (Index b = 0; b < list.size; ++b) {
        if (list.is_broken(b)) continue;
        const Index i = list.lower(b), j = list.upper(b);
        const bool i_real = hood.is_real(bodies, i), j_real = hood.is_real(bodies, j);
        if (i_real == j_real) continue;
        const auto [smaller, larger] = std::minmax(bodies.id(i), bodies.id(j));
        mine.push_back({smaller, larger, least[sets.of(i_real ? i : j)]});
    }
    all = gather_everywhere(comm, std::span<const EdgeAcross>(mine));
    std::sort(all.begin(), all.end());
    std::vector<Id> known;  // labels at faces
    for (const EdgeAcross& e : all) known.push_back(e.label);
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    const auto number_of = [&](Id l) {
        return static_cast<std::size_t>(std::lower_bound(known.begin(), known.end(), l) - known.begin());
    };
    Sets<std::size_t> joined(known.size());
    for (std::size_t k = 0; k + 1 < all.size(); ++k)
        if (all[k].smaller == all[k + 1].smaller && all[k].larger == all[k + 1].larger)
            joined.join(number_of(all[k].label), number_of(all[k + 1].label));
    std::vector<Id> label(bodies.size, no_cluster);
    for (const Range& range : bodies.real)
        for (Index i = range.begin; i < range.end; ++i) {
            const Id here = least[sets.of(i)];
            const std::size_t k = number_of(here);
            label[i] = k < known.size() && known[k] == here ? known[joined.of(k)] : here;
        }
    return label;
}

// ---- Rebuild --------------------------------------------------------------------------------------------------------

// One of the two may just have been put back into the period.
void BondedPairs::note_cut_energy(const Bodies& bodies, const Neighbourhood& hood, Index bond, double dt) {
    const Vec3d apart = hood.cubes.nearest(bodies.x(list.lower(bond)) - bodies.x(list.upper(bond)));
    const BondEnd end = energy_of_cut(bodies, list, types_, bond, apart, dt);
    double* const sums = energy_.data() + energy_width * hood.layer_of(bodies, list.lower(bond));
    sums[gone] += end.released, sums[damped] += end.damped;
}

void BondedPairs::before_sort(const boost::mpi::communicator& comm, Bodies& bodies, const Neighbourhood& hood,
                              std::span<const Cube> new_cube, double dt) {
    std::vector<Id> mine;
    for (const Range& range : bodies.real)
        for (Index i = range.begin; i < range.end; ++i)
            if (new_cube[i] == no_cube) mine.push_back(bodies.id(i));
    std::vector<Id> left = gather_everywhere(comm, std::span<const Id>(mine));
    std::sort(left.begin(), left.end());
    const auto has_left = [&](Index i) { return std::binary_search(left.begin(), left.end(), bodies.id(i)); };
    for (Index b = 0; b < list.size && !left.empty(); ++b) {
        if (list.is_broken(b) || (!has_left(list.lower(b)) && !has_left(list.upper(b)))) continue;
        if (hood.is_real(bodies, list.lower(b))) {
            ++cut_;
            if (keeps_energy_) note_cut_energy(bodies, hood, b, dt);
        }
        list.type(b) = BondList::broken;
        labels_are_old_ = 1;
    }
    std::erase_if(offsets,
                  [&](const OffsetPair& p) { return !left.empty() && (has_left(p.lower) || has_left(p.upper)); });
    const std::uint64_t counts[2] = {whole_here(bodies, hood), labels_are_old_};
    std::uint64_t sums[2];
    boost::mpi::all_reduce(comm, counts, 2, sums, std::plus<std::uint64_t>());
    expected_ = sums[0];
    labels_are_old_ = 0;
    if (sums[1] == 0) return;
    const std::vector<Id> renewed = labels(comm, bodies, hood);
    for (const Range& range : bodies.real)
        for (Index i = range.begin; i < range.end; ++i) bodies.cluster(i) = renewed[i];
}

void BondedPairs::expect_new(std::span<const ContactHistory::Entry> springs) {
    for (const ContactHistory::Entry& e : springs) new_ends_ += e.partner.kind() == HistoryKind::bond ? 1 : 0;
}

void BondedPairs::choose_stayers(std::span<const char> stays) {
    stays_.assign(list.size, 0);
    for (Index b = 0; b < list.size; ++b)
        stays_[b] = !list.is_broken(b) && stays[list.lower(b)] != 0 && stays[list.upper(b)] != 0;
}

// A bond that stays is a candidate of the new list: its slot is looked for among the few of its lower body.
void BondedPairs::find_stayers(const Bodies& bodies, std::span<const PeriodicImages::Place> places,
                               const PairList& pairs) {
    by_slot_.assign(pairs.size, no_bond);
    if (before_.size == 0) return;
    Index n_old = 0;
    for (const PeriodicImages::Place& p : places) n_old = std::max(n_old, p.old_index() + 1);
    now_at_.assign(n_old, 0);
    for (std::size_t p = 0; p < places.size(); ++p)
        if (!places[p].is_image()) now_at_[places[p].old_index()] = bodies.owned.begin + static_cast<Index>(p);
    for (Index b = 0; b < before_.size; ++b) {
        if (stays_[b] == 0) continue;
        const auto [i, j] = std::minmax(now_at_[before_.lower(b)], now_at_[before_.upper(b)]);
        for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot)
            if (pairs.partner_of(slot) == j) by_slot_[slot] = b;
    }
}

void BondedPairs::carry(const Bodies& bodies, const Neighbourhood& hood, const ContactHistory& history,
                        std::span<const PeriodicImages::Place> places, PairList& pairs) {
    std::swap(list, before_);
    list.start(any_spring_);
    offsets.clear();
    find_stayers(bodies, places, pairs);
    const bool two_images = hood.cubes.has_two_along_a_period();
    for (Index i = 0; i < pairs.n_bodies; ++i) {
        const bool i_real = hood.is_real(bodies, i);
        const Id i_id = bodies.id(i);
        for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot) {
            const Index j = pairs.partner_of(slot);
            if (const Index b = by_slot_[slot]; b != no_bond) {
                list.add_from(before_, b, i, j, slot, now_at_[before_.lower(b)] != i);
                if (!types_[list.type(list.size - 1)].touching) pairs.mask(slot);
                continue;
            }
            const Id j_id = bodies.id(j);
            const bool under_i = i_real && (i_id < j_id || !hood.is_real(bodies, j));
            const Index source = places[(under_i ? i : j) - bodies.owned.begin].old_index();
            if (history.of(source).empty()) continue;
            const auto numbers = [&](HistoryKind kind) {
                return history.find(source, {PartnerClass::body, under_i ? j_id : i_id, 0, kind});
            };
            const double* const reference = numbers(HistoryKind::bond);
            const double* const offset = reference == nullptr ? numbers(HistoryKind::break_offset) : nullptr;
            if (reference == nullptr && offset == nullptr) continue;
            if (two_images && !hood.cubes.is_nearest(bodies.x(i) - bodies.x(j))) continue;  // it is at the other image
            if (offset != nullptr) {
                offsets.push_back({i, j, slot, offset[0]});
                pairs.mask(slot);
                continue;
            }
            const auto from_lower = [&](HistoryKind kind, std::array<double, 3>& to) {
                const double* from = numbers(kind);
                const double sign = under_i ? 1.0 : exchange_sign(kind);
                for (int axis = 0; axis < 3; ++axis) to[axis] = from == nullptr ? 0 : sign * from[axis];
            };
            std::array<double, 3> d, nature, shear{}, moment{};
            from_lower(HistoryKind::bond, d), from_lower(HistoryKind::bond_nature, nature);
            if (any_spring_) from_lower(HistoryKind::bond_shear, shear), from_lower(HistoryKind::bond_moment, moment);
            list.add(i, j, slot, d.data(), nature.data(), shear.data(), moment.data());
            on_shapes_ += bodies.is_shape(i) || bodies.is_shape(j) ? 1 : 0;
            if (!types_[list.type(list.size - 1)].touching) pairs.mask(slot);
        }
    }
    before_.size = 0;
}

void BondedPairs::check(const boost::mpi::communicator& comm, const Bodies& bodies, const Neighbourhood& hood,
                        bool first) {
    const std::uint64_t mine[3] = {whole_here(bodies, hood), std::exchange(new_ends_, 0), std::exchange(on_shapes_, 0)};
    std::uint64_t all[3];
    boost::mpi::all_reduce(comm, mine, 3, all, std::plus<std::uint64_t>());
    expected_ += all[1] / 2;
    if (all[2] > 0) throw InputError("bonds join balls only, and some are between bodies of another shape");
    if (!first && all[0] != expected_)
        throw RunError(
            fmt::format("{} bonds were not found again at a rebuild: {} were expected, {} are there. Please "
                        "report this",
                        expected_ > all[0] ? expected_ - all[0] : all[0] - expected_, expected_, all[0]));
}

// ---- Step -----------------------------------------------------------------------------------------------------------

namespace {

// Adds up by layer what bonds store and lose, where the lower body is real.
class LayerWatch final : public BondWatch {
  public:
    LayerWatch(std::vector<double>& sums, const BodyLayers& layers) : sums_(sums), layers_(layers) {}
    void see(double stored, double damped, Index lower) override {
        if (!layers_.is_real(lower)) return;
        double* const s = at(lower);
        s[BondedPairs::stored] += stored, s[BondedPairs::damped] += damped;
    }
    void broke(double energy, Index lower) override {
        if (layers_.is_real(lower)) at(lower)[BondedPairs::broken] += energy;
    }

  private:
    double* at(Index i) { return sums_.data() + BondedPairs::energy_width * layers_(i); }
    std::vector<double>& sums_;
    BodyLayers layers_;
};

}  // namespace

void BondedPairs::add_forces(const Setup& setup, Bodies& bodies, PairList& pairs, const Neighbourhood& hood,
                             const Clock& clock, double dt, Requests& requests) {
    if (list.size == 0 && energy_.empty()) return;
    const std::span<const LayeredRange> ranges = hood.ranges;
    if (setup.energy) {
        for (std::size_t k = stored; k < energy_.size(); k += energy_width) energy_[k] = 0;
        LayerWatch watch(energy_, hood.layers(bodies));
        loop_.add(bodies, list, types_, dt, &watch, ranges);
    } else {
        loop_.add(bodies, list, types_, dt, nullptr, ranges);
    }
    if (!loop_.breaks().empty()) take_breaks(bodies, pairs, hood, clock, requests, setup.break_events);
}

void BondedPairs::take_breaks(Bodies& bodies, PairList& pairs, const Neighbourhood& hood, const Clock& clock,
                              Requests& requests, bool note) {
    const auto before = static_cast<std::ptrdiff_t>(offsets.size());
    for (const BondBreak& b : loop_.breaks()) {
        const Index i = list.lower(b.bond), j = list.upper(b.bond), slot = list.slot(b.bond);
        const Vec3d apart = bodies.x(i) - bodies.x(j);
        labels_are_old_ = 1;
        if (hood.is_real(bodies, i)) {
            ++broken_[static_cast<std::size_t>(b.cause)];
            const auto [smaller, larger] = std::minmax(bodies.id(i), bodies.id(j));
            if (note)
                requests.breaks_.push_back(
                    {clock.step(), smaller, larger, clock.time(), bodies.x(i) - 0.5 * apart, b.energy, b.cause});
        }
        if (!pairs.is_masked(slot)) continue;  // they touch anyway
        const double overlap = bodies.radius(i) + bodies.radius(j) - norm(apart);
        if (overlap > 0) offsets.push_back({i, j, slot, overlap});
        else if (!both_are_held(bodies, i, j)) pairs.unmask(slot);  // which are never a contact
    }
    std::inplace_merge(offsets.begin(), offsets.begin() + before, offsets.end(),
                       [](const OffsetPair& a, const OffsetPair& b) { return a.slot < b.slot; });
}

void BondedPairs::add_offset_forces(const ContactModel& law, Bodies& bodies, PairList& pairs, double dt,
                                    EnergyWatch* watch) {
    if (offsets.empty()) return;
    opened_.clear();
    law.add_offset_forces(bodies, pairs, offsets, dt, watch, opened_);
    for (const Index k : opened_) pairs.unmask(offsets[k].slot);
    for (std::size_t k = opened_.size(); k-- > 0;) offsets.erase(offsets.begin() + opened_[k]);
}

// ---- Counts ---------------------------------------------------------------------------------------------------------

BondCounts BondedPairs::counts(const boost::mpi::communicator& comm, const Bodies& bodies,
                               const Neighbourhood& hood) const {
    std::array<std::uint64_t, n_break_causes + 2> mine{}, all;
    std::copy(broken_.begin(), broken_.end(), mine.begin());
    mine[n_break_causes] = whole_here(bodies, hood), mine[n_break_causes + 1] = cut_;
    boost::mpi::all_reduce(comm, mine.data(), static_cast<int>(mine.size()), all.data(), std::plus<std::uint64_t>());
    BondCounts counts;
    std::copy_n(all.begin(), n_break_causes, counts.broken.begin());
    counts.whole = all[n_break_causes], counts.cut = all[n_break_causes + 1];
    return counts;
}

PieceCounts BondedPairs::pieces(const boost::mpi::communicator& comm, const Bodies& bodies,
                                const Neighbourhood& hood) const {
    const std::vector<Id> label = labels(comm, bodies, hood);
    std::vector<char> bonded(bodies.size, 0);
    for (Index b = 0; b < list.size; ++b)
        if (!list.is_broken(b)) bonded[list.lower(b)] = bonded[list.upper(b)] = 1;
    std::uint64_t mine[3] = {0, 0, 0}, all[3];
    for (const Range& range : bodies.real)
        for (Index i = range.begin; i < range.end; ++i) {
            if (bonded[i] == 0) ++mine[2];
            else ++mine[1], mine[0] += label[i] == bodies.id(i) ? 1 : 0;
        }
    boost::mpi::all_reduce(comm, mine, 3, all, std::plus<std::uint64_t>());
    return {all[0], all[1], all[2]};
}

}  // namespace granary
