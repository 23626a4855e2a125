// What `granary check` says of probes: how often they look, what they write, and which of them write nothing.
#include "plan/probe_plan.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include "support/silo_case.hpp"

using namespace granary;
using namespace granary::test;

namespace {

const std::string probes = R"(
[[probes]]
type = "field"
name = "bed"
lower = [0, 0, 0]
upper = [0.1, 0.1, 0.1]
counts = [10, 20, 30]
every = 0.01
average = 0.1
stage = "discharge"
[[probes]]
type = "loads"
every = 0.5
stage = "settle"
[[probes]]
type = "bands"
every = 0.02
bands = 8
stage = "discharge"
[output]
checkpoint_every = 0.1
checkpoints_kept = 5
)";

}  // namespace

TEST(ProbePlan, FieldsAndCheckpointsTakeRoomOnTheDisk) {
    const Plan plan = plan_of(silo_text + probes);
    const CheckReport& r = plan.report;
    ASSERT_EQ(r.probes.size(), 3u);
    EXPECT_EQ(r.probes[0].text.substr(0, r.probes[0].text.find(" averages")),
              "bed: fields on 6 000 cells, every 10 ms of stage \"discharge\": at most 200 samples, 21");
    EXPECT_NEAR(r.probes[0].bytes, 21 * 6000 * 14 * 8, 0.02 * r.probes[0].bytes);
    EXPECT_NE(r.probes[2].text.find("at most 100 samples, 101 rows"), std::string::npos) << r.probes[2].text;
    EXPECT_EQ(r.checkpoints.count, 5u);
    EXPECT_GT(r.checkpoints.bytes_each, r.states.bytes_each + 6000 * 8 * 8);  // sums of the fields are in it
    const std::string text = check_text(r);
    EXPECT_NE(text.find("\nprobe       bed: fields"), std::string::npos);
    EXPECT_NE(text.find("5 checkpoints of "), std::string::npos);
    EXPECT_NE(text.find("at most 19 MB: "), std::string::npos) << text;
    EXPECT_NE(text.find("14 MB of probes"), std::string::npos) << text;
}

// A discharge without `time` counts with its estimate, or with nothing if there is none.
TEST(ProbePlan, AStageWithoutALimitCountsWithItsEstimate) {
    std::vector<StagePlan> stages = plan_of(silo_text).report.stages;
    StagePlan& discharge = stages.back();
    ASSERT_EQ(discharge.name, "discharge");
    ProbeSpec bands;
    bands.type = ProbeType::bands, bands.name = "layers", bands.every = 0.02, bands.bands = 8,
    bands.stage = "discharge";
    const auto text = [&] { return probe_files({bands}, stages, 1, 1).at(0).text; };
    discharge.time = 0, discharge.expected = 0.5;
    EXPECT_NE(text().find(": about 25 samples, 26 rows"), std::string::npos) << text();
    discharge.expected = 0;
    EXPECT_NE(text().find(": at least 0 samples, 0 rows"), std::string::npos) << text();
}

TEST(ProbePlan, AProbeThatNeverLooksIsWarnedOf) {
    EXPECT_EQ(plan_of(silo_text + probes).remarks,
              std::vector<std::string>{"the probe loads will write nothing: it samples every 500 ms, but the stage "
                                       "\"settle\" lasts at most 200 ms"});
    EXPECT_TRUE(plan_of(silo_text + probes, {"probes.loads.every=0.2"}).remarks.empty());
}
