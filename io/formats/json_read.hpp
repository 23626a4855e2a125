// JSON read back: what io/formats/json.hpp writes and what other programs write beside it. For small files.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace granary {

struct JsonValue {
    enum class Kind { null, boolean, number, text, array, object };

    Kind kind = Kind::null;
    bool boolean = false;
    double number = 0;
    std::string text;
    std::vector<JsonValue> items;   // elements of an array, values of an object
    std::vector<std::string> keys;  // of an object, one an item

    const JsonValue* find(std::string_view key) const;                   // nullptr: no such member, or no object
    double number_or(std::string_view key, double other) const;          // of a member that is a number
    std::string text_or(std::string_view key, std::string other) const;  // of a member that is a text
};

// Nothing if the text is not one whole JSON value: half a file says nothing.
std::optional<JsonValue> parse_json(std::string_view text);

}  // namespace granary
