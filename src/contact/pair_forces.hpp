// Forces between balls: the loop around a contact law, fused by hand.
//
// Two passes over blocks of some hundred bodies. The first tests the distance of every candidate, eight at a time with
// AVX-512 and four else, and writes down the touching ones and where they are without a branch; the second evaluates
// the law on full batches, as many at a time. Bits: forces are added pair by pair in the order of the list, so a body's
// sum runs over its partners in ascending order, whatever the blocks and batches; each lane does the same IEEE
// operations; padding lanes store nothing. Forces on ghosts and images are added too, and never read.
//
// Ranges side by side (threads): ranges end between layers of cubes, so only pairs of the last layer of one range with
// the first of the next join two ranges. First these pairs, of all ranges at once: each adds to its upper body, which
// nobody else does then, and keeps in a buffer what its lower body is due. Then the other pairs; at the end of a range
// the buffer is added. In the order of the list a body's partners in the layer below come first and those in the layer
// above last, so the sums are those of one range.
#pragma once
#include <algorithm>
#include <array>
#include <vector>
#include "contact/contact_geometry.hpp"
#include "contact/energy_watch.hpp"
#include "contact/law.hpp"
#include "contact/pair_table.hpp"
#include "core/bodies.hpp"
#include "core/pair_list.hpp"
#include "core/lanes16.hpp"
#include "core/parallel.hpp"
#include "core/quad_rows.hpp"

namespace granary {

class alignas(128) PairForces {  // no two in one line of the cache: each thread writes to its own
  public:
    // To be called when the list is new: makes room for the fullest block, so that no step allocates.
    void prepare(const PairList& pairs) { make_room(pairs, {0, pairs.n_bodies}); }
    // For a range that is worked on beside others.
    void prepare(const PairList& pairs, const LayeredRange& range);

    // Adds force and torque of all touching pairs whose lower body is in the range. Springs advance by dt (0: evaluated
    // where they stand). A watch is shown what each contact stores and loses (contact_energy.hpp), and afterwards those
    // that have just parted.
    template <class Law, class Watch = NobodyWatches> void add(Bodies& bodies, PairList& pairs, Range range,
                                                               const Law& law, const PairTable<Law>& table,
                                                               double reach, double dt, Watch watch = {});

    // Side by side, each range with a PairForces of its own: the first for all ranges, then the second for all.
    template <class Law> void add_across(Bodies& bodies, PairList& pairs, const LayeredRange& range, const Law& law,
                                         const PairTable<Law>& table, double reach, double dt, EnergyWatch* watch);
    template <class Law> void add_within(Bodies& bodies, PairList& pairs, const LayeredRange& range, const Law& law,
                                         const PairTable<Law>& table, double reach, double dt, EnergyWatch* watch);

    // Marks the pairs that touch, as `add` does, and adds nothing: for a run that goes on with forces that it was
    // given.
    void mark_touching(const Bodies& bodies, PairList& pairs, double reach, bool with_history);

  private:
    static constexpr Index block_size = 256;  // what is written down of a block stays in the nearest cache
    // Fetched into the cache before their turn.
    static constexpr Index contacts_ahead = 16, springs_ahead = 85, partners_ahead = 1024;
    static constexpr Index room_ahead = 16;  // numbers that may be read or written past the last

    // Lanes of a law: as many as the CPU has. Rolling friction and whoever watches take four.
    template <class Law, class Watch> using LanesOf =
        std::conditional_t<Watch::watches || gives_rolling_torque<Law>, Real4, WideReal>;

