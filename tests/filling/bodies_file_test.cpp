#include "filling/bodies_file.hpp"
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <tuple>
#include <unistd.h>
#include "core/errors.hpp"
#include "filling/packing.hpp"

using namespace granary;

namespace {

class TextFile {
  public:
    explicit TextFile(const std::string& text)
        : path_((std::filesystem::temp_directory_path() / ("granary_bodies_" + std::to_string(getpid()))).string()) {
        std::ofstream(path_) << text;
    }
    ~TextFile() { std::filesystem::remove(path_); }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

// As ranks read it: each a part, then all learn what stands before theirs.
std::vector<NewBody> read_in_parts(const FileBodies& what, std::uint64_t parts) {
    std::vector<NewBody> all, slice;
    const BodiesFile file(what);
    std::uint64_t line = file.first_line();
    for (std::uint64_t p = 0; p < parts; ++p) {
        const BodiesPart part = file.read(p, parts);
        if (part.problem)
            throw InputError(what.path + ":" + std::to_string(line + part.problem->line - 1) + ": " +
                             part.problem->text);
        line += part.lines;
        const std::uint64_t before = all.size();
        for (std::size_t k = 0; k < part.slices(); ++k) {
            part.slice(k, before, slice);
            all.insert(all.end(), slice.begin(), slice.end());
        }
        EXPECT_EQ(all.size(), before + part.balls);
        part.slice(part.slices(), before, slice);
        EXPECT_TRUE(slice.empty());
    }
    return all;
}

bool same(const NewBody& a, const NewBody& b) {
    return std::tie(a.id, a.position, a.radius, a.velocity, a.spin, a.mass, a.inertia, a.material) ==
           std::tie(b.id, b.position, b.radius, b.velocity, b.spin, b.mass, b.inertia, b.material);
}

// However it is cut, it is the same.
std::vector<NewBody> read_all(const FileBodies& what) {
    std::vector<NewBody> once = read_in_parts(what, 1);
    for (const std::uint64_t parts : {2, 3, 5, 17, 200}) {
        const std::vector<NewBody> again = read_in_parts(what, parts);
        EXPECT_TRUE(std::equal(once.begin(), once.end(), again.begin(), again.end(), same)) << parts;
    }
    return once;
}

template <class F> std::string message(F&& f) {
    try {
        f();
    } catch (const InputError& e) {
        return e.what();
    }
    return "nothing thrown";
}

}  // namespace

TEST(BodiesFile, FileOfBalls) {
    const TextFile file("# x y z r\n0.1 0.2 0.3 0.01\n\n  -1e-1\t+2 3. 0.02 # last\r\n");
    const auto bodies =
        read_all({.path = file.path(), .density = 1000, .material = 2, .velocity = {1, 0, 0}, .first_id = 7});
    ASSERT_EQ(bodies.size(), 2u);
    EXPECT_EQ(bodies[0].position, (Vec3d{0.1, 0.2, 0.3}));
    EXPECT_EQ(bodies[1].position, (Vec3d{-0.1, 2, 3}));
    EXPECT_EQ(std::tuple(bodies[1].id, bodies[1].radius, bodies[1].material),
              std::tuple(Id{8}, 0.02, std::uint16_t{2}));
    EXPECT_DOUBLE_EQ(bodies[1].mass, make_ball(0, {}, 0.02, 1000, 0, {}).mass);
}

// Files of other codes: commas, comments of either kind, names of columns in any order, diameters, millimetres.
TEST(BodiesFile, FilesOfOtherCodes) {
    const auto read = [](const std::string& text, double scale = 1) {
        const TextFile file(text);
        return read_all({.path = file.path(), .density = 1000, .scale = scale});
    };
    const auto csv = read("% a packing\nid, X, Y, Z, vx, Radius\n7, 1, 2, 3, 0.5, 0.25\n8; 4; 5; 6; 0; 0.5 # last\n");
    ASSERT_EQ(csv.size(), 2u);
    EXPECT_EQ(csv[0].position, (Vec3d{1, 2, 3}));
    EXPECT_EQ(csv[0].radius, 0.25);
    EXPECT_EQ(csv[1].position, (Vec3d{4, 5, 6}));
    const auto diameters = read("z y x diameter\n3000 2000 1000 500\n", 1e-3);
    ASSERT_EQ(diameters.size(), 1u);
    EXPECT_EQ(diameters[0].position, (Vec3d{1, 2, 3}));
    EXPECT_EQ(diameters[0].radius, 0.25);
    const auto plain = read("1,2,3,0.25\n");
    ASSERT_EQ(plain.size(), 1u);
    EXPECT_EQ(plain[0].position, (Vec3d{1, 2, 3}));
}

// What a ball has of its own stands in columns, the rest is that of the source; velocities are lengths over time.
TEST(BodiesFile, FilesWithMaterialsVelocitiesAndSpins) {
    const TextFile file(
        "x,y,z,r,material,vx,vz,omegaY,wz\n"
        "1,2,3,100,grain,10,-20,5,6\n"
        "2,2,3,200,\"clay\",0,0,7,8\n");
    const auto bodies = read_all({.path = file.path(),
                                  .density = 1000,
                                  .material = 1,
                                  .velocity = {1, 2, 3},
                                  .first_id = 4,
                                  .scale = 1e-3,
                                  .spin = {9, 9, 9},
                                  .named = {{"grain", 1, 1000}, {"clay", 3, 2000}}});
    ASSERT_EQ(bodies.size(), 2u);
    EXPECT_EQ(bodies[0].velocity, (Vec3d{1e-3 * 10, 2, 1e-3 * -20}));
    EXPECT_EQ(bodies[0].spin, (Vec3d{9, 5, 6}));
    EXPECT_EQ(bodies[1].spin, (Vec3d{9, 7, 8}));
    EXPECT_EQ(std::tuple(bodies[0].material, bodies[1].material), std::tuple(std::uint16_t{1}, std::uint16_t{3}));
    EXPECT_EQ(bodies[0].mass, make_ball(0, {}, 0.1, 1000, 0, {}).mass);
    EXPECT_EQ(bodies[1].mass, make_ball(0, {}, 0.2, 2000, 0, {}).mass);
    EXPECT_EQ(bodies[1].id, Id{5});
}

TEST(BodiesFile, WrongFilesAreNamedByLine) {
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"1 2 3\n", ":1: expected four numbers `x y z r` in m, found only 3"},
        {"1 2 3 4\n# fine\n1 2 3 4 5\n", ":3: expected four numbers `x y z r` in m, found a fifth entry '5'"},
        {"1 2 x 4\n", ":1: expected four numbers `x y z r` in m, found 'x'"},
        {"x y r\n1 2 3\n", ":1: the names of the columns lack z (expected x, y, z and r, radius, d or diameter)"},
        {"x y z d id\n1 2 3\n", ":2: expected 5 entries, one for each name in line 1, found 3"},
        {"# made elsewhere\nid x y z r\n1 2 3 4 0.1\n1 2 3 5\n",
         ":4: expected 5 entries, one for each name in line 2, found 4"},
        {"x y z r\n1 2 3 0.1\n1 2 3 0.1 7\n", ":3: expected 4 entries, one for each name in line 1, found 5"},
        {"x y z r x\n1 2 3 4 5\n", ":1: the column x is named twice"},
        {"x y z r vz\n1 2 3 4 fast\n", ":2: expected a number in the column vz, found 'fast'"},
        {"x y z r material\n1 2 3 4 chalk\n",
         ":2: the material \"chalk\" is not one of this [[bodies]] (expected \"grain\"; "
         "add further ones of the case to its key mixed_with)"},
        {"1 2 nan 4\n", "found 'nan'"},
        {"1 2 3 -4\n", "found the radius -4"},
        {"1 2 3 + 4\n", "found a fifth entry '4'"},
        {"1 2 3 1e-70\n",
         "found the radius 1e-70 m, which gives no valid mass or inertia"},  // a mass, but no moment of inertia
        {"1 2 3 1e90\n", "found the radius 1e+90 m, which gives no valid mass or inertia"},
        {"x y z r\n\n1 2 3 4\n# fine\n1 2 3 x\n1 2\n", ":5: expected four numbers `x y z r` in m, found 'x'"},
    };
    for (const auto& [text, expected] : wrong) {
        const TextFile file(text);
        for (const std::uint64_t parts : {1, 2, 3, 9}) {  // lines are counted through all parts
            const std::string got = message([&] {
                read_in_parts({.path = file.path(), .density = 1000, .named = {{"grain", 0, 1000}}}, parts);
            });
            EXPECT_NE(got.find(expected), std::string::npos) << got;
            EXPECT_EQ(got.find(file.path()), 0u) << got;
        }
    }
    const TextFile fast("x y z r vx\n0 0 0 1e-5 1e308\n");  // of lengths in km
    EXPECT_EQ(message([&] { read_all({.path = fast.path(), .density = 1, .scale = 1000}); }),
              fast.path() + ":2: expected a number in the column vx, found one that is not finite in m/s");
    EXPECT_NE(message([] { read_all({.path = "/no/such/file", .density = 1}); }).find("cannot be opened"),
              std::string::npos);
}

