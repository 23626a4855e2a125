// Rules about balls from a lattice, a random packing, an insertion or a filling: their box, whether they fit, and
// whether there are too many. Their sizes are looked at in case_sizes.cpp.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "io/case/case_rules.hpp"

namespace granary {
namespace {

constexpr double most_balls = 4294967295.0;  // places in an array are 32-bit

// One [[bodies]], [[insert]] or [[stages]] with its box.
class PackingCheck {
  public:
    PackingCheck(const Case& c, CaseReport& report, std::string path, const Vec3d& lower, const Vec3d& upper,
                 const RadiusSpec& radii, const GrainUse& grains)
        : case_(c),
          report_(report),
          path_(std::move(path)),
          lower_(lower),
          upper_(upper),
          sizes_(c.grain_sizes(radii, grains)) {}

    void check_box() const {
        const Domain& d = case_.domain;
        for (int axis = 0; axis < 3; ++axis) {
            const double low = at(lower_, axis), high = at(upper_, axis);
            if (!(high > low))
                add("upper", {"lower"},
                    fmt::format("is not above lower along {} (expected above {}, got {})", axis_names[axis], low,
                                high));
            if (low < at(d.lower, axis) && domain_is_sound())
                add("lower", {},
                    fmt::format("is outside the domain along {} (expected at least {}, got {})", axis_names[axis],
                                at(d.lower, axis), low));
            if (high > at(d.upper, axis) && domain_is_sound())
                add("upper", {},
                    fmt::format("is outside the domain along {} (expected at most {}, got {})", axis_names[axis],
                                at(d.upper, axis), high));
        }
        check_outlets("upper", "and the rest of the box are");
    }

    // lower and upper are its centre.
    void check_ball() const {
        const Domain& d = case_.domain;
        for (int axis = 0; axis < 3; ++axis)
            if (domain_is_sound() && !(at(lower_, axis) >= at(d.lower, axis) && at(lower_, axis) <= at(d.upper, axis)))
                add("position", {},
                    fmt::format("is outside the domain along {} (expected from {} to {}, got {})", axis_names[axis],
                                at(d.lower, axis), at(d.upper, axis), at(lower_, axis)));
        check_outlets("position", "is");
    }

    // A box that is the whole of a periodic axis has no faces there.
    void check_one_fits() const {
        for (int axis = 0; axis < 3; ++axis) {
            const double length = at(upper_, axis) - at(lower_, axis);
            if (!spans_period(axis) && length < 2 * sizes_.largest * (1 - rounding))
                add("upper", with_radii({"lower"}),
                    fmt::format("leaves no room for a ball along {} (expected at least {:.6g}, "
                                "lower and the largest diameter, got {})",
                                axis_names[axis], at(lower_, axis) + 2 * sizes_.largest, at(upper_, axis)));
        }
    }

    void check_lattice(const BodiesSpec& b) const {
        const std::vector<const char*> others = with_radii({"spacing", "counts", "lower", "upper"});
        if (!b.spacing && !b.counts) return add("spacing", {"counts"}, "or counts is missing (expected one of them)");
        const char* key = b.spacing ? "spacing" : "counts";
        const auto n = b.lattice_counts();
        const Vec3d step = b.lattice_spacing();
        for (int axis = 0; axis < 3; ++axis) {
            if (n[static_cast<std::size_t>(axis)] < 1)
                add(key, others,
                    fmt::format("is longer than the box along {} (expected at most {:.6g}, got {:.6g})",
                                axis_names[axis], at(upper_, axis) - at(lower_, axis), at(step, axis)));
            if (at(step, axis) < 2 * sizes_.largest * (1 - rounding))
                add(key, others,
                    fmt::format("makes cells too short for a ball along {} (expected at least {:.6g}, the largest "
                                "diameter, got {:.6g})",
                                axis_names[axis], 2 * sizes_.largest, at(step, axis)));
        }
    }

    // A random packing has a cell for each ball, of the largest diameter at least.
    void check_random(std::int64_t count) const {
        double cells = 1;
        for (int axis = 0; axis < 3; ++axis)
            cells *= std::floor((at(upper_, axis) - at(lower_, axis)) / (2 * sizes_.largest) * (1 + rounding));
        if (static_cast<double>(count) > cells && cells > 0)
            add("count", with_radii({"lower", "upper"}),
                fmt::format("is more than the box can hold (expected at most {:.0f}, one in each cube of the largest "
                            "diameter, got {})",
                            cells, count));
    }

    // What a dense packing leaves out at the walls is not known here.
    void check_dense(std::int64_t count, double solid_fraction) const {
        const Vec3d size = upper_ - lower_;
        const double most = std::floor(solid_fraction * size.x * size.y * size.z / sizes_.mean_volume);
        if (sizes_.whole && static_cast<double>(count) > most && most > 0)
            add("count", with_radii({"lower", "upper", "solid_fraction"}),
                fmt::format(
                    "is more than the region can hold (expected at most {:.0f}, solid_fraction = {} of its volume, "
                    "got {})",
                    most, solid_fraction, count));
    }

  private:
    static inline const std::vector<const char*> radius_keys{"radius",      "radius_min", "radius_max",
                                                             "sieve_sizes", "radii",      "sizes"};

    static std::vector<const char*> with_radii(std::vector<const char*> keys) {
        keys.insert(keys.end(), radius_keys.begin(), radius_keys.end());
        return keys;
    }

