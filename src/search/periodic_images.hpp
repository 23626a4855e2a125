// Images of bodies across periodic x and y. A body in the first cubes of a periodic axis has an image behind the last
// ones and the other way round; near an edge of the domain it has three. Images stand in their row of the one order
// like any body, have their source's id, and are refreshed each step; they are never integrated, counted or sent home.
// (Across the slab axis z, ghosts serve.)
#pragma once
#include <span>
#include <vector>
#include "core/bodies.hpp"
#include "core/lent_room.hpp"
#include "search/cubes.hpp"

namespace granary {

class PeriodicImages {
  public:
    // One of the new order: the old index of the body or of the image's source, and the periodic faces over which an
    // image stands. In a word, for there is one for every body.
    class Place {
      public:
        Place() = default;
        explicit constexpr Place(Index old_index, bool over_x = false, bool over_y = false)
            : word_(old_index | (over_x ? bit_x : 0) | (over_y ? bit_y : 0)) {}
        constexpr Index old_index() const { return word_ & ~(bit_x | bit_y); }
        constexpr bool is_image() const { return (word_ & (bit_x | bit_y)) != 0; }
        // Where it stands now; new_cube is by old index. A body in the first cubes has its image behind the last ones.
        Cube cube(const Cubes& cubes, const Cube* new_cube) const {
            Cube c = new_cube[old_index()];
            if ((word_ & bit_x) != 0) c += over_face(cubes, c, 0);
            if ((word_ & bit_y) != 0) c += over_face(cubes, c, 1);
            return c;
        }

      private:
        static constexpr Index bit_x = Index{1} << 30, bit_y = Index{1} << 31;  // as a list of pairs, up to 2^30 bodies
        static Cube over_face(const Cubes& cubes, Cube c, int axis) {
            const Cube period = static_cast<Cube>(cubes.count[axis]) * cube_step[axis];
            return digit(c, axis) == 0 ? period : Cube{0} - period;
        }
        Index word_ = 0;
    };

    // Weaves the images into the order of the real bodies: streams of constant offset once more, merged as in MR sort.
    // new_cube is by old place.
    void weave(const Cubes& cubes, std::span<const Index> order, const Cube* new_cube, RoomVector<Place>& places);

    // Moves every column that a sort moves, and sets the cubes; force and torque are lost: their memory makes room for
    // the others in turn. offset: where the first body stands afterwards. new_cube is by old place.
    static void take_new_order(Bodies& bodies, const Cubes& cubes, std::span<const Place> places, const Cube* new_cube,
                               Index offset);

    // After the bodies have taken their places (offset: where the first one stands): finds images and sources. Forces
    // are lost.
    void place(const Cubes& cubes, std::span<const Place> places, Index offset, std::size_t n_old_places,
               Bodies& bodies);

    // Copies what travels at every step from the sources, shifted, to the images that stand in the range.
    void refresh(Bodies& bodies, Range range) const;

  private:
    struct Image {
        Index image, source;
        double shift_x, shift_y;
    };
    std::vector<Image> images_;  // ascending
};

}  // namespace granary
