// Checks that every law has to pass, on many random contacts with all kinds of zeros among them.
#pragma once
#include <gtest/gtest.h>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include "contact/law.hpp"
#include "core/quad_rows.hpp"

namespace granary::testing {

class Dice {
  public:
    double uniform(double from, double to) { return from + (to - from) * std::ldexp(double(engine_() >> 11), -53); }
    double log_uniform(double from, double to) { return std::exp(uniform(std::log(from), std::log(to))); }
    int below(int n) { return int(engine_() % std::uint64_t(n)); }
    Vec3d vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
    Vec3d direction() {
        if (below(4) == 0) return below(2) ? Vec3d{0, 0, 1} : Vec3d{0, -1, 0};
        const Vec3d a = vector(1.0);
        return a * (1.0 / norm(a));
    }

  private:
    std::mt19937_64 engine_{20240607};  // a fixed seed: the same contacts in every run
};

struct Case {
    Contact<double> contact;
    Vec3d xi, theta;
};

inline Case random_case(Dice& dice) {
    Case c;
    c.contact.normal = dice.direction();
    switch (dice.below(6)) {
        case 0: c.contact.overlap = 0.0; break;
        case 1: c.contact.overlap = -dice.log_uniform(1e-9, 1e-3); break;
        case 2: c.contact.overlap = dice.below(2) ? 1e-300 : std::numeric_limits<double>::denorm_min(); break;
        default: c.contact.overlap = dice.log_uniform(1e-9, 1e-3);
    }
    switch (dice.below(4)) {
        case 0: c.contact.velocity = {}; break;
        case 1: c.contact.velocity = c.contact.normal * dice.uniform(-2, 2); break;
        default: c.contact.velocity = dice.vector(dice.log_uniform(1e-6, 10));
    }
    c.xi = dice.below(3) ? dice.vector(dice.log_uniform(1e-9, 1e-3)) : Vec3d{};
    c.contact.effective_radius = dice.log_uniform(1e-4, 0.2);
    c.contact.effective_mass = dice.log_uniform(1e-8, 50);
    c.contact.spin = dice.below(4) ? dice.vector(dice.log_uniform(1e-6, 1e3)) : Vec3d{};
    c.contact.rolling_inertia = c.contact.effective_mass * c.contact.effective_radius * c.contact.effective_radius;
    c.theta = dice.below(3) ? dice.vector(dice.log_uniform(1e-9, 1e-1)) : Vec3d{};
    return c;
}

// What a lane without a contact may hold.
inline Case padding_case() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return {{{nan, nan, nan}, 0.0, {nan, 0, 0}, 0.0, nan, {nan, 1, 0}, nan}, {nan, 1, 2}, {nan, 1, 2}};
}

inline bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
inline bool same_bits(const Vec3d& a, const Vec3d& b) {
    return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}
inline bool is_finite(const Vec3d& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }
// One lane of T, whatever T is.
template <class T> double lane(const T& a, int k) {
    double numbers[n_lanes<T>];
    std::memcpy(numbers, &a, sizeof a);
    return numbers[k];
}
template <class T> Vec3d lane(const Vec3<T>& a, int k) { return {lane(a.x, k), lane(a.y, k), lane(a.z, k)}; }
template <class T> void set_lane(T& a, int k, double b) {
    std::memcpy(reinterpret_cast<char*>(&a) + sizeof(double) * std::size_t(k), &b, sizeof b);
}
template <class T> void set_lane(Vec3<T>& a, int k, const Vec3d& b) {
    set_lane(a.x, k, b.x), set_lane(a.y, k, b.y), set_lane(a.z, k, b.z);
}

