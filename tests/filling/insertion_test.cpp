#include "filling/insertion.hpp"
#include "filling/insertion_queue.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include "core/errors.hpp"
#include "rain.hpp"

using namespace granary;
using granary::test::rain;

namespace {

const Domain box{{0, 0, 0}, {1, 1, 2}, {true, true, false}};

Vec3d nearest_image(Vec3d d, const Domain& domain) {
    for (int k = 0; k < 3; ++k)
        if (domain.periodic[std::size_t(k)]) {
            const double period = at(domain.upper, k) - at(domain.lower, k);
            while (at(d, k) > period / 2) at(d, k) -= period;
            while (at(d, k) < -period / 2) at(d, k) += period;
        }
    return d;
}

// As many balls of the queue as there are places, each at one of them.
std::vector<NewBody> tried_at(const InsertionSpec& s, std::uint64_t seed, std::uint64_t event, std::uint64_t n) {
    std::vector<NewBody> balls;
    for (const Vec3d& x : places(s, seed, event, 0, n))
        balls.push_back(queued_ball(s, seed, event * n + balls.size(), x));
    return balls;
}
std::vector<NewBody> tried_at(const InsertionSpec& s, std::uint64_t seed, std::uint64_t event) {
    return tried_at(s, seed, event, n_trials(s));
}

std::vector<PlacedBall> some_bodies(int n, unsigned seed) {
    std::mt19937 g(seed);
    std::uniform_real_distribution<double> u(0, 1);
    std::vector<PlacedBall> bodies;
    // Some a little outside a periodic face, as between two rebuilds; one much larger than all trials.
    for (int k = 0; k < n; ++k)
        bodies.push_back({{1.02 * u(g) - 0.01, 1.02 * u(g) - 0.01, 1.5 + 0.5 * u(g)}, 0.01 + 0.03 * u(g)});
    bodies.push_back({{0.02, 0.98, 1.7}, 0.2});
    return bodies;
}

}  // namespace

TEST(Insertion, EventsFallOnTheirSteps) {
    const InsertionSpec s = rain();
    EXPECT_FALSE(is_event(s, 0));
    EXPECT_FALSE(is_event(s, 99));
    EXPECT_TRUE(is_event(s, 100));
    EXPECT_FALSE(is_event(s, 149));
    EXPECT_TRUE(is_event(s, 250));
    EXPECT_EQ(event_number(s, 250), 3u);
    EXPECT_EQ(wanted(s, 0), 120u);
    EXPECT_EQ(wanted(s, 950), 50u);
    EXPECT_EQ(wanted(s, 1000), 0u);
}

TEST(Insertion, PlacesAreAFunctionOfTheEvent) {
    InsertionSpec s = rain();
    const auto a = places(s, 1, 7, 0, 2000);
    ASSERT_EQ(a.size(), 2000u);
    EXPECT_EQ(a, places(s, 1, 7, 0, 2000));
    EXPECT_EQ(std::vector<Vec3d>(a.begin() + 40, a.begin() + 90), places(s, 1, 7, 40, 90));
    EXPECT_NE(a[0], places(s, 2, 7, 0, 1)[0]);
    EXPECT_NE(a[0], places(s, 1, 8, 0, 1)[0]);
    s.stream = 1;
    EXPECT_NE(a[0], places(s, 1, 7, 0, 1)[0]);
    EXPECT_NE(queued_ball(s, 1, 3, {}).radius, queued_ball(s, 1, 4, {}).radius);
    EXPECT_EQ(queued_ball(s, 1, 3, {}).radius, queued_ball(s, 1, 3, {1, 2, 3}).radius);
}

