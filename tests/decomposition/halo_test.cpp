// Ghosts against what each rank must hold, arranged by brute force from a list of all balls that every rank has.
#include "decomposition/halo.hpp"
#include <gtest/gtest.h>
#include <boost/mpi/collectives.hpp>
#include <functional>
#include "../search/scenes.hpp"
#include "cuts.hpp"

namespace granary::test {

namespace {

Index layer_size(const Arranged& a, int layer) {
    Index n = 0;
    for (const Copy& c : a.copies) n += digit(c.cube, 2) == layer;
    return n;
}

// The owned part of what the rank will hold, with room for ghosts that hold nonsense.
Bodies without_ghosts(const Arranged& truth, Halo::Counts ghosts) {
    Bodies b;
    const Bodies& t = truth.bodies;
    const Index n = t.owned.size(), size = ghosts.below + n + ghosts.above;
    b.reserve(size + 4);
    b.size = size;
    b.owned = {ghosts.below, ghosts.below + n};
    b.for_each_column(
        [&](const ColumnRow&, auto& view) { std::memset(view.data(), 0xab, view.size() * sizeof(*view.data())); });
    const auto take = [&](auto& to, const auto& from) {
        const std::size_t width = to.stride(0);
        std::copy_n(from.data() + width * t.owned.begin, width * n, to.data() + width * b.owned.begin);
    };
    take(b.position, t.position), take(b.velocity, t.velocity), take(b.spin, t.spin);
    take(b.id, t.id), take(b.material, t.material), take(b.cube, t.cube);
    return b;
}

void expect_refreshed(const Bodies& mine, const Bodies& truth) {
    for (Index i = 0; i < mine.size; ++i) {
        EXPECT_TRUE(same_bits(mine.position, i, truth.position, i)) << "place " << i;
        EXPECT_TRUE(same_bits(mine.velocity, i, truth.velocity, i)) << "place " << i;
        EXPECT_TRUE(same_bits(mine.spin, i, truth.spin, i)) << "place " << i;
    }
}

void expect_created(const Bodies& mine, const Bodies& truth) {
    expect_refreshed(mine, truth);
    for (Index i = 0; i < mine.size; ++i) {
        EXPECT_EQ(mine.id(i), truth.id(i));
        EXPECT_EQ(mine.material(i), truth.material(i));
        EXPECT_EQ(mine.cube(i), truth.cube(i));
    }
}

void stir(std::vector<NewBody>& balls, const Cubes& cubes, Dice& dice) {
    const PositionLattice lattice(cubes.domain());
    for (NewBody& b : balls) {
        b.position = lattice.snap(b.position + dice.vector(0.05));
        b.velocity = dice.vector(1), b.spin = dice.vector(1);
    }
}

// Made, and refreshed a few times while the balls move on.
void expect_ghosts(const Cubes& cubes, std::vector<NewBody> balls, const std::vector<int>& cuts, Halo& halo) {
    const boost::mpi::communicator world;
    const int me = world.rank();
    const Slabs slabs(cuts, cubes.domain().periodic[2]);
    Dice dice(5);
    for (NewBody& b : balls) {
        b.velocity = dice.vector(1), b.spin = dice.vector(1), b.mass = dice.uniform(1, 2);
        b.material = static_cast<std::uint16_t>(dice.below(5));
    }
    Arranged truth = arrange(balls, cubes, slabs.first(me), slabs.end(me));
    const bool empty = slabs.empty(me);
    const Index lowest = empty ? 0 : layer_size(truth, slabs.first(me)),
                highest = empty ? 0 : layer_size(truth, slabs.end(me) - 1);
    const Halo::Counts ghosts = Halo::count(world, slabs, lowest, highest);
    EXPECT_EQ(ghosts.below, truth.bodies.owned.begin);
    EXPECT_EQ(ghosts.above, truth.bodies.size - truth.bodies.owned.end);
    Bodies mine = without_ghosts(truth, ghosts);
    halo.create(world, slabs, cubes, mine, {mine.owned.begin, mine.owned.begin + lowest},
                {mine.owned.end - highest, mine.owned.end});
    // All ranks go home, or none does.
    const bool sizes_agree = mine.owned == truth.bodies.owned && mine.size == truth.bodies.size;
    if (!boost::mpi::all_reduce(world, sizes_agree, std::logical_and<bool>())) return;
    expect_created(mine, truth.bodies);

    for (int step = 0; step < 3; ++step) {
        stir(balls, cubes, dice);
        for (Index i = 0; i < truth.bodies.size; ++i) {  // order and cubes stay those of the last sort
            NewBody b = balls[truth.copies[i].ball];
            b.position += truth.copies[i].shift;
            truth.bodies.put(i, b);
            if (mine.owned.contains(i)) mine.put(i, b);
        }
        halo.start();
        halo.finish(mine);
        expect_refreshed(mine, truth.bodies);
    }
}

}  // namespace

TEST(Halo, GhostsHaveTheBitsOfTheirOwners) {
    const int ranks = boost::mpi::communicator().size();
    Halo halo;  // one for all: what a new plan replaces must leave no trace
    for (const std::array<bool, 3> periodic : {std::array{false, false, false}, std::array{false, false, true},
                                               std::array{true, true, false}, std::array{true, true, true}})
        for (const std::array<int, 3> n : {std::array{4, 3, 7}, std::array{3, 3, 3}})
            for (const auto& cuts : cuts_of(n[2], ranks)) {
                const Cubes cubes = cubes_of(n, periodic);
                std::string text = periodic[2] ? "periodic z, cuts" : "cuts";
                for (const int c : cuts) text += ' ', text += std::to_string(c);
                SCOPED_TRACE(text);
                for (const std::string name : {"random", "on faces", "one ball", "empty"})
                    expect_ghosts(cubes, scene(name, cubes, 61, 200), cuts, halo);
            }
}

// Long messages do not fit into the buffers of the message library; a rank sends them to itself, too.
TEST(Halo, LongMessages) {
    Halo halo;
    const Cubes cubes = cubes_of({12, 12, 3}, {true, true, true});
    for (const auto& cuts : cuts_of(3, boost::mpi::communicator().size()))
        expect_ghosts(cubes, scene("random", cubes, 67, 4000), cuts, halo);
}

// Which columns travel is what the table of columns says: forces and references stay at home.
TEST(Halo, OtherColumnsAreLeftAlone) {
    const boost::mpi::communicator world;
    const Cubes cubes = cubes_of({3, 3, 6}, {true, true, true});
    const Slabs slabs(cuts_of(6, world.size())[0], true);
    const int me = world.rank();
    const Arranged truth = arrange(scene("random", cubes, 71, 200), cubes, slabs.first(me), slabs.end(me));
    const Index lowest = layer_size(truth, slabs.first(me)), highest = layer_size(truth, slabs.end(me) - 1);
    Bodies mine = without_ghosts(truth, Halo::count(world, slabs, lowest, highest));
    for (Index i = 0; i < mine.size; ++i) mine.force(i, 0) = mine.torque(i, 1) = mine.reference(i, 2) = me + 1000.0 * i;
    Halo halo;
    halo.create(world, slabs, cubes, mine, {mine.owned.begin, mine.owned.begin + lowest},
                {mine.owned.end - highest, mine.owned.end});
    halo.start();
    halo.finish(mine);
    for (Index i = 0; i < mine.size; ++i) {
        EXPECT_EQ(mine.force(i, 0), me + 1000.0 * i);
        EXPECT_EQ(mine.torque(i, 1), me + 1000.0 * i);
        EXPECT_EQ(mine.reference(i, 2), me + 1000.0 * i);
    }
}

}  // namespace granary::test
