#include "contact/bond_forces.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include "contact/beam_bond.hpp"
#include "contact/bond_stress.hpp"
#include "contact/spring_bond_huang2020.hpp"

namespace granary {
namespace {

struct NobodyWatchesBonds {
    static constexpr bool watches = false;
};
struct WatchedBonds {
    static constexpr bool watches = true;
    BondWatch& by;
};
const std::string across_ranges = "contact::bonds_across_ranges", within_ranges = "contact::bonds_within_ranges";

inline Real4 negate_xyz(Real4 a) {
    constexpr std::int64_t sign = std::int64_t{1} << 63;
    return Real4(Mask4(a) ^ Mask4{sign, sign, sign, 0});
}
inline void add4(double* p, Real4 a) { store4(p, load4(p) + a); }

// Twelve numbers of four bonds (x y z, x y z, ...) as lanes, and back.
[[gnu::always_inline]] inline Vec3<Real4> load_vectors(const double* p) {
    const Real4 a = load4(p), b = load4(p + 4), c = load4(p + 8);  // x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3
    const Real4 x01 = shuffled<0, 3, 0, 3>(a, a), x23 = shuffled<2, 5, 2, 5>(b, c);
    const Real4 y01 = shuffled<1, 4, 1, 4>(a, b), y23 = shuffled<3, 6, 3, 6>(b, c);
    const Real4 z01 = shuffled<2, 5, 2, 5>(a, b), z23 = shuffled<0, 3, 0, 3>(c, c);
    return {shuffled<0, 1, 4, 5>(x01, x23), shuffled<0, 1, 4, 5>(y01, y23), shuffled<0, 1, 4, 5>(z01, z23)};
}

BondParameters<double> parameters_from(const double* value) {
    return [&]<std::size_t... k>(std::index_sequence<k...>) { return BondParameters<double>{value[k]...}; }
    (std::make_index_sequence<n_bond_parameters>{});
}
[[gnu::always_inline]] inline BondParameters<Real4> parameters_from(const Real4 (&lanes)[n_bond_parameters]) {
    return [&]<std::size_t... k>(std::index_sequence<k...>) { return BondParameters<Real4>{lanes[k]...}; }
    (std::make_index_sequence<n_bond_parameters>{});
}

Bond<double> bond_at(const Bodies& s, const BondList& list, Index b) {
    const Index i = list.lower(b), j = list.upper(b);
    Bond<double> bond{};
    bond.apart = s.x(i) - s.x(j);
    bond.reference = {list.reference(b, 0), list.reference(b, 1), list.reference(b, 2)};
    if (s.has(When::orientations)) {
        bond.q_i = {s.orientation(i, 0), s.orientation(i, 1), s.orientation(i, 2), s.orientation(i, 3)};
        bond.q_j = {s.orientation(j, 0), s.orientation(j, 1), s.orientation(j, 2), s.orientation(j, 3)};
    }
    bond.smaller_radius = std::min(s.radius(i), s.radius(j));
    bond.velocity = s.v(i) - s.v(j);
    bond.spin = 0.5 * (s.omega(i) + s.omega(j)), bond.relative_spin = s.omega(i) - s.omega(j);
    bond.per_mass = s.velocity(i, 3) + s.velocity(j, 3);
    bond.per_inertia = s.spin(i, 3) + s.spin(j, 3);
    return bond;
}

// One bond by itself, on copies of its springs.
struct OneBond {
    Bond<double> bond;
    BondParameters<double> parameters;
    BondBar<double> bar;
    BondMotion<double> motion;
    BondStiffness<double> k;
    BondLoad<double> load;
    BondStress<double> stress;
};
OneBond evaluate(const Bond<double>& bond, const BondList& list, std::span<const BondType> types, Index b, double dt) {
    OneBond one;
    one.bond = bond;
    const BondType& type = types[list.type(b)];
    one.parameters = parameters_of(type);
    one.bar = bar_of(bond, one.parameters);
    const BondMotion<double>& motion = one.motion = motion_of(bond, dt);
    BondStiffness<double>& k = one.k;
    if (type.form == BondForm::beam) {
        k = beam_stiffness(one.bar);
        one.load = beam_load(bond, one.bar, k);
    } else {
        k = spring_stiffness(one.bar);
        Vec3d shear{list.shear(b, 0), list.shear(b, 1), list.shear(b, 2)};
        Vec3d moment{list.moment(b, 0), list.moment(b, 1), list.moment(b, 2)};
        one.load = spring_load(bond, motion, one.bar, k, shear, moment, dt);
    }
    add_dampers(bond, motion, one.parameters, k, dt, one.load);
    one.stress = stress_of(one.load, one.bar, one.parameters, list.factor(b));
    return one;
}
OneBond evaluate(const Bodies& bodies, const BondList& list, std::span<const BondType> types, Index b, double dt) {
    return evaluate(bond_at(bodies, list, b), list, types, b, dt);
}

// One lane, for what is rare.
BondLoad<double> lane_of(const BondLoad<Real4>& a, Index k) {
    const auto vector = [k](const Vec3<Real4>& v) { return Vec3d{v.x[k], v.y[k], v.z[k]}; };
    BondLoad<double> one{};
    one.force = vector(a.force), one.torque_i = vector(a.torque_i), one.torque_j = vector(a.torque_j);
    one.normal = vector(a.normal), one.distance = a.distance[k], one.stored = a.stored[k];
    return one;
}
BondStress<double> lane_of(const BondStress<Real4>& a, Index k) {
    return {a.sigma[k], a.tau[k], a.of_bending[k], a.sigma_c[k], a.tau_c[k]};
}

}  // namespace

void BondForces::note_types(std::span<const BondType> types) {
    loop_ = {};
    if (rows_.size() != types.size()) rows_.resize(types.size());
    for (std::size_t t = 0; t < types.size(); ++t) {
        const BondType& type = types[t];
        loop_.damped |= is_damped(type);
        loop_.breaks |= std::isfinite(type.tensile_strength) || std::isfinite(type.shear_strength) ||
                        std::isfinite(type.longest_stretch);
        loop_.elliptic |= type.criterion == BondCriterion::elliptic;
        const BondParameters<double> p = parameters_of(type);
        std::copy_n(&p.radius_factor, n_bond_parameters, rows_[t].value);
    }
}

void BondForces::make_parts(const BondList& bonds, std::span<const LayeredRange> ranges) {
    parts_.resize(std::max(ranges.size(), std::size_t{1}));
    const Index* const lower = bonds.lower.data();
    const auto first_of = [&](Index body) {
        return static_cast<Index>(std::lower_bound(lower, lower + bonds.size, body) - lower);
    };
    Index begin = 0;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
        Part& part = parts_[k];
        const bool last = k + 1 == parts_.size();
        part.begin = begin;
        part.end = begin = last ? bonds.size : first_of(ranges[k].bodies.end);
        part.last_layer = last ? part.end : first_of(ranges[k].last_layer);
        part.next = last ? ~Index{0} : ranges[k].bodies.end;
        part.breaks.clear();
        const std::size_t most = part.end - part.begin;  // when the list is new, so that no step allocates
        if (part.breaks.capacity() < most) part.breaks.reserve(most + most / 8);
        part.due.reserve(part.end - part.last_layer);
    }
}

