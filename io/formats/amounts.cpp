#include "io/formats/amounts.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include "core/elementary.hpp"

namespace granary {
namespace {

bool continues_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

std::string duration_text(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0 || seconds > 1e11) return "?";
    const long long s = std::llround(seconds), minutes = s / 60, hours = s / 3600;
    if (hours >= 24) return fmt::format("{} d {:02}:{:02}", hours / 24, hours % 24, minutes % 60);
    if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes % 60, s % 60);
    return fmt::format("{}:{:02}", minutes, s % 60);
}

std::string bytes_text(double bytes) {
    if (!(bytes >= 1000)) return fmt::format("{:.0f} B", bytes);
    constexpr std::array<const char*, 6> units{"kB", "MB", "GB", "TB", "PB", "EB"};
    std::size_t k = 0;
    // 999.5 is where three digits would be rounded to the next unit.
    for (bytes /= 1000; bytes >= 999.5 && k + 1 < units.size(); ++k) bytes /= 1000;
    return fmt::format("{:.{}f} {}", bytes, bytes < 9.95 ? 1 : 0, units[k]);
}

std::string count_text(std::uint64_t n) {
    std::string s = std::to_string(n);
    for (std::size_t k = s.size(); k > 3; k -= 3) s.insert(k - 3, 1, ' ');
    return s;
}

std::string si_text(double value, std::string_view unit) {
    if (value == 0 || !std::isfinite(value)) return fmt::format("{} {}", value, unit);
    constexpr std::array<const char*, 5> prefixes{"", "m", "u", "n", "p"};
    // Thousands to go down; the small factor keeps 1 mm from becoming 1000 um by rounding.
    const double thousands = std::clamp(-std::floor(elementary::log10(std::abs(value) * (1 + 1e-9)) / 3), 0.0, 4.0);
    return fmt::format("{:.4g} {}{}", value * elementary::pow(1000.0, thousands),
                       prefixes[static_cast<std::size_t>(thousands)], unit);
}

std::string percent_text(double share) { return fmt::format("{:.3g} %", 100 * share); }

std::size_t columns_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return !continues_letter(c); }));
}

std::string_view first_columns(std::string_view text, std::size_t n) {
    std::size_t k = 0, letters = 0;
    for (; k < text.size(); ++k)
        if (!continues_letter(text[k]) && ++letters > n) break;
    return text.substr(0, k);
}

std::string printable(std::string_view text, std::string_view but_keep) {
    std::string s(text);
    for (char& c : s)
        if ((static_cast<unsigned char>(c) < 0x20 || c == 0x7F) && but_keep.find(c) == std::string_view::npos) c = '?';
    return s;
}

}  // namespace granary
