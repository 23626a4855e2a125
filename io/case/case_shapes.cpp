// Rules about rigid shapes and the sources that make them; what shapes are made of.
#include "io/case/case_shapes.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include "contact/laws.hpp"
#include "core/errors.hpp"
#include "core/number_words.hpp"
#include "io/case/case_clusters.hpp"
#include "io/case/case_known.hpp"
#include "io/case/case_rules.hpp"
#include "io/case/case_schema.hpp"
#include "io/formats/shp_file.hpp"
#include "io/formats/stl_file.hpp"
#include "shapes/clump.hpp"
#include "shapes/contact_scale.hpp"
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

// All lengths times a factor.
ShapeTemplate made(const ShapeSpec& s, const std::string& content, double factor) {
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
    }
    throw std::logic_error("a shape of no type");
}

// ---- Rules ---------------------------------------------------------------------------------------------------------

bool is_regular(ShapeType type) {
    return type == ShapeType::cube || type == ShapeType::tetrahedron || type == ShapeType::octahedron ||
           type == ShapeType::dodecahedron || type == ShapeType::icosahedron;
}

void check_shape_keys(const ShapeSpec& s, const std::string& path, CaseReport& report) {
    const auto missing = [&](const char* key, const char* expected, const std::vector<const char*>& others) {
        std::vector<std::string> keys{path + ".type"};
        for (const char* other : others) keys.push_back(path + "." + other);
        report.add_at(fmt::format("{}.{}", path, key),
                      fmt::format("{}.{} is missing (expected {})", path, key, expected), keys);
    };
    if (s.type == ShapeType::ellipsoid && !s.semi_axes && !s.diameters)
        missing("semi_axes", "three numbers in m, above 0, or diameters", {"diameters"});
    if (s.type == ShapeType::polyhedron && s.vertices.empty() && s.file.empty())
        missing("vertices", "a list of [x, y, z] in m, or file", {"file"});
    if (s.type == ShapeType::clump && s.balls.empty() && s.file.empty())
        missing("balls", "a list of [x, y, z, r] in m, or file", {"file"});
    if (is_regular(s.type) && !s.edge && !s.equivalent_diameter)
        missing("edge", "a number in m, above 0, or equivalent_diameter", {"equivalent_diameter"});
    if (s.type == ShapeType::maize && !s.equivalent_diameter)
        missing("equivalent_diameter", "a number in m, above 0; real kernels have about 0.008", {});
    if (s.type == ShapeType::rod && s.length > 0 && s.radius > 0 && s.length <= 2 * s.radius)
        report.add_at(path + ".length",
                      fmt::format("{}.length is not above the diameter of its balls (expected above {}, got {})", path,
                                  2 * s.radius, s.length),
                      {path + ".radius", path + ".type"});
    if (s.type == ShapeType::polyhedron && !s.file.empty() && !s.file.ends_with(".stl") && !s.file.ends_with(".STL") &&
        !s.file.ends_with(".shp"))
        report.add_at(
            path + ".file",
            fmt::format("{}.file is of an unknown kind (expected a name that ends in .stl or .shp, got \"{}\")", path,
                        s.file));
}

template <class Source> void check_maker(const Source& s, const std::string& path, const Case& c, CaseReport& report) {
    const GrainUse& use = s.grains;
    const std::string key = path + ".shape";
    if (use.shape.empty()) {
        if (use.shape_share < 1)
            report.add_at(path + ".shape_share",
                          fmt::format("{0}.shape_share has no shape (expected together with {0}.shape)", path), {key});
        return;
    }
    known(key, use.shape, c.shapes, "shape", "shapes", report);
    if (!use.cluster.empty())
        report.add_at(
            key,
            fmt::format("{0}.shape cannot be used with {0}.cluster (expected one of them; several sources may "
                        "make grains at the same place)",
                        path),
            {path + ".cluster"});
    if (!s.mix.mixed_with.empty())
        report.add_at(
            path + ".mixed_with",
            fmt::format(
                "{0}.mixed_with cannot be used with {0}.shape (expected one of them; [[shapes]] have a material "
                "of their own)",
                path),
            {key});
}

template <class Source> bool shape_is_in_file(const Source& s, const Case& c) {
    const ShapeSpec* shape = c.find_shape(s.grains.shape);
    return shape && shape->has_file() && !(shape->outer_radius > 0);
}

std::string path_of(const char* section, std::size_t i) { return fmt::format("{}[{}]", section, i); }

}  // namespace

