// Bonds before a run: how many there are, which step they allow, whether they fit the domain.
#include "plan/bond_plan.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <cmath>
#include "contact/bond_time_scales.hpp"
#include "core/errors.hpp"
#include "support/message_of.hpp"
#include "support/silo_case.hpp"

using namespace granary;
using namespace granary::test;

namespace {

std::string bonded_case(const std::string& dt, const std::string& more = "", const std::string& periodic = "") {
    return "[run]\ndt = " + dt + "\nsteps = 1\n" + R"([domain]
lower = [-0.2, -0.2, -0.2]
upper = [0.2, 0.2, 0.2]
)" + periodic +
           R"([[materials]]
name = "rock"
density = 2500.0
young = 5e6
poisson = 0.3
restitution = 0.5
friction = 0.5
[[bonds]]
name = "glue"
young = 5e8
poisson = 0.25
tensile_strength = 1e6
shear_strength = inf
[[clusters]]
name = "cube"
shape = "block"
element_radius = 0.01
bond = "glue"
[[bodies]]
source = "cluster"
copy_of = "cube"
material = "rock"
position = [0, 0, -0.1]
)" + more;
}

const std::string rain =
    "[[insert]]\nmaterial = \"rock\"\ncluster = \"cube\"\nradius = 0.0223\ntotal = 10\nper_event = 1\ninterval = 0.1\n"
    "lower = [-0.2, -0.2, 0.0]\nupper = [0.2, 0.2, 0.2]\n";

}  // namespace

TEST(BondPlan, CountsAndTimeScales) {
    const Plan plan = plan_of(bonded_case("1e-6", rain));
    const CheckReport& r = plan.report;
    EXPECT_EQ(plan.bonds_at_start, 54u);
    EXPECT_EQ(r.n_clusters, 11);
    EXPECT_EQ(r.n_bonds, 11 * 54);
    ASSERT_EQ(r.bonds.size(), 1u);
    const CheckReport::BondKind& b = r.bonds[0];
    EXPECT_EQ(b.bond, "glue");
    EXPECT_EQ(b.partners, 6);                                                                  // the ball in the middle
    const double scale = 0.0223 / plan.setup.clusters[0].outer_radius, radius = 0.01 * scale;  // the smaller copies
    EXPECT_NEAR(b.radius, radius, 1e-12);
    EXPECT_NEAR(b.length, 2 * radius, 1e-12);
    const double mass = 2500 * 4.0 / 3 * M_PI * std::pow(radius, 3);
    EXPECT_NEAR(
        b.stable_step,
        bond_scale(plan.setup.bonds[0], {radius, mass, 0.4 * mass * radius * radius}, 2 * radius, 6).stable_step(),
        1e-12 * b.stable_step);
    EXPECT_GT(r.bond_reach, 0);
    const std::string text = check_text(r);
    EXPECT_NE(text.find("bonds       594 in 11 clusters; when stretched they span gaps up to 2 mm"), std::string::npos)
        << text;
    EXPECT_NE(text.find("stable step"), std::string::npos);
    EXPECT_NE(text.find("breaks: at most 594 rows"), std::string::npos);
    EXPECT_GT(r.memory().steady, memory_of(r.balls.count, r.detector_bytes).steady + 594 * 50);
}

TEST(BondPlan, StepIsLimitedByBonds) {
    const Plan plan = plan_of(bonded_case("\"auto\""));
    const double stable = plan.report.bonds.at(0).stable_step;
    EXPECT_LE(plan.setup.dt, 0.6 * stable);
    EXPECT_GT(plan.setup.dt, 0.5 * stable);  // nothing else is as quick: the balls are a hundred times softer
    const std::string message =
        message_of<InputError>([&] { plan_of(bonded_case(fmt::format("{:.6e}", 0.9 * stable))); });
    EXPECT_NE(message.find("of the step"), std::string::npos) << message;
    EXPECT_NE(message.find("above which bonds become unstable (at most 2/3)"), std::string::npos) << message;
    EXPECT_EQ(
        plan_of(bonded_case(fmt::format("{:.6e}", 0.9 * stable)), {"run.allow_large_dt=true"}).report.bonds.size(), 1u);
}

TEST(BondPlan, PeriodTooShortForBonds) {
    const std::string message = message_of<InputError>([&] {
        plan_of(bonded_case("1e-6", "", "periodic = [\"x\"]\n"),
                {"domain.lower=[-0.022,-0.2,-0.2]", "domain.upper=[0.022,0.2,0.2]", "run.skin=0.0005",
                 "bonds.glue.longest_stretch=0.5"});
    });
    EXPECT_NE(message.find("search cells must also cover stretched bonds, which span gaps up to 10 mm"),
              std::string::npos)
        << message;
}

// Without bonds nothing of this is said.
TEST(BondPlan, BallsAlone) {
    const Plan plan = plan_of(silo_text);
    EXPECT_EQ(plan.report.n_bonds, 0);
    EXPECT_TRUE(plan.report.bonds.empty());
    EXPECT_EQ(plan.bonds_at_start, 0u);
    EXPECT_EQ(check_text(plan.report).find("bonds"), std::string::npos);
    EXPECT_EQ(plan.report.memory().peak,
              memory_of(plan.report.balls.count, plan.report.detector_bytes, plan.report.n_wall_balls).peak);
}
