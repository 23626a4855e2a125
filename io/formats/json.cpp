#include "io/formats/json.hpp"
#include <nlohmann/json.hpp>

namespace granary {
namespace {

std::string dumped(const Json& value, int indent) {
    return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

const Json* member(const Json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto it = object.find(key);
    return it == object.end() ? nullptr : &*it;
}

}  // namespace

std::string json_lines(const Json& value) { return dumped(value, 2) + '\n'; }

std::string json_line(const Json& value) { return dumped(value, -1); }

Json parse_json(std::string_view text) { return Json::parse(text.begin(), text.end(), nullptr, false); }

double number_or(const Json& object, const char* key, double other) {
    const Json* const v = member(object, key);
    return v != nullptr && v->is_number() ? v->get<double>() : other;
}

std::string text_or(const Json& object, const char* key, std::string other) {
    const Json* const v = member(object, key);
    return v != nullptr && v->is_string() ? v->get<std::string>() : other;
}

}  // namespace granary
