#include "io/frames/wall_mesh.hpp"
#include <gtest/gtest.h>
#include <unistd.h>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>
#include "core/errors.hpp"
#include "support/triangles.hpp"
#include "support/vtp_reader.hpp"

namespace granary {
namespace {

namespace fs = std::filesystem;

const Domain box{{-1, -2, 0}, {1, 2, 3}, {}};
constexpr double tolerance = 1e-12;  // rounding of places and areas of size 1 to 10

std::vector<Vec3d> corners_of(const WallMesh& mesh, std::size_t cell) {
    std::vector<Vec3d> corners;
    for (std::size_t k = cell > 0 ? mesh.ends[cell - 1] : 0; k < mesh.ends[cell]; ++k)
        corners.push_back(mesh.points.at(mesh.connectivity[k]));
    return corners;
}

// Half the sum of cross products: length and direction are area and normal of a plane polygon.
Vec3d area_vector(const std::vector<Vec3d>& corners) {
    Vec3d sum;
    for (std::size_t k = 2; k < corners.size(); ++k)
        sum += 0.5 * cross(corners[k - 1] - corners[0], corners[k] - corners[0]);
    return sum;
}

double area_of(const WallMesh& mesh) {
    double area = 0;
    for (std::size_t c = 0; c < mesh.ends.size(); ++c) area += norm(area_vector(corners_of(mesh, c)));
    return area;
}

WallMesh mesh_of_one(const WallShape& shape, int segments = circle_segments) {
    const std::vector<Wall> walls{make_wall("one", shape, 0)};
    const WallMesh mesh = mesh_of(walls, box, segments);
    for (const Vec3d& p : mesh.points)
        EXPECT_TRUE(contains(walls[0].shape, p, tolerance)) << p.x << " " << p.y << " " << p.z;
    for (const std::size_t corner : mesh.connectivity) EXPECT_LT(corner, mesh.points.size());
    return mesh;
}

// A regular polygon of n corners on a circle has this share of the circle's area.
double share_of_circle(int n) { return n * std::sin(2 * std::numbers::pi / n) / (2 * std::numbers::pi); }

TEST(WallMesh, MeshShowsItsTriangles) {
    const WallMesh mesh = mesh_of_one(test::mesh_wall(test::box_surface({-1, 0, 0}, {1, 1, 3})));
    EXPECT_EQ(mesh.ends.size(), 12u);
    EXPECT_EQ(mesh.points.size(), 8u);
    EXPECT_NEAR(area_of(mesh), 2 * (2 * 1 + 2 * 3 + 1 * 3), tolerance);
}

TEST(WallMesh, FlatShapesHaveTheirArea) {
    EXPECT_NEAR(area_of(mesh_of_one(Rectangle{{0, 0, 1}, {0.5, 0, 0}, {0, 0.25, 0.25}})), 0.5 * std::sqrt(0.125),
                tolerance);
    const Vec3d normal{1, 2, -2};
    const double disc = std::numbers::pi * 0.04;
    EXPECT_NEAR(area_of(mesh_of_one(Disc{{0.1, 0.2, 0.3}, normal, 0.2})), disc * share_of_circle(64), tolerance);
    EXPECT_NEAR(area_of(mesh_of_one(Disc{{0.1, 0.2, 0.3}, normal, 0.2}, 12)), disc * share_of_circle(12), tolerance);
    EXPECT_NEAR(area_of(mesh_of_one(Annulus{{0.1, 0.2, 0.3}, normal, 0.1, 0.2})), 0.75 * disc * share_of_circle(64),
                tolerance);
    EXPECT_GT(share_of_circle(64), 0.998);
}

TEST(WallMesh, RoundShapesHaveTheirArea) {
    // Prism or frustum of a pyramid: n faces, each a trapezium over the chords of the circles.
    const auto expected = [](double height, double a, double b, int n) {
        const double chord = 2 * std::sin(std::numbers::pi / n), apothem = std::cos(std::numbers::pi / n);
        return n * 0.5 * chord * (a + b) * std::hypot(height, apothem * (a - b));
    };
    const Vec3d bottom{0.1, 0.2, 0.3}, top{0.5, -0.2, 1.0};
    const double height = norm(top - bottom);
    EXPECT_NEAR(area_of(mesh_of_one(Cylinder{bottom, top, 0.3})), expected(height, 0.3, 0.3, 64), tolerance);
    EXPECT_NEAR(area_of(mesh_of_one(ConeFrustum{bottom, top, 0.1, 0.3})), expected(height, 0.1, 0.3, 64), tolerance);
    for (const ConeFrustum& cone : {ConeFrustum{bottom, top, 0, 0.3}, ConeFrustum{bottom, top, 0.3, 0}}) {
        const WallMesh tip = mesh_of_one(cone);
        EXPECT_NEAR(area_of(tip), expected(height, 0, 0.3, 64), tolerance);
        for (std::size_t c = 0; c < tip.ends.size(); ++c) EXPECT_EQ(corners_of(tip, c).size(), 3u);
    }
    EXPECT_NEAR(expected(height, 0.3, 0.3, 1000) / (2 * std::numbers::pi * 0.3 * height), 1, 1e-5);
}

// Every edge of a closed ring of faces, but for its two rims, belongs to two faces: no gap at the seam.
TEST(WallMesh, RoundShapesAreClosed) {
    const WallMesh mesh = mesh_of_one(Cylinder{{0, 0, 0}, {0, 0, 1}, 0.5}, 5);
    EXPECT_EQ(mesh.points.size(), 10u);
    ASSERT_EQ(mesh.ends.size(), 5u);
    std::map<std::pair<std::size_t, std::size_t>, int> edges;
    for (std::size_t c = 0; c < 5; ++c)
        for (std::size_t k = 0; k < 4; ++k) {
            const std::size_t a = mesh.connectivity[4 * c + k], b = mesh.connectivity[4 * c + (k + 1) % 4];
            ++edges[{std::min(a, b), std::max(a, b)}];
        }
    EXPECT_EQ(edges.size(), 15u);
    EXPECT_EQ(std::count_if(edges.begin(), edges.end(), [](const auto& e) { return e.second == 2; }), 5);
}

TEST(WallMesh, PlanesAreCutAtTheBox) {
    const auto polygon = [](const Vec3d& point, const Vec3d& normal) {
        const WallMesh mesh = mesh_of_one(Plane{point, normal});
        for (const Vec3d& p : mesh.points)
            for (int axis = 0; axis < 3; ++axis) {
                EXPECT_GE(at(p, axis), at(box.lower, axis) - tolerance);
                EXPECT_LE(at(p, axis), at(box.upper, axis) + tolerance);
            }
        return mesh.ends.empty() ? std::vector<Vec3d>() : corners_of(mesh, 0);
    };
    for (const double z : {0.0, 1.7, 3.0}) {  // the bottom of the box, across it, its top
        const std::vector<Vec3d> flat = polygon({7, 8, z}, {0, 0, 2});
        EXPECT_EQ(flat.size(), 4u);
        EXPECT_NEAR(area_vector(flat).z, 8, tolerance);  // its front is where its normal points to
    }
    EXPECT_NEAR(area_vector(polygon({1, 0, 0}, {-1, 0, 0})).x, -12, tolerance);
    EXPECT_NEAR(area_vector(polygon({0, -2, 0}, {0, 1, 0})).y, 6, tolerance);
    // Through four edges that run along y: 4 long, from (-1, 0.5) to (1, 2.5).
    EXPECT_NEAR(norm(area_vector(polygon({0, 0, 1.5}, {-1, 0, 1}))), 4 * 2 * std::sqrt(2), tolerance);
    // A corner cut off: the triangle with intercepts 0.5, 0.5, 0.5 from (-1, -2, 0).
    const std::vector<Vec3d> corner = polygon({-0.5, -2, 0}, {1, 1, 1});
    EXPECT_EQ(corner.size(), 3u);
    EXPECT_NEAR(norm(area_vector(corner)), std::sqrt(3) / 2 * 0.25, tolerance);
    // Through the centre, at right angles to a diagonal of the cube of side 2 within: six corners.
    EXPECT_EQ(polygon({0, 0, 1.5}, {1, 0.5, 0.6}).size(), 6u);
    EXPECT_TRUE(polygon({0, 0, -0.01}, {0, 0, 1}).empty());
    EXPECT_TRUE(polygon({-2, -2, -1}, {1, 1, 1}).empty());
}

// Wherever the box stands: the rounding of a place on its face may not take the whole plane away.
TEST(WallMesh, PlanesInAFaceOfTheBoxAreSeen) {
    for (int k = -50; k <= 50; ++k)
        for (int axis = 0; axis < 3; ++axis)
            for (const double size : {0.1, 0.7}) {
                const double low = 0.1 * k;
                const Domain here{{low, low, low}, {low + size, low + size, low + size}, {}};
                Vec3d normal;
                at(normal, axis) = 1;
                const std::vector<Wall> walls{make_wall("low", Plane{here.lower, normal}, 0),
                                              make_wall("high", Plane{here.upper, -normal}, 0)};
                EXPECT_NEAR(area_of(mesh_of(walls, here)), 2 * size * size, tolerance) << low << " " << axis;
            }
}

TEST(WallMesh, SaysWhichWallACellBelongsTo) {
    const std::vector<Wall> walls{make_wall("a", Rectangle{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 0),
                                  make_wall("beyond", Plane{{0, 0, 9}, {0, 0, -1}}, 0),
                                  make_wall("c", Disc{{0, 0, 0}, {0, 0, 1}, 1}, 0),
                                  make_wall("d", Plane{{0, 0, 1}, {0, 0, 1}}, 0)};
    const WallMesh mesh = mesh_of(walls, box, 3);
    EXPECT_EQ(mesh.wall, (std::vector<std::uint32_t>{0, 2, 2, 2, 3}));
    for (std::size_t c = 0; c < mesh.ends.size(); ++c)
        for (const Vec3d& p : corners_of(mesh, c)) EXPECT_TRUE(contains(walls[mesh.wall[c]].shape, p, tolerance));
}

TEST(WallMesh, OpenGatesKeepTheNumbersOfTheOthers) {
    const std::vector<Wall> walls{make_wall("floor", Rectangle{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 0),
                                  make_wall("gate", Disc{{0, 0, 0}, {0, 0, 1}, 1}, 0),
                                  make_wall("side", Rectangle{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, 0)};
    EXPECT_EQ(mesh_of(walls, box, 3).wall, (std::vector<std::uint32_t>{0, 1, 1, 1, 2}));
    EXPECT_EQ(mesh_of(walls, box, 3, std::vector<char>{0, 1, 0}).wall, (std::vector<std::uint32_t>{0, 2}));
    EXPECT_TRUE(mesh_of(walls, box, 3, std::vector<char>{1, 1, 1}).ends.empty());
}

class WallFile : public ::testing::Test {
  protected:
    void SetUp() override { fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }
    fs::path folder = fs::temp_directory_path() / ("granary_wall_test_" + std::to_string(::getpid()));
    std::string path = (folder / "walls.vtp").string();
};

TEST_F(WallFile, HoldsTheMeshInTheAxesOfTheUser) {
    const Axes axes(1);
    const std::vector<Wall> walls{make_wall("st\xc3\xa5l <&> \"1\"", Cylinder{{0, 0, 0}, {0.1, 0.2, 1}, 0.3}, 5),
                                  make_wall("", Rectangle{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 2)};
    const WallMesh mesh = mesh_of(walls, box);
    write_walls(path, walls, box, axes);
    const test::Vtp vtp = test::read_vtp(path);
    EXPECT_EQ(vtp.problems, std::vector<std::string>());
    EXPECT_FALSE(fs::exists(path + ".part"));
    ASSERT_EQ(vtp.n_points(), mesh.points.size());
    for (std::size_t k = 0; k < mesh.points.size(); ++k) {
        const Vec3d p = axes.out(mesh.points[k]);
        for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(vtp.arrays.at("position").reals[3 * k + axis], at(p, axis));
    }
    const auto whole = [](const auto& v) { return std::vector<std::int64_t>(v.begin(), v.end()); };
    EXPECT_EQ(vtp.arrays.at("connectivity").whole, whole(mesh.connectivity));
    EXPECT_EQ(vtp.arrays.at("offsets").whole, whole(mesh.ends));
    EXPECT_EQ(vtp.arrays.at("wall").whole, whole(mesh.wall));
    EXPECT_EQ(vtp.arrays.at("material").whole.front(), 5);
    EXPECT_EQ(vtp.arrays.at("material").whole.back(), 2);
    EXPECT_EQ(vtp.arrays.at("wall_name").texts, (std::vector<std::string>{walls[0].name, ""}));
    EXPECT_EQ(vtp.names_in("CellData"), (std::vector<std::string>{"wall", "material"}));
}

TEST_F(WallFile, MayBeEmpty) {
    write_walls(path, {}, box, Axes());
    const test::Vtp vtp = test::read_vtp(path);
    EXPECT_EQ(vtp.problems, std::vector<std::string>());
    EXPECT_EQ(vtp.n_points(), 0u);
    EXPECT_EQ(vtp.piece.at("NumberOfPolys"), "0");
}

TEST_F(WallFile, SaysWhyItCannotBeWritten) {
    const auto error_of = [&](const std::string& where) -> std::string {
        try {
            write_walls(where, {}, box, Axes());
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_EQ(error_of((folder / "none/walls.vtp").string()),
              (folder / "none/walls.vtp.part").string() + ": cannot create the file: No such file or directory");
    fs::create_directories(path + "/inside");
    EXPECT_EQ(error_of(path), path + ": cannot rename the finished file: Is a directory");
    EXPECT_FALSE(fs::exists(path + ".part"));
}

}  // namespace
}  // namespace granary
