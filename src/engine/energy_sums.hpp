// The energy of a run over time: what came in, where it went. Kept only if the case asks for it (output.energy).
//
// Sums over time live by layer of the last sort and move with it when cuts move; a contact is counted once, at its
// lower body. Totals are taken over the layers in order, so they have the same bits on any number of ranks.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace granary {

// Energies of all bodies now, J, and what has gone since the start.
struct EnergyBalance {
    double kinetic = 0, potential = 0, elastic = 0;  // now; potential -m g.x
    double in = 0;                                   // all at the start, and of balls that were inserted
    double walls = 0;                                // work that moving walls and what moves held bodies have done
    double stiffening = 0;                           // see contact_energy.hpp
    double damped = 0, friction = 0, rolling = 0;    // lost by dampers, sliding and rolling friction
    double bonds = 0;                                // now, strain of bonds
    double bond_damping = 0, breaks = 0;             // lost by dampers of bonds, and with bonds that broke
    double out = 0;                                  // of balls that have left, and of contacts with gates that opened
    double out_moving = 0;                           // of `out` the part of their motion
    double out_bonds = 0;                            // strain of bonds that were cut because a body left

    // What none of the formulas explains: the error of the integration in time.
    double residual() const {
        return in + walls + stiffening -
               (kinetic + potential + elastic + damped + friction + rolling + out + out_bonds + bonds + bond_damping +
                breaks);
    }

    // What the residual is to be measured by: energy that has changed its form. `in` would not do, it depends on where
    // the origin is, and grain that lies still has much of it. Motion and springs now, motion that has left, all that
    // was lost; or the work of the walls if that is more, as when they lift grain gently.
    double turned_over() const {
        return std::max(kinetic + elastic + out_moving + damped + friction + rolling + bonds + bond_damping + breaks,
                        std::abs(walls));
    }
};

class EnergySums {
  public:
    enum Item { in, walls, stiffening, damped, friction, rolling, out, out_moving, elastic };
    static constexpr int width = 9;

    void start(std::size_t n_layers, std::size_t n_walls) {
        n_walls_ = n_walls;
        sums_.assign(n_layers * width, 0.0);
        at_walls_.assign(n_layers * n_walls, 0.0);
    }
    void add(std::size_t layer, Item item, double energy) { sums_[layer * width + item] += energy; }
    void add(std::size_t layer, double damping, double sliding, double turning, double stiffened, double stored) {
        double* const s = sums_.data() + layer * width;
        s[damped] += damping, s[friction] += sliding, s[rolling] += turning, s[stiffening] += stiffened,
            s[elastic] += stored;
    }
    void add_at_wall(std::size_t layer, std::size_t wall, double stored) {
        at_walls_[layer * n_walls_ + wall] += stored;
    }
    // Elastic energy is that of now: forces are about to be made anew.
    void forget_elastic() {
        for (std::size_t k = elastic; k < sums_.size(); k += width) sums_[k] = 0;
        std::fill(at_walls_.begin(), at_walls_.end(), 0.0);
    }
    // A wall is gone, and with it what its contacts store.
    void open_wall(std::size_t wall) {
        for (std::size_t k = wall, layer = 0; k < at_walls_.size(); k += n_walls_, ++layer)
            add(layer, out, at_walls_[k]);
    }
    template <class Io> void run_state(Io& io) {
        io.layers("energy.sums", sums_, width);
        if (n_walls_ > 0) io.layers("energy.at_walls", at_walls_, static_cast<int>(n_walls_));
    }
    std::span<const double> layers() const { return sums_; }
    std::span<const double> at_walls() const { return at_walls_; }
    void set_layers(std::vector<double> sums) {  // other layers, at a rebuild: forces follow
        sums_ = std::move(sums);
        at_walls_.assign(sums_.size() / width * n_walls_, 0.0);
    }

  private:
    std::vector<double> sums_;      // by layer of this rank, then by item
    std::vector<double> at_walls_;  // elastic, by layer and wall
    std::size_t n_walls_ = 0;
};

}  // namespace granary
