#include "io/formats/json_read.hpp"

#include <charconv>
#include <cstdint>

namespace granary {
namespace {

constexpr int deepest = 64;  // levels; a file that is deeper is none of ours

class Reader {
  public:
    explicit Reader(std::string_view text) : rest_(text) {}

    bool value(JsonValue& v, int depth = 0) {
        space();
        if (rest_.empty() || depth > deepest) return false;
        switch (rest_.front()) {
            case '{': return object(v, depth);
            case '[': return array(v, depth);
            case '"': v.kind = JsonValue::Kind::text; return string(v.text);
            case 't':
                v.kind = JsonValue::Kind::boolean;
                v.boolean = true;
                return word("true");
            case 'f': v.kind = JsonValue::Kind::boolean; return word("false");
            case 'n': return word("null");
            default: return number(v);
        }
    }
    bool at_end() {
        space();
        return rest_.empty();
    }

  private:
    void space() {
        while (!rest_.empty() && std::string_view(" \t\r\n").find(rest_.front()) != std::string_view::npos)
            rest_.remove_prefix(1);
    }
    bool take(char c) {
        space();
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool word(std::string_view w) {
        if (!rest_.starts_with(w)) return false;
        rest_.remove_prefix(w.size());
        return true;
    }
    bool number(JsonValue& v) {
        v.kind = JsonValue::Kind::number;
        const char first = rest_.front();
        if (first != '-' && (first < '0' || first > '9')) return false;  // from_chars would take inf and nan
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), v.number);
        if (error != std::errc()) return false;
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return true;
    }
    bool string(std::string& s) {
        rest_.remove_prefix(1);
        while (!rest_.empty()) {
            const char c = rest_.front();
            rest_.remove_prefix(1);
            if (c == '"') return true;
            if (c != '\\') {
                s += c;
                continue;
            }
            if (rest_.empty()) return false;
            const char e = rest_.front();
            rest_.remove_prefix(1);
            switch (e) {
                case 'n': s += '\n'; break;
                case 't': s += '\t'; break;
                case 'r': s += '\r'; break;
                case 'b': s += '\b'; break;
                case 'f': s += '\f'; break;
                case 'u':
                    if (!letter(s)) return false;
                    break;
                default: s += e;
            }
        }
        return false;
    }
    bool hex(std::uint32_t& code) {
        if (rest_.size() < 4) return false;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + 4, code, 16);
        if (error != std::errc() || end != rest_.data() + 4) return false;
        rest_.remove_prefix(4);
        return true;
    }
    // Four digits after \u, as UTF-8; two of them make a letter beyond the first 65536.
    bool letter(std::string& s) {
        std::uint32_t code = 0, low = 0;
        if (!hex(code)) return false;
        if (code >= 0xD800 && code < 0xDC00 && rest_.starts_with("\\u")) {
            rest_.remove_prefix(2);
            if (!hex(low)) return false;
            code = 0x10000 + ((code - 0xD800) << 10) + ((low - 0xDC00) & 0x3FF);
        }
        const auto byte = [&](std::uint32_t b) { s += static_cast<char>(b); };
        if (code < 0x80) byte(code);
        else if (code < 0x800) byte(0xC0 | code >> 6), byte(0x80 | (code & 63));
        else if (code < 0x10000) byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 63)), byte(0x80 | (code & 63));
        else
            byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 63)), byte(0x80 | (code >> 6 & 63)),
                byte(0x80 | (code & 63));
        return true;
    }
    bool array(JsonValue& v, int depth) {
        v.kind = JsonValue::Kind::array;
        rest_.remove_prefix(1);
        if (take(']')) return true;
        do {
            v.items.emplace_back();
            if (!value(v.items.back(), depth + 1)) return false;
        } while (take(','));
        return take(']');
    }
    bool object(JsonValue& v, int depth) {
        v.kind = JsonValue::Kind::object;
        rest_.remove_prefix(1);
        if (take('}')) return true;
        do {
            space();
            v.keys.emplace_back();
            v.items.emplace_back();
            if (rest_.empty() || rest_.front() != '"' || !string(v.keys.back()) || !take(':') ||
                !value(v.items.back(), depth + 1))
                return false;
        } while (take(','));
        return take('}');
    }

    std::string_view rest_;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
    for (std::size_t k = 0; k < keys.size(); ++k)
        if (keys[k] == key) return &items[k];
    return nullptr;
}

double JsonValue::number_or(std::string_view key, double other) const {
    const JsonValue* v = find(key);
    return v != nullptr && v->kind == Kind::number ? v->number : other;
}

std::string JsonValue::text_or(std::string_view key, std::string other) const {
    const JsonValue* v = find(key);
    return v != nullptr && v->kind == Kind::text ? v->text : other;
}

std::optional<JsonValue> parse_json(std::string_view text) {
    Reader reader(text);
    JsonValue v;
    if (!reader.value(v) || !reader.at_end()) return std::nullopt;
    return v;
}

}  // namespace granary
