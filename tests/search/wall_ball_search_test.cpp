// Wall balls are found like by brute force, on any part of the order, and the balls of an open gate are not.
#include "search/wall_ball_search.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <random>

namespace granary::test {
namespace {

const Domain domain{{0, 0, 0}, {1, 1.2, 1.5}, {}};
constexpr double largest = 0.04, wall_largest = 0.06, margin = 0.01;

Bodies ordered_bodies(const Cubes& cubes, unsigned n, std::mt19937& g) {
    std::uniform_real_distribution<double> u(0, 1);
    std::vector<NewBody> made;
    for (unsigned k = 0; k < n; ++k) {
        NewBody b;
        b.id = k, b.position = {u(g), 1.2 * u(g), 1.5 * u(g)}, b.radius = largest * (0.5 + 0.5 * u(g));
        made.push_back(b);
    }
    std::sort(made.begin(), made.end(), [&](const NewBody& a, const NewBody& b) {
        return std::pair(cubes.of(a.position), a.id) < std::pair(cubes.of(b.position), b.id);
    });
    Bodies bodies;
    bodies.reserve(n + 8);
    for (Index i = 0; i < n; ++i) {
        bodies.put(i, made[i]);
        bodies.cube(i) = cubes.of(made[i].position);
    }
    bodies.size = n, bodies.owned = {0, n}, bodies.real = {{0, n}};
    return bodies;
}

std::vector<WallBall> some_wall_balls(unsigned n, std::mt19937& g) {
    std::uniform_real_distribution<double> u(-0.1, 1.1);  // some stand outside of the domain
    std::vector<WallBall> balls;
    for (unsigned k = 0; k < n; ++k)
        balls.push_back({{u(g), 1.2 * u(g), 1.5 * u(g)}, wall_largest * (0.9 + 0.1 * std::abs(u(g))), k, k % 3, 0});
    return balls;
}

TEST(WallBallSearch, FindsWhatAllPairsFind) {
    std::mt19937 g(5);
    const Cubes cubes(domain, largest + 1.02 * wall_largest + margin);
    const Bodies bodies = ordered_bodies(cubes, 700, g);
    WallBallSearch search;
    search.place(some_wall_balls(400, g), cubes);
    ASSERT_EQ(search.balls().size(), 400u);
    for (const std::vector<char>& open : {std::vector<char>{}, std::vector<char>{0, 1, 0}}) {
        std::vector<WallBallCandidate> found;
        search.find(bodies, margin, open, found);
        std::vector<std::pair<Index, std::uint32_t>> truth, got;
        for (Index i = 0; i < bodies.size; ++i)
            for (std::uint32_t w = 0; w < 400; ++w) {
                const WallBall& ball = search.balls()[w];
                const double reach = bodies.radius(i) + ball.radius + margin;
                const Vec3d d = bodies.x(i) - ball.centre;
                if (dot(d, d) < reach * reach && (open.empty() || open[ball.wall] == 0)) truth.emplace_back(i, w);
            }
        for (const WallBallCandidate& c : found) {
            got.emplace_back(c.body, c.ball);
            EXPECT_EQ(c.xi[0], 0);
        }
        EXPECT_EQ(got, truth);  // in this order, too
        EXPECT_GT(truth.size(), 200u);
    }
}

// A rank sees a part of the order; its candidates are that part of the whole.
TEST(WallBallSearch, APartOfTheOrderFindsItsPart) {
    std::mt19937 g(6);
    const Cubes cubes(domain, largest + 1.02 * wall_largest + margin);
    Bodies bodies = ordered_bodies(cubes, 500, g);
    WallBallSearch search;
    search.place(some_wall_balls(300, g), cubes);
    std::vector<WallBallCandidate> whole, part;
    search.find(bodies, margin, {}, whole);
    bodies.real = {{120, 180}, {181, 333}};
    search.find(bodies, margin, {}, part);
    std::erase_if(whole, [](const WallBallCandidate& c) { return c.body < 120 || c.body == 180 || c.body >= 333; });
    ASSERT_EQ(part.size(), whole.size());
    for (std::size_t k = 0; k < part.size(); ++k)
        EXPECT_TRUE(part[k].body == whole[k].body && part[k].ball == whole[k].ball) << k;
}

TEST(WallBallSearch, NoneWithoutWallBalls) {
    std::mt19937 g(7);
    const Cubes cubes(domain, 0.2);
    const Bodies bodies = ordered_bodies(cubes, 10, g);
    WallBallSearch search;
    std::vector<WallBallCandidate> found(3);
    search.place({}, cubes);
    search.find(bodies, margin, {}, found);
    EXPECT_TRUE(found.empty());
}

}  // namespace
}  // namespace granary::test
