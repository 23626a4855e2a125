#include "io/formats/toml_tree.hpp"
#include <gtest/gtest.h>

namespace granary {
namespace {

using Kind = TomlNode::Kind;

TEST(TomlTree, KnowsValuesAndPlaces) {
    const TomlNode root = parse_toml("a = 1\n[t]\n  b = [2.5, \"x\", true]\n[[l]]\nc = 1979-05-27\n[[l]]\n");
    const TomlNode* a = root.find("a");
    ASSERT_TRUE(a);
    EXPECT_EQ(a->kind, Kind::integer);
    EXPECT_EQ(a->integer, 1);
    EXPECT_EQ(a->number, 1.0);
    EXPECT_EQ(a->place.line, 1);
    EXPECT_EQ(a->place.column, 5);
    EXPECT_EQ(a->key_place.column, 1);
    const TomlNode* b = root.find("t")->find("b");
    ASSERT_TRUE(b);
    EXPECT_EQ(b->kind, Kind::array);
    EXPECT_EQ(b->key_place.line, 3);
    EXPECT_EQ(b->key_place.column, 3);
    EXPECT_EQ(b->items[0].number, 2.5);
    EXPECT_EQ(b->items[1].text, "x");
    EXPECT_EQ(b->items[1].place.column, 13);
    EXPECT_TRUE(b->items[2].boolean);
    const TomlNode* l = root.find("l");
    ASSERT_EQ(l->items.size(), 2u);
    EXPECT_EQ(l->items[0].find("c")->kind, Kind::date);
    EXPECT_EQ(l->items[1].place.line, 6);
    EXPECT_FALSE(root.find("nothing"));
    EXPECT_FALSE(b->find("b"));
}

TEST(TomlTree, SyntaxErrorsHaveAPlace) {
    try {
        parse_toml("a = 1\nb = \"open\n");
        FAIL() << "an open string was accepted";
    } catch (const TomlSyntaxError& e) {
        EXPECT_EQ(e.place.line, 2);
        EXPECT_NE(e.message, "");
    }
    EXPECT_THROW(parse_toml_value("1\nb = 2"), TomlSyntaxError);
    EXPECT_THROW(parse_toml_value("open"), TomlSyntaxError);
    EXPECT_EQ(parse_toml_value("[1, 2]").items.size(), 2u);
}

TEST(TomlTree, ErasesMembers) {
    TomlNode root = parse_toml("a = 1\nb = 2\n");
    root.erase("a");
    root.erase("c");
    ASSERT_EQ(root.items.size(), 1u);
    EXPECT_EQ(root.items[0].key, "b");
}

TEST(TomlTree, DescribesValues) {
    const std::pair<const char*, const char*> rows[] = {{"3", "3"},
                                                        {"3.0", "3.0"},
                                                        {"-1e-5", "-1e-05"},
                                                        {"1e300", "1e+300"},
                                                        {"nan", "nan"},
                                                        {"-inf", "-inf"},
                                                        {"'x'", "\"x\""},
                                                        {"true", "true"},
                                                        {"[]", "an empty list"},
                                                        {"[1]", "a list of 1 value"},
                                                        {"[1, 2]", "a list of 2 values"},
                                                        {"{a = 1}", "a table"},
                                                        {"07:32:00", "a date or time"}};
    for (const auto& [toml, words] : rows) EXPECT_EQ(describe_value(parse_toml_value(toml)), words);
}

TEST(TomlTree, Paths) {
    std::vector<PathStep> steps;
    ASSERT_TRUE(parse_path("walls[12].\"a.b\".c", steps));
    ASSERT_EQ(steps.size(), 4u);
    EXPECT_EQ(steps[0].key, "walls");
    EXPECT_EQ(steps[1].key, "");
    EXPECT_EQ(steps[1].index, 12u);
    EXPECT_EQ(steps[2].key, "a.b");
    EXPECT_EQ(steps[3].key, "c");
    for (const char* bad : {"", ".", "a.", ".a", "a..b", "a[", "a[]", "a[x]", "a[-1]", "a[1", "[1]", "a b", "a]",
                            "a\"b", "a.\"b", "a.\"\"", "a[99999999999999999999]", "a[1]b"})
        EXPECT_FALSE(parse_path(bad, steps)) << bad;
}

}  // namespace
}  // namespace granary
