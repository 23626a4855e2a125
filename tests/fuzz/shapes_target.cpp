// Files of rigid shapes: of Rockable, triangles, lists of balls. The first letter says which: `t` triangles, `b` balls,
// any other Rockable; a capital one asks for an equivalent diameter.
#include <cctype>
#include <cmath>
#include <string>
#include "core/errors.hpp"
#include "fuzz/harness.hpp"
#include "io/case/case_shapes.hpp"
#include "io/formats/shp_file.hpp"
#include "shapes/contact_scale.hpp"
#include "shapes/convex_polyhedron.hpp"
#include "shapes/shape_surface.hpp"

namespace granary::fuzz {
namespace {

constexpr double diameter = 0.01;
constexpr double sharp = 1e-6,
                 by_rays = 0.2;  // how well it is met: a clump may be measured by few rays (union_by_rays)

bool some_length(double a) { return std::isfinite(a) && a > 0; }

void check_polyhedron(const ConvexPolyhedron& p) {
    must(some_length(p.inner_radius()) && p.inner_radius() <= p.outer_radius(), "faces are around the centre");
    for (const Vec3d& x : p.corners()) must(norm(x) <= p.outer_radius() * (1 + 1e-9), "a corner is in the ball around");
    for (const ConvexPolyhedron::Face& face : p.faces()) {
        must(std::abs(norm(face.normal) - 1) < 1e-9, "a face has a normal");
        const auto height = [&](std::uint32_t corner) { return dot(face.normal, p.corners()[corner]) - face.offset; };
        must(height(p.support(face.normal)) < 1e-3 * p.outer_radius(), "no corner is beyond a face");
    }
}

void check(const ShapeTemplate& t) {
    must(some_length(t.outer_radius) && some_length(t.volume), "a shape has a size");
    const Vec3d& i = t.inertia_per_mass;
    must(some_length(i.x) && some_length(i.y) && some_length(i.z), "a shape resists turning about each axis");
    must(some_length(stand_in_radius(t)), "contacts of a shape take a time");
    if (t.polyhedron) check_polyhedron(*t.polyhedron);
    const ShapeSurface surface = surface_of(t, {2, 1});
    for (const std::uint32_t c : surface.corners) must(c < surface.points.size(), "a corner of a cell is there");
    must(!surface.ends.empty() && surface.ends.back() == surface.corners.size(), "cells hold all corners");
    for (const Vec3d& x : surface.points)
        must(norm(x) <= t.outer_radius * (1 + 1e-9), "a surface is in the ball around");
}

}  // namespace

void shapes_target(Bytes bytes) {
    if (bytes.empty()) return;
    const int letter = std::tolower(static_cast<unsigned char>(bytes.front()));
    const bool sized = letter != bytes.front();
    const std::string content(bytes.substr(1));
    ShapeSpec s;
    s.name = "grain", s.scale = 1;
    s.type = letter == 'b' ? ShapeType::clump : ShapeType::polyhedron;
    s.file = letter == 'b' ? "fuzz.txt" : letter == 't' ? "fuzz.stl" : "fuzz.shp";
    if (sized) s.equivalent_diameter = diameter;
    try {
        const ShapeTemplate t = template_of(s, content);
        check(t);
        const double off = std::abs(2 * equivalent_radius(t) / diameter - 1);
        must(!sized || off < (t.polyhedron ? sharp : by_rays), "a shape has the size asked for");
    } catch (const InputError&) {}
}

}  // namespace granary::fuzz
