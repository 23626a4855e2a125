#include "walls/wall_contacts.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "support/arranged.hpp"
#include "support/dice.hpp"

namespace granary::test {

namespace {

constexpr double dt = 1e-5;

std::vector<Material> materials() {
    std::vector<Material> all(2);
    all[0].name = "grain", all[0].density = 2500, all[0].young = 5e6, all[0].poisson = 0.3, all[0].restitution = 0.6,
    all[0].friction = 0.5, all[0].stiffness = 2000, all[0].damping = 0.05, all[0].cohesion = 0.1;
    all[1] = all[0];
    all[1].name = "steel", all[1].young = 2e8, all[1].restitution = 0.8, all[1].friction = 0.2, all[1].stiffness = 9000;
    return all;
}

template <class Law> PairTable<Law> table_of() {
    return make_table<Law>(materials(), {}, LawSettings{.type = law_type_of<Law>});
}

Bodies bodies_of(const std::vector<NewBody>& balls) {
    Bodies b;
    b.reserve(static_cast<Index>(balls.size()));
    b.size = static_cast<Index>(balls.size());
    b.owned = {0, b.size};
    b.real = {{0, b.size}};
    for (Index i = 0; i < b.size; ++i) {
        b.put(i, balls[i]);
        for (int c = 0; c < 4; ++c) b.force(i, c) = b.torque(i, c) = 0;
    }
    return b;
}

NewBody grain(Id id, const Vec3d& x, const Vec3d& v = {}, const Vec3d& w = {}) {
    NewBody b = test::ball(id, x, 0.1);
    b.mass = 3, b.inertia = 0.4 * 3 * 0.01, b.velocity = v, b.spin = w;
    return b;
}

const auto no_layers = [](Index) { return std::size_t{0}; };

std::vector<std::pair<Index, std::uint32_t>> listed(const WallContacts& contacts) {
    std::vector<std::pair<Index, std::uint32_t>> found;
    for (const auto& c : contacts.candidates()) found.emplace_back(c.body, c.wall);
    return found;
}

using Found = std::vector<std::pair<Index, std::uint32_t>>;

}  // namespace

TEST(WallContacts, CandidatesAreRealBallsWithinRadiusAndMargin) {
    const std::vector<Wall> walls{make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 1),
                                  make_wall("disc", Disc{{1, 1, 0.33}, {0, 0, 1}, 0.2}, 1)};
    Bodies b =
        bodies_of({grain(0, {1, 1, 0.151}), grain(1, {1, 1, 0.14}), grain(2, {3, 3, 0.14}), grain(3, {1, 1, 0.29}),
                   grain(4, {1, 1, 0.14}), grain(5, {1.29, 1, 0.33}), grain(6, {1.36, 1, 0.33})});
    b.real = {{0, 4}, {5, 7}};  // number 4 is an image
    WallContacts contacts;
    contacts.find(b, walls, 0.05);
    EXPECT_EQ(listed(contacts), (Found{{1, 0}, {2, 0}, {3, 1}, {5, 1}}));
    b.position(0, 2) = 0.149, b.position(3, 2) = 0.19;
    contacts.find(b, walls, 0.05);
    EXPECT_EQ(listed(contacts), (Found{{0, 0}, {1, 0}, {2, 0}, {3, 1}, {5, 1}}));
    contacts.find(b, walls, 0.1);  // in the order of balls, then of walls
    EXPECT_EQ(listed(contacts), (Found{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {3, 0}, {3, 1}, {5, 1}, {6, 1}}));
    contacts.find(b, {}, 1);
    EXPECT_TRUE(contacts.candidates().empty());
}

