#include "contact/laws.hpp"

namespace granary {

LawFacts facts_of(LawType type) {
    return with_plain_law(type, []<class Law>() {
        LawFacts facts;
        facts.rotates = Law::rotates;
        facts.elastic_moduli = Law::elastic_moduli;
        facts.allows_rolling = allows_rolling<Law>;
        facts.allows_cohesion = allows_cohesion<Law>;
        facts.quantities = Law::uses;
        return facts;
    });
}

double reach_of(LawType type, const PairValues& values) {
    return with_plain_law(type, [&]<class Law>() {
        if constexpr (has_reach<Law>) return Law::reach(Law::parameters(values));
        else return 0.0;
    });
}

}  // namespace granary
