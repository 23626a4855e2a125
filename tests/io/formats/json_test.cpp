#include "io/formats/json.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace granary {
namespace {

TEST(Json, Strings) {
    EXPECT_EQ(json_text("plain"), "\"plain\"");
    EXPECT_EQ(json_text("a\"b\\c"), R"("a\"b\\c")");
    EXPECT_EQ(json_text(std::string_view("\n\t\r\x01\x00", 5)), R"("\n\t\u000d\u0001\u0000")");
    EXPECT_EQ(json_text("Lazarevi\xC4\x87 \xE2\x82\xAC \xF0\x9F\x8C\xBE"),
              "\"Lazarevi\xC4\x87 \xE2\x82\xAC \xF0\x9F\x8C\xBE\"");
}

TEST(Json, BytesThatAreNoUtf8) {
    EXPECT_EQ(json_text("a\xFFz"), R"("a\ufffdz")");
    EXPECT_EQ(json_text("\xC4"), R"("\ufffd")");                                // cut short
    EXPECT_EQ(json_text("\xC4z"), R"("\ufffdz")");                              // the letter behind it stays
    EXPECT_EQ(json_text("\xC0\xAF"), R"("\ufffd\ufffd")");                      // overlong
    EXPECT_EQ(json_text("\xED\xA0\x80"), R"("\ufffd\ufffd\ufffd")");            // half a surrogate pair
    EXPECT_EQ(json_text("\xF4\x90\x80\x80"), R"("\ufffd\ufffd\ufffd\ufffd")");  // beyond the last letter
}

TEST(Json, NumbersReadBack) {
    for (const double v : {0.0, 1.0, -1.5, 0.1, 1.0 / 3, 1e300, 5e-324, 123456789.123456789}) {
        const std::string text = json_number(v);
        EXPECT_EQ(std::strtod(text.c_str(), nullptr), v) << text;
    }
    EXPECT_EQ(json_number(0.1), "0.1");
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double v : {infinity, -infinity, std::nan("")}) EXPECT_EQ(json_number(v), "null");
}

TEST(Json, Layout) {
    JsonWriter json;
    json.begin_object().member("name", "bed").member("n", 3).member("big", ~std::uint64_t{0}).member("ok", true);
    json.key("rows").begin_array();
    json.begin_object(JsonWriter::Layout::one_line).member("a", 0.5).key("b").begin_array().value(1).value(2).end();
    json.end().null().end();
    json.key("none").begin_array().end().key("empty").begin_object().end().end();
    EXPECT_EQ(json.text(), R"({
  "name": "bed",
  "n": 3,
  "big": 18446744073709551615,
  "ok": true,
  "rows": [
    {"a": 0.5, "b": [1, 2]},
    null
  ],
  "none": [],
  "empty": {}
}
)");
}

TEST(Json, MistakesAreSeen) {
    EXPECT_THROW(JsonWriter().end(), std::logic_error);
    EXPECT_THROW(JsonWriter().key("a"), std::logic_error);
    EXPECT_THROW(JsonWriter().begin_object().value(1), std::logic_error);
    EXPECT_THROW(JsonWriter().begin_array().key("a"), std::logic_error);
    EXPECT_THROW(JsonWriter().begin_object().key("a").key("b"), std::logic_error);
    EXPECT_THROW(JsonWriter().begin_object().key("a").end(), std::logic_error);
    EXPECT_THROW(JsonWriter().value(1).value(2), std::logic_error);
    EXPECT_THROW(JsonWriter().begin_object().text(), std::logic_error);
    EXPECT_EQ(JsonWriter().value(1).text(), "1\n");
}

}  // namespace
}  // namespace granary