    struct Parted {
        Index i, slot;
    };
    // parted: gets the pairs that no longer touch, if it is given. with_masks: some pairs are masked.
    template <bool with_masks> Index find_touching_among(const Bodies& bodies, PairList& pairs, Index begin, Index end,
                                                         double reach, bool with_history, std::vector<Parted>* parted);
    Index find_touching(const Bodies& bodies, PairList& pairs, Index begin, Index end, double reach, bool with_history,
                        std::vector<Parted>* parted);
    // Writes the n-th pair on behind it, as padding of a batch.
    void pad(Index n);
    // The first n that were found. across: what lower bodies are due goes to the buffer.
    template <class Law, class Watch> void add_touching(Bodies& bodies, PairList& pairs, const Law& law,
                                                        const PairTable<Law>& table, Index n, double dt, Watch& watch,
                                                        bool across = false);
    template <bool one_material, class Law, class Watch>
    void add_batches(Bodies& bodies, PairList& pairs, const Law& law, const PairTable<Law>& table, Index n, double dt,
                     Watch& watch, bool across);
    void make_room(const PairList& pairs, Range range);
    // Of the n that were found, those with a partner from `end` on, or those without.
    Index keep(Index n, Index end, bool across);
    void copy_pair(Index from, Index to);
    void add_buffer(Bodies& bodies, bool with_torque);
    template <class Law> void show_parted(const Bodies& bodies, const PairList& pairs, const Law& law,
                                          const PairTable<Law>& table, double dt, EnergyWatch& watch) const;
    // Calls f(watch) with whoever watches, if anybody does, as the loops take it.
    template <class F> void with_watch(EnergyWatch* watch, Index last_layer, F&& f) {
        if (watch != nullptr) return f(Watched{*watch, &notes_, last_layer});
        return f(NobodyWatches{});
    }

    // Of the candidates of a block, and then of those that touch: where the quads of i and j begin (4 i, 4 j).
    LanesVector<Index> quad_i_, quad_j_;
    // Of those that touch: the slot in the list, x_i - x_j, the radii.
    LanesVector<Index> slot_;
    LanesVector<double> apart_[3], r_i_, r_j_;
    std::vector<Parted> parted_;
    // Of the pairs across the end of a range: the lower bodies, and what they are due.
    std::vector<Index> due_;
    Quads due_force_, due_torque_;
    Index n_due_ = 0;
    Index farthest_ = 0;  // partner of the block
    EnergyNotes notes_;   // of the last layer of a range
};

template <class Law, class Watch> void PairForces::add(Bodies& bodies, PairList& pairs, Range range, const Law& law,
                                                       const PairTable<Law>& table, double reach, double dt,
                                                       Watch watch) {
    for (Index begin = range.begin; begin < range.end; begin += block_size) {
        const Index end = std::min(begin + block_size, range.end);
        const Index n =
            find_touching(bodies, pairs, begin, end, reach, Law::has_history, Watch::watches ? &parted_ : nullptr);
        add_touching(bodies, pairs, law, table, n, dt, watch);
    }
    if constexpr (Watch::watches) show_parted(bodies, pairs, law, table, dt, watch.by), parted_.clear();
}

// Their dampers end with them.
template <class Law> void PairForces::show_parted(const Bodies& bodies, const PairList& pairs, const Law& law,
                                                  const PairTable<Law>& table, double dt, EnergyWatch& watch) const {
    for (const auto& [i, slot] : parted_) {
        const Index j = pairs.partner_of(slot);
        watch.see(law.energy(contact_between<Law>(bodies, i, j), table.at(bodies.material(i), bodies.material(j)),
                             Vec3d{}, Vec3d{}, dt),
                  i);
    }
}

template <class Law> void PairForces::add_across(Bodies& bodies, PairList& pairs, const LayeredRange& range,
                                                 const Law& law, const PairTable<Law>& table, double reach, double dt,
                                                 EnergyWatch* watch) {
    n_due_ = 0;
    with_watch(watch, range.last_layer, [&](auto watching) {
        for (Index begin = range.last_layer; begin < range.bodies.end; begin += block_size) {
            const Index end = std::min(begin + block_size, range.bodies.end);
            const Index found = find_touching(bodies, pairs, begin, end, reach, Law::has_history,
                                              watching.watches ? &parted_ : nullptr);
            const Index n = keep(found, range.bodies.end, true);
            add_touching(bodies, pairs, law, table, n, dt, watching, true);
        }
    });
}

// Pairs of the last layer that part are known from add_across; those of other layers join them, and each layer has a
// sum of its own.
template <class Law> void PairForces::add_within(Bodies& bodies, PairList& pairs, const LayeredRange& range,
                                                 const Law& law, const PairTable<Law>& table, double reach, double dt,
                                                 EnergyWatch* watch) {
    with_watch(watch, range.last_layer, [&](auto watching) {
        for (Index begin = range.bodies.begin; begin < range.bodies.end; begin += block_size) {
            const Index end = std::min(begin + block_size, range.bodies.end);
            Index n = find_touching(bodies, pairs, begin, end, reach, Law::has_history,
                                    watching.watches ? &parted_ : nullptr);
            if (end > range.last_layer) n = keep(n, range.bodies.end, false);
            add_touching(bodies, pairs, law, table, n, dt, watching);
        }
    });
    add_buffer(bodies, Law::rotates);
    if (watch == nullptr) return;
    notes_.show(*watch);
    show_parted(bodies, pairs, law, table, dt, *watch);
    parted_.clear();
}

namespace pair_detail {

// (x, y, z, w) to (-x, -y, -z, w): a + negate_xyz(b) is difference of the vectors and sum of the fourths.
inline Real4 negate_xyz(Real4 a) {
    constexpr std::int64_t sign = std::int64_t{1} << 63;
    return Real4(Mask4(a) ^ Mask4{sign, sign, sign, 0});
}
#ifdef GRANARY_EIGHT_LANES
inline Real8 negate_xyz(Real8 a) { return join(negate_xyz(low_half(a)), negate_xyz(high_half(a))); }
#endif

inline void add4(double* p, Real4 a) { store4(p, load4(p) + a); }
inline void subtract4(double* p, Real4 a) { store4(p, load4(p) - a); }

// What rolling friction adds to a batch of four contacts. Without use for other laws, and then compiled to nothing.
struct RollingLanes {
    Real4 spin[4];                    // omega_i - omega_j, a quad a contact
    Real4 about_contact;              // 1/(I_i + m_i r_i^2) + 1/(I_j + m_j r_j^2), a lane a contact
    Real4 torque[4];                  // on i, a quad a contact
    Vec3<Real4> on_i, before, after;  // the same a lane a contact, and the springs

