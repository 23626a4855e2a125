#include "plan/mesh_walls.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <cmath>
#include <numbers>
#include "core/elementary.hpp"
#include "core/errors.hpp"
#include "io/formats/amounts.hpp"
#include "core/digest.hpp"
#include "io/formats/stl_file.hpp"
#include "io/formats/text_file.hpp"
#include "decomposition/together.hpp"
#include "walls/triangle_mesh.hpp"

namespace granary {
namespace {

constexpr double too_large = 3;   // times the domain: another unit
constexpr double too_small = 20;  // of these make the domain: another unit
constexpr double alone = 8;       // of these make the domain, and there is no other wall of some size

// Sine of an angle in degrees; exact where a drawing would have it so.
double sine(double degrees) {
    const double quarter = degrees / 90;
    if (quarter == std::round(quarter)) {
        const int k = static_cast<int>(std::fmod(quarter, 4) + 4) % 4;
        return k == 1 ? 1 : k == 3 ? -1 : 0;
    }
    return elementary::sin(degrees * std::numbers::pi / 180);
}

class Placing {
  public:
    Placing(const WallSpec& w, const Axes& axes) : spec_(w), axes_(axes) {}
    Vec3d operator()(const Vec3d& in_file) const {
        Vec3d p = spec_.scale * in_file;
        for (int axis = 0; axis < 3; ++axis) {
            const double angle = at(spec_.rotation, axis);
            if (angle == 0) continue;
            const double s = sine(angle), c = sine(angle + 90);
            double &a = at(p, (axis + 1) % 3), &b = at(p, (axis + 2) % 3);
            const double turned = c * a - s * b;
            b = s * a + c * b, a = turned;
        }
        return axes_.in(p + spec_.offset);
    }

