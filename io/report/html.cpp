#include "io/report/html.hpp"

#include <cstdint>

namespace granary {
namespace {

// Length of the UTF-8 letter that begins here; 0 if none does. Overlong forms, surrogates and what lies beyond Unicode
// are none.
std::size_t letter_at(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char first = byte(0);
    const std::size_t n = first < 0x80   ? 1
                          : first < 0xC2 ? 0
                          : first < 0xE0 ? 2
                          : first < 0xF0 ? 3
                          : first < 0xF5 ? 4
                                         : 0;
    if (n == 0 || text.size() < n) return 0;
    for (std::size_t k = 1; k < n; ++k)
        if ((byte(k) & 0xC0) != 0x80) return 0;
    if (n == 3 && ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F))) return 0;
    if (n == 4 && ((first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F))) return 0;
    return n;
}

}  // namespace

std::string html(std::string_view text) {
    std::string s;
    s.reserve(text.size());
    while (!text.empty()) {
        const std::size_t n = letter_at(text);
        const char c = text.front();
        if (n == 0) s += "\uFFFD";
        else if (n > 1) s += text.substr(0, n);
        else if (c == '&') s += "&amp;";
        else if (c == '<') s += "&lt;";
        else if (c == '>') s += "&gt;";
        else if (c == '"') s += "&quot;";
        else if (c == '\'') s += "&#39;";
        else if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7F) s += ' ';
        else s += c;
        text.remove_prefix(n == 0 ? 1 : n);
    }
    return s;
}

std::string base64(std::string_view bytes) {
    static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string s;
    s.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t k = 0; k < bytes.size(); k += 3) {
        std::uint32_t three = 0;
        for (std::size_t b = 0; b < 3; ++b)
            three = three << 8 | (k + b < bytes.size() ? static_cast<unsigned char>(bytes[k + b]) : 0u);
        for (std::size_t d = 0; d < 4; ++d) s += k + d <= bytes.size() ? letters[three >> (18 - 6 * d) & 63] : '=';
    }
    return s;
}

}  // namespace granary
