// The two forms of bond by themselves: potential, sums, turns, exchange, lanes.
#include <gtest/gtest.h>
#include "contact/beam_bond.hpp"
#include "contact/bond_stress.hpp"
#include "contact/bonded.hpp"
#include "contact/spring_bond_huang2020.hpp"
#include "support/dice.hpp"

namespace granary::test {
namespace {

Quaterniond about(const Vec3d& axis, double angle) {
    const Vec3d u = (std::sin(angle / 2) / norm(axis)) * axis;
    return {std::cos(angle / 2), u.x, u.y, u.z};
}
void expect_near(const Vec3d& a, const Vec3d& b, double error) {
    EXPECT_NEAR(a.x, b.x, error);
    EXPECT_NEAR(a.y, b.y, error);
    EXPECT_NEAR(a.z, b.z, error);
}

// A bond of two balls of different size, stretched, sheared, twisted and bent by a lot.
Bond<double> bent() {
    Bond<double> b{};
    b.reference = {1.7e-3, -0.6e-3, 0.9e-3};
    b.q_i = about({1, 2, -1}, 0.7), b.q_j = about({-1, 1, 2}, 0.4);
    b.apart = rotate(about({1, 1, 0.3}, 0.6), Vec3d{1.9e-3, -0.4e-3, 1.0e-3});
    b.smaller_radius = 0.8e-3;
    b.velocity = {0.3, -0.2, 0.5}, b.spin = {100, 250, -80}, b.relative_spin = {-300, 40, 120};
    b.per_mass = 1.5e5, b.per_inertia = 2e11;
    return b;
}
BondParameters<double> stiff(BondForm form = BondForm::beam) {
    BondType t;
    t.form = form, t.radius_factor = 0.9, t.young_modulus = 1e8, t.shear_modulus = 4e7;
    t.normal_damping = 0.1, t.shear_damping = 0.2, t.twist_damping = 0.3, t.bending_damping = 0.15;
    return parameters_of(t);
}
BondLoad<double> beam(const Bond<double>& b) {
    const BondBar<double> bar = bar_of(b, stiff());
    return beam_load(b, bar, beam_stiffness(bar));
}

TEST(BeamBond, ForceAndTorquesAreMinusTheGradientOfItsPotential) {
    const BondLoad<double> load = beam(bent());
    const double h = 1e-9, turn = 1e-6;
    for (int axis = 0; axis < 3; ++axis) {
        const auto slope = [&](auto&& moved, double step) {
            return (moved(-step).stored - moved(step).stored) / (2 * step);
        };
        const double f = slope(
            [&](double s) {
                Bond<double> b = bent();
                at(b.apart, axis) += s;
                return beam(b);
            },
            h);
        EXPECT_NEAR(f / at(load.force, axis), 1, 1e-6) << axis;
        for (const bool lower : {true, false}) {
            const double t = slope(
                [&](double s) {
                    Bond<double> b = bent();
                    Vec3d e{};
                    at(e, axis) = 1;
                    Quaterniond& q = lower ? b.q_i : b.q_j;
                    q = about(e, s) * q;
                    return beam(b);
                },
                turn);
            EXPECT_NEAR(t / at(lower ? load.torque_i : load.torque_j, axis), 1, 1e-6) << axis << lower;
        }
    }
}

// Small deformation: the stiffness matrix of a Timoshenko beam, column by column.
TEST(BeamBond, IsTheTimoshenkoBeamForSmallDeformation) {
    Bond<double> b{};
    const double l = 2e-3, s = 1e-9, a = 1e-6;
    b.reference = b.apart = {l, 0, 0};
    b.q_i = b.q_j = {1, 0, 0, 0}, b.smaller_radius = 1e-3;
    const BondBar<double> bar = bar_of(b, stiff());
    const double r = 0.9e-3, area = std::numbers::pi * r * r, i = area * r * r / 4, e = 1e8, g = 4e7;
    const double phi = 12 * e * i / (g * area * l * l), ei = e * i / (1 + phi);
    Bond<double> m = b;
    m.apart.x += s;
    EXPECT_NEAR(beam(m).force.x / (-e * area / l * s), 1, 1e-5);
    m = b, m.apart.y += s;
    EXPECT_NEAR(beam(m).force.y / (-12 * ei / (l * l * l) * s), 1, 1e-6);
    EXPECT_NEAR(beam(m).torque_i.z / (6 * ei / (l * l) * s), 1, 1e-6);
    EXPECT_NEAR(beam(m).torque_j.z / (6 * ei / (l * l) * s), 1, 1e-6);
    m = b, m.q_i = about({0, 0, 1}, a);
    EXPECT_NEAR(beam(m).force.y / (6 * ei / (l * l) * a), 1, 1e-6);
    EXPECT_NEAR(beam(m).torque_i.z / (-(4 + phi) * ei / l * a), 1, 1e-6);
    EXPECT_NEAR(beam(m).torque_j.z / (-(2 - phi) * ei / l * a), 1, 1e-6);
    m = b, m.q_i = about({1, 0, 0}, a);
    EXPECT_NEAR(beam(m).torque_i.x / (-g * 2 * i / l * a), 1, 1e-6);
    EXPECT_NEAR(beam(m).torque_j.x / (g * 2 * i / l * a), 1, 1e-6);
    EXPECT_NEAR(bar.young_moment, e * i, 1e-12);
}

template <class F> void for_both_forms(F&& f) {
    f(BondForm::beam);
    f(BondForm::spring);
}

struct Loaded {
    BondLoad<double> load;
    Vec3d shear, moment;
};
Loaded evaluated(BondForm form, const Bond<double>& b, Vec3d shear = {}, Vec3d moment = {}, double dt = 1e-6) {
    const BondParameters<double> p = stiff(form);
    const BondBar<double> bar = bar_of(b, p);
    const BondMotion<double> motion = motion_of(b, dt);
    Loaded a{{}, shear, moment};
    const auto k = form == BondForm::beam ? beam_stiffness(bar) : spring_stiffness(bar);
    a.load = form == BondForm::beam ? beam_load(b, bar, k) : spring_load(b, motion, bar, k, a.shear, a.moment, dt);
    add_dampers(b, motion, p, k, dt, a.load);
    return a;
}
const Vec3d some_shear{30, -10, 5}, some_moment{0.01, 0.02, -0.015};

TEST(Bonds, MomentsOfAllForcesSumToZero) {
    for_both_forms([](BondForm form) {
        const Bond<double> b = bent();
        const BondLoad<double> l = evaluated(form, b, some_shear, some_moment).load;
        const Vec3d sum = cross(b.apart, l.force) + l.torque_i + l.torque_j;
        EXPECT_LT(norm(sum), 1e-13 * (norm(l.torque_i) + norm(b.apart) * norm(l.force)));
        EXPECT_GT(l.damped, 0);
    });
}

TEST(Bonds, ForcesTurnWithTheWhole) {
    for_both_forms([](BondForm form) {
        const Bond<double> b = bent();
        const BondLoad<double> l = evaluated(form, b, some_shear, some_moment).load;
        for (const double angle : {0.5, 2.0, 3.1}) {
            const Quaterniond q = about({0.3, -1, 0.7}, angle);
            Bond<double> t = b;
            t.q_i = q * b.q_i, t.q_j = q * b.q_j, t.apart = rotate(q, b.apart);
            t.velocity = rotate(q, b.velocity), t.spin = rotate(q, b.spin);
            t.relative_spin = rotate(q, b.relative_spin);
            const BondLoad<double> turned = evaluated(form, t, rotate(q, some_shear), rotate(q, some_moment)).load;
            expect_near(turned.force, rotate(q, l.force), 1e-12 * norm(l.force));
            expect_near(turned.torque_i, rotate(q, l.torque_i), 1e-12 * norm(l.torque_i));
            expect_near(turned.torque_j, rotate(q, l.torque_j), 1e-12 * norm(l.torque_j));
            EXPECT_NEAR(turned.stored / l.stored, 1, 1e-12);
        }
    });
}

TEST(BeamBond, QuaternionsOfEitherSignAreTheSame) {
    const Bond<double> b = bent();
    Bond<double> other = b;
    other.q_i = {-b.q_i.w, -b.q_i.x, -b.q_i.y, -b.q_i.z};
    const BondLoad<double> a = beam(b), c = beam(other);
    EXPECT_EQ(a.force, c.force);
    EXPECT_EQ(a.torque_i, c.torque_i);
    EXPECT_EQ(a.torque_j, c.torque_j);
    EXPECT_EQ(a.stored, c.stored);
}

TEST(Bonds, ExchangeOfLowerAndUpperIsTheSamePhysics) {
    for_both_forms([](BondForm form) {
        const Bond<double> b = bent();
        Bond<double> other = b;
        other.apart = -b.apart, other.reference = -b.reference, other.velocity = -b.velocity;
        other.q_i = b.q_j, other.q_j = b.q_i, other.relative_spin = -b.relative_spin;
        const BondLoad<double> a = evaluated(form, b, some_shear, some_moment).load,
                               c = evaluated(form, other, -some_shear, -some_moment).load;
        expect_near(a.force, -c.force, 1e-13 * norm(a.force));
        expect_near(a.torque_i, c.torque_j, 1e-13 * norm(a.torque_i));
        expect_near(a.torque_j, c.torque_i, 1e-13 * norm(a.torque_j));
        EXPECT_NEAR(a.stored / c.stored, 1, 1e-13);
        EXPECT_NEAR(a.bending_squared / c.bending_squared, 1, 1e-12);
        EXPECT_NEAR(a.damped / c.damped, 1, 1e-12);
    });
}

// One step of a rigid turn about any axis: springs turn exactly, nothing is added, dampers do nothing.
TEST(SpringBond, RigidTurnOfTheWholeGivesNoIncrement) {
    const Vec3d d_0{1.5e-3, 0.4e-3, -0.8e-3}, axis{0.4, -0.7, 0.3};
    const double dt = 1e-4, angle = 0.05;
    const Quaterniond q = about(axis, angle);
    Bond<double> b = bent();
    b.apart = rotate(q, d_0), b.velocity = (1 / dt) * (b.apart - d_0), b.reference = b.apart;
    b.spin = (angle / dt / norm(axis)) * axis, b.relative_spin = {};
    const Vec3d n = (1 / norm(d_0)) * d_0;
    const Vec3d shear = some_shear - dot(some_shear, n) * n;
    const Loaded a = evaluated(BondForm::spring, b, shear, some_moment, dt);
    expect_near(a.shear, rotate(q, shear), 1e-11 * norm(shear));
    expect_near(a.moment, rotate(q, some_moment), 1e-11 * norm(some_moment));
    EXPECT_LT(a.load.damped, 1e-20);
}

TEST(SpringBond, AStepBackUndoesAStep) {
    Bond<double> b = bent();
    const double dt = 2e-6;
    const Vec3d n_0 = (1 / norm(b.apart)) * b.apart;
    const Vec3d shear = some_shear - dot(some_shear, n_0) * n_0;
    b.apart = b.apart + dt * b.velocity;
    const Loaded there = evaluated(BondForm::spring, b, shear, some_moment, dt);
    EXPECT_GT(norm(there.shear - shear), 1e-3 * norm(shear));
    b.apart = b.apart - dt * b.velocity;
    b.velocity = -b.velocity, b.spin = -b.spin, b.relative_spin = -b.relative_spin;
    const Loaded back = evaluated(BondForm::spring, b, there.shear, there.moment, dt);
    expect_near(back.shear, shear, 1e-12 * norm(shear));
    expect_near(back.moment, some_moment, 1e-12 * norm(some_moment));
}

TEST(SpringBond, StandsStillWithoutTime) {
    const Loaded a = evaluated(BondForm::spring, bent(), some_shear, some_moment, 0);
    EXPECT_EQ(a.shear, some_shear);
    EXPECT_EQ(a.moment, some_moment);
    EXPECT_EQ(a.load.damped, 0);
}

// Equations (1)-(4) with one component of the motion after the other.
TEST(SpringBond, IncrementsAreThoseOfThePaper) {
    Bond<double> b{};
    b.reference = b.apart = {2e-3, 0, 0}, b.smaller_radius = 1e-3, b.per_mass = 1, b.per_inertia = 1;
    const double dt = 1e-7, r = 0.9e-3, k_n = 1e8 / 2e-3, k_s = 4e7 / 2e-3;
    const double area = std::numbers::pi * r * r, j = area * r * r / 2, i = j / 2;
    b.velocity = {0, 0.2, 0};
    EXPECT_NEAR(evaluated(BondForm::spring, b, {}, {}, dt).shear.y / (-k_s * area * 0.2 * dt), 1, 1e-4);
    b.velocity = {}, b.relative_spin = {30, 0, 0};
    EXPECT_NEAR(evaluated(BondForm::spring, b, {}, {}, dt).moment.x / (-k_s * j * 30 * dt), 1, 1e-9);
    b.relative_spin = {0, 30, 0};
    EXPECT_NEAR(evaluated(BondForm::spring, b, {}, {}, dt).moment.y / (-k_n * i * 30 * dt), 1, 1e-9);
    b.relative_spin = {}, b.apart.x += 1e-7;
    EXPECT_NEAR(evaluated(BondForm::spring, b, {}, {}, dt).load.tension / (k_n * area * 1e-7), 1, 1e-6);
    b.apart.x -= 1e-7, b.spin = {0, 0, 50};  // both balls turn and the bond does not: shear
    EXPECT_NEAR(evaluated(BondForm::spring, b, {}, {}, dt).shear.y / (k_s * area * 50 * 2e-3 * dt), 1, 1e-4);
}

// A tangle of balls: all bonds at once give the bits of each by itself, whatever lanes, types and forms.
TEST(BondForces, FourLanesGiveTheBitsOfOne) {
    BondType beam = Bar::type(BondForm::beam), spring = Bar::type(BondForm::spring), soft = beam;
    beam.normal_damping = 0.1, spring.bending_damping = 0.05, soft.young_modulus = 0, soft.shear_modulus = 0;
    soft.normal_stiffness = 3e9, soft.shear_stiffness = 1e9;
    for (const auto& types :
         {std::vector{beam}, std::vector{beam, soft}, std::vector{spring}, std::vector{beam, spring, soft}}) {
        Bonded b(types);
        Dice dice(7);
        const auto some = [&](double size) { return dice.vector(size); };
        for (int k = 0; k < 11; ++k) b.ball({2e-3 * k, 0, 0}, 1e-3 + 1e-5 * k, 1e-5);
        for (Index i = 0; i < 11; ++i)
            for (Index j = i + 1; j < std::min<Index>(i + 3, 11); ++j) b.bond(i, j, (i + 2 * j) % types.size());
        for (Index i = 0; i < 11; ++i) {
            b.set(i, some(0.1), some(20));
            for (int axis = 0; axis < 3; ++axis) b.bodies.position(i, axis) += at(some(1e-4), axis);
            const Quaterniond q = turned(Quaterniond{1, 0, 0, 0}, some(0.05));
            b.bodies.orientation(i, 0) = q.w, b.bodies.orientation(i, 1) = q.x;
            b.bodies.orientation(i, 2) = q.y, b.bodies.orientation(i, 3) = q.z;
        }
        b.bonds.type(2) = BondList::broken;
        const double dt = 1e-6;
        for (int step = 0; step < 3; ++step) {
            std::vector<PairSample> samples;
            sample_bonds(b.bodies, b.bonds, b.types, dt, samples);
            ASSERT_EQ(samples.size(), b.bonds.size - 1U);
            std::vector<Vec3d> sum(11);
            for (const PairSample& s : samples) sum[s.i] += s.force, sum[s.j] += -s.force;
            b.bodies.for_each_column([&](const ColumnRow& row, const auto& view) {
                if (row.column == Column::force || row.column == Column::torque) Kokkos::deep_copy(view, 0);
            });
            b.forces.add(b.bodies, b.bonds, b.types, dt, nullptr);
            for (Index i = 0; i < 11; ++i) EXPECT_EQ(b.force(i), sum[i]) << i << " of " << types.size();
        }
        EXPECT_TRUE(b.forces.breaks().empty());
    }
}

TEST(BondForces, TwoHeldBodiesGiveNoNumbersThatAreNone) {
    BondType t = Bar::type(BondForm::beam);
    t.normal_damping = t.shear_damping = t.twist_damping = t.bending_damping = 0.5;
    Bonded b(t);
    b.ball({0, 0, 0}, 1e-3, 1e-5), b.ball({2e-3, 0, 0}, 1e-3, 1e-5);
    b.bond(0, 1), b.hold(0), b.hold(1);
    b.set(1, {0.1, 0.2, 0}, {3, 0, 1});
    b.start(1e-6);
    b.steps(10);
    EXPECT_TRUE(std::isfinite(norm(b.force(0)) + norm(b.torque(0)) + norm(b.torque(1))));
    EXPECT_GT(b.force(0).x, 0);
}

}  // namespace
}  // namespace granary::test
