// The first bodies, made in shares: each once, with the same id, on any number of ranks; and what is wrong with them is
// told alike.
#include <gtest/gtest.h>
#include <unistd.h>
#include <algorithm>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include "engine/start_shares.hpp"
#include "plan/plan.hpp"
#include "support/message_of.hpp"
#include "support/story.hpp"

namespace granary::start_shares_test {

using namespace granary::test;

namespace {

const char* const case_text = R"(
gravity = [0.0, 0.0, -9.81]

[run]
dt = "auto"
seed = 3

[domain]
lower = [0.0, 0.0, -0.005]
upper = [0.08, 0.08, 0.2]
periodic = ["x"]

[[materials]]
name = "grain"
density = 2500.0
young = 5e6
poisson = 0.3
restitution = 0.6
friction = 0.5

[[walls]]
name = "floor"
type = "plane"
material = "grain"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]

[[bodies]]
source = "lattice"
material = "grain"
lower = [0.0, 0.0, 0.001]
upper = [0.08, 0.08, 0.05]
spacing = 0.004
jitter = 1.0
radius_min = 0.0012
radius_max = 0.0018

[[bodies]]
source = "file"
file = "FILE"
material = "grain"
spin = [1.0, 2.0, 3.0]

[[bodies]]
source = "ball"
material = "grain"
position = [0.04, 0.04, 0.15]
radius = 0.002

[[bodies]]
source = "random"
material = "grain"
lower = [0.0, 0.0, 0.1]
upper = [0.08, 0.08, 0.14]
count = 500
radius = 0.0018

[[stages]]
type = "run"
time = 0.002
)";

// A file that all ranks of the world see; the first one makes it and removes it.
class SharedFile {
  public:
    explicit SharedFile(const std::string& text) {
        static int number = 0;
        path_ = (std::filesystem::temp_directory_path() /
                 ("granary_shares_" + std::to_string(::getpid()) + "_" + std::to_string(number++)))
                    .string();
        boost::mpi::broadcast(world_, path_, 0);
        if (world_.rank() == 0) std::ofstream(path_) << text;
        world_.barrier();
    }
    ~SharedFile() {
        world_.barrier();
        if (world_.rank() == 0) std::filesystem::remove(path_);
    }
    const std::string& path() const { return path_; }

  private:
    boost::mpi::communicator world_;
    std::string path_;
};

std::string file_of_balls() {
    std::string text = "# a block\nx y z r wz\n";
    for (int k = 0; k < 18 * 18 * 10; ++k) {
        if (k % 50 == 0) text += "\n# row\n";
        text += std::to_string(0.003 + 0.00399 * (k % 18)) + ", " + std::to_string(0.003 + 0.00399 * (k / 18 % 18)) +
                ", " + std::to_string(0.055 + 0.00399 * (k / 324)) + ", 0.002, " + std::to_string(k) + "\n";
    }
    return text;
}

Plan plan_of(const boost::mpi::communicator& comm, const std::string& file) {
    std::string text = case_text;
    text.replace(text.find("FILE"), 4, file);
    return make_plan(comm, read_case(text, "test.toml"), CasePlaces(text, "test.toml"));
}

}  // namespace

TEST(StartShares, EachSiteIsMadeOnce) {
    for (const std::uint64_t n : {0u, 1u, 5u, 16384u, 100001u})
        for (const int ranks : rank_counts()) {
            const std::vector<std::uint64_t> seen = on_ranks(ranks, [&](const boost::mpi::communicator& comm) {
                std::vector<std::uint64_t> times(n + 1, 0), all(n + 1);  // the last one: slices
                std::uint64_t slices = 0;
                const StartShares shares =
                    shares_of_sites(n, [](std::uint64_t first, std::uint64_t end, const BodySink& sink) {
                        for (std::uint64_t k = first; k < end; ++k)
                            if (NewBody b; k % 3 != 1) b.id = k, sink(b);
                    });
                shares.for_bodies(comm, [&](std::span<const NewBody> slice) {
                    EXPECT_LE(slice.size(), 16384u);
                    for (const NewBody& b : slice) ++times[b.id];
                    ++slices;
                });
                boost::mpi::all_reduce(comm, times.data(), static_cast<int>(times.size()), all.data(),
                                       std::plus<std::uint64_t>());
                const auto most = boost::mpi::all_reduce(comm, slices, boost::mpi::maximum<std::uint64_t>());
                EXPECT_EQ(slices, most);  // a slice is a moment of all ranks
                return all;
            });
            for (std::uint64_t k = 0; k < n; ++k) ASSERT_EQ(seen[k], k % 3 != 1 ? 1u : 0u) << k << " of " << n;
        }
}

