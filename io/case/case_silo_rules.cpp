// Rules about the silo: which shapes go together, and its sizes against each other, against the balls and the domain.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/elementary.hpp"
#include "io/case/case_rules.hpp"
#include "io/case/case_schema.hpp"
#include "io/case/case_silo.hpp"

namespace granary {
namespace {

class SiloCheck {
  public:
    SiloCheck(const SiloSpec& s, const Case& c, CaseReport& report) : s_(s), case_(c), report_(report) {}

    void run() const {
        check_shapes();
        check_outlet();
        check_balls();
        if (s_.wall == SiloWallType::balls) check_wall_balls();
        check_domain();
    }

  private:
    template <class... Keys> void add(const std::string& name, const std::string& message, Keys... others) const {
        report_.add_at("silo." + name, "silo." + name + " " + message,
                       {"silo.bin", "silo.hopper", "silo.outlet", std::string("silo.") + others...});
    }

    template <class E> static std::string word(const char* key, E value) {
        return split_list(find_key("silo", key)->extra.choices)[static_cast<std::size_t>(value)];
    }
    void goes_only_with(HopperType hopper, BinType bin, OpeningType outlet) const {
        const std::string shape = word("hopper", hopper);
        if (s_.hopper != hopper) return;
        if (s_.bin != bin)
            add("hopper",
                fmt::format("= \"{}\" cannot be used with bin = \"{}\" (expected bin = \"{}\", or a flat bottom)",
                            shape, word("bin", s_.bin), word("bin", bin)));
        if (s_.outlet != outlet)
            add("hopper", fmt::format("= \"{}\" cannot be used with outlet = \"{}\" (expected outlet = \"{}\")", shape,
                                      word("outlet", s_.outlet), word("outlet", outlet)));
    }
    void check_shapes() const {
        goes_only_with(HopperType::cone, BinType::cylinder, OpeningType::circle);
        goes_only_with(HopperType::wedge, BinType::rectangle, OpeningType::slot);
        if (s_.outlet != OpeningType::slot || !report_.is_sound("silo.outlet_length")) return;
        if (s_.bin == BinType::cylinder && !s_.outlet_length)
            add("outlet_length", "is missing (expected a number in m, above 0; the bin is a cylinder)");
        if (s_.hopper == HopperType::wedge && s_.outlet_length && *s_.outlet_length != s_.depth)
            add("outlet_length",
                fmt::format("differs from depth (expected none, or {}: the slot of a wedge is as long as the bin, got "
                            "{})",
                            s_.depth, *s_.outlet_length),
                "depth");
    }

    // The opening, seen from above, must lie within the bin.
    void check_outlet() const {
        const double x = std::abs(s_.outlet_offset[0]), y = std::abs(s_.outlet_offset[1]);
        const double length = s_.outlet_length.value_or(s_.depth);
        if (s_.outlet == OpeningType::circle) {
            const bool round = s_.bin == BinType::cylinder;
            const double widest = round ? s_.d_c : std::min(s_.width, s_.depth);
            if (s_.d_h >= widest)
                return add("d_h", fmt::format("is wider than the bin (expected below {}, got {})", widest, s_.d_h),
                           "d_c", "width", "depth");
            const bool inside = round ? elementary::hypot(x, y) + s_.d_h / 2 <= s_.d_c / 2 * (1 + rounding)
                                      : x + s_.d_h / 2 <= s_.width / 2 * (1 + rounding) &&
                                            y + s_.d_h / 2 <= s_.depth / 2 * (1 + rounding);
            if (!inside) out_of_bin("d_h");
        } else if (s_.bin == BinType::rectangle) {
            const bool too_wide = s_.outlet_width > s_.width * (1 + rounding);
            if (too_wide || (s_.hopper == HopperType::wedge && s_.outlet_width >= s_.width))
                return add("outlet_width",
                           fmt::format("is wider than the bin (expected {} {}, got {})", too_wide ? "at most" : "below",
                                       s_.width, s_.outlet_width),
                           "width");
            if (length > s_.depth * (1 + rounding))
                return add("outlet_length",
                           fmt::format("is longer than the bin (expected at most {}, got {})", s_.depth, length),
                           "depth");
            if (x + s_.outlet_width / 2 > s_.width / 2 * (1 + rounding) ||
                y + length / 2 > s_.depth / 2 * (1 + rounding))
                out_of_bin("outlet_width");
        } else if (s_.outlet_length) {
            const double diagonal = elementary::hypot(s_.outlet_width, length);
            if (diagonal > s_.d_c)
                return add("outlet_length",
                           fmt::format("makes a slot that is longer than the bin is wide (expected a diagonal of at "
                                       "most {}, got {:.6g})",
                                       s_.d_c, diagonal),
                           "outlet_width", "d_c");
            if (elementary::hypot(x + s_.outlet_width / 2, y + length / 2) > s_.d_c / 2 * (1 + rounding))
                out_of_bin("outlet_width");
        }
    }
    void out_of_bin(const char* size) const {
        add("outlet_offset",
            fmt::format("places the outlet outside the bin (expected closer to the centre, got [{}, {}])",
                        s_.outlet_offset[0], s_.outlet_offset[1]),
            size, "d_c", "width", "depth", "outlet_length");
    }

