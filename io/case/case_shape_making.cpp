// What shapes are made of: from keys and files to templates.
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include "core/errors.hpp"
#include "core/number_words.hpp"
#include "io/case/case_known.hpp"
#include "io/case/case_shapes.hpp"
#include "io/formats/shp_file.hpp"
#include "io/formats/stl_file.hpp"
#include "shapes/clump.hpp"
#include "shapes/contact_scale.hpp"
#include "shapes/convex_polygon.hpp"
#include "shapes/convex_polyhedron.hpp"
#include "shapes/ellipsoid_template.hpp"
#include "shapes/solids.hpp"

namespace granary {
namespace {

constexpr double on_hull = 1e-6;  // share of the outer radius: a corner this deep inside is on the hull

// ---- From files ----------------------------------------------------------------------------------------------------

using Triangles = std::vector<std::array<Vec3d, 3>>;

Triangles from_shp(const ShapeSpec& s, const std::string& content) {
    const std::vector<ShpShape> shapes = parse_shp(content, s.file);
    const auto found = std::find_if(shapes.begin(), shapes.end(), [&](const ShpShape& one) {
        return s.name_in_file.empty() || one.name == s.name_in_file;
    });
    if (found == shapes.end())
        throw InputError(
            fmt::format("{}: has no shape \"{}\" (expected {})", s.file, s.name_in_file, listed_or(names_of(shapes))));
    const std::vector<Vec3d> corners = grown_vertices(*found);
    Triangles triangles;
    for (const std::vector<std::size_t>& face : found->faces)
        for (std::size_t k = 1; k + 1 < face.size(); ++k)
            triangles.push_back({corners[face[0]], corners[face[k]], corners[face[k + 1]]});
    if (triangles.empty()) throw InputError(fmt::format("{}: the shape \"{}\" has no faces", s.file, found->name));
    return triangles;
}

std::vector<ClumpBall> balls_in(const ShapeSpec& s, const std::string& content) {
    std::vector<ClumpBall> balls;
    std::size_t line = 0;
    for (std::size_t at = 0; at < content.size();) {
        const std::size_t end = std::min(content.find('\n', at), content.size());
        const std::vector<std::string_view> words = words_of(std::string_view(content).substr(at, end - at), "#%");
        at = end + 1, ++line;
        if (words.empty()) continue;
        double x[4] = {};
        for (std::size_t k = 0; k < std::min<std::size_t>(4, words.size()); ++k) {
            const std::optional<double> value = number_in(words[k]);
            if (!value)
                throw InputError(
                    fmt::format("{}:{}: expected four numbers `x y z r`, found '{}'", s.file, line, words[k]));
            x[k] = *value;
        }
        if (words.size() != 4)
            throw InputError(
                fmt::format("{}:{}: expected four numbers `x y z r`, found {}", s.file, line, words.size()));
        balls.push_back({{x[0], x[1], x[2]}, x[3]});
    }
    if (balls.empty()) throw InputError(s.file + ": contains no ball; expected lines `x y z r`");
    return balls;
}

// ---- From keys -----------------------------------------------------------------------------------------------------

// Corners that lie within the hull of the others would be lost.
void expect_all_on_hull(const ShapeSpec& s, const ShapeTemplate& t, double factor) {
    const ConvexPolyhedron& hull = *t.polyhedron;
    const auto& e = hull.user_axes();
    for (std::size_t k = 0; k < s.vertices.size(); ++k) {
        const Vec3d d = factor * s.vertices[k] - hull.user_centroid(), own{dot(d, e[0]), dot(d, e[1]), dot(d, e[2])};
        double depth = hull.outer_radius();
        for (const ConvexPolyhedron::Face& face : hull.faces())
            depth = std::min(depth, face.offset - dot(face.normal, own));
        if (depth > on_hull * hull.outer_radius())
            throw InputError(
                fmt::format("is not convex: vertex {} lies inside the hull of the others (expected the "
                            "corners of a convex solid; a clump can have dents)",
                            k + 1));
    }
}

ShapeTemplate polyhedron_of(const ShapeSpec& s, const std::string& content, double factor) {
    if (s.file.empty()) {
        std::vector<Vec3d> corners = s.vertices;
        for (Vec3d& p : corners) p = factor * p;
        ShapeTemplate t = make_polyhedron(s.name, corners);
        expect_all_on_hull(s, t, factor);
        return t;
    }
    Triangles triangles = s.file.ends_with(".shp") ? from_shp(s, content) : parse_stl(content, s.file);
    for (auto& triangle : triangles)
        for (Vec3d& p : triangle) p = (s.scale * factor) * p;
    try {
        return make_polyhedron_from_triangles(s.name, triangles);
    } catch (const InputError& e) {
        throw InputError(fmt::format("{}: {}", s.file, e.what()));
    }
}

ShapeTemplate clump_as_given(const std::string& name, std::span<const ClumpBall> balls) {
    std::array<Vec3d, 3> axes{};
    ShapeTemplate t = make_clump(name, balls, nullptr, &axes);
    t.as_given = rotation_to(axes[0], axes[1], axes[2]);
    return t;
}

ShapeTemplate clump_of(const ShapeSpec& s, const std::string& content, double factor) {
    std::vector<ClumpBall> balls;
    if (!s.file.empty()) {
        balls = balls_in(s, content);
        for (ClumpBall& b : balls) b.centre = s.scale * b.centre, b.radius *= s.scale;
    } else
        for (const auto& [x, y, z, r] : s.balls) balls.push_back({{x, y, z}, r});
    for (std::size_t k = 0; k < balls.size(); ++k) {
        if (!(balls[k].radius > 0))
            throw InputError(fmt::format("ball {} of the clump \"{}\" has the radius {} m (expected above 0)", k + 1,
                                         s.name, balls[k].radius));
        balls[k].centre = factor * balls[k].centre, balls[k].radius *= factor;
    }
    return clump_as_given(s.name, balls);
}

// Coordinates are written in the order x, y, z, the axes of a polygon follow its normal in a circle.
ShapeTemplate polygon_of(const ShapeSpec& s, double factor, int plane) {
    std::vector<Vec2d> corners;
    for (const auto& [first, second] : s.corners)
        corners.push_back(plane == 1 ? Vec2d{factor * second, factor * first} : Vec2d{factor * first, factor * second});
    return make_polygon(s.name, corners, plane);
}

// All lengths times a factor.
ShapeTemplate made(const ShapeSpec& s, const std::string& content, double factor, int plane) {
    const double edge = factor * s.edge.value_or(1);
    switch (s.type) {
        case ShapeType::ellipsoid:
            return make_ellipsoid(
                s.name, s.semi_axes ? factor * *s.semi_axes : 0.5 * factor * s.diameters.value_or(Vec3d{2, 2, 2}));
        case ShapeType::polyhedron: return polyhedron_of(s, content, factor);
        case ShapeType::clump: return clump_of(s, content, factor);
        case ShapeType::cube: return make_polyhedron(s.name, corners_of(RegularSolid::cube, edge));
        case ShapeType::box: return make_polyhedron(s.name, box_corners(factor * s.edges));
        case ShapeType::tetrahedron: return make_polyhedron(s.name, corners_of(RegularSolid::tetrahedron, edge));
        case ShapeType::octahedron: return make_polyhedron(s.name, corners_of(RegularSolid::octahedron, edge));
        case ShapeType::dodecahedron: return make_polyhedron(s.name, corners_of(RegularSolid::dodecahedron, edge));
        case ShapeType::icosahedron: return make_polyhedron(s.name, corners_of(RegularSolid::icosahedron, edge));
        case ShapeType::prism:
            return make_polyhedron(s.name,
                                   prism_corners(static_cast<int>(s.sides), factor * s.radius, factor * s.height));
        case ShapeType::rod:
            return clump_as_given(s.name,
                                  rod_balls(factor * s.length, factor * s.radius, static_cast<int>(s.elements)));
        case ShapeType::maize: return clump_as_given(s.name, maize_balls(0.001 * factor));
        case ShapeType::polygon: return polygon_of(s, factor, plane);
    }
    throw std::logic_error("a shape of no type");
}

}  // namespace

ShapeTemplate template_of(const ShapeSpec& s, const std::string& content, int plane) {
    ShapeTemplate t = made(s, content, 1, plane);
    if (s.equivalent_diameter) t = made(s, content, 0.5 * *s.equivalent_diameter / equivalent_radius(t), plane);
    if (!(t.volume > 0) || !std::isfinite(t.volume) || !(smallest_length(t) > 0))
        throw InputError(fmt::format("the shape \"{}\" has no volume", s.name));
    if (t.outer_radius > most_slender * smallest_length(t))
        throw InputError(
            fmt::format("the shape \"{}\" is too slender: the ball around it has {:.3g} times its smallest radius "
                        "(expected at most {})",
                        s.name, t.outer_radius / smallest_length(t), most_slender));
    if (t.polyhedron) {
        const std::array<Vec3d, 3>& axes = t.polyhedron->user_axes();
        t.as_given = rotation_to(axes[0], axes[1], axes[2]);
    }
    t.turned_at_random = s.orientation == ClusterTurn::random;
    return t;
}

}  // namespace granary
