// The loop of many at a time against a plain loop of one at a time, to the last bit, and against the textbook.
#include "contact/pair_forces.hpp"
#include <gtest/gtest.h>
#include <bit>
#include <cstring>
#include <map>
#include "core/position_lattice.hpp"
#include "search/mr_search_munjiza2006.hpp"
#include "support/arranged.hpp"
#include "support/dice.hpp"

namespace granary::test::pair_forces_test {

namespace {

constexpr double r_max = 2.6e-3, skin = 4e-4, dt = 1e-5;  // m, m, s

std::vector<Material> materials(std::size_t n) {
    std::vector<Material> all(n);
    for (std::size_t k = 0; k < n; ++k) {
        Material& m = all[k];
        const double f = 1.0 + 0.3 * static_cast<double>(k);
        m.name = std::string(k + 1, 'm'), m.density = 2500 * f, m.young = 5e6 * f, m.poisson = 0.3;
        m.restitution = 0.9 / f, m.friction = 0.5 * f, m.stiffness = 2000 * f, m.damping = 0.05, m.cohesion = 0.05 * f;
        m.rolling_friction = 0.2 * f, m.rolling_damping = 0.3, m.cohesion_density = 1e4 * f;
    }
    return all;
}

template <class Law> PairTable<Law> table_of(std::size_t n) {
    LawSettings settings{.type = law_type_of<Law>};
    if (gives_rolling_torque<Law>) settings.rolling = LawSettings::Rolling::constant;
    if (keeps_rolling_spring<Law>) settings.rolling = LawSettings::Rolling::spring;
    if (settings.type == LawSettings::Type::hertz_mindlin) settings.cohesion = LawSettings::Cohesion::sjkr;
    return make_table<Law>(materials(n), {}, settings);
}

// Balls in a box, about a third of the candidates touching, all in motion.
std::vector<NewBody> crowd(const Cubes& cubes, int n, std::size_t n_materials, std::uint64_t seed) {
    Dice dice(seed);
    std::vector<NewBody> balls;
    const PositionLattice lattice(cubes.domain());
    for (int k = 0; k < n; ++k) {
        const double r = dice.uniform(0.6 * r_max, r_max);
        NewBody b = ball(dice.bits() >> 1, lattice.snap(dice.within(cubes.domain().lower, cubes.domain().upper)), r);
        b.mass = 1e4 * r * r * r, b.inertia = 0.4 * b.mass * r * r;
        b.velocity = dice.vector(0.5), b.spin = dice.vector(200);
        b.material = static_cast<std::uint16_t>(dice.below(static_cast<int>(n_materials)));
        balls.push_back(b);
    }
    return balls;
}

struct System {
    Bodies bodies;
    PairList pairs;
};

System copy_of(const Bodies& b, const PairList& p) {
    System s;
    s.bodies.reserve(b.capacity());
    s.bodies.size = b.size, s.bodies.owned = b.owned, s.bodies.real = b.real;
    const auto copy = [](auto& to, const auto& from) {
        std::memcpy(to.data(), from.data(), from.size() * sizeof(*from.data()));
    };
    copy(s.bodies.position, b.position), copy(s.bodies.velocity, b.velocity), copy(s.bodies.spin, b.spin);
    copy(s.bodies.force, b.force), copy(s.bodies.torque, b.torque);
    copy(s.bodies.id, b.id), copy(s.bodies.material, b.material), copy(s.bodies.cube, b.cube);
    s.pairs.start(p.n_bodies);
    s.pairs.make_room(p.size);
    s.pairs.size = p.size;
    std::memcpy(s.pairs.begin.data(), p.begin.data(), sizeof(Index) * (p.n_bodies + 1));
    std::memcpy(s.pairs.partner.data(), p.partner.data(), sizeof(Index) * p.size);
    s.pairs.finish(p.xi.size() > 0);
    if (p.xi.size() > 0) std::memcpy(s.pairs.xi.data(), p.xi.data(), sizeof(double) * 3 * p.size);
    if (p.theta.size() > 0) {
        s.pairs.add_rolling_springs();
        std::memcpy(s.pairs.theta.data(), p.theta.data(), sizeof(double) * 3 * p.size);
    }
    return s;
}

double per_rolling_inertia(const Bodies& b, Index k) {
    const double per_m = b.velocity(k, 3), per_i = b.spin(k, 3), r = b.radius(k);
    return per_i * per_m / (per_m + r * r * per_i);
}

// One pair at a time, in the order of the list. Written down with the same operations, so it has the same bits.
template <class Law>
[[gnu::noinline]] Index add_plainly(System& s, const Law& law, const PairTable<Law>& table, double reach) {
    Bodies& b = s.bodies;
    Index n_touching = 0;
    for (Index i = 0; i < s.pairs.n_bodies; ++i)
        for (Index slot = s.pairs.begin(i); slot < s.pairs.begin(i + 1); ++slot) {
            const Index j = s.pairs.partner_of(slot);
            const Vec3d apart = b.x(i) - b.x(j);
            const double far = b.radius(i) + b.radius(j) + reach;
            const bool touches = dot(apart, apart) < far * far;
            if (touches != s.pairs.touches(slot)) {
                s.pairs.partner(slot) ^= PairList::touching;
                if (Law::has_history)
                    for (int axis = 0; axis < 3; ++axis) s.pairs.xi(slot, axis) = 0;
                if (keeps_rolling_spring<Law>)
                    for (int axis = 0; axis < 3; ++axis) s.pairs.theta(slot, axis) = 0;
            }
            if (!touches) continue;
            ++n_touching;
            const double r_i = b.radius(i), r_j = b.radius(j), radii = r_i + r_j;
            const double per_mass = b.velocity(i, 3) + b.velocity(j, 3), both = 1 / (radii * per_mass);
            const double distance = std::sqrt(dot(apart, apart)), per_distance = 1 / distance;
            const double arm_i = lever_arm(r_i, radii - distance), arm_j = lever_arm(r_j, radii - distance);
            const Vec3d normal = apart * per_distance;
            Vec3d velocity = b.v(i) - b.v(j);
            if (Law::rotates) velocity -= cross(b.omega(i) * arm_i + b.omega(j) * arm_j, normal);
            Contact<double> contact{normal, radii - distance, velocity, r_i * r_j * (both * per_mass), both * radii};
            Vec3d xi{};
            if (Law::has_history) xi = {s.pairs.xi(slot, 0), s.pairs.xi(slot, 1), s.pairs.xi(slot, 2)};
            const Vec3d f = law.force(contact, table.at(b.material(i), b.material(j)), xi, dt);
            const Vec3d t = cross(normal, f);
            Vec3d theta{}, roll{};
            if constexpr (gives_rolling_torque<Law>) {
                if (keeps_rolling_spring<Law>)
                    theta = {s.pairs.theta(slot, 0), s.pairs.theta(slot, 1), s.pairs.theta(slot, 2)};
                contact.spin = b.omega(i) - b.omega(j);
                contact.rolling_inertia = 1 / (per_rolling_inertia(b, i) + per_rolling_inertia(b, j));
                roll = law.rolling_torque(contact, table.at(b.material(i), b.material(j)), theta, dt);
            }
            for (int axis = 0; axis < 3; ++axis) {
                b.force(i, axis) += at(f, axis), b.force(j, axis) -= at(f, axis);
                if (gives_rolling_torque<Law>)
                    b.torque(i, axis) += -(arm_i * at(t, axis)) + at(roll, axis),
                        b.torque(j, axis) += -(arm_j * at(t, axis)) - at(roll, axis);
                else if (Law::rotates)
                    b.torque(i, axis) -= arm_i * at(t, axis), b.torque(j, axis) -= arm_j * at(t, axis);
                if (keeps_rolling_spring<Law>) s.pairs.theta(slot, axis) = at(theta, axis);
                if (Law::has_history) s.pairs.xi(slot, axis) = at(xi, axis);
            }
        }
    return n_touching;
}

// The attribute: g++ 12 dies in that pass here.
template <class Law>
__attribute__((optimize("no-tree-slp-vectorize"))) void expect_same_as_plain(int n_balls, std::size_t n_materials,
                                                                             std::uint64_t seed) {
    const Law law = Law::from({});
    const PairTable<Law> table = table_of<Law>(n_materials);
    const double reach = longest_reach(table), length = 4e-3 * std::cbrt(n_balls) + 5e-3;
    const Cubes cubes({{0, 0, 0}, {length, length, length}, {}}, 2 * r_max + reach + skin);
    const auto balls = crowd(cubes, n_balls, n_materials, seed);
    // On the middle layers alone: ghosts below and above.
    const Arranged a = arrange(balls, cubes, 1, cubes.layers() - 1);
    System fast, plain;
    fast = {a.bodies, {}};
    mr_search({fast.bodies, cubes, reach + skin, Law::has_history}, fast.pairs);
    if (keeps_rolling_spring<Law>) fast.pairs.add_rolling_springs();
    plain = copy_of(fast.bodies, fast.pairs);
    PairForces forces;
    forces.prepare(fast.pairs);
    Dice dice(seed + 1);
    for (int step = 0; step < 4; ++step) {  // with springs that grow, contacts that begin and end
        forces.add(fast.bodies, fast.pairs, {0, fast.pairs.n_bodies}, law, table, reach, dt);
        const Index n_touching = add_plainly(plain, law, table, reach);
        for (Index i = 0; i < a.bodies.size; ++i)
            for (int axis = 0; axis < 3; ++axis) {
                ASSERT_EQ(fast.bodies.force(i, axis), plain.bodies.force(i, axis)) << "step " << step << " body " << i;
                ASSERT_EQ(fast.bodies.torque(i, axis), plain.bodies.torque(i, axis))
                    << "step " << step << " body " << i;
            }
        for (Index slot = 0; slot < fast.pairs.size; ++slot) {
            ASSERT_EQ(fast.pairs.partner(slot), plain.pairs.partner(slot));
            for (int axis = 0; axis < 3 && Law::has_history; ++axis)
                ASSERT_EQ(fast.pairs.xi(slot, axis), plain.pairs.xi(slot, axis)) << "slot " << slot;
            for (int axis = 0; axis < 3 && keeps_rolling_spring<Law>; ++axis)
                ASSERT_EQ(fast.pairs.theta(slot, axis), plain.pairs.theta(slot, axis)) << "slot " << slot;
        }
        if (n_balls > 100) {
            EXPECT_GT(n_touching, fast.pairs.size / 5);
            EXPECT_LT(n_touching, fast.pairs.size);
        }
        for (Index i = 0; i < a.bodies.size; ++i)
            for (int axis = 0; axis < 3; ++axis)
                fast.bodies.position(i, axis) = plain.bodies.position(i, axis) += dice.uniform(-1e-5, 1e-5);
    }
}

}  // namespace

TEST(PairForces, HertzMindlinHasTheBitsOfAPlainLoop) {
    for (const std::size_t n_materials : {1, 3}) expect_same_as_plain<HertzMindlin>(700, n_materials, 1);
    for (int n = 0; n < 30; ++n) expect_same_as_plain<HertzMindlin>(n, 2, 100 + static_cast<std::uint64_t>(n));
}

TEST(PairForces, LinearHasTheBitsOfAPlainLoop) {
    for (const std::size_t n_materials : {1, 3}) expect_same_as_plain<LinearSpringDashpot>(700, n_materials, 2);
}

TEST(PairForces, KelvinVoigtHasTheBitsOfAPlainLoopOverItsReach) {
    for (const std::size_t n_materials : {1, 3}) expect_same_as_plain<KelvinVoigt>(700, n_materials, 3);
}

TEST(PairForces, RollingFrictionAndCohesionHaveTheBitsOfAPlainLoop) {
    for (const std::size_t n_materials : {1, 3}) {
        expect_same_as_plain<RollingConstant<LinearSpringDashpot>>(700, n_materials, 11);
        expect_same_as_plain<RollingConstant<HertzMindlin>>(700, n_materials, 12);
        expect_same_as_plain<RollingSpring<Sjkr<HertzMindlin>>>(700, n_materials, 13);
    }
    for (int n = 0; n < 10; ++n)
        expect_same_as_plain<RollingSpring<HertzMindlin>>(n, 2, 200 + static_cast<std::uint64_t>(n));
}

TEST(PairForces, BlocksOfBodiesLeaveNoSeam) {
    expect_same_as_plain<HertzMindlin>(5000, 2, 4);
    expect_same_as_plain<KelvinVoigt>(5000, 1, 5);
}

// A body feels the same to the last bit on whichever rank it is, and across a periodic face as inside.
TEST(PairForces, AreTheSameOnAnyRank) {
    const auto table = table_of<HertzMindlin>(2);
    const Domain rough{{0, 0, 0}, {0.03, 0.03, 0.04}, {true, true, true}};
    const Cubes cubes(PositionLattice(rough).snap(rough), 2 * r_max + skin);
    const auto balls = crowd(cubes, 500, 2, 6);
    const auto forces_on = [&](const std::vector<NewBody>& all, const std::vector<int>& cuts) {
        std::map<Id, std::array<double, 6>> found;
        for (std::size_t r = 0; r + 1 < cuts.size(); ++r) {
            Arranged a = arrange(all, cubes, cuts[r], cuts[r + 1]);
            PairList pairs;
            mr_search({a.bodies, cubes, skin, true}, pairs);
            PairForces forces;
            forces.prepare(pairs);
            forces.add(a.bodies, pairs, {0, pairs.n_bodies}, HertzMindlin{}, table, 0.0, dt);
            for (Index i = 0; i < a.bodies.size; ++i)
                if (a.copies[i].real)
                    found[a.bodies.id(i)] = {a.bodies.force(i, 0),  a.bodies.force(i, 1),  a.bodies.force(i, 2),
                                             a.bodies.torque(i, 0), a.bodies.torque(i, 1), a.bodies.torque(i, 2)};
        }
        return found;
    };
    const int top = cubes.layers();
    ASSERT_GE(top, 6);
    const auto whole = forces_on(balls, {0, top});
    ASSERT_EQ(whole.size(), balls.size());
    EXPECT_EQ(forces_on(balls, {0, 3, top}), whole);
    EXPECT_EQ(forces_on(balls, {0, 0, 1, 2, 2, 5, top}), whole);
}

// Against the formulas as they stand in books, to rounding: levers meet in the contact, action is reaction.
TEST(PairForces, TextbookPair) {
    const auto table = table_of<HertzMindlin>(2);
    const Cubes cubes({{0, 0, 0}, {0.05, 0.05, 0.05}, {}}, 2 * r_max + skin);
    Dice dice(7);
    for (int n = 0; n < 100; ++n) {
        NewBody p = crowd(cubes, 1, 2, 900 + static_cast<std::uint64_t>(n))[0],
                q = crowd(cubes, 1, 2, 5000 + static_cast<std::uint64_t>(n))[0];
        Vec3d direction = dice.vector(1);
        direction *= 1 / norm(direction);
        p.position = {0.02, 0.02, 0.02}, q.position = p.position + direction * (0.99 * (p.radius + q.radius));
        Arranged a = arrange({p, q}, cubes);
        PairList pairs;
        mr_search({a.bodies, cubes, skin, true}, pairs);
        ASSERT_EQ(pairs.size, 1u);
        pairs.partner(0) |= PairList::touching;
        const Vec3d spring = dice.vector(1e-6);
        for (int axis = 0; axis < 3; ++axis) pairs.xi(0, axis) = at(spring, axis);
        PairForces forces;
        forces.prepare(pairs);
        forces.add(a.bodies, pairs, {0, pairs.n_bodies}, HertzMindlin{}, table, 0.0, dt);

        const bool p_first = a.copies[0].ball == 0;
        const NewBody &i = p_first ? p : q, &j = p_first ? q : p;
        const Vec3d x = i.position - j.position, normal = x * (1 / norm(x));
        const double l_i = 0.5 * (norm(x) + i.radius - j.radius), l_j = norm(x) - l_i;  // the middle of the overlap
        const Vec3d at_i = i.velocity + cross(i.spin, -l_i * normal), at_j = j.velocity + cross(j.spin, l_j * normal);
        const Contact<double> contact{normal, i.radius + j.radius - norm(x), at_i - at_j,
                                      i.radius * j.radius / (i.radius + j.radius), i.mass * j.mass / (i.mass + j.mass)};
        Vec3d xi = spring;
        const Vec3d f = HertzMindlin{}.force(contact, table.at(i.material, j.material), xi, dt);
        const Vec3d t_i = cross(-l_i * normal, f), t_j = cross(l_j * normal, -f);
        const double size = norm(f), rounding = 1e-12;  // overlap is a hundredth of the radii: two digits are lost
        ASSERT_GT(size, 0);
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(a.bodies.force(0, axis), at(f, axis), rounding * size);
            EXPECT_EQ(a.bodies.force(1, axis), -a.bodies.force(0, axis));
            EXPECT_NEAR(a.bodies.torque(0, axis), at(t_i, axis), rounding * size * r_max);
            EXPECT_NEAR(a.bodies.torque(1, axis), at(t_j, axis), rounding * size * r_max);
            EXPECT_NEAR(pairs.xi(0, axis), at(xi, axis), rounding * norm(xi));
        }
    }
}

