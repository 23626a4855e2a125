#include "fuzz/edited_checkpoint.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include "engine/simulation.hpp"
#include "fuzz/good_run.hpp"

namespace granary::fuzz {
namespace {

template <class Map> typename Map::mapped_type* any_of(Map& map, Numbers& in) {
    if (map.empty()) return nullptr;
    return &std::next(map.begin(), static_cast<std::ptrdiff_t>(in.below(map.size())))->second;
}

void edit(SavedState& run, Numbers& in) {
    const std::size_t what = in.below(4);
    if (what == 0) {
        if (auto* list = any_of(run.reals, in)) {
            if (in.below(4) == 0) list->resize(in.below(100));
            if (!list->empty()) (*list)[in.below(list->size())] = in.real();
        }
    } else if (what < 3) {
        if (auto* list = any_of(run.integers, in)) {
            if (in.below(4) == 0) list->resize(in.below(100));
            if (!list->empty()) (*list)[in.below(list->size())] = in.integer();
        }
    } else if (!run.integers.empty()) {
        run.integers.erase(std::next(run.integers.begin(), static_cast<std::ptrdiff_t>(in.below(run.integers.size()))));
    }
}

template <class T> void put(std::byte* at, T value) { std::memcpy(at, &value, sizeof value); }

// One number of one field.
void edit(std::span<BodyRecord> bodies, std::span<const Column> there, Numbers& in) {
    if (bodies.empty()) return;
    const FieldRow& field = fields[in.below(fields.size())];
    const std::size_t body = in.below(bodies.size()), n = in.below(static_cast<std::size_t>(field.count));
    if (!field.is(field::saved) || std::find(there.begin(), there.end(), field.column) == there.end()) return;
    std::byte* const at = strip_of(bodies, field)[body] + n * bytes_of(field.number());
    switch (field.number()) {
        case Number::real: put(at, in.real()); break;
        case Number::u64: put(at, in.integer()); break;
        case Number::u32: put(at, static_cast<std::uint32_t>(in.integer())); break;
        case Number::u16: put(at, static_cast<std::uint16_t>(in.integer())); break;
    }
}

// Numbers beyond the bits of a partner are refused by the reader.
void edit(ContactRecord& c, Numbers& in) {
    const std::size_t what = in.below(4);
    if (what == 0) c.xi[in.below(3)] = in.real();
    if (what == 1) c.body = in.integer() % most_ids;
    if (what < 2) return;
    const std::uint64_t number = in.integer();
    const auto of = static_cast<PartnerClass>(in.below(3));
    const auto kind = static_cast<HistoryKind>(what == 2 ? static_cast<std::size_t>(c.partner.kind())
                                                         : in.below(history_kinds.size()));
    const auto feature = static_cast<std::uint32_t>(in.integer());
    switch (of) {
        case PartnerClass::body: c.partner = {of, number % most_ids, feature & 0xffffU, kind}; break;
        case PartnerClass::wall: c.partner = {of, number & no_wall, feature, kind}; break;
        case PartnerClass::wall_ball: c.partner = {of, number & 0xffffffffU, feature & 0xffffffU, kind}; break;
    }
}

// One twice, one left out, or two exchanged.
template <class Record> void rearrange(std::vector<Record>& list, Numbers& in) {
    if (list.empty()) return;
    const std::size_t what = in.below(3), a = in.below(list.size()), b = in.below(list.size());
    if (what == 0) list.insert(list.begin() + static_cast<std::ptrdiff_t>(a), Record(list[b]));
    if (what == 1) list.erase(list.begin() + static_cast<std::ptrdiff_t>(a));
    if (what == 2) std::swap(list[a], list[b]);
}

}  // namespace

StateInMemory::StateInMemory(const OpenState& of) {
    header = of.header;
    for (const ColumnRow& row : columns)
        if (of.has(row.column)) columns_.push_back(row.column);
    of.for_bodies([&](std::span<BodyRecord> slice) { bodies_.insert(bodies_.end(), slice.begin(), slice.end()); });
    of.for_contacts(
        [&](std::span<ContactRecord> slice) { contacts_.insert(contacts_.end(), slice.begin(), slice.end()); });
}

void StateInMemory::edit(Numbers& in) {
    switch (in.below(6)) {
        case 0:
        case 1: return fuzz::edit(bodies_, columns_, in);
        case 2:
        case 3:
            if (!contacts_.empty()) fuzz::edit(contacts_[in.below(contacts_.size())], in);
            return;
        case 4: return rearrange(bodies_, in);
        default: return rearrange(contacts_, in);
    }
}

bool StateInMemory::has(Column column) const {
    return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
}

void StateInMemory::for_bodies(const std::function<void(std::span<BodyRecord>)>& use,
                               std::span<const Column> only) const {
    std::vector<BodyRecord> slice = bodies_;
    if (!only.empty()) {
        slice.assign(bodies_.size(), {});
        std::vector<BodyRecord> all = bodies_;
        for (const FieldRow& field : fields) {
            if (std::find(only.begin(), only.end(), field.column) == only.end()) continue;
            const Strip<std::byte> from = strip_of(all, field), to = strip_of(slice, field);
            for (std::size_t b = 0; b < slice.size(); ++b) std::memcpy(to[b], from[b], field.bytes());
        }
    }
    use(slice);
}

void StateInMemory::for_contacts(const std::function<void(std::span<ContactRecord>)>& use) const {
    std::vector<ContactRecord> slice = contacts_;
    use(slice);
}

const StateInMemory& good_checkpoint() {
    static const StateInMemory state = [] {
        MemoryFile file;
        return StateInMemory(OpenState(good_run().comm, file.hold(good_run().checkpoint)));
    }();
    return state;
}

void go_on(StateSource& state, Numbers& in) {
    const GoodRun& good = good_run();
    refused_or_taken([&] {
        for (int k = 0; k < 6 && in.any(); ++k) edit(state.header.run, in);
        const Plan plan = make_plan(good.comm, good.c, good.places, &state.header.run);
        Simulation sim(good.comm, plan.setup, state);
        for (int k = 0; k < 3; ++k) sim.step();
    });
}

}  // namespace granary::fuzz
