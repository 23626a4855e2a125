// Balls in a funnel of triangles, on a hilly floor, beside analytic walls: the same bits on any number of ranks, with wild cuts, and by
// every detector.
#include <gtest/gtest.h>
#include <cmath>
#include "support/busy_box.hpp"
#include "support/story.hpp"
#include "support/triangles.hpp"

using namespace granary;
using namespace granary::test;

namespace {

Setup funnel_of_triangles(std::array<bool, 3> periodic = {}) {
    Setup s;
    s.domain = {{-0.03, -0.03, -0.02}, {0.03, 0.03, 0.06}, periodic};
    s.gravity = {0, 0, -9.81};
    s.dt = 1e-5;
    s.materials = {busy_grain()};
    s.largest_radius = 2.2e-3, s.skin = 4e-4;
    const Triangles walls =
        funnel({0, 0, 0}, 0.015, 0.006, 0.02, 20, 3) + funnel({0, 0, 0.015}, 0.04, 0.02, 0.02, 20, 2);
    const Triangles hills = sheet(12, 12, [](double u, double v) {
        return Vec3d{0.04 * u - 0.02, 0.04 * v - 0.02, -0.008 + 0.002 * std::sin(20 * u) * std::cos(17 * v)};
    });
    s.walls = {make_wall("funnel", mesh_wall(walls), 0), make_wall("floor", Plane{{0, 0, -0.02}, {0, 0, 1}}, 0),
               make_wall("hills", mesh_wall(hills), 0)};
    s.bodies = [](const BodySink& sink) {
        RandomLoose packing;
        packing.lower = {-0.013, -0.013, 0.016}, packing.upper = {0.013, 0.013, 0.05}, packing.count = 170;
        packing.balls = {1.8e-3, 2.2e-3, 2500, 0, {0, 0, -1.2}};
        for_each(packing, 5, [&](const NewBody& b) { sink(b, {}); });
    };
    return s;
}

}  // namespace

TEST(SameBits, InAFunnelOfTriangles) {
    const ManyStories stories = expect_same_on_any_ranks([] { return funnel_of_triangles(); }, 3000);
    EXPECT_GT(stories.of[0].contacts, 100u);
    EXPECT_NE(stories.of[0].load, 0);
    for (std::size_t k = 1; k < stories.of.size(); ++k) EXPECT_GT(stories.of[k].migrations, 50u);
}

TEST(SameBits, InAFunnelOfTrianglesWithWildCuts) {
    expect_same_on_any_ranks(
        [] {
            auto s = funnel_of_triangles({false, false, true});
            s.walls.erase(s.walls.begin() + 1);  // what falls through the funnel comes in again above
            s.choose_cuts = shaken_cuts;
            return s;
        },
        1500);
}

TEST(SameBits, InAFunnelOfTrianglesByEveryDetector) {
    const auto with = [](Detector detector) {
        return [=] {
            auto s = funnel_of_triangles();
            s.detector = detector;
            return s;
        };
    };
    const auto alone = [&](Detector detector) {
        return on_ranks(1, [&](const auto& comm) { return run_story(comm, with(detector)(), 1500); });
    };
    const Story mr = alone(Detector::mr);
    for (const Detector detector : {Detector::mmr, Detector::fixed_cubes, Detector::all_pairs})
        expect_same(alone(detector), mr);
}

// Both meshes move: the funnel shakes, the hills turn.
TEST(SameBits, InAFunnelOfTrianglesThatMoves) {
    const ManyStories stories = expect_same_on_any_ranks(
        [] {
            auto s = funnel_of_triangles();
            WallMotion shake, turn;
            shake.name = "shake", shake.type = WallMotion::Type::vibrate, shake.along = {4e-4, 2e-4, 0},
            shake.frequency = 60;
            turn.name = "turn", turn.type = WallMotion::Type::rotate, turn.axis = {0, 0, 1}, turn.angular = 8;
            s.motions = {shake, turn};
            s.walls[0].motion = 0, s.walls[2].motion = 1;
            return s;
        },
        2000);
    EXPECT_GT(stories.of[0].contacts, 100u);
}
