#include "io/case/case_check.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "io/case/case_schema.hpp"
#include "io/formats/words.hpp"

namespace granary {
namespace {

using Kind = TomlNode::Kind;

bool is_number(const TomlNode& n) { return n.kind == Kind::number || n.kind == Kind::integer; }

bool contains(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// ---- One value -----------------------------------------------------------------------------------------------------

class ValueCheck {
  public:
    ValueCheck(const KeyRow& key, const std::string& path, CaseReport& report)
        : key_(key),
          path_(path),
          report_(report) {}

    void run(const TomlNode& value) const {
        switch (key_.type) {
            case ValueType::number: return number(value);
            case ValueType::number_or_auto:
                if (value.kind != Kind::text || value.text != "auto") number(value);
                return;
            case ValueType::integer: return integer(value);
            case ValueType::boolean:
                if (value.kind != Kind::boolean) wrong_type(value);
                return;
            case ValueType::text: return text(value);
            case ValueType::choice: return choice(value);
            case ValueType::choices: return choices(value);
            case ValueType::texts: return texts(value);
            case ValueType::numbers: return list(value, [&](const TomlNode& item) { number(item); });
            case ValueType::vec2s:
                return list(value, [&](const TomlNode& item) { tuple(item, 2, &ValueCheck::number); });
            case ValueType::vec3s:
                return list(value, [&](const TomlNode& item) { tuple(item, 3, &ValueCheck::number); });
            case ValueType::vec4s:
                return list(value, [&](const TomlNode& item) { tuple(item, 4, &ValueCheck::number); });
            case ValueType::vec2: return tuple(value, 2, &ValueCheck::number);
            case ValueType::vec3: return tuple(value, 3, &ValueCheck::number);
            case ValueType::int3: return tuple(value, 3, &ValueCheck::integer);
        }
    }

  private:
    void wrong(const TomlNode& value, const std::string& what, const std::string& hint = "") const {
        report_.add(value.place, path_,
                    fmt::format("{} {} (expected {}, got {}{})", path_, what, describe_expected(key_),
                                describe_value(value), hint.empty() ? "" : "; " + hint));
    }
    void wrong_type(const TomlNode& value, const std::string& hint = "") const {
        wrong(value, "has the wrong type", hint);
    }

    void number(const TomlNode& value) const {
        if (!is_number(value)) return wrong_type(value);
        if (!key_.bounds.accept(value.number)) wrong(value, "is out of range");
    }

    void integer(const TomlNode& value) const {
        if (value.kind == Kind::integer) {
            if (!key_.bounds.accept(value.number)) wrong(value, "is out of range");
            return;
        }
        // 1e6 is no integer in TOML, but whoever writes it means one.
        const double v = value.number;
        const bool whole = value.kind == Kind::number && std::floor(v) == v && std::abs(v) < 1e15;
        wrong_type(value, whole ? fmt::format("write {:.0f}", v) : "");
    }

    void text(const TomlNode& value) const {
        if (value.kind != Kind::text) return wrong_type(value);
        if (!key_.bounds.accept(static_cast<double>(value.text.size()))) wrong(value, "is empty");
    }

    void choice(const TomlNode& value) const {
        if (value.kind != Kind::text) return wrong_type(value);
        const std::vector<std::string> words = split_list(key_.extra.choices);
        if (contains(words, value.text)) return;
        const std::string meant = nearest(value.text, words);
        wrong(value, "is not known", meant.empty() ? "" : fmt::format("did you mean \"{}\"?", meant));
    }

    void choices(const TomlNode& value) const {
        if (value.kind != Kind::array) return wrong_type(value);
        std::vector<std::string> seen;
        for (const TomlNode& item : value.items) {
            choice(item);
            if (item.kind == Kind::text && contains(seen, item.text)) wrong(item, "contains a value twice");
            seen.push_back(item.text);
        }
    }

    void texts(const TomlNode& value) const {
        const auto n = static_cast<double>(value.items.size());
        if (value.kind != Kind::array || !key_.bounds.accept(n)) return wrong_type(value);
        for (const TomlNode& item : value.items)
            if (item.kind != Kind::text) wrong_type(item);
    }

    template <class F> void list(const TomlNode& value, F&& item_check) const {
        const bool needed = key_.preset.kind == KeyDefault::Kind::required;
        if (value.kind != Kind::array || (value.items.empty() && needed)) return wrong_type(value);
        for (const TomlNode& item : value.items) item_check(item);
    }

    void tuple(const TomlNode& value, std::size_t size, void (ValueCheck::*component)(const TomlNode&) const) const {
        if (value.kind != Kind::array || value.items.size() != size) return wrong_type(value);
        for (const TomlNode& item : value.items) (this->*component)(item);
    }

    const KeyRow& key_;
    const std::string& path_;
    CaseReport& report_;
};

// ---- One section ---------------------------------------------------------------------------------------------------

class SectionCheck {
  public:
    SectionCheck(TomlNode& table, const SectionRow& section, const std::string& path, const TomlNode& root,
                 CaseReport& report)
        : table_(table),
          section_(section),
          path_(path),
          root_(root),
          report_(report),
          selected_(default_selection(section)) {}

    void run() {
        select();
        for (const TomlNode& member : table_.items)
            if (!is_section(member.key)) check_member(member);
        for (const KeyRow& key : case_keys())
            if (std::string(key.section) == section_.name) check_presence(key);
    }

  private:
    // The words of the selectors that are given; what is no word of theirs leaves open which keys belong.
    void select() {
        for (auto& [selector, word] : selected_) {
            const TomlNode* value = table_.find(selector);
            if (!value) continue;
            const std::vector<std::string> words = split_list(find_key(section_.name, selector)->extra.choices);
            word = value->kind == Kind::text && contains(words, value->text) ? value->text : "";
        }
    }

    // Keys that go with another word of a selector are told as such only if the word is known.
    bool may_stand(const KeyRow& key) const { return !fit(key, selected_).no(); }

    bool is_section(const std::string& name) const {
        return *section_.name == '\0' && find_section(name) && !name.empty();
    }

    void check_member(const TomlNode& member) {
        const std::string path = key_path(path_, member.key);
        const KeyRow* key = find_key(section_.name, member.key);
        if (!key) {
            unknown(member, path);
        } else if (!may_stand(*key)) {
            const KeyRow& culprit = *fit(*key, selected_).culprit;
            const std::string selector = selector_of(culprit)->name;
            report_.add(member.key_place, path,
                        fmt::format("{} cannot be used with {} = \"{}\" (expected only with {})", path, selector,
                                    selected_.at(selector), listed_or(split_list(culprit.extra.only))));
        } else if (*key->extra.unless && has_items(key->extra.unless)) {
            report_.add(member.key_place, path,
                        fmt::format("{} cannot be used with {} (expected one of them)", path,
                                    header(*find_section(key->extra.unless))));
        } else {
            ValueCheck(*key, path, report_).run(member);
        }
    }

    void unknown(const TomlNode& member, const std::string& path) {
        std::vector<std::string> names;
        for (const KeyRow& key : case_keys())
            if (std::string(key.section) == section_.name && may_stand(key)) names.push_back(key.name);
        if (*section_.name == '\0')
            for (const SectionRow& s : case_sections().subspan(1)) names.push_back(s.name);

        const std::string near = nearest(member.key, names);
        std::string help;
        if (const SectionRow* home = other_home(member.key)) {
            help = fmt::format("{} belongs in {}", member.key, header(*home));
        } else if (!near.empty()) {
            help = fmt::format("did you mean {}?", key_path(path_, near));
            if (!table_.find(near)) report_.mark_unsound(key_path(path_, near));  // not missing as well
        } else {
            help = "expected " + listed(names);
        }
        report_.add(member.key_place, path, fmt::format("unknown key {} ({})", path, help));
    }

    // A section that has a key of this name.
    static const SectionRow* other_home(const std::string& name) {
        for (const KeyRow& key : case_keys())
            if (key.name == name) return find_section(key.section);
        return nullptr;
    }

    void check_presence(const KeyRow& key) {
        const std::string path = key_path(path_, key.name);
        if (const TomlNode* member = table_.find(key.name)) {
            for (const std::string& rival : split_list(key.extra.rivals)) {
                const std::string rival_path = key_path(path_, rival);
                if (!table_.find(rival) || !may_stand(key) || !report_.is_sound(rival_path)) continue;
                report_.mark_unsound(rival_path);
                report_.add(member->key_place, path,
                            fmt::format("{} and {} exclude each other (expected one of them)", path, rival_path));
                break;
            }
            return;
        }
        if (!fit(key, selected_).yes() || !report_.is_sound(path)) return;
        if (key.preset.kind == KeyDefault::Kind::required) {
            if (is_made()) return;
            report_.add(table_.place, path, fmt::format("{} is missing (expected {})", path, describe_expected(key)));
        } else if (key.preset.kind == KeyDefault::Kind::value && !has_rival(key)) {
            TomlNode value = parse_toml_value(key.preset.toml);
            value.set_place({});
            value.key = key.name;
            table_.items.push_back(value);
        }
    }

    // What the section needs is made from another one: nothing of it is given.
    bool is_made() const {
        if (!*section_.stand_in || !root_.find(section_.stand_in)) return false;
        for (const KeyRow& key : case_keys())
            if (std::string(key.section) == section_.name && key.preset.kind == KeyDefault::Kind::required &&
                table_.find(key.name))
                return false;
        return true;
    }

    bool has_items(const char* section) const {
        const TomlNode* node = root_.find(section);
        return node && !node->items.empty();
    }

    bool has_rival(const KeyRow& key) const {
        const std::vector<std::string> rivals = split_list(key.extra.rivals);
        return std::any_of(rivals.begin(), rivals.end(), [&](const std::string& r) { return table_.find(r); });
    }

    TomlNode& table_;
    const SectionRow& section_;
    const std::string path_;
    const TomlNode& root_;
    CaseReport& report_;
    Selected selected_;
};

// ---- All sections --------------------------------------------------------------------------------------------------

void check_repeated(TomlNode& node, const SectionRow& section, const TomlNode& root, CaseReport& report) {
    const std::string name = section.name;
    if (node.kind != Kind::array) {
        report.add(node.place, name,
                   fmt::format("{} is not a list of tables (expected {}, got {})", name, header(section),
                               node.kind == Kind::table ? "[" + name + "]" : describe_value(node)));
        return;
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        const std::string path = fmt::format("{}[{}]", name, i);
        TomlNode& item = node.items[i];
        if (item.kind == Kind::table) SectionCheck(item, section, path, root, report).run();
        else
            report.add(
                item.place, path,
                fmt::format("{} is not a table (expected {}, got {})", path, header(section), describe_value(item)));
    }
}

void check_single(TomlNode& node, const SectionRow& section, const TomlNode& root, CaseReport& report) {
    const std::string name = section.name;
    if (node.kind == Kind::table) return SectionCheck(node, section, name, root, report).run();
    const bool several = node.kind == Kind::array && !node.items.empty() && node.items[0].kind == Kind::table;
    report.add(node.place, name,
               fmt::format("{} is not a table (expected {}, got {})", name, header(section),
                           several ? "[[" + name + "]]" : describe_value(node)));
}

}  // namespace

void check_keys(TomlNode& root, CaseReport& report) {
    SectionCheck(root, *find_section(""), "", root, report).run();
    for (const SectionRow& section : case_sections().subspan(1)) {
        const bool mistyped = !report.is_sound(section.name);
        if (!root.find(section.name) && section.if_missing == IfMissing::error && !mistyped) {
            if (*section.stand_in && (root.find(section.stand_in) || !report.is_sound(section.stand_in))) continue;
            const SectionRow* stand_in = *section.stand_in ? find_section(section.stand_in) : nullptr;
            report.add(
                {}, section.name,
                fmt::format(
                    "the section {} is missing{}", header(section),
                    stand_in ? fmt::format(" (expected it, or a {} to derive it from)", header(*stand_in)) : ""));
        }
        if (!root.find(section.name) && section.if_missing == IfMissing::defaults && !mistyped) {
            root.items.push_back({});
            root.items.back().key = section.name;
        }
        if (TomlNode* node = root.find(section.name))
            section.repeated ? check_repeated(*node, section, root, report)
                             : check_single(*node, section, root, report);
    }
}

std::string key_path(const std::string& section_path, const std::string& name) {
    return section_path.empty() ? name : section_path + "." + name;
}

}  // namespace granary
