#include "plan/shape_plan.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/string.hpp>
#include "core/errors.hpp"
#include "decomposition/together.hpp"
#include "io/case/case_clusters.hpp"
#include "io/case/case_shapes.hpp"
#include "io/formats/amounts.hpp"
#include "io/formats/text_file.hpp"
#include "io/frames/grain_surfaces.hpp"
#include "plan/case_setup.hpp"
#include "shapes/contact_scale.hpp"
#include "shapes/convex_polygon.hpp"
#include "shapes/convex_polyhedron.hpp"
#include "shapes/saved_templates.hpp"

namespace granary {
namespace {

// On one rank, for all.
std::string read_by_one(const boost::mpi::communicator& comm, const std::string& file) {
    std::string content;
    together(comm, [&] {
        if (comm.rank() == 0) content = read_text_file(file);
    });
    boost::mpi::broadcast(comm, content, 0);
    return content;
}

// Of a checkpoint, which has all of them; where it is older than that, none.
std::vector<ShapeTemplate> kept_templates(const Case& c, const SavedState* resumed) {
    std::vector<ShapeTemplate> kept;
    if (resumed == nullptr || !has_templates(*resumed)) return kept;
    kept = templates_in(*resumed);
    bool same = kept.size() == c.shapes.size();
    for (std::size_t k = 0; k < kept.size() && same; ++k) same = kept[k].name == c.shapes[k].name;
    if (!same) throw InputError("the checkpoint does not match its case: it has other shapes");
    return kept;
}

// Work of a step of a grain in a dense bed, over that of a ball. CPU time of settled beds of some 400 grains with three
// contacts each, 800 steps on one core: balls 0.058 us, ellipsoids (10 x 6 x 5 mm) 1.09 us, dodecahedra (20 corners, 12
// faces) 4.71 us, kernels of maize (6 balls) 2.02 us. Other polyhedra in proportion to corners and faces.
double cost_of(const ShapeTemplate& t) {
    switch (t.kind) {
        case ShapeKind::ellipsoid: return 19;
        case ShapeKind::polyhedron:
            return 2.5 * static_cast<double>(t.polyhedron->corners().size() + t.polyhedron->faces().size());
        case ShapeKind::clump: return 2 + 5.5 * static_cast<double>(t.balls.size());
        case ShapeKind::ball: break;
    }
    return 1;
}

}  // namespace

std::vector<ShapeTemplate> load_shapes(const boost::mpi::communicator& comm, Case& c, const CasePlaces& places,
                                       const SavedState* resumed) {
    const std::vector<ShapeTemplate> kept = kept_templates(c, resumed);
    std::vector<ShapeTemplate> made;
    for (std::size_t k = 0; k < c.shapes.size(); ++k) {
        ShapeSpec& s = c.shapes[k];
        try {
            ShapeTemplate t;
            if (!kept.empty()) {
                t = kept[k];
                t.turned_at_random = s.orientation == ClusterTurn::random;
            } else {
                t = template_of(s, s.has_file() ? read_by_one(comm, s.file) : "", c.domain.normal);
                if (t.polygon) set_thickness(t, c.domain.thickness.value_or(1));
            }
            take_sizes(t, s);
            if (!s.material.empty()) t.material = material_of(c, s.material).number;
            made.push_back(std::move(t));
        } catch (const InputError& e) {  // the same on all ranks
            const std::string key = fmt::format("shapes[{}].{}", k, s.has_file() ? "file" : "type");
            throw InputError(places.at(key, fmt::format("{}: {}", key, e.what())));
        }
    }
    complete_grain_radii(c);
    return made;
}

void add_shape_needs(const Setup& setup, const std::vector<double>& grains, CheckReport& to) {
    double all = 0, cost = std::max(0.0, static_cast<double>(to.balls.count));
    for (std::size_t k = 0; k < grains.size(); ++k)
        all += grains[k], cost += grains[k] * (cost_of(setup.shapes[k]) - 1);
    to.n_shapes = grains, to.all_shapes = all;
    if (to.balls.count > 0 && all > 0) to.cost = std::max(1.0, cost / static_cast<double>(to.balls.count));
}

double bytes_of_surfaces(const Setup& setup, const std::vector<double>& grains, const OutputSpec& output) {
    double bytes = 0;
    for (std::size_t k = 0; k < grains.size(); ++k)
        bytes += surface_bytes(setup.shapes[k],
                               grains[k] / static_cast<double>(std::max<std::int64_t>(1, output.every_nth)));
    return bytes;
}

std::vector<std::string> tell_large_shapes(const Case& c, const Setup& setup) {
    std::vector<std::string> warnings;
    const Vec3d room = setup.domain.upper - setup.domain.lower;
    const double longest = std::max({room.x, room.y, room.z});
    if (!(2 * setup.largest_radius > longest)) return warnings;
    for (std::size_t k = 0; k < c.shapes.size() && k < setup.shapes.size(); ++k) {
        const ShapeSpec& s = c.shapes[k];
        const double size = 2 * setup.shapes[k].outer_radius;
        if (!s.has_file() || !(size > longest)) continue;  // others are refused by the rules of a case
        const bool mm = size > 30 * longest;
        warnings.push_back(fmt::format(
            "the shape \"{}\" measures {}, but the domain only {}: is its file in {}? (scale = {:.4g})", s.name,
            si_text(size, "m"), si_text(longest, "m"), mm ? "mm" : "another unit", (mm ? 0.001 : 0.1) * s.scale));
    }
    return warnings;
}

std::vector<std::string> tell_thin_lifters(const Case& c, const Setup& setup) {
    std::vector<std::string> warnings;
    const bool polyhedra = std::any_of(setup.shapes.begin(), setup.shapes.end(),
                                       [](const ShapeTemplate& t) { return t.kind == ShapeKind::polyhedron; });
    for (const WallSpec& w : c.walls)
        if (polyhedra && w.type == WallType::rectangle && w.copies > 1)
            warnings.push_back(fmt::format(
                "the wall \"{}\" has no thickness: polyhedra that its free edges hit may gain energy; a closed mesh as "
                "thick as a lifter is does not do that (jobs/guide/shapes.md)",
                w.name));
    return warnings;
}

std::string form_of(const ShapeTemplate& t) {
    switch (t.kind) {
        case ShapeKind::ellipsoid:
            return fmt::format("ellipsoid of semi-axes {}, {}, {}", si_text(t.semi_axes.x, "m"),
                               si_text(t.semi_axes.y, "m"), si_text(t.semi_axes.z, "m"));
        case ShapeKind::polyhedron:
            if (t.polygon) return fmt::format("polygon of {} corners", t.polygon->corners().size());
            return fmt::format("polyhedron of {} corners and {} faces", t.polyhedron->corners().size(),
                               t.polyhedron->faces().size());
        case ShapeKind::clump: return fmt::format("clump of {} balls", t.balls.size());
        case ShapeKind::ball: break;
    }
    return "ball";
}

std::vector<std::string> shape_texts(const std::vector<ShapeTemplate>& shapes) {
    std::vector<std::string> texts;
    for (const ShapeTemplate& t : shapes) {
        texts.push_back(
            fmt::format("\"{}\": {}, {} of diameter {}, in a {} of radius {}; contact time of "
                        "a ball of radius {}; a step costs as much as that of {:.2g} balls",
                        t.name, form_of(t), t.polygon ? "area of a disc" : "volume of a ball",
                        si_text(2 * equivalent_radius(t), "m"), t.polygon ? "circle" : "ball",
                        si_text(t.outer_radius, "m"), si_text(stand_in_radius(t), "m"), cost_of(t)));
    }
    return texts;
}

}  // namespace granary