TEST(PairForces, ConserveMomentumAndAngularMomentum) {
    const auto table = table_of<LinearSpringDashpot>(3);
    const Cubes cubes({{0, 0, 0}, {0.03, 0.03, 0.03}, {}}, 2 * r_max + skin);
    Arranged a = arrange(crowd(cubes, 300, 3, 8), cubes);
    PairList pairs;
    mr_search({a.bodies, cubes, skin, true}, pairs);
    PairForces forces;
    forces.prepare(pairs);
    forces.add(a.bodies, pairs, {0, pairs.n_bodies}, LinearSpringDashpot{}, table, 0.0, dt);
    Vec3d sum, turn;
    double size = 0, twist = 0;
    for (Index i = 0; i < a.bodies.size; ++i) {
        const Vec3d f{a.bodies.force(i, 0), a.bodies.force(i, 1), a.bodies.force(i, 2)};
        const Vec3d t{a.bodies.torque(i, 0), a.bodies.torque(i, 1), a.bodies.torque(i, 2)};
        sum += f, turn += cross(a.bodies.x(i), f) + t;
        size += norm(f), twist += norm(t);
    }
    EXPECT_GT(twist, 1e-5 * size);       // m: friction does act
    EXPECT_LT(norm(sum), 1e-14 * size);  // some hundred roundings, of either sign
    EXPECT_LT(norm(turn), 1e-14 * size * 0.05);
}