TEST(WallContacts, ForceIsTheLawsOnABallAtAFixedPartner) {
    const std::vector<Wall> walls{make_wall("floor", Plane{{0, 0, 0.5}, {0, 0, 1}}, 1)};
    const auto table = table_of<HertzMindlin>();
    test::Dice dice(1);
    for (int n = 0; n < 50; ++n) {
        const Vec3d v = dice.vector(0.1), w = dice.vector(1);
        const double overlap = dice.uniform(1e-5, 1e-3);
        Bodies b = bodies_of({grain(0, {2, 3, 0.6 - overlap}, v, w)});
        WallContacts contacts;
        contacts.find(b, walls, 0.01);
        ASSERT_EQ(contacts.candidates().size(), 1u);
        Vec3d xi{1e-6, -2e-6, 0};
        for (int axis = 0; axis < 3; ++axis) contacts.candidates()[0].xi[axis] = at(xi, axis);
        std::vector<WallLoad> loads(1);
        contacts.add_forces(b, {0, b.size}, walls, HertzMindlin{}, table, 0.0, dt, loads, no_layers);

        const Vec3d arm{0, 0, -(0.1 - overlap / 2)};  // to the middle of the overlap
        const Contact<double> contact{{0, 0, 1}, overlap, v + cross(w, arm), 0.1, 3};
        const Vec3d f = HertzMindlin{}.force(contact, table.at(0, 1), xi, dt), t = cross(arm, f);
        const Vec3d moment = cross(Vec3d{2, 3, 0.5 - overlap / 2}, f);
        const double rounding = 1e-10 * norm(f);  // the overlap, a thousandth of the height, is a difference
        ASSERT_GT(norm(f), 0);
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(b.force(0, axis), at(f, axis), rounding);
            EXPECT_NEAR(b.torque(0, axis), at(t, axis), rounding);
            EXPECT_NEAR(contacts.candidates()[0].xi[axis], at(xi, axis), 1e-10 * norm(xi));
            EXPECT_EQ(at(loads[0].force, axis), -b.force(0, axis));
            EXPECT_NEAR(at(loads[0].torque, axis), -at(moment, axis), 10 * rounding);
        }
    }
}

TEST(WallContacts, LoadsGoToTheLayerOfTheBallAndItsWall) {
    const std::vector<Wall> walls{make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 1),
                                  make_wall("side", Plane{{0, 0, 0}, {1, 0, 0}}, 0)};
    Bodies b = bodies_of({grain(0, {5, 0, 0.0999}), grain(1, {0.0998, 0, 1}), grain(2, {0.0997, 0, 2})});
    WallContacts contacts;
    contacts.find(b, walls, 0.01);
    std::vector<WallLoad> loads(6);
    contacts.add_forces(b, {0, b.size}, walls, LinearSpringDashpot{}, table_of<LinearSpringDashpot>(), 0.0, dt, loads,
                        [](Index i) { return std::size_t{i}; });
    EXPECT_EQ(loads[0].force.z, -b.force(0, 2));
    EXPECT_EQ(loads[3].force.x, -b.force(1, 0));
    EXPECT_EQ(loads[5].force.x, -b.force(2, 0));
    EXPECT_LT(loads[5].force.x, loads[3].force.x);
    EXPECT_LT(loads[3].force.x, 0);
    for (const std::size_t k : {1, 2, 4}) EXPECT_EQ(loads[k].force, Vec3d{});
    // In a corner both walls push, and their loads add over balls.
    Bodies corner = bodies_of({grain(0, {0.099, 0, 0.099}), grain(1, {0.099, 1, 0.099})});
    contacts.find(corner, walls, 0.01);
    std::vector<WallLoad> sums(2);
    contacts.add_forces(corner, {0, corner.size}, walls, LinearSpringDashpot{}, table_of<LinearSpringDashpot>(), 0.0,
                        dt, sums, no_layers);
    EXPECT_DOUBLE_EQ(sums[0].force.z, -2 * corner.force(0, 2));
    EXPECT_DOUBLE_EQ(sums[1].force.x, -2 * corner.force(1, 0));
    EXPECT_GT(corner.force(0, 0), 0);
    EXPECT_NE(corner.force(0, 0), corner.force(0, 2));  // other materials
    // Nobody asks: the same forces.
    Bodies again = bodies_of({grain(0, {0.099, 0, 0.099}), grain(1, {0.099, 1, 0.099})});
    contacts.find(again, walls, 0.01);
    contacts.add_forces(again, {0, again.size}, walls, LinearSpringDashpot{}, table_of<LinearSpringDashpot>(), 0.0, dt,
                        {}, no_layers);
    EXPECT_EQ(again.force(1, 0), corner.force(1, 0));
}

