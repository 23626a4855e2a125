// Rules about the sizes of balls and about mixed materials: what each distribution needs, and what goes together.
#include <fmt/format.h>
#include <algorithm>
#include <numeric>
#include "io/case/case_rules.hpp"

namespace granary {
namespace {

class SizeCheck {
  public:
    SizeCheck(const RadiusSpec& radii, const MixSpec& mix, const GrainUse& grains, const std::string& material,
              std::string path, const Case& c, CaseReport& report)
        : r_(radii),
          grains_(grains),
          mix_(mix),
          material_(material),
          path_(std::move(path)),
          case_(c),
          report_(report) {}

    void run() const {
        switch (r_.sizes) {
            case SizeType::uniform: check_uniform(); break;
            case SizeType::normal: check_normal(); break;
            case SizeType::sieve: check_sieve(); break;
            case SizeType::list: same_number("shares", r_.shares.size(), "radii", r_.radii.size()); break;
        }
        check_domain();
        check_mix();
    }

  private:
    void add(const std::string& name, const std::vector<const char*>& others, const std::string& message) const {
        std::vector<std::string> keys{path_ + ".source", path_ + ".type", path_ + ".method", path_ + ".sizes"};
        for (const char* other : others) keys.push_back(path_ + "." + other);
        report_.add_at(path_ + "." + name, path_ + "." + name + " " + message, keys);
    }

    // One radius, or both ends of a spread.
    void check_uniform() const {
        if (!r_.radius && !r_.radius_min && !r_.radius_max && grains_.all()) return;  // as large as their shape is
        if (!r_.radius && !r_.radius_min && !r_.radius_max)
            add("radius", radius_keys, "is missing (expected a number in m, above 0, or radius_min and radius_max)");
        else if (!r_.radius) check_ends("");
    }
    void check_ends(const char* why) const {
        if (!r_.radius_max)
            add("radius_max", radius_keys, fmt::format("is missing (expected together with radius_min{})", why));
        else if (!r_.radius_min)
            add("radius_min", radius_keys, fmt::format("is missing (expected together with radius_max{})", why));
        else if (*r_.radius_min > *r_.radius_max)
            add("radius_max", radius_keys,
                fmt::format("is below radius_min (expected at least {}, got {})", *r_.radius_min, *r_.radius_max));
    }

    void check_normal() const {
        const std::vector<const char*> keys{"radius_min", "radius_max", "radius_mean", "radius_deviation"};
        if (!r_.radius_min && !r_.radius_max)
            return add("radius_min", keys,
                       "and radius_max are missing (expected both: the limits of the distribution)");
        check_ends(": a limit of the distribution");
        if (!r_.radius_min || !r_.radius_max || !r_.radius_mean) return;
        if (*r_.radius_min == *r_.radius_max)
            add("radius_max", keys, fmt::format("is the same as radius_min (expected above {})", *r_.radius_min));
        else if (*r_.radius_mean < *r_.radius_min || *r_.radius_mean > *r_.radius_max)
            add("radius_mean", keys,
                fmt::format("is outside the limits (expected from radius_min = {} to radius_max = {}, got {})",
                            *r_.radius_min, *r_.radius_max, *r_.radius_mean));
    }

    void check_sieve() const {
        const std::vector<const char*> keys{"sieve_sizes", "passing"};
        if (r_.sieve_sizes.empty() || r_.passing.empty()) return;  // told as missing
        if (r_.sieve_sizes.size() < 2)
            return add("sieve_sizes", keys,
                       "has only one sieve (expected at least two: the smallest and the largest size)");
        if (!same_number("passing", r_.passing.size(), "sieve_sizes", r_.sieve_sizes.size())) return;
        const auto falls = std::adjacent_find(r_.sieve_sizes.begin(), r_.sieve_sizes.end(), std::greater_equal<>());
        if (falls != r_.sieve_sizes.end())
            add("sieve_sizes", keys,
                fmt::format("is not ascending (expected each above the previous one, got {} after {})", falls[1],
                            falls[0]));
        const auto drops = std::adjacent_find(r_.passing.begin(), r_.passing.end(), std::greater<>());
        if (drops != r_.passing.end())
            add("passing", keys,
                fmt::format(
                    "decreases (expected the share of mass that passes, which grows with the size, got {} after {})",
                    drops[1], drops[0]));
        else if (r_.passing.front() != 0 || r_.passing.back() != 1)
            add("passing", keys,
                fmt::format("does not go from 0.0 to 1.0 (expected nothing below the first size and all below the "
                            "last, got {} to {})",
                            r_.passing.front(), r_.passing.back()));
    }

