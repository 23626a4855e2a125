// Positions are kept on a lattice of step q = 2^(e-50) m, with 2^e at least the largest coordinate. Sums and
// differences of lattice points are then exact, so a pair seen across a periodic face has to the last bit
// the geometry of a pair seen inside, and a shift by the period and back is the identity.
// The step is a billionth of a millionth of the domain: far below any physical length.
#pragma once
#include <algorithm>
#include <cmath>
#include "core/domain.hpp"

namespace granary {

class PositionLattice {
  public:
    PositionLattice() = default;
    explicit PositionLattice(const Domain& domain) {
        double largest = 0;
        for (int axis = 0; axis < 3; ++axis)
            largest = std::max({largest, std::abs(at(domain.lower, axis)), std::abs(at(domain.upper, axis)),
                                at(domain.upper, axis) - at(domain.lower, axis)});
        int e = 0;
        std::frexp(largest, &e);  // largest < 2^e
        step_ = std::ldexp(1.0, e - 50);
        shifter_ = 1.5 * std::ldexp(1.0, 52) * step_;
    }

    double step() const { return step_; }
    double shifter() const { return shifter_; }

    // The nearest lattice point: adding the large number rounds to a multiple of q, taking it off is exact.
    // The compiler must not simplify this; the build never allows reassociation.
    double snap(double x) const { return (x + shifter_) - shifter_; }
    Vec3d snap(const Vec3d& x) const { return {snap(x.x), snap(x.y), snap(x.z)}; }
    Domain snap(const Domain& d) const { return {snap(d.lower), snap(d.upper), d.periodic}; }

  private:
    double step_ = 0, shifter_ = 0;
};

}  // namespace granary
