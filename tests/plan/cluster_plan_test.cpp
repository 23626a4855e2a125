// From clusters of a case to templates, shares of the start, holds and the reach of bonds.
#include "plan/cluster_plan.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include "core/errors.hpp"
#include "support/message_of.hpp"
#include "support/scratch_folder.hpp"
#include "support/silo_case.hpp"
#include "support/triangles.hpp"

using namespace granary;
using namespace granary::test;

namespace {

std::string case_with(const std::string& more, const std::string& run = "") {
    return R"([run]
dt = 1e-6
steps = 1
)" + run + R"([domain]
lower = [-1.0, -1.0, -1.0]
upper = [1.0, 1.0, 1.0]
[[materials]]
name = "rock"
density = 2500.0
young = 5e6
poisson = 0.3
restitution = 0.5
friction = 0.5
[[bonds]]
name = "other"
normal_stiffness = 1e9
shear_stiffness = 1e8
tensile_strength = inf
shear_strength = inf
[[bonds]]
name = "glue"
young = 1e7
poisson = 0.25
damping = 0.1
twist_damping = 0.2
tensile_strength = 1e6
shear_strength = inf
weibull_modulus = 4.0
longest_stretch = 0.2
)" + more;
}

const std::string cube = "[[clusters]]\nname = \"cube\"\nshape = \"block\"\nelement_radius = 0.01\nbond = \"glue\"\n";

std::vector<NewBody> bodies_of(const Plan& plan) {
    std::vector<NewBody> all;
    plan.setup.start.for_bodies(
        {}, [&](std::span<const NewBody> slice) { all.insert(all.end(), slice.begin(), slice.end()); });
    return all;
}
std::vector<ContactRecord> contacts_of(const Plan& plan) {
    std::vector<ContactRecord> all;
    plan.setup.start.for_contacts(
        {}, [&](std::span<const ContactRecord> slice) { all.insert(all.end(), slice.begin(), slice.end()); });
    return all;
}

}  // namespace

TEST(ClusterPlan, TypesOfBonds) {
    const Plan plan =
        plan_of(case_with(cube + "[[bodies]]\nsource = \"cluster\"\ncopy_of = \"cube\"\nmaterial = \"rock\"\n"
                                 "position = [0, 0, 0]\n"));
    ASSERT_EQ(plan.setup.bonds.size(), 2u);
    const BondType& glue = plan.setup.bonds[1];
    EXPECT_EQ(glue.name, "glue");
    EXPECT_EQ(glue.young_modulus, 1e7);
    EXPECT_EQ(glue.shear_modulus, 4e6);
    EXPECT_EQ(glue.normal_damping, 0.1);
    EXPECT_EQ(glue.twist_damping, 0.2);
    EXPECT_EQ(glue.tensile_strength, 1e6);
    EXPECT_TRUE(std::isinf(glue.shear_strength));
    EXPECT_EQ(plan.setup.bonds[0].normal_stiffness, 1e9);
    ASSERT_EQ(plan.setup.clusters.size(), 1u);
    EXPECT_EQ(plan.setup.clusters[0].bond_type, 1u);
    EXPECT_EQ(plan.setup.clusters[0].weibull_modulus, 4);
    EXPECT_EQ(plan.setup.largest_radius, 0.01);
    EXPECT_NEAR(plan.setup.bond_reach, 0.02 * 0.2, 1e-12);  // a bond of 20 mm, a fifth longer
    EXPECT_EQ(plan.report.balls.count, 27u);
    EXPECT_NEAR(plan.report.balls.mass, 27 * 4.0 / 3 * M_PI * 1e-6 * 2500, 1e-9);
    ASSERT_EQ(plan.report.clusters.size(), 1u);
    EXPECT_EQ(plan.report.clusters[0],
              "\"cube\": 27 elements of radius 10 mm in a ball of radius 44.64 mm, 54 bonds \"glue\"");
}