    void not_below_ball(const char* name, double length, const char* what) const {
        const double diameter = 2 * case_.largest_radius();
        if (length > 0 && length < diameter * (1 - rounding))
            add(name,
                fmt::format("{} (expected at least {:.6g}, the largest diameter, got {})", what, diameter, length));
    }
    void check_balls() const {
        const char *smaller = "is smaller than a ball", *blocked = "is too narrow for a ball";
        not_below_ball("d_c", s_.d_c, smaller);
        not_below_ball("width", s_.width, smaller);
        not_below_ball("depth", s_.depth, smaller);
        not_below_ball("h_c", s_.h_c, smaller);
        not_below_ball("d_h", s_.d_h, blocked);
        not_below_ball("outlet_width", s_.outlet_width, blocked);
        not_below_ball("outlet_length", s_.outlet_length.value_or(0.0), blocked);
    }

    // They overlap, so that the wall is closed; and between four of them, half a diagonal away, the smallest grain must
    // not fit.
    void check_wall_balls() const {
        if (norm(s_.slides) > 0)
            add("slides", "cannot be used with wall = \"balls\" (expected a gate that vanishes: wall balls never move)",
                "wall");
        if (s_.wall_radius_min > s_.wall_radius_max)
            add("wall_radius_max",
                fmt::format("is below wall_radius_min (expected at least {}, got {})", s_.wall_radius_min,
                            s_.wall_radius_max),
                "wall", "wall_radius_min");
        if (s_.wall_spacing > 2 * s_.wall_radius_min * (1 + rounding))
            return add(
                "wall_spacing",
                fmt::format("leaves gaps between wall balls (expected at most {:.6g}, the smallest diameter, got {})",
                            2 * s_.wall_radius_min, s_.wall_spacing),
                "wall", "wall_radius_min");
        const double smallest = case_.smallest_radius(), most = 0.95 * std::sqrt(2.0) * (smallest + s_.wall_radius_min);
        if (smallest > 0 && s_.wall_spacing > most)
            add("wall_spacing",
                fmt::format("lets the smallest ball pass between wall balls (expected at most {:.6g}, got {})", most,
                            s_.wall_spacing),
                "wall", "wall_radius_min");
    }

    void check_domain() const {
        if (!report_.is_given("domain", "lower") || !report_.is_sound_within("silo")) return;
        const auto [lower, upper] = silo_box(s_);
        const Domain& d = case_.domain;
        for (int axis = 0; axis < 3; ++axis) {
            const double low = at(lower, axis), high = at(upper, axis);
            const double tolerance = rounding * (high - low);
            if (low >= at(d.lower, axis) - tolerance && high <= at(d.upper, axis) + tolerance) continue;
            report_.add_at("silo",
                           fmt::format("the silo extends outside the domain along {} (expected from {} to {}, got from "
                                       "{:.6g} to {:.6g})",
                                       axis_names[axis], at(d.lower, axis), at(d.upper, axis), low, high),
                           {"domain.lower", "domain.upper"});
        }
    }

    const SiloSpec& s_;
    const Case& case_;
    CaseReport& report_;
};

}  // namespace

void check_silo(const Case& c, CaseReport& report) {
    if (c.silo) SiloCheck(*c.silo, c, report).run();
}

}  // namespace granary