    bool same_number(const char* key, std::size_t n, const char* other, std::size_t expected) const {
        if (n == expected || n == 0 || expected == 0) return n == expected;
        add(key, {other}, fmt::format("has another length than {} (expected {} numbers, got {})", other, expected, n));
        return false;
    }

    void check_domain() const {
        if (!report_.is_sound("domain.lower") || !report_.is_sound("domain.upper")) return;
        for (int axis = 0; axis < 3; ++axis) {
            const double length = at(case_.domain.upper, axis) - at(case_.domain.lower, axis);
            if (const double r = case_.grain_sizes(r_, grains_).largest; !grains_.none() && 2 * r > length)
                add(grains_.key(), {"radius", "radius_min", "radius_max", "sieve_sizes", "radii"},
                    fmt::format("makes {} that are too large for the domain (expected at most {:.6g} m across, its "
                                "length along {}, got {:.6g})",
                                grains_.shape.empty() ? "clusters" : "grains", length, axis_names[axis], 2 * r));
            else if (grains_.none() && 2 * r_.largest() > length)
                add(largest_key(), {},
                    fmt::format("is too large for the domain (expected at most {:.6g}, half of its length "
                                "along {}, got {})",
                                length / 2, axis_names[axis], r_.largest()));
        }
    }
    const char* largest_key() const {
        if (r_.sizes == SizeType::sieve) return "sieve_sizes";
        return r_.sizes == SizeType::list ? "radii" : r_.radius ? "radius" : "radius_max";
    }

    void check_mix() const {
        const std::size_t n = mix_.mixed_with.size(), m = mix_.mixed_shares.size();
        if (n == 0 && m == 0) return;
        if (n == 0) return add("mixed_with", {"mixed_shares"}, "is missing (expected together with mixed_shares)");
        if (m == 0) return add("mixed_shares", {"mixed_with"}, "is missing (expected together with mixed_with)");
        if (n != m)
            return add("mixed_shares", {"mixed_with"},
                       fmt::format("has another length than mixed_with (expected {} numbers, got {})", n, m));
        std::vector<std::string> all = mix_.mixed_with;
        all.push_back(material_);
        std::sort(all.begin(), all.end());
        const auto twice = std::adjacent_find(all.begin(), all.end());
        if (twice != all.end())
            add("mixed_with", {"material"}, fmt::format("names \"{}\" twice (expected each material once)", *twice));
        const double sum = std::accumulate(mix_.mixed_shares.begin(), mix_.mixed_shares.end(), 0.0);
        if (sum > 1 + 1e-12)
            add("mixed_shares", {"mixed_with"},
                fmt::format("adds up to more than 1 (expected a sum of at most 1, got {:.6g})", sum));
    }

    static inline const std::vector<const char*> radius_keys{"radius", "radius_min", "radius_max"};

    const RadiusSpec& r_;
    const GrainUse& grains_;
    const MixSpec& mix_;
    const std::string& material_;
    const std::string path_;
    const Case& case_;
    CaseReport& report_;
};

// How much, how fast, and when.
class InletCheck {
  public:
    InletCheck(const InsertSpec& s, std::size_t number, const Case& c, CaseReport& report)
        : s_(s),
          path_(fmt::format("insert[{}]", number)),
          case_(c),
          report_(report) {}

