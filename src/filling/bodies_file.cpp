#include "filling/bodies_file.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include "core/errors.hpp"
#include "core/number_words.hpp"
#include "filling/cluster_copies.hpp"
#include "filling/packing.hpp"
#include "shapes/quaternion.hpp"

namespace granary {
namespace {

constexpr std::array<std::array<const char*, 2>, BodyColumns::n_numbers> number_names{{{"x"},
                                                                                       {"y"},
                                                                                       {"z"},
                                                                                       {"r", "radius"},
                                                                                       {"vx"},
                                                                                       {"vy"},
                                                                                       {"vz"},
                                                                                       {"wx", "omegax"},
                                                                                       {"wy", "omegay"},
                                                                                       {"wz", "omegaz"},
                                                                                       {"qw"},
                                                                                       {"qx"},
                                                                                       {"qy"},
                                                                                       {"qz"}}};

// What is wrong with a line.
struct BadLine {
    std::string text;
};

bool is_name(std::string_view word) {
    return std::isalpha(static_cast<unsigned char>(word[0])) != 0 && !number_in(word);
}

// Names if the line has nothing else; else it is a line of numbers.
std::optional<BodyColumns> columns_named(const std::vector<std::string_view>& words, const FileBodies& file) {
    if (!std::all_of(words.begin(), words.end(), is_name)) return {};
    std::vector<std::string> names;
    for (const std::string_view word : words) {
        names.emplace_back(word);
        for (char& c : names.back()) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    std::string wrong;
    const auto find = [&](std::initializer_list<const char*> of) {
        for (const char* name : of) {
            if (name == nullptr) continue;
            const auto it = std::find(names.begin(), names.end(), name);
            if (it == names.end()) continue;
            if (std::find(it + 1, names.end(), name) != names.end())
                wrong = fmt::format("the column {} is named twice", name);
            return static_cast<std::size_t>(it - names.begin());
        }
        return BodyColumns::none;
    };
    BodyColumns c;
    c.named = true, c.count = names.size();
    for (std::size_t k = 0; k < c.at.size(); ++k) c.at[k] = find({number_names[k][0], number_names[k][1]});
    if (c.at[BodyColumns::radius] == BodyColumns::none)
        c.at[BodyColumns::radius] = find({"d", "diameter"}), c.diameters = true;
    c.material = find({"material"});
    std::string missing;
    for (std::size_t k = 0; k < BodyColumns::n_needed; ++k)
        if (c.at[k] == BodyColumns::none && !(k == BodyColumns::radius && file.shape_radius > 0))
            missing += fmt::format("{}{}", missing.empty() ? "" : ", ", number_names[k][0]);
    if (!missing.empty())
        wrong =
            fmt::format("the names of the columns lack {} (expected x, y, z and r, radius, d or diameter)", missing);
    std::size_t turns = 0;
    for (std::size_t k = BodyColumns::qw; k <= BodyColumns::qz; ++k) turns += c.at[k] != BodyColumns::none ? 1 : 0;
    if (turns != 0 && turns != 4)
        wrong = "the names of the columns lack a part of a quaternion (expected qw, qx, qy and qz)";
    if (!wrong.empty()) throw BadLine{wrong};
    return c;
}

// A line of another length is not what it seems, and its numbers would be taken for what they are not.
void check_count(const BodyColumns& from, const std::vector<std::string_view>& words) {
    if (words.size() == from.count) return;
    if (from.named)
        throw BadLine{fmt::format("expected {} entries, one for each name in line {}, found {}", from.count,
                                  from.names_line, words.size())};
    if (words.size() < BodyColumns::n_needed)
        throw BadLine{fmt::format("expected four numbers `x y z r` in m, found only {}", words.size())};
    throw BadLine{
        fmt::format("expected four numbers `x y z r` in m, found a fifth entry '{}' (a first line with names, such "
                    "as `x y z r other`, says which columns to take)",
                    words[BodyColumns::n_needed])};
}

// Lines with the byte at which the next one begins.
class Lines {
  public:
    Lines(const std::string& path, std::uint64_t from) : path_(path), next_(from) {
        errno = 0;
        file_.open(path, std::ios::binary);
        if (!file_) throw InputError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
        file_.seekg(static_cast<std::streamoff>(from));
    }
    bool read() {
        if (std::getline(file_, text)) {
            next_ += text.size() + (file_.eof() ? 0 : 1);
            return true;
        }
        if (file_.bad()) throw InputError(path_ + ": reading failed before the end of the file");
        return false;
    }
    std::uint64_t next() const { return next_; }

    std::string text;

  private:
    const std::string& path_;
    std::ifstream file_;
    std::uint64_t next_;
};

void take_turn(const double* q, NewBody& to) {
    const Quaterniond unit = normalised(Quaterniond{q[0], q[1], q[2], q[3]});
    to.orientation[0] = unit.w, to.orientation[1] = unit.x, to.orientation[2] = unit.y, to.orientation[3] = unit.z;
}

std::vector<std::string_view> words_in(const std::string& line) { return words_of(line, "#%"); }

}  // namespace

BodiesPart::BodiesPart(const FileBodies& file, const BodyColumns& from) : file_(file), columns_(from) {
    for (std::size_t k = 0; k < from.at.size(); ++k)
        if (from.at[k] != BodyColumns::none) kept_.push_back(k);
}

double BodiesPart::number(std::size_t k, const std::vector<std::string_view>& words) const {
    const std::string_view word = words[columns_.at[k]];
    const std::optional<double> read = number_in(word);
    if (read) return *read;
    if (k < BodyColumns::n_needed) throw BadLine{fmt::format("expected four numbers `x y z r` in m, found '{}'", word)};
    throw BadLine{fmt::format("expected a number in the column {}, found '{}'", number_names[k][0], word)};
}

std::uint16_t BodiesPart::material(std::string_view name) const {
    if (name.size() > 1 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
    std::string known;
    for (std::size_t m = 0; m < file_.named.size(); ++m) {
        if (file_.named[m].name == name) return static_cast<std::uint16_t>(m);
        known += fmt::format("{}\"{}\"", known.empty() ? "" : " or ", file_.named[m].name);
    }
    throw BadLine{
        fmt::format("the material \"{}\" is not one of this [[bodies]] (expected {}; add further ones of the case to "
                    "its key mixed_with)",
                    name, known)};
}

// What the file says must be a motion in the plane.
void BodiesPart::expect_in_plane(const std::array<double, BodyColumns::n_numbers>& value) const {
    const auto n = static_cast<std::size_t>(file_.normal);
    const char* name = number_names[n][0];
    if (std::abs(value[n] - file_.plane) > 1e-6 * value[BodyColumns::radius])
        throw BadLine{fmt::format("expected {} = {} in the plane of the run, found {}", name, file_.plane, value[n])};
    const auto expect_zero = [&](std::size_t k) {
        if (columns_.at[k] != BodyColumns::none && std::abs(value[k]) > 1e-12)
            throw BadLine{fmt::format("expected {} = 0 for a motion in the plane of the run, found {}",
                                      number_names[k][0], value[k])};
    };
    expect_zero(BodyColumns::vx + n);
    for (std::size_t k = 0; k < 3; ++k)
        if (k != n) expect_zero(BodyColumns::wx + k), expect_zero(BodyColumns::qx + k);
}

void BodiesPart::take_ball(const std::vector<std::string_view>& words) {
    check_count(columns_, words);
    std::array<double, BodyColumns::n_numbers> value{};
    for (const std::size_t k : kept_)
        value[k] = (k < BodyColumns::wx ? file_.scale : 1.0) * number(k, words);  // spins and turns are no lengths
    double& r = value[BodyColumns::radius];
    if (columns_.at[BodyColumns::radius] == BodyColumns::none) r = file_.shape_radius;
    else if (columns_.diameters) r *= 0.5;
    if (columns_.turns()) {
        const double* q = &value[BodyColumns::qw];
        if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 1e-12))
            throw BadLine{"expected a quaternion qw qx qy qz that is not zero"};
    }
    if (!(r > 0))
        throw BadLine{
            fmt::format("expected four numbers `x y z r` in m, found the radius {}, which is not above 0", r)};
    for (std::size_t k = 0; k < BodyColumns::radius; ++k)
        if (!std::isfinite(value[k]))
            throw BadLine{"expected four numbers `x y z r` in m, found a position that is not finite"};
    for (const std::size_t k : kept_)
        if (!std::isfinite(value[k]))
            throw BadLine{fmt::format("expected a number in the column {}, found one that is not finite in m/s",
                                      number_names[k][0])};
    if (file_.normal >= 0) expect_in_plane(value);
    const bool names_material = columns_.material != BodyColumns::none;
    const std::uint16_t m = names_material ? material(words[columns_.material]) : std::uint16_t{0};
    const double about = (names_material ? file_.named[m].density : file_.density) * r * r * r;  // its mass, roughly
    if (const double inertia = about * r * r; !std::isnormal(inertia) || !std::isnormal(1 / inertia))
        throw BadLine{fmt::format(
            "expected four numbers `x y z r` in m, found the radius {} m, which gives no valid mass or inertia", r)};

