#include "motion/staleness.hpp"
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include "core/position_lattice.hpp"
#include "search/mr_search_munjiza2006.hpp"
#include "support/arranged.hpp"
#include "support/dice.hpp"

namespace granary::test {

namespace {

using Step = Staleness::Step;
constexpr double infinity = std::numeric_limits<double>::infinity();

// The rule as the step uses it: an answer is read at the step after its check. f(step, rebuilt) moves the system by one
// step and returns the largest displacement since the last rebuild and the largest speed.
template <class F> int walk(Staleness& rule, Step n, double speed, F&& f) {
    int n_rebuilds = 0;
    bool under_way = false;
    Extremes last;
    rule.rebuilt(0, speed);
    for (Step step = 1; step <= n; ++step) {
        if (under_way) rule.learn(step - 1, last.displacement, last.speed);
        under_way = false;
        const bool rebuild = rule.rebuild_due(step);
        last = f(step, rebuild);
        if (rebuild) rule.rebuilt(step, last.speed), ++n_rebuilds;
        if (rule.check_due(step)) under_way = true;
    }
    return n_rebuilds;
}

}  // namespace

// One ball that goes straight on, its speed drawn anew at every step, up to twice what the last check saw and no more.
TEST(Staleness, IsNeverLateWhileSpeedsAtMostDouble) {
    const double skin = 1, dt = 0.01;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Dice dice(seed);
        Staleness rule(skin, dt, 1000000);
        double seen = dice.uniform(0.01, 2), speed = seen, displacement = 0;
        const int n_rebuilds = walk(rule, 2000, seen, [&](Step step, bool rebuild) {
            speed = dice.one_in(3) ? 2 * seen : dice.uniform(0, 2 * seen);
            displacement += speed * dt;
            if (rebuild) displacement = 0;
            EXPECT_LE(displacement, 0.5 * skin * (1 + 1e-12)) << "seed " << seed << " step " << step;
            if (rebuild || rule.check_due(step)) seen = speed = std::clamp(speed, 0.01, 20.0);
            return Extremes{displacement, speed};
        });
        EXPECT_EQ(rule.n_late(), 0u);
        EXPECT_GT(n_rebuilds, 3) << "seed " << seed;
    }
}

// The list itself: while the rule holds, every pair that touches is in it.
TEST(Staleness, ListHoldsEveryTouchingPairInRandomWalks) {
    const double r = 0.5, skin = 0.2, dt = 0.01;
    const Domain d{{0, 0, 0}, {6, 6, 6}, {}};
    const Cubes cubes(d, 2 * r + skin);
    Dice dice(1);
    std::vector<NewBody> balls;
    for (Id n = 0; n < 120; ++n) {
        balls.push_back(ball(n, dice.within(d.lower, d.upper), dice.uniform(0.6 * r, r)));
        balls.back().velocity = dice.vector(1);
    }
    std::set<std::pair<Id, Id>> list;
    const auto make_list = [&] {
        const Arranged a = arrange(balls, cubes);
        PairList pairs;
        mr_search({a.bodies, cubes, skin, false}, pairs);
        list.clear();
        for (const auto& [i, j] : listed(pairs)) list.insert(std::minmax(a.bodies.id(i), a.bodies.id(j)));
    };
    const auto speed = [&] {
        double most = 0;
        for (const NewBody& b : balls) most = std::max(most, norm(b.velocity));
        return most;
    };
    make_list();
    std::vector<NewBody> reference = balls;
    Staleness rule(skin, dt, 1000);
    int n_found_later = 0;
    std::set<std::pair<Id, Id>> touched_before;
    const int n_rebuilds = walk(rule, 400, speed(), [&](Step, bool rebuild) {
        for (NewBody& b : balls) {
            b.velocity += dice.vector(0.05);
            b.position += b.velocity * dt;
            for (int axis = 0; axis < 3; ++axis)
                if (at(b.position, axis) < 0 || at(b.position, axis) > 6) {
                    at(b.velocity, axis) = -at(b.velocity, axis);
                    at(b.position, axis) = std::clamp(at(b.position, axis), 0.0, 6.0);
                }
        }
        if (rebuild) make_list(), reference = balls;
        double displacement = 0;
        for (std::size_t i = 0; i < balls.size(); ++i) {
            displacement = std::max(displacement, norm(balls[i].position - reference[i].position));
            for (std::size_t j = i + 1; j < balls.size(); ++j) {
                if (norm(balls[i].position - balls[j].position) >= balls[i].radius + balls[j].radius) continue;
                EXPECT_TRUE(list.count({i, j})) << i << " and " << j;
                n_found_later += touched_before.insert({i, j}).second;
            }
        }
        return Extremes{displacement, speed()};
    });
    EXPECT_EQ(rule.n_late(), 0u);
    EXPECT_GT(n_rebuilds, 20);
    EXPECT_GT(n_found_later, 300);
}

