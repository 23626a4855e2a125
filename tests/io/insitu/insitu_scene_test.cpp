#include "io/insitu/insitu_scene.hpp"
#include <gtest/gtest.h>
#include <boost/mpi/communicator.hpp>
#include <cmath>
#include <vector>
#include "io/insitu/display.hpp"
#include "shapes/convex_polyhedron.hpp"
#include "shapes/ellipsoid_template.hpp"
#include "shapes/solids.hpp"

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

// Grains that are no balls are handed over true to shape, with what each of them has at each of its points; balls are
// none of them. The volume within their polygons is that of the grains.
TEST(InsituScene, GrainsAreTheirTrueSurfaces) {
    const Motion motion{};
    Bodies bodies = five_balls();
    bodies.add(When::orientations), bodies.add(When::shapes);
    const std::vector<ShapeTemplate> shapes{make_polyhedron("die", corners_of(RegularSolid::cube, 0.01)),
                                            make_ellipsoid("egg", {0.02, 0.01, 0.005})};
    const double half = std::sqrt(0.5);
    for (const Index i : {Index{2}, Index{4}}) {
        bodies.shape(i) = i == 2 ? 1 : 2;
        bodies.position(i, 3) = 2 * shapes[bodies.shape(i) - 1u].outer_radius;  // twice as large as its template
        const double q[4] = {half, 0, 0, half};                                 // x goes to y
        for (int c = 0; c < 4; ++c) bodies.orientation(i, c) = q[c];
    }
    InsituScene s = scene_of(bodies, motion);
    s.shapes = shapes, s.n_grains = 2;
    const InsituGrains grains = insitu_grains(s, 3);
    const std::size_t n_die = 24, n = grains.surface.points.size() / 3;
    ASSERT_GT(n, n_die);
    for (const std::size_t size :
         {grains.normals.size() / 3, grains.centres.size() / 3, grains.velocities.size() / 3, grains.ids.size(),
          grains.shapes.size(), grains.materials.size(), grains.ranks.size()})
        EXPECT_EQ(size, n);
    for (std::size_t k = 0; k < n; ++k) {
        const Index i = k < n_die ? 2 : 4;
        EXPECT_EQ(grains.ids[k], static_cast<std::int64_t>(bodies.id(i)));
        EXPECT_EQ(grains.shapes[k], bodies.shape(i));
        EXPECT_EQ(grains.materials[k], bodies.material(i));
        EXPECT_EQ(grains.ranks[k], 3);
        const Vec3d x = bodies.x(i), d = Vec3d{grains.surface.points[3 * k], grains.surface.points[3 * k + 1],
                                               grains.surface.points[3 * k + 2]} -
                                         x;
        EXPECT_FLOAT_EQ(grains.centres[3 * k + 1], static_cast<float>(x.y));
        if (i == 2) {
            EXPECT_NEAR(norm(d), 0.01 * std::sqrt(3.0), 1e-7);
        } else {  // on an ellipsoid whose long axis lies along y
            EXPECT_NEAR(d.x * d.x / 4e-4 + d.y * d.y / 16e-4 + d.z * d.z / 1e-4, 1, 1e-5);
        }
    }
    double volume[3] = {0, 0, 0};  // by shape, over the centre
    const InsituSurface& w = grains.surface;
    for (std::size_t c = 0; c < w.number.size(); ++c) {
        const auto from_centre = [&](int at) {
            const auto k = 3 * static_cast<std::size_t>(w.corners[static_cast<std::size_t>(at)]);
            return Vec3d{w.points[k], w.points[k + 1], w.points[k + 2]} - bodies.x(w.number[c] == 1 ? 2 : 4);
        };
        for (int k = w.ends[c] + 1; k + 1 < w.ends[c + 1]; ++k)
            volume[w.number[c]] += dot(from_centre(w.ends[c]), cross(from_centre(k), from_centre(k + 1))) / 6;
    }
    EXPECT_NEAR(volume[1], 8e-6, 1e-10);
    EXPECT_NEAR(volume[2], 8 * shapes[1].volume, 0.04 * 8 * shapes[1].volume);  // triangles within
    EXPECT_LT(volume[2], 8 * shapes[1].volume);
    s.n_grains = 0;
    EXPECT_TRUE(insitu_grains(s, 0).ids.empty());
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
