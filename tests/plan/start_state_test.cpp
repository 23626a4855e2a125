// A start from the state of another run: what matches by name is kept, what does not is said.
#include "run/stages.hpp"
#include "plan/start_state.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <fstream>
#include "observe/checkpoint_file.hpp"
#include "observe/observer.hpp"
#include "observe/results.hpp"
#include "core/errors.hpp"
#include "support/message_of.hpp"
#include "support/scratch_folder.hpp"
#include "support/silo_case.hpp"
#include "support/triangles.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

// The silo filled and at rest for a while, as a state in a folder.
class Filled {
  public:
    Filled() {
        Plan plan = plan_of(silo_text);
        const boost::mpi::communicator self;
        Simulation sim(self, plan.setup);
        Results results(self, folder_ / "", "state.h5", "", true);
        Observer observer(sim, plan, results, silo_text, true);
        for (std::size_t k = 0; k < 2; ++k)
            run_stage(
                sim, plan.stages[k], {}, [](const Simulation&) {}, [](const Simulation&) {});
        observer.finish(sim);
        time = sim.clock().time(), contacts = contacts_of(sim).size();
    }
    std::string path() const { return folder_ / "state.h5"; }
    double time = 0;
    std::size_t contacts = 0;

  private:
    ScratchFolder folder_;
};

const Filled& filled() {
    static const Filled once;
    return once;
}

// The silo again, without its filling.
std::string again() {
    std::string text = silo_text;
    const std::size_t begin = text.find("[[stages]]"), end = text.find("[[stages]]\ntype = \"discharge\"");
    text.erase(begin, end - begin);
    return text + "[start]\nfrom = \"" + filled().path() + "\"\n";
}

bool has(const std::vector<std::string>& remarks, const std::string& text) {
    for (const std::string& r : remarks)
        if (r.find(text) != std::string::npos) return true;
    return false;
}

}  // namespace

TEST(StartState, KeepsBallsAndSprings) {
    const Plan plan = plan_of(again());
    EXPECT_TRUE(plan.remarks.empty());
    EXPECT_EQ(plan.balls_at_start, 100u);
    EXPECT_EQ(plan.setup.start_time, 0);
    EXPECT_GT(plan.setup.largest_radius, 0.0045);
    ASSERT_GT(filled().contacts, 150u);
    Simulation sim({}, plan.setup);
    EXPECT_EQ(ledger_of(sim).inside, 100u);
    // But for one that is just letting go: a state has the velocities of its time, not of half a step before, and
    // dampers see them.
    EXPECT_NEAR(static_cast<double>(contacts_of(sim).size()), static_cast<double>(filled().contacts), 1);
    const Plan on = plan_of(again(), {"start.time_zero=false"});
    EXPECT_EQ(on.setup.start_time, filled().time);
}

TEST(StartState, WallsThatAreGoneAreSaid) {
    std::string text = again();
    text.replace(text.find("h_h = 0.04"), 10, "hopper = \"flat\"");
    const Plan plan = plan_of(text, {"silo.bottom=-0.02"});
    EXPECT_TRUE(has(plan.remarks, "the wall 'cone' of " + filled().path() + " is not in this case"));
    EXPECT_FALSE(has(plan.remarks, "'cylinder'"));
}

TEST(StartState, WallsThatOverlapBallsAreSaid) {
    const Plan plan = plan_of(again(), {"silo.d_c=0.097"});
    EXPECT_TRUE(has(plan.remarks, "overlap a wall by more than 2 % of their radius")) << plan.remarks.size();
    EXPECT_FALSE(has(plan_of(again(), {"silo.h_c=0.13"}).remarks, "overlap a wall"));
}

TEST(StartState, MaterialsAndPlacesMustBeThere) {
    const auto says = [](const std::vector<std::string>& sets) {
        return message_of<InputError>([&] { plan_of(again(), sets); });
    };
    EXPECT_NE(says({"materials.grain.name=barley"})
                  .find("start.from: " + filled().path() +
                        ": its balls are of the material 'grain', which this case "
                        "does not have; add it to [[materials]]"),
              std::string::npos);
    EXPECT_NE(says({"silo.centre=[0.5, 0.0]"}).find("is outside the domain of this case; enlarge [domain]"),
              std::string::npos);
}

namespace {

constexpr const char* slide_text = R"([run]
dt = 2e-5
time = 1e-3
[domain]
lower = [0.0, 0.0, -0.01]
upper = [0.1, 0.1, 0.05]
[[materials]]
name = "grain"
density = 1300.0
young = 1e6
poisson = 0.3
restitution = 0.3
friction = 0.3
)";
constexpr const char* sliding_balls = R"([[bodies]]
source = "lattice"
material = "grain"
lower = [0.01, 0.01, -1e-5]
upper = [0.08, 0.08, 0.00999]
counts = [6, 6, 1]
radius = 0.005
velocity = [0.05, 0.02, 0.0]
)";

const Triangles drawing = flat({0, 0, 0}, {100, 0, 0}, {0, 100, 0}, 8, 8);

// Balls that slide over a floor of triangles, in mm, or over a plain one.
std::string floor_text(const ScratchFolder& folder, const Triangles& triangles) {
    std::ofstream(folder / "floor.stl") << stl_text(triangles);
    return "[[walls]]\nname = \"floor\"\nmaterial = \"grain\"\ntype = \"mesh\"\nscale = 0.001\nfile = \"" +
           folder / "floor.stl" + "\"\n";
}
const std::string plain_floor =
    "[[walls]]\nname = \"floor\"\nmaterial = \"grain\"\ntype = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, "
    "1.0]\n";

