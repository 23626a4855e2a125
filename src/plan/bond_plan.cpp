#include "plan/bond_plan.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <functional>
#include <limits>
#include <numbers>
#include "contact/bond_time_scales.hpp"
#include "core/errors.hpp"
#include "decomposition/together.hpp"
#include "io/formats/amounts.hpp"
#include "plan/case_setup.hpp"

namespace granary {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The smallest copies of a cluster that sources make, by material of the elements: over its own size.
struct SmallestCopy {
    double scale = infinite, density = 0;  // kg/m^3, of the lightest material
};

SmallestCopy smallest_copy(const Case& c, const ClusterSpec& s) {
    SmallestCopy copy;
    const auto see = [&](const auto& sources) {
        for (const auto& source : sources) {
            if (source.grains.cluster != s.name) continue;
            const double given = source.grains.all() ? source.radii.smallest() : 0;
            copy.scale = std::min(copy.scale, given > 0 ? given / s.outer_radius : 1.0);
            const double density = material_of(c, s.material.empty() ? source.material : s.material).density;
            copy.density = copy.density > 0 ? std::min(copy.density, density) : density;
        }
    };
    see(c.bodies), see(c.insert), see(c.stages);
    return copy;
}

double volume_of(double r) { return 4.0 / 3.0 * std::numbers::pi * r * r * r; }

const char* quickest_of(const BondScale& s) {
    const double least = s.stable_step();
    return least == s.stretch ? "stretch" : least == s.shear ? "shear" : least == s.twist ? "twist" : "bending";
}

}  // namespace

BondsAtStart bonds_at_start(const boost::mpi::communicator& comm, const Setup& setup, bool of_state) {
    BondsAtStart n;
    std::string trouble;
    setup.start.for_bodies(comm, [&](std::span<const NewBody> slice) {
        for (const NewBody& b : slice) n.clusters += !of_state && b.cluster == b.id ? 1 : 0;
    });
    setup.start.for_contacts(comm, [&](std::span<const ContactRecord> slice) {
        for (const ContactRecord& r : slice) {
            if (r.partner.kind() == HistoryKind::bond)
                n.longest = std::max(n.longest, norm(Vec3d{r.xi[0], r.xi[1], r.xi[2]}));
            if (r.partner.kind() != HistoryKind::bond_nature) continue;
            n.bonds += 1;
            if (trouble.empty() && !(r.xi[0] >= 0 && r.xi[0] < static_cast<double>(setup.bonds.size())))
                trouble = fmt::format(
                    "balls {} and {} are bonded by bonds of number {:.0f}, and this case has {} [[bonds]]; add those "
                    "of "
                    "the earlier run, and its [[clusters]], in the same order",
                    r.body, r.partner.number(), r.xi[0] + 1, setup.bonds.size());
        }
    });
    throw_first(comm, ErrorKind::input, trouble);
    n.clusters = boost::mpi::all_reduce(comm, n.clusters, std::plus<double>());  // whole numbers
    n.bonds = boost::mpi::all_reduce(comm, n.bonds, std::plus<double>());
    n.longest = boost::mpi::all_reduce(comm, n.longest, boost::mpi::maximum<double>());
    return n;
}

BondsAtStart bonds_of(const Setup& setup, const BallKind& kind, double grains) {
    if (kind.grains.shape == 0) return {};
    const double clusters = kind.grains.radius > 0 ? kind.grains.share * grains : grains;
    return {clusters, clusters * static_cast<double>(setup.clusters[kind.grains.shape - 1u].bonds.size())};
}

std::vector<CheckReport::BondKind> bond_scales(const Case& c, const Setup& setup) {
    std::vector<CheckReport::BondKind> rows;
    for (std::size_t k = 0; k < setup.clusters.size() && k < c.clusters.size(); ++k) {
        const ClusterTemplate& t = setup.clusters[k];
        SmallestCopy copy = smallest_copy(c, c.clusters[k]);
        if (!(copy.scale < infinite)) {
            if (!c.start) continue;  // nobody makes it
            copy.scale = 1;          // of the state, as far as is known
            if (t.material != ClusterTemplate::no_material) copy.density = setup.materials[t.material].density;
            else
                for (const Material& m : setup.materials)
                    if (!m.wall_only && (copy.density == 0 || m.density < copy.density)) copy.density = m.density;
        }
        const BondType& type = setup.bonds[t.bond_type];
        const double per_volume = t.mass > 0 ? t.mass / t.solid_volume : copy.density;
        CheckReport::BondKind row;
        row.bond = type.name, row.cluster = t.name, row.stable_step = infinite;
        for (const ClusterTemplate::Bond& b : t.bonds) {
            const ClusterTemplate::Element &p = t.elements[b.a], &q = t.elements[b.b];
            const double r = copy.scale * std::min(p.radius, q.radius), length = copy.scale * norm(p.centre - q.centre);
            const double mass = per_volume * volume_of(r);
            const auto n = static_cast<double>(std::max(t.partners_of(b.a).size(), t.partners_of(b.b).size()));
            const BondScale scale = bond_scale(type, {r, mass, 0.4 * mass * r * r}, length, n);
            if (scale.stable_step() < row.stable_step)
                row.stable_step = scale.stable_step(), row.swing = quickest_of(scale), row.length = length,
                row.radius = r, row.partners = n;
        }
        if (row.stable_step < infinite) rows.push_back(row);
    }
    return rows;
}

double stable_step_of_bonds(const std::vector<CheckReport::BondKind>& bonds) {
    double least = infinite;
    for (const CheckReport::BondKind& b : bonds) least = std::min(least, b.stable_step);
    return least;
}

double reach_of(const BondsAtStart& bonds, const Setup& setup, double smallest_radius) {
    double stretch = 0;
    for (const BondType& t : setup.bonds) stretch = std::max(stretch, t.longest_stretch);
    return bonds.bonds > 0 ? std::max(0.0, bonds.longest * (1 + stretch) - 2 * smallest_radius) : 0;
}

std::string reach_text(const Setup& setup) {
    if (!(setup.bond_reach > longest_reach_of(setup))) return "";
    return fmt::format(
        " (search cells must also cover stretched bonds, which span gaps up to {}: a smaller "
        "longest_stretch or gap needs smaller cells)",
        si_text(setup.bond_reach, "m"));
}

}  // namespace granary
