// Cubes of a detector's own, over the bodies that one rank holds, ghosts and images included. They are no part of the
// one order: whatever their edge and origin, a detector must find the same pairs.
//
// A cube's key has its digits z above y above x, as in cubes.hpp, with only as many bits a digit as the bodies' box
// needs: short keys are cheap to sort. Digits begin at 1 and the last one leaves room for one more, so the digits
// of neighbours neither borrow nor carry.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include "core/bodies.hpp"
#include "search/cubes.hpp"

namespace granary {

class LocalCubes {
  public:
    // No axis gets more cubes than this: over longer distances cubes are longer than asked for, never shorter.
    static constexpr double most_cubes = 1 << 20;
    // Cubes are a little longer than asked for; covers the rounding of floor((x - x0)/a) at that many cubes.
    static constexpr double share_on_top = 1 + 1e-8;

    LocalCubes() = default;
    // For centres from lower to upper; two centres nearer than smallest_edge are never more than one cube apart.
    LocalCubes(const Vec3d& lower, const Vec3d& upper, double smallest_edge) : lower_(lower) {
        std::array<int, 3> bits;
        for (int axis = 0; axis < 3; ++axis) {
            const double length = at(upper, axis) - at(lower, axis);
            at(edge, axis) = std::max(smallest_edge * share_on_top, length / most_cubes);
            if (!(at(edge, axis) > 0)) at(edge, axis) = 1;  // points in a plane
            inverse_[axis] = 1 / at(edge, axis);
            bits[axis] = bits_for(static_cast<std::uint64_t>(length * inverse_[axis]) + 2);
        }
        set_bits(bits);
    }
    // The cubes of the one order, for centres in layers first to last.
    LocalCubes(const Cubes& cubes, int first_layer, int last_layer) : lower_(cubes.domain().lower), edge(cubes.edge) {
        lower_ = lower_ - edge;  // images stand in cubes -1
        lower_.z = cubes.domain().lower.z + first_layer * edge.z;
        first_layer_ = first_layer;
        for (int axis = 0; axis < 3; ++axis) inverse_[axis] = 1 / at(edge, axis);
        set_bits({bits_for(static_cast<std::uint64_t>(cubes.count[0]) + 4),
                  bits_for(static_cast<std::uint64_t>(cubes.count[1]) + 4),
                  bits_for(static_cast<std::uint64_t>(last_layer - first_layer) + 3)});
    }

    std::uint64_t key(const Vec3d& x) const {
        return (digit(x.z, 2) << shift_[2]) + (digit(x.y, 1) << shift_[1]) + digit(x.x, 0);
    }
    // Of a cube of the one order, for cubes made from these. Keeps that order.
    std::uint64_t key(Cube c) const {
        return (static_cast<std::uint64_t>(granary::digit(c, 2) - first_layer_ + 1) << shift_[2]) +
               (static_cast<std::uint64_t>(granary::digit(c, 1) + 2) << shift_[1]) +
               static_cast<std::uint64_t>(granary::digit(c, 0) + 2);
    }
    int key_bits() const { return bits_; }
    std::uint64_t step(int axis) const { return std::uint64_t{1} << shift_[axis]; }  // from a cube to the next
    int digit_of(std::uint64_t key, int axis) const {
        const std::uint64_t above = axis == 2 ? key : key & (step(axis + 1) - 1);
        return static_cast<int>(above >> shift_[axis]);
    }
    double lower_face(std::uint64_t key, int axis) const {  // of a cube, m
        return at(lower_, axis) + (digit_of(key, axis) - 1) * at(edge, axis);
    }
    // Distances from a centre to the lower face of its cube, by axis.
    Vec3d above_lower_face(const Vec3d& x, std::uint64_t key) const {
        return {x.x - lower_.x - (digit_of(key, 0) - 1) * edge.x, x.y - lower_.y - (digit_of(key, 1) - 1) * edge.y,
                x.z - lower_.z - (digit_of(key, 2) - 1) * edge.z};
    }

  private:
    static int bits_for(std::uint64_t largest) { return static_cast<int>(std::bit_width(largest)); }
    void set_bits(const std::array<int, 3>& bits) {
        shift_ = {0, bits[0], bits[0] + bits[1]};
        bits_ = bits[0] + bits[1] + bits[2];
    }
    std::uint64_t digit(double x, int axis) const {
        return static_cast<std::uint64_t>((x - at(lower_, axis)) * inverse_[axis]) + 1;  // never negative
    }

    Vec3d lower_;
    std::array<double, 3> inverse_{};
    std::array<int, 3> shift_{};
    int bits_ = 0, first_layer_ = 0;

  public:
    Vec3d edge;  // m
};

}  // namespace granary
