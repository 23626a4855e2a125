// Rules about stages: what each type needs, whether it can end, their order, and whether the silo holds what comes in.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "io/case/case_rules.hpp"
#include "io/case/case_schema.hpp"
#include "io/case/case_silo.hpp"

namespace granary {
namespace {

constexpr double densest_packing = 0.7405;  // solid fraction of the densest packing of equal balls, pi/sqrt(18)

class StageCheck {
  public:
    StageCheck(const StageSpec& s, std::size_t number, const Case& c, CaseReport& report)
        : s_(s),
          path_(fmt::format("stages[{}]", number)),
          case_(c),
          report_(report) {}

    void run() const {
        switch (s_.type) {
            case StageType::fill: check_fill(); break;
            case StageType::run:
                if (!s_.time)
                    add("time",
                        "is missing (expected a number in s, above 0; a stage of type \"run\" has no other end)");
                break;
            case StageType::discharge: check_discharge(); break;
            case StageType::settle: break;
        }
        not_below_own_dt("check_every", s_.check_every);
        if (!s_.time) return;
        not_below_own_dt("time", *s_.time);
        if (!s_.dt_auto && *s_.time / s_.dt > most_steps)
            add("time",
                fmt::format("is too long (expected at most {:.0e} steps, got {:.0e})", most_steps, *s_.time / s_.dt),
                "dt");
    }

    template <class... Keys> void add(const char* key, const std::string& message, Keys... others) const {
        report_.add_at(path_ + "." + key, path_ + "." + key + " " + message,
                       {path_ + ".type", path_ + ".method", "run.dt", "silo", path_ + "." + std::string(others)...});
    }

  private:
    void not_below_own_dt(const char* key, double interval) const {
        if (interval > 0 && interval < s_.dt)
            add(key, fmt::format("is shorter than a time step (expected at least dt = {}, got {})", s_.dt, interval),
                "dt");
    }

    void check_fill() const {
        if (!s_.count && !s_.mass) add("count", "or mass is missing (expected one of them)", "mass");
        const bool falls = norm(case_.gravity) > 0 || norm(s_.velocity) > 0;
        if (s_.method == InsertionMethod::rain && !s_.rate && !s_.mass_rate && !falls)
            add("rate", "or mass_rate is missing (expected one of them: balls that do not fall need a rate)",
                "mass_rate");
        if (!s_.lower && !s_.upper) add("lower", "and upper are missing (expected a region, or a [silo])", "upper");
        else if (!s_.lower) add("lower", "is missing (expected together with upper)", "upper");
        else if (!s_.upper) add("upper", "is missing (expected together with lower)", "lower");
        check_region();
        if (s_.mass && n_balls(s_, case_) > 0 && n_balls(s_, case_) < 0.5)
            add("mass",
                fmt::format("is less than one ball (expected at least {:.6g}, got {})", *s_.mass / n_balls(s_, case_),
                            *s_.mass),
                "radius", "radius_min", "radius_max");
    }

    // Balls appear in the bin or above it: beside it and beside a hopper there is nothing that would hold them. What is
    // outside of a round bin is left out when they are placed.
    void check_region() const {
        if (s_.method == InsertionMethod::dense) return;  // its balls keep inside of the hopper, too
        if (!case_.silo || !s_.lower || !s_.upper || !report_.is_sound("silo")) return;
        const SiloSpec& silo = *case_.silo;
        const auto [lower, upper] = silo_box(silo);
        const double slack = rounding * (upper.z - lower.z), floor = bin_floor(silo);
        if (s_.lower->z < floor - slack)
            add("lower", fmt::format("reaches below the silo's bin (expected z of at least {:.6g}, got {})", floor,
                                     s_.lower->z));
        for (int axis = 0; axis < 2 && silo.bin == BinType::rectangle; ++axis) {
            if (at(*s_.lower, axis) < at(lower, axis) - slack)
                add("lower", fmt::format("is outside the silo's bin along {} (expected at least {:.6g}, got {})",
                                         axis_names[axis], at(lower, axis), at(*s_.lower, axis)));
            if (at(*s_.upper, axis) > at(upper, axis) + slack)
                add("upper", fmt::format("is outside the silo's bin along {} (expected at most {:.6g}, got {})",
                                         axis_names[axis], at(upper, axis), at(*s_.upper, axis)));
        }
    }