void write_after_steps(const std::string& text, const std::string& path, bool as_before_sums = false) {
    Simulation sim({}, plan_of(text).setup);
    for (int k = 0; k < 20; ++k) sim.step();
    ASSERT_EQ(contacts_of(sim).size(), 36u);
    StateHeader h = state_header(sim, text);
    if (as_before_sums) h.run = {};
    write_state(sim.comm(), path, h, bodies_inside(sim), contacts_inside(sim), sim.setup().axes);
}

// Springs that find their wall.
std::size_t n_springs(const Setup& setup) {
    std::size_t n = 0;
    setup.start.for_contacts({}, [&](std::span<const ContactRecord> slice) {
        for (const ContactRecord& c : slice) n += c.partner.number() != no_wall ? 1u : 0u;
    });
    return n;
}

struct Started {
    std::size_t springs;
    std::vector<std::string> remarks;
};
Started started(const std::string& text, const std::string& path, const std::vector<std::string>& sets = {}) {
    const Plan plan = plan_of(text + "[start]\nfrom = \"" + path + "\"\n", sets);
    return {n_springs(plan.setup), plan.remarks};
}

const std::string anew = "the wall 'floor' has other triangles or wall balls than in ";

}  // namespace

// The n-th triangle of another drawing is another triangle.
TEST(StartState, SpringsAtTrianglesNeedTheSameDrawing) {
    const ScratchFolder folder;
    const std::string state = folder / "state.h5", before = folder / "before.h5", plain = folder / "plain.h5";
    std::string with_mesh = slide_text + floor_text(folder, drawing);
    write_after_steps(with_mesh + sliding_balls, state);
    write_after_steps(with_mesh + sliding_balls, before, true);
    write_after_steps(slide_text + plain_floor + sliding_balls, plain);

    const Started same = started(with_mesh, state);
    EXPECT_EQ(same.springs, 36u);
    EXPECT_TRUE(same.remarks.empty());
    EXPECT_EQ(started(with_mesh, state, {"run.slab_axis=y"}).springs, 36u);
    EXPECT_EQ(started(with_mesh, state, {"walls.floor.offset=[0.0, 0.0, 1e-6]"}).springs, 36u);  // put elsewhere

    // Written before there were checksums: nobody knows.
    const Started unknown = started(with_mesh, before);
    EXPECT_EQ(unknown.springs, 0u);
    EXPECT_TRUE(has(unknown.remarks, anew + before));
    // From a plain floor to triangles and back.
    EXPECT_EQ(started(with_mesh, plain).springs, 0u);
    EXPECT_TRUE(has(started(with_mesh, plain).remarks, anew));
    EXPECT_EQ(started(slide_text + plain_floor, plain).springs, 36u);
    EXPECT_EQ(started(slide_text + plain_floor, state).springs, 0u);

    Triangles other = drawing;
    std::reverse(other.begin(), other.end());
    with_mesh = slide_text + floor_text(folder, other);
    const Started reversed = started(with_mesh, state);
    EXPECT_EQ(reversed.springs, 0u);
    EXPECT_TRUE(has(reversed.remarks, anew + state));
}

// The cylinder is the same, the cone under it another one: springs at the balls of the one are kept, at those of the
// other not.
TEST(StartState, SpringsAtWallBallsNeedTheSameNet) {
    const ScratchFolder folder;
    const std::string state = folder / "state.h5";
    const std::vector<std::string> balls{"silo.wall=balls", "silo.wall_spacing=0.008", "silo.wall_radius_min=0.0045",
                                         "silo.wall_radius_max=0.005"};
    std::array<std::size_t, 2> all{};  // at the cylinder, elsewhere
    const auto count = [](const granary::Setup& setup, const Partner& partner, std::array<std::size_t, 2>& n) {
        if (partner.of() == PartnerClass::wall_ball) ++n[setup.wall_balls[partner.number()].wall == 0 ? 0 : 1];
    };
    const auto count_all = [&](const granary::Setup& setup) {
        std::array<std::size_t, 2> n{};
        setup.start.for_contacts({}, [&](std::span<const ContactRecord> slice) {
            for (const ContactRecord& c : slice) count(setup, c.partner, n);
        });
        return n;
    };
    {
        std::vector<std::string> sets = balls;
        sets.insert(sets.end(), {"stages.fill.count=400", "stages.fill.rate=2000.0"});
        const Plan plan = plan_of(silo_text, sets);
        ASSERT_EQ(plan.setup.walls[0].name, "cylinder");
        Simulation sim({}, plan.setup);
        for (std::size_t k = 0; k < 2; ++k)
            run_stage(
                sim, plan.stages[k], {}, [](const Simulation&) {}, [](const Simulation&) {});
        for (const ContactRecord& c : contacts_of(sim)) count(sim.setup(), c.partner, all);
        write_state(sim.comm(), state, state_header(sim, ""), bodies_inside(sim), contacts_inside(sim),
                    sim.setup().axes);
    }
    ASSERT_GT(all[0], 5u);
    ASSERT_GT(all[1], 5u);
    std::string text = silo_text;
    const std::size_t begin = text.find("[[stages]]"), end = text.find("[[stages]]\ntype = \"discharge\"");
    text.erase(begin, end - begin);
    text += "[start]\nfrom = \"" + state + "\"\n";

    const Plan same = plan_of(text, balls);
    EXPECT_TRUE(same.remarks.empty());
    EXPECT_EQ(count_all(same.setup), all);

    std::vector<std::string> sets = balls;
    sets.push_back("silo.d_h=0.06");
    const Plan other = plan_of(text, sets);
    EXPECT_TRUE(has(other.remarks, "the wall 'cone' has other triangles or wall balls than in"));
    EXPECT_FALSE(has(other.remarks, "'cylinder'"));
    EXPECT_EQ(count_all(other.setup), (std::array<std::size_t, 2>{all[0], 0}));
}
