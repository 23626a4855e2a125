#include "io/formats/shp_file.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include "core/errors.hpp"
#include "core/number_words.hpp"

namespace granary {
namespace {

constexpr std::size_t most_parts = 100000;  // vertices, edges or faces of one shape

// Words with the line that they stand in; a number or a name each.
class ShpWords {
  public:
    ShpWords(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    // Empty at the end.
    std::string_view next() {
        while (at_ < text_.size() && is_blank(text_[at_])) line_ += text_[at_++] == '\n' ? 1 : 0;
        const std::size_t begin = at_;
        while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }
    void skip_line() {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    }
    double number(const char* what) {
        const std::string_view word = next();
        const std::optional<double> value = number_in(word);
        if (!value || !std::isfinite(*value)) fail(fmt::format("expected {}, found '{}'", what, word));
        return *value;
    }
    std::size_t count(const char* what, std::size_t limit) {
        const double value = number(what);
        if (!(value >= 0 && value <= static_cast<double>(limit)) || value != std::floor(value))
            fail(fmt::format("expected {} from 0 to {}, found {}", what, limit, value));
        return static_cast<std::size_t>(value);
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("{}:{}: {}", name_, line_, what));
    }

  private:
    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
    std::string_view text_;
    const std::string& name_;
    std::size_t at_ = 0, line_ = 1;
};

ShpShape read_block(ShpWords& words) {
    ShpShape shape;
    for (std::string_view word = words.next(); word != ">"; word = words.next()) {
        if (word.empty()) words.fail(fmt::format("the shape \"{}\" has no end (expected '>')", shape.name));
        if (word == "name") shape.name = words.next();
        else if (word == "radius") shape.radius = words.number("the radius");
        else if (word == "nv") {
            const std::size_t n = words.count("the number of vertices", most_parts);
            for (std::size_t k = 0; k < n; ++k) {
                Vec3d p;
                for (int axis = 0; axis < 3; ++axis) at(p, axis) = words.number("a coordinate of a vertex");
                shape.vertices.push_back(p);
            }
        } else if (word == "ne") {
            const std::size_t n = words.count("the number of edges", most_parts);
            for (std::size_t k = 0; k < 2 * n; ++k) words.count("a vertex of an edge", most_parts);
        } else if (word == "nf") {
            const std::size_t n = words.count("the number of faces", most_parts);
            for (std::size_t k = 0; k < n; ++k) {
                std::vector<std::size_t>& face = shape.faces.emplace_back();
                const std::size_t corners = words.count("the number of corners of a face", shape.vertices.size());
                for (std::size_t c = 0; c < corners; ++c)
                    face.push_back(words.count("a vertex of a face", shape.vertices.size() - 1));
                if (corners < 3) words.fail("a face has fewer than three corners");
            }
        } else words.skip_line();  // what is not used
    }
    if (shape.vertices.empty()) words.fail(fmt::format("the shape \"{}\" has no vertices", shape.name));
    if (!(shape.radius >= 0)) words.fail(fmt::format("the shape \"{}\" has a negative radius", shape.name));
    return shape;
}

// Unit, away from the middle of all vertices; by the largest triangle of a fan, which need not be planar to rounding.
Vec3d outward(const ShpShape& s, const std::vector<std::size_t>& face, const Vec3d& middle) {
    Vec3d sum;
    const Vec3d& first = s.vertices[face[0]];
    for (std::size_t k = 1; k + 1 < face.size(); ++k)
        sum += cross(s.vertices[face[k]] - first, s.vertices[face[k + 1]] - first);
    const double length = norm(sum);
    if (!(length > 0)) throw InputError(fmt::format("a face of the shape \"{}\" has no area", s.name));
    return (dot(sum, first - middle) < 0 ? -1 / length : 1 / length) * sum;
}

Vec3d middle_of(const std::vector<Vec3d>& points) {
    Vec3d sum;
    for (const Vec3d& p : points) sum += p;
    return (1.0 / static_cast<double>(points.size())) * sum;
}

}  // namespace

std::vector<ShpShape> parse_shp(std::string_view content, const std::string& name) {
    ShpWords words(content, name);
    std::vector<ShpShape> shapes;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        if (word == "<") shapes.push_back(read_block(words));
        else if (word.front() == '#') words.skip_line();
        else words.fail(fmt::format("expected '<', the beginning of a shape, found '{}'", word));
    }
    if (shapes.empty()) throw InputError(name + ": contains no shape; expected blocks `< name ... nv ... >`");
    return shapes;
}

// The planes of the faces at a vertex meet at x + d with n_k . d = R: in the sense of least squares where there are
// more than three, sum n n^T d = R sum n.
std::vector<Vec3d> grown_vertices(const ShpShape& shape) {
    if (!(shape.radius > 0)) return shape.vertices;
    if (shape.faces.empty())
        throw InputError(
            fmt::format("the shape \"{}\" is rounded but has no faces (expected nf, or radius 0)", shape.name));
    const Vec3d middle = middle_of(shape.vertices);
    std::vector<std::vector<Vec3d>> normals(shape.vertices.size());
    for (const std::vector<std::size_t>& face : shape.faces) {
        const Vec3d n = outward(shape, face, middle);
        for (const std::size_t v : face) normals[v].push_back(n);
    }
    std::vector<Vec3d> grown = shape.vertices;
    for (std::size_t v = 0; v < grown.size(); ++v) {
        Vec3d row[3], right;
        for (const Vec3d& n : normals[v]) row[0] += n.x * n, row[1] += n.y * n, row[2] += n.z * n, right += n;
        const double whole = dot(row[0], cross(row[1], row[2]));
        if (!(whole > 1e-9))
            throw InputError(
                fmt::format("the vertex {} of the shape \"{}\" does not lie at three faces or more", v, shape.name));
        const Vec3d d = (1 / whole) * (right.x * cross(row[1], row[2]) + right.y * cross(row[2], row[0]) +
                                       right.z * cross(row[0], row[1]));  // the matrix is symmetric
        grown[v] += shape.radius * d;
    }
    return grown;
}

}  // namespace granary
