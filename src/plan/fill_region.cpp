#include "plan/fill_region.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include "io/formats/amounts.hpp"
#include "walls/mesh_inside.hpp"

namespace granary {

namespace {

constexpr double rounding = 1e-6;  // share of the radius by which a box that is meant to be as wide may be wider

constexpr double least_share = 0.25;  // of a box that is inside of a mesh, if the mesh is to hold its balls
constexpr double worth_a_word = 0.1;  // of a box that is inside of a mesh that does not hold its balls

bool stays(const Case& c, const WallSpec& w) {
    if (w.motion.empty()) return true;
    return std::any_of(c.motions.begin(), c.motions.end(),
                       [&](const MotionSpec& m) { return m.name == w.motion && m.type == MotionType::rotate; });
}

// The axis x, y, z = 0, 1, 2 along which it stands; -1: askew.
int axis_of(const WallSpec& w) {
    const Vec3d along = w.top - w.bottom;
    for (int k = 0; k < 3; ++k)
        if (std::abs(at(along, k)) >= (1 - 1e-9) * norm(along)) return k;
    return -1;
}

// How a box lies to a cylinder.
struct Lie {
    bool around_middle = false;  // the middle of the box is inside
    bool between_sides = false;  // across its axis the box is nowhere wider than the cylinder
    bool cut = false;            // corners are beyond the shell
};

Lie lie_of(const WallSpec& w, int axis, const Vec3d& lower, const Vec3d& upper) {
    const Vec3d middle = 0.5 * (lower + upper);
    const auto [low, high] = std::minmax({at(w.bottom, axis), at(w.top, axis)});
    double off = 0, corner = 0;
    bool between = true;
    for (int k = 0; k < 3; ++k) {
        if (k == axis) continue;
        const double centre = at(w.bottom, k);
        const double farthest = std::max(centre - at(lower, k), at(upper, k) - centre);
        off += (at(middle, k) - centre) * (at(middle, k) - centre), corner += farthest * farthest;
        between &= farthest <= (1 + rounding) * w.radius;
    }
    const bool meets = at(upper, axis) > low && at(lower, axis) < high;
    return {at(middle, axis) > low && at(middle, axis) < high && off < w.radius * w.radius, between,
            meets && corner > (1 + rounding) * w.radius * w.radius};
}

// The share of a box that is inside of a mesh, in the larger of its rooms, and whether the middle of the box is inside.
struct InMesh {
    double share = 0;
    bool odd = false, middle = false;
};
InMesh share_inside(const MeshInside& mesh, const Axes& axes, const Vec3d& lower, const Vec3d& upper) {
    constexpr int n = 20;  // places along an axis
    double odd = 0, even = 0;
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) {
                const Vec3d part{(x + 0.5) / n, (y + 0.5) / n, (z + 0.5) / n}, size = upper - lower;
                const MeshInside::Seen seen =
                    mesh.look(axes.in(lower + Vec3d{part.x * size.x, part.y * size.y, part.z * size.z}));
                if (seen.inside) ++(seen.odd ? odd : even);
            }
    return {std::max(odd, even) / (n * n * n), odd > even, mesh.look(axes.in(0.5 * (lower + upper))).inside};
}

template <class F> void for_each_cylinder(const Case& c, F&& f) {
    for (const WallSpec& w : c.walls)
        if (w.type == WallType::cylinder && stays(c, w) && axis_of(w) >= 0) f(w, axis_of(w));
}

// Meshes that stay where they are; up: against gravity.
template <class F> void for_each_mesh(const Case& c, const Setup& setup, F&& f) {
    const double g = norm(setup.gravity);
    for (const WallSpec& w : c.walls) {
        if (w.type != WallType::mesh || w.opens_sometime() || !stays(c, w)) continue;
        for (const Wall& made : setup.walls)
            if (const auto* mesh = std::get_if<Mesh>(&made.shape); mesh && mesh->surface && made.name == w.name)
                f(w, *mesh, g > 0 ? setup.gravity * (-1 / g) : Vec3d{});
    }
}

bool is_above(const Mesh& mesh, const Vec3d& up, const Vec3d& place) {
    const Vec3d &a = mesh.surface->lower(), &b = mesh.surface->upper();
    double top = 0;
    for (int k = 0; k < 3; ++k) top += std::max(at(up, k) * at(a, k), at(up, k) * at(b, k));
    return dot(up, place) > top;
}

}  // namespace

