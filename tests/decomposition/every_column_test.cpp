// Every column, filled with bits of its own, on its way through migration, sort, periodic images and halo. What must
// arrive where is what the table of columns says; a path that forgets a column fails here by the column's name.
#include <gtest/gtest.h>
#include <set>
#include "../search/scenes.hpp"
#include "cuts.hpp"
#include "decomposition/halo.hpp"
#include "decomposition/migrate.hpp"
#include "search/mr_sort_munjiza2006.hpp"
#include "search/periodic_images.hpp"
#include "support/column_bits.hpp"

namespace granary::test {

namespace {

struct Layers {
    Index lowest = 0, highest = 0;
};

Layers sizes(std::span<const PeriodicImages::Place> places, const RoomVector<Cube>& new_cube, const Slabs& slabs,
             int me) {
    Layers n;
    for (const auto& p : places) {
        n.lowest += digit(new_cube[p.old_index()], 2) == slabs.first(me);
        n.highest += digit(new_cube[p.old_index()], 2) == slabs.end(me) - 1;
    }
    return n;
}

}  // namespace

TEST(EveryColumn, GoesThroughMigrationSortImagesAndHalo) {
    const boost::mpi::communicator world;
    const int me = world.rank();
    std::set<std::string> lost;  // looked at in the end: no rank may leave while others wait for it
    const auto note = [&](const std::string& path, const std::string& columns) {
        if (!columns.empty()) lost.insert(path + " loses " + columns);
    };
    for (const bool periodic_z : {false, true})
        for (const auto& to : cuts_of(7, world.size())) {
            const Cubes cubes = cubes_of({4, 4, 7}, {true, true, periodic_z});
            const auto balls = scene("random", cubes, 91, 300);
            const Slabs from(cuts_of(7, world.size())[0], periodic_z), slabs(to, periodic_z);
            Arranged a = arrange(balls, cubes, from.first(me), from.end(me));
            Bodies& b = a.bodies;
            add_all_columns(b);
            ContactHistory history;
            history.start(b.size);
            RoomVector<Cube> new_cube(b.size, no_cube);
            for (Index i = 0; i < b.size; ++i) {
                fill_columns(b, i, a.copies[i].real ? 1 : 99);  // of images and ghosts nothing may survive
                if (a.copies[i].real) new_cube[i] = cubes.of(b.x(i));
            }

            const Range newcomers = migrate(world, slabs, b, b.real, new_cube, history);
            const auto travels = [](const ColumnRow& row) { return row.travels >= Travels::on_migration; };
            for (Index i = newcomers.begin; i < newcomers.end; ++i) note("migration", columns_lost(b, i, 1, travels));

            RoomVector<Index> order;
            mr_sort({b.cube.data(), new_cube.data(), b.id.data(), b.real, newcomers}, order);
            PeriodicImages images;
            RoomVector<PeriodicImages::Place> places;
            images.weave(cubes, order, new_cube.data(), places);
            const Layers layers = sizes(places, new_cube, slabs, me);
            const Halo::Counts ghosts = Halo::count(world, slabs, layers.lowest, layers.highest);
            const Index n = static_cast<Index>(places.size()), size = ghosts.below + n + ghosts.above;
            b.reserve(size + 4);
            PeriodicImages::take_new_order(b, cubes, places, new_cube.data(), ghosts.below);
            b.size = size, b.owned = {ghosts.below, ghosts.below + n};
            images.place(cubes, places, ghosts.below, new_cube.size(), b);
            const auto moves = [](const ColumnRow& row) { return row.at_sort == AtSort::moves; };
            for (Index i = b.owned.begin; i < b.owned.end; ++i) note("sort", columns_lost(b, i, 1, moves));

            Halo halo;
            halo.create(world, slabs, cubes, b, {b.owned.begin, b.owned.begin + layers.lowest},
                        {b.owned.end - layers.highest, b.owned.end});
            const auto with_ghost = [](const ColumnRow& row) { return row.travels >= Travels::on_ghost_creation; };
            for (Index i = 0; i < b.size; ++i) note("ghosts", columns_lost(b, i, 1, with_ghost));

            // A step later: what travels at every step is new at the bodies, and then at their images and ghosts.
            for (const Range& range : b.real)
                for (Index i = range.begin; i < range.end; ++i) fill_columns(b, i, 2);
            images.refresh(b, b.owned);
            halo.start();
            halo.finish(b);
            const auto each_step = [](const ColumnRow& row) { return row.travels == Travels::every_step; };
            for (Index i = 0; i < b.size; ++i) note("refresh", columns_lost(b, i, 2, each_step));
        }
    EXPECT_EQ(lost, std::set<std::string>());
}

}  // namespace granary::test
