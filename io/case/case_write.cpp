// The resolved case: every key of the table with the value of a case.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <type_traits>
#include "io/formats/amounts.hpp"
#include "io/case/case.hpp"
#include "io/case/case_bind.hpp"
#include "io/case/case_schema.hpp"

namespace granary {
namespace {

// ---- Values as TOML ------------------------------------------------------------------------------------------------

// The shortest digits that read back as the same number, and never like an integer.
std::string toml(double v) {
    if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
    const std::string digits = fmt::format("{}", v);
    return digits.find_first_not_of("-0123456789") == std::string::npos ? digits + ".0" : digits;
}
std::string toml(std::int64_t v) { return fmt::format("{}", v); }
std::string toml(bool v) { return v ? "true" : "false"; }
std::string toml(const std::string& v) {
    std::string s = "\"";
    for (const char c : v) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') s += '\\', s += c;
        else if (code < 0x20 || code == 0x7f) s += fmt::format("\\u{:04X}", code);
        else s += c;
    }
    return s + "\"";
}
std::string toml(const Vec3d& v) { return fmt::format("[{}, {}, {}]", toml(v.x), toml(v.y), toml(v.z)); }
std::string toml(const std::array<double, 4>& v);
std::string toml(const std::array<double, 2>& v);
template <class List> std::string toml_list(const List& values) {
    std::string s;
    for (const auto& v : values) s += (s.empty() ? "" : ", ") + toml(v);
    return "[" + s + "]";
}
std::string toml(const std::array<double, 4>& v) { return toml_list(v); }
std::string toml(const std::array<double, 2>& v) { return toml_list(v); }

// ---- One section ---------------------------------------------------------------------------------------------------

// Collects the value of every key, as text; "" where the case says nothing.
class SectionWriter {
  public:
    SectionWriter(const SectionRow& section, std::string path, const ResolvedNotes& notes)
        : section_(section),
          path_(std::move(path)),
          notes_(notes) {}

    void operator()(const char* key, const double& v) { put(key, toml(v)); }
    void operator()(const char* key, const std::optional<double>& v) {
        const bool may_be_auto = row(key).type == ValueType::number_or_auto;
        put(key, v ? toml(*v) : may_be_auto ? "\"auto\"" : "");
    }
    void operator()(const char* key, const std::int64_t& v) { put(key, toml(v)); }
    void operator()(const char* key, const std::uint64_t& v) { put(key, toml(static_cast<std::int64_t>(v))); }
    void operator()(const char* key, const std::optional<std::int64_t>& v) { put(key, v ? toml(*v) : ""); }
    void operator()(const char* key, const bool& v) { put(key, toml(v)); }
    void operator()(const char* key, const std::string& v) { put(key, v.empty() && !may_be_empty(key) ? "" : toml(v)); }
    void operator()(const char* key, const std::vector<std::string>& v) {
        put(key, v.empty() && !may_be_empty(key) ? "" : toml_list(v));
    }
    void operator()(const char* key, const std::vector<double>& v) {
        const bool may_be = row(key).preset.kind == KeyDefault::Kind::value;
        put(key, v.empty() && !may_be ? "" : toml_list(v));
    }
    void operator()(const char* key, const std::vector<Vec3d>& v) { put(key, v.empty() ? "" : toml_list(v)); }
    void operator()(const char* key, const std::vector<std::array<double, 4>>& v) {
        put(key, v.empty() ? "" : toml_list(v));
    }
    void operator()(const char* key, const std::vector<std::array<double, 2>>& v) {
        put(key, v.empty() ? "" : toml_list(v));
    }
    void operator()(const char* key, const std::array<double, 2>& v) { put(key, toml_list(v)); }
    void operator()(const char* key, const Vec3d& v) { put(key, toml_list(std::array{v.x, v.y, v.z})); }
    void operator()(const char* key, const std::optional<Vec3d>& v) {
        put(key, v ? toml_list(std::array{v->x, v->y, v->z}) : "");
    }
    void operator()(const char* key, const std::optional<std::array<std::int64_t, 3>>& v) {
        put(key, v ? toml_list(*v) : "");
    }
    void operator()(const char* key, const std::array<bool, 3>& v) {
        std::vector<std::string> words;
        for (std::size_t i = 0; i < v.size(); ++i)
            if (v[i]) words.push_back(word(key, i));
        put(key, toml_list(words));
    }
    template <class E>
    requires std::is_enum_v<E>
    void operator()(const char* key, const E& v) { put(key, toml(word(key, static_cast<std::size_t>(v)))); }
    template <class E>
    requires std::is_enum_v<E>
    void choice_or_auto(const char* key, const std::optional<E>& v) {
        put(key, toml(word(key, v ? 1 + static_cast<std::size_t>(*v) : 0)));
    }
    void axis(const char* key, int v) { put(key, toml(word(key, static_cast<std::size_t>(v)))); }
    void number_or_auto(const char* key, double v, bool automatic) { put(key, automatic ? "\"auto\"" : toml(v)); }

