#include "io/case/case_numbers.hpp"
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include "contact/hertz_mindlin_huang2020.hpp"
#include "contact/restitution.hpp"
#include "contact/rolling_ai2011.hpp"
#include "core/contact_record.hpp"
#include "core/columns.hpp"
#include "core/bodies.hpp"

namespace granary {
namespace {

constexpr double several_contacts = 3;  // that a linear spring counts for, see case_numbers.hpp

double ball_mass(double density, double r) { return 4.0 / 3.0 * std::numbers::pi * density * r * r * r; }

// Stiffness and damping of the tangential and of the rolling spring. N/m, N s/m, N m, N m s.
struct Sideways {
    double k_t = 0, c_t = 0, k_r = 0, c_r = 0;
};

// inverse_inertia: 1/I_i + 1/I_j, 1/(kg m^2). The overlap must be known.
Sideways sideways(const PairScale& p, const LawSettings& law, double inverse_inertia) {
    Sideways s;
    const PairValues& v = p.values;
    if (!(v.friction > 0) && law.rolling != LawSettings::Rolling::spring) return s;
    double secant = 0;  // normal force over overlap, N/m
    if (law.type == LawSettings::Type::hertz_mindlin) {
        const auto parameters = HertzMindlin::make(v.young, v.shear, v.restitution, v.friction);
        const double contact = std::sqrt(p.effective_radius * p.overlap);
        s.k_t = parameters.mindlin * contact, s.c_t = parameters.damping_t * std::sqrt(contact * p.effective_mass);
        secant = parameters.hertz * contact;
    } else if (law.type == LawSettings::Type::linear) {
        s.k_t = v.stiffness_ratio * v.stiffness;
        s.c_t = 2 * damping_ratio(v.restitution) * std::sqrt(s.k_t * p.effective_mass);
        secant = v.stiffness;
    }
    if (!(v.friction > 0)) s.k_t = s.c_t = 0;
    if (law.rolling == LawSettings::Rolling::spring) {
        s.k_r = RollingSpring<HertzMindlin>::stiffness(secant, v.rolling_friction * p.effective_radius);
        s.c_r = 2 * v.rolling_damping * std::sqrt(3.5 / inverse_inertia * s.k_r);  // I + m r^2 = 7/2 I
    }
    return s;
}

// From m*, R* and the numbers of the pair on to overlap, stiffness, damping and time.
void fill_in(PairScale& p, const LawSettings& law, double speed) {
    const double m = p.effective_mass;
    const PairValues& v = p.values;
    switch (law.type) {
        case LawSettings::Type::hertz_mindlin: {
            p.overlap = hertz_overlap(m, p.effective_radius, v.young, speed);
            // Force law at that overlap: derivative of hertz s delta, factor of the normal speed.
            const auto parameters = HertzMindlin::make(v.young, v.shear, v.restitution, v.friction);
            const double s = std::sqrt(p.effective_radius * p.overlap);
            p.stiffness = 1.5 * parameters.hertz * s;
            p.damping = parameters.damping_n * std::sqrt(s * m);
            p.zeta = damping_ratio(v.restitution);
            p.contact_time = hertz_time(m, p.effective_radius, v.young, speed);
            return;
        }
        case LawSettings::Type::linear:
            p.stiffness = v.stiffness;
            p.zeta = damping_ratio(v.restitution);
            p.damping = 2 * p.zeta * std::sqrt(p.stiffness * m);
            break;
        case LawSettings::Type::kelvin_voigt:
            p.stiffness = v.stiffness;
            p.damping = v.damping;
            p.zeta = p.damping / (2 * std::sqrt(p.stiffness * m));
            break;
    }
    p.overlap = speed * std::sqrt(m / p.stiffness);
    p.contact_time = collision_time(p.stiffness, m, 0);
    if (p.zeta >= 1) p.contact_time /= p.zeta + std::sqrt(p.zeta * p.zeta - 1);
}

// The deepest overlap of a hit of a damped oscillator, as a share of that without damping: exp(-zeta phi/sin phi), cos phi = zeta, from
// x(t) = v/w_d exp(-zeta w t) sin(w_d t), whose first maximum is at w_d t = phi. Beyond critical damping with hyperbolic functions.
double damped_share(double zeta) {
    const double root = std::sqrt(std::abs(1 - zeta * zeta));
    if (root < 1e-6) return std::exp(-1.0);
    return std::exp(-zeta / root * (zeta < 1 ? std::acos(zeta) : std::acosh(zeta)));
}

}  // namespace

std::vector<MaterialScale> material_scales(std::span<const Material> materials, std::span<const MaterialUse> uses,
                                           const LawSettings& law) {
    std::vector<MaterialScale> scales;
    if (law.type != LawSettings::Type::hertz_mindlin) return scales;
    for (std::size_t i = 0; i < materials.size(); ++i)
        if (const auto& r = uses[i].smallest_radius)
            scales.push_back({materials[i].name, *r, rayleigh_time(materials[i], *r)});
    return scales;
}

std::vector<PairScale> pair_scales(std::span<const Material> materials, std::span<const PairOverride> overrides,
                                   const LawSettings& law, std::span<const MaterialUse> uses, double speed) {
    const std::vector<PairValues> values = resolve_pairs(materials, overrides, law);
    const std::size_t n = materials.size();
    std::vector<PairScale> scales;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i; j < n; ++j) {
            const auto &ri = uses[i].smallest_radius, &rj = uses[j].smallest_radius;
            PairScale p;
            double smaller_radius = 0;
            if (ri && rj) {
                p.effective_mass =
                    mix(Mixing::series, ball_mass(materials[i].density, *ri), ball_mass(materials[j].density, *rj));
                p.effective_radius = mix(Mixing::series, *ri, *rj);
                smaller_radius = std::min(*ri, *rj);
            } else if ((ri && uses[j].of_walls) || (rj && uses[i].of_walls)) {
                p.at_wall = true;
                smaller_radius = p.effective_radius = ri ? *ri : *rj;
                p.effective_mass = ball_mass(materials[ri ? i : j].density, smaller_radius);
            } else {
                continue;  // never meet
            }
            const auto inverse_inertia = [&](std::size_t k) {  // of the smallest ball, I = 2/5 m r^2
                const auto& r = uses[k].smallest_radius;
                return r ? 2.5 / (ball_mass(materials[k].density, *r) * *r * *r) : 0;
            };
            const double turning = inverse_inertia(i) + inverse_inertia(j);
            // The ball first, then the wall.
            p.first = materials[ri ? i : j].name, p.second = materials[ri ? j : i].name;
            p.values = values[i * n + j];
            fill_in(p, law, speed);
            const Sideways s = sideways(p, law, turning);
            const double at_once = law.type == LawSettings::Type::hertz_mindlin ? 1 : several_contacts;
            p.stable_step = stable_step(at_once * (3.5 * s.k_t / p.effective_mass + s.k_r * turning),
                                        at_once * (3.5 * s.c_t / p.effective_mass + s.c_r * turning));
            p.overlap_share = damped_share(p.zeta) * p.overlap / smaller_radius;
            scales.push_back(p);
        }
    return scales;
}

