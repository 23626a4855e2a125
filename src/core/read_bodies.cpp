// Balls from a text file, see FileBodies in packing.hpp.
#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <cctype>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include "core/errors.hpp"
#include "core/number_words.hpp"
#include "core/packing.hpp"

namespace granary {
namespace {

// Which columns hold x, y, z and the size.
struct Columns {
    std::array<std::size_t, 4> at{0, 1, 2, 3};
    bool named = false, diameters = false;
};

bool is_name(std::string_view word) {
    return std::isalpha(static_cast<unsigned char>(word[0])) != 0 && !number_in(word);
}

// Names if the line has nothing else and x is among them; else it is a bad line of numbers.
std::optional<Columns> columns_named(const std::vector<std::string_view>& words, std::string& missing) {
    if (!std::all_of(words.begin(), words.end(), is_name)) return {};
    constexpr std::size_t none = ~std::size_t{0};
    std::vector<std::string> names;
    for (const std::string_view word : words) {
        names.emplace_back(word);
        for (char& c : names.back()) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    const auto find = [&](std::initializer_list<const char*> of) {
        for (const char* name : of)
            if (const auto it = std::find(names.begin(), names.end(), name); it != names.end())
                return static_cast<std::size_t>(it - names.begin());
        return none;
    };
    Columns c{{find({"x"}), find({"y"}), find({"z"}), find({"r", "radius"})}, true, false};
    if (c.at[3] == none) c.at[3] = find({"d", "diameter"}), c.diameters = true;
    for (std::size_t k = 0; k < 4; ++k)
        if (c.at[k] == none)
            missing += fmt::format("{}{}", missing.empty() ? "" : ", ", k < 3 ? std::string(1, "xyz"[k]) : "r");
    return c;
}

}  // namespace

std::vector<NewBody> read_bodies(const FileBodies& f) {
    const auto fail = [](const std::string& where, const std::string& what) {
        throw InputError(fmt::format("{}: {}", where, what));
    };
    validate(BallKind{1, 1, f.density, f.material, f.velocity}, f.path);  // density and velocity only
    errno = 0;
    std::ifstream file(f.path);
    if (!file) fail(f.path, fmt::format("cannot be opened: {}", std::strerror(errno)));
    std::vector<NewBody> bodies;
    Columns from;
    std::string line;
    for (std::uint64_t number = 1; std::getline(file, line); ++number) {
        const std::string where = fmt::format("{}:{}", f.path, number);
        const auto bad = [&](const std::string& found) {
            fail(where, fmt::format("expected four numbers `x y z r` in m, found {}", found));
        };
        const std::vector<std::string_view> words = words_of(line, "#%");
        if (words.empty()) continue;
        if (bodies.empty() && !from.named) {
            std::string missing;
            if (const auto named = columns_named(words, missing)) {
                if (!missing.empty())
                    fail(where,
                         fmt::format("the names of the columns lack {} (expected x, y, z and r, radius, d or diameter)",
                                     missing));
                from = *named;
                continue;
            }
        }
        std::array<double, 4> value{};
        for (std::size_t k = 0; k < 4; ++k) {
            if (from.at[k] >= words.size()) bad(fmt::format("only {}", words.size()));
            const std::string_view word = words[from.at[k]];
            const std::optional<double> read = number_in(word);
            if (!read) bad(fmt::format("'{}'", word));
            value[k] = f.scale * *read;
        }
        if (!from.named && words.size() > 4)
            bad(
                fmt::format("a fifth entry '{}' (a first line with names, such as `x y z r other`, says which columns "
                            "to take)",
                            words[4]));
        if (from.diameters) value[3] *= 0.5;
        if (!(value[3] > 0)) bad(fmt::format("the radius {}, which is not above 0", value[3]));
        const double mass = f.density * value[3] * value[3] * value[3];  // about
        if (!std::isnormal(mass * value[3] * value[3]) || !std::isnormal(1 / (mass * value[3] * value[3])))
            bad(fmt::format("the radius {} m, of which nothing can be made", value[3]));
        if (!std::isfinite(value[0]) || !std::isfinite(value[1]) || !std::isfinite(value[2]))
            bad("a place that is not finite in m");
        bodies.push_back(make_ball(f.first_id + bodies.size(), {value[0], value[1], value[2]}, value[3], f.density,
                                   f.material, f.velocity));
    }
    if (file.bad()) fail(f.path, "reading failed before the end of the file");
    if (f.expected != 0 && bodies.size() != f.expected)
        fail(f.path, fmt::format("holds {} balls, but {} are expected; is the file whole?", bodies.size(), f.expected));
    if (bodies.empty()) fail(f.path, "holds no ball; expected lines `x y z r` in m");
    return bodies;
}

}  // namespace granary
