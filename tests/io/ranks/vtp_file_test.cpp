// Runs on any number of ranks; the build starts it with 1, 2, 3, 4 and 7.
#include "io/frames/vtp_file.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include "core/digest.hpp"
#include "support/frame_samples.hpp"
#include "support/limits.hpp"

namespace granary {
namespace {

using namespace samples;
using test::Vtp;
using Names = std::vector<std::string>;
using VtpFile = FrameTest;
using VtpFileWriting = FrameTest;

// What a frame shall show of one body, from the numbers in the body itself.
struct Shown {
    Vec3d position, velocity, spin, force;
    double radius, speed, mass;
    std::int64_t id, material;
    explicit Shown(const BodyRecord& b) {
        const Motion m = motion();
        const auto vec = [](const double* a) { return Vec3d{a[0], a[1], a[2]}; };
        position = vec(b.position), force = vec(b.force);
        const bool held = b.velocity[3] == 0;  // nothing pushes it
        velocity = vec(b.velocity);
        if (!held) velocity += (vec(b.force) * b.velocity[3] + m.gravity) * (0.5 * m.dt);
        spin = vec(b.spin) + vec(b.torque) * (b.spin[3] * 0.5 * m.dt);
        radius = b.position[3], speed = norm(velocity), mass = held ? b.held_mass : 1 / b.velocity[3];
        id = static_cast<std::int64_t>(b.id), material = b.material;
    }
};

template <class Real> void expect_bodies(const Vtp& vtp, const std::vector<std::uint64_t>& bodies) {
    ASSERT_EQ(vtp.n_points(), bodies.size());
    const auto vector = [&](const char* name, std::size_t k, const Vec3d& expected) {
        const std::vector<double>& found = vtp.arrays.at(name).reals;
        EXPECT_EQ(found.at(3 * k), Real(expected.x)) << name << " of " << k;
        EXPECT_EQ(found.at(3 * k + 1), Real(expected.y)) << name << " of " << k;
        EXPECT_EQ(found.at(3 * k + 2), Real(expected.z)) << name << " of " << k;
    };
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const Shown b(body_of(bodies[k]));
        vector("position", k, b.position), vector("velocity", k, b.velocity);
        vector("spin", k, b.spin), vector("force", k, b.force);
        EXPECT_EQ(vtp.arrays.at("radius").reals.at(k), Real(b.radius));
        EXPECT_EQ(vtp.arrays.at("speed").reals.at(k), Real(b.speed));
        EXPECT_EQ(vtp.arrays.at("mass").reals.at(k), Real(b.mass));
        EXPECT_EQ(vtp.arrays.at("id").whole.at(k), b.id);
        EXPECT_EQ(vtp.arrays.at("material").whole.at(k), b.material);
        EXPECT_EQ(vtp.arrays.at("connectivity").whole.at(k), std::int64_t(k));
    }
}

std::vector<std::uint64_t> first_bodies(std::uint64_t n) {
    std::vector<std::uint64_t> bodies;
    for (std::uint64_t k = 0; k < n; ++k) bodies.push_back(k);
    return bodies;
}

TEST_F(VtpFile, ShowsEveryFieldOfEveryBody) {
    for (const std::size_t at_once : {65536, 101, 7, 1}) {
        FrameOptions options = everything();
        options.bodies_at_once = at_once;
        const Vtp vtp = written(101, options);
        expect_bodies<float>(vtp, first_bodies(101));
        EXPECT_EQ(vtp.arrays.at("position").type, "Float32");
        EXPECT_EQ(vtp.arrays.at("velocity").type, "Float32");
    }
    const Vtp vtp = written(101, everything(true));
    expect_bodies<double>(vtp, first_bodies(101));
    EXPECT_EQ(vtp.arrays.at("position").type, "Float64");
    EXPECT_EQ(vtp.arrays.at("speed").type, "Float64");
}

TEST_F(VtpFile, SaysWhatItHolds) {
    const Vtp vtp = written(20, everything());
    EXPECT_EQ(vtp.file.at("type"), "PolyData");
    EXPECT_EQ(vtp.file.at("byte_order"), "LittleEndian");
    EXPECT_EQ(vtp.piece.at("NumberOfVerts"), "1");
    EXPECT_EQ(vtp.arrays.at("offsets").whole, std::vector<std::int64_t>{20});
    EXPECT_EQ(vtp.arrays.at("TimeValue").reals, std::vector<double>{0.1});
    EXPECT_EQ(vtp.arrays.at("step").whole, std::vector<std::int64_t>{42});
    EXPECT_EQ(vtp.names_in("FieldData"), (Names{"TimeValue", "step", "velocity_time"}));
    EXPECT_EQ(vtp.arrays.at("velocity_time").reals, std::vector<double>{0.1});
    EXPECT_EQ(vtp.names_in("Points"), Names{"position"});
    Names all = frame_field_names();
    std::erase(all, "position");
    EXPECT_EQ(vtp.names_in("PointData"), all);
    EXPECT_EQ(vtp.arrays.at("velocity").unit, "m/s");
    EXPECT_EQ(vtp.arrays.at("mass").unit, "kg");
    EXPECT_EQ(vtp.arrays.at("id").unit, "");
    EXPECT_EQ(vtp.arrays.at("id").type, "Int64");
    EXPECT_EQ(vtp.arrays.at("material").type, "UInt16");
    EXPECT_EQ(vtp.arrays.at("velocity").components, 3u);
    EXPECT_EQ(vtp.arrays.at("radius").components, 1u);
}

TEST_F(VtpFile, HasTheFieldsAskedForInTheirOrder) {
    FrameOptions options;
    EXPECT_EQ(written(20, options).names_in("PointData"), (Names{"id", "radius", "velocity", "material"}));
    options.fields = {"spin", "position", "id"};
    const Vtp vtp = written(20, options);
    EXPECT_EQ(vtp.names_in("PointData"), (Names{"spin", "id"}));
    EXPECT_EQ(vtp.names_in("Points"), Names{"position"});
    options.fields = {};
    EXPECT_EQ(written(20, options).names_in("PointData"), Names{});
}

TEST_F(VtpFile, KeepsAllBitsOfAnId) {
    Bodies bodies = make(0, world.rank() == 0 ? 1 : 0);
    const Id large = (Id{1} << 62) + 1;
    for (const Range& range : bodies.real) bodies.id(range.begin) = large;
    write_frame(world, in_folder("a.vtp"), bodies, motion(), Axes(), {}, FrameOptions());
    EXPECT_EQ(test::read_vtp(in_folder("a.vtp")).arrays.at("id").whole, std::vector<std::int64_t>{large});
}

TEST_F(VtpFile, IsTheSameForAnyNumberOfRanks) {
    FrameOptions options = everything();
    options.bodies_at_once = 10;
    frame(world, in_folder("all.vtp"), 101, options);
    options.bodies_at_once = 65536;
    const std::string expected = bytes_of_file(in_folder("all.vtp"));
    for (int n_ranks = 1; n_ranks <= world.size(); ++n_ranks) {
        const mpi::communicator some = world.split(world.rank() < n_ranks ? 0 : 1);
        if (world.rank() < n_ranks) frame(some, in_folder("some.vtp"), 101, options);
        world.barrier();
        EXPECT_TRUE(bytes_of_file(in_folder("some.vtp")) == expected) << n_ranks;
        world.barrier();
    }
}

// The same bodies with the slabs along x or y: turned inside, the same frame outside; and the bodies stay turned.
TEST_F(VtpFile, IsInTheAxesOfTheUser) {
    FrameOptions options = everything();
    options.region = {{-0.3, -0.2, -0.1}, {0.1, 0.2, 0.3}};
    frame(world, in_folder("plain.vtp"), 101, options);
    const std::string expected = bytes_of_file(in_folder("plain.vtp"));
    EXPECT_GT(test::read_vtp(in_folder("plain.vtp")).n_points(), 10u);
    for (const int slab_axis : {0, 1}) {
        const Axes axes(slab_axis);
        Bodies bodies = share(world, 101);
        bodies.for_each_column([&]<class View>(const ColumnRow& row, const View& view) {
            if constexpr (View::rank == 2)
                for (Index i = 0; i < bodies.size && row.turns != Turns::no; ++i)
                    axes.turn_in(&view(i, row.turns == Turns::quaternion ? 1 : 0));
        });
        Motion turned = motion();
        turned.gravity = axes.in(turned.gravity);
        const Digest before = digest_of(bodies);
        write_frame(world, in_folder("turned.vtp"), bodies, turned, axes, {0.1, 42}, options);
        EXPECT_TRUE(bytes_of_file(in_folder("turned.vtp")) == expected) << slab_axis;
        EXPECT_EQ(digest_of(bodies), before);
        world.barrier();
    }
}

TEST_F(VtpFile, ShowsARegionOnly) {
    FrameOptions options = everything(true);
    options.region = {{-0.2, -0.25, -0.3}, {0.2, 0.3, 0.25}};
    std::vector<std::uint64_t> inside;
    for (std::uint64_t k = 0; k < 101; ++k) {
        const BodyRecord b = body_of(k);
        if (std::abs(b.position[0]) <= 0.2 && b.position[1] >= -0.25 && b.position[1] <= 0.3 && b.position[2] >= -0.3 &&
            b.position[2] <= 0.25)
            inside.push_back(k);
    }
    ASSERT_GT(inside.size(), 10u);
    ASSERT_LT(inside.size(), 90u);
    expect_bodies<double>(written(101, options), inside);

    const BodyRecord one = body_of(inside[3]);  // a region of one point: its faces belong to it
    const Vec3d point{one.position[0], one.position[1], one.position[2]};
    options.region = {point, point};
    expect_bodies<double>(written(101, options), {inside[3]});
}

TEST_F(VtpFile, ShowsEveryNthById) {
    FrameOptions options = everything(true);
    options.every_nth = 3;
    std::vector<std::uint64_t> shown;
    for (std::uint64_t k = 0; k < 101; ++k)
        if (body_of(k).id % 3 == 0) shown.push_back(k);
    ASSERT_GT(shown.size(), 20u);
    expect_bodies<double>(written(101, options), shown);
    options.region = {{-0.2, -1, -1}, {0.2, 1, 1}};
    std::erase_if(shown, [](std::uint64_t k) { return std::abs(body_of(k).position[0]) > 0.2; });
    options.bodies_at_once = 2;
    expect_bodies<double>(written(101, options), shown);
}

TEST_F(VtpFile, MayBeEmpty) {
    const auto expect_empty = [](const Vtp& vtp) {
        EXPECT_EQ(vtp.n_points(), 0u);
        EXPECT_EQ(vtp.piece.at("NumberOfVerts"), "0");
        EXPECT_EQ(vtp.arrays.at("offsets").size(), 0u);
    };
    expect_empty(written(0, everything()));
    FrameOptions options;
    options.region = {{5, 5, 5}, {6, 6, 6}};
    expect_empty(written(101, options));
    write_frame(world, in_folder("a.vtp"), Bodies(), motion(), Axes(), {}, FrameOptions());
    expect_empty(test::read_vtp(in_folder("a.vtp")));
}

TEST_F(VtpFile, MayHaveFewerBodiesThanRanks) { expect_bodies<float>(written(1, everything()), {0}); }

// More balls than 32 bits count, more bytes than 32 bits address: seen in the layout, which the writing follows.
TEST(VtpLayoutTest, HoldsBillionsOfBalls) {
    const std::uint64_t n = 3'000'000'000;
    FrameOptions options;
    options.fields = {"radius", "id"};
    const VtpLayout layout = vtp_layout(options, n, {});
    ASSERT_EQ(layout.arrays.size(), 4u);
    EXPECT_STREQ(layout.arrays.back().type, "Int64");
    const std::uint64_t data = layout.head.size();
    EXPECT_EQ(layout.rows_at,
              (std::vector<std::uint64_t>{data + 8, data + 12 * n + 16, data + 16 * n + 24, data + 24 * n + 32}));
    EXPECT_EQ(layout.offset_at, data + 32 * n + 40);
    EXPECT_EQ(layout.size, data + 32 * n + 48 + layout.tail.size());
    expect_contains(layout.head, "NumberOfPoints=\"3000000000\"");
    expect_contains(layout.head, "Name=\"id\" NumberOfComponents=\"1\" format=\"appended\" offset=\"48000000016\"");
    EXPECT_STREQ(vtp_layout(options, 2'147'483'647, {}).arrays.back().type, "Int32");
    EXPECT_STREQ(vtp_layout(options, 2'147'483'648, {}).arrays.back().type, "Int64");
}

// ---- What goes wrong: all ranks hear of it in the same words, and the old file stays -------------------------------

TEST_F(VtpFileWriting, NamesTheFieldThatWasMeant) {
    FrameOptions options;
    options.fields = {"id", "veloctiy"};
    EXPECT_EQ(error_of([&] { frame(world, in_folder("a.vtp"), 10, options); }),
              "frames: unknown field \"veloctiy\" (did you mean \"velocity\"?); known fields: id, position, radius, "
              "velocity, spin, "
              "material, force, band, entry_time, orientation, cluster, held, shape, speed, mass, piece_colour");
    EXPECT_FALSE(fs::exists(in_folder("a.vtp.part")));
    options.fields = {"inverse_inertia"};  // in the table, but not for the eye
    expect_contains(error_of([&] { frame(world, in_folder("a.vtp"), 10, options); }),
                    "unknown field \"inverse_inertia\"; known");
}

TEST_F(VtpFileWriting, RefusesOptionsWithoutSense) {
    FrameOptions options;
    options.fields = {"id", "spin", "id"};
    EXPECT_EQ(error_of([&] { frame(world, in_folder("a.vtp"), 10, options); }), "frames: field \"id\" is named twice");
    options = {};
    options.every_nth = 0;
    expect_contains(error_of([&] { frame(world, in_folder("a.vtp"), 10, options); }), "every_nth is 0");
    options = {};
    options.region = {{0, 0.5, 0}, {1, 0.25, 1}};
    EXPECT_EQ(error_of([&] { frame(world, in_folder("a.vtp"), 10, options); }),
              "frames: the region's lower y is 0.5 m, above its upper y, 0.25 m");
}

TEST_F(VtpFileWriting, CannotBeWrittenWhereThereIsNoFolder) {
    if (world.rank() == 0) std::ofstream(in_folder("plain")) << "x";
    world.barrier();
    std::string text = error_of([&] { frame(world, in_folder("missing/a.vtp"), 10, {}); });
    expect_contains(text, "missing/a.vtp.part");
    expect_contains(text, "No such file or directory");
    text = error_of([&] { frame(world, in_folder("plain/a.vtp"), 10, {}); });
    expect_contains(text, "Not a directory");
}

TEST_F(VtpFileWriting, KeepsTheOldFileWhenTheNameCannotBeTaken) {
    const std::string path = in_folder("a.vtp");
    if (world.rank() == 0) fs::create_directories(path + "/inside");
    world.barrier();
    expect_contains(error_of([&] { frame(world, path, 10, {}); }), "cannot rename the finished file");
    EXPECT_TRUE(fs::is_directory(path + "/inside"));
    EXPECT_FALSE(fs::exists(path + ".part"));
}

TEST_F(VtpFileWriting, ReplacesWhatAnEndedRunLeftBehind) {
    const std::string path = in_folder("a.vtp");
    if (world.rank() == 0) std::ofstream(path + ".part") << std::string(1'000'000, 'x');
    world.barrier();
    expect_bodies<float>(written(20, everything()), first_bodies(20));
    EXPECT_FALSE(fs::exists(path + ".part"));
}

class VtpFileFailing : public FrameTest {
  protected:
    void SetUp() override {
        FrameTest::SetUp();
        path = in_folder("a.vtp");
        frame(world, path, 20, {});
        before = bytes_of_file(path);
    }
    // Writes while one rank has a limit; gives the error, sees that nothing else has changed and that it works again.
    std::string error_under(int rank, const std::function<std::unique_ptr<test::Limit>()>& make_limit) {
        world.barrier();
        std::string text;
        {
            std::unique_ptr<test::Limit> limit;
            if (world.rank() == rank) limit = make_limit();
            text = error_of([&] { frame(world, path, 5000, {}); });
        }
        EXPECT_TRUE(bytes_of_file(path) == before);
        EXPECT_FALSE(fs::exists(path + ".part"));
        world.barrier();
        frame(world, in_folder("next.vtp"), 21, {});
        EXPECT_EQ(test::read_vtp(in_folder("next.vtp")).n_points(), 21u);
        return text;
    }
    std::string path, before;
    int last = world.size() - 1;
    std::string on_last_rank = " (on rank " + std::to_string(last) + ")";
};

// A limit on the size of files stands for a full disk: rank 0 fails to reserve the room, before any rank writes rows.
TEST_F(VtpFileFailing, WhenTheDiskIsFull) {
    const std::string text = error_under(0, [] { return test::longest_file(100'000); });
    expect_contains(text, path + ".part: cannot reserve ");
    expect_contains(text, "File too large");
}

// Here the disk is full for the last rank alone, when it writes its rows: at once, or in the middle of a write.
TEST_F(VtpFileFailing, WhenOneRankCannotWriteItsRows) {
    if (last == 0) return;  // rank 0 finds out before, see above
    std::string text = error_under(last, [] { return test::longest_file(10'000); });
    expect_contains(text, path + ".part: cannot write rows: ");
    expect_contains(text, "is the disk full?" + on_last_rank);
    // rows of the points: 12 bytes of each of 5000 bodies, the last rank's at the end
    text = error_under(last, [] { return test::longest_file(60'000); });
    expect_contains(text, path + ".part: cannot write rows: ");
    expect_contains(text, "is the disk full?" + on_last_rank);
}

TEST_F(VtpFileFailing, WhenOneRankCannotOpenIt) {
    std::string text = error_under(last, [] { return test::only_files(0); });
    expect_contains(text, "Too many open files");
    if (last == 0) return;
    expect_contains(text, on_last_rank);
    text = error_under(last, [] { return test::only_files(1); });  // the plain opening works, that of MPI-IO fails
    expect_contains(text, path + ".part: cannot open in parallel");
    expect_contains(text, on_last_rank);
}

}  // namespace
}  // namespace granary
