#include "app/sweep.hpp"
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
