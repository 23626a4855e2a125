// Where the bodies with an id stand in this rank's arrays: a body, and its images and ghosts. For the start of a run,
// when records of a file look for their bodies. Memory: 8 bytes a place.
#pragma once
#include <algorithm>
#include <bit>
#include <span>
#include "core/bodies.hpp"
#include "core/lent_room.hpp"

namespace granary {

class PlacesById {
  public:
    explicit PlacesById(std::span<const Id> ids, std::pmr::memory_resource* room = std::pmr::get_default_resource())
        : ids_(ids),
          shift_(64 - std::max(1, static_cast<int>(std::bit_width(ids.size())))),
          begin_((std::size_t{1} << (64 - shift_)) + 1, 0, room),
          place_(ids.size(), room) {
        for (const Id id : ids) ++begin_[bucket(id)];
        Index sum = 0;
        for (Index& b : begin_) sum += b, b = sum;  // where each bucket ends
        for (std::size_t k = ids.size(); k-- > 0;) place_[--begin_[bucket(ids[k])]] = static_cast<Index>(k);
    }

    // Calls f(place) for each, ascending.
    template <class F> void for_each(Id id, F&& f) const {
        const std::size_t b = bucket(id);
        for (Index k = begin_[b]; k < begin_[b + 1]; ++k)
            if (ids_[place_[k]] == id) f(place_[k]);
    }

  private:
    // Ids follow each other as a rule; multiplied so, any others spread too.
    std::size_t bucket(Id id) const { return (id * 0x9e3779b97f4a7c15ULL) >> shift_; }

    std::span<const Id> ids_;
    int shift_;
    RoomVector<Index> begin_, place_;
};

}  // namespace granary
