#include "plan/stage_estimates.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include "core/elementary.hpp"
#include "io/formats/amounts.hpp"
#include "measure/outflow_beverloo1961.hpp"

namespace granary {

namespace {

constexpr double loose_bed = 0.58, dense_bed = 0.64;  // solid fraction of poured balls, and of shaken ones
constexpr double falls_to_settle = 2;                 // times a fall through the height that balls take to come to rest

// Heights over the origin against gravity.
class Heights {
  public:
    explicit Heights(const Setup& s) : up_(norm(s.gravity) > 0 ? s.gravity * (-1 / norm(s.gravity)) : Vec3d{}) {}
    bool known() const { return norm(up_) > 0; }
    double of(const Vec3d& x) const { return dot(up_, x); }
    double lowest(const Vec3d& lower, const Vec3d& upper) const { return extreme(lower, upper, -1); }
    double highest(const Vec3d& lower, const Vec3d& upper) const { return extreme(lower, upper, 1); }

  private:
    double extreme(const Vec3d& lower, const Vec3d& upper, double sign) const {
        double h = 0;
        for (int k = 0; k < 3; ++k)
            h += sign * std::max(sign * at(up_, k) * at(lower, k), sign * at(up_, k) * at(upper, k));
        return h;
    }
    Vec3d up_;
};

double volume_of(const Vec3d& size) { return size.x * size.y * size.z; }

// How far the uppermost of balls sink that fill a part of a height at first.
double sinks(double height, double share, double in_the_end) { return height * std::max(0.0, 1 - share / in_the_end); }

// The lowest and the highest point of all walls, within the domain.
struct Reached {
    double low = std::numeric_limits<double>::infinity(), high = -low;
};
Reached extent_of(const Setup& s, const Heights& heights) {
    const double bottom = heights.lowest(s.domain.lower, s.domain.upper),
                 top = heights.highest(s.domain.lower, s.domain.upper);
    Reached e;
    for (const Wall& w : s.walls) {
        double low = top, high = bottom;
        if (const auto* plane = std::get_if<Plane>(&w.shape)) {
            if (heights.of(plane->normal) < 0.1) continue;  // beside the balls, or above them
            if (heights.of(plane->normal) > 0.999) low = high = heights.of(plane->point);
            else low = bottom;
        } else {
            const BoundingBox box = bounding_box(w.shape);
            low = heights.lowest(box.lower, box.upper), high = heights.highest(box.lower, box.upper);
        }
        e.low = std::min(e.low, std::max(low, bottom)), e.high = std::max(e.high, std::min(high, top));
    }
    e.low = std::min(e.low, top), e.high = std::max(e.high, bottom);
    if (e.high < e.low) e = {bottom, top};
    return e;
}

// Gates that are open during a stage: those of this and of earlier ones, and those with a time of their own.
bool is_open(const Case& c, const WallSpec& w, std::size_t stage) {
    if (w.opens_at) return true;
    for (std::size_t k = 0; k <= stage && k < c.stages.size(); ++k)
        if (!w.opens.empty() && w.opens == c.stages[k].name) return true;
    return false;
}

std::vector<Opening> openings(const Case& c, std::size_t stage) {
    std::vector<Opening> holes;
    for (const WallSpec& w : c.walls) {
        if (!is_open(c, w, stage)) continue;
        if (w.type == WallType::disc) holes.push_back({2 * w.radius});
        if (w.type == WallType::annulus) holes.push_back({2 * w.outer_radius});
        if (w.type == WallType::rectangle) {
            const auto [a, b] = std::minmax({norm(w.edge_a), norm(w.edge_b)});
            holes.push_back({a, b});
        }
    }
    if (!holes.empty()) return holes;
    for (const WallSpec& w : c.walls)  // a floor with a hole that nothing closes
        if (w.type == WallType::annulus && !w.opens_sometime()) holes.push_back({2 * w.inner_radius});
    return holes;
}

std::string text_of(const Opening& o) {
    return o.round() ? si_text(o.width, "m") : fmt::format("{} x {}", si_text(o.width, "m"), si_text(o.length, "m"));
}

}  // namespace

double Grain::diameter() const { return count > 0 ? elementary::cbrt(6 / std::numbers::pi * volume / count) : 0; }

double fall_height(const Case& c, const Setup& setup, const Grain& grain) {
    const Heights heights(setup);
    if (!heights.known()) return 0;
    const double all = heights.highest(setup.domain.upper - setup.domain.lower, {});
    const Reached walls = extent_of(setup, heights);
    double top = walls.low, fall = 0;  // from a height; by a way
    const auto box = [&](const Vec3d& lower, const Vec3d& upper, double share, double in_the_end) {
        const Vec3d a = setup.axes.in(lower), b = setup.axes.in(upper);
        const double low = heights.lowest(a, b), high = heights.highest(a, b);
        fall = std::max(fall, std::max(0.0, low - walls.low) + sinks(high - low, share, in_the_end));
        return high;
    };
    for (const StageSpec& s : c.stages) {
        if (s.type != StageType::fill || !s.lower || !s.upper) continue;
        // A lattice as wide as the largest ball.
        const Case::GrainSizes grains = c.grain_sizes(s.radii, s.grains);
        const double edge = 2 * grains.largest, cube = edge * edge * edge,
                     share = cube > 0 ? grains.mean_volume / cube : 0;
        if (s.method == InsertionMethod::rain) top = std::max(top, box(*s.lower, *s.upper, 1, 1));
        else if (s.method == InsertionMethod::pack) box(*s.lower, *s.upper, share, loose_bed);
        else box(*s.lower, *s.upper, s.solid_fraction, dense_bed);
    }
    for (const InsertSpec& i : c.insert) top = std::max(top, box(i.lower, i.upper, 1, 1));
    if (grain.start_count > 0) {
        const Vec3d rim = 0.5 * grain.diameter() * Vec3d{1, 1, 1};
        const Vec3d lower = setup.axes.out(grain.lower - rim), upper = setup.axes.out(grain.upper + rim);
        box(lower, upper, grain.start_volume / volume_of(upper - lower), loose_bed);
    }
    for (const MotionSpec& m : c.motions) {  // a drum carries balls up to its top; others may carry them anywhere
        if (m.type == MotionType::rotate || m.type == MotionType::swing || m.type == MotionType::vibrate)
            top = std::max(top, walls.high);
        else if (m.type == MotionType::translate && m.duration)
            top = std::max(top, walls.high + std::max(0.0, heights.of(setup.axes.in(m.velocity))) * *m.duration);
        else if (m.type != MotionType::servo) top = walls.low + all;
    }
    return std::clamp(std::max(fall, top - walls.low), 0.0, all);
}

OutflowEstimate outflow_of(const Case& c, const Setup& setup, std::size_t stage, const Grain& grain) {
    OutflowEstimate flow;
    const double bulk = loose_bed * grain.density(), g = norm(setup.gravity), d = grain.diameter();
    std::string holes;
    for (const Opening& o : openings(c, stage)) {
        flow.rate += beverloo_1961(o, d, bulk, g);
        flow.widest = std::max(flow.widest, o.width);
        holes += fmt::format("{}{}", holes.empty() ? "" : " and ", text_of(o));
    }
    flow.blocked = !holes.empty() && !(flow.rate > 0);
    if (holes.empty()) flow.text = "no gate is a disc or a rectangle, so the opening and the duration are unknown";
    else if (flow.blocked)
        flow.text =
            fmt::format("nothing flows through an opening of {}: it is narrower than {} balls", holes, beverloo_k);
    else
        flow.text = fmt::format(
            "about {:.3g} kg/s through {}; Beverloo (1961): {} rho_b sqrt(g) (D - {} d)^2.5{}, rho_b = {:.4g} kg/m^3, "
            "d = {}; an "
            "estimate: steep hoppers flow faster",
            flow.rate, holes, beverloo_c, beverloo_k,
            holes.find(" x ") == std::string::npos ? "" : " with the hydraulic diameter", bulk, si_text(d, "m"));
    return flow;
}

std::vector<StagePlan> estimate_stages(const Case& c, const Setup& setup, const std::vector<Stage>& stages,
                                       const Grain& grain, std::vector<std::string>& notes,
                                       std::vector<std::string>& remarks) {
    std::vector<StagePlan> plans;
    double balls = grain.start_count, mass = grain.start_mass;
    const double g = norm(setup.gravity), fall = fall_height(c, setup, grain);
    for (std::size_t k = 0; k < stages.size(); ++k) {
        const Stage& s = stages[k];
        double after = balls, rain = 0;
        const auto come_in = [&](const InsertionSpec& i) {
            const double each = mean_mass(i.balls);
            const double n = i.mass > 0 ? i.mass / each : static_cast<double>(i.total);
            after += n * mean_bodies(i.balls), mass += n * each;
            const double at_event = i.mass_due > 0 ? i.mass_due / each
                                    : i.due > 0    ? i.due
                                                   : static_cast<double>(i.per_event);
            rain = std::max(rain, (n / at_event) * static_cast<double>(i.interval) * s.dt);
        };
        for (const InsertionSpec& i : s.insertions) come_in(i);
        if (k == 0)  // an [[insert]] without a stage; most of it comes in early
            for (const InsertionSpec& i : setup.insertions) come_in(i);
        StagePlan p{s.name, static_cast<double>(s.longest) * s.dt,
                    s.dt,   static_cast<std::uint64_t>(balls),
                    0,      s.type != Stage::Type::run};
        double expected = p.time;
        const auto at_most = [&](double time) { expected = p.time > 0 ? std::min(p.time, time) : time; };
        switch (s.type) {
            case Stage::Type::run: break;
            case Stage::Type::fill: at_most(std::max(rain, static_cast<double>(s.look_every) * s.dt)); break;
            case Stage::Type::settle:
                at_most((g > 0 ? falls_to_settle * std::sqrt(2 * fall / g) : 0) + static_cast<double>(s.rest) * s.dt);
                break;
            case Stage::Type::discharge: {
                const OutflowEstimate flow = outflow_of(c, setup, k, grain);
                const double stall = static_cast<double>(s.stall) * s.dt;
                if (flow.rate > 0) at_most(mass / flow.rate + (s.until_empty ? 0 : stall));
                else if (flow.blocked && stall > 0) at_most(stall);
                notes.push_back(fmt::format("the stage \"{}\": {}", s.name, flow.text));
                if (flow.widest > 0 && 2 * setup.largest_radius >= flow.widest)
                    remarks.push_back(
                        fmt::format("the largest ball, {} across, does not pass the opening of {} of the stage \"{}\": "
                                    "are all lengths in m? "
                                    "(sieve_sizes are diameters)",
                                    si_text(2 * setup.largest_radius, "m"), si_text(flow.widest, "m"), s.name));
                if (s.until_empty && !flow.blocked) after = 0, mass = 0;
                break;
            }
        }
        p.balls_end = static_cast<std::uint64_t>(after), p.expected = expected;
        plans.push_back(p);
        balls = after;
    }
    return plans;
}

}  // namespace granary
