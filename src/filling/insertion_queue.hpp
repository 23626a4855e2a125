// Balls that rain stand in a queue: the n-th has its size and material before it has a place, and none comes in before
// it. If size and place were drawn together, a large ball that finds no room would be replaced by a smaller one, and a
// busy inlet would let in other sizes than it was told. So a trial is only a place, for which all ranks together say
// how large a ball may be there:
//     make the same places            places(spec, seed, event, first, end)
//     measure the room at each        room_in_region, limit_room(own bodies, ...), least over ranks
//     give them to the queue          QueueSeats, with queued_ball(spec, seed, number, place)
// The rest is as insertion.hpp says.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>
#include "filling/insertion.hpp"

namespace granary {

// The places [first, end) of an event of a rain, anywhere in the box where the largest ball is wholly inside; the same,
// whichever others are asked for.
std::vector<Vec3d> places(const InsertionSpec&, std::uint64_t seed, std::uint64_t event, std::uint64_t first,
                          std::uint64_t end);
// The ball of this number in the queue of a rain, at a place.
NewBody queued_ball(const InsertionSpec&, std::uint64_t seed, std::uint64_t number, const Vec3d& place);

// Room at a place: a ball fits there if its radius, as it is tested, is less. At first what a round bin or another
// vessel leaves.
std::vector<double> room_in_region(const InsertionSpec&, std::span<const Vec3d> places);
// Less room where bodies are (nearest image along periodic axes). It depends on the place and single bodies only: split
// the bodies over any callers and take the least. Only balls of up to `largest` are asked for.
void limit_room(std::span<const PlacedBall> bodies, std::span<const Vec3d> places, double largest, const Domain&,
                std::span<double> room);

// Hands places out, one after the other, to balls that must not touch each other.
class TrialCells;
class QueueSeats {
  public:
    QueueSeats(std::span<const Vec3d> places, std::span<const double> room, double largest, const Domain&);
    ~QueueSeats();
    // The next place with room for a ball of this tested radius; none: the places are at their end.
    std::optional<std::size_t> next(double radius);
    void take(std::size_t place, double radius);

  private:
    std::vector<NewBody> seats_;  // places, with the radius of whoever took them
    std::span<const double> room_;
    const Domain& domain_;
    std::unique_ptr<TrialCells> taken_;
    std::size_t at_ = 0;
};

}  // namespace granary
