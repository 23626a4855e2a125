#include "io/formats/stl_file.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include "core/errors.hpp"
#include "io/formats/amounts.hpp"

namespace granary {
namespace {

static_assert(std::endian::native == std::endian::little, "binary STL files are read as they lie in memory");

constexpr std::size_t head_bytes = 84, triangle_bytes = 50;

std::uint64_t told_triangles(std::string_view content) {
    std::uint32_t n = 0;
    if (content.size() >= head_bytes) std::memcpy(&n, content.data() + 80, sizeof n);
    return n;
}

bool fits_binary(std::string_view content) {
    return content.size() >= head_bytes && content.size() == head_bytes + triangle_bytes * told_triangles(content);
}

bool same_word(std::string_view a, std::string_view lower) {
    return std::equal(a.begin(), a.end(), lower.begin(), lower.end(),
                      [](char x, char y) { return std::tolower(static_cast<unsigned char>(x)) == y; });
}

std::vector<Corners> binary(std::string_view content, const std::string& name) {
    if (content.size() < head_bytes)
        throw InputError(fmt::format("{} is not an STL file: it has only {} bytes and does not begin with \"solid\"",
                                     name, content.size()));
    const std::uint64_t told = told_triangles(content), whole = (content.size() - head_bytes) / triangle_bytes;
    if (!fits_binary(content))
        throw InputError(
            fmt::format("{} is {}: as a binary STL file it declares {} triangles, which need {} bytes, but it has {}, "
                        "enough for {}",
                        name, whole < told ? "truncated" : "too long", told, head_bytes + triangle_bytes * told,
                        content.size(), whole));
    std::vector<Corners> triangles(told);
    for (std::uint64_t t = 0; t < told; ++t) {
        float numbers[12];
        std::memcpy(numbers, content.data() + head_bytes + triangle_bytes * t, sizeof numbers);
        for (std::size_t k = 0; k < 3; ++k) {
            const float* p = numbers + 3 * (k + 1);
            triangles[t][k] = {p[0], p[1], p[2]};
            if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2]))
                throw InputError(fmt::format("{}: triangle {} has a corner at ({}, {}, {}) (expected finite numbers)",
                                             name, t + 1, p[0], p[1], p[2]));
        }
    }
    return triangles;
}

// Words of a text, with the line each stands in.
class Words {
  public:
    Words(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    // Empty at the end.
    std::string_view next() {
        skip();
        std::size_t end = at_;
        while (end < text_.size() && !blank(text_[end])) ++end;
        const std::string_view word = text_.substr(at_, end - at_);
        at_ = end;
        return word;
    }
    void rest_of_line() {
        while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r') ++at_;
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("{}:{}: {}", name_, line_, what));
    }
    void expect(std::string_view word) {
        const std::string_view found = next();
        if (same_word(found, word)) return;
        if (found.empty()) ended();
        fail(fmt::format("expected \"{}\", found \"{}\"", word, printable(std::string(found.substr(0, 40)))));
    }
    double number() {
        const std::string_view word = next();
        if (word.empty()) ended();
        const std::string_view digits = word[0] == '+' ? word.substr(1) : word;
        double value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc{} || end != digits.data() + digits.size())
            fail(fmt::format("expected a number, found \"{}\"", printable(std::string(word.substr(0, 40)))));
        return value;
    }
    [[noreturn]] void ended() const {
        throw InputError(fmt::format("{} is truncated: it ends in line {} without \"endsolid\"", name_, line_));
    }

  private:
    static bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
    void skip() {
        for (; at_ < text_.size() && blank(text_[at_]); ++at_) {
            const bool pair = text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n';
            if ((text_[at_] == '\n' || text_[at_] == '\r') && !pair) ++line_;
        }
    }

    std::string_view text_;
    const std::string& name_;
    std::size_t at_ = 0, line_ = 1;
};

std::vector<Corners> text(std::string_view content, const std::string& name) {
    std::vector<Corners> triangles;
    Words words(content, name);
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        if (!same_word(word, "solid"))
            words.fail(
                fmt::format("expected \"solid\" or the end, found \"{}\"", printable(std::string(word.substr(0, 40)))));
        words.rest_of_line();
        for (word = words.next(); !same_word(word, "endsolid"); word = words.next()) {
            if (word.empty()) words.ended();
            if (!same_word(word, "facet"))
                words.fail(fmt::format("expected \"facet\" or \"endsolid\", found \"{}\"",
                                       printable(std::string(word.substr(0, 40)))));
            words.expect("normal");
            for (int k = 0; k < 3; ++k)
                if (words.next().empty()) words.ended();  // of no use, and not always a number
            words.expect("outer"), words.expect("loop");
            Corners corners;
            for (Vec3d& p : corners) {
                words.expect("vertex");
                for (int axis = 0; axis < 3; ++axis) {
                    at(p, axis) = words.number();
                    if (!std::isfinite(at(p, axis))) words.fail("a coordinate is not finite (expected finite numbers)");
                }
            }
            words.expect("endloop"), words.expect("endfacet");
            triangles.push_back(corners);
        }
        words.rest_of_line();
    }
    return triangles;
}

// Begins with the word and holds nothing that a text does not.
bool looks_like_text(std::string_view content) {
    const std::size_t begin = content.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || !same_word(content.substr(begin, 5), "solid")) return false;
    return content.substr(0, 4096).find('\0') == std::string_view::npos;
}

}  // namespace

std::vector<Corners> parse_stl(std::string_view content, const std::string& name) {
    if (content.empty()) throw InputError(fmt::format("{} is empty (expected an STL file)", name));
    const bool is_text = !fits_binary(content) && looks_like_text(content);
    std::vector<Corners> triangles = is_text ? text(content, name) : binary(content, name);
    if (triangles.empty()) throw InputError(fmt::format("{} contains no triangle", name));
    return triangles;
}

}  // namespace granary
