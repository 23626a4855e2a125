// Grains as surfaces in a file: what was given is read back, and the bytes do not depend on the ranks.
#include "io/frames/grain_surfaces.hpp"
#include <gtest/gtest.h>
#include <fstream>
#include <iterator>
#include "shapes/ellipsoid_template.hpp"
#include "shapes/convex_polyhedron.hpp"
#include "shapes/solids.hpp"
#include "support/frame_samples.hpp"

namespace granary::grain_surfaces_test {
namespace {

using namespace samples;
using GrainSurfaces = FrameTest;

std::vector<ShapeTemplate> shapes() {
    return {make_ellipsoid("egg & co", {3, 2, 1}), make_polyhedron("die", corners_of(RegularSolid::cube, 2))};
}

DrawnGrain grain(std::uint64_t k) {
    const auto x = static_cast<double>(k);
    DrawnGrain g;
    g.centre = {10 * x, -x, 0.5 * x}, g.velocity = {0.25 * x, 0, -x};
    g.orientation = normalised(Quaterniond{1, 0.5 * x, -1, 0.25});
    g.size = 0.5 + 0.125 * x, g.id = 7 * k + 1;
    g.shape = static_cast<std::uint16_t>(1 + k % 2), g.material = static_cast<std::uint16_t>(k % 3);
    return g;
}

std::vector<DrawnGrain> grains_of(const mpi::communicator& comm, std::uint64_t n) {
    const auto [first, mine] = uneven(n, comm.rank(), comm.size());
    std::vector<DrawnGrain> grains;
    for (std::uint64_t k = first; k < first + mine; ++k) grains.push_back(grain(k));
    return grains;
}

std::string bytes_of_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(GrainSurfaces, AreReadBack) {
    constexpr std::uint64_t n = 6;
    const std::vector<ShapeTemplate> all = shapes();
    write_grain_surfaces(world, in_folder("grains.vtp"), grains_of(world, n), all, Axes(), {0.5, 42});
    const test::Vtp vtp = test::read_vtp(in_folder("grains.vtp"));
    EXPECT_EQ(vtp.problems, std::vector<std::string>());
    EXPECT_EQ(vtp.n_points(), 3u * 162 + 3u * 24);
    EXPECT_EQ(vtp.piece.at("NumberOfPolys"), std::to_string(3 * 320 + 3 * 6));
    EXPECT_EQ(vtp.names_in("PointData"),
              (std::vector<std::string>{"Normals", "id", "shape", "material", "centre", "velocity", "speed"}));
    const std::vector<double>& x = vtp.arrays.at("position").reals;
    std::size_t at = 0;
    for (std::uint64_t k = 0; k < n; ++k) {
        const DrawnGrain g = grain(k);
        const std::size_t points = g.shape == 1 ? 162 : 24;
        for (std::size_t p = at; p < at + points; ++p) {
            EXPECT_EQ(vtp.arrays.at("id").whole[p], static_cast<std::int64_t>(g.id));
            EXPECT_EQ(vtp.arrays.at("shape").whole[p], g.shape);
            EXPECT_FLOAT_EQ(static_cast<float>(vtp.arrays.at("speed").reals[p]), static_cast<float>(norm(g.velocity)));
            // Back in the own frame it lies on the surface of the template.
            const Vec3d own =
                (1 / g.size) * rotate_back(g.orientation, Vec3d{x[3 * p], x[3 * p + 1], x[3 * p + 2]} - g.centre);
            const double misfit = g.shape == 1 ? own.x * own.x / 9 + own.y * own.y / 4 + own.z * own.z - 1
                                               : std::max({std::abs(own.x), std::abs(own.y), std::abs(own.z)}) - 1;
            EXPECT_NEAR(misfit, 0, 1e-4);  // single precision, at 50 from the origin
        }
        at += points;
    }
    // Every cell has corners of one grain.
    const std::vector<std::int64_t>& corners = vtp.arrays.at("connectivity").whole;
    std::size_t begin = 0;
    for (const std::int64_t end : vtp.arrays.at("offsets").whole) {
        for (std::size_t c = begin; c < static_cast<std::size_t>(end); ++c)
            EXPECT_EQ(vtp.arrays.at("id").whole[static_cast<std::size_t>(corners[c])],
                      vtp.arrays.at("id").whole[static_cast<std::size_t>(corners[begin])]);
        begin = static_cast<std::size_t>(end);
    }
    EXPECT_EQ(begin, corners.size());
    world.barrier();
}

TEST_F(GrainSurfaces, SameBytesOnAnyNumberOfRanksAndNoneAtAll) {
    const std::vector<ShapeTemplate> all = shapes();
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1001}}) {  // 1001: less detail
        write_grain_surfaces(world, in_folder("many.vtp"), grains_of(world, n), all, Axes(), {0.25, 7});
        const mpi::communicator self = world.split(world.rank());
        if (world.rank() == 0) {
            write_grain_surfaces(self, in_folder("one.vtp"), grains_of(self, n), all, Axes(), {0.25, 7});
            EXPECT_EQ(bytes_of_file(in_folder("one.vtp")), bytes_of_file(in_folder("many.vtp"))) << n;
            const test::Vtp vtp = test::read_vtp(in_folder("one.vtp"));
            EXPECT_EQ(vtp.problems, std::vector<std::string>());
            if (n == 0) {
                EXPECT_EQ(vtp.n_points(), 0u);
            }
        }
        world.barrier();
    }
}

}  // namespace
}  // namespace granary::grain_surfaces_test
