#include "io/formats/json.hpp"
#include <fmt/format.h>
#include <cmath>
#include <stdexcept>

namespace granary {
namespace {

using Byte = unsigned char;

bool in(Byte b, int lowest, int highest) { return b >= lowest && b <= highest; }

// Bytes of the well-formed UTF-8 letter at the start of s, 0 if there is none (table 3-7 of the Unicode standard).
std::size_t letter_length(std::string_view s) {
    const auto byte = [&](std::size_t k) { return k < s.size() ? static_cast<Byte>(s[k]) : Byte{0}; };
    const Byte a = byte(0), b = byte(1);
    const auto follows = [&](std::size_t k) { return in(byte(k), 0x80, 0xBF); };
    if (a < 0x80) return 1;
    if (in(a, 0xC2, 0xDF)) return follows(1) ? 2 : 0;
    if (in(a, 0xE0, 0xEF))  // neither overlong nor half of a surrogate pair
        return in(b, a == 0xE0 ? 0xA0 : 0x80, a == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
    if (in(a, 0xF0, 0xF4))
        return in(b, a == 0xF0 ? 0x90 : 0x80, a == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
    return 0;
}

}  // namespace

std::string json_text(std::string_view text) {
    std::string s = "\"";
    while (!text.empty()) {
        const std::size_t n = letter_length(text);
        const char c = text.front();
        if (n == 0) s += "\\ufffd";
        else if (c == '"' || c == '\\') s += {'\\', c};
        else if (c == '\n') s += "\\n";
        else if (c == '\t') s += "\\t";
        else if (static_cast<Byte>(c) < 0x20 || c == 0x7F) s += fmt::format("\\u{:04x}", static_cast<Byte>(c));
        else s += text.substr(0, n);
        text.remove_prefix(n == 0 ? 1 : n);
    }
    return s + '"';
}

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

JsonWriter& JsonWriter::begin(char open, char close, Layout layout) {
    start_value();
    text_ += open;
    // What stands in one line cannot hold something of several lines.
    const bool inside_line = !levels_.empty() && levels_.back().one_line;
    levels_.push_back({close, inside_line || layout == Layout::one_line});
    return *this;
}

JsonWriter& JsonWriter::end() {
    if (levels_.empty()) throw std::logic_error("JsonWriter: end without a begin");
    const Level level = levels_.back();
    if (level.has_key) throw std::logic_error("JsonWriter: a key without a value");
    levels_.pop_back();
    if (!level.empty && !level.one_line) new_line(levels_.size());
    text_ += level.close;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    if (levels_.empty() || levels_.back().close != '}' || levels_.back().has_key)
        throw std::logic_error("JsonWriter: a key where none can stand");
    separate();
    text_ += json_text(name) + ": ";
    levels_.back().has_key = true;
    return *this;
}

JsonWriter& JsonWriter::raw(std::string_view text) {
    start_value();
    text_ += text;
    return *this;
}

void JsonWriter::start_value() {
    if (levels_.empty()) {
        if (!text_.empty()) throw std::logic_error("JsonWriter: a second value at the top");
        return;
    }
    Level& level = levels_.back();
    if (level.close == ']') return separate();
    if (!level.has_key) throw std::logic_error("JsonWriter: a member without a key");
    level.has_key = false;
}

// Comma and line end before a key and before an item of an array.
void JsonWriter::separate() {
    Level& level = levels_.back();
    if (!level.empty) text_ += level.one_line ? ", " : ",";
    if (!level.one_line) new_line(levels_.size());
    level.empty = false;
}

void JsonWriter::new_line(std::size_t depth) { text_ += '\n' + std::string(2 * depth, ' '); }

std::string JsonWriter::text() const {
    if (!levels_.empty()) throw std::logic_error("JsonWriter: something begun was not ended");
    return text_ + '\n';
}

}  // namespace granary
