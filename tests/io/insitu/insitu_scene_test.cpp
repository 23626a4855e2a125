#include "io/insitu/insitu_scene.hpp"
#include <gtest/gtest.h>
#include <boost/mpi/communicator.hpp>
#include <cmath>
#include <vector>
#include "io/insitu/display.hpp"

namespace granary::insitu_scene_test {
namespace {

const Domain box{{-1, -1, 0}, {1, 1, 2}, {}};

Bodies five_balls() {
    Bodies bodies;
    bodies.reserve(5);
    for (Index i = 0; i < 5; ++i) {
        NewBody b;
        b.id = 10 + i, b.position = {0.1 * i, 0.2, 0.3}, b.velocity = {0, 0, -1.0 * i}, b.radius = 0.01;
        b.mass = 1, b.inertia = 1, b.material = static_cast<std::uint16_t>(i);
        bodies.put(i, b);
    }
    bodies.size = 5, bodies.owned = {0, 5}, bodies.real = {{1, 5}};
    return bodies;
}

InsituScene scene_of(const Bodies& bodies, const Motion& motion, std::span<const Wall> walls = {}) {
    InsituScene s{bodies, motion, Axes(), walls, {}, box, {0, 0, -9.81}, {0.5, 1.0}, 0.25, 7, {}, {}, 0.01};
    return s;
}

const InsituBalls::Field& field(const InsituBalls& balls, const std::string& name) {
    const auto at = std::find_if(balls.fields.begin(), balls.fields.end(),
                                 [&](const InsituBalls::Field& f) { return f.row->name == name; });
    if (at == balls.fields.end()) throw std::out_of_range(name);
    return *at;
}

TEST(InsituScene, BallsInOnePieceAreHandedOverWhereTheyAre) {
    const Motion motion{};
    const Bodies bodies = five_balls();
    const InsituBalls b = insitu_balls(scene_of(bodies, motion), 3);
    ASSERT_EQ(field(b, "radius").reals.size(), 4u);  // not the first, which is no real one
    EXPECT_TRUE(b.by_pointer);
    EXPECT_TRUE(field(b, "id").integers.empty());
    EXPECT_EQ(static_cast<const Id*>(field(b, "id").data)[0], 11u);
    EXPECT_EQ(b.rank, std::vector<int>(4, 3));
    EXPECT_FLOAT_EQ(b.points[0], 0.1f);
    EXPECT_FLOAT_EQ(field(b, "velocity").reals[11], -4.0f);
    EXPECT_DOUBLE_EQ(b.fastest, 4);
    EXPECT_EQ(b.ids, 15);
    EXPECT_EQ(b.bytes(), 4u * 40);
}

TEST(InsituScene, BallsInPiecesAreCopied) {
    const Motion motion{};
    Bodies bodies = five_balls();
    bodies.real = {{0, 2}, {3, 5}};
    const InsituBalls b = insitu_balls(scene_of(bodies, motion), 0);
    EXPECT_FALSE(b.by_pointer);
    const auto* ids = static_cast<const Id*>(field(b, "id").data);
    EXPECT_EQ(std::vector(ids, ids + 4), (std::vector<Id>{10, 11, 13, 14}));
    const auto* materials = static_cast<const std::uint16_t*>(field(b, "material").data);
    EXPECT_EQ(std::vector(materials, materials + 4), (std::vector<std::uint16_t>{0, 1, 3, 4}));
    EXPECT_LE(b.bytes(), 4u * 60);
}

TEST(InsituScene, ARankWithoutBallsIsFine) {
    const Motion motion{};
    Bodies none;
    EXPECT_EQ(insitu_balls(scene_of(none, motion), 1).bytes(), 0u);
}

TEST(InsituScene, ContactsAreLinesWithTheirForce) {
    const Motion motion{};
    Bodies none;
    InsituScene s = scene_of(none, motion);
    s.contacts = {{{0, 0, 0}, {0, 0, 1}, 2.5}, {{1, 0, 0}, {1, 1, 0}, 0.5}};
    const InsituSurface lines = insitu_contacts(s);
    EXPECT_EQ(lines.ends, (std::vector<int>{0, 2, 4}));
    EXPECT_EQ(lines.corners, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(lines.values, (std::vector<float>{2.5f, 2.5f, 0.5f, 0.5f}));
    EXPECT_EQ(insitu_slabs(s).number, (std::vector<int>{0, 1}));
}

TEST(InsituScene, BondsAreLinesWithTheirLargerShare) {
    const Motion motion{};
    Bodies none;
    InsituScene s = scene_of(none, motion);
    s.axes = Axes(0);  // slabs along x: inside, the axes are turned
    s.bonds = {{s.axes.in(Vec3d{0, 0, 0}), s.axes.in(Vec3d{0, 0, 1}), 3, 5, 2, 0.1, 0.25, 0.5},
               {s.axes.in(Vec3d{1, 2, 3}), s.axes.in(Vec3d{1, 1, 0}), 4, 7, 0, 0.1, -0.75, 0.0}};  // pressed
    const InsituSurface lines = insitu_bonds(s);
    EXPECT_EQ(lines.ends, (std::vector<int>{0, 2, 4}));
    EXPECT_EQ(lines.corners, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(lines.number, (std::vector<int>{2, 0}));
    EXPECT_EQ(lines.values, (std::vector<float>{0.5f, 0.5f, 0.0f, 0.0f}));
    EXPECT_EQ(std::vector<float>(lines.points.begin() + 6, lines.points.begin() + 9), (std::vector<float>{1, 2, 3}));
}

// The integral of the pressure over a wall is the force on it; a contact at another wall nearby does not count.
TEST(InsituScene, PressureAddsUpToTheForce) {
    const Motion motion{};
    Bodies none;
    const std::vector<Wall> walls{make_wall("floor", Rectangle{{-0.5, -0.5, 0}, {1, 0, 0}, {0, 1, 0}}, 0),
                                  make_wall("side", Rectangle{{-0.5, 0.1, 0}, {1, 0, 0}, {0, 0, 1}}, 0)};
    InsituScene s = scene_of(none, motion, walls);
    s.largest_radius = 0.02;
    const Vec3d up{0, 0, 1}, away{0, -1, 0};
    const std::vector<WallSample> pushes{{0, 0, {0.1, 0.02, 0}, up, {3, 0, 5}},
                                         {1, 0, {0.12, 0.02, 0}, up, {0, 0, 2}},
                                         {2, 1, {0, 0.1, 0.5}, away, {0, -4, 1}}};
    s.wall_pushes = pushes;
    const InsituSurface w = insitu_walls_with_pressure(boost::mpi::communicator(), s);
    ASSERT_EQ(w.values.size(), w.points.size() / 3);
    double force[2] = {0, 0};
    const auto corner = [&](int k) {
        return Vec3d{w.points[3 * static_cast<std::size_t>(k)], w.points[3 * static_cast<std::size_t>(k) + 1],
                     w.points[3 * static_cast<std::size_t>(k) + 2]};
    };
    for (std::size_t c = 0; c < w.number.size(); ++c) {
        const int* k = &w.corners[static_cast<std::size_t>(w.ends[c])];
        const double area = 0.5 * norm(cross(corner(k[1]) - corner(k[0]), corner(k[2]) - corner(k[0])));
        for (int i = 0; i < 3; ++i) force[w.number[c]] += area * w.values[static_cast<std::size_t>(k[i])] / 3;
    }
    EXPECT_NEAR(force[0], 7, 0.2);  // a coarse integral: the triangles are a third as wide as the function
    EXPECT_NEAR(force[1], 4, 0.2);
}

TEST(Display, OneThatIsNotThereIsTold) {
    const std::string problem = try_display(":98765");
    EXPECT_TRUE(problem == "the display :98765 cannot be opened" || problem == "libX11.so.6 is not installed")
        << problem;
}

}  // namespace
}  // namespace granary::insitu_scene_test
