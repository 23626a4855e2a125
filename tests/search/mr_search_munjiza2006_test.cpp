#include "search/mr_search_munjiza2006.hpp"
#include <gtest/gtest.h>
#include <map>
#include <set>
#include "rebuild_in_small.hpp"
#include "scenes.hpp"
#include "search/all_pairs.hpp"

namespace granary::test {

namespace {

Pairs found_by(void (*search)(const SearchTask&, PairList&), const Bodies& bodies, const Cubes& cubes,
               bool with_history = true) {
    PairList list;
    search({bodies, cubes, margin, with_history}, list);
    EXPECT_EQ(list.n_bodies, bodies.size);
    EXPECT_EQ(list.begin(list.n_bodies), list.size);
    return listed(list);
}

// The ids near to each ball, by nearest images, from the plain list of balls alone.
std::map<Id, std::multiset<Id>> neighbours_of(const std::vector<NewBody>& balls, const Domain& d) {
    std::map<Id, std::multiset<Id>> near;
    for (const NewBody& a : balls)
        for (const NewBody& b : balls) {
            if (a.id == b.id) continue;
            Vec3d apart = a.position - b.position;
            for (int axis = 0; axis < 3; ++axis) {
                const double length = at(d.upper, axis) - at(d.lower, axis);
                if (d.periodic[axis]) at(apart, axis) -= length * std::round(at(apart, axis) / length);
            }
            const double reach = a.radius + b.radius + margin;
            if (dot(apart, apart) < reach * reach) near[a.id].insert(b.id);
        }
    return near;
}

// Every real body of this rank has its partners, each once, whoever holds them.
void expect_complete(const Arranged& a, const Pairs& pairs, const std::map<Id, std::multiset<Id>>& near) {
    std::map<Id, std::multiset<Id>> found;
    for (const auto& [i, j] : pairs) {
        if (a.copies[i].real) found[a.bodies.id(i)].insert(a.bodies.id(j));
        if (a.copies[j].real) found[a.bodies.id(j)].insert(a.bodies.id(i));
    }
    for (Index i = 0; i < a.bodies.size; ++i) {
        if (!a.copies[i].real) continue;
        const Id id = a.bodies.id(i);
        const auto wanted = near.find(id);
        EXPECT_EQ(found[id], wanted == near.end() ? std::multiset<Id>{} : wanted->second) << "ball " << id;
    }
}

constexpr std::array<std::array<bool, 3>, 6> periods{{{false, false, false},
                                                      {true, false, false},
                                                      {false, true, true},
                                                      {true, true, false},
                                                      {false, false, true},
                                                      {true, true, true}}};

std::string words(std::array<bool, 3> p) {
    return std::string("periodic ") + (p[0] ? "x" : "") + (p[1] ? "y" : "") + (p[2] ? "z" : "");
}

}  // namespace

// On one rank, and on each of several: with ghosts and images as partners.
TEST(MrSearch, FindsExactlyAllPairsInOrder) {
    for (const auto& periodic : periods)
        for (const std::array<int, 3> n : {std::array{5, 4, 6}, std::array{3, 3, 3}, std::array{3, 6, 4}}) {
            const Cubes cubes = cubes_of(n, periodic);
            ASSERT_EQ(cubes.count, n);
            const int top = cubes.layers();
            for (const std::string name : scene_names) {
                SCOPED_TRACE(name + ", " + words(periodic) + ", layers " + std::to_string(top));
                const auto balls = scene(name, cubes, 17);
                const auto near = neighbours_of(balls, cubes.domain());
                std::size_t n_pairs = 0, n_unreal = 0;
                for (const auto& [first, end] : std::vector<std::pair<int, int>>{{0, top},
                                                                                 {0, 1},
                                                                                 {1, 2},
                                                                                 {top - 1, top},
                                                                                 {0, top - 1},
                                                                                 {1, top},
                                                                                 {1, 1}}) {
                    SCOPED_TRACE(std::to_string(first) + " to " + std::to_string(end));
                    const Arranged a = arrange(balls, cubes, first, end);
                    const Pairs truth = brute_force(a, margin);
                    EXPECT_EQ(found_by(mr_search, a.bodies, cubes), truth);
                    EXPECT_EQ(found_by(all_pairs_search, a.bodies, cubes), truth);
                    expect_complete(a, truth, near);
                    n_pairs += truth.size();
                    for (const auto& [i, j] : truth) n_unreal += !a.copies[i].real || !a.copies[j].real;
                }
                if (balls.size() > 20) {
                    EXPECT_GT(n_pairs, 100u);
                    EXPECT_TRUE(n_unreal > 5 || name == "one cube");
                }
            }
        }
}

// The order kept by MR sort while balls move calmly, jump, leave, arrive and step over periodic faces.
TEST(MrSearch, FindsExactlyAllPairsAfterMotion) {
    for (const auto& periodic : periods) {
        if (periodic[2]) continue;  // needs ghosts: tests/decomposition
        for (const std::string name : scene_names) {
            SCOPED_TRACE(name + ", " + words(periodic));
            const Cubes cubes = cubes_of({5, 4, 6}, periodic);
            const Domain& d = cubes.domain();
            const PositionLattice lattice(d);
            auto balls = scene(name, cubes, 23);
            RebuildInSmall rank(cubes);
            Dice dice(5);
            int n_wraps = 0;
            const auto move = [&](Vec3d& x, const Vec3d& by) {
                x = lattice.snap(x + by);
                for (int axis = 0; axis < 3; ++axis) {
                    const double lower = at(d.lower, axis), upper = at(d.upper, axis), length = upper - lower;
                    double& c = at(x, axis);
                    if (!d.periodic[axis]) c = std::clamp(c, lower, upper);
                    else if (c < lower) c += length, ++n_wraps;
                    else if (c >= upper) c -= length, ++n_wraps;
                }
            };
            for (int round = 0; round < 12; ++round) {
                SCOPED_TRACE("round " + std::to_string(round));
                rank.rebuild(balls);
                const Bodies& mine = rank.bodies();
                const Arranged truth = arrange(balls, cubes);
                ASSERT_EQ(mine.size, truth.bodies.size);
                EXPECT_EQ(mine.real, truth.bodies.real);
                for (Index i = 0; i < mine.size; ++i) {
                    ASSERT_EQ(mine.id(i), truth.bodies.id(i));
                    ASSERT_EQ(mine.cube(i), truth.bodies.cube(i));
                    ASSERT_TRUE(same_bits(mine.position, i, truth.bodies.position, i));
                }
                EXPECT_EQ(found_by(mr_search, mine, cubes), brute_force(truth, margin));
                EXPECT_EQ(found_by(all_pairs_search, mine, cubes), brute_force(truth, margin));

                const double step = round % 3 == 0 ? 0.05 : round % 3 == 1 ? 0.5 : 1.1;  // m; cubes are 1.1 m
                for (NewBody& b : balls) move(b.position, dice.vector(step));
                if (round % 4 == 2)
                    for (NewBody& b : balls)
                        if (dice.one_in(3)) b.position = lattice.snap(dice.within(d.lower, d.upper));
                if (round % 4 == 1) std::erase_if(balls, [&](const NewBody&) { return dice.one_in(5); });
                if (round % 4 == 3)
                    for (const NewBody& b : scene("random", cubes, 1000 + round, 40)) balls.push_back(b);
            }
            if (periodic[0] || periodic[1]) {
                EXPECT_GT(n_wraps, balls.empty() ? 0 : 10);
            }
        }
    }
}

// A list is made again in the same arrays: nothing of the last one is left, and without need nothing grows.
TEST(MrSearch, MakesAListAnew) {
    const Cubes cubes = cubes_of({5, 4, 6}, {true, true, false});
    PairList list;
    const Arranged many = arrange(scene("random", cubes, 3), cubes),
                   few = arrange(scene("random", cubes, 4, 20), cubes);
    mr_search({many.bodies, cubes, margin, true}, list);
    const auto bytes = list.bytes();
    for (Index slot = 0; slot < list.size; ++slot) {
        list.partner(slot) |= PairList::touching;
        for (int axis = 0; axis < 3; ++axis) list.xi(slot, axis) = 1;
    }
    mr_search({few.bodies, cubes, margin, true}, list);
    EXPECT_EQ(listed(list), brute_force(few, margin));
    mr_search({many.bodies, cubes, margin, true}, list);
    EXPECT_EQ(listed(list), brute_force(many, margin));
    EXPECT_EQ(list.bytes(), bytes);
    for (Index slot = 0; slot < list.size; ++slot) {
        EXPECT_FALSE(list.touches(slot));
        for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(list.xi(slot, axis), 0.0);
    }
}

TEST(MrSearch, KeepsSpringsOnlyForLawsWithHistory) {
    const Cubes cubes = cubes_of({5, 4, 6}, {});
    const Arranged a = arrange(scene("random", cubes, 3), cubes);
    PairList list;
    mr_search({a.bodies, cubes, margin, false}, list);
    EXPECT_EQ(list.xi.size(), 0u);
    EXPECT_EQ(listed(list), brute_force(a, margin));
}

// The same balls in a domain a thousand times as long along every axis.
TEST(MrSearch, MemoryDoesNotKnowTheVolumeOfSpace) {
    const Domain small{{0, 0, 0}, {6, 6, 6}, {}}, large{{0, 0, 0}, {6000, 6000, 6000}, {}};
    const PositionLattice lattice(large);
    const Cubes in_small(small, smallest_edge), in_large(large, smallest_edge);
    ASSERT_GT(in_large.layers(), 5000);
    Dice dice(8);
    std::vector<NewBody> balls;
    for (Id n = 0; n < 500; ++n)
        balls.push_back(ball(n, lattice.snap(dice.within(small.lower, small.upper)), largest_radius));
    const auto measure = [&](const Cubes& cubes) {
        RebuildInSmall rank(cubes);
        rank.rebuild(balls);
        PairList list;
        mr_search({rank.bodies(), cubes, margin, true}, list);
        return std::tuple(listed(list), list.bytes(), list.partner.extent(0), list.begin.extent(0), list.xi.extent(0),
                          rank.bodies().capacity());
    };
    EXPECT_EQ(measure(in_small), measure(in_large));
    EXPECT_GT(std::get<0>(measure(in_small)).size(), 500u);
}

// Digits of the first cube have nothing below them: neighbours of an image there must not borrow from the digit above.
// And the largest domain there may be.
TEST(MrSearch, HoldsInTheLongestDomain) {
    for (const bool periodic : {true, false}) {
        const double length = smallest_edge * (static_cast<double>(digit_mask) - 2 + (periodic ? 0.4 : -0.6));
        Domain d{{0, 0, 0}, {length, length, 40}, {periodic, periodic, false}};
        d = PositionLattice(d).snap(d);
        const Cubes cubes(d, smallest_edge);
        EXPECT_EQ(cubes.count[0], static_cast<int>(digit_mask) - 2);
        const PositionLattice lattice(d);
        Dice dice(9);
        std::vector<NewBody> balls;
        for (Id n = 0; n < 300; ++n) {  // at the four corners
            Vec3d x = dice.within({-1.5, -1.5, 0}, {1.5, 1.5, 6});
            for (const int axis : {0, 1})
                if (at(x, axis) < 0) at(x, axis) += at(d.upper, axis);
            balls.push_back(ball(n, lattice.snap(x), largest_radius));
        }
        const Arranged a = arrange(balls, cubes);
        const Pairs truth = brute_force(a, margin);
        EXPECT_EQ(found_by(mr_search, a.bodies, cubes), truth);
        expect_complete(a, truth, neighbours_of(balls, d));
        EXPECT_GT(truth.size(), 200u);
    }
}

}  // namespace granary::test
