// Lists of words and the search for the word that was meant, for messages.
#pragma once
#include <string>
#include <vector>

namespace granary {

std::vector<std::string> quoted(std::vector<std::string> words);  // each in double quotes
std::string listed(const std::vector<std::string>& words);        // a, b, c
std::string listed_or(const std::vector<std::string>& words);     // "a", "b" or "c"

// The nearest candidate: by letters changed, left out, added or exchanged with their neighbour; a word contained in the
// other counts as near. "" if none is near enough to be meant.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace granary
