#include "io/formats/words.hpp"
#include <gtest/gtest.h>

namespace granary {
namespace {

TEST(Words, Lists) {
    EXPECT_EQ(listed({"a", "b", "c"}), "a, b, c");
    EXPECT_EQ(listed_or({"a", "b", "c"}), "\"a\", \"b\" or \"c\"");
    EXPECT_EQ(listed_or({"a"}), "\"a\"");
    EXPECT_EQ(listed({}), "");
}

TEST(Words, Nearest) {
    const std::vector<std::string> keys = {"dt",      "steps",    "time",      "young",
                                           "poisson", "friction", "stiffness", "centre"};
    const std::pair<const char*, const char*> rows[] = {{"stepz", "steps"},
                                                        {"step", "steps"},
                                                        {"yuong", "young"},
                                                        {"center", "centre"},
                                                        {"poisson_ratio", "poisson"},
                                                        {"frictoin", "friction"},
                                                        {"stifness", "stiffness"},
                                                        {"Dt", "dt"},
                                                        {"tiem", "time"},
                                                        {"x", ""},
                                                        {"banana", ""},
                                                        {"density", ""},
                                                        {"", ""}};
    for (const auto& [word, meant] : rows) EXPECT_EQ(nearest(word, keys), meant) << word;
    EXPECT_EQ(nearest("a", {}), "");
}

}  // namespace
}  // namespace granary
