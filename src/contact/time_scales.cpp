#include "contact/time_scales.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/elementary.hpp"

namespace granary {
namespace {

double ball_mass(double density, double r) { return 4.0 / 3.0 * std::numbers::pi * density * r * r * r; }

// inverse_inertia: 1/I_i + 1/I_j, 1/(kg m^2). The hit must be known.
double stable_step_of(const PairScale& p, const LawSettings& law, double inverse_inertia) {
    const PairValues& v = p.values;
    const bool rubs = v.friction > 0;
    const double k_t = rubs ? p.k_t : 0, c_t = rubs ? p.c_t : 0;
    double k_r = 0, c_r = 0;
    if (law.rolling == LawSettings::Rolling::spring) {
        k_r = rolling_stiffness(p.secant, v.rolling_friction * p.effective_radius);
        c_r = 2 * v.rolling_damping * std::sqrt(3.5 / inverse_inertia * k_r);  // I + m r^2 = 7/2 I
    }
    return stable_step(p.contacts_at_once * (3.5 * k_t / p.effective_mass + k_r * inverse_inertia),
                       p.contacts_at_once * (3.5 * c_t / p.effective_mass + c_r * inverse_inertia));
}

// The deepest overlap of a hit of a damped oscillator, as a share of that without damping: exp(-zeta phi/sin phi), cos
// phi = zeta, from x(t) = v/w_d exp(-zeta w t) sin(w_d t), whose first maximum is at w_d t = phi. Beyond critical
// damping with hyperbolic functions.
double damped_share(double zeta) {
    const double root = std::sqrt(std::abs(1 - zeta * zeta));
    if (root < 1e-6) return elementary::exp(-1.0);
    return elementary::exp(-zeta / root * (zeta < 1 ? elementary::acos(zeta) : elementary::acosh(zeta)));
}

}  // namespace

std::vector<MaterialScale> material_scales(std::span<const Material> materials, std::span<const MaterialUse> uses,
                                           const LawSettings& law) {
    std::vector<MaterialScale> scales;
    if (!facts_of(law.type).elastic_moduli) return scales;
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
            // The ball first, then the wall.
            p.first = materials[ri ? i : j].name, p.second = materials[ri ? j : i].name;
            p.values = values[i * n + j];
            static_cast<HitScale&>(p) = with_plain_law(
                law.type, [&]<class Law>() { return Law::hit(p.values, p.effective_mass, p.effective_radius, speed); });
            p.stable_step = stable_step_of(p, law, inverse_inertia(i) + inverse_inertia(j));
            p.overlap_share = damped_share(p.zeta) * p.overlap / smaller_radius;
            scales.push_back(p);
        }
    return scales;
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

}  // namespace granary