ShapeTemplate template_of(const ShapeSpec& s, const std::string& content) {
    ShapeTemplate t = made(s, content, 1);
    if (s.equivalent_diameter) t = made(s, content, 0.5 * *s.equivalent_diameter / equivalent_radius(t));
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

void take_sizes(const ShapeTemplate& t, ShapeSpec& s) {
    s.outer_radius = s.largest = t.outer_radius, s.smallest = stand_in_radius(t);
    s.radius_factor = t.outer_radius / equivalent_radius(t);
    s.n_elements = 1, s.solid_volume = t.volume;
}

void complete_shapes(Case& c, CaseReport& report) {
    for (std::size_t i = 0; i < c.shapes.size(); ++i) {
        ShapeSpec& s = c.shapes[i];
        const std::string path = path_of("shapes", i);
        check_shape_keys(s, path, report);
        if (s.has_file() || !report.is_sound_within(path) || !report.is_sound(path)) continue;
        try {
            take_sizes(template_of(s, ""), s);
        } catch (const InputError& e) {
            const char* key = s.type == ShapeType::polyhedron  ? "vertices"
                              : s.type == ShapeType::clump     ? "balls"
                              : s.type == ShapeType::ellipsoid ? (s.semi_axes ? "semi_axes" : "diameters")
                                                               : "type";
            report.add_at(fmt::format("{}.{}", path, key), fmt::format("{}.{}: {}", path, key, e.what()));
        }
    }
    complete_grain_radii(c);
}

void check_shapes(const Case& c, CaseReport& report) {
    for (std::size_t i = 0; i < c.shapes.size(); ++i)
        if (!c.shapes[i].material.empty())
            known(path_of("shapes", i) + ".material", c.shapes[i].material, c.materials, "material", "materials",
                  report);
    if (c.shapes.size() > 60000) report.add_at("shapes", "there are too many [[shapes]] (expected at most 60000)");
    for (std::size_t i = 0; i < c.bodies.size(); ++i) check_maker(c.bodies[i], path_of("bodies", i), c, report);
    for (std::size_t i = 0; i < c.insert.size(); ++i) {
        const InsertSpec& s = c.insert[i];
        const std::string path = path_of("insert", i);
        check_maker(s, path, c, report);
        if (s.inlet == InletType::disc && shape_is_in_file(s, c))
            report.add_at(path + ".inlet",
                          fmt::format("{}.inlet = \"disc\" needs the size of the shape, which is in a file (expected "
                                      "inlet = \"box\")",
                                      path),
                          {path + ".shape"});
    }
    for (std::size_t i = 0; i < c.stages.size(); ++i) {
        const StageSpec& s = c.stages[i];
        if (s.type != StageType::fill) continue;
        const std::string path = path_of("stages", i);
        check_maker(s, path, c, report);
        if (s.method == InsertionMethod::rain && !s.rate && !s.mass_rate && shape_is_in_file(s, c) &&
            norm(c.gravity) > 0)
            report.add_at(path + ".rate",
                          fmt::format("{}.rate or mass_rate is missing (expected one of them: the size of the shape is "
                                      "in a file)",
                                      path),
                          {path + ".mass_rate", path + ".shape", path + ".method"});
        if (s.method == InsertionMethod::dense && !s.grains.shape.empty() && s.grains.shape_share < 1)
            report.add_at(path + ".shape_share",
                          fmt::format("{}.shape_share cannot be used with method = \"dense\" (expected 1.0: its balls "
                                      "are all of one kind)",
                                      path),
                          {path + ".shape", path + ".method"});
    }
    if (c.shapes.empty()) return;
    if (!facts_of(c.law.type).rotates)
        report.add_at(
            "law.type",
            fmt::format("law.type = \"{}\" has no rotation, which shapes need (expected another law in a case "
                        "with [[shapes]])",
                        choice_word("law", "type", static_cast<std::size_t>(c.law.type))));
    if (c.law.rolling != LawSettings::Rolling::none)
        report.add_at(
            "law.rolling",
            fmt::format("law.rolling = \"{}\" is not defined for [[shapes]] (expected \"none\": shapes resist "
                        "rolling by themselves)",
                        choice_word("law", "rolling", static_cast<std::size_t>(c.law.rolling))));
    if (c.run.integrator != Integrator::verlet)
        report.add_at("run.integrator",
                      "run.integrator = \"gear\" cannot be used with [[shapes]] (expected \"verlet\": it moves no "
                      "orientations)");
}

std::vector<std::string> remarks_on_shapes(const Case& c) {
    std::vector<std::string> remarks;
    std::set<std::string> used;
    const auto see = [&](const auto& sources) {
        for (const auto& s : sources)
            if (!s.grains.shape.empty()) used.insert(s.grains.shape);
    };
    see(c.bodies), see(c.insert), see(c.stages);
    for (const ShapeSpec& s : c.shapes)
        if (!used.contains(s.name)) remarks.push_back(fmt::format("the shape \"{}\" is made by no source", s.name));
    return remarks;
}

}  // namespace granary