// Every body and every bond once, whatever the slices are; the specimen turned as the case says.
TEST(ClusterPlan, SpecimenAtTheStart) {
    const std::string bar =
        "[[clusters]]\nname = \"bar\"\nshape = \"block\"\ncounts = [40, 30, 20]\nelement_radius = 0.005\n"
        "bond = \"glue\"\n";
    const Plan plan = plan_of(case_with(bar + "[[bodies]]\nname = \"bar\"\nsource = \"cluster\"\ncopy_of = \"bar\"\n"
                                              "material = \"rock\"\nposition = [0.1, 0.2, 0.3]\nrotation = [0, 0, 90]\n"
                                              "velocity = [1, 0, 0]\nspin = [0, 0, 2]\n"
                                              "[[hold]]\nbodies = \"bar\"\nlower = [-1, -1, -1]\nupper = [1, 0.01, 1]\n"
                                              "[[hold]]\nids = [3, 23999]\n"));
    const std::vector<NewBody> bodies = bodies_of(plan);
    ASSERT_EQ(bodies.size(), 24000u);
    std::set<Id> ids;
    std::size_t held = 0;
    for (const NewBody& b : bodies) {
        ids.insert(b.id);
        EXPECT_EQ(b.cluster, 0u);
        held += b.held == 1;
        EXPECT_EQ(b.held == 1, b.position.y <= 0.01) << b.id;
        EXPECT_NEAR(b.velocity.x, 1 - 2 * (b.position.y - 0.2), 1e-12);
    }
    EXPECT_EQ(ids.size(), 24000u);
    EXPECT_EQ(*ids.rbegin(), 23999u);
    EXPECT_EQ(plan.report.holds,
              (std::vector<std::string>{"hold[0]: 600 bodies at rest", bodies[3].position.y <= 0.01
                                                                           ? "hold[1]: 1 body at rest"
                                                                           : "hold[1]: 2 bodies at rest"}));
    EXPECT_EQ(held, 30u * 20);  // one end: turned by a quarter, the first elements along x are the lowest along y
    EXPECT_EQ(bodies[3].id == 3 ? bodies[3].held : 9, bodies[3].position.y <= 0.01 ? 1 : 2);
    EXPECT_NEAR(bodies[0].position.x, 0.1 + 0.145, 1e-12);
    EXPECT_NEAR(bodies[0].position.y, 0.2 - 0.195, 1e-12);
    EXPECT_NEAR(bodies[0].position.z, 0.3 - 0.095, 1e-12);
    const std::vector<ContactRecord> contacts = contacts_of(plan);
    const std::size_t bonds = 39 * 30 * 20 + 40 * 29 * 20 + 40 * 30 * 19;
    ASSERT_EQ(contacts.size(), 2 * bonds);
    std::set<std::pair<Id, Id>> seen;
    for (const ContactRecord& r : contacts)
        if (r.partner.kind() == HistoryKind::bond) {
            EXPECT_LT(r.body, r.partner.number());
            seen.emplace(r.body, r.partner.number());
            EXPECT_NEAR(r.xi[0] * r.xi[0] + r.xi[1] * r.xi[1] + r.xi[2] * r.xi[2], 1e-4, 1e-12);
        }
    EXPECT_EQ(seen.size(), bonds);
}

TEST(ClusterPlan, AHoldHoldsSomething) {
    const auto message = [](const std::string& hold) {
        return message_of<InputError>([&] {
            plan_of(case_with(cube +
                              "[[bodies]]\nname = \"one\"\nsource = \"cluster\"\ncopy_of = \"cube\"\n"
                              "material = \"rock\"\nposition = [0, 0, 0]\n" +
                              hold));
        });
    };
    EXPECT_NE(message("[[hold]]\nids = [3, 27]\n")
                  .find("hold[0].ids: there is no body of the id 27 at the start, which has 27 bodies"),
              std::string::npos)
        << message("[[hold]]\nids = [3, 27]\n");
    const std::string box = "[[hold]]\nlower = [0.05, 0, 0]\nupper = [0.06, 1, 1]\n";
    EXPECT_NE(message(box).find("hold[0] holds nothing: no body of the start meets all"), std::string::npos)
        << message(box);
    const std::string second = "[[hold]]\nbodies = \"one\"\n[[hold]]\nids = [0]\n";
    EXPECT_NE(message(second).find("hold[1] holds nothing: no body of the start, other than those of an earlier hold,"),
              std::string::npos)
        << message(second);
}

