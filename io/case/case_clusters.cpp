// Rules about bonds, clusters, sources of clusters and holds; what clusters are made of.
#include "io/case/case_clusters.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <stdexcept>
#include "core/contact_record.hpp"
#include "core/errors.hpp"
#include "contact/laws.hpp"
#include "io/case/case_known.hpp"
#include "io/case/case_rules.hpp"
#include "io/case/case_schema.hpp"
#include "io/formats/words.hpp"

namespace granary {
namespace {

constexpr double most_elements = 1e7;  // of one cluster: all ranks hold its template

void check_bond(const BondSpec& b, const std::string& path, CaseReport& report) {
    const auto missing = [&](const char* key, const char* why, const std::vector<const char*>& others) {
        std::vector<std::string> keys;
        for (const char* other : others) keys.push_back(path + "." + other);
        report.add_at(fmt::format("{}.{}", path, key), fmt::format("{}.{} {}", path, key, why), keys);
    };
    if (!b.tensile_strength)
        missing("tensile_strength",
                "is missing (expected a number in Pa, above 0, or inf for bonds that tension and bending never break)",
                {});
    if (!b.shear_strength)
        missing("shear_strength",
                "is missing (expected a number in Pa, above 0, or inf for bonds that shear and twist never break)", {});
    const std::vector<const char*> all{"young", "poisson", "shear_modulus", "normal_stiffness", "shear_stiffness"};
    if (b.normal_stiffness || b.shear_stiffness) {
        if (!b.normal_stiffness)
            missing("normal_stiffness",
                    "is missing (expected a number in N/m^3, above 0, together with shear_stiffness)", all);
        if (!b.shear_stiffness)
            missing("shear_stiffness",
                    "is missing (expected a number in N/m^3, above 0, together with normal_stiffness)", all);
        return;
    }
    if (!b.young)
        missing("young",
                "is missing (expected a number in Pa, above 0, with poisson or shear_modulus; or normal_stiffness "
                "and shear_stiffness)",
                all);
    else if (!b.poisson && !b.shear_modulus)
        missing("poisson", "or shear_modulus is missing (expected one of them, together with young)", all);
}

void check_shape(const ClusterSpec& s, const std::string& path, CaseReport& report) {
    const auto add = [&](const char* key, const std::string& message, const std::vector<const char*>& others) {
        std::vector<std::string> keys{path + ".shape"};
        for (const char* other : others) keys.push_back(path + "." + other);
        report.add_at(fmt::format("{}.{}", path, key), fmt::format("{}.{} {}", path, key, message), keys);
    };
    const double r = s.element_radius;
    if ((s.shape == ClusterShape::sphere || s.shape == ClusterShape::tablet) && r > 0 && s.radius > 0 && r >= s.radius)
        add("element_radius",
            fmt::format("is not below the radius of the cluster (expected below {}, got {})", s.radius, r), {"radius"});
    if (s.shape == ClusterShape::tablet && s.dome > s.radius && s.radius > 0)
        add("dome", fmt::format("is higher than half a ball (expected at most radius = {}, got {})", s.radius, s.dome),
            {"radius"});
    if (s.shape == ClusterShape::block && s.counts) {
        const double n = static_cast<double>((*s.counts)[0]) * static_cast<double>((*s.counts)[1]) *
                         static_cast<double>((*s.counts)[2]);
        if (n > most_elements)
            add("counts",
                fmt::format("makes too many elements (expected at most {:.0e}, got {:.4g})", most_elements, n), {});
        if (n < 2) add("counts", "makes a single ball (expected at least two elements)", {});
    }
    if (s.shape == ClusterShape::tablet && r > 0 && s.radius > r && s.height > 0) {
        const double n = tablet(s.radius, s.height, s.dome).volume / (4 * r * r * r);
        if (n > most_elements)
            add("element_radius",
                fmt::format("makes too many elements (expected at most {:.0e}, got about {:.4g})", most_elements, n),
                {"radius", "height", "dome"});
    }
}

// One [[insert]], filling stage or [[bodies]].
template <class Source> void check_source(const Source& s, const std::string& path, const Case& c, CaseReport& report,
                                          const char* name = "cluster") {
    const GrainUse& use = s.grains;
    const std::string key = fmt::format("{}.{}", path, name);
    if (use.cluster.empty()) {
        if (use.cluster_share > 0 && use.cluster_share < 1)
            report.add_at(path + ".cluster_share",
                          fmt::format("{0}.cluster_share has no cluster (expected together with {0}.cluster)", path),
                          {key});
        return;
    }
    known(key, use.cluster, c.clusters, "cluster", "clusters", report);
    if (!s.mix.mixed_with.empty())
        report.add_at(
            path + ".mixed_with",
            fmt::format("{0}.mixed_with cannot be used with {0}.cluster (expected one of them; [[clusters]] have "
                        "a material of their own)",
                        path),
            {key});
}

template <class Source> bool cluster_is_in_file(const Source& s, const Case& c) {
    const ClusterSpec* cluster = c.find_cluster(s.grains.cluster);
    return cluster && cluster->has_file() && !(cluster->outer_radius > 0) && !(s.grains.all() && s.radii.largest() > 0);
}

void check_hold(const HoldSpec& h, const std::string& path, const Case& c, CaseReport& report) {
    const auto together = [&](const char* one, bool has_one, const char* other, bool has_other) {
        if (has_one != has_other)
            report.add_at(fmt::format("{}.{}", path, has_one ? other : one),
                          fmt::format("{}.{} is missing (expected together with {})", path, has_one ? other : one,
                                      has_one ? one : other),
                          {fmt::format("{}.{}", path, has_one ? one : other)});
    };
    together("lower", h.lower.has_value(), "upper", h.upper.has_value());
    together("centre", h.centre.has_value(), "radius", h.radius.has_value());
    for (int axis = 0; axis < 3 && h.lower && h.upper; ++axis)
        if (at(*h.lower, axis) > at(*h.upper, axis))
            report.add_at(path + ".upper",
                          fmt::format("{}.upper is below lower along {} (expected at least {}, got {})", path,
                                      axis_names[axis], at(*h.lower, axis), at(*h.upper, axis)),
                          {path + ".lower"});
    if (h.bodies.empty() && !h.lower && !h.upper && !h.centre && !h.radius && h.ids.empty())
        report.add_at(
            path + ".bodies",
            fmt::format("{} does not say what it holds (expected bodies, lower and upper, centre and radius, or "
                        "ids)",
                        path),
            {path + ".lower", path + ".upper", path + ".centre", path + ".radius", path + ".ids"});
    if (!h.bodies.empty()) known(path + ".bodies", h.bodies, c.bodies, "source", "bodies", report);
    for (const double id : h.ids)
        if (id != std::floor(id) || !(id < static_cast<double>(most_ids))) {
            report.add_at(path + ".ids", fmt::format("{}.ids contains {}, which is no id (expected whole numbers below "
                                                     "2^40)",
                                                     path, id));
            break;
        }
    if (h.motion.empty()) return;
    known(path + ".motion", h.motion, c.motions, "motion", "motions", report);
    for (const MotionSpec& m : c.motions)
        if (m.name == h.motion && m.type == MotionType::servo)
            report.add_at(path + ".motion",
                          fmt::format("{}.motion names \"{}\", a servo, which measures the force on walls (expected a "
                                      "motion of another type)",
                                      path, m.name),
                          {"motions[].type"});
}

template <class Source> void complete_radius(Source& s, const Case& c) {
    if (!s.grains.all() || s.radii.sizes != SizeType::uniform) return;
    const GrainForm* form = c.find_grain(s.grains);
    if (!form || s.radii.radius || s.radii.radius_min || s.radii.radius_max) return;
    if (form->outer_radius > 0) s.radii.radius = form->outer_radius / form->radius_factor;
}

std::string numbered(const char* section, std::size_t i) { return fmt::format("{}[{}]", section, i); }

}  // namespace

FillRules fill_rules(const ClusterSpec& s) {
    return {s.filling, s.element_radius, s.spacing.value_or(2 * s.element_radius), s.solid_fraction, 1};
}

ClusterElements elements_of(const ClusterSpec& s) {
    const auto ball = [](double r) { return 4.0 / 3.0 * std::numbers::pi * r * r * r; };
    switch (s.shape) {
        case ClusterShape::huang: {
            SphereFit fit = huang_fits[static_cast<std::size_t>(s.fit)];
            const double scale = s.radius / fit.radius;
            ClusterElements made{sphere_elements(fit), ball(s.radius)};
            for (ClusterTemplate::Element& e : made.elements) e.centre = scale * e.centre, e.radius *= scale;
            return made;
        }
        case ClusterShape::sphere:
            return {sphere_elements({static_cast<std::uint32_t>(s.elements), s.element_radius, s.radius}),
                    ball(s.radius)};
        case ClusterShape::block: {
            const FillRules rules = fill_rules(s);
            std::array<std::uint64_t, 3> n{1, 1, 1};
            double volume = 1;
            for (std::size_t k = 0; k < 3 && s.counts; ++k) {
                n[k] = static_cast<std::uint64_t>((*s.counts)[k]);
                volume *= static_cast<double>(n[k] - 1) * rules.spacing + 2 * rules.element_radius;
            }
            return {block_elements(n, rules.element_radius, rules.spacing), volume};
        }
        case ClusterShape::tablet: {
            const SolidShape shape = tablet(s.radius, s.height, s.dome);
            return {filled(shape, fill_rules(s)), shape.volume};
        }
        case ClusterShape::file:
        case ClusterShape::stl: break;
    }
    throw std::logic_error("the elements of the cluster " + s.name + " are in a file");
}

ClusterTemplate template_of(const ClusterSpec& s, ClusterElements elements) {
    ClusterTemplate t = make_template(std::move(elements.elements), {s.name, s.gap, s.max_overlap});
    t.mass = s.mass ? *s.mass : s.density ? *s.density * elements.volume : 0;
    t.turned_at_random = s.orientation == ClusterTurn::random;
    return t;
}

void complete_clusters(Case& c, CaseReport& report) {
    for (std::size_t i = 0; i < c.clusters.size(); ++i) {
        ClusterSpec& s = c.clusters[i];
        const std::string path = numbered("clusters", i);
        check_shape(s, path, report);
        if (s.has_file() || !report.is_sound_within(path) || !report.is_sound(path)) continue;
        try {
            take_sizes(template_of(s, elements_of(s)), s);
        } catch (const InputError& e) {
            report.add_at(path + ".shape", fmt::format("{}: {}", path, e.what()));
        }
    }
    for (BodiesSpec& b : c.bodies)
        if (b.source == BodySource::cluster) b.grains.cluster = b.copy_of;
    complete_grain_radii(c);
}

void complete_grain_radii(Case& c) {
    for (BodiesSpec& b : c.bodies)
        if (b.source != BodySource::cluster) complete_radius(b, c);
    for (InsertSpec& i : c.insert) complete_radius(i, c);
    for (StageSpec& s : c.stages)
        if (s.type == StageType::fill) complete_radius(s, c);
}

void take_sizes(const ClusterTemplate& t, ClusterSpec& s) {
    s.outer_radius = t.outer_radius, s.smallest = t.smallest, s.largest = t.largest;
    s.n_elements = static_cast<double>(t.elements.size()), s.solid_volume = t.solid_volume, s.own_mass = t.mass;
}

void check_clusters(const Case& c, CaseReport& report) {
    for (std::size_t i = 0; i < c.bonds.size(); ++i) check_bond(c.bonds[i], numbered("bonds", i), report);
    for (std::size_t i = 0; i < c.clusters.size(); ++i) {
        const std::string path = numbered("clusters", i);
        known(path + ".bond", c.clusters[i].bond, c.bonds, "bond", "bonds", report);
        if (!c.clusters[i].material.empty())
            known(path + ".material", c.clusters[i].material, c.materials, "material", "materials", report);
    }
    if (c.bonds.size() > 60000) report.add_at("bonds", "there are too many [[bonds]] (expected at most 60000)");
    for (std::size_t i = 0; i < c.bodies.size(); ++i)
        check_source(c.bodies[i], numbered("bodies", i), c, report,
                     c.bodies[i].source == BodySource::cluster ? "copy_of" : "cluster");
    for (std::size_t i = 0; i < c.insert.size(); ++i) {
        const InsertSpec& s = c.insert[i];
        const std::string path = numbered("insert", i);
        check_source(s, path, c, report);
        if (s.inlet == InletType::disc && cluster_is_in_file(s, c))
            report.add_at(path + ".inlet",
                          fmt::format("{}.inlet = \"disc\" needs the size of the cluster, which is in a file (expected "
                                      "radius, or inlet = \"box\")",
                                      path),
                          {path + ".cluster", path + ".radius"});
    }
    for (std::size_t i = 0; i < c.stages.size(); ++i) {
        const StageSpec& s = c.stages[i];
        if (s.type != StageType::fill) continue;
        const std::string path = numbered("stages", i);
        check_source(s, path, c, report);
        if (s.method == InsertionMethod::rain && !s.rate && !s.mass_rate && cluster_is_in_file(s, c) &&
            norm(c.gravity) > 0)
            report.add_at(
                path + ".rate",
                fmt::format("{}.rate or mass_rate is missing (expected one of them: the size of the cluster is in "
                            "a file)",
                            path),
                {path + ".mass_rate", path + ".cluster", path + ".method"});
        if (s.method == InsertionMethod::dense && !s.grains.cluster.empty() && s.grains.cluster_share < 1)
            report.add_at(
                path + ".cluster_share",
                fmt::format("{}.cluster_share cannot be used with method = \"dense\" (expected 1.0: its balls are "
                            "all of one kind)",
                            path),
                {path + ".cluster", path + ".method"});
    }
    for (std::size_t i = 0; i < c.hold.size(); ++i) check_hold(c.hold[i], numbered("hold", i), c, report);
    if (!facts_of(c.law.type).rotates && !c.clusters.empty())
        report.add_at("law.type",
                      fmt::format("law.type = \"{}\" has no rotation, which bonds need (expected another law in a case "
                                  "with [[clusters]])",
                                  choice_word("law", "type", static_cast<std::size_t>(c.law.type))));
    if (c.run.integrator != Integrator::verlet && !c.clusters.empty())
        report.add_at("run.integrator",
                      "run.integrator = \"gear\" cannot be used with [[clusters]] (expected \"verlet\": bonds follow "
                      "orientations that it moves)");
}

std::vector<std::string> remarks_on_clusters(const Case& c) {
    std::vector<std::string> remarks;
    std::set<std::string> used;
    const auto see = [&](const auto& sources) {
        for (const auto& s : sources)
            if (!s.grains.cluster.empty()) used.insert(s.grains.cluster);
    };
    see(c.bodies), see(c.insert), see(c.stages);
    for (const BondSpec& b : c.bonds)
        if (std::none_of(c.clusters.begin(), c.clusters.end(), [&](const ClusterSpec& s) { return s.bond == b.name; }))
            remarks.push_back(fmt::format(
                "the bond \"{}\" joins nothing: bonds are between the elements of [[clusters]] that name it", b.name));
    if (c.start) return remarks;  // they may be in its state
    for (const ClusterSpec& s : c.clusters)
        if (!used.contains(s.name)) remarks.push_back(fmt::format("the cluster \"{}\" is made by no source", s.name));
    return remarks;
}

}  // namespace granary
