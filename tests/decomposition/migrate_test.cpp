#include "decomposition/migrate.hpp"
#include <gtest/gtest.h>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>
#include <map>
#include <set>
#include "../search/scenes.hpp"
#include "cuts.hpp"
#include "search/mr_sort_munjiza2006.hpp"

namespace granary::test {

namespace {

// The springs of a body: none to five, told by its id alone.
std::vector<ContactHistory::Entry> springs_of(Id id) {
    std::vector<ContactHistory::Entry> springs;
    for (Id k = 0; k < id % 6; ++k) {
        const double x = static_cast<double>(id % 1001) / 7;
        springs.push_back({k == 3 ? wall_partner(2) : Partner(id + k), {x, -x * static_cast<double>(k), 1 / (x + 1)}});
    }
    return springs;
}

bool same(std::span<const ContactHistory::Entry> a, const std::vector<ContactHistory::Entry>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t k = 0; k < b.size(); ++k)
        if (a[k].partner != b[k].partner || !std::equal(a[k].xi, a[k].xi + 3, b[k].xi)) return false;
    return true;
}

struct Plan {
    std::vector<int> from, to;           // cuts before and after
    std::vector<NewBody> before, after;  // the same balls; gone if after has no such id
};

// Runs the plan and looks at everything that the header promises. Returns the ways (from rank, to rank) that were
// taken.
std::set<std::pair<int, int>> expect_migrated(const Cubes& cubes, const Plan& plan, Reach reach = Reach::all) {
    const boost::mpi::communicator world;
    const int me = world.rank();
    const Slabs old_slabs(plan.from, cubes.domain().periodic[2]), slabs(plan.to, cubes.domain().periodic[2]);
    std::map<Id, const NewBody*> target;
    for (const NewBody& b : plan.after) target[b.id] = &b;

    // As at a rebuild: ghosts and images of the last sort among the bodies, real ones moved.
    Arranged a = arrange(plan.before, cubes, old_slabs.first(me), old_slabs.end(me));
    Bodies& bodies = a.bodies;
    RoomVector<Cube> new_cube(bodies.size, no_cube);
    ContactHistory history;
    for (Index i = 0; i < bodies.size; ++i) {
        history.append(a.copies[i].real ? springs_of(bodies.id(i)) : std::vector<ContactHistory::Entry>{});
        const auto there = target.find(bodies.id(i));
        if (!a.copies[i].real || there == target.end()) continue;
        const Cube at_sort = bodies.cube(i);
        bodies.put(i, *there->second);
        bodies.cube(i) = at_sort;
        new_cube[i] = cubes.of(there->second->position);
    }
    const RoomVector<Cube> wanted_cube = new_cube;
    const Index n_before = bodies.size;

    const Range immigrants = migrate(world, slabs, bodies, bodies.real, new_cube, history, reach);
    EXPECT_EQ(immigrants, (Range{n_before, bodies.size}));
    EXPECT_EQ(new_cube.size(), bodies.size);
    EXPECT_EQ(history.n_places(), bodies.size);
    EXPECT_LE(bodies.size, bodies.capacity());

    std::set<std::pair<int, int>> ways;
    for (Index i = 0; i < n_before; ++i) {  // who stayed is untouched, who left has no cube
        if (wanted_cube[i] == no_cube) {
            EXPECT_EQ(new_cube[i], no_cube);
            continue;
        }
        const int owner = slabs.owner(digit(wanted_cube[i], 2));
        EXPECT_EQ(new_cube[i], owner == me ? wanted_cube[i] : no_cube);
        if (owner != me) ways.insert({me, owner});
    }
    std::vector<Id> mine;
    for (Index i = 0; i < bodies.size; ++i) {
        if (new_cube[i] == no_cube) continue;
        mine.push_back(bodies.id(i));
        EXPECT_EQ(slabs.owner(digit(new_cube[i], 2)), me);
        const NewBody& b = *target.at(bodies.id(i));
        Bodies one;
        one.reserve(1);
        one.put(0, b);
        EXPECT_TRUE(same_bits(bodies.position, i, one.position, 0));
        EXPECT_TRUE(same_bits(bodies.velocity, i, one.velocity, 0));
        EXPECT_TRUE(same_bits(bodies.spin, i, one.spin, 0));
        EXPECT_EQ(bodies.material(i), b.material);
        EXPECT_EQ(new_cube[i], cubes.of(b.position));
        EXPECT_TRUE(same(history.of(i), springs_of(b.id))) << "ball " << b.id;
    }

    // Every ball has one owner.
    std::vector<std::vector<Id>> of_rank;
    boost::mpi::all_gather(world, mine, of_rank);
    std::vector<Id> all, wanted;
    for (const auto& ids : of_rank) all.insert(all.end(), ids.begin(), ids.end());
    for (const auto& [id, b] : target) wanted.push_back(id);
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, wanted);

    // And the sort that follows makes the one order of them.
    RoomVector<Index> order;
    mr_sort({bodies.cube.data(), new_cube.data(), bodies.id.data(), bodies.real, immigrants}, order);
    const Arranged truth = arrange(plan.after, cubes, slabs.first(me), slabs.end(me));
    std::vector<Id> ordered, wanted_order;
    for (const Index i : order) ordered.push_back(bodies.id(i));
    for (Index i = 0; i < truth.bodies.size; ++i)
        if (truth.copies[i].real) wanted_order.push_back(truth.bodies.id(i));
    EXPECT_EQ(ordered, wanted_order);