TEST(Insertion, PlacesFillTheirBoxAndBallsTheirRangeOfRadii) {
    const InsertionSpec s = rain();
    double mean = 0, x = 0, lowest = 9, highest = 0, least_x = 9, most_x = 0;
    for (const NewBody& t : tried_at(s, 3, 0, 40000)) {
        ASSERT_TRUE(t.radius >= 0.02 && t.radius <= 0.04);
        mean += t.radius / 40000, x += t.position.x / 40000;
        lowest = std::min(lowest, t.position.z), highest = std::max(highest, t.position.z);
        least_x = std::min(least_x, t.position.x), most_x = std::max(most_x, t.position.x);
        EXPECT_EQ(t.material, 2);
        EXPECT_EQ(t.velocity, (Vec3d{0, 0, -3}));
        EXPECT_EQ(t.mass, make_ball(0, {}, t.radius, 1500, 0, {}).mass);
    }
    EXPECT_NEAR(mean, 0.03, 5 * 0.02 / std::sqrt(12.0 * 40000));  // five standard deviations
    EXPECT_NEAR(x, 0.5, 5 / std::sqrt(12.0 * 40000));
    EXPECT_GE(lowest, 1.6 + 0.04);  // the largest is wholly inside
    EXPECT_LT(lowest, 1.641);
    EXPECT_LE(highest, 1.9 - 0.04);
    EXPECT_GT(highest, 1.859);
    EXPECT_GE(least_x, 0);  // along a period the centres go up to the faces
    EXPECT_LT(least_x, 0.001);
    EXPECT_LT(most_x, 1);
    EXPECT_GT(most_x, 0.999);
}

// Room is the distance to the nearest surface, through a face too; far away it may be said to be any that is enough.
TEST(Insertion, RoomIsThatOfAllPairs) {
    const auto free = places(rain(), 5, 2, 0, 2000);
    const auto bodies = some_bodies(300, 8);
    std::vector<double> room(free.size(), 1e9), halves(free.size(), 1e9);
    limit_room(bodies, free, 0.04, box, room);
    const std::span<const PlacedBall> all(bodies);
    limit_room(all.first(100), free, 0.04, box, halves);
    limit_room(all.subspan(100), free, 0.04, box, halves);
    int narrow = 0;
    for (std::size_t t = 0; t < free.size(); ++t) {
        double least = 1e9;
        for (const PlacedBall& b : bodies)
            least = std::min(least, norm(nearest_image(free[t] - b.position, box)) - b.radius);
        if (least <= 0.04) {
            ++narrow;
            EXPECT_NEAR(room[t], least, 1e-12);
            EXPECT_LT(room[t], least);
        } else {
            EXPECT_GT(room[t], 0.04);
        }
        EXPECT_EQ(std::min(room[t], 0.04), std::min(halves[t], 0.04));
    }
    EXPECT_GT(narrow, 500);
    InsertionSpec tube = rain();
    tube.inside = {{0.5, 0.5, 0}, {0, 0, 1}, 0.3};
    const auto left = room_in_region(tube, free);
    for (std::size_t t = 0; t < free.size(); ++t)
        EXPECT_NEAR(left[t], 0.3 - std::hypot(free[t].x - 0.5, free[t].y - 0.5), 1e-14);
}

// Each ball of a queue gets the next place where it fits, the others wait for it; none touches another.
TEST(Insertion, BallsOfAQueueAreSeatedInTheirOrder) {
    const InsertionSpec s = rain();
    const auto free = places(s, 5, 4, 0, 2000);
    std::vector<double> room(free.size(), 1e9);
    limit_room(some_bodies(100, 3), free, 0.04, box, room);
    QueueSeats seats(free, room, 0.04, box);
    std::vector<NewBody> seated;
    std::size_t from = 0;
    for (;;) {
        const NewBody ball = queued_ball(s, 5, seated.size(), {});
        const auto seat = seats.next(ball.radius);
        const std::size_t end = seat.value_or(free.size());
        for (std::size_t t = from; t <= end && t < free.size(); ++t) {
            bool fits = ball.radius < room[t];
            for (const NewBody& o : seated)
                fits = fits && norm(nearest_image(free[t] - o.position, box)) > ball.radius + o.radius;
            EXPECT_EQ(fits, t == end) << t;
        }
        if (!seat) break;
        seats.take(*seat, ball.radius);
        seated.push_back(queued_ball(s, 5, seated.size(), free[*seat]));
        from = *seat + 1;
    }
    EXPECT_GT(seated.size(), 50u);
    EXPECT_FALSE(seats.next(0.001));  // the places are at their end
}

