// The fixed cubes (Lazarević 2002, section 3; Munjiza 2006, eqs. 3-5): space is cut into cubes of edge a, a body
// belongs to the cube that holds its centre. Cubes are half-open, [k a, (k+1) a), and numbered from 0 at the
// lower corner of the domain, by floor: the ceiling of (7) and the truncation of (5) both put some centres
// outside the range of cubes.
//
// A cube travels as one packed 64-bit number, z above y above x, 21 bits each, every digit raised by one:
// a neighbour's or an image's digit k - 1 never borrows from the digit above, so comparing packed numbers is the
// ordering criterion (7) of Munjiza, and neighbouring cubes differ by constants.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include "core/domain.hpp"
#include "core/errors.hpp"
#include "core/vec.hpp"

namespace granary {

using Cube = std::uint64_t;

inline constexpr int digit_bits = 21;
inline constexpr Cube digit_mask = (Cube{1} << digit_bits) - 1;
inline constexpr std::array<Cube, 3> cube_step{1, Cube{1} << digit_bits,
                                               Cube{1} << (2 * digit_bits)};  // one cube along x, y, z
inline constexpr Cube no_cube = ~Cube{0};

constexpr Cube pack(int kx, int ky, int kz) {
    return static_cast<Cube>(kx + 1) * cube_step[0] + static_cast<Cube>(ky + 1) * cube_step[1] +
           static_cast<Cube>(kz + 1) * cube_step[2];
}
constexpr int digit(Cube c, int axis) { return static_cast<int>((c >> (axis * digit_bits)) & digit_mask) - 1; }

class Cubes {
  public:
    Cubes() = default;

    // smallest_edge: 2 R_max + c + skin, the farthest at which two bodies must find each other.
    Cubes(const Domain& domain, double smallest_edge) : domain_(domain) {
        const double a = smallest_edge * (1 + 1e-9);  // covers the rounding of floor((x - x0)/a)
        for (int axis = 0; axis < 3; ++axis) {
            const double length = at(domain.upper, axis) - at(domain.lower, axis);
            const double n = std::floor(length / a) + (domain.periodic[axis] ? 0 : 1);
            if (domain.periodic[axis] && n < 2)
                throw InputError("the domain is only " + std::to_string(length) +
                                 " m long along a periodic axis: it needs at least two cubes of " + std::to_string(a) +
                                 " m (largest ball diameter + reach of the law + skin), or a ball could touch another "
                                 "one on both sides; lengthen it, or set a smaller run.skin");
            if (n > static_cast<double>(digit_mask) - 2)
                throw InputError("the domain is more than two million cubes long along an axis: shrink it");
            count[axis] = static_cast<int>(n);
            at(edge, axis) = domain.periodic[axis] ? length / n : a;
            inverse_edge_[axis] = 1.0 / at(edge, axis);
        }
    }

    // The cube of a centre inside the domain.
    Cube of(const Vec3d& x) const { return pack(digit_of(x, 0), digit_of(x, 1), digit_of(x, 2)); }

    bool is_image(Cube c) const {  // of a body across x or y
        return (domain_.periodic[0] && outside(digit(c, 0), 0)) || (domain_.periodic[1] && outside(digit(c, 1), 1));
    }
    // Along a period of two cubes a body and an image of it may both be candidates of a third one, but of the two only
    // the nearer one can touch: a period is twice as long as the farthest candidates are apart. Is this difference of
    // positions that of the nearer one?
    bool has_two_along_a_period() const {
        bool two = false;
        for (int axis = 0; axis < 3; ++axis) two |= domain_.periodic[axis] && count[axis] == 2;
        return two;
    }
    bool is_nearest(const Vec3d& difference) const {
        bool near = true;
        for (int axis = 0; axis < 3; ++axis)
            near &= !domain_.periodic[axis] || std::abs(at(difference, axis)) <= at(edge, axis) * (0.5 * count[axis]);
        return near;
    }
    // The difference to the nearest image, of two centres inside the domain; exact, since positions lie on a lattice.
    Vec3d nearest(Vec3d difference) const {
        const Vec3d period = domain_.upper - domain_.lower;
        double* const d[] = {&difference.x, &difference.y, &difference.z};
        for (int axis = 0; axis < 3; ++axis) {
            if (!domain_.periodic[axis] || std::abs(*d[axis]) <= 0.5 * at(period, axis)) continue;
            *d[axis] += *d[axis] > 0 ? -at(period, axis) : at(period, axis);
        }
        return difference;
    }
    const Domain& domain() const { return domain_; }
    int layers() const { return count[2]; }

    std::array<int, 3> count{};
    Vec3d edge;

  private:
    int digit_of(const Vec3d& x, int axis) const {
        const double k = std::floor((at(x, axis) - at(domain_.lower, axis)) * inverse_edge_[axis]);
        return static_cast<int>(std::clamp(k, 0.0, static_cast<double>(count[axis] - 1)));
    }
    bool outside(int k, int axis) const { return k < 0 || k >= count[axis]; }

    Domain domain_;
    std::array<double, 3> inverse_edge_{};
};

}  // namespace granary
