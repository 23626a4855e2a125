// The laws that a run can have, each with the numbers of its pairs of materials. Whatever loops over contacts is compiled for each.
#pragma once
#include <variant>
#include "engine/setup.hpp"
#include "contact/pair_table.hpp"

namespace granary {

template <class Law> struct LawSet {
    Law law;
    PairTable<Law> table;
};

// clang-format off
using AnyLaw = std::variant<
    LawSet<HertzMindlin>,        LawSet<RollingConstant<HertzMindlin>>,        LawSet<RollingSpring<HertzMindlin>>,
    LawSet<Sjkr<HertzMindlin>>,  LawSet<RollingConstant<Sjkr<HertzMindlin>>>,  LawSet<RollingSpring<Sjkr<HertzMindlin>>>,
    LawSet<LinearSpringDashpot>, LawSet<RollingConstant<LinearSpringDashpot>>, LawSet<RollingSpring<LinearSpringDashpot>>,
    LawSet<KelvinVoigt>>;
// clang-format on

AnyLaw make_any_law(const Setup& setup);  // throws InputError, see resolve_pairs

}  // namespace granary
