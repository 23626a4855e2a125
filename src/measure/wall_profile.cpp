#include "measure/wall_profile.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace granary {

void add_contact(std::span<double> sums, const WallBins& bins, const WallSample& c) {
    double* const s = sums.data() + n_profile_sums * bins.of(c.point);
    s[0] += dot(c.force, c.normal);  // the normal points at the ball: what pushes the ball away pushes on the wall
    s[1] += dot(c.force, bins.along(c.point, c.normal));  // holds the ball up, so it pulls the wall down
    s[2] -= dot(c.force, bins.sideways(c.point, c.normal));
}

void ProfileLooks::clear() {
    looks = 0;
    sum.clear(), least.clear(), most.clear();
}

void ProfileLooks::add(std::span<const double> sums, const WallBins& bins) {
    const bool first = looks == 0;
    if (first) sum.assign(sums.size(), 0.0), least.resize(sums.size()), most.resize(sums.size());
    ++looks;
    for (std::size_t k = 0; k < sums.size(); ++k) {
        const std::size_t bin = k / n_profile_sums;
        const double area = bins.area(bin / bins.sectors(), bin % bins.sectors());
        const double stress = area > 0 ? sums[k] / area : 0.0;  // a mesh need not have a surface everywhere
        sum[k] += stress;
        least[k] = first ? stress : std::min(least[k], stress);
        most[k] = first ? stress : std::max(most[k], stress);
    }
}

std::size_t BulkColumn::slice(const Vec3d& x) const {
    double z = 0;
    if (!bin_.holds(x, z)) return slices;
    return std::min(static_cast<std::size_t>(z / height() * slices), slices - 1);
}

BulkColumn::Fill BulkColumn::fill(std::span<const double> mass) const {
    double total = 0;
    for (const double m : mass) total += m;
    if (!(total > 0)) return {};
    const double step = height() / slices;
    const auto height_of = [&](double share) {
        double below = 0;
        for (std::size_t k = 0; k < slices; ++k) {
            if (below + mass[k] >= share * total)
                return step * (static_cast<double>(k) + (mass[k] > 0 ? (share * total - below) / mass[k] : 0.0));
            below += mass[k];
        }
        return height();
    };
    const double low = height_of(0.1), high = height_of(0.7);
    if (!(high > low)) return {};
    const double density = 0.6 * total / (area() * (high - low));
    return {density, high + 0.3 * total / (density * area())};
}

double BulkColumn::mass_above(std::span<const double> mass, double h) const {
    const double at = h / height() * slices;
    double above = 0;
    for (std::size_t k = 0; k < slices; ++k) above += mass[k] * std::clamp(static_cast<double>(k + 1) - at, 0.0, 1.0);
    return above;
}

}  // namespace granary