// All sources together, from the case on: the same plan, and the same run.
TEST(StartShares, OfAllSourcesMakeTheSameRun) {
    const SharedFile file(file_of_balls());
    std::vector<std::vector<double>> plans;
    std::vector<Story> stories;
    for (const int n : rank_counts()) {
        plans.push_back(on_ranks(n, [&](const boost::mpi::communicator& comm) {
            const Plan p = plan_of(comm, file.path());
            return std::vector<double>{static_cast<double>(p.report.balls.count),
                                       p.report.balls.mass,
                                       p.setup.dt,
                                       p.setup.skin,
                                       p.setup.largest_radius,
                                       p.report.speed};
        }));
        stories.push_back(on_ranks(n, [&](const boost::mpi::communicator& comm) {
            return run_story(comm, plan_of(comm, file.path()).setup, 100);
        }));
        EXPECT_EQ(plans.back(), plans.front());  // the same bits, sums too
        expect_same(stories.back(), stories.front());
    }
    EXPECT_EQ(plans.front()[0], 20 * 20 * 12 + 3240 + 1 + 500);
    EXPECT_GT(stories.front().contacts, 0u);
}

// Ids follow the case and the lines, whoever reads them.
TEST(StartShares, IdsFollowTheLines) {
    const SharedFile file(file_of_balls());
    const boost::mpi::communicator world;
    const Plan plan = plan_of(world, file.path());
    std::uint64_t wrong = 0, n = 0;
    plan.setup.start.for_bodies(world, [&](std::span<const NewBody> slice) {
        for (const NewBody& b : slice) {
            if (b.spin.x == 0) continue;  // not of the file
            ++n;
            if (b.spin != Vec3d{1, 2, static_cast<double>(b.id - 20 * 20 * 12)}) ++wrong;
        }
    });
    EXPECT_EQ(boost::mpi::all_reduce(world, wrong, std::plus<std::uint64_t>()), 0u);
    EXPECT_EQ(boost::mpi::all_reduce(world, n, std::plus<std::uint64_t>()), 3240u);
    const auto most = boost::mpi::all_reduce(world, n, boost::mpi::maximum<std::uint64_t>());
    EXPECT_LE(most, 1.1 * 3240 / world.size() + 2);  // by bytes, so about equally many
}

TEST(StartShares, WrongLinesAreToldWithTheirNumbersOnAllRanks) {
    const boost::mpi::communicator world;
    const auto told = [&](const std::string& text) {
        const SharedFile file(text);
        return message_of<InputError>([&] { plan_of(world, file.path()); });
    };
    std::string text = file_of_balls();
    EXPECT_EQ(message_of<InputError>([&] { plan_of(world, "/no/such.txt"); }).find("test.toml:40:8: /no/such.txt: "),
              0u);
    const std::size_t at = text.find("\n", 3 * text.size() / 4) + 1;
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
    text.insert(at, "1 2 3 4\n");
    text += "1 2 x 4 5\n";  // of two, the first
    const std::string what = told(text), wanted = ":" + std::to_string(line) +
                                                  ": expected 5 entries, one for each name in line 2, found 4";
    EXPECT_EQ(what.find("test.toml:40:8: "), 0u) << what;
    EXPECT_NE(what.find(wanted), std::string::npos) << what;
    EXPECT_NE(told("# nothing\n").find("contains no ball; expected lines `x y z r` in m"), std::string::npos);
}

}  // namespace granary::start_shares_test
