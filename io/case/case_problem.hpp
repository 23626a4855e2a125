// What is wrong with a case. All problems are collected and told in one go.
#pragma once
#include <set>
#include <string>
#include <vector>
#include "core/errors.hpp"
#include "io/formats/toml_tree.hpp"

namespace granary {

struct Problem {
    int line = 0, column = 0;  // 0: of the file as a whole, or written by a --set
    std::string key;           // walls[0].material
    std::string message;
    std::string set;  // the --set at fault, as it was given; empty otherwise
};

// "case.toml:3:6: message", "case.toml: message" or "--set run.dt=0: message".
std::string to_string(const Problem& problem, const std::string& file_name);

// The text of the error holds one problem a line.
struct CaseError : InputError {
    CaseError(std::vector<Problem> found, const std::string& file_name);
    std::vector<Problem> problems;  // by line, those of --set last
};

// Collects problems while a tree is checked. It also remembers which keys hold nothing that can be relied on, so that
// one mistake is not told twice: a check of several keys is left out when one of them is unsound already.
class CaseReport {
  public:
    CaseReport(const TomlNode& root, const std::vector<std::string>& sets) : root_(root), sets_(sets) {}

    void add(const Place& place, const std::string& key, const std::string& message);

    // At the place where the key was written, or what it belongs to if it was not. Left out if the key or one of
    // the others it was compared with is unsound.
    void add_at(const std::string& key, const std::string& message, const std::vector<std::string>& others = {});

    void mark_unsound(const std::string& key) { unsound_.insert(key); }

    // "walls[].name" stands for the name of every wall. A key is unsound too if what it belongs to is.
    bool is_sound(const std::string& key) const;

    // Is every key of a section sound, whatever its depth?
    bool is_sound_within(const std::string& section) const;

    // Does the file, or a --set, say anything of this section?
    bool is_given(const std::string& section) const { return root_.find(section) != nullptr; }

    bool is_given(const std::string& section, const std::string& key) const;

    // The problem as add_at would note it, whatever else is known of the key.
    Problem problem_at(const std::string& key, const std::string& message) const;

    // "line 12", or the --set; for messages that point to a second place.
    std::string where(const std::string& key) const;

    const std::vector<Problem>& problems() const { return problems_; }

  private:
    Place find_place(const std::string& key) const;
    Problem problem(const Place& place, const std::string& key, const std::string& message) const;

    const TomlNode& root_;
    const std::vector<std::string>& sets_;
    std::vector<Problem> problems_;
    std::set<std::string> unsound_;
};

}  // namespace granary