TEST(WallContacts, SpringGrowsWithTheSlipAndDiesWithTheContact) {
    const std::vector<Wall> walls{make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 1)};
    const auto table = table_of<LinearSpringDashpot>();
    Bodies b = bodies_of({grain(7, {1, 1, 0.095}, {0.01, 0, 0})});
    WallContacts contacts;
    contacts.find(b, walls, 0.05);
    const auto add = [&] {
        contacts.add_forces(b, {0, b.size}, walls, LinearSpringDashpot{}, table, 0.0, dt, {}, no_layers);
    };
    EXPECT_TRUE(contacts.springs().empty());
    add(), add();
    ASSERT_EQ(contacts.springs().size(), 1u);
    EXPECT_EQ(contacts.springs()[0].body, 0u);  // the place
    EXPECT_EQ(contacts.springs()[0].partner, wall_partner(0));
    EXPECT_DOUBLE_EQ(contacts.springs()[0].xi[0], 2 * 0.01 * dt);
    EXPECT_LT(b.force(0, 0), 0);
    b.position(0, 2) = 0.101;
    const double before = b.force(0, 2);
    add();
    EXPECT_TRUE(contacts.springs().empty());
    EXPECT_EQ(b.force(0, 2), before);
    b.position(0, 2) = 0.095;
    add();
    EXPECT_DOUBLE_EQ(contacts.springs()[0].xi[0], 0.01 * dt);
}

// Cohesion acts over a gap; the law alone knows how far, the loop must ask it.
TEST(WallContacts, ActOverTheReachOfTheLaw) {
    const std::vector<Wall> walls{make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 0)};
    const auto table = table_of<KelvinVoigt>();
    const double reach = longest_reach(table);
    ASSERT_GT(reach, 5e-5);
    const auto force = [&](double gap, double given) {
        Bodies b = bodies_of({grain(0, {1, 1, 0.1 + gap}, {0, 0, 0.001}, {5, 5, 5})});
        WallContacts contacts;
        contacts.find(b, walls, 0.01);
        contacts.add_forces(b, {0, b.size}, walls, KelvinVoigt{}, table, given, dt, {}, no_layers);
        for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(b.torque(0, axis), 0);  // does not rotate
        return b.force(0, 2);
    };
    EXPECT_LT(force(0.5 * reach, reach), 0);
    EXPECT_EQ(force(0.5 * reach, 0), 0);
    EXPECT_EQ(force(1.5 * reach, reach), 0);
}

// Two rectangles that join in a plane are one floor: a ball on the seam feels it once.
TEST(WallContacts, SeamIsOneSurface) {
    const std::vector<Wall> two{make_wall("left", Rectangle{{-1, -1, 0}, {1, 0, 0}, {0, 2, 0}}, 1),
                                make_wall("right", Rectangle{{0, -1, 0}, {1, 0, 0}, {0, 2, 0}}, 1)};
    const std::vector<Wall> one{make_wall("floor", Rectangle{{-1, -1, 0}, {2, 0, 0}, {0, 2, 0}}, 1)};
    const auto force = [&](const std::vector<Wall>& walls, double x) {
        Bodies b = bodies_of({grain(0, {x, 0, 0.099}, {0.01, 0, 0})});
        WallContacts contacts;
        contacts.find(b, walls, 0.01);
        for (auto& c : contacts.candidates()) c.xi[1] = 1e-6;
        contacts.add_forces(b, {0, b.size}, walls, LinearSpringDashpot{}, table_of<LinearSpringDashpot>(), 0.0, dt, {},
                            no_layers);
        EXPECT_EQ(contacts.springs().size(), 1u);
        return b.force(0, 2);
    };
    for (const double x : {-0.002, -1e-9, 0.0, 1e-9, 0.002}) EXPECT_DOUBLE_EQ(force(two, x), force(one, x)) << x;
}

