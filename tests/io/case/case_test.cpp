// Good cases: every key arrives where it belongs, defaults are those of the table, examples and helpers hold.
#include "io/case/case.hpp"
#include "support/source_folder.hpp"
#include <gtest/gtest.h>
#include <filesystem>
#include "contact/laws.hpp"

namespace granary {
namespace {

const std::string smallest_case = R"(
run = {dt = 1e-4, steps = 0}
domain = {lower = [0, 0, 0], upper = [1, 2, 3]}
[[materials]]
name = "grain"
density = 1000
young = 1e7
poisson = 0.25
restitution = 1
friction = 0
[[bodies]]
source = "file"
file = "balls.txt"
material = "grain"
)";

TEST(Case, DefaultsAreThoseOfTheTable) {
    const Case c = read_case(smallest_case, "case.toml");
    EXPECT_EQ(c.title, "");
    EXPECT_EQ(c.gravity, (Vec3d{0, 0, -9.81}));
    EXPECT_EQ(c.run.dt, 1e-4);
    EXPECT_EQ(c.run.steps, 0);
    EXPECT_FALSE(c.run.time);
    EXPECT_EQ(c.run.seed, 1u);
    EXPECT_FALSE(c.run.detector);
    EXPECT_EQ(c.run.alpha, 2.0);
    EXPECT_FALSE(c.run.skin);
    EXPECT_EQ(c.run.rebuild_every, 1000);
    EXPECT_EQ(c.run.rebalance_every, 10);
    EXPECT_EQ(c.run.slab_axis, 2);
    EXPECT_EQ(c.domain.upper, (Vec3d{1, 2, 3}));
    EXPECT_EQ(c.domain.periodic, (std::array{false, false, false}));
    EXPECT_EQ(c.law.type, LawType::hertz_mindlin);
    EXPECT_TRUE(c.law.attraction);
    EXPECT_TRUE(c.law.damper_may_pull);
    EXPECT_EQ(c.law.restitution_mixing, Mixing::geometric);
    EXPECT_EQ(c.law.friction_mixing, Mixing::geometric);
    EXPECT_EQ(c.law.stiffness_mixing, Mixing::series);
    EXPECT_EQ(c.law.damping_mixing, Mixing::series);
    EXPECT_EQ(c.law.cohesion_mixing, Mixing::min);
    ASSERT_EQ(c.materials.size(), 1u);
    EXPECT_EQ(c.materials[0].contact.stiffness_ratio, 2.0 / 7.0);
    EXPECT_EQ(c.materials[0].contact.cohesion, 0.0);
    EXPECT_FALSE(c.materials[0].contact.stiffness);
    EXPECT_TRUE(c.materials[0].of_balls);
    EXPECT_FALSE(c.materials[0].of_walls);
    ASSERT_EQ(c.bodies.size(), 1u);
    EXPECT_EQ(c.bodies[0].velocity, Vec3d{});
    EXPECT_EQ(c.bodies[0].name, "");
    EXPECT_TRUE(c.insert.empty() && c.walls.empty() && c.outlets.empty() && c.pairs.empty());
    EXPECT_EQ(c.output.every, 0.0);
    EXPECT_EQ(c.output.log_every, 0.0);
    EXPECT_EQ(c.output.state, "state.h5");
    EXPECT_FALSE(c.output.frames_every);  // to be chosen
    EXPECT_EQ(c.output.fields, (std::vector<std::string>{"id", "radius", "velocity", "material"}));
    EXPECT_EQ(c.output.precision, FramePrecision::float32);
    EXPECT_EQ(c.output.every_nth, 1);
    EXPECT_EQ(c.output.series_every, 0.0);
    EXPECT_FALSE(c.output.region_lower || c.output.region_upper);
    EXPECT_FALSE(c.silo || c.start);
    EXPECT_TRUE(c.stages.empty());
    EXPECT_FALSE(c.run.dt_auto || c.run.allow_large_dt);
    EXPECT_EQ(c.run.dt_share, 0.2);
    EXPECT_EQ(c.run.memory, 64e9);
    EXPECT_EQ(c.largest_radius(), 0.0);
}

TEST(Case, Detectors) {
    const std::vector<std::pair<std::string, std::optional<Detector>>> words{{"auto", std::nullopt},
                                                                             {"mr", Detector::mr},
                                                                             {"mmr", Detector::mmr},
                                                                             {"fixed-cubes", Detector::fixed_cubes},
                                                                             {"all-pairs", Detector::all_pairs}};
    for (const auto& [word, detector] : words) {
        const Case c = read_case(smallest_case, "case.toml", {"run.detector=" + word});
        EXPECT_EQ(c.run.detector, detector);
        EXPECT_EQ(c.run.alpha, word == "auto" || word == "mmr" ? 2.0 : 0.0) << word;
        EXPECT_EQ(read_case(resolved_case(c), "case.toml").run, c.run);
    }
    EXPECT_EQ(read_case(smallest_case, "case.toml", {"run.detector=mmr", "run.alpha=1.5"}).run.alpha, 1.5);
    EXPECT_THROW(read_case(smallest_case, "case.toml", {"run.detector=mr", "run.alpha=1.5"}), CaseError);
    for (const std::string alpha : {"1.0", "1.05", "33", "-2", "nan"})
        EXPECT_THROW(read_case(smallest_case, "case.toml", {"run.detector=mmr", "run.alpha=" + alpha}), CaseError);
}

const std::string full_case = R"(
title = "all keys"
gravity = [0.5, 0, -1.62]
[run]
dt = 2e-5
time = 0.25
seed = 42
detector = "all-pairs"
skin = 1e-3
rebuild_every = 7
rebalance_every = 0
slab_axis = "x"
[domain]
lower = [-1, -2, -3]
upper = [1, 2, 3]
periodic = ["z", "x"]
[law]
type = "kelvin-voigt"
attraction = false
damper_may_pull = false
restitution_mixing = "mean"
friction_mixing = "min"
stiffness_mixing = "geometric"
damping_mixing = "min"
cohesion_mixing = "mean"
[[materials]]
name = "grain"
density = 2650
young = 1e8
poisson = 0.3
restitution = 0.7
friction = 0.4
stiffness = 1e5
stiffness_ratio = 0.8
damping = 12
cohesion = 0.5
[[materials]]
name = "steel"
stiffness = inf
[[pairs]]
materials = ["steel", "grain"]
restitution = 0.71
friction = 0.41
stiffness = 1.1e5
stiffness_ratio = 0.81
damping = 13
cohesion = 0.25
[[bodies]]
name = "crystal"
source = "lattice"
material = "grain"
lower = [-0.5, -0.5, 0]
upper = [0.5, 0.5, 0.5]
spacing = 0.1
jitter = 0.25
radius_min = 0.01
radius_max = 0.02
velocity = [1, 2, 3]
spin = [4, 5, 6]
[[bodies]]
source = "lattice"
material = "grain"
lower = [-0.5, -0.5, 0.5]
upper = [0.5, 0.5, 1]
counts = [2, 4, 1]
radius = 0.03
[[bodies]]
source = "random"
material = "grain"
lower = [-0.5, -0.5, 1]
upper = [0.5, 0.5, 1.5]
count = 17
radius = 0.01
[[bodies]]
source = "file"
material = "grain"
file = "../data/./balls.txt"
[[insert]]
name = "rain"
material = "grain"
lower = [-0.5, -0.5, 2]
upper = [0.5, 0.5, 2.5]
total = 1000
per_event = 10
interval = 0.125
start = 0.0625
trials = 5
radius_min = 0.015
radius_max = 0.05
velocity = [0, 0, -2]
[[walls]]
name = "a"
type = "plane"
material = "steel"
point = [0, 0, -2]
normal = [0, 0, 2]
[[walls]]
name = "b"
type = "rectangle"
material = "steel"
corner = [1, 2, 3]
edge_a = [1, 0, 0]
edge_b = [0, 0, 2]
[[walls]]
name = "c"
type = "disc"
material = "steel"
centre = [3, 2, 1]
normal = [0, 1, 0]
radius = 0.5
opens_at = 0.125
[[walls]]
name = "d"
type = "annulus"
material = "steel"
centre = [3, 2, 1]
normal = [0, 1, 0]
inner_radius = 0.25
outer_radius = 0.75
[[walls]]
name = "e"
type = "cylinder"
material = "steel"
bottom = [0, 0, 1]
top = [0, 0, 2]
radius = 0.9
[[walls]]
name = "f"
type = "cone"
material = "steel"
bottom = [0, 0, 0]
top = [0, 0, 1]
bottom_radius = 0
top_radius = 0.9
[[outlets]]
name = "hole"
point = [0, 0, -2.5]
normal = [0, 3, 4]
[output]
every = 0.5
log_every = 0.03125
state = "end.h5"
)";

