#include "core/lent_room.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include "core/errors.hpp"
#include "core/large_pages.hpp"

namespace granary {

void* LentRoom::do_allocate(std::size_t bytes, std::size_t alignment) {
    for (Piece& p : pieces_) {
        const auto next = reinterpret_cast<std::uintptr_t>(p.next);
        const std::size_t skipped = (alignment - next % alignment) % alignment;
        if (static_cast<std::size_t>(p.end - p.next) < skipped + bytes) continue;
        std::byte* const data = p.next + skipped;
        p.next = data + bytes;
        ++in_use_;
        return data;
    }
    void* const data = ::operator new(bytes, std::align_val_t(alignment));
    want_large_pages(data, bytes);
    from_heap_ += bytes;
    return data;
}

// What was taken last from a piece can be taken anew; what was taken before becomes a piece of its own. It lies within
// an older one, so the youngest piece is asked first.
void LentRoom::do_deallocate(void* data, std::size_t bytes, std::size_t alignment) {
    auto* const first = static_cast<std::byte*>(data);
    const auto has_it = [&](const Piece& p) { return !std::less<>()(first, p.begin) && std::less<>()(first, p.end); };
    const auto p = std::find_if(pieces_.rbegin(), pieces_.rend(), has_it);
    if (p != pieces_.rend()) {
        --in_use_;
        if (first + bytes == p->next) p->next = first;
        else if (pieces_.size() < most_pieces)
            pieces_.push_back({first, first, first + bytes, std::shared_ptr(p->kept)});
        return;
    }
    from_heap_ -= bytes;
    ::operator delete(data, std::align_val_t(alignment));
}

void LentRoom::give_back() {
    if (in_use_ > 0) throw InternalError("lent memory is given back while it is in use");
    pieces_.clear();
}

}  // namespace granary
