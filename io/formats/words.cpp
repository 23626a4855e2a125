#include "io/formats/words.hpp"
#include <algorithm>

namespace granary {
namespace {

std::string joined(const std::vector<std::string>& words, const char* last) {
    std::string s;
    for (std::size_t i = 0; i < words.size(); ++i) s += (i == 0 ? "" : i + 1 < words.size() ? ", " : last) + words[i];
    return s;
}

// Optimal string alignment: insertions, deletions, substitutions, exchanges of neighbours.
std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            const std::size_t changed = a[i - 1] == b[j - 1] ? 0 : 1;
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + changed});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

}  // namespace

std::vector<std::string> quoted(std::vector<std::string> words) {
    for (std::string& w : words) w = "\"" + w + "\"";
    return words;
}

std::string listed(const std::vector<std::string>& words) { return joined(words, ", "); }
std::string listed_or(const std::vector<std::string>& words) { return joined(quoted(words), " or "); }

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
    std::string best;
    std::size_t best_distance = 0;
    for (const std::string& c : candidates) {
        const std::size_t shorter = std::min(word.size(), c.size()), longer = std::max(word.size(), c.size());
        std::size_t distance = edit_distance(word, c);
        if (shorter >= 4 && (word.find(c) != std::string::npos || c.find(word) != std::string::npos))
            distance = std::min<std::size_t>(distance, 2);
        if (distance > std::max<std::size_t>(1, (longer + 1) / 3) || distance >= longer) continue;
        if (best.empty() || distance < best_distance) best = c, best_distance = distance;
    }
    return best;
}

}  // namespace granary
