// What stops a run: a ball lost, a number that is none, a ball too fast. One rank sees it; all ranks stop at the same
// step with the same words, and the words name the ball, the place, the speed, the step, the rank and a likely cause.
#include <gtest/gtest.h>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <string>
#include <vector>
#include "core/errors.hpp"
#include "support/busy_box.hpp"
#include "support/few_balls.hpp"
#include "support/given_bodies.hpp"
#include "support/sub_communicators.hpp"

namespace granary::guards_test {

using namespace granary::test;

namespace {

struct End {
    std::vector<std::string> texts;    // of every rank
    std::vector<std::uint64_t> steps;  // done when it ended
    template <class Archive> void serialize(Archive& a, unsigned) { a& texts& steps; }
};

// The texts of the errors with which each rank ends, "" if it comes through.
End end_of(const boost::mpi::communicator& comm, const Setup& setup, std::uint64_t steps) {
    std::string text;
    std::uint64_t done = 0;
    try {
        Simulation sim(comm, setup);
        for (; done < steps; ++done) sim.step();
    } catch (const RunError& e) {
        text = e.what();
    }
    End end;
    boost::mpi::all_gather(comm, text, end.texts);
    boost::mpi::all_gather(comm, done, end.steps);
    return end;
}

// The text of the run's end, the same on all ranks at the same step; without the rank's number, which depends on how
// many there are.
std::string expect_one_end(const Setup& setup, std::uint64_t steps) {
    std::vector<std::string> by_count;
    for (const int n : rank_counts()) {
        SCOPED_TRACE(std::to_string(n) + " ranks");
        const End end = on_ranks(n, [&](const auto& comm) { return end_of(comm, setup, steps); });
        for (const std::string& text : end.texts) EXPECT_EQ(text, end.texts.front());
        for (const std::uint64_t step : end.steps) EXPECT_EQ(step, end.steps.front());
        std::string text = end.texts.front();
        const std::size_t rank = text.find("rank ");
        EXPECT_NE(rank, std::string::npos) << text;
        if (rank == std::string::npos) return text;
        const int number = std::stoi(text.substr(rank + 5));
        EXPECT_GE(number, 0);
        EXPECT_LT(number, n);
        by_count.push_back(text.replace(rank + 5, std::to_string(number).size(), "?"));
        EXPECT_EQ(by_count.back(), by_count.front());
    }
    return by_count.front();
}

void expect_words(const std::string& text, const std::vector<std::string>& words) {
    for (const std::string& word : words)
        EXPECT_NE(text.find(word), std::string::npos) << '\'' << word << "' in: " << text;
}

// The busy box and some balls of the test's own.
Setup box_with(const std::vector<NewBody>& more) {
    Setup s = busy_box();
    std::vector<NewBody> balls = all_bodies(s);
    balls.insert(balls.end(), more.begin(), more.end());
    s.start = shares_of(std::move(balls));
    return s;
}

constexpr double r = 2.5e-3;

}  // namespace

TEST(Guards, BallShotThroughTheBorder) {
    // Upwards at 3 m/s from 15 mm below the upper border, where there is neither wall nor outlet: it gets there at step
    // 250.
    const std::string text = expect_one_end(box_with({ball(1000, {0.03, 0.025, 0.135}, r, 2500, {0, 0, 3})}), 600);
    expect_words(text, {"lost: ball 1000 of radius 0.0025 m", "at (0.03", ", 0.15", "speed 2.9", "step 2", "rank ?",
                        "has left the domain along z without crossing an outlet", "Likely cause"});
}

// A ball that leaves through a periodic face and one that leaves by an outlet are no reason to stop.
TEST(Guards, PeriodicFacesAndOutletsAreNoBorders) {
    const auto make = [] {
        return box_with({ball(1000, {0.001, 0.025, 0.02}, r, 2500, {-2, 0, -3}),
                         ball(1001, {0.03, 0.049, 0.112}, r, 2500, {0, 3, 0})});
    };
    for (const int n : rank_counts()) {
        const End end = on_ranks(n, [&](const auto& comm) { return end_of(comm, make(), 300); });
        for (const std::string& text : end.texts) EXPECT_EQ(text, "");
    }
}

// Balls that have left by an outlet may be beyond the border, too, until the next rebuild takes them away: not they are
// lost.
TEST(Guards, TheBallThatIsLostIsNamedAmongThoseThatLeft) {
    std::vector<NewBody> balls{ball(1000, {0.03, 0.025, 0.0883}, r, 2500, {0, 0, 3})};  // at the border at step 195
    for (int k = 0; k < 60; ++k)                                                        // one at every step from 167 on
        balls.push_back(ball(static_cast<Id>(k), {0.003 + 0.006 * (k % 10), 0.003 + 0.006 * (k / 10), 0.01 + 6e-5 * k},
                             r, 2500, {0, 0, -3}));
    auto s = few_balls({{0, 0, 0}, {0.06, 0.05, 0.1}, {}}, 2e-5, balls);
    s.materials = {busy_grain()};
    s.skin = 4e-4;
    s.outlets = {{"hole", {0, 0, 1e-4}, {0, 0, 1}}};
    expect_words(expect_one_end(s, 400), {"lost: ball 1000 of", "along z"});
}

// Two balls at one place have no normal.
TEST(Guards, NotANumber) {
    const Vec3d place{0.03, 0.025, 0.112};
    const std::string text = expect_one_end(box_with({ball(1000, place, r, 2500), ball(1001, place, r, 2500)}), 600);
    expect_words(text, {"not a number: ball 1000", "radius 0.0025 m", "nan", "step ", "rank ?",
                        "Likely cause: two balls created at the same position", "dt = 2e-05"});
}

// Deep overlap at the start drives balls apart with more than half a search cell a step.
TEST(Guards, TooFast) {
    auto s = box_with({ball(1000, {0.03, 0.025, 0.112}, r, 2500), ball(1001, {0.03, 0.025, 0.1122}, r, 2500)});
    s.materials[0].young = 5e11;
    const std::string text = expect_one_end(s, 600);
    expect_words(text, {"too fast: ball 100", "radius 0.0025 m", "at (0.03", "speed ", "step ", "rank ?",
                        "more than half a search cell", "Likely cause: a time step too large", "try dt below 2e-06 s"});
}

// Too fast from the very beginning.
TEST(Guards, TooFastAtTheStart) {
    const std::string text = expect_one_end(box_with({ball(1000, {0.03, 0.025, 0.112}, r, 2500, {0, 500, 0})}), 600);
    expect_words(text, {"too fast: ball 1000", "speed 500 m/s", "step 0", "moves 0.01 m in one step"});
}

}  // namespace granary::guards_test