double hertz_overlap(double effective_mass, double effective_radius, double effective_young, double v) {
    return std::pow(15.0 * effective_mass * v * v / (16.0 * effective_young * std::sqrt(effective_radius)), 0.4);
}

double highest_speed(double height, double gravity, double start_speed) {
    return std::sqrt(start_speed * start_speed + 2 * gravity * height);
}

double largest_dt(std::span<const MaterialScale> materials, std::span<const PairScale> pairs) {
    double dt = std::numeric_limits<double>::infinity();
    for (const MaterialScale& m : materials) dt = std::min(dt, largest_rayleigh_share * m.rayleigh_time);
    for (const PairScale& p : pairs)
        dt = std::min({dt, largest_contact_share * p.contact_time, largest_stable_share * p.stable_step});
    return dt;
}

double stable_step(double omega_squared, double damping) {
    // The positive root of omega^2 dt^2 + 2 damping dt = 4.
    return 4 / (damping + std::sqrt(damping * damping + 4 * omega_squared));
}

Memory memory_of(std::uint64_t balls, double detector_bytes_a_ball, std::uint64_t wall_balls) {
    const auto n = static_cast<double>(balls);
    const double walls = bytes_a_wall_ball * static_cast<double>(wall_balls);
    return {(steady_bytes_a_ball + detector_bytes_a_ball) * n + walls,
            (peak_bytes_a_ball + detector_bytes_a_ball) * n + walls};
}

double memory_of_machine() {
    const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? static_cast<double>(pages) * static_cast<double>(page) : 0;
}

double state_bytes(std::uint64_t balls, double springs_a_ball) {
    std::size_t of_ball = 0;
    for (const FieldRow& field : fields)
        if (field.is(field::saved) && !field.is_optional()) of_ball += field.bytes();
    return static_cast<double>(balls) *
           (static_cast<double>(of_ball) + springs_a_ball * static_cast<double>(sizeof(ContactRecord)));
}

std::uint64_t StagePlan::steps() const {
    return length() > 0 && dt > 0 ? static_cast<std::uint64_t>(std::llround(length() / dt)) : 0;
}

double StagePlan::ball_steps() const {
    return static_cast<double>(steps()) * (static_cast<double>(balls_begin) + static_cast<double>(balls_end)) / 2;
}

double core_hours(double ball_steps, double speed) { return ball_steps / speed / 3600; }

double wall_seconds(double ball_steps, double speed, int ranks, int filled_layers) {
    const double layers = std::max(1.0, static_cast<double>(filled_layers) / ranks);
    return ball_steps / speed / ranks * (ranks > 1 ? 1 + 1 / layers : 1);
}

int most_ranks(int filled_layers) { return std::max(1, filled_layers / 2); }

}  // namespace granary
