// What a rebuild does on one rank without periodic z, in its bare form: MR sort, woven images, everything moved to its
// place. For tests of the parts of src/search working together.
#pragma once
#include <algorithm>
#include <vector>
#include "search/mr_sort_munjiza2006.hpp"
#include "search/periodic_images.hpp"
#include "support/arranged.hpp"

namespace granary::test {

class RebuildInSmall {
  public:
    explicit RebuildInSmall(const Cubes& cubes) : cubes_(cubes) {}

    // Balls that were there before are recognised by their id; the others are newcomers, and who is missing is gone.
    void rebuild(const std::vector<NewBody>& balls) {
        std::vector<NewBody> at_place(bodies_.size);
        std::vector<Cube> new_cube(bodies_.size, no_cube);
        std::vector<Id> id(bodies_.id.data(), bodies_.id.data() + bodies_.size);
        std::vector<const NewBody*> newcomers;
        for (const NewBody& b : balls) {
            Index place = bodies_.size;
            for (const Range& range : bodies_.real)
                for (Index i = range.begin; i < range.end; ++i)
                    if (bodies_.id(i) == b.id) place = i;
            if (place == bodies_.size) newcomers.push_back(&b);
            else at_place[place] = b, new_cube[place] = cubes_.of(b.position);
        }
        const Index n_known = bodies_.size;
        for (const NewBody* b : newcomers)
            at_place.push_back(*b), new_cube.push_back(cubes_.of(b->position)), id.push_back(b->id);
        const std::vector<Range> real = bodies_.real;
        RoomVector<Index> order(7, 7);  // what it held does not matter
        mr_sort({bodies_.cube.data(), new_cube.data(), id.data(), real, {n_known, static_cast<Index>(id.size())}},
                order);

        RoomVector<PeriodicImages::Place> places;
        images_.weave(cubes_, order, new_cube.data(), places);
        Bodies next;
        next.reserve(static_cast<Index>(places.size()) + 4);
        next.size = static_cast<Index>(places.size());
        next.owned = {0, next.size};
        for (Index p = 0; p < next.size; ++p) {
            next.put(p, at_place[places[p].old_index()]);
            next.cube(p) = places[p].cube(cubes_, new_cube.data());
        }
        images_.place(cubes_, places, 0, at_place.size(), next);
        set_traps(next);
        bodies_ = next;
    }

    const Bodies& bodies() const { return bodies_; }

  private:
    const Cubes& cubes_;
    PeriodicImages images_;
    Bodies bodies_;
};

}  // namespace granary::test
