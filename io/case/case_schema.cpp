#include "io/case/case_schema.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include "io/formats/words.hpp"

namespace granary {
namespace {

using T = ValueType;

constexpr double inf = std::numeric_limits<double>::infinity();

// ", above 0", ", from 0 to 1", ", above 0 and at most 1", ", above 0, or inf"; lead is the comma.
std::string bounds_text(const KeyBounds& b, const char* lead) {
    const bool from_below = b.lower > -inf, from_above = b.upper < inf;
    if (from_below && from_above && !b.lower_open && !b.upper_open)
        return fmt::format("{}from {} to {}", lead, b.lower, b.upper);
    std::string s;
    if (from_below) s = fmt::format("{}{} {}", lead, b.lower_open ? "above" : "at least", b.lower);
    if (from_above)
        s += fmt::format("{}{} {}", from_below ? " and " : lead, b.upper_open ? "below" : "at most", b.upper);
    if (!from_above && !b.upper_open) s += ", or inf";
    return s;
}

}  // namespace

bool KeyBounds::accept(double v) const {
    return (lower_open ? v > lower : v >= lower) && (upper_open ? v < upper : v <= upper);
}

const SectionRow* find_section(const std::string& name) {
    for (const SectionRow& s : case_sections())
        if (s.name == name) return &s;
    return nullptr;
}

const KeyRow* find_key(const std::string& section, const std::string& name) {
    static const auto known = [] {
        std::unordered_map<std::string, const KeyRow*> all;
        for (const KeyRow& k : case_keys()) all.emplace(std::string(k.section) + '\n' + k.name, &k);
        return all;
    }();
    const auto found = known.find(section + '\n' + name);
    return found == known.end() ? nullptr : found->second;
}

std::string header(const SectionRow& s) {
    return s.repeated ? fmt::format("[[{}]]", s.name) : fmt::format("[{}]", s.name);
}

std::vector<std::string> split_list(const char* list) {
    std::vector<std::string> words;
    for (const char* c = list; *c != '\0';) {
        const std::size_t n = std::strcspn(c, "|");
        words.emplace_back(c, n);
        c += n + (c[n] == '|' ? 1 : 0);
    }
    return words;
}

std::string choice_word(const std::string& section, const std::string& key, std::size_t n) {
    return split_list(find_key(section, key)->extra.choices).at(n);
}

const KeyRow* selector_of(const KeyRow& key) {
    if (*key.extra.only == '\0') return nullptr;
    return find_key(key.section, *key.extra.by ? key.extra.by : find_section(key.section)->selector);
}

Selected default_selection(const SectionRow& section) {
    Selected words;
    for (const KeyRow& key : case_keys()) {
        const KeyRow* selector = std::string_view(key.section) == section.name ? selector_of(key) : nullptr;
        if (!selector) continue;
        const std::string quoted_word = selector->preset.toml;
        words[selector->name] = quoted_word.size() < 2 ? "" : quoted_word.substr(1, quoted_word.size() - 2);
    }
    return words;
}

KeyFit fit(const KeyRow& key, const Selected& selected) {
    const KeyRow* selector = selector_of(key);
    if (!selector) return {};
    const KeyFit above = fit(*selector, selected);
    if (above.no()) return above;
    const std::vector<std::string> only = split_list(key.extra.only);
    const auto word = selected.find(selector->name);
    if (word == selected.end() || word->second.empty()) return {KeyFit::Answer::unknown, nullptr};
    if (std::find(only.begin(), only.end(), word->second) == only.end()) return {KeyFit::Answer::no, &key};
    return above;
}

std::string describe_expected(const KeyRow& key) {
    const std::string unit = *key.unit ? fmt::format(" in {}", key.unit) : "";
    switch (key.type) {
        case T::number: return "a number" + unit + bounds_text(key.bounds, ", ");
        case T::number_or_auto: return "\"auto\" or a number" + unit + bounds_text(key.bounds, ", ");
        case T::integer: return "an integer" + bounds_text(key.bounds, ", ");
        case T::boolean: return "true or false";
        case T::text: return key.bounds.lower > 0 ? "a string that is not empty" : "a string";
        case T::choice: return listed_or(split_list(key.extra.choices));
        case T::choices: return "a list with none, some or all of " + listed(quoted(split_list(key.extra.choices)));
        case T::texts:
            if (key.bounds.lower == key.bounds.upper) return fmt::format("a list of {} strings", key.bounds.lower);
            return key.bounds.lower > 0 ? "a list of strings that is not empty" : "a list of strings";
        case T::numbers: return "a list of numbers" + unit + bounds_text(key.bounds, ", each ");
        case T::vec2s: return "a list of [x, y]" + unit + bounds_text(key.bounds, ", each ");
        case T::vec3s: return "a list of [x, y, z]" + unit + bounds_text(key.bounds, ", each ");
        case T::vec4s: return "a list of [x, y, z, r]" + unit + bounds_text(key.bounds, ", each ");
        case T::vec2: return "two numbers [x, y]" + unit + bounds_text(key.bounds, ", each ");
        case T::vec3: return "three numbers [x, y, z]" + unit + bounds_text(key.bounds, ", each ");
        case T::int3: return "three integers [nx, ny, nz]" + bounds_text(key.bounds, ", each ");
    }
    return "?";
}

}  // namespace granary
