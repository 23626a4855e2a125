// What a contact law is: a small struct with one function of one contact. It knows neither views nor
// indices nor ranks; a test calls it on plain numbers (T = double), the pair loop on four or eight
// contacts at a time (T = Real4, Real8), with the same bits. See simd.hpp for the functions allowed in a law.
//
//   struct SomeLaw {
//       template <class T> struct Parameters { T ...; };         // of one pair of materials, at most 8 numbers
//       static constexpr bool has_history = true;                // keeps a tangential spring xi
//       static constexpr bool rotates = true;                    // uses spins, gives torques
//       template <class T>
//       Vec3<T> force(const Contact<T>&, const Parameters<T>&, Vec3<T>& xi, T dt) const;   // on i, N
//       template <class T>                                       // contact_energy.hpp; springs before and after the
//       step ContactEnergy<T> energy(const Contact<T>&, const Parameters<T>&, const Vec3<T>& before, const Vec3<T>&
//       after, T dt) const;
//
//       // What joins it to a case:
//       static constexpr Quantity uses[] = {...};                // of materials and pairs, law_settings.hpp
//       static constexpr bool elastic_moduli = false;            // uses E and nu of the materials, too
//       static Parameters<double> parameters(const PairValues&);
//       static SomeLaw from(const LawSettings&);                 // its switches
//       static HitScale hit(const PairValues&, double effective_mass, double effective_radius, double speed);   // for
//       the time step
//   };
//
// It is known to a run once it stands in the list of laws.hpp. Not every law has, and needs:
//       static double reach(const Parameters<double>&);          // widest gap at which the pair still acts, m
//       Pressing<T> pressing(const Contact<T>&, const Parameters<T>&) const;   // then rolling friction may go on top
//       of it static constexpr bool allows_sjkr = true;                // then cohesion by contact area may go on top
//       of it
//
// A law may also resist rolling (rolling_ai2011.hpp): then it has
//       static constexpr bool rolls = true;
//       static constexpr bool has_rolling_spring = true or false;  // keeps a rolling spring theta
//       template <class T>
//       Vec3<T> rolling_torque(const Contact<T>&, const Parameters<T>&, Vec3<T>& theta, T dt) const;   // on i, N m;
//       -that on j template <class T>                                         // torque and springs as rolling_torque
//       has just made them void add_rolling_energy(const Contact<T>&, const Parameters<T>&, const Vec3<T>& torque,
//       const Vec3<T>& before,
//                               const Vec3<T>& after, T dt, ContactEnergy<T>& sum) const;
//
// Signs: everything is seen from body i. The normal points from j to i; a positive normal force pushes
// the partners apart; velocity, spin, xi and theta are of i relative to j. Exchanging i and j negates normal, velocity,
// spin, xi, theta, force and rolling torque exactly, bit for bit: laws must keep it so (no operation that favours one
// partner).
#pragma once
#include "core/simd.hpp"
#include "core/vec.hpp"

namespace granary {

template <class T> struct Contact {
    Vec3<T> normal;      // unit, from j to i
    T overlap;           // r_i + r_j - |x_i - x_j|, m; negative: a gap
    Vec3<T> velocity;    // of i relative to j at the contact point, spins included, m/s
    T effective_radius;  // r_i r_j/(r_i + r_j), m; at a wall r_i
    T effective_mass;    // m_i m_j/(m_i + m_j), kg; at a wall m_i
    // Filled in only for laws that roll:
    Vec3<T> spin{};       // omega_i - omega_j, rad/s
    T rolling_inertia{};  // 1/I_r = 1/(I_i + m_i r_i^2) + the same of j, kg m^2; at a wall I_i + m_i r_i^2
};

// Lever arm of a contact force about the centre of a ball, of its radius r and the overlap delta: the force acts in the
// middle of the overlap,
//   arm = r - delta/2
// at walls as between balls of any size (a gap counts as a negative overlap). The two arms of a pair add up to the
// distance of the centres, so angular momentum is kept, and an arm does not know how large the partner is: a huge ball
// and a plane give the same. README.md has the argument.
template <class T> [[gnu::always_inline]] inline T lever_arm(T radius, T overlap) {
    return radius - broadcast<T>(0.5) * overlap;
}

inline constexpr int max_law_parameters = 8;

template <class Law> inline constexpr bool gives_rolling_torque = requires { requires Law::rolls; };
template <class Law> inline constexpr bool keeps_rolling_spring = requires { requires Law::has_rolling_spring; };

// What a law with rolling friction wants to know of the law it builds on.
template <class T> struct Pressing {
    T force;      // that presses the partners together, not negative, N
    T stiffness;  // normal force over overlap, N/m
};

}  // namespace granary