void BondForces::add(Bodies& bodies, BondList& bonds, std::span<const BondType> types, double dt, BondWatch* watch,
                     std::span<const LayeredRange> ranges) {
    breaks_.clear();
    if (bonds.size == 0) return;
    make_parts(bonds, ranges);
    note_types(types);
    if (dt <= 0) loop_.breaks = false;
    const bool one_beam = types.size() == 1 && types[0].form == BondForm::beam;
    if (parts_.size() > 1)
        in_parallel(across_ranges, parts_.size() - 1,
                    [&](std::size_t k) { add_part(parts_[k], true, bodies, bonds, dt, one_beam, watch); });
    in_parallel(within_ranges, parts_.size(),
                [&](std::size_t k) { add_part(parts_[k], false, bodies, bonds, dt, one_beam, watch); });
    for (const Part& part : parts_) breaks_.insert(breaks_.end(), part.breaks.begin(), part.breaks.end());
    if (parts_.size() > 1)
        std::sort(breaks_.begin(), breaks_.end(),
                  [](const BondBreak& a, const BondBreak& b) { return a.bond < b.bond; });
}

void BondForces::add_part(Part& part, bool across, Bodies& bodies, BondList& bonds, double dt, bool one_beam,
                          BondWatch* watch) const {
    if (watch == nullptr) {
        if (one_beam) add_bonds<true>(part, across, bodies, bonds, dt, NobodyWatchesBonds{});
        else add_bonds<false>(part, across, bodies, bonds, dt, NobodyWatchesBonds{});
    } else {
        if (one_beam) add_bonds<true>(part, across, bodies, bonds, dt, WatchedBonds{*watch});
        else add_bonds<false>(part, across, bodies, bonds, dt, WatchedBonds{*watch});
    }
    if (across) return;
    part.due.give(bodies);
    std::sort(part.notes.begin(), part.notes.end(), [](const Note& a, const Note& b) { return a.bond < b.bond; });
    for (const Note& n : part.notes) n.show(*watch);
    part.notes.clear();
}

