// A start from the state of another run: what matches by name is kept, what does not is said.
#include "app/start_state.hpp"
#include <gtest/gtest.h>
#include "app/observer.hpp"
#include "app/results.hpp"
#include "core/errors.hpp"
#include "support/message_of.hpp"
#include "support/scratch_folder.hpp"
#include "support/silo_case.hpp"

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
                sim, plan.stages[k], {}, [](Simulation&) {}, [](Simulation&) {});
        observer.finish(sim);
        time = sim.time(), contacts = sim.contacts().size();
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
    EXPECT_EQ(sim.ledger().inside, 100u);
    EXPECT_EQ(sim.contacts().size(), filled().contacts);
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