// Over the seam the springs go along, forth and back; the wall that was left has none, and one of another direction
// gets none.
TEST(WallContacts, SpringsGoAlongOverASeam) {
    const std::vector<Wall> walls{make_wall("left", Rectangle{{-1, -1, 0}, {1, 0, 0}, {0, 2, 0}}, 1),
                                  make_wall("right", Rectangle{{0, -1, 0}, {1, 0, 0}, {0, 2, 0}}, 1),
                                  make_wall("side", Rectangle{{-1, 0.098, -1}, {2, 0, 0}, {0, 0, 3}}, 1)};
    const auto with_law = [&]<class Law>(Law law, bool rolling) {
        std::vector<Material> of_rolling = materials();
        for (Material& m : of_rolling) m.rolling_friction = 0.3;
        const auto table =
            make_table<Law>(of_rolling, {}, {.type = law_type_of<Law>, .rolling = LawSettings::Rolling::spring});
        Bodies b = bodies_of({grain(0, {-1e-4, 0, 0.0999})});
        WallContacts contacts;
        contacts.find(b, walls, 0.01);
        if (rolling) contacts.add_rolling_springs();
        ASSERT_EQ(contacts.candidates().size(), 3u);
        std::copy_n(std::array{1e-6, 2e-6, 0.0}.data(), 3, contacts.candidates()[0].xi);
        if (rolling)
            contacts.carry([&](Index, const Partner& partner) -> const double* {
                static constexpr double theta[3]{3e-6, -1e-6, 0};
                return partner == rolling_spring(wall_partner(0)) ? theta : nullptr;
            });
        for (const std::uint32_t wall : {0u, 1u, 0u, 0u, 1u}) {
            b.position(0, 0) = wall == 0 ? -1e-4 : 1e-4;
            contacts.add_forces(b, {0, b.size}, walls, law, table, 0.0, dt, {}, no_layers);
            const std::vector<ContactRecord> springs = contacts.springs();
            ASSERT_EQ(springs.size(), rolling ? 2u : 1u);
            EXPECT_EQ(springs[0].partner, wall_partner(wall));
            EXPECT_DOUBLE_EQ(springs[0].xi[0], 1e-6);
            EXPECT_DOUBLE_EQ(springs[0].xi[1], 2e-6);
            if (rolling) {
                EXPECT_EQ(springs[1].partner, rolling_spring(wall_partner(wall)));
                EXPECT_DOUBLE_EQ(springs[1].xi[0], 3e-6);
            }
        }
    };
    with_law(LinearSpringDashpot{}, false);
    with_law(RollingSpring<LinearSpringDashpot>{}, true);
}