    // In the order of the table, without keys that do not go with the others.
    std::string text() const {
        Selected selected = default_selection(section_);
        for (auto& [selector, chosen] : selected) {
            const std::string& quoted_word = values_.at(selector);
            chosen = quoted_word.substr(1, quoted_word.size() - 2);
        }
        std::string s = *section_.name ? header(section_) + "\n" : "";
        for (const KeyRow& key : case_keys()) {
            if (std::string(key.section) != section_.name || !fit(key, selected).yes()) continue;
            const auto value = values_.find(key.name);
            if (value == values_.end())
                throw std::logic_error(fmt::format("no member is bound to the key {} of {}", key.name, section_.name));
            if (!value->second.empty()) s += fmt::format("{} = {}\n", key.name, value->second);
        }
        return s;
    }

  private:
    const KeyRow& row(const char* key) const {
        const KeyRow* found = find_key(section_.name, key);
        if (!found) throw std::logic_error(fmt::format("the table of keys has no {} in {}", key, section_.name));
        return *found;
    }
    std::string word(const char* key, std::size_t number) const {
        return split_list(row(key).extra.choices).at(number);
    }

    // A key that excludes others is left out rather than written as empty.
    bool may_be_empty(const char* key) const { return row(key).bounds.accept(0) && *row(key).extra.rivals == '\0'; }

    void put(const char* key, const std::string& value) {
        const auto better = notes_.values.find(*section_.name ? path_ + "." + key : key);
        values_[row(key).name] = better == notes_.values.end() ? value : toml(better->second);
    }

    const SectionRow& section_;
    const std::string path_;
    const ResolvedNotes& notes_;
    std::map<std::string, std::string> values_;
};

// ---- All sections --------------------------------------------------------------------------------------------------

class CaseWriter {
  public:
    explicit CaseWriter(const ResolvedNotes& notes) : notes_(notes) {}

    void top(Case& c) {
        SectionWriter section(*find_section(""), "", notes_);
        bind_top(section, c);
        add(section);
    }
    template <class Part> void single(const char* name, Part& part) { write(name, name, part); }
    template <class Part> void maybe(const char* name, std::optional<Part>& part) {
        if (part) write(name, name, *part);
    }
    template <class Part> void repeated(const char* name, std::vector<Part>& parts) {
        for (std::size_t i = 0; i < parts.size(); ++i) write(name, fmt::format("{}[{}]", name, i), parts[i]);
    }

    std::string text;

  private:
    template <class Part> void write(const char* name, const std::string& path, Part& part) {
        SectionWriter section(*find_section(name), path, notes_);
        bind(section, part);
        add(section);
    }
    void add(const SectionWriter& section) {
        text += '\n';
        text += section.text();
    }

    const ResolvedNotes& notes_;
};

std::string absolute(const std::string& path) {
    return path.empty() ? path : std::filesystem::absolute(path).lexically_normal().string();
}

}  // namespace

std::string resolved_case(const Case& c, const ResolvedNotes& notes) {
    Case written = c;
    std::erase_if(written.walls, [](const WallSpec& w) { return w.of_silo; });
    for (BodiesSpec& b : written.bodies) b.file = absolute(b.file);
    for (ClusterSpec& s : written.clusters) s.file = absolute(s.file);
    for (ShapeSpec& s : written.shapes) s.file = absolute(s.file);
    for (MotionSpec& m : written.motions) m.file = absolute(m.file);
    for (WallSpec& w : written.walls) w.file = absolute(w.file);
    if (written.start) written.start->from = absolute(written.start->from);
    if (written.insitu)
        for (std::string& s : written.insitu->scripts)
            if (s.ends_with(".py")) s = absolute(s);  // else the name of one of ours

    CaseWriter writer(notes);
    for (const std::string& line : notes.head) writer.text += "# " + printable(line) + "\n";
    bind_sections(writer, written);
    return writer.text;
}

}  // namespace granary
