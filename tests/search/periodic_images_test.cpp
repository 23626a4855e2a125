#include "search/periodic_images.hpp"
#include <gtest/gtest.h>
#include <numeric>
#include "scenes.hpp"

namespace granary::test::periodic_images_test {

namespace {

constexpr std::array<std::array<bool, 3>, 5> periods{
    {{false, false, false}, {true, false, false}, {false, true, false}, {true, true, false}, {true, true, true}}};

// Woven and placed with `offset` ghosts below, from an order made by comparison.
struct Woven {
    RoomVector<PeriodicImages::Place> places;
    PeriodicImages images;
    Bodies bodies;
};

void weave(const std::vector<NewBody>& balls, const Cubes& cubes, Index offset, Woven& w) {
    std::vector<Cube> cube(balls.size());
    std::transform(balls.begin(), balls.end(), cube.begin(), [&](const NewBody& b) { return cubes.of(b.position); });
    std::vector<Index> order(balls.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(),
              [&](Index a, Index b) { return std::pair(cube[a], balls[a].id) < std::pair(cube[b], balls[b].id); });
    w.images.weave(cubes, order, cube.data(), w.places);
    w.bodies.reserve(offset + static_cast<Index>(w.places.size()) + 1);
    w.bodies.size = offset + static_cast<Index>(w.places.size());
    w.bodies.owned = {offset, w.bodies.size};
    for (Index p = 0; p < w.places.size(); ++p) {
        w.bodies.put(offset + p, balls[w.places[p].old_index()]);
        w.bodies.cube(offset + p) = w.places[p].cube(cubes, cube.data());
    }
    w.images.place(cubes, w.places, offset, balls.size(), w.bodies);
}

// What the same rank holds by brute force, without its ghosts; `first` is the place of its first body.
struct Truth {
    Arranged all;
    Index first, n;
};
Truth truth_of(const std::vector<NewBody>& balls, const Cubes& cubes) {
    Truth t{arrange(balls, cubes), 0, 0};
    t.first = t.all.bodies.owned.begin, t.n = t.all.bodies.owned.size();
    return t;
}

}  // namespace

TEST(PeriodicImages, StandInTheirRowsOfTheOneOrder) {
    for (const auto& periodic : periods)
        for (const std::array<int, 3> n : {std::array{5, 4, 6}, std::array{3, 3, 3}})
            for (const std::string name : scene_names)
                for (const Index offset : {Index{0}, Index{7}}) {
                    const Cubes cubes = cubes_of(n, periodic);
                    const auto balls = scene(name, cubes, 31);
                    SCOPED_TRACE(name + (periodic[0] ? ", x" : "") + (periodic[1] ? ", y" : ""));
                    Woven w;
                    weave(balls, cubes, offset, w);
                    const Truth t = truth_of(balls, cubes);
                    ASSERT_EQ(w.places.size(), t.n);
                    for (Index p = 0; p < t.n; ++p) {
                        ASSERT_EQ(w.bodies.id(offset + p), t.all.bodies.id(t.first + p));
                        ASSERT_EQ(w.bodies.cube(offset + p), t.all.bodies.cube(t.first + p));
                        ASSERT_TRUE(same_bits(w.bodies.position, offset + p, t.all.bodies.position, t.first + p));
                        ASSERT_TRUE(same_bits(w.bodies.velocity, offset + p, t.all.bodies.velocity, t.first + p));
                    }
                    std::vector<Range> real = t.all.bodies.real;
                    for (Range& r : real) r = {r.begin - t.first + offset, r.end - t.first + offset};
                    EXPECT_EQ(w.bodies.real, real);
                    EXPECT_EQ(w.bodies.n_real(), balls.size());
                    if (name == "random" && (periodic[0] || periodic[1])) {
                        EXPECT_GT(t.n, balls.size() + 50);
                    }
                }
}

TEST(PeriodicImages, FollowTheirSources) {
    const Cubes cubes = cubes_of({4, 3, 5}, {true, true, false});
    auto balls = scene("random", cubes, 37);
    Woven w;
    weave(balls, cubes, 3, w);
    Dice dice(1);
    const PositionLattice lattice(cubes.domain());
    Truth t = truth_of(balls, cubes);  // keeps the order and the cubes of the last sort
    for (int step = 0; step < 3; ++step) {
        for (NewBody& b : balls) {
            b.position =
                lattice.snap(b.position + dice.vector(0.1));  // also out of the domain: wrapped at the next sort
            b.velocity = dice.vector(1), b.spin = dice.vector(1);
        }
        for (Index p = 0; p < t.n; ++p) {
            const Copy& copy = t.all.copies[t.first + p];
            NewBody body = balls[copy.ball];
            if (copy.real) w.bodies.put(3 + p, body);
            body.position += copy.shift;
            t.all.bodies.put(t.first + p, body);
        }
        // In pieces, as the step does it; every image once.
        const Index end = w.bodies.size;
        for (const Range piece : {Range{3, 3}, Range{3, 40}, Range{40, 41}, Range{41, end}})
            w.images.refresh(w.bodies, piece);
        for (Index p = 0; p < t.n; ++p) {
            ASSERT_TRUE(same_bits(w.bodies.position, 3 + p, t.all.bodies.position, t.first + p));
            ASSERT_TRUE(same_bits(w.bodies.velocity, 3 + p, t.all.bodies.velocity, t.first + p));
            ASSERT_TRUE(same_bits(w.bodies.spin, 3 + p, t.all.bodies.spin, t.first + p));
        }
    }
}

TEST(PeriodicImages, AreRefreshedOnlyInTheRange) {
    const Cubes cubes = cubes_of({4, 3, 5}, {true, true, false});
    const auto balls = scene("random", cubes, 41);
    Woven w;
    weave(balls, cubes, 0, w);
    for (Index i = 0; i < w.bodies.size; ++i) w.bodies.velocity(i, 0) = -1;
    for (const Range& range : w.bodies.real)
        for (Index i = range.begin; i < range.end; ++i) w.bodies.velocity(i, 0) = 5;
    const Range range{100, 200};
    w.images.refresh(w.bodies, range);
    int n_inside = 0, n_outside = 0;
    for (Index i = 0; i < w.bodies.size; ++i) {
        if (!cubes.is_image(w.bodies.cube(i))) continue;
        EXPECT_EQ(w.bodies.velocity(i, 0), range.contains(i) ? 5 : -1) << i;
        ++(range.contains(i) ? n_inside : n_outside);
    }
    EXPECT_GT(n_inside, 5);
    EXPECT_GT(n_outside, 50);
}

}  // namespace granary::test::periodic_images_test
