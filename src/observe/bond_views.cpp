#include "observe/bond_views.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace granary {

const char* word_of(BreakCause cause) {
    switch (cause) {
        case BreakCause::tension: return "tension";
        case BreakCause::shear: return "shear";
        case BreakCause::bending: return "bending";
        case BreakCause::reach: return "reach";
    }
    return "";
}

namespace {

const char* word_of(int cause) { return granary::word_of(static_cast<BreakCause>(cause)); }

}  // namespace

BondState bond_state(const Simulation& sim) {
    const BondedPairs& bonds = sim.forces().bonds;
    if (!bonds.possible()) return {};
    return {bonds.counts(sim.comm(), sim.bodies(), sim.neighbourhood()),
            bonds.pieces(sim.comm(), sim.bodies(), sim.neighbourhood())};
}

std::vector<SeriesColumn> bond_columns() {
    std::vector<SeriesColumn> header{{"bonds_whole"}, {"bonds_broken"}};
    for (int c = 0; c < n_break_causes; ++c) header.push_back({"bonds_broken", "", word_of(c)});
    for (const char* name : {"bonds_cut", "pieces", "single_bodies"}) header.push_back({name});
    return header;
}

void add_bonds(const BondState& state, std::vector<Series::Value>& row) {
    row.emplace_back(state.bonds.whole), row.emplace_back(state.bonds.all_broken());
    for (const std::uint64_t n : state.bonds.broken) row.emplace_back(n);
    for (const std::uint64_t n : {state.bonds.cut, state.pieces.pieces, state.pieces.single}) row.emplace_back(n);
}

std::string bond_text(const Simulation& sim, const BondState& state) {
    if (!sim.forces().bonds.possible()) return "";
    const BondCounts& b = state.bonds;
    std::string causes;
    for (int c = 0; c < n_break_causes; ++c)
        if (b.broken[static_cast<std::size_t>(c)] > 0)
            causes +=
                fmt::format("{}{} {}", causes.empty() ? "" : ", ", word_of(c), b.broken[static_cast<std::size_t>(c)]);
    std::string text = fmt::format("bonds: {} whole, {} broken{}", b.whole, b.all_broken(),
                                   causes.empty() ? "" : fmt::format(" ({})", causes));
    if (b.cut > 0) text += fmt::format(", {} cut because a body left", b.cut);
    return text + fmt::format("; {} pieces of {} bodies, {} single bodies\n", state.pieces.pieces,
                              state.pieces.in_pieces, state.pieces.single);
}

std::vector<BondLine> bond_lines(const Simulation& sim) {
    const BondedPairs& bonds = sim.forces().bonds;
    const Bodies& bodies = sim.bodies();
    const Neighbourhood& hood = sim.neighbourhood();
    std::vector<BondShare> shares;
    bond_shares(bodies, bonds.list, bonds.types(), shares);
    std::vector<BondLine> lines;
    for (const BondShare& s : shares) {
        const Index i = bonds.list.lower(s.bond), j = bonds.list.upper(s.bond);
        if (!hood.is_real(bodies, i)) continue;
        const auto [smaller, larger] = std::minmax(bodies.id(i), bodies.id(j));
        lines.push_back({bodies.x(i), bodies.x(j), smaller, larger, bonds.list.type(s.bond),
                         sim.clock().time() - bonds.list.made(s.bond), s.sigma, s.tau});
    }
    return lines;
}

}  // namespace granary
