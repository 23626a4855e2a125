#include "io/formats/toml_tree.hpp"
#include <fmt/format.h>
#include <toml++/toml.h>
#include <algorithm>
#include <string_view>

namespace granary {
namespace {

Place place_of(const toml::source_position& p) { return {static_cast<int>(p.line), static_cast<int>(p.column), -1}; }

TomlNode copy(const toml::node& from) {
    TomlNode to;
    to.place = place_of(from.source().begin);
    if (const toml::table* table = from.as_table()) {
        to.kind = TomlNode::Kind::table;
        for (auto&& [key, value] : *table) {
            to.items.push_back(copy(value));
            to.items.back().key = std::string(key.str());
            to.items.back().key_place = place_of(key.source().begin);
        }
    } else if (const toml::array* array = from.as_array()) {
        to.kind = TomlNode::Kind::array;
        for (const toml::node& value : *array) to.items.push_back(copy(value));
    } else if (const auto* text = from.as_string()) {
        to.kind = TomlNode::Kind::text;
        to.text = text->get();
    } else if (const auto* integer = from.as_integer()) {
        to.kind = TomlNode::Kind::integer;
        to.integer = integer->get();
        to.number = static_cast<double>(to.integer);
    } else if (const auto* number = from.as_floating_point()) {
        to.kind = TomlNode::Kind::number;
        to.number = number->get();
    } else if (const auto* boolean = from.as_boolean()) {
        to.kind = TomlNode::Kind::boolean;
        to.boolean = boolean->get();
    } else {
        to.kind = TomlNode::Kind::date;
    }
    return to;
}

}  // namespace

TomlNode* TomlNode::find(const std::string& name) {
    const auto it = std::find_if(items.begin(), items.end(), [&](const TomlNode& m) { return m.key == name; });
    return kind == Kind::table && it != items.end() ? &*it : nullptr;
}

const TomlNode* TomlNode::find(const std::string& name) const { return const_cast<TomlNode*>(this)->find(name); }

void TomlNode::erase(const std::string& name) {
    if (const TomlNode* m = find(name)) items.erase(items.begin() + (m - items.data()));
}

void TomlNode::set_place(const Place& p) {
    place = key_place = p;
    for (TomlNode& item : items) item.set_place(p);
}

std::string describe_value(const TomlNode& node) {
    switch (node.kind) {
        case TomlNode::Kind::table: return "a table";
        case TomlNode::Kind::array:
            if (node.items.empty()) return "an empty list";
            return fmt::format("a list of {} value{}", node.items.size(), node.items.size() == 1 ? "" : "s");
        case TomlNode::Kind::text: return fmt::format("\"{}\"", node.text);
        case TomlNode::Kind::integer: return fmt::format("{}", node.integer);
        case TomlNode::Kind::number: {
            const std::string digits = fmt::format("{}", node.number);
            const bool looks_whole = digits.find_first_not_of("-0123456789") == std::string::npos;
            return looks_whole ? digits + ".0" : digits;  // 3.0 must not read like the integer 3
        }
        case TomlNode::Kind::boolean: return node.boolean ? "true" : "false";
        case TomlNode::Kind::date: return "a date or time";
    }
    return "?";
}

TomlNode parse_toml(const std::string& text) {
    try {
        const toml::table table = toml::parse(std::string_view(text));
        return copy(table);
    } catch (const toml::parse_error& e) {
        std::string message(e.description());
        // A string that goes on to the end of its line is told as one with a forbidden character.
        if (message.starts_with("Error while parsing string") && message.find("control character") != message.npos)
            message = "a string does not end on its line (expected a closing quote)";
        throw TomlSyntaxError{place_of(e.source().begin), message};
    }
}

TomlNode parse_toml_value(const std::string& text) {
    TomlNode table = parse_toml("value = " + text);
    if (table.items.size() != 1) throw TomlSyntaxError{{1, 1, -1}, "more than one value"};
    TomlNode value = std::move(table.items.front());
    value.key.clear();
    return value;
}

bool parse_path(const std::string& path, std::vector<PathStep>& steps) {
    steps.clear();
    std::size_t i = 0;
    const auto is_digit = [&](std::size_t k) { return k < path.size() && path[k] >= '0' && path[k] <= '9'; };
    while (i < path.size()) {
        if (path[i] == '[') {
            const std::size_t first = ++i;
            while (is_digit(i)) ++i;
            if (steps.empty() || i == first || i - first > 9 || i >= path.size() || path[i] != ']') return false;
            steps.push_back({"", std::stoul(path.substr(first, i - first))});
            ++i;
        } else {
            if (!steps.empty() && path[i++] != '.') return false;
            std::string key;
            if (i < path.size() && path[i] == '"') {
                const std::size_t close = path.find('"', i + 1);
                if (close == std::string::npos) return false;
                key = path.substr(i + 1, close - i - 1);
                i = close + 1;
            } else {
                const std::size_t end = std::min(path.find_first_of(".[]\" \t", i), path.size());
                key = path.substr(i, end - i);
                i = end;
            }
            if (key.empty()) return false;
            steps.push_back({key, 0});
        }
    }
    return !steps.empty();
}

}  // namespace granary