TEST(Case, EveryKeyArrivesWhereItBelongs) {
    const Case c = read_case(full_case, "jobs/cases/full.toml");
    EXPECT_EQ(c.title, "all keys");
    EXPECT_EQ(c.gravity, (Vec3d{0.5, 0, -1.62}));
    EXPECT_EQ(c.run.dt, 2e-5);
    EXPECT_FALSE(c.run.steps);
    EXPECT_EQ(c.run.time, 0.25);
    EXPECT_EQ(c.run.n_steps(), 12500);
    EXPECT_EQ(c.run.seed, 42u);
    EXPECT_EQ(c.run.detector, Detector::all_pairs);
    EXPECT_EQ(c.run.skin, 1e-3);
    EXPECT_EQ(c.run.rebuild_every, 7);
    EXPECT_EQ(c.run.rebalance_every, 0);
    EXPECT_EQ(c.run.slab_axis, 0);
    EXPECT_EQ(c.domain.lower, (Vec3d{-1, -2, -3}));
    EXPECT_EQ(c.domain.periodic, (std::array{true, false, true}));
    EXPECT_EQ(c.law.type, LawType::kelvin_voigt);
    EXPECT_FALSE(c.law.attraction);
    EXPECT_FALSE(c.law.damper_may_pull);
    EXPECT_EQ(c.law.restitution_mixing, Mixing::mean);
    EXPECT_EQ(c.law.friction_mixing, Mixing::min);
    EXPECT_EQ(c.law.stiffness_mixing, Mixing::geometric);
    EXPECT_EQ(c.law.damping_mixing, Mixing::min);
    EXPECT_EQ(c.law.cohesion_mixing, Mixing::mean);
    EXPECT_EQ(c.output.every, 0.5);
    EXPECT_EQ(c.output.log_every, 0.03125);
    EXPECT_EQ(c.output.state, "end.h5");
    ASSERT_EQ(c.outlets.size(), 1u);
    EXPECT_EQ(c.outlets[0].name, "hole");
    EXPECT_EQ(c.outlets[0].point, (Vec3d{0, 0, -2.5}));
    EXPECT_NEAR(c.outlets[0].normal.y, 0.6, 1e-15);  // made unit
    EXPECT_NEAR(c.outlets[0].normal.z, 0.8, 1e-15);
    EXPECT_EQ(c.largest_radius(), 0.05);
}