// However many walls meet at a ball: each pushes once.
// On the axis of a cone or pipe a whole circle is equally near. The force is the mean over all meridians: along the
// axis, and the limit of what balls a little off the axis feel, on the average over their directions. So is the torque
// on a ball that spins about the axis.
TEST(WallContacts, ABallOnTheAxisFeelsNoSidewaysForce) {
    const auto table = table_of<HertzMindlin>();
    const Vec3d foot{0.3, -0.2, 0.1};
    struct Pushed {
        Vec3d force, torque;
        WallLoad load;
    };
    const auto pushed = [&](const WallShape& shape, const Vec3d& x, const Vec3d& v, const Vec3d& w) {
        const std::vector<Wall> walls{make_wall("round", shape, 1)};
        Bodies b = bodies_of({grain(0, x, v, w)});
        WallContacts contacts;
        contacts.find(b, walls, 0.01);
        EXPECT_EQ(contacts.candidates().size(), 1u);
        std::vector<WallLoad> loads(1);
        contacts.add_forces(b, {0, b.size}, walls, HertzMindlin{}, table, 0.0, dt, loads, no_layers);
        return Pushed{{b.force(0, 0), b.force(0, 1), b.force(0, 2)},
                      {b.torque(0, 0), b.torque(0, 1), b.torque(0, 2)},
                      loads[0]};
    };
    for (const Vec3d& u : {Vec3d{0, 0, 1}, Vec3d{0, 0, -1}, Vec3d{0.6, 0, -0.8}, Vec3d{2.0 / 7, 3.0 / 7, 6.0 / 7}}) {
        SCOPED_TRACE(testing::Message() << "axis " << u.x << ' ' << u.y << ' ' << u.z);
        const struct {
            const char* name;
            WallShape shape;
            double height;  // of the ball of radius 0.1 over the foot
        } seats[] = {{"cone", ConeFrustum{foot, foot + 0.5 * u, 0, 0.5}, 0.14},
                     {"rim of a cone", ConeFrustum{foot, foot + 0.5 * u, 0.08, 0.1}, -0.0590},
                     {"hole", Annulus{foot, u, 0.08, 0.2}, 0.0595},
                     {"pipe", Cylinder{foot, foot + 0.5 * u, 0.0999}, 0.2}};
        for (const auto& seat : seats) {
            SCOPED_TRACE(seat.name);
            const Vec3d x = foot + seat.height * u, v = -0.02 * u, w = 3.0 * u;
            const Pushed on_axis = pushed(seat.shape, x, v, w);
            const SurfacePoint at = closest(seat.shape, x);
            EXPECT_TRUE(at.all_round);
            const double scale = norm(pushed(seat.shape, x + 1e-9 * perpendicular(u), v, w).force);
            ASSERT_GT(scale, 1e-3);
            const double sideways = norm(on_axis.force - dot(on_axis.force, u) * u);
            EXPECT_LT(sideways, 1e-14 * scale);
            if (std::abs(u.z) == 1) {
                EXPECT_EQ(on_axis.force.x, 0);
                EXPECT_EQ(on_axis.force.y, 0);
            }
            Vec3d force, torque;
            const int n = 12;
            const Vec3d a = perpendicular(u), b = cross(u, a);
            for (int k = 0; k < n; ++k) {
                const double angle = 2 * std::numbers::pi * k / n;
                const Pushed p = pushed(seat.shape, x + 1e-9 * (std::cos(angle) * a + std::sin(angle) * b), v, w);
                force += (1.0 / n) * p.force, torque += (1.0 / n) * p.torque;
            }
            EXPECT_LT(norm(force - on_axis.force), 1e-4 * scale);
            EXPECT_LT(norm(torque - on_axis.torque), 1e-4 * 0.1 * scale);
            EXPECT_LT(dot(on_axis.torque, u), 0);  // against the spin
            EXPECT_LT(norm(on_axis.load.force + on_axis.force), 1e-14 * scale);
            EXPECT_LT(norm(on_axis.load.torque + cross(x, on_axis.force) + on_axis.torque), 1e-13 * scale);
        }
    }
}

TEST(WallContacts, ManyWallsAtOnce) {
    std::vector<Wall> walls;
    for (int k = 0; k < 40; ++k) walls.push_back(make_wall("w", Plane{{0, 0, -1e-3 * k}, {0, 0, 1}}, 1));
    Bodies b = bodies_of({grain(4711, {0, 0, 0.05})});
    WallContacts contacts;
    contacts.find(b, walls, 0.01);
    EXPECT_EQ(contacts.candidates().size(), 40u);
    contacts.add_forces(b, {0, b.size}, walls, LinearSpringDashpot{}, table_of<LinearSpringDashpot>(), 0.0, dt, {},
                        no_layers);
    double sum = 0;
    for (const Wall& wall : walls) {
        Bodies alone = bodies_of({grain(4711, {0, 0, 0.05})});
        contacts.find(alone, {&wall, 1}, 0.01);
        contacts.add_forces(alone, {0, alone.size}, {&wall, 1}, LinearSpringDashpot{}, table_of<LinearSpringDashpot>(),
                            0.0, dt, {}, no_layers);
        sum += alone.force(0, 2);
    }
    EXPECT_GT(sum, 0);
    EXPECT_DOUBLE_EQ(b.force(0, 2), sum);
}

}  // namespace granary::test
