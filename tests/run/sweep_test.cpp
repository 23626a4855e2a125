#include "run/sweep.hpp"
#include <gtest/gtest.h>
#include "core/errors.hpp"

namespace granary {
namespace {

using Words = std::vector<std::string>;

TEST(Sweep, ReadsAKeyAndItsValues) {
    const Variation v = read_variation("materials.steel.friction=0.2,0.3,0.4");
    EXPECT_EQ(v.key, "materials.steel.friction");
    EXPECT_EQ(v.values, (Words{"0.2", "0.3", "0.4"}));
    EXPECT_EQ(read_variation("a=1").values, (Words{"1"}));
}

TEST(Sweep, CommasInBracketsAndQuotesDoNotPart) {
    EXPECT_EQ(read_variation("gravity=[0, 0, -9.81],[0, 0, -1.62]").values, (Words{"[0, 0, -9.81]", "[0, 0, -1.62]"}));
    EXPECT_EQ(read_variation("title=\"a, b\",'c, d'").values, (Words{"\"a, b\"", "'c, d'"}));
    EXPECT_EQ(read_variation("silo={d_h=1, d_c=2},{d_h=2, d_c=[3, 4]}").values,
              (Words{"{d_h=1, d_c=2}", "{d_h=2, d_c=[3, 4]}"}));
    EXPECT_EQ(read_variation("x=a=b").values, (Words{"a=b"})) << "only the first = parts";
}

TEST(Sweep, RefusesWhatHasNoValues) {
    for (const char* text : {"", "run.dt", "run.dt=", "=1", "run.dt=1,,2", "run.dt=1,"})
        EXPECT_THROW(read_variation(text), InputError) << text;
}

TEST(Sweep, RangesWithBothEnds) {
    EXPECT_EQ(read_variation("f=0.1:0.5:0.1").values, (Words{"0.1", "0.2", "0.3", "0.4", "0.5"}));
    EXPECT_EQ(read_variation("n=1:3:1").values, (Words{"1", "2", "3"})) << "whole numbers stay whole";
    EXPECT_EQ(read_variation("n=3:1:-1,7").values, (Words{"3", "2", "1", "7"}));
    EXPECT_EQ(read_variation("f=0:1:0.4").values, (Words{"0", "0.4", "0.8"})) << "the last one need not be met";
    EXPECT_EQ(read_variation("dt=1e-5:3e-5:1e-5").values, (Words{"1e-05", "2e-05", "3e-05"}));
    EXPECT_EQ(read_variation("f=0.2:0.2:0.1").values, (Words{"0.2"}));
    EXPECT_EQ(read_variation("insitu.live=localhost:22222").values, (Words{"localhost:22222"}));
    EXPECT_EQ(read_variation("t='1:2:3'").values, (Words{"'1:2:3'"}));
    EXPECT_EQ(read_variation("f=0:1:1e-3").values.size(), 1001u);
    for (const char* text : {"f=1:2:0", "f=1:2:-1", "f=2:1:0.1", "f=0:1:1e-9", "f=0:1e300:1e-300"})
        EXPECT_THROW(read_variation(text), InputError) << text;
}

TEST(Sweep, LabelsSayWhatDiffers) {
    EXPECT_EQ(labels_of({{"run.time=1", "pairs[0].friction=0.1"}, {"run.time=1", "pairs[0].friction=0.2"}}),
              (Words{"friction=0.1", "friction=0.2"}));
    EXPECT_EQ(labels_of({{"a.steel.friction=1", "a.grain.friction=2", "silo.d_h=3"},
                         {"a.steel.friction=1", "a.grain.friction=4", "silo.d_h=5"},
                         {"a.steel.friction=2", "a.grain.friction=4", "silo.d_h=5"}}),
              (Words{"steel.friction=1, grain.friction=2, d_h=3", "steel.friction=1, grain.friction=4, d_h=5",
                     "steel.friction=2, grain.friction=4, d_h=5"}));
    EXPECT_EQ(labels_of({{"a=1"}}), (Words{""}));
    EXPECT_TRUE(labels_of({}).empty());
}

TEST(Sweep, AllCombinationsTheLastKeyFastest) {
    EXPECT_EQ(combinations({}), (std::vector<Words>{{}}));
    EXPECT_EQ(combinations({{"a", {"1", "2"}}, {"b", {"x", "y", "z"}}}), (std::vector<Words>{{"a=1", "b=x"},
                                                                                             {"a=1", "b=y"},
                                                                                             {"a=1", "b=z"},
                                                                                             {"a=2", "b=x"},
                                                                                             {"a=2", "b=y"},
                                                                                             {"a=2", "b=z"}}));
}

}  // namespace
}  // namespace granary
