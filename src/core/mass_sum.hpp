// A sum of masses that is the same in whatever order they are added, on any number of ranks: it counts whole numbers of
// a power of two. Two words, because one of them cannot hold both all the balls of a run and the last digits of its
// lightest: a ball a thousand times smaller than the largest is 1e9 times lighter, and still counts to 2^-53 of its
// mass.
#pragma once
#include <cmath>
#include <cstdint>

namespace granary {

struct MassSum {
    std::uint64_t units = 0;
    std::uint64_t parts = 0;  // of a unit, 2^part_bits of them; fewer than one unit after add and tidy

    static constexpr int part_bits = 52;

    // unit: kg, a power of two, the same for all; mass: kg, not negative.
    void add(double mass, double unit) {
        const double in_units = mass / unit, whole = std::floor(in_units);
        units += static_cast<std::uint64_t>(whole);
        parts += static_cast<std::uint64_t>(std::llround(std::ldexp(in_units - whole, part_bits)));
        tidy();
    }
    // Words may be summed over ranks one by one (up to 2^11 of them) and are then put in order.
    void tidy() {
        units += parts >> part_bits;
        parts &= (std::uint64_t{1} << part_bits) - 1;
    }
    double mass(double unit) const {  // kg
        return (static_cast<double>(units) + std::ldexp(static_cast<double>(parts), -part_bits)) * unit;
    }
};

}  // namespace granary