    void check_discharge() const {
        if (case_.outlets.empty())
            report_.add_at(path_,
                           fmt::format("{} has no outlet (expected an [[outlets]] that counts the balls)", path_),
                           {"outlets", path_ + ".type", "silo"});
        if (!s_.time && s_.stall_time == 0)
            add("stall_time",
                "is 0 and time is missing (expected one of them, or the run would never end under an arch)", "time");
    }

    const StageSpec& s_;
    const std::string path_;
    const Case& case_;
    CaseReport& report_;
};

// There must be balls before they can settle or leave.
void check_order(const Case& c, CaseReport& report) {
    if (!c.bodies.empty() || !c.insert.empty() || c.start) return;
    const auto& stages = c.stages;
    const auto first_fill =
        std::find_if(stages.begin(), stages.end(), [](const StageSpec& s) { return s.type == StageType::fill; });
    if (first_fill == stages.end()) return;  // told as a case without balls
    for (auto s = stages.begin(); s != first_fill; ++s) {
        const std::string key = fmt::format("stages[{}].type", s - stages.begin());
        const std::string word =
            split_list(find_key("stages", "type")->extra.choices)[static_cast<std::size_t>(s->type)];
        report.add_at(
            key,
            fmt::format("{} = \"{}\" comes before there are balls (expected an earlier stage of type \"fill\", "
                        "[[bodies]], an [[insert]] or a [start])",
                        key, word),
            {"bodies", "insert", "start", "stages[].type"});
    }
}

// Solid volume of a grain, m^3: of clusters that of their elements.
double solid_of(const StageSpec& s, const Case& c) {
    const GrainForm* form = c.find_grain(s.grains);
    if (s.grains.none() || !form || !(form->outer_radius > 0)) return s.radii.mean_volume();
    const double r = form->outer_radius, around = 4.0 / 3.0 * std::numbers::pi * r * r * r;
    if (s.grains.all()) return c.outer_radii(s.radii, s.grains).mean_volume() * form->solid_volume / around;
    return (1 - s.grains.share()) * s.radii.mean_volume() + s.grains.share() * form->solid_volume;
}

// What comes in before a gate opens must fit into the silo.
void check_silo_holds(const Case& c, CaseReport& report) {
    if (!c.silo || c.silo->opens_at || !report.is_sound("silo")) return;
    const double room = densest_packing * silo_volume(*c.silo);
    double solid = 0;
    for (std::size_t i = 0; i < c.stages.size() && c.stages[i].open.empty(); ++i) {
        const StageSpec& s = c.stages[i];
        if (s.type != StageType::fill) continue;
        const double before = solid;
        const double grain = solid_of(s, c);
        solid += n_balls(s, c) * grain;
        if (solid <= room || before > room) continue;
        const double most = std::floor((room - before) / grain);
        StageCheck(s, i, c, report)
            .add(s.count ? "count" : "mass",
                 fmt::format(
                     "is more than the silo can hold (expected at most {:.0f} balls, {:.0f} % of its {:.4g} m^3, "
                     "got {:.0f})",
                     most, 100 * densest_packing, silo_volume(*c.silo), n_balls(s, c)),
                 "radius", "radius_min", "radius_max");
    }
}

}  // namespace

void check_stages(const Case& c, CaseReport& report) {
    for (std::size_t i = 0; i < c.stages.size(); ++i) StageCheck(c.stages[i], i, c, report).run();
    check_order(c, report);
    check_silo_holds(c, report);
}

}  // namespace granary