    std::vector<std::vector<std::pair<int, int>>> all_ways;
    boost::mpi::all_gather(world, std::vector(ways.begin(), ways.end()), all_ways);
    for (const auto& w : all_ways) ways.insert(w.begin(), w.end());
    return ways;
}

std::vector<NewBody> some_balls(const Cubes& cubes, int n) {
    Dice dice(3);
    auto balls = scene("random", cubes, 81, n);
    for (NewBody& b : balls) {
        b.mass = dice.uniform(1, 2), b.inertia = dice.uniform(1, 2), b.spin = dice.vector(1),
        b.velocity = dice.vector(1);
        b.material = static_cast<std::uint16_t>(dice.below(60000));
    }
    return balls;
}

enum class Moves { none, calm, wild };

std::vector<NewBody> moved(std::vector<NewBody> balls, const Cubes& cubes, Moves moves) {
    Dice dice(4);
    const Domain& d = cubes.domain();
    const PositionLattice lattice(d);
    for (NewBody& b : balls) {
        if (moves == Moves::none) break;
        const Vec3d to = moves == Moves::wild ? dice.within(d.lower, d.upper) : b.position + dice.vector(0.6);
        if (inside(d, lattice.snap(to))) b.position = lattice.snap(to);
        b.velocity = dice.vector(1);
    }
    return balls;
}

}  // namespace

TEST(Migrate, EveryBallIsOwnedOnceAndTakesItsHistoryAlong) {
    const int ranks = boost::mpi::communicator().size();
    for (const bool periodic : {false, true})
        for (const int layers : {7, 3}) {
            const Cubes cubes = cubes_of({4, 3, layers}, {periodic, false, periodic});
            const auto balls = some_balls(cubes, 200);
            const auto cuts = cuts_of(layers, ranks);
            for (const auto& from : cuts)
                for (const auto& to : cuts)
                    for (const Moves moves : {Moves::none, Moves::calm, Moves::wild}) {
                        const auto ways = expect_migrated(cubes, {from, to, balls, moved(balls, cubes, moves)});
                        if (from == to && moves == Moves::none) {
                            EXPECT_TRUE(ways.empty());
                        }
                    }
        }
}

// Balls that move by less than a layer, over the periodic face too: one message to each neighbour does it.
TEST(Migrate, BetweenNeighbours) {
    const int ranks = boost::mpi::communicator().size();
    for (const bool periodic : {false, true})
        for (const int layers : {7, 3}) {
            const Cubes cubes = cubes_of({4, 3, layers}, {true, false, periodic});
            const Domain& d = cubes.domain();
            const PositionLattice lattice(d);
            const auto balls = some_balls(cubes, 200);
            auto after = balls;
            Dice dice(14);
            for (NewBody& b : after) {
                const double z = b.position.z + 0.9 * dice.uniform(-1, 1) * cubes.edge.z;
                const double period = d.upper.z - d.lower.z;
                const double to = z < d.lower.z ? z + period : z >= d.upper.z ? z - period : z;
                if (to == z || periodic) b.position.z = lattice.snap(to);
            }
            for (const auto& cuts : cuts_of(layers, ranks)) {
                const auto ways = expect_migrated(cubes, {cuts, cuts, balls, after}, Reach::neighbours);
                EXPECT_EQ(ways, expect_migrated(cubes, {cuts, cuts, balls, after}, Reach::all));
                if (cuts == cuts_of(layers, ranks)[0] && ranks > 1 && ranks <= layers) {
                    EXPECT_GE(ways.size(), static_cast<std::size_t>(2 * (ranks - 1)));
                }
            }
        }
}

TEST(Migrate, FromAnyRankToAnyOther) {
    const int ranks = boost::mpi::communicator().size();
    const Cubes cubes = cubes_of({3, 3, 8}, {});
    const auto balls = some_balls(cubes, 600);
    const std::vector<int> even = cuts_of(8, ranks)[0];
    const auto ways = expect_migrated(cubes, {even, even, balls, moved(balls, cubes, Moves::wild)});
    EXPECT_EQ(ways.size(), static_cast<std::size_t>(ranks * (ranks - 1)));
}

TEST(Migrate, WhoHasLeftIsTakenNowhere) {
    const int ranks = boost::mpi::communicator().size();
    const Cubes cubes = cubes_of({3, 3, 8}, {true, true, false});
    const auto balls = some_balls(cubes, 300);
    for (const auto& to : cuts_of(8, ranks)) {
        auto after = moved(balls, cubes, Moves::wild);
        Dice dice(9);
        std::erase_if(after, [&](const NewBody&) { return dice.one_in(3); });
        expect_migrated(cubes, {cuts_of(8, ranks)[0], to, balls, after});
        expect_migrated(cubes, {cuts_of(8, ranks)[0], to, balls, {}});
    }
}

TEST(Migrate, NobodyAtAll) {
    const Cubes cubes = cubes_of({3, 3, 3}, {});
    for (const auto& cuts : cuts_of(3, boost::mpi::communicator().size())) expect_migrated(cubes, {cuts, cuts, {}, {}});
}

}  // namespace granary::test