  private:
    const WallSpec& spec_;
    Axes axes_;
};

// What the numbers of the triangles stand for; see TriangleMesh::source.
std::uint64_t sum_of(std::span<const Corners> triangles) {
    RecordHash hash(RecordHash::Kind::surface);
    for (const Corners& t : triangles)
        for (const Vec3d& p : t)
            for (int axis = 0; axis < 3; ++axis) hash.take(at(p, axis));
    return std::max<std::uint64_t>(hash.a(), 1);
}

// The same report as the user sees it.
MeshReport turned_out(MeshReport r, const Axes& axes) {
    for (Vec3d* p : {&r.lower, &r.upper, &r.open_example, &r.crowded_example}) *p = axes.out(*p);
    return r;
}

double longest(const Vec3d& size) { return std::max({size.x, size.y, size.z}); }

// A size that no silo would have beside such balls in such a domain.
std::string suspicion(const MeshReport& r, const WallSpec& w, const Domain& d, double radius, bool only_wall) {
    const double size = longest(r.upper - r.lower), room = longest(d.upper - d.lower);
    if (size > 100 * room)
        return fmt::format("measures {}, but the domain only {}: is its file in mm? (scale = {:.4g})",
                           si_text(size, "m"), si_text(room, "m"), 0.001 * w.scale);
    if (size > too_large * room)
        return fmt::format("measures {}, but the domain only {}: is its file in another unit? (scale = {:.4g})",
                           si_text(size, "m"), si_text(room, "m"), (size > 30 * room ? 0.01 : 0.1) * w.scale);
    const bool below_a_ball = size < 2 * radius;
    if (!below_a_ball && size >= room / too_small && size < room / alone && only_wall)
        return fmt::format(
            "measures only {}, less than an eighth of the domain ({}), and no other wall would hold the balls: is its "
            "file in another unit? (scale = {:.4g})",
            si_text(size, "m"), si_text(room, "m"), 10 * w.scale);
    if (below_a_ball || size < room / too_small)
        return fmt::format("measures only {}, less than {} ({}): is its file in m? (scale = {:.4g})",
                           si_text(size, "m"), below_a_ball ? "the largest ball" : "a twentieth of the domain",
                           si_text(below_a_ball ? 2 * radius : room, "m"), 1000 * w.scale);
    for (int axis = 0; axis < 3; ++axis)
        if (at(r.lower, axis) > at(d.upper, axis) || at(r.upper, axis) < at(d.lower, axis))
            return fmt::format(
                "is outside the domain: along {} it extends from {:.6g} to {:.6g} m, the domain from {:.6g} to "
                "{:.6g} m",
                "xyz"[axis], at(r.lower, axis), at(r.upper, axis), at(d.lower, axis), at(d.upper, axis));
    return {};
}

// Is there no other wall of some size, gates apart?
bool is_only_wall(const Case& c, const Setup& setup, std::size_t number) {
    for (std::size_t k = 0; k < c.walls.size(); ++k) {
        if (k == number || c.walls[k].opens_sometime() || c.walls[k].type == WallType::plane) continue;
        for (const Wall& made : setup.walls) {
            const BoundingBox box = bounding_box(made.shape);
            if (made.name == c.walls[k].name &&
                longest(box.upper - box.lower) > longest(c.domain.upper - c.domain.lower) / alone)
                return false;
        }
    }
    return true;
}

}  // namespace

std::vector<Mesh> load_meshes(const boost::mpi::communicator& comm, const Case& c, const CasePlaces& places) {
    std::vector<Mesh> meshes(c.walls.size());
    for (std::size_t k = 0; k < c.walls.size(); ++k) {
        const WallSpec& w = c.walls[k];
        if (w.type != WallType::mesh) continue;
        try {
            std::string content;
            together(comm, [&] {
                if (comm.rank() == 0) content = read_text_file(w.file);
            });
            boost::mpi::broadcast(comm, content, 0);
            std::vector<Corners> triangles = parse_stl(content, w.file);
            const std::uint64_t sum = sum_of(triangles);
            const Placing place(w, Axes(c.run.slab_axis));
            for (Corners& t : triangles)
                for (Vec3d& p : t) p = place(p);
            try {
                meshes[k].surface = std::make_shared<const TriangleMesh>(triangles, sum);
            } catch (const InputError& e) {
                throw InputError(fmt::format("{}: {}", w.file, e.what()));
            }
        } catch (const InputError& e) {  // the same on all ranks
            const std::string key = fmt::format("walls[{}].file", k);
            throw InputError(places.at(key, fmt::format("{}: {}", key, e.what())));
        }
    }
    return meshes;
}

void look_at_meshes(const Case& c, const Setup& setup, std::span<const Mesh> meshes, std::vector<std::string>& remarks,
                    CheckReport& report) {
    for (std::size_t k = 0; k < meshes.size(); ++k) {
        const WallSpec& w = c.walls[k];
        if (w.type != WallType::mesh) continue;
        const MeshReport r = turned_out(meshes[k].surface->report(), setup.axes);
        report.meshes.push_back({w.name, r.triangles, r.corners, r.edges, r.open_edges, r.parts, r.lower, r.upper});
        const auto say = [&](const std::string& what) {
            remarks.push_back(fmt::format("the mesh \"{}\" {}", w.name, what));
        };
        for (const std::string& remark : remarks_on(r))
            remarks.push_back(fmt::format("the mesh \"{}\": {}", w.name, remark));
        if (const std::string what = suspicion(r, w, c.domain, setup.largest_radius, is_only_wall(c, setup, k));
            !what.empty())
            say(what);
        for (int axis = 0; axis < 3; ++axis) {
            const double room = setup.largest_radius;
            const bool meets = at(r.lower, axis) < at(c.domain.lower, axis) + room ||
                               at(r.upper, axis) > at(c.domain.upper, axis) - room;
            const double slack = 1e-9 * (at(c.domain.upper, axis) - at(c.domain.lower, axis));
            const bool over_all = at(r.lower, axis) <= at(c.domain.lower, axis) + slack &&
                                  at(r.upper, axis) >= at(c.domain.upper, axis) - slack;
            if (c.domain.periodic[static_cast<std::size_t>(axis)] && meets && !over_all)
                say(fmt::format(
                    "meets a periodic face along {}, but walls do not repeat with the period: balls beyond the "
                    "face do not touch it",
                    "xyz"[axis]));
        }
    }
}

}  // namespace granary
