#include "plan/cluster_plan.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/vector.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include "core/errors.hpp"
#include "decomposition/together.hpp"
#include "filling/bodies_file.hpp"
#include "filling/cluster_shapes.hpp"
#include "io/case/case_clusters.hpp"
#include "io/formats/amounts.hpp"
#include "io/formats/stl_file.hpp"
#include "io/formats/text_file.hpp"
#include "plan/case_setup.hpp"
#include "walls/mesh_inside.hpp"
#include "walls/wall_shapes.hpp"

namespace granary {

namespace {

double ball_volume(double r) { return 4.0 / 3.0 * std::numbers::pi * r * r * r; }

ClusterElements from_file(const ClusterSpec& s) {
    FileBodies what;
    what.path = s.file, what.scale = s.scale, what.density = 1;
    const BodiesFile file(what);
    const BodiesPart part = file.read(0, 1);
    if (part.problem)
        throw InputError(
            fmt::format("{}:{}: {}", s.file, file.first_line() + part.problem->line - 1, part.problem->text));
    if (part.balls == 0) throw InputError(s.file + ": contains no element; expected lines `x y z r` in m");
    ClusterElements made;
    std::vector<NewBody> slice;
    for (std::size_t k = 0; k < part.slices(); ++k) {
        part.slice(k, 0, slice);
        for (const NewBody& b : slice) made.elements.push_back({b.position, b.radius});
    }
    return made;
}

// Sum of the tetrahedra between the triangles and the origin: that of a closed surface whose triangles go round alike.
double volume_of(const std::vector<Corners>& triangles) {
    double six = 0;
    for (const Corners& t : triangles) six += dot(t[0], cross(t[1], t[2]));
    return std::abs(six) / 6;
}

ClusterElements from_drawing(const ClusterSpec& s) {
    std::vector<Corners> triangles = parse_stl(read_text_file(s.file), s.file);
    for (Corners& t : triangles)
        for (Vec3d& p : t) p = s.scale * p;
    const auto surface = std::make_shared<const TriangleMesh>(triangles);
    const MeshReport report = surface->report();
    if (report.open_edges > 0)
        throw InputError(
            fmt::format("{}: is not a closed surface: {} of its {} edges belong to one triangle only, one of them at "
                        "({:.6g}, {:.6g}, "
                        "{:.6g}) m (expected a drawing of a solid)",
                        s.file, report.open_edges, report.edges, report.open_example.x, report.open_example.y,
                        report.open_example.z));
    Mesh mesh;
    mesh.surface = surface;
    const auto inside = std::make_shared<const MeshInside>(surface, Vec3d{});
    SolidShape shape{[mesh, inside](const Vec3d& x) {
                         const MeshInside::Seen seen = inside->look(x);
                         const double distance = std::abs(closest(mesh, x).distance);
                         return seen.inside && seen.odd ? distance : -distance;
                     },
                     report.lower, report.upper, volume_of(triangles)};
    const FillRules rules = fill_rules(s);
    for (int axis = 0; axis < 3; ++axis)
        if (at(shape.upper, axis) - at(shape.lower, axis) < 2 * rules.element_radius)
            throw InputError(
                fmt::format("{}: measures {} along {}, less than an element (is its file in m? scale = {:.4g})", s.file,
                            si_text(at(shape.upper, axis) - at(shape.lower, axis), "m"), "xyz"[axis], 1000 * s.scale));
    return {filled(shape, rules), shape.volume};
}

// On one rank, for all.
ClusterElements read_elements(const boost::mpi::communicator& comm, const ClusterSpec& s) {
    std::vector<double> numbers;
    together(comm, [&] {
        if (comm.rank() != 0) return;
        const ClusterElements made = s.shape == ClusterShape::stl ? from_drawing(s) : from_file(s);
        numbers.push_back(made.volume);
        for (const ClusterTemplate::Element& e : made.elements)
            numbers.insert(numbers.end(), {e.centre.x, e.centre.y, e.centre.z, e.radius});
    });
    boost::mpi::broadcast(comm, numbers, 0);
    ClusterElements made;
    made.volume = numbers[0];
    for (std::size_t k = 1; k + 3 < numbers.size(); k += 4)
        made.elements.push_back({{numbers[k], numbers[k + 1], numbers[k + 2]}, numbers[k + 3]});
    return made;
}

BondType bond_type(const BondSpec& s) {
    BondType to;
    to.name = s.name, to.form = s.form, to.radius_factor = s.radius_factor;
    to.young_modulus = s.young.value_or(0);
    to.shear_modulus = s.shear_modulus ? *s.shear_modulus : to.young_modulus / (2 * (1 + s.poisson.value_or(0)));
    to.normal_stiffness = s.normal_stiffness.value_or(0), to.shear_stiffness = s.shear_stiffness.value_or(0);
    to.normal_damping = s.normal_damping.value_or(s.damping), to.shear_damping = s.shear_damping.value_or(s.damping);
    to.twist_damping = s.twist_damping.value_or(s.damping), to.bending_damping = s.bending_damping.value_or(s.damping);
    to.tensile_strength = s.tensile_strength.value(), to.shear_strength = s.shear_strength.value();
    to.friction = s.friction, to.moment_share = s.moment_share, to.criterion = s.criterion;
    to.weibull_modulus = s.weibull_modulus, to.longest_stretch = s.longest_stretch, to.touching = s.touching;
    return to;
}

template <class Spec> std::size_t number_of(const std::vector<Spec>& all, const GrainForm& one) {
    return static_cast<std::size_t>(static_cast<const Spec*>(&one) - all.data());
}

// The largest copy of a cluster that any source makes, over its own size; 0: none does.
double largest_scale(const Case& c, const ClusterSpec& s) {
    double scale = 0;
    const auto see = [&](const auto& sources) {
        for (const auto& source : sources) {
            if (source.grains.cluster != s.name) continue;
            const double given = source.grains.all() ? source.radii.largest() : 0;
            scale = std::max(scale, given > 0 ? given / s.outer_radius : 1.0);
        }
    };
    see(c.bodies), see(c.insert), see(c.stages);
    return scale;
}

}  // namespace

std::vector<ClusterTemplate> load_clusters(const boost::mpi::communicator& comm, Case& c, const CasePlaces& places) {
    std::vector<ClusterTemplate> made;
    for (std::size_t k = 0; k < c.clusters.size(); ++k) {
        ClusterSpec& s = c.clusters[k];
        try {
            ClusterTemplate t = template_of(s, s.has_file() ? read_elements(comm, s) : elements_of(s));
            take_sizes(t, s);
            if (!s.material.empty()) t.material = material_of(c, s.material).number;
            const auto bond =
                std::find_if(c.bonds.begin(), c.bonds.end(), [&](const BondSpec& b) { return b.name == s.bond; });
            t.bond_type = static_cast<std::uint16_t>(bond - c.bonds.begin());
            t.weibull_modulus = bond->weibull_modulus;
            made.push_back(std::move(t));
        } catch (const InputError& e) {  // the same on all ranks
            const std::string key = fmt::format("clusters[{}].{}", k, s.has_file() ? "file" : "shape");
            throw InputError(places.at(key, fmt::format("{}: {}", key, e.what())));
        }
    }
    complete_grain_radii(c);
    return made;
}

void add_clusters(const Case& c, std::vector<ClusterTemplate> clusters, Setup& setup) {
    if (!c.clusters.empty())
        for (const BondSpec& b : c.bonds) setup.bonds.push_back(bond_type(b));
    setup.clusters = std::move(clusters);
    for (std::size_t k = 0; k < setup.clusters.size(); ++k) {
        const ClusterTemplate& t = setup.clusters[k];
        setup.bond_reach = std::max(setup.bond_reach, largest_scale(c, c.clusters[k]) *
                                                          widest_gap(t, setup.bonds[t.bond_type].longest_stretch));
    }
    for (const HoldSpec& h : c.hold) {
        Setup::Hold hold;
        for (std::size_t k = 0; k < c.motions.size(); ++k)
            if (c.motions[k].name == h.motion) hold.motion = static_cast<std::uint32_t>(k);
        setup.holds.push_back(hold);
    }
}

GrainKind grain_kind(const Case& c, const GrainUse& use, const std::string& material) {
    GrainKind kind;
    const GrainForm* s = c.find_grain(use);
    if (use.none() || s == nullptr) return kind;
    const MaterialOfCase of = material_of(c, s->material.empty() ? material : s->material);
    const double around = c.domain.is_plane()
                              ? std::numbers::pi * s->outer_radius * s->outer_radius * c.domain.thickness.value_or(1)
                              : ball_volume(s->outer_radius);
    if (use.shape.empty()) kind.shape = static_cast<std::uint16_t>(number_of(c.clusters, *s) + 1);
    else kind.rigid_shape = static_cast<std::uint16_t>(number_of(c.shapes, *s) + 1);
    kind.material = of.number, kind.share = use.share();
    kind.radius = use.all() ? 0 : s->outer_radius;
    kind.density = (s->own_mass > 0 ? s->own_mass : s->solid_volume * of.density) / around;
    kind.elements = s->n_elements, kind.solid = s->solid_volume / around;
    kind.smallest = s->smallest / s->outer_radius, kind.largest = s->largest / s->outer_radius;
    return kind;
}

double widest_gap(const ClusterTemplate& t, double stretch) {
    double widest = 0;
    for (const ClusterTemplate::Bond& b : t.bonds) {
        const ClusterTemplate::Element &p = t.elements[b.a], &q = t.elements[b.b];
        widest = std::max(widest, norm(p.centre - q.centre) * (1 + stretch) - p.radius - q.radius);
    }
    return widest;
}

HeldBodies::HeldBodies(const Case& c, const std::vector<std::pair<Id, Id>>& ids) {
    for (const HoldSpec& h : c.hold) {
        Hold hold{h, {0, most_ids}, {}};
        for (std::size_t k = 0; k < c.bodies.size(); ++k)
            if (!h.bodies.empty() && c.bodies[k].name == h.bodies) hold.of = ids[k];
        for (const double id : h.ids) hold.ids.push_back(static_cast<Id>(id));
        std::sort(hold.ids.begin(), hold.ids.end());
        holds_.push_back(std::move(hold));
    }
}

bool HeldBodies::Hold::holds(Id id, const Vec3d& x) const {
    for (int axis = 0; axis < 3 && spec.lower && spec.upper; ++axis)
        if (!(at(x, axis) >= at(*spec.lower, axis) && at(x, axis) <= at(*spec.upper, axis))) return false;
    if (spec.centre && spec.radius && !(norm(x - *spec.centre) <= *spec.radius)) return false;
    if (!(id >= of.first && id < of.second)) return false;
    return ids.empty() || std::binary_search(ids.begin(), ids.end(), id);
}

std::uint16_t HeldBodies::number(Id id, const Vec3d& position) const {
    for (std::size_t k = 0; k < holds_.size(); ++k)
        if (holds_[k].holds(id, position)) return static_cast<std::uint16_t>(k + 1);
    return 0;
}

std::uint16_t HeldBodies::number_in_state(Id id, const Vec3d& position, std::uint16_t was) const {
    if (was > 0 && was <= holds_.size()) {
        const std::vector<Id>& ids = holds_[was - 1u].ids;
        if (ids.empty() || std::binary_search(ids.begin(), ids.end(), id)) return was;
    }
    for (std::size_t k = 0; k < holds_.size(); ++k)
        if (holds_[k].spec.bodies.empty() && holds_[k].holds(id, position)) return static_cast<std::uint16_t>(k + 1);
    return 0;
}

std::vector<std::string> hold_texts(const boost::mpi::communicator& comm, const Case& c, const CasePlaces& places,
                                    const Setup& setup) {
    std::vector<std::string> texts;
    if (c.hold.empty()) return texts;
    std::vector<std::uint64_t> count(c.hold.size(), 0);  // held
    std::vector<std::uint64_t> there;                    // bodies of each id, hold by hold
    std::vector<std::pair<Id, std::size_t>> ids;
    for (const HoldSpec& h : c.hold)
        for (const double id : h.ids) ids.emplace_back(static_cast<Id>(id), ids.size());
    std::sort(ids.begin(), ids.end());
    there.assign(ids.size(), 0);
    std::uint64_t bodies = 0;
    setup.start.for_bodies(comm, [&](std::span<const NewBody> slice) {
        bodies += slice.size();
        for (const NewBody& b : slice) {
            if (b.held != 0) ++count[b.held - 1u];
            for (auto at = std::lower_bound(ids.begin(), ids.end(), std::pair(b.id, std::size_t{0}));
                 at != ids.end() && at->first == b.id; ++at)
                ++there[at->second];
        }
    });
    const auto summed = [&](std::vector<std::uint64_t>& mine) {
        std::vector<std::uint64_t> all(mine.size());
        boost::mpi::all_reduce(comm, mine.data(), static_cast<int>(mine.size()), all.data(),
                               std::plus<std::uint64_t>());
        mine = std::move(all);
    };
    summed(count);
    if (!there.empty()) summed(there);
    bodies = boost::mpi::all_reduce(comm, bodies, std::plus<std::uint64_t>());
    std::size_t number = 0;
    for (std::size_t k = 0; k < c.hold.size(); ++k) {
        const std::string path = fmt::format("hold[{}]", k);
        for (const double id : c.hold[k].ids)
            if (there[number++] == 0)
                throw InputError(
                    places.at(path + ".ids",
                              fmt::format("{}.ids: there is no body of the id {:.0f} at the start, which has {} bodies"
                                          " (the elements of a cluster have successive ids, in its own order)",
                                          path, id, bodies)));
        if (count[k] == 0)
            throw InputError(places.at(
                path, fmt::format("{} holds nothing: no body of the start{} meets all that it gives{}", path,
                                  k > 0 ? ", other than those of an earlier hold," : "",
                                  c.start && !c.hold[k].bodies.empty()
                                      ? "; with [start] the name of [[bodies]] stands for those that it held before"
                                      : "")));
        const HoldSpec& h = c.hold[k];
        texts.push_back(fmt::format("{}: {} {}{}", h.name.empty() ? path : "\"" + h.name + "\"", count[k],
                                    count[k] == 1 ? "body" : "bodies",
                                    h.motion.empty() ? " at rest" : ", moved by \"" + h.motion + "\""));
    }
    return texts;
}

std::vector<std::string> cluster_texts(const Case& c, const std::vector<ClusterTemplate>& clusters) {
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < clusters.size(); ++k) {
        const ClusterTemplate& t = clusters[k];
        const std::string sizes = t.smallest == t.largest
                                      ? si_text(t.smallest, "m")
                                      : fmt::format("{} to {}", si_text(t.smallest, "m"), si_text(t.largest, "m"));
        texts.push_back(
            fmt::format("\"{}\": {} elements of radius {} in a ball of radius {}, {} bonds \"{}\"{}", t.name,
                        t.elements.size(), sizes, si_text(t.outer_radius, "m"), t.bonds.size(), c.clusters[k].bond,
                        t.largest_overlap > 0
                            ? fmt::format(", overlaps up to {:.2g} % of the smaller diameter", 100 * t.largest_overlap)
                            : ""));
    }
    return texts;
}

}  // namespace granary
