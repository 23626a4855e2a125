#include "core/number_words.hpp"

#include <charconv>
#include <cmath>

namespace granary {

std::vector<std::string_view> words_of(std::string_view line, std::string_view comment_marks) {
    constexpr std::string_view gaps = " \t\r,;";
    std::vector<std::string_view> words;
    line = line.substr(0, line.find_first_of(comment_marks));
    for (std::size_t begin; (begin = line.find_first_not_of(gaps)) != std::string_view::npos;) {
        line.remove_prefix(begin);
        words.push_back(line.substr(0, line.find_first_of(gaps)));
        line.remove_prefix(words.back().size());
    }
    return words;
}

std::optional<double> number_in(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value)) return {};
    return value;
}

}  // namespace granary
