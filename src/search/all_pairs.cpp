#include "search/all_pairs.hpp"

namespace granary {

// Written plainly and on its own, without the helpers of the fast detectors: it is what they are judged by.
void all_pairs_search(const SearchTask& task, PairList& pairs) {
    const Bodies& b = task.bodies;
    pairs.start(b.size);
    for (Index i = 0; i < b.size; ++i) {
        pairs.begin(i) = pairs.size;
        for (Index j = i + 1; j < b.size; ++j) {
            if (!is_real(task, i) && !is_real(task, j)) continue;
            const Vec3d d = b.x(j) - b.x(i);
            const double reach = b.radius(j) + b.radius(i) + task.margin;
            if (d.x * d.x + d.y * d.y + d.z * d.z < reach * reach) {
                pairs.make_room(1);
                pairs.partner(pairs.size++) = j;
            }
        }
    }
    pairs.finish(task.with_history);
}

}  // namespace granary
