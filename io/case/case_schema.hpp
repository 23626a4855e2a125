// Every key of a case file, declared once. Checks, defaults, the resolved case and the commented reference walk these
// two tables, so a key cannot be accepted without being documented, or the other way round.
#pragma once
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace granary {

enum class ValueType {
    number,          // a number; integers are numbers too
    number_or_auto,  // a number, or the word "auto"
    integer,
    boolean,
    text,
    choice,   // one of the words in `choices`
    choices,  // a list of different words in `choices`
    texts,    // a list of strings
    numbers,  // a list of numbers
    vec2s,    // a list of [x, y]
    vec3s,    // a list of [x, y, z]
    vec4s,    // a list of [x, y, z, r]
    vec2,     // [x, y]
    vec3,     // [x, y, z]
    int3      // [nx, ny, nz]
};

// Bounds of a number, of each component of a vector, of the length of a string or list. NaN is never accepted; infinity
// only by a closed infinite bound.
struct KeyBounds {
    double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
    bool lower_open = true, upper_open = true;
    bool accept(double value) const;  // false for NaN
};

struct KeyDefault {
    enum class Kind { required, none, value };
    Kind kind = Kind::none;
    const char* toml = "";  // of a value: as it would be written in the file
};

// What it means that a section is not in the file.
enum class IfMissing {
    error,     // it is needed, unless its stand-in is there
    defaults,  // its keys have their defaults
    nothing    // the case has no such thing
};

struct SectionRow {
    const char* name;  // "" is the top of the file
    bool repeated;     // [[name]], any number of times
    IfMissing if_missing;
    const char* selector;  // key on which the other keys depend (KeyRow::Extra::only), or ""
    const char* stand_in;  // section from which this one is made if it is missing, or ""
    const char* doc;
};

struct KeyRow {
    // What few keys have. Lists are separated by '|'.
    struct Extra {
        const char* choices = "";  // words of a choice, in the order of the enumeration in case_specs.hpp
        const char* only = "";     // values of the selector with which the key makes sense; "" = all
        const char* by = "";       // the selector, if it is not the section's
        const char* rivals = "";   // keys of the section that may not stand beside this one
        const char* unless = "";   // a [[section]] beside which the key may not stand
    };
    const char* section;
    const char* name;
    ValueType type;
    const char* unit;  // SI; "" = none
    KeyBounds bounds;
    KeyDefault preset;
    const char* example;  // TOML; where there is no default to show
    const char* doc;      // one line
    Extra extra;
};

std::span<const SectionRow> case_sections();
std::span<const KeyRow> case_keys();

const SectionRow* find_section(const std::string& name);  // nullptr: none of that name
const KeyRow* find_key(const std::string& section, const std::string& name);

// Header as it stands in a file: [run], [[walls]].
std::string header(const SectionRow& section);

std::vector<std::string> split_list(const char* list);  // "a|b" -> a, b; "" -> nothing
std::string choice_word(const std::string& section, const std::string& key,
                        std::size_t n);  // the n-th word of a choice

// The key that decides whether this one makes sense, or nullptr.
const KeyRow* selector_of(const KeyRow& key);

// Words of the selectors of one section, by the name of the selector; "" where it is not known.
using Selected = std::map<std::string, std::string>;

// The defaults of all selectors of a section; "" for those that must be given.
Selected default_selection(const SectionRow& section);

// Does the key make sense with these words? A selector may itself depend on another one.
struct KeyFit {
    enum class Answer { yes, no, unknown } answer = Answer::yes;
    const KeyRow* culprit = nullptr;  // of "no": the key whose Extra::only is not met; this one or one of its selectors
    bool yes() const { return answer == Answer::yes; }
    bool no() const { return answer == Answer::no; }
};
KeyFit fit(const KeyRow& key, const Selected& selected);

// "a number in s, above 0".
std::string describe_expected(const KeyRow& key);

// A case file with every key, its unit, range, default and meaning. It is a valid case as it stands. Lines that begin
// with '#' and no blank hold keys that may be left out, with their default or an example.
std::string case_reference();

}  // namespace granary
