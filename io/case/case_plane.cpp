// Rules about runs in a plane.
#include "io/case/case_plane.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include "io/case/case_rules.hpp"

namespace granary {
namespace {

constexpr double layer_room = 1e-6;  // of a layer beside its largest grain, as a share
constexpr double domain_room = 2;    // largest radii beside the plane

template <class F> void for_sources(Case& c, F&& f) {
    for (BodiesSpec& b : c.bodies) f(b);
    for (InsertSpec& i : c.insert) f(i);
    for (StageSpec& s : c.stages)
        if (s.type == StageType::fill) f(s);
}

void choose_thickness(Case& c, CaseReport& report) {
    double smallest = std::numeric_limits<double>::infinity();
    bool known = !c.start;
    for (std::size_t k = 0; k < c.shapes.size(); ++k)
        if (!report.is_sound_within(fmt::format("shapes[{}]", k)) || !report.is_sound(fmt::format("shapes[{}]", k)))
            return report.mark_unsound("domain.thickness");
    for_sources(c, [&](const auto& s) {
        // Of shapes, radii are those of the discs of equal area.
        const GrainForm* form = c.find_grain(s.grains);
        const auto see = [&](double radius) {
            if (radius > 0) smallest = std::min(smallest, radius);
            else known = false;
        };
        if (!s.grains.all() || s.radii.smallest() > 0) see(s.radii.smallest());
        if (form && !(s.grains.all() && s.radii.smallest() > 0))
            see(form->outer_radius > 0 ? form->outer_radius / form->radius_factor : 0);
    });
    if (known && std::isfinite(smallest)) c.domain.thickness = 2 * smallest;
    else
        report.add_at(
            "domain.thickness",
            "domain.thickness is missing (expected a number in m, above 0: not all sizes of grains are in this "
            "file, so the smallest is not known)");
}

// Half the thickness of the layer of one source: its largest grain, or half a spacing.
double half_layer(const Case& c, const RadiusSpec& radii, const GrainUse& grains) {
    return c.grain_sizes(radii, grains).largest * (1 + layer_room);
}

class PlaneCheck {
  public:
    PlaneCheck(const Case& c, CaseReport& report)
        : c_(c),
          report_(report),
          n_(c.domain.normal),
          name_(axis_names[static_cast<std::size_t>(n_)]) {}

    void in_plane(const std::string& key, const Vec3d& v) const {
        if (at(v, n_) == 0) return;
        say(key, fmt::format("{} leaves the plane of the run (expected 0 along {}, the normal of the plane, got {})",
                             key, name_, at(v, n_)));
    }
    void along_normal(const std::string& key, const Vec3d& v) const {
        if (is_along_normal(v)) return;
        say(key, fmt::format("{} is not normal to the plane of the run (expected 0 except along {})", key, name_));
    }
    bool is_along_normal(const Vec3d& v) const { return at(v, (n_ + 1) % 3) == 0 && at(v, (n_ + 2) % 3) == 0; }
    void refuse(const std::string& key, const std::string& what, const std::string& instead) const {
        say(key, fmt::format("{} is not defined with domain.dimension = 2 (expected {})", what, instead));
    }

    void wall(const WallSpec& w, const std::string& path) const {
        const auto key = [&](const char* of) { return path + "." + of; };
        switch (w.type) {
            case WallType::plane: in_plane(key("normal"), w.normal); break;
            case WallType::rectangle:
                if (!is_along_normal(w.edge_a) && !is_along_normal(w.edge_b))
                    say(key("edge_a"),
                        fmt::format("{} and edge_b both leave the normal of the plane of the run (expected one of them "
                                    "along {}: a rectangle is a line seen from its edge)",
                                    key("edge_a"), name_));
                break;
            case WallType::cylinder: along_normal(key("top"), w.top - w.bottom); break;
            case WallType::mesh: break;  // looked at when its file is read
            case WallType::disc:
            case WallType::annulus:
            case WallType::cone:
                refuse(key("type"), key("type"),
                       "\"plane\", \"rectangle\", a \"cylinder\" along the normal, or an extruded \"mesh\"");
                break;
        }
        in_plane(key("slides"), w.slides);
    }

    void motion(const MotionSpec& m, const std::string& path) const {
        if (m.turns()) along_normal(path + ".axis", m.axis);
        in_plane(path + ".velocity", m.velocity), in_plane(path + ".amplitude", m.amplitude);
        in_plane(path + ".direction", m.direction);
        for (const Vec3d& v : m.displacements) in_plane(path + ".displacements", v);
    }

