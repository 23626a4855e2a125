// Forces between balls: the loop around a contact law, fused by hand.
//
// Two passes over blocks of about a thousand bodies. The first tests the distance of every candidate, four at a time,
// and writes down the touching ones without a branch; the second evaluates the law on full batches of four. Bits:
// forces are added pair by pair in the order of the list, so a body's sum runs over its partners in ascending order,
// whatever the blocks and batches; each lane does the same IEEE operations; padding lanes store nothing. Forces on
// ghosts and images are added too, and never read.
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
#include "core/parallel.hpp"
#include "core/simd.hpp"

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
    static constexpr Index block_size = 1024;
    static constexpr Index contacts_ahead = 16, candidates_ahead = 32;  // fetched into the cache before their turn

    struct Parted {
        Index i, slot;
    };
    // parted: gets the pairs that no longer touch, if it is given. with_masks: some pairs are masked.
    template <bool with_masks> Index find_touching_among(const Bodies& bodies, PairList& pairs, Index begin, Index end,
                                                         double reach, bool with_history, std::vector<Parted>* parted);
    Index find_touching(const Bodies& bodies, PairList& pairs, Index begin, Index end, double reach, bool with_history,
                        std::vector<Parted>* parted);
    // The first n that were found. across: what lower bodies are due goes to the buffer.
    template <class Law, class Watch> void add_touching(Bodies& bodies, PairList& pairs, const Law& law,
                                                        const PairTable<Law>& table, Index n, double dt, Watch& watch,
                                                        bool across = false);
    template <bool one_material, class Law, class Watch>
    void add_batches(Bodies& bodies, PairList& pairs, const Law& law, const PairTable<Law>& table, Index n, double dt,
                     Watch& watch, bool across);
    void make_room(const PairList& pairs, Range range);
    // Of the n that were found, those with a partner from `end` on, or those without.
    Index keep(const PairList& pairs, Index n, Index end, bool across);
    void add_buffer(Bodies& bodies, bool with_torque);
    template <class Law> void show_parted(const Bodies& bodies, const PairList& pairs, const Law& law,
                                          const PairTable<Law>& table, double dt, EnergyWatch& watch) const;
    // Calls f(watch) with whoever watches, if anybody does, as the loops take it.
    template <class F> void with_watch(EnergyWatch* watch, Index last_layer, F&& f) {
        if (watch != nullptr) return f(Watched{*watch, &notes_, last_layer});
        return f(NobodyWatches{});
    }

    std::vector<Index> first_;  // i of each touching pair of the block
    std::vector<Index> slot_;   // its slot in the list
    std::vector<Parted> parted_;
    // Of the pairs across the end of a range: the lower bodies, and what they are due.
    std::vector<Index> due_;
    Quads due_force_, due_torque_;
    Index n_due_ = 0;
    EnergyNotes notes_;  // of the last layer of a range
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
            const Index n = keep(pairs, found, range.bodies.end, true);
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
            if (end > range.last_layer) n = keep(pairs, n, range.bodies.end, false);
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

inline void add4(double* p, Real4 a) { store4(p, load4(p) + a); }

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
    template <class Law, class P>
    [[gnu::always_inline]] void turn(const Law& law, const Contact<Real4>& contact, const P& parameters,
                                     double* springs, const std::array<std::size_t, 4>& slot, Index filled, Real4 dt) {
        Vec3<Real4> theta{};
        if constexpr (keeps_rolling_spring<Law>)
            for (Index lane = 0; lane < 4; ++lane) {
                const double* s = springs + 3 * slot[lane];
                theta.x[lane] = s[0], theta.y[lane] = s[1], theta.z[lane] = s[2];
            }
        before = theta;
        const Vec3<Real4> t = law.rolling_torque(contact, parameters, theta, dt);
        on_i = t, after = theta;
        torque[0] = t.x, torque[1] = t.y, torque[2] = t.z, torque[3] = Real4{};
        transpose(torque[0], torque[1], torque[2], torque[3]);
        if constexpr (keeps_rolling_spring<Law>)
            for (Index lane = 0; lane < filled; ++lane) {
                double* s = springs + 3 * slot[lane];
                s[0] = theta.x[lane], s[1] = theta.y[lane], s[2] = theta.z[lane];
            }
    }
};

}  // namespace pair_detail

