#include "measure/field_sums.hpp"

namespace granary {

bool FieldShare::may_get(const CoarseGraining& to, const Vec3d& a, const Vec3d& b) const {
    const std::size_t layer =
        static_cast<std::size_t>(to.grid().counts[0]) * static_cast<std::size_t>(to.grid().counts[1]);
    const std::size_t end = first + sums.size() / n_field_sums;
    return to.reaches(a, b, static_cast<int>(first / layer), static_cast<int>((end + layer - 1) / layer));
}

void add_ball(const FieldShare& part, const CoarseGraining& to, const FieldBall& b) {
    if (!part.may_get(to, b.x, b.x)) return;
    const double mvv = b.mass * dot(b.v, b.v), contacts = b.contacts;
    to.spread(b.x, [&](std::size_t cell, double share) {
        double* const s = part.of(cell);
        if (s == nullptr) return;
        const double mass = share * b.mass;
        s[sum_mass] += mass;
        s[sum_volume] += share * b.volume;
        s[sum_px] += mass * b.v.x, s[sum_py] += mass * b.v.y, s[sum_pz] += mass * b.v.z;
        s[sum_mvv] += share * mvv;
        s[sum_balls] += share;
        s[sum_contacts] += share * contacts;
    });
}

void add_contact(const FieldShare& part, const CoarseGraining& to, const Vec3d& x_i, const Vec3d& other_end,
                 const Vec3d& f) {
    if (!part.may_get(to, x_i, other_end)) return;
    const Vec3d l = x_i - other_end;
    const double product[6] = {f.x * l.x,
                               f.y * l.y,
                               f.z * l.z,
                               0.5 * (f.x * l.y + f.y * l.x),
                               0.5 * (f.y * l.z + f.z * l.y),
                               0.5 * (f.x * l.z + f.z * l.x)};
    to.spread_along(x_i, other_end, [&](std::size_t cell, double share) {
        double* const s = part.of(cell);
        if (s == nullptr) return;
        for (int k = 0; k < 6; ++k) s[sum_xx + k] += share * product[k];
    });
}

FieldValues field_values(std::span<const double> sums, const Grid& grid, double looks) {
    FieldValues v;
    const double per_volume = looks > 0 ? 1 / (looks * grid.cell_volume()) : 0;
    for (std::size_t cell = 0; cell < grid.size(); ++cell) {
        const double* const s = sums.data() + n_field_sums * cell;
        const double mass = s[sum_mass], per_mass = mass > 0 ? 1 / mass : 0;
        const Vec3d mean{s[sum_px] * per_mass, s[sum_py] * per_mass, s[sum_pz] * per_mass};
        v.packing_fraction.push_back(s[sum_volume] * per_volume);
        v.density.push_back(mass * per_volume);
        v.velocity.push_back(mean);
        v.temperature.push_back(std::max(0.0, (s[sum_mvv] * per_mass - dot(mean, mean)) / 3));
        v.coordination.push_back(s[sum_balls] > 0 ? s[sum_contacts] / s[sum_balls] : 0.0);
        std::array<double, 6> stress{};
        for (std::size_t k = 0; k < 6; ++k) stress[k] = s[sum_xx + k] * per_volume;
        v.contact_stress.push_back(stress);
    }
    return v;
}

}  // namespace granary