    void run() const {
        in_plane("gravity", c_.gravity);
        if (c_.run.slab_axis == n_)
            say("run.slab_axis", fmt::format("run.slab_axis is the normal of the plane (expected another axis than {}: "
                                             "all bodies would be on one rank)",
                                             name_));
        if (c_.domain.periodic[static_cast<std::size_t>(n_)])
            say("domain.periodic", fmt::format("domain.periodic contains {}, the normal of the plane (expected an axis "
                                               "in the plane)",
                                               name_));
        if (c_.silo) refuse("silo", "[silo]", "[[walls]]: planes and rectangles");
        for (std::size_t k = 0; k < c_.clusters.size(); ++k)
            refuse(fmt::format("clusters[{}]", k), "[[clusters]]", "discs and polygons");
        for (std::size_t k = 0; k < c_.shapes.size(); ++k)
            if (c_.shapes[k].type != ShapeType::polygon) {
                const std::string key = fmt::format("shapes[{}].type", k);
                refuse(key, key, "\"polygon\"; discs need no shape");
            }
        for (std::size_t k = 0; k < c_.outlets.size(); ++k)
            in_plane(fmt::format("outlets[{}].normal", k), c_.outlets[k].normal);
        for (std::size_t k = 0; k < c_.walls.size(); ++k)
            if (!c_.walls[k].of_silo) wall(c_.walls[k], fmt::format("walls[{}]", k));
        for (std::size_t k = 0; k < c_.motions.size(); ++k) motion(c_.motions[k], fmt::format("motions[{}]", k));
        for (std::size_t k = 0; k < c_.bodies.size(); ++k) {
            const BodiesSpec& b = c_.bodies[k];
            const std::string path = fmt::format("bodies[{}]", k);
            in_plane(path + ".velocity", b.velocity), along_normal(path + ".spin", b.spin);
            along_normal(path + ".rotation", b.rotation);
            const double off = std::abs(at(b.position, n_) - c_.domain.plane());
            if (b.source == BodySource::ball && off > 1e-9 * c_.largest_radius())
                say(path + ".position",
                    fmt::format("{}.position is not in the plane of the run (expected {} along {}, the middle of the "
                                "domain, got {})",
                                path, c_.domain.plane(), name_, at(b.position, n_)));
            if (b.source == BodySource::lattice && b.counts && (*b.counts)[static_cast<std::size_t>(n_)] != 1)
                say(path + ".counts",
                    fmt::format(
                        "{}.counts has more than one layer (expected 1 along {}, the normal of the plane, got {})",
                        path, name_, (*b.counts)[static_cast<std::size_t>(n_)]));
        }
        for (std::size_t k = 0; k < c_.insert.size(); ++k) {
            const std::string path = fmt::format("insert[{}]", k);
            in_plane(path + ".velocity", c_.insert[k].velocity);
            if (c_.insert[k].inlet == InletType::disc) refuse(path + ".inlet", path + ".inlet = \"disc\"", "\"box\"");
        }
        for (std::size_t k = 0; k < c_.stages.size(); ++k) {
            const StageSpec& s = c_.stages[k];
            if (s.type != StageType::fill) continue;
            const std::string path = fmt::format("stages[{}]", k);
            in_plane(path + ".velocity", s.velocity);
            if (s.method == InsertionMethod::dense)
                refuse(path + ".method", path + ".method = \"dense\"", "\"pack\" or \"rain\"");
        }
    }

  private:
    void say(const std::string& key, const std::string& message) const {
        report_.add_at(key, message, {"domain.dimension", "domain.normal", "domain.lower", "domain.upper"});
    }

    const Case& c_;
    CaseReport& report_;
    const int n_;
    const std::string name_;
};

}  // namespace

void complete_plane(Case& c, CaseReport& report) {
    if (!report.is_given("domain")) c.domain.dimension = 3, c.domain.normal = 1;  // made from the silo: no key was read
    if (!c.domain.is_plane() || !report.is_sound("domain.lower") || !report.is_sound("domain.upper")) return;
    if (!c.domain.thickness && report.is_sound("domain.thickness")) choose_thickness(c, report);
    const double t = c.domain.thickness.value_or(1);
    for (ShapeSpec& s : c.shapes) s.solid_volume *= t;  // a polygon was 1 m thick
    const int n = c.domain.normal;
    const double plane = c.domain.plane();
    double widest = domain_room * c.largest_radius();
    const auto flatten = [&](const std::string& path, Vec3d& lower, Vec3d& upper, double half) {
        if (!(half > 0)) report.mark_unsound(path + ".lower"), report.mark_unsound(path + ".upper");
        at(lower, n) = plane - half, at(upper, n) = plane + half;
        widest = std::max(widest, half);
    };
    for (std::size_t k = 0; k < c.bodies.size(); ++k) {
        BodiesSpec& b = c.bodies[k];
        if (b.source == BodySource::lattice || b.source == BodySource::random)
            flatten(fmt::format("bodies[{}]", k), b.lower, b.upper,
                    b.source == BodySource::lattice && b.spacing ? 0.5 * *b.spacing : half_layer(c, b.radii, b.grains));
    }
    for (std::size_t k = 0; k < c.insert.size(); ++k)
        if (InsertSpec& i = c.insert[k]; i.inlet == InletType::box)
            flatten(fmt::format("insert[{}]", k), i.lower, i.upper, half_layer(c, i.radii, i.grains));
    for (std::size_t k = 0; k < c.stages.size(); ++k)
        if (StageSpec& s = c.stages[k]; s.type == StageType::fill && s.lower && s.upper)
            flatten(fmt::format("stages[{}]", k), *s.lower, *s.upper, half_layer(c, s.radii, s.grains));
    if (at(c.domain.upper, n) - plane < widest * (1 - rounding))
        at(c.domain.lower, n) = plane - widest, at(c.domain.upper, n) = plane + widest;
}

void check_plane(const Case& c, CaseReport& report) {
    if (c.domain.is_plane()) return PlaneCheck(c, report).run();
    const auto is_made = [&](const std::string& name) {
        const auto in = [&](const auto& all) {
            return std::any_of(all.begin(), all.end(), [&](const auto& s) { return s.grains.shape == name; });
        };
        return in(c.bodies) || in(c.insert) || in(c.stages);
    };
    for (std::size_t k = 0; k < c.shapes.size(); ++k)
        if (c.shapes[k].type == ShapeType::polygon && is_made(c.shapes[k].name)) {
            const std::string key = fmt::format("shapes[{}].type", k);
            report.add_at(key,
                          fmt::format("{} = \"polygon\" needs a run in a plane (expected domain.dimension = 2, or a "
                                      "\"prism\" or \"polyhedron\")",
                                      key),
                          {"domain.dimension"});
        }
}

}  // namespace granary
