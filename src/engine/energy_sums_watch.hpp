// Writes down in the energy sums what each contact stores and loses: by layer, where the lower body is real.
#pragma once
#include "contact/energy_watch.hpp"
#include "engine/body_layers.hpp"
#include "engine/energy_sums.hpp"

namespace granary {

class EnergySumsWatch final : public EnergyWatch {
  public:
    EnergySumsWatch(EnergySums& sums, const BodyLayers& layers) : sums_(sums), layers_(layers) {}

    void see(const ContactEnergy<Real4>& e, const std::array<std::size_t, 4>& quad_of_i, Index filled) override {
        for (Index lane = 0; lane < filled; ++lane) {
            const Index i = static_cast<Index>(quad_of_i[lane] / 4);
            if (!layers_.is_real(i)) continue;
            sums_.add(layers_(i), e.damping[lane], e.friction[lane], e.rolling[lane], e.stiffening[lane],
                      e.stored[lane]);
        }
    }
    void see(const ContactEnergy<double>& e, Index i) override {
        if (layers_.is_real(i)) sums_.add(layers_(i), e.damping, e.friction, e.rolling, e.stiffening, e.stored);
    }
    void see_at_wall(const ContactEnergy<double>& e, Index i, std::uint32_t wall) override {
        see(e, i);
        sums_.add_at_wall(layers_(i), wall, e.stored);
    }
    void wall_works(Index i, double energy) override { sums_.add(layers_(i), EnergySums::walls, energy); }

  private:
    EnergySums& sums_;
    BodyLayers layers_;
};

}  // namespace granary