// Steady motion: the list lives as long as half the skin lasts, but for the factor of two near its end.
TEST(Staleness, DoesNotWasteTheSkin) {
    const double skin = 1, dt = 0.01, speed = 1;  // fifty steps for half a skin
    Staleness rule(skin, dt, 1000000);
    double displacement = 0;
    const int n_rebuilds = walk(rule, 10000, speed, [&](Step, bool rebuild) {
        displacement = rebuild ? 0 : displacement + speed * dt;
        return Extremes{displacement, speed};
    });
    EXPECT_GE(n_rebuilds, 10000 / 52);
    EXPECT_LE(n_rebuilds, 10000 / 45);
}

TEST(Staleness, CountsWhatItSawTooLate) {
    Staleness rule(1, 0.01, 1000);
    rule.rebuilt(0, 1);
    Step check = 1;
    while (!rule.check_due(check)) ++check;
    EXPECT_EQ(check, Staleness::farthest_check);  // 25 steps would be safe; rest may end, so it looks at 20
    rule.learn(check, 0.6, 50);                   // sped up far more than twice
    EXPECT_EQ(rule.n_late(), 1u);
    EXPECT_TRUE(rule.rebuild_due(check + 1));
    rule.rebuilt(check + 1, 50);  // half a metre a step, as long as half the skin: at every step
    EXPECT_TRUE(rule.rebuild_due(check + 2));
}

TEST(Staleness, LooksAgainAtRestAndGivesUpOnNaN) {
    Staleness rule(1, 0.01, 1000);
    rule.rebuilt(100, 0);
    EXPECT_TRUE(rule.check_due(100 + Staleness::farthest_check));
    EXPECT_FALSE(rule.rebuild_due(101));
    rule.learn(120, 0, 0);
    EXPECT_FALSE(rule.rebuild_due(121));
    rule.learn(140, std::numeric_limits<double>::quiet_NaN(), 0);
    EXPECT_TRUE(rule.rebuild_due(141));
    rule.rebuilt(141, 0);
    rule.learn(161, infinity, infinity);
    EXPECT_TRUE(rule.rebuild_due(162));
    Staleness no_skin(0, 0.01, 1000);
    no_skin.rebuilt(0, 0);
    EXPECT_TRUE(no_skin.rebuild_due(1));
}

TEST(Staleness, LongestInterval) {
    Staleness rule(1, 0.01, 7);
    rule.rebuilt(10, 0);
    EXPECT_FALSE(rule.rebuild_due(16));
    EXPECT_TRUE(rule.rebuild_due(17));
    EXPECT_TRUE(rule.rebuild_due(18));
}

TEST(Staleness, ExtremesOfRealBodiesOnly) {
    Bodies b;
    b.reserve(4);
    b.size = 4;
    b.owned = {1, 4};
    b.real = {{1, 2}, {3, 4}};
    for (Index i = 0; i < 4; ++i) {
        b.put(i, ball(i, {1, 1, 1}, 0.1));
        for (int axis = 0; axis < 3; ++axis) b.reference(i, axis) = 1;
    }
    EXPECT_EQ(extremes(b).displacement, 0);
    EXPECT_EQ(extremes(b).speed, 0);
    b.position(0, 0) = b.position(2, 0) = 1e9, b.velocity(0, 0) = b.velocity(2, 1) = 1e9;  // ghost and image
    b.position(1, 0) = 1.5, b.velocity(1, 1) = -2;
    b.position(3, 1) = -2, b.position(3, 2) = 5, b.velocity(3, 0) = 1;
    EXPECT_DOUBLE_EQ(extremes(b).displacement, 5);
    EXPECT_DOUBLE_EQ(extremes(b).speed, 2);
    for (double* number : {&b.position(1, 2), &b.velocity(3, 1)})
        for (const double bad : {std::numeric_limits<double>::quiet_NaN(), infinity}) {
            const double good = *number;
            *number = bad;
            EXPECT_EQ(extremes(b).displacement, infinity);
            EXPECT_EQ(extremes(b).speed, infinity);
            *number = good;
        }
    b.real.clear();
    EXPECT_EQ(extremes(b).displacement, 0);
    EXPECT_EQ(extremes(b).speed, 0);
}

}  // namespace granary::test
