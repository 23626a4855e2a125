// Shapes of Rockable.
#include "io/formats/shp_file.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include "core/errors.hpp"
#include "support/message_of.hpp"

namespace granary::shp_file_test {
namespace {

const std::string two_shapes = R"(# comment
<
name Tetra
radius 0
preCompDone y
nv 4
0 0 0
1 0 0
0 1 0
0 0 1
ne 6
0 1
0 2
0 3
1 2
1 3
2 3
nf 4
3 0 1 2
3 0 1 3
3 0 2 3
3 1 2 3
obb.extent 1 1 1
volume 0.1666
I/m 0.1 0.1 0.1
>
<
name Cube
radius 0.1
nv 8
-0.4 -0.4 -0.4
0.4 -0.4 -0.4
0.4 0.4 -0.4
-0.4 0.4 -0.4
-0.4 -0.4 0.4
0.4 -0.4 0.4
0.4 0.4 0.4
-0.4 0.4 0.4
nf 6
4 0 1 2 3
4 4 5 6 7
4 0 1 5 4
4 2 3 7 6
4 1 2 6 5
4 0 3 7 4
>
)";

TEST(ShpFile, ReadsNamesVerticesAndFaces) {
    const std::vector<ShpShape> shapes = parse_shp(two_shapes, "s.shp");
    ASSERT_EQ(shapes.size(), 2u);
    EXPECT_EQ(shapes[0].name, "Tetra");
    EXPECT_EQ(shapes[0].vertices.size(), 4u);
    EXPECT_EQ(shapes[0].faces.size(), 4u);
    EXPECT_EQ(grown_vertices(shapes[0]), shapes[0].vertices);
    EXPECT_EQ(shapes[1].radius, 0.1);
    EXPECT_EQ(shapes[1].faces[1], (std::vector<std::size_t>{4, 5, 6, 7}));
}

TEST(ShpFile, ARoundedCubeGrowsByItsRadius) {
    for (const Vec3d& p : grown_vertices(parse_shp(two_shapes, "s.shp")[1]))
        for (const double x : {p.x, p.y, p.z}) EXPECT_NEAR(std::abs(x), 0.5, 1e-14);
}

TEST(ShpFile, SaysWhatIsWrongAndWhere) {
    const auto message = [](const std::string& text) {
        return test::message_of<InputError>([&] { parse_shp(text, "s.shp"); });
    };
    EXPECT_EQ(message("cube\n"), "s.shp:1: expected '<', the beginning of a shape, found 'cube'");
    EXPECT_EQ(message("<\nname A\nnv 1\n0 0 x\n>"), "s.shp:4: expected a coordinate of a vertex, found 'x'");
    EXPECT_EQ(message("<\nname A\nnv 1\n0 0 0\n"), "s.shp:5: the shape \"A\" has no end (expected '>')");
    EXPECT_EQ(message("<\nname A\n>"), "s.shp:3: the shape \"A\" has no vertices");
    EXPECT_EQ(message("<\nname A\nnv 3\n0 0 0 1 0 0 0 1 0\nnf 1\n3 0 1 3\n>"),
              "s.shp:6: expected a vertex of a face from 0 to 2, found 3");
    EXPECT_EQ(message(""), "s.shp: contains no shape; expected blocks `< name ... nv ... >`");
}

}  // namespace
}  // namespace granary::shp_file_test
