// JSON, by the library of N. Lohmann, for results that scripts read. Numbers read back to the same bits; JSON knows no
// infinity and no NaN, they become null.
#pragma once
#include <nlohmann/json_fwd.hpp>  // the whole of it, <nlohmann/json.hpp>, takes long to compile: only where values are made or taken apart
#include <string>
#include <string_view>

namespace granary {

using Json = nlohmann::ordered_json;  // members stay in the order in which they were put in

// Members below each other, with a line end. Bytes that are not UTF-8 become U+FFFD.
std::string json_lines(const Json& value);
// The same in one line, without a line end.
std::string json_line(const Json& value);

// A discarded value if the text is not one whole JSON value: half a file says nothing.
Json parse_json(std::string_view text);

// Of a member of an object; the other if there is none of that type.
double number_or(const Json& object, const char* key, double other);
std::string text_or(const Json& object, const char* key, std::string other);

}  // namespace granary
