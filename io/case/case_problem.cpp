#include "io/case/case_problem.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <tuple>

namespace granary {
namespace {

std::vector<Problem> sorted(std::vector<Problem> problems) {
    const auto rank = [](const Problem& p) { return std::tuple(!p.set.empty(), p.line == 0, p.line, p.column); };
    std::stable_sort(problems.begin(), problems.end(),
                     [&](const Problem& a, const Problem& b) { return rank(a) < rank(b); });
    return problems;
}

std::string one_a_line(const std::vector<Problem>& problems, const std::string& file_name) {
    std::string text;
    for (const Problem& p : problems) {
        if (!text.empty()) text += '\n';
        text += to_string(p, file_name);
    }
    return text;
}

// walls[2].name -> walls[].name
std::string without_numbers(const std::string& key) {
    std::string s;
    bool inside = false;
    for (const char c : key) {
        if (c == ']') inside = false;
        if (!inside) s += c;
        if (c == '[') inside = true;
    }
    return s;
}

bool begins_with_key(const std::string& s, const std::string& key) {
    const std::size_t n = key.size();
    return s.compare(0, n, key) == 0 && (s.size() == n || s[n] == '.' || s[n] == '[');
}

}  // namespace

std::string to_string(const Problem& p, const std::string& file_name) {
    if (!p.set.empty()) return fmt::format("--set {}: {}", p.set, p.message);
    if (p.line == 0) return fmt::format("{}: {}", file_name, p.message);
    return fmt::format("{}:{}:{}: {}", file_name, p.line, p.column, p.message);
}

CaseError::CaseError(std::vector<Problem> found, const std::string& file_name)
    : InputError(one_a_line(sorted(found), file_name)),
      problems(sorted(std::move(found))) {}

void CaseReport::add(const Place& place, const std::string& key, const std::string& message) {
    problems_.push_back(problem(place, key, message));
    mark_unsound(key);
}

Problem CaseReport::problem(const Place& place, const std::string& key, const std::string& message) const {
    const bool by_set = place.set >= 0;
    return {by_set ? 0 : place.line, by_set ? 0 : place.column, key, message,
            by_set ? sets_.at(static_cast<std::size_t>(place.set)) : ""};
}

Problem CaseReport::problem_at(const std::string& key, const std::string& message) const {
    return problem(find_place(key), key, message);
}

void CaseReport::add_at(const std::string& key, const std::string& message, const std::vector<std::string>& others) {
    if (!is_sound(key)) return;
    for (const std::string& other : others)
        if (!is_sound(other)) return;
    add(find_place(key), key, message);
}

bool CaseReport::is_given(const std::string& section, const std::string& key) const {
    const TomlNode* node = root_.find(section);
    return node != nullptr && node->find(key) != nullptr;
}

bool CaseReport::is_sound(const std::string& key) const {
    const bool any_number = key.find("[]") != std::string::npos;
    return std::none_of(unsound_.begin(), unsound_.end(), [&](const std::string& bad) {
        return begins_with_key(key, any_number ? without_numbers(bad) : bad);
    });
}

bool CaseReport::is_sound_within(const std::string& section) const {
    return std::none_of(unsound_.begin(), unsound_.end(),
                        [&](const std::string& bad) { return begins_with_key(bad, section); });
}

std::string CaseReport::where(const std::string& key) const {
    const Place place = find_place(key);
    if (place.set >= 0) return "--set " + sets_.at(static_cast<std::size_t>(place.set));
    return place.line > 0 ? fmt::format("line {}", place.line) : "a default";
}

Place CaseReport::find_place(const std::string& key) const {
    std::vector<PathStep> steps;
    Place place;
    const TomlNode* node = &root_;
    if (!parse_path(key, steps)) return place;
    for (const PathStep& step : steps) {
        if (!step.key.empty()) node = node->find(step.key);
        else node = step.index < node->items.size() ? &node->items[step.index] : nullptr;
        if (!node) break;
        if (node->place.known()) place = node->place;
    }
    return place;
}

}  // namespace granary
