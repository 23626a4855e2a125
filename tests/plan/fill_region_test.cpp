// Boxes of fillings inside cylinders of [[walls]]: where balls may appear, and what is said of a box that a cylinder
// cuts.
#include "plan/fill_region.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <fstream>
#include "run/stages.hpp"
#include "support/scratch_folder.hpp"
#include "support/silo_case.hpp"
#include "support/triangles.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

// A round bin of radius 0.04 that is filled by a box of this half width.
std::string bin(const std::string& half, const std::string& more = "") {
    return R"([run]
dt = 1e-4
[domain]
lower = [-0.09, -0.09, -0.02]
upper = [0.09, 0.09, 0.16]
[[materials]]
name = "grain"
density = 1400.0
young = 1e6
poisson = 0.3
restitution = 0.4
friction = 0.5
[[walls]]
name = "floor"
type = "disc"
centre = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
radius = 0.04
material = "grain"
[[walls]]
name = "shell"
type = "cylinder"
bottom = [0.0, 0.0, -0.01]
top = [0.0, 0.0, 0.15]
radius = 0.04
material = "grain"
[[stages]]
type = "fill"
method = "dense"
material = "grain"
count = 1300
radius = 0.004
lower = [-)" +
           half + ", -" + half + ", 0.0]\nupper = [" + half + ", " + half + ", 0.1]\n" + more;
}

Case read(const std::string& text) { return read_case(text, "case.toml"); }

}  // namespace

TEST(FillRegion, CornersOfABoxAreLeftOut) {
    const Plan plan = plan_of(bin("0.04"));
    EXPECT_TRUE(plan.remarks.empty());
    EXPECT_EQ(plan.stages[0].insertions[0].inside.radius, 0.04);
    Simulation sim(boost::mpi::communicator(), plan.setup);
    run_stage(
        sim, plan.stages[0], {}, [](const Simulation&) {}, [](const Simulation&) {});
    const Bodies& b = sim.bodies();
    EXPECT_GT(ledger_of(sim).inside, 500u);
    for (const Range& range : b.real)
        for (Index i = range.begin; i < range.end; ++i)
            EXPECT_LT(std::hypot(b.x(i).x, b.x(i).y), 0.04) << "ball " << b.id(i);
}

TEST(FillRegion, ABoxThatIsTooWideIsWarnedOf) {
    const Plan plan = plan_of(bin("0.05"));
    EXPECT_EQ(plan.stages[0].insertions[0].inside.radius, 0);
    EXPECT_EQ(plan.remarks,
              std::vector<std::string>{"the box of the stage \"fill\" is wider than the cylinder \"shell\" around its "
                                       "centre: balls appear on both sides of that wall"});
    std::string narrow = bin("0.02");
    narrow.replace(narrow.find("1300"), 4, "300");  // as many as it can hold
    EXPECT_TRUE(plan_of(narrow).remarks.empty());
}

TEST(FillRegion, TheWidestCylinderThatHoldsTheBox) {
    const std::string tube =
        "[[walls]]\nname = \"tube\"\ntype = \"cylinder\"\nbottom = [0, 0, 0]\ntop = [0, 0, 0.1]\nradius = 0.01\n"
        "material = \"grain\"\n";
    const auto radius = [](const Case& c, const Vec3d& lower, const Vec3d& upper) {
        return tube_around(c, lower, upper).radius;
    };
    const Case c = read(bin("0.04", tube));
    EXPECT_EQ(radius(c, {-0.04, -0.04, 0}, {0.04, 0.04, 0.1}), 0.04);
    EXPECT_EQ(radius(c, {-0.01, -0.01, 0}, {0.01, 0.01, 0.1}), 0.04);
    EXPECT_EQ(radius(c, {-0.05, -0.04, 0}, {0.05, 0.04, 0.1}), 0);      // sticks out on two sides: meant so?
    EXPECT_EQ(radius(c, {0.05, 0.05, 0}, {0.08, 0.08, 0.1}), 0);        // beside it
    EXPECT_EQ(radius(c, {-0.02, -0.02, 0.15}, {0.02, 0.02, 0.16}), 0);  // above it
    // A drum lies down; a wall that goes away does not hold anything.
    std::string text = bin("0.04");
    text.replace(text.find("bottom = [0.0, 0.0, -0.01]"), 26, "bottom = [0.0, -0.09, 0.05]");
    text.replace(text.find("top = [0.0, 0.0, 0.15]"), 22, "top = [0.0, 0.09, 0.05]");
    EXPECT_EQ(radius(read(text), {-0.04, -0.05, 0.01}, {0.04, 0.05, 0.09}), 0.04);
    const std::string motion = "motion = \"m\"\n[[motions]]\nname = \"m\"\n";
    const std::size_t at = text.find("[[stages]]");
    EXPECT_EQ(radius(read(std::string(text).insert(at, motion + "type = \"translate\"\nvelocity = [0, 0, 1]\n")),
                     {-0.04, -0.05, 0.01}, {0.04, 0.05, 0.09}),
              0);
    EXPECT_EQ(radius(read(std::string(text).insert(
                         at, motion + "type = \"rotate\"\npoint = [0, 0, 0.05]\naxis = [0, 1, 0]\nrate = 1\n")),
                     {-0.04, -0.05, 0.01}, {0.04, 0.05, 0.09}),
              0.04);
}

