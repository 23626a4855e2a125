// Balls from a text file, see FileBodies in packing.hpp.
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include "core/errors.hpp"
#include "core/number_words.hpp"
#include "filling/packing.hpp"

namespace granary {
namespace {

enum Number { x, y, z, radius, vx, vy, vz, wx, wy, wz, n_numbers };
constexpr std::size_t n_needed = vx;  // the others may be missing
constexpr std::array<std::array<const char*, 2>, n_numbers> number_names{{{"x"},
                                                                          {"y"},
                                                                          {"z"},
                                                                          {"r", "radius"},
                                                                          {"vx"},
                                                                          {"vy"},
                                                                          {"vz"},
                                                                          {"wx", "omegax"},
                                                                          {"wy", "omegay"},
                                                                          {"wz", "omegaz"}}};
constexpr std::size_t none = ~std::size_t{0};

// Which columns hold what.
struct Columns {
    std::array<std::size_t, n_numbers> at{0, 1, 2, 3, none, none, none, none, none, none};
    std::size_t material = none;
    std::size_t count = n_needed;
    bool named = false, diameters = false;
};

bool is_name(std::string_view word) {
    return std::isalpha(static_cast<unsigned char>(word[0])) != 0 && !number_in(word);
}

// Names if the line has nothing else; else it is a line of numbers.
std::optional<Columns> columns_named(const std::vector<std::string_view>& words, std::string& wrong) {
    if (!std::all_of(words.begin(), words.end(), is_name)) return {};
    std::vector<std::string> names;
    for (const std::string_view word : words) {
        names.emplace_back(word);
        for (char& c : names.back()) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    const auto find = [&](std::initializer_list<const char*> of) {
        for (const char* name : of) {
            if (name == nullptr) continue;
            const auto it = std::find(names.begin(), names.end(), name);
            if (it == names.end()) continue;
            if (std::find(it + 1, names.end(), name) != names.end())
                wrong = fmt::format("the column {} is named twice", name);
            return static_cast<std::size_t>(it - names.begin());
        }
        return none;
    };
    Columns c;
    c.named = true, c.count = names.size();
    for (std::size_t k = 0; k < n_numbers; ++k) c.at[k] = find({number_names[k][0], number_names[k][1]});
    if (c.at[radius] == none) c.at[radius] = find({"d", "diameter"}), c.diameters = true;
    c.material = find({"material"});
    std::string missing;
    for (std::size_t k = 0; k < n_needed; ++k)
        if (c.at[k] == none) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", number_names[k][0]);
    if (!missing.empty())
        wrong =
            fmt::format("the names of the columns lack {} (expected x, y, z and r, radius, d or diameter)", missing);
    return c;
}

// One line after the other; what is wrong is told with file and line.
class Reader {
  public:
    explicit Reader(const FileBodies& f) : f_(f) {}

    std::vector<NewBody> read() {
        errno = 0;
        std::ifstream file(f_.path);
        if (!file) throw InputError(fmt::format("{}: cannot be opened: {}", f_.path, std::strerror(errno)));
        std::string line;
        for (number_ = 1; std::getline(file, line); ++number_) {
            const std::vector<std::string_view> words = words_of(line, "#%");
            if (words.empty()) continue;
            if (bodies_.empty() && !from_.named && take_names(words)) continue;
            check_count(words);
            take_ball(words);
        }
        if (file.bad()) throw InputError(f_.path + ": reading failed before the end of the file");
        return std::move(bodies_);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("{}:{}: {}", f_.path, number_, what));
    }

    bool take_names(const std::vector<std::string_view>& words) {
        std::string wrong;
        const std::optional<Columns> named = columns_named(words, wrong);
        if (!wrong.empty()) fail(wrong);
        if (named) from_ = *named, names_line_ = number_;
        return named.has_value();
    }

    // A line of another length is not what it seems, and its numbers would be taken for what they are not.
    void check_count(const std::vector<std::string_view>& words) const {
        if (words.size() == from_.count) return;
        if (from_.named)
            fail(fmt::format("expected {} entries, one for each name in line {}, found {}", from_.count, names_line_,
                             words.size()));
        if (words.size() < n_needed)
            fail(fmt::format("expected four numbers `x y z r` in m, found only {}", words.size()));
        fail(
            fmt::format("expected four numbers `x y z r` in m, found a fifth entry '{}' (a first line with names, such "
                        "as `x y z r other`, says which columns to take)",
                        words[n_needed]));
    }

    double number(std::size_t k, const std::vector<std::string_view>& words) const {
        const std::string_view word = words[from_.at[k]];
        const std::optional<double> read = number_in(word);
        if (read) return *read;
        if (k < n_needed) fail(fmt::format("expected four numbers `x y z r` in m, found '{}'", word));
        fail(fmt::format("expected a number in the column {}, found '{}'", number_names[k][0], word));
    }

    // By its name; without the column, that of the source.
    FileMaterial material(const std::vector<std::string_view>& words) const {
        if (from_.material == none) return {"", f_.material, f_.density};
        std::string_view name = words[from_.material];
        if (name.size() > 1 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
        std::string known;
        for (const FileMaterial& m : f_.named) {
            if (m.name == name) return m;
            known += fmt::format("{}\"{}\"", known.empty() ? "" : " or ", m.name);
        }
        fail(fmt::format(
            "the material \"{}\" is not one of this [[bodies]] (expected {}; add further ones of the case to "
            "its key mixed_with)",
            name, known));
    }

    void take_ball(const std::vector<std::string_view>& words) {
        Vec3d velocity = f_.velocity, spin = f_.spin;
        std::array<double, n_needed> place{};
        for (std::size_t k = 0; k < n_needed; ++k) place[k] = f_.scale * number(k, words);
        if (from_.diameters) place[radius] *= 0.5;
        if (!(place[radius] > 0))
            fail(fmt::format("expected four numbers `x y z r` in m, found the radius {}, which is not above 0",
                             place[radius]));
        if (!std::isfinite(place[x]) || !std::isfinite(place[y]) || !std::isfinite(place[z]))
            fail("expected four numbers `x y z r` in m, found a position that is not finite");
        for (int axis = 0; axis < 3; ++axis) {
            const std::size_t v = vx + static_cast<std::size_t>(axis), w = wx + static_cast<std::size_t>(axis);
            if (from_.at[v] != none) at(velocity, axis) = f_.scale * number(v, words);
            if (from_.at[w] != none) at(spin, axis) = number(w, words);
        }
        const FileMaterial m = material(words);
        const double about = m.density * place[radius] * place[radius] * place[radius];  // its mass, roughly
        if (const double inertia = about * place[radius] * place[radius];
            !std::isnormal(inertia) || !std::isnormal(1 / inertia))
            fail(fmt::format(
                "expected four numbers `x y z r` in m, found the radius {} m, which gives no valid mass or inertia",
                place[radius]));
        bodies_.push_back(make_ball(f_.first_id + bodies_.size(), {place[x], place[y], place[z]}, place[radius],
                                    m.density, m.number, velocity));
        bodies_.back().spin = spin;
    }

    const FileBodies& f_;
    Columns from_;
    std::uint64_t number_ = 0, names_line_ = 0;  // of lines
    std::vector<NewBody> bodies_;
};

}  // namespace

std::vector<NewBody> read_bodies(const FileBodies& f) {
    validate(BallKind{1, 1, f.density, f.material, f.velocity}, f.path);  // density and velocity only
    std::vector<NewBody> bodies = Reader(f).read();
    if (f.expected != 0 && bodies.size() != f.expected)
        throw InputError(fmt::format("{}: contains {} balls, but {} are expected; is the file complete?", f.path,
                                     bodies.size(), f.expected));
    if (bodies.empty()) throw InputError(f.path + ": contains no ball; expected lines `x y z r` in m");
    return bodies;
}

}  // namespace granary