    void load(Index lane, std::size_t i, std::size_t j, const double* position, const double* velocity,
              const double* spins) {
        spin[lane] = load4(spins + i) - load4(spins + j);
        const auto of = [&](std::size_t b) {
            return per_rolling_inertia(position[b + 3], velocity[b + 3], spins[b + 3]);
        };
        about_contact[lane] = of(i) + of(j);
    }
    void give(Contact<Real4>& contact) {
        transpose(spin[0], spin[1], spin[2], spin[3]);
        contact.spin = {spin[0], spin[1], spin[2]};
        contact.rolling_inertia = broadcast4(1.0) / about_contact;
    }
    template <class Law, class P> [[gnu::always_inline]] void turn(const Law& law, const Contact<Real4>& contact,
                                                                   const P& parameters, double* springs,
                                                                   const Index* slot, Index filled, Real4 dt) {
        Vec3<Real4> theta{};
        if constexpr (keeps_rolling_spring<Law>)
            for (Index lane = 0; lane < 4; ++lane) {
                const double* s = springs + 3 * std::size_t{slot[lane]};
                theta.x[lane] = s[0], theta.y[lane] = s[1], theta.z[lane] = s[2];
            }
        before = theta;
        const Vec3<Real4> t = law.rolling_torque(contact, parameters, theta, dt);
        on_i = t, after = theta;
        torque[0] = t.x, torque[1] = t.y, torque[2] = t.z, torque[3] = Real4{};
        transpose(torque[0], torque[1], torque[2], torque[3]);
        if constexpr (keeps_rolling_spring<Law>)
            for (Index lane = 0; lane < filled; ++lane) {
                double* s = springs + 3 * std::size_t{slot[lane]};
                s[0] = theta.x[lane], s[1] = theta.y[lane], s[2] = theta.z[lane];
            }
    }
};

// x, y and z of n contacts to a quad each.
template <class T> [[gnu::always_inline]] inline QuadRows<T> quads_of(const Vec3<T>& a) {
    QuadRows<T> q{{a.x, a.y, a.z, T{}}};
    q.turn();
    return q;
}

}  // namespace pair_detail

template <class Law, class Watch> void PairForces::add_touching(Bodies& bodies, PairList& pairs, const Law& law,
                                                                const PairTable<Law>& table, Index n, double dt,
                                                                Watch& watch, bool across) {
    if (n == 0) return;
    pad(n);
    if (table.n_materials() == 1) add_batches<true>(bodies, pairs, law, table, n, dt, watch, across);
    else add_batches<false>(bodies, pairs, law, table, n, dt, watch, across);
}

template <bool one_material, class Law, class Watch>
void PairForces::add_batches(Bodies& bodies, PairList& pairs, const Law& law, const PairTable<Law>& table, Index n,
                             double dt, [[maybe_unused]] Watch& watch, bool across) {
    using pair_detail::add4, pair_detail::subtract4, pair_detail::negate_xyz, pair_detail::quads_of;
    using T = LanesOf<Law, Watch>;
    constexpr Index wide = n_lanes<T>;
    const double* const velocity = bodies.velocity.data();
    [[maybe_unused]] const double* const spin = bodies.spin.data();
    double* const force = bodies.force.data();
    [[maybe_unused]] double* const torque = bodies.torque.data();
    [[maybe_unused]] double* const xi_of = pairs.xi.data();
    const T dts = broadcast<T>(dt);

    T lanes[max_law_parameters];
    if constexpr (one_material)
        for (int p = 0; p < max_law_parameters; ++p) lanes[p] = broadcast<T>(table.row(0, 0)[p]);

    // Partners come from all over, but those that no body before had follow each other: the quads behind the farthest
    // partner of this block are what the next one needs anew, from far away. They are fetched meanwhile.
    constexpr int n_fetched = Law::rotates ? 5 : 3;
    const double* const fetched[] = {velocity, force, bodies.position.data(), spin, torque};
    std::size_t next = farthest_;
    const std::size_t next_end = std::min(farthest_ + block_size, bodies.size);
    for (Index k = 0; k < n; k += wide) {
        const Index filled = std::min(n - k, wide);
        const Index* const i = quad_i_.data() + k;  // quads and slots of these contacts
        const Index* const j = quad_j_.data() + k;
        const Index* const slot = slot_.data() + k;
        // Loops, no functions of their own: g++ 12 takes one that only fetches for one that does nothing.
        __builtin_prefetch(pairs.partner.data() + slot[0] + partners_ahead);
        if (next < next_end) {
            for (int column = 0; column < n_fetched; ++column)
                for (Index body = 0; body < wide / 2; body += 2)  // two quads are one line of the cache
                    __builtin_prefetch(fetched[column] + 4 * (next + body));
            next += wide / 2;
        }
        if (k + contacts_ahead + wide <= n)
            for (Index lane = 0; lane < wide; ++lane) {
                const Index later = j[contacts_ahead + lane];
                __builtin_prefetch(velocity + later), __builtin_prefetch(force + later, 1);
                if constexpr (Law::rotates) __builtin_prefetch(spin + later), __builtin_prefetch(torque + later, 1);
            }
        if constexpr (Law::has_history) {
            const double* const later = xi_of + 3 * (std::size_t{slot[0]} + springs_ahead);
            for (Index line = 0; line < wide / 2; ++line) __builtin_prefetch(later + 8 * line, 1);
        }
        auto v = QuadRows<T>::load([&](auto lane) { return velocity + i[lane]; });
        const auto v_j = QuadRows<T>::load([&](auto lane) { return velocity + j[lane]; });
        for (int row = 0; row < 4; ++row) v.row[row] += negate_xyz(v_j.row[row]);  // (v_i - v_j, 1/m_i + 1/m_j)
        v.turn();
        pair_detail::RollingLanes rolling;
        if constexpr (gives_rolling_torque<Law>)
            for (Index lane = 0; lane < wide; ++lane)
                rolling.load(lane, i[lane], j[lane], bodies.position.data(), velocity, spin);

        if constexpr (!one_material)
            for (int half = 0; half < 2; ++half) {
                auto rows = QuadRows<T>::load([&](auto lane) {
                    return table.row(bodies.material(i[lane] / 4), bodies.material(j[lane] / 4)) + 4 * half;
                });
                rows.turn();
                for (int p = 0; p < 4; ++p) lanes[4 * half + p] = rows.row[p];
            }

        const T r_i = load_lanes<T>(r_i_.data() + k), r_j = load_lanes<T>(r_j_.data() + k);
        const T radii = r_i + r_j;
        const auto apart = [&](int axis) { return load_lanes<T>(apart_[axis].data() + k); };
        const Touch<T> touch = touch_of(Vec3<T>{apart(0), apart(1), apart(2)}, radii);
        const Effective<T> effective = effective_of_pair(r_i, r_j, radii, v.row[3]);
        const T arm_i = lever_arm(r_i, touch.overlap), arm_j = lever_arm(r_j, touch.overlap);
        Vec3<T> relative{v.row[0], v.row[1], v.row[2]};
        if constexpr (Law::rotates) {
            auto w_i = QuadRows<T>::load([&](auto lane) { return spin + i[lane]; });
            auto w_j = QuadRows<T>::load([&](auto lane) { return spin + j[lane]; });
            w_i.turn(), w_j.turn();
            const auto levered = [&](int axis) { return w_i.row[axis] * arm_i + w_j.row[axis] * arm_j; };
            relative = velocity_at_contact(relative, Vec3<T>{levered(0), levered(1), levered(2)}, touch.normal);
        }
        Contact<T> contact{touch.normal, touch.overlap, relative, effective.radius, effective.mass};
        if constexpr (gives_rolling_torque<Law>) rolling.give(contact);

        Vec3<T> xi;
        if constexpr (Law::has_history) {
            auto springs = QuadRows<T>::template load<true>([&](auto lane) {
                return xi_of + 3 * std::size_t{slot[lane]};  // and a number of the next one, maybe of another range
            });
            springs.turn();
            xi = {springs.row[0], springs.row[1], springs.row[2]};
        }
        [[maybe_unused]] const Vec3<T> xi_before = xi;
        const Vec3<T> f = law.force(contact, from_lanes<Law, T>(lanes), xi, dts);
        if constexpr (gives_rolling_torque<Law>)
            rolling.turn(law, contact, from_lanes<Law, T>(lanes), pairs.theta.data(), slot, filled, dts);
        if constexpr (Watch::watches) {
            auto energy = law.energy(contact, from_lanes<Law, T>(lanes), xi_before, xi, dts);
            if constexpr (gives_rolling_torque<Law>)
                law.add_rolling_energy(contact, from_lanes<Law, T>(lanes), rolling.on_i, rolling.before, rolling.after,
                                       dts, energy);
            watch.see_pairs(energy, {i[0], i[1], i[2], i[3]}, {slot[0], slot[1], slot[2], slot[3]}, filled);
        }

        const QuadRows<T> push = quads_of(f), springs = quads_of(xi);
        QuadRows<T> turn_i, turn_j;  // a n x F, by which both are turned back; rolling has two signs
        if constexpr (Law::rotates) {
            const Vec3<T> t = cross(touch.normal, f);
            turn_i = quads_of(arm_i * t), turn_j = quads_of(arm_j * t);
        }
        for_lanes<wide>([&](auto lane) {
            if (static_cast<Index>(lane()) >= filled) return;
            if constexpr (Law::rotates) {
                Real4 back_i = turn_i.template quad<lane>(), back_j = turn_j.template quad<lane>();
                if constexpr (gives_rolling_torque<Law>) back_i -= rolling.torque[lane], back_j += rolling.torque[lane];
                if (across) store4(due_torque_.data() + std::size_t{4} * (n_due_ + lane), -back_i);
                else subtract4(torque + i[lane], back_i);
                subtract4(torque + j[lane], back_j);
            }
            const Real4 on_i = push.template quad<lane>();
            if (across) store4(due_force_.data() + std::size_t{4} * (n_due_ + lane), on_i);
            else add4(force + i[lane], on_i);
            subtract4(force + j[lane], on_i);
            if constexpr (Law::has_history)
                store_three(xi_of + 3 * std::size_t{slot[lane]}, springs.template quad<lane>());
        });
        if (across)
            for (Index lane = 0; lane < filled; ++lane) due_[n_due_++] = i[lane] / 4;
    }
}

}  // namespace granary