TEST(Case, MaterialsAndPairs) {
    const Case c = read_case(full_case, "full.toml");
    ASSERT_EQ(c.materials.size(), 2u);
    const MaterialSpec& m = c.materials[0];
    EXPECT_EQ(m.name, "grain");
    EXPECT_EQ(m.density, 2650.0);
    EXPECT_EQ(m.young, 1e8);
    EXPECT_EQ(m.poisson, 0.3);
    EXPECT_EQ(m.contact.restitution, 0.7);
    EXPECT_EQ(m.contact.friction, 0.4);
    EXPECT_EQ(m.contact.stiffness, 1e5);
    EXPECT_EQ(m.contact.stiffness_ratio, 0.8);
    EXPECT_EQ(m.contact.damping, 12.0);
    EXPECT_EQ(m.contact.cohesion, 0.5);
    EXPECT_TRUE(m.of_balls && !m.of_walls);
    EXPECT_EQ(c.materials[1].contact.stiffness, std::numeric_limits<double>::infinity());
    EXPECT_FALSE(c.materials[1].density);
    EXPECT_TRUE(!c.materials[1].of_balls && c.materials[1].of_walls);
    ASSERT_EQ(c.pairs.size(), 1u);
    const PairSpec& p = c.pairs[0];
    EXPECT_EQ(p.first, "steel");
    EXPECT_EQ(p.second, "grain");
    EXPECT_EQ(p.contact.restitution, 0.71);
    EXPECT_EQ(p.contact.friction, 0.41);
    EXPECT_EQ(p.contact.stiffness, 1.1e5);
    EXPECT_EQ(p.contact.stiffness_ratio, 0.81);
    EXPECT_EQ(p.contact.damping, 13.0);
    EXPECT_EQ(p.contact.cohesion, 0.25);
}