Tube tube_around(const Case& c, const Vec3d& lower, const Vec3d& upper) {
    Tube tube;
    for_each_cylinder(c, [&](const WallSpec& w, int axis) {
        const Lie lie = lie_of(w, axis, lower, upper);
        if (!lie.around_middle || !lie.between_sides || w.radius <= tube.radius) return;
        tube = {w.bottom, {}, w.radius};
        at(tube.axis, axis) = 1;
    });
    return tube;
}

MeshAround mesh_around(const Case& c, const Setup& setup, const Vec3d& lower, const Vec3d& upper) {
    MeshAround found;
    const bool in_tube = tube_around(c, lower, upper).radius > 0;
    for_each_mesh(c, setup, [&](const WallSpec& w, const Mesh& mesh, const Vec3d& up) {
        if (in_tube && is_above(mesh, up, setup.axes.in(0.5 * (lower + upper)))) return;  // a funnel in a bin
        const auto inside = std::make_shared<const MeshInside>(mesh.surface, up);
        const InMesh box = share_inside(*inside, setup.axes, lower, upper);
        if (!box.middle || box.share < least_share || box.share <= found.share) return;
        found = {[inside, odd = box.odd](const Vec3d& x) {
                     const MeshInside::Seen seen = inside->look(x);
                     return seen.inside && seen.odd == odd;
                 },
                 w.name, box.share};
    });
    return found;
}

FillTexts fill_texts(const Case& c, const Setup& setup) {
    FillTexts texts;
    const auto look = [&](const std::string& whose, const Vec3d& lower, const Vec3d& upper) {
        const MeshAround mesh = mesh_around(c, setup, lower, upper);
        if (mesh.holds && mesh.share < 1)
            texts.notes.push_back(
                fmt::format("{} extends beyond the mesh \"{}\": balls appear only inside it, in {} of the box", whose,
                            mesh.wall, percent_text(mesh.share)));
        if (mesh.holds || tube_around(c, lower, upper).radius > 0) return;
        for_each_cylinder(c, [&](const WallSpec& w, int axis) {
            const Lie lie = lie_of(w, axis, lower, upper);
            if (lie.around_middle && lie.cut)
                texts.remarks.push_back(fmt::format(
                    "{} is wider than the cylinder \"{}\" around its centre: balls appear on both sides of that wall",
                    whose, w.name));
        });
        for_each_mesh(c, setup, [&](const WallSpec& w, const Mesh& m, const Vec3d& up) {
            const InMesh box = share_inside(MeshInside(m.surface, up), setup.axes, lower, upper);
            if (box.middle || box.share > worth_a_word)
                texts.remarks.push_back(fmt::format(
                    "{} is partly inside the mesh \"{}\", partly outside: balls appear on both sides of that wall",
                    whose, w.name));
        });
    };
    const bool round_silo = c.silo && c.silo->bin == BinType::cylinder;
    for (const StageSpec& s : c.stages)
        if (s.type == StageType::fill && !round_silo && s.lower && s.upper)
            look(fmt::format("the box of the stage \"{}\"", s.name), *s.lower, *s.upper);
    for (std::size_t k = 0; k < c.insert.size(); ++k)
        if (const InsertSpec& i = c.insert[k]; i.inlet != InletType::disc)
            look(i.name.empty() ? fmt::format("the box of insert[{}]", k)
                                : fmt::format("the box of the insert \"{}\"", i.name),
                 i.lower, i.upper);
    return texts;
}

}  // namespace granary