// Of a state: ids decide alone; a box also keeps whom it held, wherever he is now.
TEST(ClusterPlan, HoldsOfAState) {
    Case c;
    c.hold.resize(3);
    c.hold[0].ids = {4};
    c.hold[1].lower = Vec3d{0, 0, 0}, c.hold[1].upper = Vec3d{1, 1, 1};
    c.hold[2].bodies = "bar";
    const HeldBodies held(c, {});
    const Vec3d in{0.5, 0.5, 0.5}, out{2, 0, 0};
    EXPECT_EQ(held.number_in_state(4, out, 0), 1);
    EXPECT_EQ(held.number_in_state(5, out, 1), 0);
    EXPECT_EQ(held.number_in_state(5, in, 1), 2);
    EXPECT_EQ(held.number_in_state(5, in, 0), 2);
    EXPECT_EQ(held.number_in_state(5, out, 2), 2);
    EXPECT_EQ(held.number_in_state(5, out, 3), 3);
    EXPECT_EQ(held.number_in_state(5, out, 0), 0);
}

TEST(ClusterPlan, ManyClustersAtTheStart) {
    const Plan plan = plan_of(case_with(
        cube +
        "[[bodies]]\nsource = \"ball\"\nmaterial = \"rock\"\nposition = [0.9, 0.9, 0.9]\nradius = 0.02\n"
        "[[bodies]]\nsource = \"random\"\ncount = 50\nmaterial = \"rock\"\ncluster = \"cube\"\nradius = 0.02\n"
        "lower = [-0.5, -0.5, -0.5]\nupper = [0.5, 0.5, 0.5]\n"));
    const std::vector<NewBody> bodies = bodies_of(plan);
    ASSERT_EQ(bodies.size(), 1 + 50u * 27);
    EXPECT_EQ(plan.setup.largest_radius, 0.02);
    std::map<Id, std::vector<NewBody>> clusters;
    for (const NewBody& b : bodies)
        if (b.cluster != no_cluster) clusters[b.cluster].push_back(b);
    EXPECT_EQ(clusters.size(), 50u);
    std::set<double> turns;
    for (const auto& [label, elements] : clusters) {
        ASSERT_EQ(elements.size(), 27u);
        EXPECT_EQ((label - 1) % 27, 0u);
        for (std::size_t k = 0; k < 27; ++k) EXPECT_EQ(elements[k].id, label + k);
        EXPECT_NEAR(elements[0].radius, 0.01 * 0.02 / plan.c.clusters[0].outer_radius, 1e-12);
        turns.insert(elements[0].orientation[0]);
    }
    EXPECT_EQ(turns.size(), 50u);
    EXPECT_EQ(contacts_of(plan).size(), 2 * 50u * 54);
    // With slabs along x all is the same in the user's axes.
    const Plan other = plan_of(
        case_with(cube + "[[bodies]]\nsource = \"random\"\ncount = 50\nmaterial = \"rock\"\ncluster = \"cube\"\n"
                         "lower = [-0.5, -0.5, -0.5]\nupper = [0.5, 0.5, 0.5]\n",
                  "slab_axis = \"x\"\n"));
    const Plan same = plan_of(
        case_with(cube + "[[bodies]]\nsource = \"random\"\ncount = 50\nmaterial = \"rock\"\ncluster = \"cube\"\n"
                         "lower = [-0.5, -0.5, -0.5]\nupper = [0.5, 0.5, 0.5]\n"));
    const std::vector<NewBody> a = bodies_of(other), b = bodies_of(same);
    const Axes axes = other.setup.axes;
    for (std::size_t k = 0; k < a.size(); ++k) {
        EXPECT_TRUE(axes.out(a[k].position) == b[k].position);
        EXPECT_TRUE(axes.out(Vec3d{a[k].orientation[1], a[k].orientation[2], a[k].orientation[3]}) ==
                    (Vec3d{b[k].orientation[1], b[k].orientation[2], b[k].orientation[3]}));
    }
    const std::vector<ContactRecord> p = contacts_of(other), q = contacts_of(same);
    for (std::size_t k = 0; k < p.size(); ++k) {
        ContactRecord out = p[k];
        axes.turn_out(out);
        for (int n = 0; n < 3; ++n) EXPECT_EQ(out.xi[n], q[k].xi[n]);
    }
}

