// Rules about rigid shapes and the sources that make them.
#include "io/case/case_shapes.hpp"

#include <fmt/format.h>
#include <set>
#include "contact/laws.hpp"
#include "core/errors.hpp"
#include "io/case/case_clusters.hpp"
#include "io/case/case_known.hpp"
#include "io/case/case_rules.hpp"
#include "io/case/case_schema.hpp"
#include "shapes/contact_scale.hpp"

namespace granary {
namespace {

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
        if (use.shape_share > 0 && use.shape_share < 1)
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
            take_sizes(template_of(s, "", c.domain.normal), s);
        } catch (const InputError& e) {
            const char* key = s.type == ShapeType::polygon      ? "corners"
                              : s.type == ShapeType::polyhedron ? "vertices"
                              : s.type == ShapeType::clump      ? "balls"
                              : s.type == ShapeType::ellipsoid  ? (s.semi_axes ? "semi_axes" : "diameters")
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
    if (c.start) return remarks;  // its state has made them
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
