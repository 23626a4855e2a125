#include "io/formats/stl_file.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cctype>
#include <limits>
#include "core/errors.hpp"
#include "support/message_of.hpp"
#include "support/triangles.hpp"

namespace granary::test {
namespace {

const Triangles cube = box_surface({-0.5, 0, 0.25}, {1, 2, 4});  // exact in single precision, too

std::string refused(const std::string& content) {
    return message_of<InputError>([&] { parse_stl(content, "a.stl"); });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

}  // namespace

TEST(StlFile, BothFormsGiveTheSameTriangles) {
    EXPECT_EQ(parse_stl(stl_text(cube), "a.stl"), cube);
    EXPECT_EQ(parse_stl(stl_binary(cube), "a.stl"), cube);
}

// Many programs begin a binary file with the word of the text form.
TEST(StlFile, BinaryThatBeginsWithSolid) {
    EXPECT_EQ(parse_stl(stl_binary(cube, "solid made by a program"), "a.stl"), cube);
    EXPECT_EQ(parse_stl(stl_binary(cube, "solid"), "a.stl"), cube);
}

TEST(StlFile, TextInAllItsDialects) {
    const std::string plain = stl_text(cube);
    EXPECT_EQ(parse_stl(stl_text(cube, "\r\n"), "a.stl"), cube);
    EXPECT_EQ(parse_stl(stl_text(cube, "\r"), "a.stl"), cube);
    EXPECT_EQ(parse_stl("\n  \t" + plain + "\n\n", "a.stl"), cube);
    std::string upper = plain;
    std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
    EXPECT_EQ(parse_stl(upper, "a.stl"), cube);
    EXPECT_EQ(parse_stl(plain + stl_text(cube), "a.stl"), cube + cube);  // two solids
    EXPECT_EQ(parse_stl(replaced(plain, "solid sample", "solid a name of facet words"), "a.stl"), cube);
    EXPECT_EQ(parse_stl(replaced(replaced(plain, "solid sample", "solid"), "endsolid sample", "endsolid"), "a.stl"),
              cube);
    EXPECT_EQ(parse_stl(replaced(plain, "normal 0 0 0", "normal nan -nan(ind) 1.#QNAN"), "a.stl"), cube);
    const Triangles numbers = parse_stl(
        "solid\nfacet normal 0 0 1\nouter loop\nvertex +1.5E-3 -2e+1 .5\nvertex 3. 0 1E2\nvertex 0.1 7 "
        "-0\nendloop\nendfacet\nendsolid",
        "a.stl");
    EXPECT_EQ(numbers, (Triangles{{Vec3d{1.5e-3, -20, 0.5}, Vec3d{3, 0, 100}, Vec3d{0.1, 7, -0.0}}}));
}

TEST(StlFile, BrokenText) {
    const std::string plain = stl_text(cube);  // seven lines a triangle behind the first
    EXPECT_EQ(refused(replaced(plain, "vertex", "vertx")), "a.stl:4: expected \"vertex\", found \"vertx\"");
    EXPECT_EQ(refused(replaced(plain, "vertex -0.5", "vertex abc")), "a.stl:4: expected a number, found \"abc\"");
    EXPECT_EQ(refused(replaced(plain, "vertex -0.5", "vertex 1,5")), "a.stl:4: expected a number, found \"1,5\"");
    EXPECT_EQ(refused(replaced(plain, "vertex -0.5", "vertex nan")),
              "a.stl:4: a coordinate is not finite (expected finite numbers)");
    EXPECT_EQ(refused(replaced(plain, "vertex -0.5", "vertex inf")),
              "a.stl:4: a coordinate is not finite (expected finite numbers)");
    EXPECT_EQ(refused(replaced(plain, "endloop\n", "")), "a.stl:7: expected \"endloop\", found \"endfacet\"");
    EXPECT_EQ(refused(replaced(plain, "    endloop", "      vertex 1 1 1\n    endloop")),
              "a.stl:7: expected \"endloop\", found \"vertex\"");
    EXPECT_EQ(refused(replaced(plain, "facet", "face")), "a.stl:2: expected \"facet\" or \"endsolid\", found \"face\"");
    EXPECT_EQ(refused(plain + "more"), "a.stl:87: expected \"solid\" or the end, found \"more\"");
    EXPECT_EQ(refused(plain.substr(0, plain.find("endsolid"))),
              "a.stl is truncated: it ends in line 86 without \"endsolid\"");
    EXPECT_EQ(refused(plain.substr(0, 100)), "a.stl is truncated: it ends in line 6 without \"endsolid\"");
    EXPECT_EQ(refused("solid nothing\nendsolid nothing\n"), "a.stl contains no triangle");
}

TEST(StlFile, BrokenBinary) {
    const std::string whole = stl_binary(cube);
    ASSERT_EQ(whole.size(), 684u);
    EXPECT_EQ(refused(""), "a.stl is empty (expected an STL file)");
    EXPECT_EQ(refused("hello"), "a.stl is not an STL file: it has only 5 bytes and does not begin with \"solid\"");
    EXPECT_EQ(refused(whole.substr(0, 600)),
              "a.stl is truncated: as a binary STL file it declares 12 triangles, which need 684 bytes, but it has "
              "600, enough for 10");
    EXPECT_EQ(refused(whole + "x"),
              "a.stl is too long: as a binary STL file it declares 12 triangles, which need 684 bytes, but it has 685, "
              "enough for 12");
    std::string miscounted = whole;
    miscounted[80] = 13;
    EXPECT_EQ(refused(miscounted),
              "a.stl is truncated: as a binary STL file it declares 13 triangles, which need 734 bytes, but it has "
              "684, enough for 12");
    miscounted[80] = 3;
    EXPECT_EQ(refused(miscounted),
              "a.stl is too long: as a binary STL file it declares 3 triangles, which need 234 bytes, but it has 684, "
              "enough for 12");
    EXPECT_EQ(refused(stl_binary(cube, "solid").substr(0, 500)),
              "a.stl is truncated: as a binary STL file it declares 12 triangles, which need 684 bytes, but it has "
              "500, enough for 8");
    EXPECT_EQ(refused(stl_binary({})), "a.stl contains no triangle");
    Triangles bad = cube;
    bad[4][1].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(refused(stl_binary(bad)), "a.stl: triangle 5 has a corner at (1, nan, 0.25) (expected finite numbers)");
}

}  // namespace granary::test