TEST(ClusterPlan, FromFiles) {
    const ScratchFolder folder;
    std::ofstream(folder / "three.txt") << "# in mm\n0 0 0 5\n10 0 0 5\n10 8 0 3\n";
    std::ofstream(folder / "bad.txt") << "0 0 0 5\n10 0 five 5\n";
    const auto with_file = [&](const std::string& name) {
        return case_with("[[clusters]]\nname = \"three\"\nshape = \"file\"\nfile = \"" + (folder / name) +
                         "\"\nscale = 0.001\nbond = \"glue\"\n[[insert]]\nmaterial = \"rock\"\ncluster = \"three\"\n"
                         "total = 5\nrate = 100\nlower = [-0.5, -0.5, -0.5]\nupper = [0.5, 0.5, 0.5]\n");
    };
    const Plan plan = plan_of(with_file("three.txt"));
    ASSERT_EQ(plan.setup.clusters.size(), 1u);
    EXPECT_EQ(plan.setup.clusters[0].elements.size(), 3u);
    EXPECT_EQ(plan.setup.clusters[0].bonds.size(), 2u);
    EXPECT_EQ(*plan.c.insert[0].radii.radius, plan.setup.clusters[0].outer_radius);
    EXPECT_EQ(plan.setup.insertions[0].balls.grains.shape, 1u);
    EXPECT_EQ(plan.setup.largest_radius, 0.005);
    EXPECT_EQ(plan.report.balls.count, 15u);
    EXPECT_EQ(plan.setup.bond_reach, 0.2 * 0.010);
    const std::string said = message_of<InputError>([&] { plan_of(with_file("bad.txt")); });
    EXPECT_NE(said.find("clusters[0].file: "), std::string::npos) << said;
    EXPECT_NE(said.find("bad.txt:2: "), std::string::npos) << said;
    EXPECT_NE(message_of<InputError>([&] { plan_of(with_file("none.txt")); }).find("none.txt"), std::string::npos);
}

TEST(ClusterPlan, FromDrawings) {
    const ScratchFolder folder;
    Triangles box = box_surface({0, 0, 0}, {2, 2, 2});
    std::ofstream(folder / "box.stl") << stl_text(box);
    box.pop_back();
    std::ofstream(folder / "open.stl") << stl_text(box);
    const auto with_file = [&](const std::string& name, const std::string& more) {
        return case_with(
            "[[clusters]]\nname = \"box\"\nshape = \"stl\"\nfile = \"" + (folder / name) +
            "\"\nscale = 0.01\nbond = \"glue\"\nelement_radius = 0.001\n" + more +
            "[[bodies]]\nsource = \"cluster\"\ncopy_of = \"box\"\nmaterial = \"rock\"\nposition = [0, 0, 0]\n");
    };
    const Plan cubic = plan_of(with_file("box.stl", "filling = \"cubic\"\ndensity = 1000\n"));
    EXPECT_EQ(cubic.setup.clusters[0].elements.size(), 1000u);  // ten along each edge of 20 mm
    EXPECT_EQ(cubic.setup.clusters[0].bonds.size(), 2700u);
    EXPECT_NEAR(cubic.report.balls.mass, 1000 * 8e-6, 1e-12);
    const Plan close = plan_of(with_file("box.stl", ""));
    EXPECT_GT(close.setup.clusters[0].elements.size(), 1050u);
    const Plan dense = plan_of(with_file("box.stl", "filling = \"dense\"\ngap = 0.5\n"));
    EXPECT_GT(dense.setup.clusters[0].elements.size(), 700u);
    EXPECT_NE(message_of<InputError>([&] { plan_of(with_file("open.stl", "")); }).find("is not a closed surface"),
              std::string::npos);
}

TEST(ClusterPlan, WidestGap) {
    const ClusterTemplate t = make_template({{{0, 0, 0}, 1}, {{2.1, 0, 0}, 1}}, {"pair", 0.2});
    EXPECT_NEAR(widest_gap(t, 0.1), 2.31 - 2, 1e-12);
    EXPECT_NEAR(widest_gap(t, 0), 0.1, 1e-12);
    const ClusterTemplate overlapped = make_template({{{0, 0, 0}, 1}, {{1.8, 0, 0}, 1}}, {"pair", 0.2});
    EXPECT_EQ(widest_gap(overlapped, 0.1), 0);
}
