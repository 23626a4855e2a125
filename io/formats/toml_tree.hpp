// A TOML text as a plain tree in which every key and value knows where it was written. The only code that sees
// the TOML library is toml_tree.cpp; checks and overrides work on this tree.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace granary {

// Where something was written: in the file (line and column from 1), on the command line, or nowhere
// (line 0, set -1: a value that was filled in).
struct Place {
    int line = 0, column = 0;
    int set = -1;  // number of the --set that wrote it
    bool known() const { return line > 0 || set >= 0; }
};

struct TomlNode {
    enum class Kind { table, array, text, integer, number, boolean, date };

    Kind kind = Kind::table;
    std::string key;         // of a member of a table; empty otherwise
    Place key_place, place;  // of the key, of the value
    std::string text;
    std::int64_t integer = 0;
    double number = 0;
    bool boolean = false;
    std::vector<TomlNode> items;  // members of a table, elements of an array

    TomlNode* find(const std::string& name);  // member of a table, or nullptr
    const TomlNode* find(const std::string& name) const;
    void erase(const std::string& name);  // no such member: nothing happens

    // Everything in it was written here.
    void set_place(const Place& p);
};

// What a reader of a message needs to know of a value: 3, "fast", a table, a list of 2 values.
std::string describe_value(const TomlNode& node);

struct TomlSyntaxError {
    Place place;
    std::string message;
};

// Throws TomlSyntaxError.
TomlNode parse_toml(const std::string& text);

// One value, as it stands right of the equals sign. Throws TomlSyntaxError, also if more than one value is there.
TomlNode parse_toml_value(const std::string& text);

// A step of a path: a key, or the number of an element if the key is empty.
struct PathStep {
    std::string key;
    std::size_t index = 0;
};

// walls[0].material, walls.floor.material, walls."the floor".material. False: not a path.
bool parse_path(const std::string& path, std::vector<PathStep>& steps);

}  // namespace granary
