// Every column of every body over a checkpoint: a run that is taken up again, on another number of ranks and with the
// slabs along any axis, holds the bits of the run that stopped, and goes on as it.
#include <gtest/gtest.h>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <filesystem>
#include <map>
#include "io/state/state_file.hpp"
#include "observe/checkpoint_file.hpp"
#include "support/busy_box.hpp"
#include "support/column_bits.hpp"
#include "support/story.hpp"
#include "engine/measures.hpp"

namespace granary::test {

namespace {

// Everything there is of the real bodies of all ranks, column by column, on every rank.
std::map<std::string, std::string> bits_of(const Simulation& sim) {
    std::map<std::string, std::string> mine, all;
    const Bodies& b = sim.bodies();
    b.for_each_column([&](const ColumnRow& row, const auto& view) {
        // What is made anew at every step is not saved.
        if (row.parts[0].name == nullptr && row.column != Column::cube) return;
        const std::size_t bytes = static_cast<std::size_t>(row.width) * sizeof(*view.data());
        for (const Range& range : b.real)
            for (Index i = range.begin; i < range.end; ++i)
                mine[row.name + std::string(" of ") + std::to_string(b.id(i))] = std::string(
                    reinterpret_cast<const char*>(view.data()) + bytes * i,
                    row.column == Column::force || row.column == Column::torque ? 24  // the fourth is unused
                                                                                : bytes);
    });
    std::vector<std::map<std::string, std::string>> of_ranks;
    boost::mpi::all_gather(sim.comm(), mine, of_ranks);
    for (auto& part : of_ranks) all.merge(part);
    return all;
}

Setup all_columns(int slab_axis, Integrator integrator) {
    Setup s = busy_box();
    s.axes = Axes(slab_axis);  // for what is written: inside, the slabs are always along z
    s.integrator = integrator;
    s.bands = s.entry_times = true;
    return s;
}

std::string common_folder() {
    std::string folder =
        (std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path().string()) +
        std::string("/granary-every-column-") + std::to_string(::getpid());
    boost::mpi::broadcast(boost::mpi::communicator(), folder, 0);
    return folder;
}

}  // namespace

TEST(EveryColumn, IsThereAfterACheckpoint) {
    const boost::mpi::communicator world;
    const std::string folder = common_folder(), file = folder + "/a.h5";
    for (const int slab_axis : {0, 1, 2})
        for (const Integrator integrator : {Integrator::verlet, Integrator::gear}) {
            SCOPED_TRACE(testing::Message()
                         << "slab axis " << slab_axis << ", gear " << (integrator == Integrator::gear));
            Simulation sim(world, all_columns(slab_axis, integrator));
            set_bands(sim, [](const Vec3d& x) { return static_cast<std::uint16_t>(x.z * 100); });
            for (int k = 0; k < 700; ++k) sim.step();
            write_checkpoint(file, sim, "", sim.save());
            const auto saved = bits_of(sim);
            ASSERT_GT(saved.size(), 9u * 300u);

            for (int n_ranks = 1; n_ranks <= world.size(); ++n_ranks) {
                const boost::mpi::communicator some = world.split(world.rank() < n_ranks ? 0 : 1);
                if (world.rank() < n_ranks) {
                    Simulation again(some, all_columns(slab_axis, integrator), OpenState(some, file));
                    std::string differ;
                    for (const auto& [name, bits] : bits_of(again))
                        if (const auto at = saved.find(name); at == saved.end() || at->second != bits) differ = name;
                    EXPECT_EQ(differ, "") << n_ranks << " ranks";
                    EXPECT_EQ(bits_of(again).size(), saved.size());
                }
                world.barrier();
            }
            Simulation again(world, all_columns(slab_axis, integrator), OpenState(world, file));
            for (int k = 0; k < 150; ++k) sim.step(), again.step();
            EXPECT_EQ(digest_of(again).hex(), digest_of(sim).hex());
            world.barrier();
        }
    if (world.rank() == 0) std::filesystem::remove_all(folder);
}

}  // namespace granary::test
