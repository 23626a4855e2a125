#include "io/formats/json.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

namespace granary {
namespace {

TEST(Json, MembersStandInTheirOrder) {
    const Json value{{"name", "bed"}, {"big", ~std::uint64_t{0}}, {"ok", true}, {"a", Json::array({1, nullptr})}};
    EXPECT_EQ(json_lines(value), R"({
  "name": "bed",
  "big": 18446744073709551615,
  "ok": true,
  "a": [
    1,
    null
  ]
}
)");
    EXPECT_EQ(json_line(value), R"({"name":"bed","big":18446744073709551615,"ok":true,"a":[1,null]})");
}

TEST(Json, NumbersReadBackToTheSameBits) {
    for (const double v : {0.0, 1.0, -1.5, 0.1, 1.0 / 3, 1e300, 5e-324, 123456789.123456789, 1e22, -7e-7})
        EXPECT_EQ(number_or(parse_json(json_lines({{"v", v}})), "v", -1), v);
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double v : {infinity, -infinity, std::nan("")}) EXPECT_EQ(json_line(Json(v)), "null");
}

TEST(Json, TextsReadBack) {
    for (const char* text : {"plain", "a\"b\\c\n\t\x01", "Lazarevi\xC4\x87 \xE2\x82\xAC \xF0\x9F\x8C\xBE"})
        EXPECT_EQ(text_or(parse_json(json_lines({{"t", text}})), "t", ""), text);
    EXPECT_EQ(parse_json("\"\\u00e9\\u7c73\\ud83c\\udf3e\\/\"").get<std::string>(), "é米🌾/");
}

// A path may be made of any bytes; what is written is JSON all the same.
TEST(Json, BytesThatAreNoUtf8AreReplaced) {
    EXPECT_EQ(json_line(Json("a\xFFz")), "\"a\xEF\xBF\xBDz\"");
    for (const char* text : {"\xC4", "\xC4z", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80"})
        EXPECT_FALSE(parse_json(json_line(Json(text))).is_discarded()) << text;
}

TEST(Json, HalfAFileIsNothing) {
    const std::string whole = R"({"a": [1, 2.5e3, "x"], "b": {"c": null}})";
    ASSERT_FALSE(parse_json(whole).is_discarded());
    for (std::size_t n = 0; n < whole.size(); ++n) EXPECT_TRUE(parse_json(whole.substr(0, n)).is_discarded()) << n;
    for (const char* bad :
         {"", "{} {}", "{,}", "[1,]", "{\"a\" 1}", "nan", "inf", "tru", "\"\\u12\"", "[}", "\"\xFF\""})
        EXPECT_TRUE(parse_json(bad).is_discarded()) << bad;
    EXPECT_TRUE(parse_json(std::string(100000, '[')).is_discarded());  // deep, but no end of the stack
    const std::string deep = std::string(100000, '[') + std::string(100000, ']');
    EXPECT_FALSE(parse_json(deep).is_discarded());
}

TEST(Json, MembersOfAnotherTypeAreNotThere) {
    const Json value = parse_json(R"({"n": 2, "t": "x", "z": null})");
    EXPECT_EQ(number_or(value, "n", -1), 2);
    EXPECT_EQ(text_or(value, "t", "?"), "x");
    for (const char* key : {"t", "z", "nothing"}) EXPECT_EQ(number_or(value, key, -1), -1);
    for (const char* key : {"n", "z", "nothing"}) EXPECT_EQ(text_or(value, key, "?"), "?");
    EXPECT_EQ(number_or(parse_json("[1]"), "n", -1), -1);
    EXPECT_EQ(text_or(parse_json("half"), "t", "?"), "?");
}

}  // namespace
}  // namespace granary
