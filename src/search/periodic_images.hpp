// Images of bodies across periodic x and y. A body in the first cubes of a periodic axis has an image behind the last
// ones and the other way round; near an edge of the domain it has three. Images stand in their row of the one order
// like any body, have their source's id, and are refreshed each step; they are never integrated, counted or sent home.
// (Across the slab axis z, ghosts serve.)
#pragma once
#include <span>
#include <vector>
#include "core/bodies.hpp"
#include "search/cubes.hpp"

namespace granary {

class PeriodicImages {
  public:
    struct Place {        // one of the new order
        Index old_index;  // of the body or of the image's source
        Cube cube;        // where it stands now
    };

    // Weaves the images into the order of the real bodies: streams of constant offset once more, merged as in MR sort.
    // new_cube is by old place.
    void weave(const Cubes& cubes, const std::vector<Index>& order, const Cube* new_cube, std::vector<Place>& places);

    // Moves every column that a sort moves, and sets the cubes; force and torque are lost: their memory makes room for
    // the others in turn. offset: where the first body stands afterwards.
    static void take_new_order(Bodies& bodies, std::span<const Place> places, Index offset);

    // After the bodies have taken their places (offset: where the first one stands): finds images and sources.
    void place(const Cubes& cubes, const std::vector<Place>& places, Index offset, std::size_t n_old_places,
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