TEST(Insertion, MarksAreThoseOfAllPairs) {
    const auto tried = tried_at(rain(), 5, 2);
    const auto bodies = some_bodies(300, 1);
    const auto blocked = blocked_by(bodies, tried, box);
    ASSERT_EQ(blocked.size(), tried.size());
    for (std::size_t t = 0; t < tried.size(); ++t) {
        bool truth = false;
        for (const PlacedBall& b : bodies)
            truth |= norm(nearest_image(tried[t].position - b.position, box)) <= tried[t].radius + b.radius;
        EXPECT_EQ(bool(blocked[t]), truth) << t;
    }
    const auto n = std::count(blocked.begin(), blocked.end(), 1);
    EXPECT_GT(n, 200);
    EXPECT_LT(n, 1900);
    EXPECT_TRUE(blocked_by(bodies, {}, box).empty());
    const auto none = blocked_by({}, tried, box);
    EXPECT_EQ(std::count(none.begin(), none.end(), 0), 2000);
}

TEST(Insertion, TouchingIsBlockedAlsoThroughAFace) {
    const std::vector<NewBody> tried{make_ball(0, {0.125, 0.5, 1}, 0.125, 1, 0, {})};
    const auto blocked = [&](double x, double r) {
        return blocked_by(std::vector<PlacedBall>{{{x, 0.5, 1}, r}}, tried, box)[0];
    };
    EXPECT_EQ(blocked(0.5, 0.25), 1);  // exactly touching
    EXPECT_EQ(blocked(0.5, 0.2499), 0);
    EXPECT_EQ(blocked(0.875, 0.125), 1);  // through the face: 1.125 - 0.875
    EXPECT_EQ(blocked(0.875, 0.1249), 0);
    EXPECT_EQ(blocked(-0.125, 0.125), 1);
    const Domain open{box.lower, box.upper, {}};
    EXPECT_EQ(blocked_by(std::vector<PlacedBall>{{{0.875, 0.5, 1}, 0.125}}, tried, open)[0], 0);
}

TEST(Insertion, AnySplitOfTheBodiesGivesTheSame) {
    const auto tried = tried_at(rain(), 5, 2);
    auto bodies = some_bodies(500, 2);
    const auto whole = accept(tried, blocked_by(bodies, tried, box), 120, box);
    std::shuffle(bodies.begin(), bodies.end(), std::mt19937(4));
    for (std::size_t callers : {2u, 3u, 8u}) {
        std::vector<char> marks(tried.size(), 0);
        for (std::size_t c = 0; c < callers; ++c) {
            const std::size_t first = c * bodies.size() / callers, end = (c + 1) * bodies.size() / callers;
            const auto part = blocked_by(std::span(bodies).subspan(first, end - first), tried, box);
            for (std::size_t t = 0; t < marks.size(); ++t) marks[t] |= part[t];
        }
        EXPECT_EQ(accept(tried, marks, 120, box), whole);
    }
}

TEST(Insertion, AcceptedBallsNeverOverlap) {
    const auto tried = tried_at(rain(), 5, 3);
    const auto bodies = some_bodies(100, 3);
    const auto accepted = accept(tried, blocked_by(bodies, tried, box), 1000000, box);
    EXPECT_GT(accepted.size(), 150u);  // about a fifth of the box's volume
    EXPECT_TRUE(std::is_sorted(accepted.begin(), accepted.end()));
    int across = 0;
    for (std::size_t i : accepted) {
        for (std::size_t j : accepted) {
            if (j >= i) continue;
            const Vec3d plain = tried[i].position - tried[j].position, d = nearest_image(plain, box);
            EXPECT_GE(norm(d), tried[i].radius + tried[j].radius);
            across += norm(d) < norm(plain) && norm(d) < 0.1;
        }
        for (const PlacedBall& b : bodies)
            EXPECT_GE(norm(nearest_image(tried[i].position - b.position, box)), tried[i].radius + b.radius);
    }
    EXPECT_GT(across, 0);  // neighbours through a periodic face were met
}

