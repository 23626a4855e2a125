// Every saved field of a made-up state, written in the user's axes and read back: bit for bit, with the slabs along any
// axis.
#include <gtest/gtest.h>
#include "decomposition/digest_over_ranks.hpp"
#include "support/column_bits.hpp"
#include "support/state_samples.hpp"

namespace granary::samples {

TEST(EveryColumn, IsInTheStateFile) {
    const mpi::communicator world;
    std::string path = (fs::temp_directory_path() / ("granary-columns-" + std::to_string(::getpid()) + ".h5")).string();
    mpi::broadcast(world, path, 0);
    for (const int slab_axis : {0, 1, 2}) {
        const Axes axes(slab_axis);
        const std::uint64_t n = 40, first = n * static_cast<std::uint64_t>(world.rank());
        const Bodies bodies = make(first, n);
        for (Index i = 0; i < bodies.size; ++i) test::fill_columns(bodies, i, 3);
        const ContactRecord contact{first, rolling_spring(wall_partner(2, 77)), {1, 2, 3}};
        write_state(world, path, StateHeader{}, bodies, {&contact, 1}, axes);

        const StateData data = read_state(world, path);
        ASSERT_EQ(data.bodies.size(), n);
        std::vector<Index> real;
        for (const Range& range : bodies.real)
            for (Index i = range.begin; i < range.end; ++i) real.push_back(i);
        std::vector<BodyRecord> found = data.bodies;
        for (BodyRecord& b : found) axes.turn_in(b);
        for (const FieldRow& field : fields) {
            if (!field.is(field::saved)) continue;
            const auto strip = strip_of(found, field);
            const auto live = strip_of(bodies, field);
            bool same = true;
            for (std::size_t k = 0; k < n; ++k) same &= std::memcmp(strip[k], live[real[k]], field.bytes()) == 0;
            EXPECT_TRUE(same) << field.name << ", slab axis " << slab_axis;
        }
        ASSERT_EQ(data.contacts.size(), 1u);
        EXPECT_EQ(data.contacts[0].body, contact.body);
        EXPECT_EQ(data.contacts[0].partner, contact.partner);
        const Vec3d xi = axes.out(Vec3d{1, 2, 3});
        EXPECT_EQ((Vec3d{data.contacts[0].xi[0], data.contacts[0].xi[1], data.contacts[0].xi[2]}), xi);
        EXPECT_EQ(digest_of_file(path).hex(),
                  over_ranks(world, digest_sum(bodies, {&contact, 1}, axes)).digest().hex());
        world.barrier();
    }
    if (world.rank() == 0) fs::remove(path);
}

}  // namespace granary::samples
