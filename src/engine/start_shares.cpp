#include "engine/start_shares.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace granary {

namespace {

constexpr std::uint64_t at_once = 16384;  // bodies or contacts

template <class T> auto shares_of_list(std::vector<T> list) {
    const auto all = std::make_shared<const std::vector<T>>(std::move(list));
    return [all](const boost::mpi::communicator& comm, const std::function<void(std::span<const T>)>& use) {
        for_share(comm, all->size(), [&](std::uint64_t first, std::uint64_t end) {
            use({all->data() + first, all->data() + end});
        });
    };
}

}  // namespace

void StartShares::for_bodies(const boost::mpi::communicator& comm, const UseBodies& use) const {
    if (bodies) bodies(comm, use);
    if (!saved) return;
    std::vector<NewBody> plain;
    saved(comm, [&](std::span<const SavedBody> slice) {
        plain.clear();
        for (const SavedBody& b : slice) plain.push_back(b.body);
        use(plain);
    });
}

std::vector<Column> columns_taken_over() {
    constexpr Column of_new_body[] = {Column::id,       Column::position, Column::velocity,  Column::spin,
                                      Column::material, Column::band,     Column::entry_time};
    std::vector<Column> taken;
    for (const ColumnRow& row : columns)
        if (row.at_sort == AtSort::moves && row.when != When::gear &&
            std::find(std::begin(of_new_body), std::end(of_new_body), row.column) == std::end(of_new_body))
            taken.push_back(row.column);
    return taken;
}

void for_share(const boost::mpi::communicator& comm, std::uint64_t n,
               const std::function<void(std::uint64_t first, std::uint64_t end)>& piece) {
    const auto ranks = static_cast<std::uint64_t>(comm.size()), me = static_cast<std::uint64_t>(comm.rank());
    const auto limit = [&](std::uint64_t r) { return n / ranks * r + n % ranks * r / ranks; };  // n r / ranks
    const std::uint64_t end = limit(me + 1), most = n / ranks + (n % ranks > 0 ? 1 : 0);        // of any rank
    for (std::uint64_t k = 0, first = limit(me); k < most; k += at_once) {
        const std::uint64_t next = std::min(end, first + at_once);
        piece(first, next);
        first = next;
    }
}

StartShares shares_of_sites(std::uint64_t n, SiteMaker make) {
    StartShares shares;
    shares.bodies = [n, make = std::move(make)](const boost::mpi::communicator& comm,
                                                const StartShares::UseBodies& use) {
        std::vector<NewBody> made;
        for_share(comm, n, [&](std::uint64_t first, std::uint64_t end) {
            made.clear();
            make(first, end, [&](const NewBody& b) { made.push_back(b); });
            use(made);
        });
    };
    return shares;
}

StartShares shares_of(std::vector<NewBody> bodies, std::vector<ContactRecord> contacts) {
    StartShares shares;
    if (!bodies.empty()) shares.bodies = shares_of_list(std::move(bodies));
    if (!contacts.empty()) shares.contacts = shares_of_list(std::move(contacts));
    return shares;
}

}  // namespace granary