TEST(Insertion, AcceptsInOrderUpToTheCount) {
    const auto tried = tried_at(rain(), 5, 4);
    const std::vector<char> free(tried.size(), 0);
    const auto all = accept(tried, free, 1000000, box), some = accept(tried, free, 37, box);
    ASSERT_EQ(some.size(), 37u);
    EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
    EXPECT_EQ(all[0], 0u);  // nothing is in the way of the first
    // Greedy: a trial left out overlaps an accepted one of a lower number.
    for (std::size_t t = 0; t < tried.size(); ++t) {
        if (std::binary_search(all.begin(), all.end(), t)) continue;
        EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](std::size_t o) {
            return o < t &&
                   norm(nearest_image(tried[t].position - tried[o].position, box)) <= tried[t].radius + tried[o].radius;
        })) << t;
    }
    EXPECT_TRUE(accept(tried, free, 0, box).empty());
    EXPECT_TRUE(accept(tried, std::vector<char>(tried.size(), 1), 10, box).empty());
}

TEST(Insertion, AWholeRunOfEventsPutsInExactlyTheTotal) {
    InsertionSpec s = rain();
    s.total = 333, s.per_event = 40;
    std::uint64_t inserted = 0, events = 0;
    for (std::uint64_t step = 0; step < 100000 && wanted(s, inserted) > 0; ++step) {
        if (!is_event(s, step)) continue;
        const auto tried = tried_at(s, 1, event_number(s, step));
        inserted += accept(tried, std::vector<char>(tried.size(), 0), wanted(s, inserted), box).size();
        ++events;
    }
    EXPECT_EQ(inserted, 333u);
    EXPECT_EQ(events, 9u);  // eight times 40 and a rest of 13
}

TEST(Insertion, WrongSpecsAreNamed) {
    const auto with = [](auto change) -> std::string {
        InsertionSpec s = rain();
        change(s);
        try {
            validate(s);
        } catch (const InputError& e) {
            return e.what();
        }
        return "nothing thrown";
    };
    EXPECT_EQ(with([](InsertionSpec&) {}), "nothing thrown");
    EXPECT_NE(with([](InsertionSpec& s) { s.upper.z = 1.65; }).find("insertion 'rain': along z"), std::string::npos);
    EXPECT_NE(with([](InsertionSpec& s) { s.upper.x = -1; }).find("along x"), std::string::npos);
    EXPECT_NE(with([](InsertionSpec& s) { s.total = 0; }).find("total"), std::string::npos);
    EXPECT_NE(with([](InsertionSpec& s) { s.per_event = 0; }).find("at one event is 0"), std::string::npos);
    EXPECT_NE(with([](InsertionSpec& s) { s.trials_per_event = 5; }).find("5 trials cannot"), std::string::npos);
    EXPECT_NE(with([](InsertionSpec& s) { s.interval = 0; }).find("interval"), std::string::npos);
    EXPECT_NE(with([](InsertionSpec& s) { s.balls.density = 0; }).find("insertion 'rain': density"), std::string::npos);
}

// ---- Times, batches, mass, packing ---------------------------------------------------------------------------------

// Events at 0.1, 0.3, 0.5, ... s, whatever the steps.
TEST(Insertion, EventsKeepTheirTimesWhenTheStepChanges) {
    InsertionSpec s = rain();
    s.start_time = 0.1, s.interval_time = 0.2;
    set_steps(s, 0.01);
    EXPECT_EQ(s.first_step, 10u);
    EXPECT_EQ(s.interval, 20u);
    EXPECT_EQ(events_until(s, 9), 0u);
    EXPECT_EQ(events_until(s, 10), 1u);
    EXPECT_EQ(events_until(s, 49), 2u);

    set_steps(s, 0.005, 40, 0.4);  // at 0.4 s two events have been; the next is at 0.5 s, 20 steps on
    EXPECT_FALSE(is_event(s, 41));
    EXPECT_TRUE(is_event(s, 60));
    EXPECT_EQ(event_number(s, 60), 2u);
    EXPECT_TRUE(is_event(s, 100));
    EXPECT_EQ(event_number(s, 100), 3u);
    EXPECT_EQ(events_until(s, 41), 2u);

    set_steps(s, 0.02, 60, 0.5);  // at the very step of an event: it is not repeated
    EXPECT_FALSE(is_event(s, 60));
    EXPECT_TRUE(is_event(s, 70));
    EXPECT_EQ(event_number(s, 70), 3u);

    InsertionSpec by_steps = rain();
    set_steps(by_steps, 0.5, 40, 1.0);
    EXPECT_EQ(by_steps.first_step, 100u);
    EXPECT_EQ(by_steps.interval, 50u);
}

