#include "io/formats/json_read.hpp"
#include <gtest/gtest.h>
#include "io/formats/json.hpp"

namespace granary {
namespace {

TEST(JsonRead, WhatTheWriterWrites) {
    JsonWriter w;
    w.begin_object()
        .member("ranks", 2)
        .member("wall_s", 1.0 / 3)
        .member("name", "a \"b\"\n\x01 é")
        .member("well", true);
    w.key("rows").begin_array().value(1).null().begin_object().end().end().end();
    const auto v = parse_json(w.text());
    ASSERT_TRUE(v);
    EXPECT_EQ(v->number_or("ranks", -1), 2);
    EXPECT_EQ(v->number_or("wall_s", -1), 1.0 / 3);
    EXPECT_EQ(v->text_or("name", ""), "a \"b\"\n\x01 é");
    EXPECT_TRUE(v->find("well")->boolean);
    ASSERT_EQ(v->find("rows")->items.size(), 3u);
    EXPECT_EQ(v->find("rows")->items[1].kind, JsonValue::Kind::null);
    EXPECT_EQ(v->number_or("name", -1), -1);
    EXPECT_EQ(v->text_or("ranks", "?"), "?");
    EXPECT_EQ(v->find("nothing"), nullptr);
}

TEST(JsonRead, LettersByNumber) { EXPECT_EQ(parse_json("\"\\u00e9\\u7c73\\ud83c\\udf3e\\/\"")->text, "é米🌾/"); }

TEST(JsonRead, HalfAFileIsNothing) {
    const std::string whole = R"({"a": [1, 2.5e3, "x"], "b": {"c": null}})";
    ASSERT_TRUE(parse_json(whole));
    for (std::size_t n = 0; n < whole.size(); ++n) EXPECT_FALSE(parse_json(whole.substr(0, n))) << n;
    for (const char* bad : {"", "{} {}", "{,}", "[1,]", "{\"a\" 1}", "nan", "inf", "tru", "\"\\u12\"", "[}"})
        EXPECT_FALSE(parse_json(bad)) << bad;
    EXPECT_FALSE(parse_json(std::string(100000, '[')));  // deep, but no end of the stack
}

}  // namespace
}  // namespace granary