template <bool one_beam, class Watch> void BondForces::add_bonds(Part& part, bool across, Bodies& bodies,
                                                                 BondList& bonds, double dt,
                                                                 [[maybe_unused]] Watch watch) const {
    const double* const position = bodies.position.data();
    const double* const velocity = bodies.velocity.data();
    const double* const spin = bodies.spin.data();
    const double* const orientation = bodies.has(When::orientations) ? bodies.orientation.data() : nullptr;
    double* const force = bodies.force.data();
    double* const torque = bodies.torque.data();
    const Index* const lower = bonds.lower.data();
    const Index* const upper = bonds.upper.data();
    const std::uint16_t* const type = bonds.type.data();
    const Loop loop = loop_;
    const Real4 dt4 = broadcast4(dt);
    const Mask4 fourth{0, 0, 0, -1};

    Real4 lanes[n_bond_parameters];
    for (int p = 0; p < n_bond_parameters; ++p) lanes[p] = broadcast4(rows_[0].value[p]);

    // Quads of bonds are aligned in memory, wherever a range begins: lanes before it are left out.
    const Index first = across ? part.last_layer : part.begin;
    for (Index b = first & ~Index{3}; b < part.end; b += 4) {
        const Index filled = std::min(part.end - b, Index{4});
        int whole = 0;
        std::array<std::size_t, 4> i, j;  // offsets of the quads
        for (Index lane = 0; lane < 4; ++lane) {
            const Index from = b + std::min(lane, filled - 1);  // padding repeats the last bond
            i[lane] = std::size_t{4} * lower[from], j[lane] = std::size_t{4} * upper[from];
            whole |= static_cast<int>(lane < filled && b + lane >= first && type[from] != BondList::broken &&
                                      (upper[from] >= part.next) == across)
                     << lane;
        }
        if (whole == 0) continue;

        [[maybe_unused]] int springs = 0;
        if constexpr (!one_beam) {
            Real4 rows[4];
            for (int quarter = 0; quarter < n_bond_parameters; quarter += 4) {
                for (Index lane = 0; lane < 4; ++lane) {
                    const std::uint16_t t = type[b + std::min(lane, filled - 1)];
                    rows[lane] = load4(rows_[t == BondList::broken ? 0 : t].value + quarter);
                }
                transpose(rows[0], rows[1], rows[2], rows[3]);
                for (int k = 0; k < 4; ++k) lanes[quarter + k] = rows[k];
            }
        }
        const BondParameters<Real4> parameters = parameters_from(lanes);
        if constexpr (!one_beam) springs = lane_bits(parameters.spring > Real4{}) & whole;

        Bond<Real4> bond;
        {
            Real4 x[4];
            for (Index lane = 0; lane < 4; ++lane) {
                const Real4 x_i = load4(position + i[lane]), x_j = load4(position + j[lane]);
                x[lane] = where(fourth, smaller(x_i, x_j), x_i - x_j);  // (x_i - x_j, min(r_i, r_j))
            }
            transpose(x[0], x[1], x[2], x[3]);
            bond.apart = {x[0], x[1], x[2]}, bond.smaller_radius = x[3];
        }
        if (springs != whole) {
            Real4 q[4];
            for (Index lane = 0; lane < 4; ++lane) q[lane] = load4(orientation + i[lane]);
            transpose(q[0], q[1], q[2], q[3]);
            bond.q_i = {q[0], q[1], q[2], q[3]};
            for (Index lane = 0; lane < 4; ++lane) q[lane] = load4(orientation + j[lane]);
            transpose(q[0], q[1], q[2], q[3]);
            bond.q_j = {q[0], q[1], q[2], q[3]};
        }
        bond.reference = load_vectors(bonds.reference.data() + std::size_t{3} * b);
        const BondBar<Real4> bar =
            bar_of(bond, parameters, load4(bonds.length.data() + b), load4(bonds.per_length.data() + b));

        const bool moves = loop.damped || springs != 0;
        BondMotion<Real4> motion{};
        if (moves) {
            Real4 v[4], w[4], r[4];
            for (Index lane = 0; lane < 4; ++lane) {
                v[lane] = load4(velocity + i[lane]) + negate_xyz(load4(velocity + j[lane]));
                const Real4 w_i = load4(spin + i[lane]), w_j = load4(spin + j[lane]);
                w[lane] = w_i + w_j, r[lane] = w_i - w_j;
            }
            transpose(v[0], v[1], v[2], v[3]);
            transpose(w[0], w[1], w[2], w[3]);
            transpose(r[0], r[1], r[2], r[3]);
            const Real4 half = broadcast4(0.5);
            bond.velocity = {v[0], v[1], v[2]}, bond.per_mass = v[3];
            bond.spin = {half * w[0], half * w[1], half * w[2]}, bond.per_inertia = w[3];
            bond.relative_spin = {r[0], r[1], r[2]};
            motion = motion_of(bond, dt4);
        }

        BondLoad<Real4> load;
        BondStiffness<Real4> k;
        if constexpr (one_beam) {
            k = beam_stiffness(bar);
            load = beam_load(bond, bar, k);
        } else {
            if (springs != whole) {
                k = beam_stiffness(bar);
                load = beam_load(bond, bar, k);
            }
            if (springs != 0) {
                double* const shears = bonds.shear.data() + std::size_t{3} * b;
                double* const moments = bonds.moment.data() + std::size_t{3} * b;
                Vec3<Real4> shear = load_vectors(shears), moment = load_vectors(moments);
                const BondStiffness<Real4> k_spring = spring_stiffness(bar);
                const BondLoad<Real4> of_springs = spring_load(bond, motion, bar, k_spring, shear, moment, dt4);
                for (Index lane = 0; lane < filled; ++lane) {
                    if ((springs >> lane & 1) == 0) continue;
                    double *const s = shears + std::size_t{3} * lane, *const m = moments + std::size_t{3} * lane;
                    s[0] = shear.x[lane], s[1] = shear.y[lane], s[2] = shear.z[lane];
                    m[0] = moment.x[lane], m[1] = moment.y[lane], m[2] = moment.z[lane];
                }
                if (springs == whole) {
                    k = k_spring, load = of_springs;
                } else {
                    const Mask4 is_spring = parameters.spring > Real4{};
                    const auto choose = [&](auto& a, const auto& s) { a = where(is_spring, s, a); };
                    choose(k.k_n, k_spring.k_n), choose(k.k_s, k_spring.k_s);
                    choose(k.k_t, k_spring.k_t), choose(k.k_b, k_spring.k_b);
                    choose(load.force, of_springs.force), choose(load.normal, of_springs.normal);
                    choose(load.torque_i, of_springs.torque_i), choose(load.torque_j, of_springs.torque_j);
                    choose(load.tension, of_springs.tension), choose(load.distance, of_springs.distance);
                    choose(load.shear_squared, of_springs.shear_squared), choose(load.twist, of_springs.twist);
                    choose(load.bending_squared, of_springs.bending_squared), choose(load.stored, of_springs.stored);
                }
            }
        }
        if (loop.damped) add_dampers(bond, motion, parameters, k, dt4, load);

        [[maybe_unused]] BondEnd ends[4];
        [[maybe_unused]] int ended = 0;
        if (loop.breaks) {
            const Real4 factor = load4(bonds.factor.data() + b);
            if ((lane_bits(may_break(load, bar, parameters, factor, loop.elliptic)) & whole) != 0) [[unlikely]] {
                const BondStress<Real4> stress = stress_of(load, bar, parameters, factor);
                const int broken = lane_bits(breaks_at(stress, load, bar, parameters, loop.elliptic)) & whole;
                for (Index lane = 0; lane < 4; ++lane) {
                    if ((broken >> lane & 1) == 0) continue;
                    BondBar<double> bar_1{};
                    bar_1.length = bar.length[lane];
                    const BondLoad<double> load_1 = lane_of(load, lane);
                    const BondParameters<double> own = parameters_from(rows_[type[b + lane]].value);
                    const Bond<double> bond_1 = bond_at(bodies, bonds, b + lane);
                    const BondStiffness<double> k_1{k.k_n[lane], k.k_s[lane], k.k_t[lane], k.k_b[lane]};
                    const BondEnd end = end_of(bond_1, motion_of(bond_1, dt), own, k_1, dt, load_1);
                    part.breaks.push_back(
                        {b + lane, cause_of(lane_of(stress, lane), load_1, bar_1, own), end.released});
                    bonds.type(b + lane) = BondList::broken;
                    ends[lane] = end;
                }
                whole &= ~broken, ended = broken;
            }
        }
        if constexpr (Watch::watches)
            for (Index lane = 0; lane < filled; ++lane) {
                const bool breaks = (ended >> lane & 1) != 0;
                if (!breaks && (whole >> lane & 1) == 0) continue;
                const Index i_1 = lower[b + lane];
                const Note note = breaks ? Note{b + lane, i_1, 0, ends[lane].damped, ends[lane].released, true}
                                         : Note{b + lane, i_1, load.stored[lane], load.damped[lane], 0, false};
                if (b + lane >= part.last_layer) part.notes.push_back(note);
                else note.show(watch.by);
            }

        Real4 push[4] = {load.force.x, load.force.y, load.force.z, Real4{}};
        Real4 on_i[4] = {load.torque_i.x, load.torque_i.y, load.torque_i.z, Real4{}};
        Real4 on_j[4] = {load.torque_j.x, load.torque_j.y, load.torque_j.z, Real4{}};
        transpose(push[0], push[1], push[2], push[3]);
        transpose(on_i[0], on_i[1], on_i[2], on_i[3]);
        transpose(on_j[0], on_j[1], on_j[2], on_j[3]);
        const auto give = [&](Index lane) {
            if (across) part.due.put(static_cast<Index>(i[lane] / 4), push[lane], on_i[lane]);
            else add4(force + i[lane], push[lane]), add4(torque + i[lane], on_i[lane]);
            add4(force + j[lane], -push[lane]);
            add4(torque + j[lane], on_j[lane]);
        };
        if (whole == 15) [[likely]] {
            give(0), give(1), give(2), give(3);
        } else {
            for (Index lane = 0; lane < 4; ++lane)
                if ((whole >> lane & 1) != 0) give(lane);
        }
    }
}

