// Lines of a text file of numbers: words between blanks, commas and semicolons, up to a comment.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

namespace granary {

std::vector<std::string_view> words_of(std::string_view line, std::string_view comment_marks);

std::optional<double> number_in(std::string_view word);  // finite, and nothing else in the word

}  // namespace granary