    void check_outlets(const char* key, const char* what) const {
        for (std::size_t i = 0; i < case_.outlets.size(); ++i)
            if (heights_above(case_.outlets[i], lower_, upper_).second < 0 &&
                report_.is_sound(fmt::format("outlets[{}].point", i)) &&
                report_.is_sound(fmt::format("outlets[{}].normal", i)))
                add(key, {"lower"},
                    fmt::format("{} behind the outlet \"{}\" (expected in front of it)", what, case_.outlets[i].name));
    }

    // others: keys of the section without which the check means nothing.
    void add(const std::string& name, const std::vector<const char*>& others, const std::string& message) const {
        std::vector<std::string> keys{path_ + ".source", path_ + ".type", path_ + ".method"};
        for (const char* other : others) keys.push_back(path_ + "." + other);
        report_.add_at(path_ + "." + name, path_ + "." + name + " " + message, keys);
    }

    bool domain_is_sound() const { return report_.is_sound("domain.lower") && report_.is_sound("domain.upper"); }

    bool spans_period(int axis) const {
        const Domain& d = case_.domain;
        return d.periodic[static_cast<std::size_t>(axis)] && at(lower_, axis) == at(d.lower, axis) &&
               at(upper_, axis) == at(d.upper, axis);
    }

    const Case& case_;
    CaseReport& report_;
    const std::string path_;
    const Vec3d lower_, upper_;
    const Case::GrainSizes sizes_;
};

}  // namespace

void check_packing(const Case& c, CaseReport& report) {
    for (std::size_t i = 0; i < c.bodies.size(); ++i) {
        const BodiesSpec& b = c.bodies[i];
        if (b.source == BodySource::file) continue;
        if (b.source == BodySource::ball || b.source == BodySource::cluster) {
            PackingCheck(c, report, fmt::format("bodies[{}]", i), b.position, b.position, b.radii, {}).check_ball();
            continue;
        }
        const PackingCheck check(c, report, fmt::format("bodies[{}]", i), b.lower, b.upper, b.radii, b.grains);
        check.check_box();
        if (b.source == BodySource::lattice) check.check_lattice(b);
        if (b.source == BodySource::random) check.check_one_fits(), check.check_random(b.count);
    }
    for (std::size_t i = 0; i < c.insert.size(); ++i) {
        const InsertSpec& s = c.insert[i];
        if (s.inlet == InletType::disc) continue;  // see case_sizes.cpp
        const PackingCheck check(c, report, fmt::format("insert[{}]", i), s.lower, s.upper, s.radii, s.grains);
        check.check_box();
        check.check_one_fits();
    }
    for (std::size_t i = 0; i < c.stages.size(); ++i) {
        const StageSpec& s = c.stages[i];
        if (s.type != StageType::fill) continue;
        const PackingCheck check(c, report, fmt::format("stages[{}]", i), s.lower.value_or(Vec3d{}),
                                 s.upper.value_or(Vec3d{}), s.radii, s.grains);
        if (!s.lower || !s.upper) continue;
        check.check_box();
        check.check_one_fits();
        if (s.method == InsertionMethod::pack && s.count && s.max_overlap == 0) check.check_random(*s.count);
        if (s.method == InsertionMethod::dense && s.count) check.check_dense(*s.count, s.solid_fraction);
    }
}

void check_size(const Case& c, CaseReport& report) {
    double so_far = 0;
    const auto add = [&](const std::string& key, double n, const std::vector<std::string>& others) {
        const double before = so_far;
        so_far += n;
        const double fit_memory = c.run.memory / bytes_per_ball;
        if (so_far > most_balls && before <= most_balls)
            report.add_at(key,
                          fmt::format("{} makes too many balls (expected at most {:.0f} in the whole case, got {:.4g})",
                                      key, most_balls, so_far),
                          others);
        else if (so_far > fit_memory && before <= fit_memory)
            report.add_at(key,
                          fmt::format("{} makes more balls than fit in memory (expected at most {:.4g}, for "
                                      "run.memory = {:.4g} B and {:.0f} B per ball, got {:.4g})",
                                      key, fit_memory, c.run.memory, bytes_per_ball, so_far),
                          others);
    };
    const auto path = [](const char* section, std::size_t i, const char* key) {
        return fmt::format("{}[{}].{}", section, i, key);
    };
    for (std::size_t i = 0; i < c.bodies.size(); ++i) {
        const BodiesSpec& b = c.bodies[i];
        const char* key = b.source == BodySource::ball || b.source == BodySource::cluster ? "source"
                          : b.source == BodySource::random                                ? "count"
                          : b.spacing                                                     ? "spacing"
                                                                                          : "counts";
        add(path("bodies", i, key), n_balls(b) * c.bodies_a_grain(b.grains),
            {path("bodies", i, "source"), path("bodies", i, "lower"), path("bodies", i, "upper"), "run.memory"});
    }
    for (std::size_t i = 0; i < c.insert.size(); ++i)
        add(path("insert", i, c.insert[i].total ? "total" : "mass"),
            n_balls(c.insert[i], c) * c.bodies_a_grain(c.insert[i].grains), {"run.memory"});
    for (std::size_t i = 0; i < c.stages.size(); ++i)
        add(path("stages", i, c.stages[i].count ? "count" : "mass"),
            n_balls(c.stages[i], c) * c.bodies_a_grain(c.stages[i].grains),
            {path("stages", i, "radius"), path("stages", i, "radius_min"), path("stages", i, "radius_max"),
             "materials[].density", "run.memory"});
}

}  // namespace granary
