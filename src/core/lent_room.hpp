// Memory that somebody lends while he has no use for it. During a rebuild force, torque and the positions of the last
// sort mean nothing: what the rebuild needs for a while stands in them, so that it takes no memory of its own and
// touches no fresh pages. What finds no room there comes from the heap.
#pragma once
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <vector>

namespace granary {

class LentRoom final : public std::pmr::memory_resource {
  public:
    // The first n rows of a view; its memory lives until it is given back, even if the owner gets larger columns.
    template <class View> void lend(const View& view, std::size_t n) {
        auto kept = std::make_shared<View>(view);
        auto* const first = reinterpret_cast<std::byte*>(kept->data());
        pieces_.push_back({first, first, first + n * view.stride(0) * sizeof(*view.data()), std::move(kept)});
    }
    // All of it: nothing that was taken may be in use.
    void give_back();

    std::size_t from_heap() const { return from_heap_; }  // bytes that found no room, now

  private:
    struct Piece {
        std::byte *begin, *next, *end;
        std::shared_ptr<void> kept;
    };
    void* do_allocate(std::size_t bytes, std::size_t alignment) override;
    void do_deallocate(void* data, std::size_t bytes, std::size_t alignment) override;
    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

    static constexpr std::size_t most_pieces = 64;  // every request looks at all; further holes wait for give_back
    std::vector<Piece> pieces_;
    std::size_t from_heap_ = 0, in_use_ = 0;  // in_use_: arrays in lent memory
};

template <class T> using RoomVector = std::pmr::vector<T>;

}  // namespace granary
