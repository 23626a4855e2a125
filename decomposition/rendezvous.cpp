#include "decomposition/rendezvous.hpp"

#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/operations.hpp>
#include <optional>
#include <vector>
#include "decomposition/exchange.hpp"

namespace granary {

namespace {

// What is known of some ids, in little room.
class ById {
  public:
    void reserve(std::size_t n) { rows_.reserve(n); }
    void add(Id id, std::uint32_t what) { rows_.push_back({id, what}); }
    void sort() {
        std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.id < b.id; });
    }
    std::optional<std::uint32_t> of(Id id) const {
        const auto at =
            std::lower_bound(rows_.begin(), rows_.end(), id, [](const Row& row, Id wanted) { return row.id < wanted; });
        return at == rows_.end() || at->id != id ? std::nullopt : std::optional(at->what);
    }

  private:
    struct Row {
        Id id;
        std::uint32_t what;
    };
    std::vector<Row> rows_;
};

int meeting_rank(const boost::mpi::communicator& comm, Id id) {
    return static_cast<int>(id % static_cast<Id>(comm.size()));
}

// Of all ids that meet here: who holds them.
ById holders(const boost::mpi::communicator& comm, std::span<const Id> ids) {
    constexpr std::size_t at_once = 65536;
    ById held;
    if (comm.size() == 1) return held;  // nobody asks
    const std::size_t most = boost::mpi::all_reduce(comm, ids.size(), boost::mpi::maximum<std::size_t>());
    held.reserve(ids.size() + ids.size() / 16 + 64);
    std::vector<std::vector<Id>> out(comm.size());
    for (std::size_t k = 0; k < most; k += at_once) {
        for (auto& list : out) list.clear();
        for (std::size_t i = k; i < std::min(ids.size(), k + at_once); ++i)
            out[meeting_rank(comm, ids[i])].push_back(ids[i]);
        const Received<Id> in = exchange_all(comm, out);
        for (int r = 0; r < comm.size(); ++r)
            for (int i = in.from[r]; i < in.from[r + 1]; ++i) held.add(in.items[i], static_cast<std::uint32_t>(r));
    }
    held.sort();
    return held;
}

}  // namespace

ContactHistory springs_of(const boost::mpi::communicator& comm, const BodiesHere& here, const ContactSlices& contacts) {
    const ById holder = holders(comm, here.ids);
    std::vector<ContactRecord> away, met;
    ContactHistory history;
    bool first = true;  // of two times
    history.fill(here.n_places, [&](const auto& note) {
        contacts([&](std::span<const ContactRecord> slice) {
            away.clear();
            // One side of a contact whose body is at `place`.
            const auto take = [&](const ContactRecord& c, Index place, bool partner_here) {
                const bool other_notes = partner_here && c.partner.number() < c.body;
                if (here.is_kept && here.is_kept(c)) {
                    if (first && !other_notes) here.keep(c);
                } else if (!other_notes || here.at_border(place)) note(place, c.partner, c.xi, 1.0);
            };
            const auto look_at = [&](const ContactRecord& c, std::optional<Index> at, bool partner_here) {
                if (at) take(c, *at, partner_here);
                else if (comm.size() > 1) away.push_back(c);
            };
            for (const ContactRecord& c : slice) {
                if (!first && here.is_kept && here.is_kept(c)) continue;
                const auto at = here.place(c.body);
                const auto partner = c.partner.is_body() ? here.place(c.partner.number()) : std::nullopt;
                look_at(c, at, partner.has_value());
                if (c.partner.is_body()) look_at(seen_from_partner(c), partner, at.has_value());
            }
            if (comm.size() == 1) return;
            met = to_owners<ContactRecord>(comm, away,
                                           [&](const ContactRecord& c) { return meeting_rank(comm, c.body); });
            std::erase_if(met, [&](const ContactRecord& c) { return !holder.of(c.body); });
            for (const ContactRecord& c : to_owners<ContactRecord>(
                     comm, met, [&](const ContactRecord& m) { return static_cast<int>(*holder.of(m.body)); }))
                take(c, *here.place(c.body), c.partner.is_body() && here.place(c.partner.number()).has_value());
        });
        first = false;
    });
    return history;
}

}  // namespace granary