TEST(Insertion, AnyBatchOfAPackingIsAPartOfTheWhole) {
    InsertionSpec pack = rain();
    pack.method = InsertionMethod::pack;
    const auto all = trials(pack, 3);
    ASSERT_EQ(all.size(), n_trials(pack));
    ASSERT_GT(all.size(), 100u);
    const auto part = trials(pack, 3, 40, 90);
    ASSERT_EQ(part.size(), 50u);
    for (std::size_t k = 0; k < part.size(); ++k) {
        EXPECT_EQ(part[k].position, all[40 + k].position);
        EXPECT_EQ(part[k].radius, all[40 + k].radius);
    }
}

// One after the other, as a run does; the mass of all, and how many.
std::pair<double, int> filled_to(const InsertionSpec& s, std::uint64_t seed) {
    double mass = 0;
    int n = 0;
    for (std::uint64_t event = 0; event < 1000 && !mass_is_met(s, mass); ++event)
        for (const NewBody& t : tried_at(s, seed, event, 50)) {
            const auto b = fitted_to_mass(s, t, s.mass - mass);
            if (!b) continue;
            EXPECT_LE(b->radius, t.radius * (1 + 1e-12));
            EXPECT_GE(b->radius, s.balls.radius_min * (1 - 1e-9));
            mass += b->mass, ++n;
            if (mass_is_met(s, mass)) break;
        }
    return {mass, n};
}

TEST(Insertion, MassIsMetByTheLastBalls) {
    for (const double widest : {0.0202, 0.021, 0.024, 0.04, 0.2})
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            InsertionSpec s = rain();
            s.balls.radius_max = widest;
            const double a = 0.02, b = widest, mean_cube = (a * a + b * b) * (a + b) / 4;
            const double mean = 4.0 / 3.0 * std::numbers::pi * 1500 * mean_cube;
            s.mass = mean * (120 + 0.37 * static_cast<double>(seed));
            const auto [mass, n] = filled_to(s, seed);
            EXPECT_NEAR(mass, s.mass, 1e-9 * s.mass) << widest << " " << seed;
            EXPECT_NEAR(n, s.mass / mean, 60) << widest << " " << seed;  // radii are still spread evenly
        }
}

TEST(Insertion, EqualBallsStopBelowTheMass) {
    InsertionSpec s = rain();
    s.balls.radius_max = s.balls.radius_min;
    const double one = make_ball(0, {}, 0.02, 1500, 0, {}).mass;
    s.mass = 10.6 * one;
    EXPECT_NEAR(filled_to(s, 1).first, 10 * one, 1e-9 * one);
    EXPECT_EQ(filled_to(s, 1).second, 10);
    s.mass = 10 * one;
    EXPECT_NEAR(filled_to(s, 1).first, 10 * one, 1e-9 * one);
    EXPECT_FALSE(mass_is_met(s, 9 * one));
}

// A flow keeps to its rate, ball by ball: after event n exactly floor((n + 1) due) have come in, arrears included.
TEST(Insertion, AFlowMeetsItsRate) {
    InsertionSpec s = rain();
    s.due = 7.3, s.per_event = 15, s.total = 200;
    std::uint64_t in = 0;
    for (std::uint64_t event = 0; event < 20; ++event) {
        in += wanted(s, in, event);
        EXPECT_EQ(in, static_cast<std::uint64_t>(7.3 * static_cast<double>(event + 1) + 1e-9));
    }
    EXPECT_EQ(wanted(s, 100, 19), 15u);  // far behind: no more than per_event at once
    EXPECT_EQ(wanted(s, 200, 50), 0u);
    EXPECT_EQ(came_in(s, 140, 0, 100 + 19 * 50).text, "140 of 146 balls");
    EXPECT_FALSE(came_in(s, 140, 0, 100 + 19 * 50).all);
    EXPECT_TRUE(came_in(s, 146, 0, 100 + 19 * 50).all);
    s.due = 0, s.mass_due = 2;
    EXPECT_FALSE(enough_mass(s, 5.9, 2));
    EXPECT_TRUE(enough_mass(s, 6.0, 2));
}