// A contact that ends and begins again starts its spring anew.
TEST(PairForces, SpringDiesWithTheContact) {
    const auto table = table_of<LinearSpringDashpot>(1);
    const Cubes cubes({{0, 0, 0}, {0.03, 0.03, 0.03}, {}}, 2 * r_max + skin);
    auto balls = crowd(cubes, 2, 1, 9);
    balls[0].position = {0.01, 0.01, 0.01},
    balls[1].position = {0.01, 0.01, 0.01 + 0.999 * (balls[0].radius + balls[1].radius)};
    balls[0].velocity = {0.01, 0, 0}, balls[1].velocity = {};
    balls[0].spin = balls[1].spin = {};
    Arranged a = arrange(balls, cubes);
    PairList pairs;
    mr_search({a.bodies, cubes, skin, true}, pairs);
    PairForces forces;
    forces.prepare(pairs);
    const auto add = [&] { forces.add(a.bodies, pairs, {0, pairs.n_bodies}, LinearSpringDashpot{}, table, 0.0, dt); };
    const double z = a.bodies.position(1, 2);
    EXPECT_FALSE(pairs.touches(0));
    add();
    EXPECT_TRUE(pairs.touches(0));
    const double after_one_step = pairs.xi(0, 0);
    EXPECT_DOUBLE_EQ(after_one_step, 0.01 * dt);
    add(), add();
    EXPECT_DOUBLE_EQ(pairs.xi(0, 0), 3 * 0.01 * dt);

    a.bodies.position(1, 2) = z + 1e-4;  // apart
    const double force = a.bodies.force(0, 2);
    add();
    EXPECT_FALSE(pairs.touches(0));
    for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(pairs.xi(0, axis), 0.0);
    EXPECT_EQ(a.bodies.force(0, 2), force);

    a.bodies.position(1, 2) = z;
    pairs.xi(0, 1) = 1.0;  // whatever stood there
    add();
    EXPECT_TRUE(pairs.touches(0));
    EXPECT_EQ(pairs.xi(0, 0), after_one_step);
    EXPECT_EQ(pairs.xi(0, 1), 0.0);
}

