#include "core/contact_book.hpp"

namespace granary {

void ContactBook::append(std::span<const Entry> entries) {
    entries_.insert(entries_.end(), entries.begin(), entries.end());
    begin_.push_back(static_cast<std::uint32_t>(entries_.size()));
}

void ContactBook::reserve(std::size_t n_places, double n_entries) {
    begin_.reserve(n_places + n_places / 16 + 64);
    entries_.reserve(static_cast<std::size_t>(1.1 * n_entries) + 64);
}

void ContactBook::start(Index n_places) {
    begin_.assign(std::size_t{n_places} + 1, 0);
    entries_.clear();
}

void ContactBook::clear() {
    begin_ = {0};
    LargeVector<Entry>().swap(entries_);
}

}  // namespace granary
