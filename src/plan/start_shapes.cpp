#include "plan/start_shapes.hpp"

#include <fmt/format.h>
#include <algorithm>
#include "io/formats/amounts.hpp"
#include "plan/shape_plan.hpp"
#include "shapes/convex_polygon.hpp"
#include "shapes/convex_polyhedron.hpp"
#include "shapes/saved_templates.hpp"
#include "shapes/turned_shape.hpp"

namespace granary {
namespace {

bool same_corners(const ShapeTemplate& a, const ShapeTemplate& b) {
    if (a.polygon) {
        const auto p = a.polygon->corners(), q = b.polygon->corners();
        return std::equal(p.begin(), p.end(), q.begin(),
                          [](const Vec2d& x, const Vec2d& y) { return x.x == y.x && x.y == y.y; });
    }
    const auto p = a.polyhedron->corners(), q = b.polyhedron->corners();
    return std::equal(p.begin(), p.end(), q.begin());
}

}  // namespace

std::string difference_of(const ShapeTemplate& a, const ShapeTemplate& b) {
    if (fingerprint_of(a) == fingerprint_of(b)) return {};
    const auto differ = [](const std::string& what, const std::string& then, const std::string& now) {
        return fmt::format("{} {} there and {} here", what, then, now);
    };
    if (form_of(a) != form_of(b)) return differ("it is", "a " + form_of(a), "a " + form_of(b));
    const auto length = [](double x) { return si_text(x, "m"); };
    if (a.thickness != b.thickness) return differ("its thickness is", length(a.thickness), length(b.thickness));
    // Digits enough to see what differs, where rounding to a few would give the same words.
    const auto exactly = [](double x) { return fmt::format("{}", x); };
    if (a.semi_axes != b.semi_axes) {
        const auto axes = [&](const Vec3d& v) {
            return fmt::format("{}, {}, {} m", exactly(v.x), exactly(v.y), exactly(v.z));
        };
        return differ("its semi-axes are", axes(a.semi_axes), axes(b.semi_axes));
    }
    if (a.volume != b.volume) return differ("its volume is", exactly(a.volume) + " m^3", exactly(b.volume) + " m^3");
    if (a.outer_radius != b.outer_radius)
        return differ("the radius of the ball around it is", exactly(a.outer_radius) + " m",
                      exactly(b.outer_radius) + " m");
    if (a.kind == ShapeKind::clump) return "its balls stand at other places";
    if (a.kind == ShapeKind::polyhedron && !same_corners(a, b)) return "its corners stand at other places";
    return "its moments of inertia are others";
}

StartShapes::StartShapes(const SavedState& state, std::span<const ShapeTemplate> inside, const Axes& axes)
    : known_(has_templates(state)) {
    if (!known_) {
        for (std::size_t k = 0; k < inside.size(); ++k) number_.push_back(static_cast<std::uint16_t>(k + 1));
        problem_.resize(inside.size());
        return;
    }
    std::vector<ShapeTemplate> of_case;
    std::vector<ShapeFingerprint> prints;
    for (const ShapeTemplate& t : inside)
        of_case.push_back(turned_out(t, axes)), prints.push_back(fingerprint_of(of_case.back()));
    for (const ShapeTemplate& old : templates_in(state)) {
        const auto named =
            std::find_if(of_case.begin(), of_case.end(), [&](const ShapeTemplate& t) { return t.name == old.name; });
        auto found = named == of_case.end() ? of_case.size() : static_cast<std::size_t>(named - of_case.begin());
        const ShapeFingerprint print = fingerprint_of(old);
        if (found == of_case.size() || prints[found] != print)
            found = static_cast<std::size_t>(std::find(prints.begin(), prints.end(), print) - prints.begin());
        number_.push_back(found < of_case.size() ? static_cast<std::uint16_t>(found + 1) : std::uint16_t{0});
        std::string problem;
        if (found == of_case.size() && named != of_case.end())
            problem = fmt::format(
                "its grains of the shape \"{}\" are not those of this case: {} (expected the same "
                "shape; one of another name may stand beside it in [[shapes]])",
                old.name, difference_of(old, *named));
        else if (found == of_case.size())
            problem = fmt::format(
                "it has grains of the shape \"{}\" ({}), which this case does not have; add it to "
                "[[shapes]]",
                old.name, form_of(old));
        problem_.push_back(std::move(problem));
    }
}

}  // namespace granary
