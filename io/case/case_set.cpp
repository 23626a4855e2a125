#include "io/case/case_set.hpp"
#include <fmt/format.h>
#include "io/case/case_schema.hpp"
#include "io/formats/words.hpp"

namespace granary {
namespace {

using Kind = TomlNode::Kind;

class Setter {
  public:
    Setter(TomlNode& root, const Place& place, CaseReport& report) : root_(root), place_(place), report_(report) {}

    void run(const std::string& assignment) {
        const std::size_t equals = assignment.find('=');
        std::vector<PathStep> steps;
        key_ = assignment.substr(0, equals);
        if (equals == std::string::npos || !parse_path(key_, steps))
            return fail(
                "not an assignment (expected key=value, such as run.dt=1e-5, walls[0].material=steel or "
                "walls.floor.material=steel)");
        const std::string text = assignment.substr(equals + 1);
        if (text.find_first_not_of(" \t") == std::string::npos) return fail("no value (expected key=value)");

        if (steps.size() > 1) section_ = steps[0].key;
        TomlNode* node = &root_;
        std::string path;
        for (std::size_t i = 0; i < steps.size() && node; ++i) {
            const bool last = i + 1 == steps.size();
            const auto& [key, index] = steps[i];
            node = key.empty() ? element(*node, index, path) : member(*node, key, path, last);
            path += key.empty() ? fmt::format("[{}]", index) : (i == 0 ? "" : ".") + key;
        }
        if (node) assign(*node, text);
    }

  private:
    void fail(const std::string& message) { report_.add(place_, key_, message); }

    TomlNode* element(TomlNode& array, std::size_t index, const std::string& path) {
        if (array.kind == Kind::array && index < array.items.size()) return &array.items[index];
        if (array.kind != Kind::array) fail(fmt::format("{} is not a list (expected no [{}])", path, index));
        else if (array.items.empty()) fail(fmt::format("there is no {0}[{1}] ({0} is empty)", path, index));
        else fail(fmt::format("there is no {0}[{1}] (expected {0}[0] to [{2}])", path, index, array.items.size() - 1));
        return nullptr;
    }

    TomlNode* member(TomlNode& node, const std::string& name, const std::string& path, bool last) {
        if (node.kind == Kind::array) return element_named(node, name, path);
        if (node.kind != Kind::table) {
            fail(fmt::format("{} is not a table (expected no .{})", path, name));
            return nullptr;
        }
        if (last)  // the last one said counts
            if (const KeyRow* key = find_key(section_, name))
                for (const std::string& rival : split_list(key->extra.rivals)) node.erase(rival);
        if (TomlNode* found = node.find(name)) return found;
        return last || is_open(name, path) ? &append(node, name) : nullptr;
    }

    // May a table or list that is not in the file be begun by a --set?
    bool is_open(const std::string& name, const std::string& path) {
        if (path.empty()) {
            const SectionRow* section = find_section(name);
            if (section && !section->repeated) return true;
            if (section) {
                fail(fmt::format("there is no [[{}]] in the file", name));
                return false;
            }
        }
        const KeyRow* key = find_key(path.empty() ? "" : section_, name);
        if (key && key->preset.kind == KeyDefault::Kind::value) return true;
        std::vector<std::string> names;
        if (path.empty())
            for (const SectionRow& s : case_sections().subspan(1)) names.push_back(s.name);
        const std::string near = nearest(name, names);
        fail(fmt::format("there is no {}{}{}{}", path, path.empty() ? "" : ".", name,
                         near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
        return false;
    }

    // A new member: a default, so that gravity[2] can be set, or an empty table.
    TomlNode& append(TomlNode& table, const std::string& name) {
        const KeyRow* key = find_key(&table == &root_ ? "" : section_, name);
        const bool has_default = key && key->preset.kind == KeyDefault::Kind::value;
        table.items.push_back(has_default ? parse_toml_value(key->preset.toml) : TomlNode{});
        table.items.back().set_place(place_);
        table.items.back().key = name;
        return table.items.back();
    }

    TomlNode* element_named(TomlNode& array, const std::string& name, const std::string& path) {
        std::vector<std::string> names;
        for (TomlNode& item : array.items) {
            const TomlNode* own = item.find("name");
            // The name of one that has none, as the case would get it.
            if (!own && section_ == "probes") own = item.find("wall");
            if (!own && (section_ == "stages" || section_ == "probes")) own = item.find("type");
            if (!own || own->kind != Kind::text) continue;
            if (own->text == name) return &item;
            names.push_back(own->text);
        }
        const std::string near = nearest(name, names);
        fail(fmt::format("there is no {}.{} ({}{})", path, name,
                         names.empty() ? fmt::format("they have no names, expected {}[0] and so on", path)
                                       : "expected " + listed(names),
                         near.empty() ? "" : fmt::format("; did you mean {}?", near)));
        return nullptr;
    }

    void assign(TomlNode& node, const std::string& text) {
        TomlNode value;
        try {
            value = parse_toml_value(text);
        } catch (const TomlSyntaxError&) {
            value = TomlNode{};
            value.kind = Kind::text;
            value.text = text;
        }
        value.set_place(place_);
        value.key = node.key;
        node = value;
    }

    TomlNode& root_;
    const Place place_;
    CaseReport& report_;
    std::string key_;      // as it was given
    std::string section_;  // "" is the top
};

}  // namespace

void apply_sets(TomlNode& root, const std::vector<std::string>& sets, CaseReport& report) {
    for (std::size_t i = 0; i < sets.size(); ++i) Setter(root, {0, 0, static_cast<int>(i)}, report).run(sets[i]);
}

}  // namespace granary
