// From shapes of a case to templates, bodies of the start and what is counted of them.
#include "plan/shape_plan.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <set>
#include "core/errors.hpp"
#include "shapes/contact_scale.hpp"
#include "plan/corner_depth.hpp"
#include "shapes/convex_polyhedron.hpp"
#include "shapes/solids.hpp"
#include "support/message_of.hpp"
#include "support/scratch_folder.hpp"
#include "support/silo_case.hpp"

namespace granary::shape_plan_test {
namespace {

using namespace granary::test;

std::string case_with(const std::string& more, const std::string& run = "") {
    return R"([run]
dt = 1e-6
steps = 1
)" + run + R"([domain]
lower = [-1.0, -1.0, -1.0]
upper = [1.0, 1.0, 1.0]
[[materials]]
name = "wood"
density = 500.0
young = 5e6
poisson = 0.3
restitution = 0.5
friction = 0.5
[[materials]]
name = "rock"
density = 2500.0
young = 5e6
poisson = 0.3
restitution = 0.5
friction = 0.5
[[shapes]]
name = "egg"
type = "ellipsoid"
semi_axes = [0.03, 0.02, 0.01]
[[shapes]]
name = "wedge"
type = "polyhedron"
material = "rock"
vertices = [[0, 0, 0], [0.04, 0, 0], [0, 0.02, 0], [0, 0, 0.01]]
)" + more;
}

std::vector<NewBody> bodies_at_start(const Plan& plan) {
    std::vector<NewBody> all;
    plan.setup.start.for_bodies(
        {}, [&](std::span<const NewBody> slice) { all.insert(all.end(), slice.begin(), slice.end()); });
    return all;
}

Quaterniond turn_of(const NewBody& b) {
    return {b.orientation[0], b.orientation[1], b.orientation[2], b.orientation[3]};
}

const std::string single =
    "[[bodies]]\nsource = \"ball\"\nshape = \"wedge\"\nmaterial = \"wood\"\nposition = [0, 0, 0]\n"
    "rotation = [0, 0, 90]\n";

TEST(ShapePlan, ThinLiftersAreTold) {
    const auto told = [](const char* copies) {
        const Plan plan = plan_of(case_with(
            single +
            "[[motions]]\nname = \"turn\"\ntype = \"rotate\"\npoint = [0, 0, 0]\naxis = [0, 1, 0]\nrate = 1.0\n"
            "[[walls]]\nname = \"lift\"\ntype = \"rectangle\"\nmaterial = \"wood\"\ncorner = [0.5, -0.5, 0]\n"
            "edge_a = [0.1, 0, 0]\nedge_b = [0, 1, 0]\nmotion = \"turn\"\ncopies = " +
            copies + "\n"));
        return std::any_of(plan.remarks.begin(), plan.remarks.end(), [](const std::string& r) {
            return r.find("the wall \"lift\" has no thickness") != std::string::npos;
        });
    };
    EXPECT_TRUE(told("3"));
    EXPECT_FALSE(told("1"));
}

// On its largest face a linear law has its stiffness, so that is what K follows.
TEST(ShapePlan, ALinearLawTellsHowDeepCornersSinkIn) {
    const ShapeTemplate cube = make_polyhedron("die", corners_of(RegularSolid::cube, 0.01));
    const double stiffness = 1e4, v = 1.5, density = 2500, k = 1.5 * std::sqrt(3.0);
    const double h = corner_depth_share(cube, density, foundation_by_stiffness(cube, stiffness), v) * 0.005;
    EXPECT_NEAR(stiffness / 1e-4 * k * h * h * h * h / 12, 0.5 * density * 1e-6 * v * v, 1e-12);
}

TEST(ShapePlan, AGrainStandsAsItIsDrawnAndTurned) {
    for (const char* axis : {"z", "x", "y"}) {
        const Plan plan = plan_of(case_with(single, std::string("slab_axis = \"") + axis + "\"\n"));
        const std::vector<NewBody> all = bodies_at_start(plan);
        ASSERT_EQ(all.size(), 1u);
        const NewBody& b = all[0];
        EXPECT_EQ(b.rigid_shape, 2);
        EXPECT_EQ(b.material, 1);
        const ShapeTemplate& t = plan.setup.shapes[1];
        EXPECT_NEAR(b.mass, 2500 * 0.04 * 0.02 * 0.01 / 6, 1e-12);
        EXPECT_NEAR(b.radius, t.outer_radius, 1e-15);
        // Its corners in space: those of the drawing about the centroid, turned by 90 degrees about z, (x, y) -> (-y,
        // x).
        const Vec3d centroid{0.01, 0.005, 0.0025};
        for (const Vec3d& p : {Vec3d{0, 0, 0}, {0.04, 0, 0}, {0, 0.02, 0}, {0, 0, 0.01}}) {
            const Vec3d d = p - centroid, wanted{-d.y, d.x, d.z};
            double nearest = 1;
            for (const Vec3d& corner : t.polyhedron->corners())
                nearest = std::min(nearest, norm(plan.setup.axes.out(rotate(turn_of(b), corner)) - wanted));
            EXPECT_LT(nearest, 1e-12) << axis;
        }
    }
}

TEST(ShapePlan, ManyAreTurnedAtRandomAndScaled) {
    const Plan plan = plan_of(case_with(
        "[[bodies]]\nsource = \"random\"\nshape = \"egg\"\nmaterial = \"wood\"\ncount = 50\nradius_min = 0.01\n"
        "radius_max = 0.02\nlower = [-0.9, -0.9, -0.9]\nupper = [0.9, 0.9, 0.9]\n"));
    const std::vector<NewBody> all = bodies_at_start(plan);
    ASSERT_EQ(all.size(), 50u);
    const double factor = 0.03 / std::cbrt(6e-6);
    std::set<double> turns;
    for (const NewBody& b : all) {
        EXPECT_EQ(b.rigid_shape, 1);
        const double r = b.radius / factor;  // of the ball of equal volume
        EXPECT_GE(r, 0.01 * (1 - 1e-12));
        EXPECT_LE(r, 0.02 * (1 + 1e-12));
        EXPECT_NEAR(b.mass, 500 * 4.0 / 3.0 * std::numbers::pi * r * r * r, 1e-12);
        EXPECT_NEAR(dot(turn_of(b), turn_of(b)), 1, 1e-14);
        turns.insert(b.orientation[0]);
    }
    EXPECT_EQ(turns.size(), 50u);
    EXPECT_NEAR(plan.report.all_shapes, 50, 1e-9);
    EXPECT_GT(plan.report.cost, 2);
    // Spheres around them.
    EXPECT_GT(plan.setup.largest_radius, 0.019 * factor);
}

// Section one unit below the corner of a cube, along its diagonal: an equilateral triangle with sides of sqrt(6).
TEST(ShapePlan, CornersSinkInAsTheirPotentialSays) {
    const ShapeTemplate cube = make_polyhedron("die", corners_of(RegularSolid::cube, 0.01));
    EXPECT_NEAR(sharpest_corner(cube), 1.5 * std::sqrt(3.0), 1e-12);
    // The energy (E*/L) k h^4/12 at that depth is that of the blow.
    const double e_star = 2e6, v = 1.5, density = 2500, k = 1.5 * std::sqrt(3.0);
    const double h = corner_depth_share(cube, density, foundation_by_young(cube, e_star), v) * 0.005,
                 radius = 0.01 * std::cbrt(3 / (4 * M_PI));
    EXPECT_NEAR(e_star / radius * k * h * h * h * h / 12, 0.5 * density * 1e-6 * v * v, 1e-12);
    const auto warned = [](const char* young) {
        std::string text = case_with(single);
        for (std::size_t at = 0; (at = text.find("young = 5e6", at)) != std::string::npos;)
            text.replace(at, 11, std::string("young = ") + young);
        const Plan plan = plan_of(text, {"gravity=[0.0, 0.0, -9.81]", "run.dt=\"auto\""});
        EXPECT_NE(plan.report.shapes[1].find("a corner sinks in by up to"), std::string::npos) << plan.report.shapes[1];
        EXPECT_EQ(plan.report.shapes[0].find("a corner sinks in"), std::string::npos) << "an ellipsoid has none";
        return std::any_of(plan.remarks.begin(), plan.remarks.end(), [](const std::string& r) {
            return r.find("a corner of the shape \"wedge\" sinks in") != std::string::npos;
        });
    };
    EXPECT_TRUE(warned("1e5"));
    EXPECT_FALSE(warned("5e11"));
}

TEST(ShapePlan, TheStepFollowsTheQuickestContact) {
    const auto chosen = [](const std::string& more) {
        std::string text = case_with(more);
        text.replace(text.find("dt = 1e-6"), 9, "dt = \"auto\"");
        return plan_of(text).setup.dt;
    };
    const std::string at =
        "material = \"wood\"\nposition = [0, 0, 0]\n[[walls]]\ntype = \"plane\"\nname = \"floor\"\n"
        "material = \"rock\"\npoint = [0, 0, -0.5]\nnormal = [0, 0, 1]\n";
    const double shape = chosen("[[bodies]]\nsource = \"ball\"\nshape = \"egg\"\n" + at);
    const Plan plan = plan_of(case_with("[[bodies]]\nsource = \"ball\"\nshape = \"egg\"\n" + at));
    const double ball = chosen(
        "[[bodies]]\nsource = \"ball\"\nradius = " + std::to_string(stand_in_radius(plan.setup.shapes[0])) + "\n" + at);
    EXPECT_NEAR(shape, ball, 0.02 * ball);  // both are rounded to two digits
    EXPECT_LT(shape, chosen("[[bodies]]\nsource = \"ball\"\nradius = 0.01817\n" + at));  // of equal volume
}

TEST(ShapePlan, FilesOfShapes) {
    const ScratchFolder folder;
    const auto write = [&](const char* name, const std::string& text) {
        std::ofstream(folder / name) << text;
        return folder / name;
    };
    const auto with_file = [&](const std::string& type, const std::string& file) {
        return case_with("[[shapes]]\nname = \"filed\"\ntype = \"" + type + "\"\nscale = 0.01\nfile = \"" + file +
                         "\"\n[[bodies]]\nsource = \"ball\"\nshape = \"filed\"\nmaterial = \"wood\"\n"
                         "position = [0, 0, 0]\n");
    };
    const std::string two = write("two.txt", "# two balls\n-1 0 0 1\n2 0 0 1\n");
    EXPECT_NEAR(plan_of(with_file("clump", two)).setup.shapes[2].outer_radius, 0.025, 1e-12);
    EXPECT_NEAR(bodies_at_start(plan_of(with_file("clump", two)))[0].mass,
                500 * 2 * 4.0 / 3.0 * std::numbers::pi * 1e-6, 1e-12);
    const std::string bad = write("bad.txt", "0 0 0 1\n1 0 0\n");
    const std::string message = message_of<InputError>([&] { plan_of(with_file("clump", bad)); });
    EXPECT_NE(message.find("bad.txt:2: expected four numbers `x y z r`, found 3"), std::string::npos) << message;

    const std::string facets[4] = {"vertex 0 0 0 vertex 0 1 0 vertex 1 0 0", "vertex 0 0 0 vertex 1 0 0 vertex 0 0 1",
                                   "vertex 0 0 0 vertex 0 0 1 vertex 0 1 0", "vertex 1 0 0 vertex 0 1 0 vertex 0 0 1"};
    const auto stl = [&](int n) {
        std::string text = "solid s\n";
        for (int k = 0; k < n; ++k) text += "facet normal 0 0 0 outer loop " + facets[k] + " endloop endfacet\n";
        return text + "endsolid s\n";
    };
    const std::string closed = write("closed.stl", stl(4)), open = write("open.stl", stl(3));
    EXPECT_NEAR(plan_of(with_file("polyhedron", closed)).setup.shapes[2].volume, 1e-6 / 6, 1e-12);
    const std::string why = message_of<InputError>([&] { plan_of(with_file("polyhedron", open)); });
    EXPECT_NE(why.find("open.stl"), std::string::npos) << why;
    EXPECT_NE(why.find("open"), std::string::npos) << why;
    const auto remarks_of = [&](const std::string& type, const std::string& file) {
        std::string all;
        for (const std::string& r : plan_of(with_file(type, file)).remarks) all += r + "\n";
        return all;
    };
    EXPECT_EQ(remarks_of("polyhedron", closed).find("measures"), std::string::npos);
    const std::string told = remarks_of("clump", write("mm.txt", "-100 0 0 30000\n200 0 0 30000\n"));
    EXPECT_NE(
        told.find("the shape \"filed\" measures 603 m, but the domain only 2 m: is its file in mm? (scale = 1e-05)"),
        std::string::npos)
        << told;
}

TEST(ShapePlan, BodiesFromFilesHaveOrientations) {
    const ScratchFolder folder;
    std::ofstream((folder / "grains.txt")) << "x y z qw qx qy qz r\n0 0 0 1 0 0 0 0.01\n0.5 0 0 0 0 0 -2 0.02\n";
    const Plan plan =
        plan_of(case_with("[[bodies]]\nsource = \"file\"\nshape = \"egg\"\nmaterial = \"wood\"\nfile = \"" +
                          (folder / "grains.txt") + "\"\n"));
    const std::vector<NewBody> all = bodies_at_start(plan);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(turn_of(all[1]), (Quaterniond{0, 0, 0, -1}));
    EXPECT_NEAR(all[1].radius, 0.02 * 0.03 / std::cbrt(6e-6), 1e-12);
    EXPECT_NEAR(all[1].mass, 500 * 4.0 / 3.0 * std::numbers::pi * 8e-6, 1e-12);
}

}  // namespace
}  // namespace granary::shape_plan_test
