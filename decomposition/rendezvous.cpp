#include "decomposition/rendezvous.hpp"

#include <algorithm>
#include <unordered_map>
#include "decomposition/exchange.hpp"

namespace granary {

std::vector<ContactRecord> springs_of(const boost::mpi::communicator& comm, std::span<const Id> ids,
                                      std::span<const ContactRecord> contacts) {
    const int ranks = comm.size();
    const auto meeting_rank = [&](Id id) { return static_cast<int>(id % static_cast<Id>(ranks)); };

    std::vector<std::vector<Id>> reports(ranks);
    for (const Id id : ids) reports[meeting_rank(id)].push_back(id);
    const Received<Id> reported = exchange_all(comm, reports);
    std::unordered_map<Id, int> holder;
    for (int r = 0; r < ranks; ++r)
        for (int k = reported.from[r]; k < reported.from[r + 1]; ++k) holder[reported.items[k]] = r;

    std::vector<std::vector<ContactRecord>> out(ranks);
    for (const ContactRecord& c : contacts) {
        out[meeting_rank(c.body)].push_back(c);
        if (!is_wall(c.partner)) out[meeting_rank(without_mark(c.partner))].push_back(seen_from_partner(c));
    }
    const Received<ContactRecord> met = exchange_all(comm, out);
    for (auto& list : out) list.clear();
    for (const ContactRecord& c : met.items)
        if (const auto at = holder.find(c.body); at != holder.end()) out[at->second].push_back(c);
    std::vector<ContactRecord> mine = exchange_all(comm, out).items;
    std::sort(mine.begin(), mine.end(), [](const ContactRecord& a, const ContactRecord& b) {
        return a.body != b.body ? a.body < b.body : a.partner < b.partner;
    });
    return mine;
}

}  // namespace granary
