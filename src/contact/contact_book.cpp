#include "contact/contact_book.hpp"

namespace granary {

void ContactBook::append(std::span<const Entry> entries) {
    entries_.insert(entries_.end(), entries.begin(), entries.end());
    begin_.push_back(static_cast<std::uint32_t>(entries_.size()));
}

void ContactBook::start(Index n_places) {
    begin_.assign(std::size_t{n_places} + 1, 0);
    entries_.clear();
}

void ContactBook::clear() {
    begin_ = {0};
    std::vector<Entry>().swap(entries_);
}

}  // namespace granary
