// `copies`: the lifters of jobs/cases/drum.toml are where a drum of twelve bars has them.
#include <gtest/gtest.h>
#include <cmath>
#include <map>
#include <numbers>
#include "plan/plan.hpp"
#include "io/case/case.hpp"
#include "support/silo_case.hpp"
#include "support/source_folder.hpp"

namespace granary::test {

namespace {

constexpr double pi = std::numbers::pi;

// Angle about x, from y towards z, and distance from the axis.
double angle_of(const Vec3d& a) { return std::atan2(a.z, a.y); }
double away(const Vec3d& a) { return std::hypot(a.y, a.z); }
double turn(double a, double b) { return std::remainder(a - b, 2 * pi); }

std::map<std::string, Rectangle> bars(const Setup& s) {
    std::map<std::string, Rectangle> all;
    for (const Wall& w : s.walls)
        if (w.name != "shell") all[w.name] = std::get<Rectangle>(w.shape);
    return all;
}

std::string name_of(const std::string& first, int n) { return n == 0 ? first : first + "-" + std::to_string(n + 1); }

}  // namespace

TEST(Copies, StandEvenlyAroundTheAxisOfTheirMotion) {
    const std::string text = read_case_text(source_path("jobs/cases/drum.toml"));
    for (const char* axis : {"z", "x"}) {  // with slabs along x all vectors are turned on the way in
        const Plan plan = plan_of(text, {std::string("run.slab_axis=") + axis});
        ASSERT_EQ(plan.setup.walls.size(), 37u);
        for (const Wall& w : plan.setup.walls) EXPECT_EQ(w.motion, 0u) << w.name;
        const std::map<std::string, Rectangle> all = bars(plan.setup);
        ASSERT_EQ(all.size(), 36u);
        const auto out = [&](const Vec3d& v) { return plan.setup.axes.out(v); };
        for (int n = 0; n < 12; ++n) {
            const Rectangle &top = all.at(name_of("top", n)), &front = all.at(name_of("front", n)),
                            &back = all.at(name_of("back", n));
            const double at = n * pi / 6;
            const Vec3d middle = out(top.corner + 0.5 * (top.edge_a + top.edge_b));
            EXPECT_NEAR(away(middle), 0.286, 1e-12) << n;
            EXPECT_NEAR(turn(angle_of(middle), at), 0, 1e-12) << n;
            EXPECT_NEAR(middle.x, 0, 1e-12);
            EXPECT_NEAR(norm(top.edge_b), 0.018, 1e-12);
            EXPECT_NEAR(dot(out(top.edge_b), Vec3d{0, -std::sin(at), std::cos(at)}), 0.018, 1e-12);
            // The sides go from the edges of the top to the shell, at 2.93 degrees to both sides.
            for (const auto& [side, sign] : {std::pair{front, 1.0}, std::pair{back, -1.0}}) {
                const Vec3d inner = out(side.corner), outer = out(side.corner + side.edge_b);
                EXPECT_NEAR(norm(inner - out(sign > 0 ? top.corner + top.edge_b : top.corner)), 0, 1e-12) << n;
                EXPECT_NEAR(away(outer), 0.3, 2e-5) << n;
                EXPECT_NEAR(turn(angle_of(outer), at), sign * 0.0512, 1e-4) << n;
                EXPECT_NEAR(out(side.edge_a).x, 0.12, 1e-12);
            }
        }
    }
}

// Each copy is a wall of its own that turns with the others.
TEST(Copies, TurnTogether) {
    const Plan plan = plan_of(read_case_text(source_path("jobs/cases/drum.toml")));
    MovingWalls walls = moving_walls(plan.setup, 0.1);
    const double t = 0.05 + 0.5;  // the ramp of 0.1 s costs half its time; then a third of a turn at 40 rpm
    walls.move_to(t, 1e-5);
    for (std::size_t w = 0; w < walls.walls().size(); ++w) {
        if (walls.walls()[w].name.rfind("top", 0) != 0) continue;
        const Vec3d home = std::get<Rectangle>(walls.home()[w].shape).corner,
                    now = std::get<Rectangle>(walls.walls()[w].shape).corner;
        EXPECT_NEAR(away(now), away(home), 1e-12);
        EXPECT_NEAR(turn(angle_of(now), angle_of(home)), 2 * pi / 3, 1e-9) << walls.walls()[w].name;
    }
}

}  // namespace granary::test