// Many balls, more than a slice, with comments, blank lines and lines of all lengths; the last one without an end.
TEST(BodiesFile, IsReadInAnyNumberOfParts) {
    std::string text = "# a long comment\n\nr material y x z wy\n";
    for (int k = 0; k < 40000; ++k) {
        if (k % 7 == 0) text += "# between\n";
        if (k % 11 == 0) text += "\n \n";
        text += "0.5 " + std::string(k % 3 == 0 ? "clay" : "grain") + " " + std::string(k % 5, ' ') +
                std::to_string(k) + " 1 " + std::to_string(0.25 * k) + " 3" + (k < 39999 ? "\n" : "");
    }
    const TextFile file(text);
    FileBodies what{.path = file.path(), .density = 1000, .first_id = 100, .spin = {1, 2, 4}};
    what.named = {{"grain", 1, 1000}, {"clay", 3, 2000}};
    const std::vector<NewBody> balls = read_all(what);
    ASSERT_EQ(balls.size(), 40000u);
    for (std::size_t k = 0; k < balls.size(); k += 999) {
        EXPECT_EQ(balls[k].id, 100 + k);
        EXPECT_EQ(balls[k].position, (Vec3d{1, static_cast<double>(k), 0.25 * static_cast<double>(k)}));
        EXPECT_EQ(balls[k].spin, (Vec3d{1, 3, 4}));
        EXPECT_EQ(balls[k].material, k % 3 == 0 ? 3 : 1);
    }
}

TEST(BodiesFile, OfNothingHasNoBalls) {
    for (const char* text : {"", "# nothing\n", "x y z r\n", "x y z r", "\n\n"}) {
        const TextFile file(text);
        EXPECT_TRUE(read_all({.path = file.path(), .density = 1000}).empty()) << text;
    }
    const std::string folder = std::filesystem::temp_directory_path().string();
    EXPECT_NE(message([&] { read_all({.path = folder, .density = 1}); }).find("is no regular file"), std::string::npos);
}
