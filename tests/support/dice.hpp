// Random numbers for tests: a fixed seed, the same numbers in every run and with every standard library.
#pragma once
#include <cmath>
#include <cstdint>
#include <random>
#include "core/vec.hpp"

namespace granary::test {

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}

    std::uint64_t bits() { return engine_(); }
    int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
    bool one_in(int n) { return below(n) == 0; }
    double uniform(double from, double to) {
        return from + (to - from) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
    }
    Vec3d vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
    Vec3d within(const Vec3d& lower, const Vec3d& upper) {
        return {uniform(lower.x, upper.x), uniform(lower.y, upper.y), uniform(lower.z, upper.z)};
    }

  private:
    std::mt19937_64 engine_;
};

}  // namespace granary::test
