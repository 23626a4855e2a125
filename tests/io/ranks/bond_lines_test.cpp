// Bonds as lines in a file: what was given is read back, and the bytes do not depend on the ranks.
#include "io/frames/bond_lines.hpp"
#include <gtest/gtest.h>
#include <fstream>
#include <iterator>
#include "support/frame_samples.hpp"

namespace granary {
namespace {

using namespace samples;
using BondLines = FrameTest;

BondLine line(std::uint64_t k) {
    const auto x = static_cast<double>(k);
    return {{0.5 * x, 1, -x},
            {0.5 * x, 1.25, 2},
            3 * k,
            3 * k + 7,
            static_cast<std::uint16_t>(k % 5),
            0.125 * x,
            0.25 * static_cast<double>(k % 3) - 0.25,
            0.5 * x};
}

std::vector<BondLine> lines_of(const mpi::communicator& comm, std::uint64_t n) {
    const auto [first, mine] = uneven(n, comm.rank(), comm.size());
    std::vector<BondLine> lines;
    for (std::uint64_t k = first; k < first + mine; ++k) lines.push_back(line(k));
    return lines;
}

std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(BondLines, AreReadBack) {
    constexpr std::uint64_t n = 20;
    for (const bool wide : {false, true})
        for (const int along : {2, 0}) {
            const Axes axes(along);
            std::vector<BondLine> mine = lines_of(world, n);
            for (BondLine& b : mine) b.from = axes.in(b.from), b.to = axes.in(b.to);
            write_bond_lines(world, in_folder("bonds.vtp"), mine, axes, {0.5, 42}, wide);
            const test::Vtp vtp = test::read_vtp(in_folder("bonds.vtp"));
            EXPECT_EQ(vtp.problems, std::vector<std::string>());
            EXPECT_EQ(vtp.n_points(), 2 * n);
            EXPECT_EQ(vtp.piece.at("NumberOfLines"), "20");
            EXPECT_EQ(vtp.arrays.at("TimeValue").reals, std::vector<double>{0.5});
            EXPECT_EQ(vtp.arrays.at("step").whole, std::vector<std::int64_t>{42});
            EXPECT_EQ(vtp.names_in("CellData"),
                      (std::vector<std::string>{"type", "age", "tensile_share", "shear_share", "id_a", "id_b"}));
            EXPECT_EQ(vtp.arrays.at("age").type, wide ? "Float64" : "Float32");
            EXPECT_EQ(vtp.arrays.at("age").unit, "s");
            for (std::uint64_t k = 0; k < n; ++k) {
                const BondLine b = line(k);
                const std::vector<double>& x = vtp.arrays.at("position").reals;
                EXPECT_EQ((Vec3d{x[6 * k], x[6 * k + 1], x[6 * k + 2]}), b.from);
                EXPECT_EQ((Vec3d{x[6 * k + 3], x[6 * k + 4], x[6 * k + 5]}), b.to);
                EXPECT_EQ(vtp.arrays.at("type").whole[k], b.type);
                EXPECT_EQ(vtp.arrays.at("age").reals[k], b.age);
                EXPECT_EQ(vtp.arrays.at("tensile_share").reals[k], b.tensile_share);
                EXPECT_EQ(vtp.arrays.at("shear_share").reals[k], b.shear_share);
                EXPECT_EQ(vtp.arrays.at("id_a").whole[k], static_cast<std::int64_t>(b.smaller));
                EXPECT_EQ(vtp.arrays.at("id_b").whole[k], static_cast<std::int64_t>(b.larger));
                EXPECT_EQ(vtp.arrays.at("connectivity").whole[2 * k], static_cast<std::int64_t>(2 * k));
                EXPECT_EQ(vtp.arrays.at("connectivity").whole[2 * k + 1], static_cast<std::int64_t>(2 * k + 1));
                EXPECT_EQ(vtp.arrays.at("offsets").whole[k], static_cast<std::int64_t>(2 * k + 2));
            }
            world.barrier();
        }
}

TEST_F(BondLines, SameBytesOnAnyNumberOfRanksAndNoneAtAll) {
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1000}}) {
        write_bond_lines(world, in_folder("many.vtp"), lines_of(world, n), Axes(), {0.25, 7});
        const mpi::communicator self = world.split(world.rank());
        if (world.rank() == 0) {
            write_bond_lines(self, in_folder("one.vtp"), lines_of(self, n), Axes(), {0.25, 7});
            EXPECT_EQ(bytes_of(in_folder("many.vtp")), bytes_of(in_folder("one.vtp"))) << n;
            EXPECT_EQ(test::read_vtp(in_folder("one.vtp")).problems, std::vector<std::string>());
        }
        world.barrier();
    }
}

TEST_F(BondLines, RegionAndEveryNth) {
    FrameOptions options;
    EXPECT_TRUE(is_shown(line(3), options, Axes()));
    options.every_nth = 7;
    EXPECT_FALSE(is_shown(line(3), options, Axes()));  // ids 9 and 16
    EXPECT_TRUE(is_shown(line(7), options, Axes()));   // 21 and 28
    options.every_nth = 1, options.region = FrameRegion{{0, 1, -1}, {2, 2, 1}};
    EXPECT_TRUE(is_shown(line(2), options, Axes()));   // the middle is (1, 1.125, 0)
    EXPECT_FALSE(is_shown(line(5), options, Axes()));  // (2.5, 1.125, -1.5)
}

}  // namespace
}  // namespace granary