    void run() const {
        if (!s_.total && !s_.mass) add("total", {"mass"}, "or mass is missing (expected one of them)");
        if (s_.mass && n_balls(s_, case_) > 0 && n_balls(s_, case_) < 0.5)
            add("mass", {"radius", "radius_min", "radius_max"},
                fmt::format("is less than one ball (expected at least {:.6g}, got {})", *s_.mass / n_balls(s_, case_),
                            *s_.mass));
        if (!s_.per_event && !s_.rate && !s_.mass_rate)
            add("per_event", {"rate", "mass_rate"},
                "is missing (expected it with an interval, or a rate, or a mass_rate)");
        if (s_.per_event && !s_.interval)
            add("interval", {"per_event"}, "is missing (expected a number in s, above 0, together with per_event)");
        if (s_.inlet == InletType::disc && s_.inlet_radius > 0 && s_.inlet_radius < largest())
            add("inlet_radius", {"radius", "radius_min", "radius_max"},
                fmt::format("leaves no room for a ball (expected at least {:.6g}, the largest radius, got {})",
                            largest(), s_.inlet_radius));
        if (s_.inlet == InletType::disc) check_disc();
        check_stage();
    }

  private:
    double largest() const { return case_.grain_sizes(s_.radii, s_.grains).largest; }
    void add(const std::string& name, const std::vector<const char*>& others, const std::string& message) const {
        std::vector<std::string> keys{path_ + ".inlet", path_ + ".sizes"};
        for (const char* other : others) keys.push_back(path_ + "." + other);
        report_.add_at(path_ + "." + name, path_ + "." + name + " " + message, keys);
    }
    void check_disc() const {
        if (!report_.is_sound("domain.lower") || !report_.is_sound("domain.upper")) return;
        for (int axis = 0; axis < 3; ++axis) {
            const double low = at(case_.domain.lower, axis), high = at(case_.domain.upper, axis);
            if (at(s_.lower, axis) < low || at(s_.upper, axis) > high)
                add("centre", {"inlet_radius", "inlet_axis", "radius", "radius_max"},
                    fmt::format(
                        "places a part of the disc outside the domain along {} (expected from {} to {}, got from "
                        "{:.6g} to {:.6g})",
                        axis_names[axis], low, high, at(s_.lower, axis), at(s_.upper, axis)));
        }
    }
    void check_stage() const {
        if (s_.stage.empty()) return;
        const auto it = std::find_if(case_.stages.begin(), case_.stages.end(),
                                     [&](const StageSpec& t) { return t.name == s_.stage; });
        if (it == case_.stages.end()) {
            std::string names;
            for (const StageSpec& t : case_.stages) names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", t.name);
            add("stage", {},
                fmt::format("names an unknown stage (expected {}, got \"{}\")",
                            names.empty() ? "a case with [[stages]]" : names, s_.stage));
        } else if (it->type == StageType::fill) {
            add("stage", {},
                fmt::format(
                    "names \"{}\", which is a stage of type \"fill\" and has balls of its own (expected a stage "
                    "of another type)",
                    s_.stage));
        }
    }

    const InsertSpec& s_;
    const std::string path_;
    const Case& case_;
    CaseReport& report_;
};

}  // namespace

void check_sizes(const Case& c, CaseReport& report) {
    const auto check = [&](const char* section, std::size_t i, const auto& s) {
        SizeCheck(s.radii, s.mix, s.grains, s.material, fmt::format("{}[{}]", section, i), c, report).run();
    };
    for (std::size_t i = 0; i < c.bodies.size(); ++i)
        if (c.bodies[i].source != BodySource::file && c.bodies[i].source != BodySource::cluster)
            check("bodies", i, c.bodies[i]);
    for (std::size_t i = 0; i < c.insert.size(); ++i) {
        check("insert", i, c.insert[i]);
        InletCheck(c.insert[i], i, c, report).run();
    }
    for (std::size_t i = 0; i < c.stages.size(); ++i)
        if (c.stages[i].type == StageType::fill) check("stages", i, c.stages[i]);
}

}  // namespace granary
