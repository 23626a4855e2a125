#include "engine/pieces.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>
#include "core/elementary.hpp"
#include "core/exact_sum.hpp"
#include "decomposition/exchange.hpp"
#include "engine/measures.hpp"

namespace granary {

namespace {

// What one rank has of a piece.
struct Share {
    Id label = 0;
    std::uint64_t bodies = 0;
    ExactSum mass, volume;

    void add(const Share& other) {
        bodies += other.bodies;
        for (int k = 0; k < ExactSum::n_digits; ++k)
            mass.digits[k] += other.mass.digits[k], volume.digits[k] += other.volume.digits[k];
    }
    Piece piece() const { return {label, bodies, mass.value(), volume.value()}; }
};

}  // namespace

void for_each_piece(const Simulation& sim, const std::function<bool(Index)>& counts,
                    const std::function<void(const Piece&)>& use) {
    const BondedPairs& bonds = sim.forces().bonds;
    const Bodies inside = bodies_inside(sim);
    const Neighbourhood& hood = sim.neighbourhood();
    const auto volume_of = [&](Index i) {
        const double density = sim.setup().materials[inside.material(i)].density, r = inside.radius(i);
        return density > 0 ? inside.mass(i) / density : 4.0 / 3.0 * std::numbers::pi * (r * r * r);
    };
    const std::vector<Id> label = bonds.labels(sim.comm(), sim.bodies(), hood);
    enum : char { single, bonded, across };  // across: to a body that is real elsewhere
    std::vector<char> how(sim.bodies().size, single);
    for (Index b = 0; b < bonds.list.size; ++b) {
        if (bonds.list.is_broken(b)) continue;
        const Index i = bonds.list.lower(b), j = bonds.list.upper(b);
        const char now = hood.is_real(sim.bodies(), i) && hood.is_real(sim.bodies(), j) ? bonded : across;
        how[i] = std::max(how[i], now), how[j] = std::max(how[j], now);
    }
    std::vector<Index> of_pieces;
    for (const Range& range : inside.real)
        for (Index i = range.begin; i < range.end; ++i) {
            if (how[i] != single) of_pieces.push_back(i);
            else if (counts(i)) use({inside.id(i), 1, inside.mass(i), volume_of(i)});
        }
    std::sort(of_pieces.begin(), of_pieces.end(), [&](Index a, Index b) { return label[a] < label[b]; });

    // A piece none of whose bonds leads away is whole here. The shares of others meet on one rank.
    std::vector<Share> parts;
    for (std::size_t k = 0; k < of_pieces.size();) {
        Share share;
        share.label = label[of_pieces[k]];
        bool whole = true;
        for (; k < of_pieces.size() && label[of_pieces[k]] == share.label; ++k) {
            const Index i = of_pieces[k];
            whole &= how[i] != across;
            if (!counts(i)) continue;
            ++share.bodies, share.mass.add(inside.mass(i)), share.volume.add(volume_of(i));
        }
        if (share.bodies == 0) continue;
        if (whole) use(share.piece());
        else parts.push_back(share);
    }
    const auto ranks = static_cast<std::uint64_t>(sim.comm().size());
    parts = to_owners(sim.comm(), std::span<const Share>(parts),
                      [&](const Share& s) { return static_cast<std::size_t>(s.label % ranks); });
    std::sort(parts.begin(), parts.end(), [](const Share& a, const Share& b) { return a.label < b.label; });
    for (std::size_t k = 0; k < parts.size();) {
        Share all = parts[k];
        for (++k; k < parts.size() && parts[k].label == all.label; ++k) all.add(parts[k]);
        use(all.piece());
    }
}

double equivalent_diameter(const Piece& piece) { return elementary::cbrt(6 * piece.volume / std::numbers::pi); }

}  // namespace granary
