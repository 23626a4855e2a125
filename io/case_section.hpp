// Typed access to the values of one section of a checked tree.
#pragma once
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>
#include "core/vec.hpp"
#include "io/case_check.hpp"
#include "io/case_problem.hpp"
#include "io/case_schema.hpp"

namespace granary {

// The values of one checked section. A key that is unsound or was not given reads as empty, or as zero where the table
// promises a value: then the problem is in the report and the case will not be used.
class CaseSection {
  public:
    CaseSection(const TomlNode* table, const char* name, std::string path, const CaseReport& report)
        : table_(table),
          name_(name),
          path_(std::move(path)),
          report_(report) {}

    std::optional<double> maybe_number(const char* key) const {
        const TomlNode* v = find(key);
        return v && v->kind != TomlNode::Kind::text ? std::optional(v->number) : std::nullopt;  // text: "auto"
    }
    std::optional<std::int64_t> maybe_integer(const char* key) const {
        const TomlNode* v = find(key);
        return v ? std::optional(v->integer) : std::nullopt;
    }
    double number(const char* key) const { return maybe_number(key).value_or(0.0); }
    std::int64_t integer(const char* key) const { return maybe_integer(key).value_or(0); }
    bool boolean(const char* key) const {
        const TomlNode* v = find(key);
        return v && v->boolean;
    }
    std::string text(const char* key) const {
        const TomlNode* v = find(key);
        return v ? v->text : "";
    }
    std::vector<std::string> texts(const char* key) const {
        std::vector<std::string> words;
        if (const TomlNode* v = find(key))
            for (const TomlNode& item : v->items) words.push_back(item.text);
        return words;
    }
    Vec3d vec3(const char* key) const {
        const TomlNode* v = find(key);
        return v ? Vec3d{v->items[0].number, v->items[1].number, v->items[2].number} : Vec3d{};
    }
    std::optional<std::array<std::int64_t, 3>> maybe_int3(const char* key) const {
        const TomlNode* v = find(key);
        if (!v) return std::nullopt;
        return std::array{v->items[0].integer, v->items[1].integer, v->items[2].integer};
    }
    // The number of the word in the table; enumerations have the same order.
    int choice(const char* key) const { return word_number(key, text(key)); }
    std::vector<int> choices(const char* key) const {
        std::vector<int> numbers;
        for (const std::string& word : texts(key)) numbers.push_back(word_number(key, word));
        return numbers;
    }
    template <class E> E choice_of(const char* key) const { return static_cast<E>(choice(key)); }

  private:
    const TomlNode* find(const char* key) const {
        if (!find_key(name_, key))
            throw std::logic_error(fmt::format("the table of keys has no {} in section {}", key, name_));
        return table_ && report_.is_sound(key_path(path_, key)) ? table_->find(key) : nullptr;
    }
    int word_number(const char* key, const std::string& word) const {
        const std::vector<std::string> words = split_list(find_key(name_, key)->extra.choices);
        const auto it = std::find(words.begin(), words.end(), word);
        return it == words.end() ? 0 : static_cast<int>(it - words.begin());
    }

    const TomlNode* table_;  // nullptr: not in the file
    const char* name_;
    std::string path_;
    const CaseReport& report_;
};

}  // namespace granary