    if (balls % in_slice == 0) rows_.emplace_back().reserve(kept_.size() * in_slice);
    for (const std::size_t k : kept_) rows_.back().push_back(value[k]);
    if (names_material) material_.push_back(m);
    largest_radius = std::max(largest_radius, file_.radius_factor * r);
    ++balls;
}

void BodiesPart::slice(std::size_t k, std::uint64_t before, std::vector<NewBody>& to) const {
    to.clear();
    if (k >= rows_.size()) return;
    std::array<double, BodyColumns::n_numbers> value{};
    for (int axis = 0; axis < 3; ++axis)
        value[BodyColumns::vx + axis] = at(file_.velocity, axis), value[BodyColumns::wx + axis] = at(file_.spin, axis);
    std::uint64_t ball = k * in_slice;
    for (std::size_t i = 0; i < rows_[k].size(); ++ball) {
        for (const std::size_t number : kept_) value[number] = rows_[k][i++];
        const FileMaterial* const m = material_.empty() ? nullptr : &file_.named[material_[ball]];
        const double radius =
            columns_.at[BodyColumns::radius] == BodyColumns::none ? file_.shape_radius : value[BodyColumns::radius];
        to.push_back(make_ball(
            file_.first_id + before + ball, {value[BodyColumns::x], value[BodyColumns::y], value[BodyColumns::z]},
            radius, m != nullptr ? m->density : file_.density, m != nullptr ? m->number : file_.material,
            {value[BodyColumns::vx], value[BodyColumns::vy], value[BodyColumns::vz]}, file_.thickness));
        NewBody& made = to.back();
        made.spin = {value[BodyColumns::wx], value[BodyColumns::wy], value[BodyColumns::wz]};
        if (file_.rigid_shape == 0) continue;
        made.rigid_shape = file_.rigid_shape;  // its mass is that of the ball of equal volume
        made.radius *= file_.radius_factor;
        if (columns_.turns()) take_turn(&value[BodyColumns::qw], made);
        else if (file_.turned_at_random && file_.normal >= 0) turn_at_random_about(file_.normal, made, file_.seed);
        else if (file_.turned_at_random) turn_at_random(made, file_.seed);
    }
}

BodiesFile::BodiesFile(FileBodies what) : what_(std::move(what)) {
    validate(BallKind{1, 1, what_.density, what_.material, what_.velocity}, what_.path);  // density and velocity only
    Lines lines(what_.path, 0);
    std::error_code none;
    if (!std::filesystem::is_regular_file(what_.path, none))
        throw InputError(what_.path + ": is no regular file; expected a text file with lines `x y z r` in m");
    bytes_ = std::filesystem::file_size(what_.path);
    for (std::uint64_t number = 1; lines.read(); ++number) {
        const std::vector<std::string_view> words = words_in(lines.text);
        if (words.empty()) continue;
        try {
            if (const std::optional<BodyColumns> named = columns_named(words, what_)) {
                columns_ = *named, columns_.names_line = number;
                first_byte_ = lines.next(), first_line_ = number + 1;
            }
        } catch (const BadLine& bad) {
            throw InputError(fmt::format("{}:{}: {}", what_.path, number, bad.text));
        }
        break;
    }
}

BodiesPart BodiesFile::read(std::uint64_t part, std::uint64_t parts) const {
    const auto limit = [&](std::uint64_t k) {  // n k / parts without overflow
        const std::uint64_t n = bytes_ - std::min(bytes_, first_byte_);
        return first_byte_ + n / parts * k + n % parts * k / parts;
    };
    const std::uint64_t from = limit(part), to = limit(part + 1);
    BodiesPart read(what_, columns_);
    if (from == to) return read;
    const bool at_begin = from == first_byte_;
    Lines lines(what_.path, at_begin ? from : from - 1);
    if (!at_begin) lines.read();  // what is left of a line of the part before
    while (lines.next() < to && lines.read()) {
        ++read.lines;
        const std::vector<std::string_view> words = words_in(lines.text);
        if (words.empty()) continue;
        try {
            read.take_ball(words);
        } catch (const BadLine& bad) {
            read.problem = {read.lines, bad.text};
            return read;
        }
    }
    return read;
}

}  // namespace granary