template <class T, class Law, class MakeParameters>
void expect_lanes_of(const Law& law, MakeParameters random_parameters, int n_batches) {
    using P = typename Law::template Parameters<double>;
    using PT = typename Law::template Parameters<T>;
    constexpr int n = sizeof(P) / sizeof(double), wide = n_lanes<T>;
    const double dt = 1e-5;
    Dice dice;
    for (int batch = 0; batch < n_batches; ++batch) {
        Case cases[wide];
        P parameters[wide];
        T lanes[n] = {};
        Contact<T> contact{};
        Vec3<T> xi{}, theta{};
        for (int k = 0; k < wide; ++k) {
            cases[k] = dice.below(16) ? random_case(dice) : padding_case();
            parameters[k] = random_parameters(dice);
            const auto numbers = std::bit_cast<std::array<double, n>>(parameters[k]);
            for (int m = 0; m < n; ++m) set_lane(lanes[m], k, numbers[m]);
            set_lane(contact.normal, k, cases[k].contact.normal);
            set_lane(contact.velocity, k, cases[k].contact.velocity);
            set_lane(contact.overlap, k, cases[k].contact.overlap);
            set_lane(contact.effective_radius, k, cases[k].contact.effective_radius);
            set_lane(contact.effective_mass, k, cases[k].contact.effective_mass);
            set_lane(contact.rolling_inertia, k, cases[k].contact.rolling_inertia);
            set_lane(contact.spin, k, cases[k].contact.spin);
            set_lane(xi, k, cases[k].xi);
            set_lane(theta, k, cases[k].theta);
        }
        PT p;
        static_assert(sizeof(p) == sizeof(lanes));
        __builtin_memcpy(&p, lanes, sizeof(p));
        const Vec3<T> all = law.force(contact, p, xi, broadcast<T>(dt));
        if constexpr (gives_rolling_torque<Law>) {
            const Vec3<T> torque = law.rolling_torque(contact, p, theta, broadcast<T>(dt));
            for (int k = 0; k < wide; ++k) {
                Vec3d one_theta = cases[k].theta;
                const Vec3d one = law.rolling_torque(cases[k].contact, parameters[k], one_theta, dt);
                ASSERT_TRUE(same_bits(one, lane(torque, k))) << "batch " << batch << " lane " << k;
                ASSERT_TRUE(is_finite(one)) << "batch " << batch << " lane " << k;
                if (!keeps_rolling_spring<Law>) continue;
                ASSERT_TRUE(same_bits(one_theta, lane(theta, k))) << "batch " << batch << " lane " << k;
                ASSERT_TRUE(is_finite(one_theta));
            }
        }
        for (int k = 0; k < wide; ++k) {
            Vec3d one_xi = cases[k].xi;
            const Vec3d one = law.force(cases[k].contact, parameters[k], one_xi, dt);
            ASSERT_TRUE(same_bits(one, lane(all, k))) << "batch " << batch << " lane " << k;
            ASSERT_TRUE(is_finite(one)) << "batch " << batch << " lane " << k;
            if constexpr (Law::has_history) {
                ASSERT_TRUE(same_bits(one_xi, lane(xi, k))) << "batch " << batch << " lane " << k;
                ASSERT_TRUE(is_finite(one_xi));
            }
        }
    }
}

// Four contacts at once, and as many as the CPU has lanes, give the bits of one at a time; never a NaN; padded lanes
// give zero. random_parameters(dice) draws Parameters<double>; number k of them is at index k.
template <class Law, class MakeParameters>
void expect_lanes_equal_scalar(const Law& law, MakeParameters random_parameters, int n_batches = 20000) {
    expect_lanes_of<Real4>(law, random_parameters, n_batches);
    if constexpr (n_lanes < WideReal >> 4) expect_lanes_of<WideReal>(law, random_parameters, n_batches / 2);
}

// Seen from j everything has the other sign, to the last bit. (Zeros may keep theirs: == does not mind.)
template <class Law, class MakeParameters>
void expect_antisymmetric(const Law& law, MakeParameters random_parameters, int n_contacts = 50000) {
    Dice dice;
    int n_forces = 0, n_torques = 0;
    for (int i = 0; i < n_contacts; ++i) {
        const Case seen_from_i = random_case(dice);
        Case seen_from_j = seen_from_i;
        seen_from_j.contact.normal = -seen_from_i.contact.normal;
        seen_from_j.contact.velocity = -seen_from_i.contact.velocity;
        seen_from_j.contact.spin = -seen_from_i.contact.spin;
        const auto p = random_parameters(dice);
        Vec3d xi_i = seen_from_i.xi, xi_j = -seen_from_i.xi;
        const Vec3d f_i = law.force(seen_from_i.contact, p, xi_i, 1e-5);
        const Vec3d f_j = law.force(seen_from_j.contact, p, xi_j, 1e-5);
        ASSERT_EQ(f_i, -f_j) << i;
        ASSERT_EQ(xi_i, -xi_j) << i;
        n_forces += norm(f_i) > 0;
        if constexpr (gives_rolling_torque<Law>) {
            Vec3d theta_i = seen_from_i.theta, theta_j = -seen_from_i.theta;
            const Vec3d t_i = law.rolling_torque(seen_from_i.contact, p, theta_i, 1e-5);
            const Vec3d t_j = law.rolling_torque(seen_from_j.contact, p, theta_j, 1e-5);
            ASSERT_EQ(t_i, -t_j) << i;
            if constexpr (keeps_rolling_spring<Law>) {
                ASSERT_EQ(theta_i, -theta_j) << i;
            }
            n_torques += norm(t_i) > 0;
        }
    }
    if constexpr (gives_rolling_torque<Law>) {
        EXPECT_GT(n_torques, n_contacts / 4);
    }
    EXPECT_GT(n_forces, n_contacts / 4);  // the dice did throw contacts
}

}  // namespace granary::testing