template <class Law, class Watch> void PairForces::add_touching(Bodies& bodies, PairList& pairs, const Law& law,
                                                                const PairTable<Law>& table, Index n, double dt,
                                                                Watch& watch, bool across) {
    if (n == 0) return;
    if (table.n_materials() == 1) add_batches<true>(bodies, pairs, law, table, n, dt, watch, across);
    else add_batches<false>(bodies, pairs, law, table, n, dt, watch, across);
}

template <bool one_material, class Law, class Watch>
void PairForces::add_batches(Bodies& bodies, PairList& pairs, const Law& law, const PairTable<Law>& table, Index n,
                             double dt, [[maybe_unused]] Watch& watch, bool across) {
    using pair_detail::add4, pair_detail::negate_xyz;
    const double* const position = bodies.position.data();
    const double* const velocity = bodies.velocity.data();
    const double* const spin = bodies.spin.data();
    double* const force = bodies.force.data();
    double* const torque = bodies.torque.data();
    double* const xi_of = pairs.xi.data();
    const Index* const partner = pairs.partner.data();
    const Real4 dt4 = broadcast4(dt);

    Real4 lanes[max_law_parameters];
    if constexpr (one_material)
        for (int p = 0; p < max_law_parameters; ++p) lanes[p] = broadcast4(table.row(0, 0)[p]);

    for (Index k = 0; k < n; k += 4) {
        const Index filled = std::min(n - k, Index{4});
        std::array<std::size_t, 4> i, j, slot;  // offsets of the quads; slots
        Real4 x[4], v[4], r_i{}, r_j{};
        pair_detail::RollingLanes rolling;
        // The lower bodies come in order, their partners from all over.
        if (k + contacts_ahead + 4 <= n)
            for (Index lane = 0; lane < 4; ++lane) {
                const std::size_t later = slot_[k + contacts_ahead + lane];
                const std::size_t other = std::size_t{4} * (partner[later] & PairList::place);
                __builtin_prefetch(velocity + other);
                __builtin_prefetch(force + other, 1);
                if constexpr (Law::rotates) __builtin_prefetch(spin + other), __builtin_prefetch(torque + other, 1);
                if constexpr (Law::has_history) __builtin_prefetch(xi_of + 3 * later, 1);
            }
        for (Index lane = 0; lane < 4; ++lane) {
            const Index from = k + std::min(lane, filled - 1);  // padding repeats the last pair
            slot[lane] = slot_[from];
            i[lane] = std::size_t{4} * first_[from];
            j[lane] = std::size_t{4} * (partner[slot[lane]] & PairList::place);
            x[lane] = load4(position + i[lane]) + negate_xyz(load4(position + j[lane]));  // (x_i - x_j, r_i + r_j)
            v[lane] = load4(velocity + i[lane]) + negate_xyz(load4(velocity + j[lane]));  // (v_i - v_j, 1/m_i + 1/m_j)
            r_i[lane] = position[i[lane] + 3], r_j[lane] = position[j[lane] + 3];
            if constexpr (gives_rolling_torque<Law>) rolling.load(lane, i[lane], j[lane], position, velocity, spin);
        }
        transpose(x[0], x[1], x[2], x[3]);
        transpose(v[0], v[1], v[2], v[3]);

        if constexpr (!one_material) {
            Real4 rows[2][4];
            for (Index lane = 0; lane < 4; ++lane) {
                const double* row = table.row(bodies.material(static_cast<Index>(i[lane] / 4)),
                                              bodies.material(static_cast<Index>(j[lane] / 4)));
                rows[0][lane] = load4(row), rows[1][lane] = load4(row + 4);
            }
            for (int half = 0; half < 2; ++half) {
                transpose(rows[half][0], rows[half][1], rows[half][2], rows[half][3]);
                for (int p = 0; p < 4; ++p) lanes[4 * half + p] = rows[half][p];
            }
        }

        const Touch<Real4> touch = touch_of(Vec3<Real4>{x[0], x[1], x[2]}, x[3]);
        const Effective<Real4> effective = effective_of_pair(r_i, r_j, x[3], v[3]);
        const Real4 arm_i = lever_arm(r_i, touch.overlap), arm_j = lever_arm(r_j, touch.overlap);
        Vec3<Real4> relative{v[0], v[1], v[2]};
        if constexpr (Law::rotates) {
            Real4 w[4];  // a_i omega_i + a_j omega_j
            for (Index lane = 0; lane < 4; ++lane)
                w[lane] =
                    load4(spin + i[lane]) * broadcast4(arm_i[lane]) + load4(spin + j[lane]) * broadcast4(arm_j[lane]);
            transpose(w[0], w[1], w[2], w[3]);
            relative = velocity_at_contact(relative, Vec3<Real4>{w[0], w[1], w[2]}, touch.normal);
        }
        Contact<Real4> contact{touch.normal, touch.overlap, relative, effective.radius, effective.mass};
        if constexpr (gives_rolling_torque<Law>) rolling.give(contact);

        Vec3<Real4> xi;
        if constexpr (Law::has_history)
            for (Index lane = 0; lane < 4; ++lane) {
                const double* s = xi_of + 3 * slot[lane];
                xi.x[lane] = s[0], xi.y[lane] = s[1], xi.z[lane] = s[2];
            }
        [[maybe_unused]] const Vec3<Real4> xi_before = xi;
        const Vec3<Real4> f = law.force(contact, from_lanes<Law, Real4>(lanes), xi, dt4);
        if constexpr (gives_rolling_torque<Law>)
            rolling.turn(law, contact, from_lanes<Law, Real4>(lanes), pairs.theta.data(), slot, filled, dt4);
        if constexpr (Watch::watches) {
            auto energy = law.energy(contact, from_lanes<Law, Real4>(lanes), xi_before, xi, dt4);
            if constexpr (gives_rolling_torque<Law>)
                law.add_rolling_energy(contact, from_lanes<Law, Real4>(lanes), rolling.on_i, rolling.before,
                                       rolling.after, dt4, energy);
            watch.see_pairs(energy, i, slot, filled);
        }

        Real4 push[4] = {f.x, f.y, f.z, Real4{}};
        transpose(push[0], push[1], push[2], push[3]);
        if constexpr (Law::rotates) {
            const Vec3<Real4> t = cross(touch.normal, f);
            Real4 turn[4] = {t.x, t.y, t.z, Real4{}};
            transpose(turn[0], turn[1], turn[2], turn[3]);
            for (Index lane = 0; lane < filled; ++lane) {  // - a n x F on both; rolling has two signs
                Real4 on_i = -(broadcast4(arm_i[lane]) * turn[lane]);
                Real4 on_j = -(broadcast4(arm_j[lane]) * turn[lane]);
                if constexpr (gives_rolling_torque<Law>) on_i += rolling.torque[lane], on_j -= rolling.torque[lane];
                if (across) store4(due_torque_.data() + std::size_t{4} * (n_due_ + lane), on_i);
                else add4(torque + i[lane], on_i);
                add4(torque + j[lane], on_j);
            }
        }
        for (Index lane = 0; lane < filled; ++lane) {
            if (across) store4(due_force_.data() + std::size_t{4} * (n_due_ + lane), push[lane]);
            else add4(force + i[lane], push[lane]);
            add4(force + j[lane], -push[lane]);
        }
        if (across)
            for (Index lane = 0; lane < filled; ++lane) due_[n_due_++] = static_cast<Index>(i[lane] / 4);
        if constexpr (Law::has_history)
            for (Index lane = 0; lane < filled; ++lane) {
                double* s = xi_of + 3 * slot[lane];
                s[0] = xi.x[lane], s[1] = xi.y[lane], s[2] = xi.z[lane];
            }
    }
}

}  // namespace granary
