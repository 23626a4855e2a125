// The slab axis is always the third one inside. A case that wants slabs along x or y has its axes turned round in a circle on the way in
// and back on the way out, and nowhere else; a circular change keeps right hands right, and moves numbers without touching their bits.
#pragma once
#include <algorithm>
#include <array>
#include "core/bodies.hpp"
#include "core/domain.hpp"
#include "core/vec.hpp"

namespace granary {

class Axes {
  public:
    // slab_axis: 0, 1, 2 for x, y, z of the user.
    explicit Axes(int slab_axis = 2) : shift_((slab_axis + 1) % 3) {}

    bool turned() const { return shift_ != 0; }
    // Component k inside is component (k + shift) mod 3 of the user: for x, (y, z, x) of the user is (x, y, z) inside.
    template <class T> std::array<T, 3> in(const std::array<T, 3>& a) const {
        return {a[shift_], a[(shift_ + 1) % 3], a[(shift_ + 2) % 3]};
    }
    template <class T> std::array<T, 3> out(const std::array<T, 3>& a) const {
        const int back = (3 - shift_) % 3;
        return {a[back], a[(back + 1) % 3], a[(back + 2) % 3]};
    }
    Vec3d in(const Vec3d& a) const { return vec(in(std::array{a.x, a.y, a.z})); }
    Vec3d out(const Vec3d& a) const { return vec(out(std::array{a.x, a.y, a.z})); }
    Domain in(const Domain& d) const { return {in(d.lower), in(d.upper), in(d.periodic)}; }
    Domain out(const Domain& d) const { return {out(d.lower), out(d.upper), out(d.periodic)}; }
    // The user's name of axis k inside.
    char name(int k) const { return "xyz"[(k + shift_) % 3]; }

    // All vectors of the real bodies, from inside to the user's axes or back.
    void turn(Bodies& bodies, bool outward) const {
        if (!turned()) return;
        const auto turn_column = [&](auto& view) {
            for (const Range& run : bodies.real)
                for (Index i = run.begin; i < run.end; ++i) {
                    const std::array a{view(i, 0), view(i, 1), view(i, 2)};
                    const std::array b = outward ? out(a) : in(a);
                    std::copy_n(b.begin(), 3, &view(i, 0));
                }
        };
        turn_column(bodies.position), turn_column(bodies.velocity), turn_column(bodies.spin);
        turn_column(bodies.force), turn_column(bodies.torque), turn_column(bodies.reference);
        bodies.for_each_derivative([&](const char*, Quads& view) { turn_column(view); });
    }

  private:
    static Vec3d vec(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }
    int shift_ = 0;
};

}  // namespace granary
