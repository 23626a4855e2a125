// Typed access to the values of one section of a checked tree: the reading side of case_bind.hpp.
#pragma once
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>
#include "core/vec.hpp"
#include "io/case/case_check.hpp"
#include "io/case/case_problem.hpp"
#include "io/case/case_schema.hpp"

namespace granary {

// section(key, member) copies the value of a key into a member. A key that is unsound or was not given leaves an
// optional member empty and sets another one to zero: then the table promised no value, or the problem is in the report
// and the case will not be used.
class CaseSection {
  public:
    CaseSection(const TomlNode* table, const char* name, std::string path, const CaseReport& report)
        : table_(table),
          name_(name),
          path_(std::move(path)),
          report_(report) {}

    void operator()(const char* key, std::optional<double>& member) const {
        const TomlNode* v = find(key);
        member = v && v->kind != TomlNode::Kind::text ? std::optional(v->number) : std::nullopt;  // text: "auto"
    }
    void operator()(const char* key, double& member) const { load<double>(key, member); }
    void operator()(const char* key, std::optional<std::int64_t>& member) const {
        const TomlNode* v = find(key);
        member = v ? std::optional(v->integer) : std::nullopt;
    }
    void operator()(const char* key, std::int64_t& member) const { load<std::int64_t>(key, member); }
    void operator()(const char* key, std::uint64_t& member) const {
        std::int64_t value = 0;
        (*this)(key, value);
        member = static_cast<std::uint64_t>(value);
    }
    void operator()(const char* key, bool& member) const {
        const TomlNode* v = find(key);
        member = v && v->boolean;
    }
    void operator()(const char* key, std::string& member) const {
        const TomlNode* v = find(key);
        member = v ? v->text : "";
    }
    void operator()(const char* key, std::vector<std::string>& member) const {
        member.clear();
        if (const TomlNode* v = find(key))
            for (const TomlNode& item : v->items) member.push_back(item.text);
    }
    void operator()(const char* key, std::vector<double>& member) const {
        member.clear();
        if (const TomlNode* v = find(key))
            for (const TomlNode& item : v->items) member.push_back(item.number);
    }
    void operator()(const char* key, std::vector<Vec3d>& member) const {
        member.clear();
        if (const TomlNode* v = find(key))
            for (const TomlNode& item : v->items)
                member.push_back({item.items[0].number, item.items[1].number, item.items[2].number});
    }
    void operator()(const char* key, std::vector<std::array<double, 2>>& member) const {
        member.clear();
        if (const TomlNode* v = find(key))
            for (const TomlNode& i : v->items) member.push_back({i.items[0].number, i.items[1].number});
    }
    void operator()(const char* key, std::vector<std::array<double, 4>>& member) const {
        member.clear();
        if (const TomlNode* v = find(key))
            for (const TomlNode& i : v->items)
                member.push_back({i.items[0].number, i.items[1].number, i.items[2].number, i.items[3].number});
    }
    void operator()(const char* key, std::array<double, 2>& member) const {
        const TomlNode* v = find(key);
        member = v ? std::array{v->items[0].number, v->items[1].number} : std::array<double, 2>{};
    }
    void operator()(const char* key, std::optional<Vec3d>& member) const {
        const TomlNode* v = find(key);
        member = v ? std::optional(Vec3d{v->items[0].number, v->items[1].number, v->items[2].number}) : std::nullopt;
    }
    void operator()(const char* key, Vec3d& member) const { load<Vec3d>(key, member); }
    void operator()(const char* key, std::optional<std::array<std::int64_t, 3>>& member) const {
        const TomlNode* v = find(key);
        member =
            v ? std::optional(std::array{v->items[0].integer, v->items[1].integer, v->items[2].integer}) : std::nullopt;
    }
    // One flag for each word of the table.
    void operator()(const char* key, std::array<bool, 3>& member) const {
        member = {};
        if (const TomlNode* v = find(key))
            for (const TomlNode& item : v->items) member.at(word_number(key, item.text)) = true;
    }
    // Enumerations have the order of the words in the table.
    template <class E>
    requires std::is_enum_v<E>
    void operator()(const char* key, E& member) const { member = static_cast<E>(choice(key)); }
    // The first word leaves the choice open.
    template <class E>
    requires std::is_enum_v<E>
    void choice_or_auto(const char* key, std::optional<E>& member) const {
        const std::size_t n = choice(key);
        member = n == 0 ? std::nullopt : std::optional(static_cast<E>(n - 1));
    }
    void axis(const char* key, int& member) const { member = static_cast<int>(choice(key)); }

    // Not given, or not a number: 0, and not automatic.
    void number_or_auto(const char* key, double& member, bool& automatic) const {
        (*this)(key, member);
        const TomlNode* v = find(key);
        automatic = v && v->kind == TomlNode::Kind::text;
    }

  private:
    template <class T> void load(const char* key, T& member) const {
        std::optional<T> value;
        (*this)(key, value);
        member = value.value_or(T{});
    }
    const TomlNode* find(const char* key) const {
        if (!find_key(name_, key))
            throw std::logic_error(fmt::format("the table of keys has no {} in section {}", key, name_));
        return table_ && report_.is_sound(key_path(path_, key)) ? table_->find(key) : nullptr;
    }
    std::size_t choice(const char* key) const {
        std::string word;
        (*this)(key, word);
        return word_number(key, word);
    }
    std::size_t word_number(const char* key, const std::string& word) const {
        const std::vector<std::string> words = split_list(find_key(name_, key)->extra.choices);
        const auto it = std::find(words.begin(), words.end(), word);
        return it == words.end() ? 0 : static_cast<std::size_t>(it - words.begin());
    }

    const TomlNode* table_;  // nullptr: not in the file
    const char* name_;
    std::string path_;
    const CaseReport& report_;
};

}  // namespace granary
