// Four at a time finds what one at a time finds, whatever the length of the run.
#include "search/candidates.hpp"
#include <gtest/gtest.h>
#include "scenes.hpp"

namespace granary::test {

TEST(Candidates, OfARunOfAnyLength) {
    const Cubes cubes = cubes_of({4, 4, 4}, {});
    const Arranged a = arrange(scene("random", cubes, 51, 60), cubes);
    const Bodies& b = a.bodies;
    int n_found = 0;
    for (Index i : {Index{0}, Index{20}, b.size - 1})
        for (Index begin = 0; begin < b.size; ++begin)
            for (Index end = begin; end <= std::min(begin + 9, b.size); ++end) {
                PairList list;
                list.start(b.size);
                add_candidates_in_run(b.position.data(), i, {begin, end}, 0.8, list);
                std::vector<Index> truth;
                for (Index j = begin; j < end; ++j)
                    if (norm(b.x(j) - b.x(i)) < b.radius(i) + b.radius(j) + 0.8) truth.push_back(j);
                ASSERT_EQ(std::vector<Index>(list.partner.data(), list.partner.data() + list.size), truth);
                n_found += static_cast<int>(truth.size());
            }
    EXPECT_GT(n_found, 500);
}

TEST(Candidates, RealMeansOwnedAndNoImage) {
    const Cubes cubes = cubes_of({4, 3, 5}, {true, true, true});
    const auto balls = scene("random", cubes, 53);
    for (const auto& [first, end] : {std::pair{0, 5}, std::pair{1, 3}, std::pair{4, 5}}) {
        const Arranged a = arrange(balls, cubes, first, end);
        const SearchTask task{a.bodies, cubes, margin, true};
        PairList list;
        list.start(a.bodies.size);
        list.make_room(a.bodies.size);
        std::vector<Index> truth;
        for (Index i = 0; i < a.bodies.size; ++i) {
            ASSERT_EQ(is_real(task, i), a.copies[i].real);
            list.partner(list.size++) = i;
            if (i < 10 || a.copies[i].real) truth.push_back(i);
        }
        keep_real_partners(task, 10, list);  // the first ten slots are not its business
        EXPECT_EQ(std::vector<Index>(list.partner.data(), list.partner.data() + list.size), truth);
        EXPECT_LT(truth.size(), a.bodies.size);
    }
}

}  // namespace granary::test