void sample_bonds(const Bodies& bodies, const BondList& bonds, std::span<const BondType> types, double dt,
                  std::vector<PairSample>& samples) {
    for (Index b = 0; b < bonds.size; ++b) {
        if (bonds.is_broken(b)) continue;
        const OneBond one = evaluate(bodies, bonds, types, b, dt);
        if (dt > 0 && breaks_at(one.stress, one.load, one.bar, one.parameters, true)) continue;
        samples.push_back({bonds.lower(b), bonds.upper(b), one.load.force});
    }
}

void bond_shares(const Bodies& bodies, const BondList& bonds, std::span<const BondType> types,
                 std::vector<BondShare>& shares) {
    for (Index b = 0; b < bonds.size; ++b) {
        if (bonds.is_broken(b)) continue;
        const BondStress<double> s = evaluate(bodies, bonds, types, b, 0).stress;
        shares.push_back({b, s.sigma / s.sigma_c, s.tau / s.tau_c});
    }
}

BondEnd energy_of_cut(const Bodies& bodies, const BondList& bonds, std::span<const BondType> types, Index bond,
                      const Vec3d& apart, double dt) {
    Bond<double> seen = bond_at(bodies, bonds, bond);
    seen.apart = apart;
    const OneBond one = evaluate(seen, bonds, types, bond, dt);
    return end_of(one.bond, one.motion, one.parameters, one.k, dt, one.load);
}

double bond_energy(const Bodies& bodies, const BondList& bonds, std::span<const BondType> types, Index bond) {
    return bonds.is_broken(bond) ? 0 : evaluate(bodies, bonds, types, bond, 0).load.stored;
}

}  // namespace granary
