// Runs on any number of ranks.
#include "decomposition/rendezvous.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include <map>
#include <set>
#include <vector>

namespace granary {
namespace {

struct Spring {
    Id body;
    Partner partner;
    double x;
    friend auto operator<=>(const Spring&, const Spring&) = default;
};

// Contacts of a chain 0 - 1 - 2 - ..., with rolling springs, walls, and some of a body that is gone.
std::vector<ContactRecord> contacts_of(Id n) {
    std::vector<ContactRecord> all;
    for (Id i = 0; i + 1 < n; ++i) {
        all.push_back({i, i + 1, {1.0 + static_cast<double>(i), 2, 3}});
        if (i % 3 == 0) all.push_back({i, rolling_spring(i + 1), {0.5, static_cast<double>(i), 0}});
        if (i % 4 == 0) all.push_back({i, wall_partner(3, 7), {0, 0, static_cast<double>(i)}});
    }
    all.push_back({n / 2, n + 5, {9, 9, 9}});
    return all;
}

// Whoever holds a body gets its springs, whoever was given them by the file, and in slices of whatever length.
TEST(Rendezvous, SpringsFindTheirBodies) {
    const boost::mpi::communicator world;
    const Id n = 100;
    const auto me = static_cast<Id>(world.rank()), ranks = static_cast<Id>(world.size());
    const auto holder = [&](Id id) { return (id * 7 / 20) % ranks; };  // runs of three, then another rank
    std::vector<Id> ids;
    for (Id id = n; id-- > 0;)
        if (holder(id) == me) ids.push_back(id);
    const std::vector<ContactRecord> all = contacts_of(n);
    for (const std::size_t at_once : {1u, 7u, 1000u})
        for (const bool border : {false, true}) {
            SCOPED_TRACE(testing::Message() << at_once << " at once, border " << border);
            int calls = 0;
            const ContactSlices slices = [&](const auto& use) {
                ++calls;
                std::vector<ContactRecord> mine;
                for (std::size_t k = 0; k < all.size(); ++k)
                    if (k * ranks / all.size() == me) mine.push_back(all[k]);
                const std::size_t most = all.size() / ranks + 1;
                for (std::size_t k = 0; k < most; k += at_once) {
                    const std::size_t first = std::min(k, mine.size());
                    use(std::span(mine).subspan(first, std::min(at_once, mine.size() - first)));
                }
            };
            std::multiset<Spring> found, expected, kept, expected_kept;
            BodiesHere here;
            here.ids = ids, here.n_places = ids.size();
            here.place = [&](Id id) {
                const auto at = std::find(ids.begin(), ids.end(), id);
                return at == ids.end() ? std::nullopt : std::optional(static_cast<Index>(at - ids.begin()));
            };
            here.at_border = [&](Index) { return border; };
            here.is_kept = [](const ContactRecord& c) { return c.partner.kind() == HistoryKind::rolling; };
            here.keep = [&](const ContactRecord& c) {
                kept.insert({canonical(c).body, canonical(c).partner, canonical(c).xi[0]});
            };
            const ContactHistory history = springs_of(world, here, slices);
            EXPECT_EQ(calls, 2);
            ASSERT_EQ(history.n_places(), ids.size());
            for (Index i = 0; i < history.n_places(); ++i)
                for (const ContactHistory::Entry& e : history.of(i)) found.insert({ids[i], e.partner, e.xi[0]});
            const auto is_here = [&](Id id) { return id < n && holder(id) == me; };
            for (const ContactRecord& c : all)
                if (here.is_kept(c) && (is_here(c.body) || is_here(c.partner.number())))
                    expected_kept.insert({c.body, c.partner, c.xi[0]});
            const auto side = [&](const ContactRecord& c) {
                if (c.body >= n || holder(c.body) != me || here.is_kept(c)) return;
                const Id partner = c.partner.number();
                const bool other_notes = c.partner.is_body() && partner < c.body && holder(partner) == me;
                if (!other_notes || border) expected.insert({c.body, c.partner, c.xi[0]});
            };
            for (const ContactRecord& c : all) {
                side(c);
                if (c.partner.is_body()) side(seen_from_partner(c));
            }
            EXPECT_EQ(found, expected);
            EXPECT_EQ(kept, expected_kept);
        }
}

}  // namespace
}  // namespace granary
