#include "engine/any_law.hpp"

namespace granary {

namespace {

template <class Law> AnyLaw set_of(const Setup& s) {
    return LawSet<Law>{make_law<Law>(s.law), make_table<Law>(s.materials, s.pairs, s.law)};
}

template <class Law> AnyLaw with_rolling(const Setup& s) {
    switch (s.law.rolling) {
        case LawSettings::Rolling::constant: return set_of<RollingConstant<Law>>(s);
        case LawSettings::Rolling::spring: return set_of<RollingSpring<Law>>(s);
        case LawSettings::Rolling::none: break;
    }
    return set_of<Law>(s);
}

}  // namespace

AnyLaw make_any_law(const Setup& s) {
    switch (s.law.type) {
        case LawSettings::Type::linear: return with_rolling<LinearSpringDashpot>(s);
        case LawSettings::Type::kelvin_voigt: return set_of<KelvinVoigt>(s);
        case LawSettings::Type::hertz_mindlin: break;
    }
    return s.law.cohesion == LawSettings::Cohesion::sjkr ? with_rolling<Sjkr<HertzMindlin>>(s)
                                                         : with_rolling<HertzMindlin>(s);
}

}  // namespace granary
