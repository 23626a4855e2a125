#include "core/contact_history.hpp"

#include <algorithm>

namespace granary {

void ContactHistory::append(std::span<const Entry> entries) {
    entries_.insert(entries_.end(), entries.begin(), entries.end());
    begin_.push_back(static_cast<std::uint32_t>(entries_.size()));
    sort_many(begin_.size() - 2);
}

const double* ContactHistory::find_in_many(std::span<const Entry> entries, const Partner& partner) {
    const auto at = std::lower_bound(entries.begin(), entries.end(), partner,
                                     [](const Entry& e, const Partner& p) { return e.partner < p; });
    return at != entries.end() && at->partner == partner ? at->xi : nullptr;
}

void ContactHistory::sort_many(std::size_t first_place) {
    for (std::size_t p = first_place; p + 1 < begin_.size(); ++p)
        if (begin_[p + 1] - begin_[p] > few)
            std::sort(entries_.begin() + begin_[p], entries_.begin() + begin_[p + 1],
                      [](const Entry& a, const Entry& b) { return a.partner < b.partner; });
}

void ContactHistory::reserve(std::size_t n_places, double n_entries) {
    begin_.reserve(n_places + n_places / 16 + 64);
    entries_.reserve(static_cast<std::size_t>(1.1 * n_entries) + 64);
}

void ContactHistory::start(Index n_places) {
    begin_.assign(std::size_t{n_places} + 1, 0);
    entries_.clear();
}

void ContactHistory::clear() {
    RoomVector<std::uint32_t>(1, 0, begin_.get_allocator()).swap(begin_);
    RoomVector<Entry>(entries_.get_allocator()).swap(entries_);
}

}  // namespace granary
