// The laws that a run can have. This is where one is registered: its header, its value of LawType, its place in the
// list. Whoever needs the type behind the settings asks with_law; nobody else chooses.
#pragma once
#include <span>
#include <type_traits>
#include "contact/hertz_mindlin_huang2020.hpp"
#include "contact/kelvin_voigt_lazarevic2002.hpp"
#include "contact/law_settings.hpp"
#include "contact/linear_spring_dashpot.hpp"
#include "contact/rolling_ai2011.hpp"
#include "contact/sjkr_cohesion.hpp"

namespace granary {

template <class... Law> struct LawList {};

// In the same order.
enum class LawType : int { hertz_mindlin, linear, kelvin_voigt };
using Laws = LawList<HertzMindlin, LinearSpringDashpot, KelvinVoigt>;

// The law below cohesion and rolling friction.
template <class Law> struct PlainLaw { using type = Law; };
template <class Base> struct PlainLaw<Sjkr<Base>> : PlainLaw<Base> {};
template <class Base> struct PlainLaw<RollingConstant<Base>> : PlainLaw<Base> {};
template <class Base> struct PlainLaw<RollingSpring<Base>> : PlainLaw<Base> {};

namespace law_detail {

template <class Law, class First, class... Rest> constexpr int index_of(LawList<First, Rest...>) {
    if constexpr (std::is_same_v<Law, First>) return 0;
    else return 1 + index_of<Law>(LawList<Rest...>{});
}

}  // namespace law_detail

template <class Law>
inline constexpr LawType law_type_of = static_cast<LawType>(law_detail::index_of<typename PlainLaw<Law>::type>(Laws{}));

// Cohesion by contact area and rolling friction go on top of a law if it has what they need.
template <class Law> inline constexpr bool allows_cohesion = requires { requires Law::allows_sjkr; };
template <class Law>
inline constexpr bool allows_rolling = requires(const Law& law, const Contact<double>& c,
                                                const typename Law::template Parameters<double>& p) {
    law.pressing(c, p);
};

template <class Law> inline constexpr bool has_reach = requires(const typename Law::template Parameters<double>& p) {
    Law::reach(p);
};

// What a law is and needs, for whoever checks a case or reports it.
struct LawFacts {
    bool rotates = false;
    bool elastic_moduli = false;  // Young's modulus and Poisson's ratio of the materials
    bool allows_rolling = false, allows_cohesion = false;
    std::span<const Quantity> quantities;

    bool uses(Quantity q) const {
        for (const Quantity used : quantities)
            if (used == q) return true;
        return false;
    }
};
LawFacts facts_of(LawType type);

// The widest gap at which a pair still acts, m; 0 for laws that need an overlap.
double reach_of(LawType type, const PairValues& values);

namespace law_detail {

template <class F, class First, class... Rest> auto pick(int n, F& f, LawList<First, Rest...>) {
    if constexpr (sizeof...(Rest) > 0)
        if (n > 0) return pick(n - 1, f, LawList<Rest...>{});
    return f.template operator()<First>();
}

template <class Law, class F> auto with_rolling(const LawSettings& s, F& f) {
    if constexpr (allows_rolling<Law>) {
        if (s.rolling == LawSettings::Rolling::constant) return f.template operator()<RollingConstant<Law>>();
        if (s.rolling == LawSettings::Rolling::spring) return f.template operator()<RollingSpring<Law>>();
    }
    return f.template operator()<Law>();
}

}  // namespace law_detail

// Calls f.template operator()<Law>() for the law of a type, without additions.
template <class F> auto with_plain_law(LawType type, F&& f) {
    return law_detail::pick(static_cast<int>(type), f, Laws{});
}

// The same for the law of the settings, additions included. What a law does not allow is left out: resolve_pairs
// refuses it.
template <class F> auto with_law(const LawSettings& s, F&& f) {
    return with_plain_law(s.type, [&]<class Law>() {
        if constexpr (allows_cohesion<Law>)
            if (s.cohesion == LawSettings::Cohesion::sjkr) return law_detail::with_rolling<Sjkr<Law>>(s, f);
        return law_detail::with_rolling<Law>(s, f);
    });
}

}  // namespace granary