// dt = 0 evaluates the springs where they stand: how a run begins.
TEST(PairForces, SpringsStandStillWithoutTime) {
    const auto table = table_of<LinearSpringDashpot>(1);
    const Cubes cubes({{0, 0, 0}, {0.03, 0.03, 0.03}, {}}, 2 * r_max + skin);
    auto balls = crowd(cubes, 2, 1, 10);
    balls[0].position = {0.01, 0.01, 0.01};
    balls[1].position = {0.01, 0.01, 0.01 + 0.99 * (balls[0].radius + balls[1].radius)};
    balls[0].velocity = {0.01, 0, 0}, balls[1].velocity = {};
    Arranged a = arrange(balls, cubes);
    PairList pairs;
    mr_search({a.bodies, cubes, skin, true}, pairs);
    pairs.partner(0) |= PairList::touching;
    pairs.xi(0, 1) = 1e-6;
    PairForces forces;
    forces.prepare(pairs);
    forces.add(a.bodies, pairs, {0, pairs.n_bodies}, LinearSpringDashpot{}, table, 0.0, 0.0);
    EXPECT_EQ(pairs.xi(0, 0), 0.0);
    EXPECT_EQ(pairs.xi(0, 1), 1e-6);
    EXPECT_LT(a.bodies.force(0, 1), 0.0);  // and it pulls back
}

}  // namespace granary::test::pair_forces_test