namespace {

// The same bin as triangles, on a cone down to half its radius at z = -0.06.
std::string mesh_bin(const ScratchFolder& folder, const std::string& half, const std::string& method = "dense") {
    const Triangles t = funnel({0, 0, -0.06}, 0.06, 0.02, 0.04, 24, 2) + funnel({0, 0, 0}, 0.15, 0.04, 0.04, 24, 2);
    std::ofstream(folder / "bin.stl", std::ios::binary) << stl_text(t);
    std::string text = bin(half);
    const std::size_t at = text.find("type = \"cylinder\""), end = text.find("material", at);
    text.replace(at, end - at, "type = \"mesh\"\nfile = \"" + (folder / "bin.stl") + "\"\n");
    text.replace(text.find("\"dense\""), 7, "\"" + method + "\"");
    text.replace(text.find("1300\n"), 4, "1100");  // as many as a lattice holds
    return text;
}

std::size_t outside(const Simulation& sim, double radius) {
    const Bodies& b = sim.bodies();
    std::size_t n = 0;
    for (const Range& range : b.real)
        for (Index i = range.begin; i < range.end; ++i)
            n += std::hypot(b.x(i).x, b.x(i).y) + b.radius(i) > radius ? 1 : 0;
    return n;
}

}  // namespace

// A box around a hopper from a drawing, a little or much wider than it: balls appear inside only, whichever way they
// come in.
TEST(FillRegion, AMeshHoldsItsBalls) {
    const ScratchFolder folder;
    for (const char* half : {"0.04", "0.06"})
        for (const char* method : {"dense", "pack"}) {
            const Plan plan = plan_of(mesh_bin(folder, half, method));
            EXPECT_TRUE(plan.remarks.empty()) << plan.remarks[0];
            ASSERT_EQ(plan.report.fills.size(), 1u);
            EXPECT_EQ(plan.report.fills[0].substr(0, plan.report.fills[0].find(", in ")),
                      "the box of the stage \"fill\" extends beyond the mesh \"shell\": balls appear only inside it");
            Simulation sim(boost::mpi::communicator(), plan.setup);
            run_stage(
                sim, plan.stages[0], {}, [](const Simulation&) {}, [](const Simulation&) {});
            EXPECT_GT(ledger_of(sim).inside, 300u);
            EXPECT_EQ(outside(sim, 0.0401), 0u) << half << " " << method;
        }
    std::string rain = mesh_bin(folder, "0.06", "rain");
    rain.replace(rain.find("1100"), 4, "300");
    rain += "rate = 3000.0\n";
    const Plan plan = plan_of(rain, {"run.slab_axis=x"});
    Simulation sim(boost::mpi::communicator(), plan.setup);
    run_stage(
        sim, plan.stages[0], {}, [](const Simulation&) {}, [](const Simulation&) {});
    EXPECT_GT(ledger_of(sim).inserted, 290u);
    EXPECT_EQ(ledger_of(sim).inside, ledger_of(sim).inserted);
    EXPECT_TRUE(plan_of(mesh_bin(folder, "0.02"), {"stages.fill.count=300"}).report.fills.empty());  // all of it inside
}

TEST(FillRegion, ABoxBesideAMeshIsNotHeld) {
    const ScratchFolder folder;
    const Plan wide = plan_of(mesh_bin(folder, "0.085"));  // the bin is 0.17 of it: who knows what is meant
    EXPECT_FALSE(wide.stages[0].insertions[0].vessel);
    EXPECT_EQ(wide.remarks, std::vector<std::string>{
                                "the box of the stage \"fill\" is partly inside the mesh \"shell\", partly outside: "
                                "balls appear on both sides of that wall"});
}
