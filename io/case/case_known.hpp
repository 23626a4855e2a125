// Whether a name that a key gives is that of something in the case.
#pragma once
#include <fmt/format.h>
#include <algorithm>
#include <string>
#include <vector>
#include "io/case/case_problem.hpp"
#include "io/formats/words.hpp"

namespace granary {

template <class T> std::vector<std::string> names_of(const std::vector<T>& all) {
    std::vector<std::string> names;
    for (const T& one : all)
        if (!one.name.empty()) names.push_back(one.name);
    return names;
}

// what: "bond"; section: what a case without any lacks.
template <class T> void known(const std::string& key, const std::string& name, const std::vector<T>& all,
                              const char* what, const char* section, CaseReport& report) {
    const std::vector<std::string> names = names_of(all);
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    const std::string near = nearest(name, names);
    report.add_at(key,
                  fmt::format("{} names an unknown {} (expected {}, got \"{}\"{})", key, what,
                              names.empty() ? fmt::format("a case with [[{}]]", section) : listed_or(names), name,
                              near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)),
                  {section, fmt::format("{}[].name", section)});
}

}  // namespace granary