TEST(Case, BodiesAndInsertion) {
    const Case c = read_case(full_case, "jobs/cases/full.toml");
    ASSERT_EQ(c.bodies.size(), 4u);
    const BodiesSpec& b = c.bodies[0];
    EXPECT_EQ(b.source, BodySource::lattice);
    EXPECT_EQ(b.name, "crystal");
    EXPECT_EQ(b.material, "grain");
    EXPECT_EQ(b.lower, (Vec3d{-0.5, -0.5, 0}));
    EXPECT_EQ(b.upper, (Vec3d{0.5, 0.5, 0.5}));
    EXPECT_EQ(b.spacing, 0.1);
    EXPECT_EQ(b.lattice_counts(), (std::array<std::int64_t, 3>{10, 10, 5}));  // in spite of 0.5/0.1 and the like
    EXPECT_EQ(b.jitter, 0.25);
    EXPECT_EQ(b.radii.smallest(), 0.01);
    EXPECT_EQ(b.radii.largest(), 0.02);
    EXPECT_EQ(b.velocity, (Vec3d{1, 2, 3}));
    EXPECT_EQ(b.spin, (Vec3d{4, 5, 6}));
    EXPECT_EQ(c.bodies[1].lattice_counts(), (std::array<std::int64_t, 3>{2, 4, 1}));
    EXPECT_EQ(c.bodies[1].lattice_spacing(), (Vec3d{0.5, 0.25, 0.5}));
    EXPECT_EQ(c.bodies[1].radii.smallest(), 0.03);
    EXPECT_EQ(c.bodies[1].radii.largest(), 0.03);
    EXPECT_EQ(c.bodies[2].source, BodySource::random);
    EXPECT_EQ(c.bodies[2].count, 17);
    EXPECT_EQ(c.bodies[3].source, BodySource::file);
    EXPECT_EQ(c.bodies[3].file, "jobs/data/balls.txt");  // from the folder of the case

    ASSERT_EQ(c.insert.size(), 1u);
    const InsertSpec& i = c.insert[0];
    EXPECT_EQ(i.name, "rain");
    EXPECT_EQ(i.material, "grain");
    EXPECT_EQ(i.lower, (Vec3d{-0.5, -0.5, 2}));
    EXPECT_EQ(i.upper, (Vec3d{0.5, 0.5, 2.5}));
    EXPECT_EQ(i.total, 1000);
    EXPECT_EQ(i.per_event, 10);
    EXPECT_EQ(i.interval, 0.125);
    EXPECT_EQ(i.start, 0.0625);
    EXPECT_EQ(i.trials, 5);
    EXPECT_EQ(i.radii.smallest(), 0.015);
    EXPECT_EQ(i.radii.largest(), 0.05);
    EXPECT_EQ(i.velocity, (Vec3d{0, 0, -2}));
}

TEST(Case, Walls) {
    const Case c = read_case(full_case, "full.toml");
    ASSERT_EQ(c.walls.size(), 6u);
    const auto& w = c.walls;
    const WallType types[] = {WallType::plane,   WallType::rectangle, WallType::disc,
                              WallType::annulus, WallType::cylinder,  WallType::cone};
    for (std::size_t i = 0; i < w.size(); ++i) {
        EXPECT_EQ(w[i].type, types[i]);
        EXPECT_EQ(w[i].name, std::string(1, static_cast<char>('a' + i)));
        EXPECT_EQ(w[i].material, "steel");
    }
    EXPECT_EQ(w[0].point, (Vec3d{0, 0, -2}));
    EXPECT_EQ(w[0].normal, (Vec3d{0, 0, 2}));
    EXPECT_EQ(w[1].corner, (Vec3d{1, 2, 3}));
    EXPECT_EQ(w[1].edge_a, (Vec3d{1, 0, 0}));
    EXPECT_EQ(w[1].edge_b, (Vec3d{0, 0, 2}));
    EXPECT_EQ(w[2].centre, (Vec3d{3, 2, 1}));
    EXPECT_EQ(w[2].normal, (Vec3d{0, 1, 0}));
    EXPECT_EQ(w[2].radius, 0.5);
    EXPECT_EQ(w[3].inner_radius, 0.25);
    EXPECT_EQ(w[3].outer_radius, 0.75);
    EXPECT_EQ(w[4].bottom, (Vec3d{0, 0, 1}));
    EXPECT_EQ(w[4].top, (Vec3d{0, 0, 2}));
    EXPECT_EQ(w[4].radius, 0.9);
    EXPECT_EQ(w[2].opens_at, 0.125);
    for (std::size_t i : {0u, 1u, 3u, 4u, 5u}) EXPECT_TRUE(w[i].opens.empty() && !w[i].opens_at && !w[i].of_silo);
    EXPECT_EQ(w[5].bottom_radius, 0.0);
    EXPECT_EQ(w[5].top_radius, 0.9);
}

TEST(Case, WallsOfTriangles) {
    const std::string mesh = "walls[5]={name=\"g\", material=\"steel\", type=\"mesh\", file=\"parts/chute.stl\"";
    const Case c =
        read_case(full_case, "folder/full.toml", {mesh + ", scale=0.001, rotation=[90, 0, 45], offset=[1, 2, 3]}"});
    ASSERT_EQ(c.walls.size(), 6u);
    EXPECT_EQ(c.walls[5].type, WallType::mesh);
    EXPECT_EQ(c.walls[5].file, "folder/parts/chute.stl");  // from the folder of the case
    EXPECT_EQ(c.walls[5].scale, 0.001);
    EXPECT_EQ(c.walls[5].rotation, (Vec3d{90, 0, 45}));
    EXPECT_EQ(c.walls[5].offset, (Vec3d{1, 2, 3}));
    const Case plain = read_case(full_case, "full.toml", {mesh + "}"});
    EXPECT_EQ(plain.walls[5].scale, 1.0);
    EXPECT_EQ(plain.walls[5].offset, (Vec3d{}));
    EXPECT_TRUE(plain.walls[0].file.empty());
}

TEST(Case, FilesOfACaseWithoutFolderAreHere) {
    EXPECT_EQ(read_case(smallest_case, "case.toml").bodies[0].file, "balls.txt");
    EXPECT_EQ(read_case(smallest_case, "/a/case.toml", {"bodies[0].file=/b/balls.txt"}).bodies[0].file, "/b/balls.txt");
}

TEST(Case, TimeIsRoundedToWholeSteps) {
    RunSpec run;
    run.dt = 1e-5, run.time = 0.3;  // 0.3/1e-5 = 29999.999999999996
    EXPECT_EQ(run.n_steps(), 30000);
    run.steps = 7;
    EXPECT_EQ(run.n_steps(), 7);
}

// A pair may say what its materials do not, as long as every pair that can meet is covered.
TEST(Case, PairsStandInForMaterials) {
    const std::string text = smallest_case + R"(
[[materials]]
name = "wall"
young = inf
poisson = 0
[[walls]]
name = "floor"
type = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "wall"
)";
    EXPECT_THROW(read_case(text, "case.toml"), CaseError);
    const std::string pair = "[[pairs]]\nmaterials = [\"wall\", \"grain\"]\nrestitution = 0.5\nfriction = 0.1\n";
    EXPECT_NO_THROW(read_case(text + pair, "case.toml"));
}

TEST(Case, ExamplesReadWithoutProblems) {
    std::size_t n = 0;
    for (const auto& entry : std::filesystem::directory_iterator(source_path("jobs/cases"))) {
        if (entry.path().extension() != ".toml") continue;
        ++n;
        const std::string file = entry.path().string();
        try {
            read_case(read_case_text(file), file);
        } catch (const CaseError& e) {
            ADD_FAILURE() << e.what();
        }
    }
    EXPECT_GE(n, 3u);
}

}  // namespace
}  // namespace granary
