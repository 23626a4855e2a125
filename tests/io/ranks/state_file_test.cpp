// Runs on any number of ranks; the build starts it with 1, 2, 3, 4 and 7.
#include "io/state/state_file.hpp"
#include <gtest/gtest.h>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>
#include "io/state/hdf5.hpp"
#include "support/state_samples.hpp"
#include "decomposition/digest_over_ranks.hpp"

namespace granary {
namespace {

using namespace samples;
using StateFile = StateFileTest;

TEST_F(StateFile, KeepsEveryBit) {
    const std::uint64_t n = 101, n_contacts = 57;
    write(world, in_folder("a.h5"), n, n_contacts);
    const StateData data = read_state(world, in_folder("a.h5"));
    EXPECT_EQ(data.n_bodies, n);
    EXPECT_EQ(data.n_contacts, n_contacts);

    std::uint64_t first = mpi::scan(world, data.bodies.size(), std::plus<std::uint64_t>()) - data.bodies.size();
    EXPECT_LE(data.bodies.size(), n / world.size() + 1);
    EXPECT_GE(data.bodies.size(), n / world.size());
    EXPECT_EQ(mpi::all_reduce(world, data.bodies.size(), std::plus<std::uint64_t>()), n);
    for (std::size_t k = 0; k < data.bodies.size(); ++k)
        EXPECT_TRUE(same_bits(data.bodies[k], body_of(first + k))) << first + k;

    first = mpi::scan(world, data.contacts.size(), std::plus<std::uint64_t>()) - data.contacts.size();
    EXPECT_EQ(mpi::all_reduce(world, data.contacts.size(), std::plus<std::uint64_t>()), n_contacts);
    for (std::size_t k = 0; k < data.contacts.size(); ++k) {
        const ContactRecord expected = canonical(contact_of(first + k)), &found = data.contacts[k];
        EXPECT_EQ(found.body, expected.body);
        EXPECT_EQ(found.partner, expected.partner);
        EXPECT_EQ(std::memcmp(found.xi, expected.xi, sizeof found.xi), 0);
    }
}

TEST_F(StateFile, KeepsTheHeader) {
    write(world, in_folder("a.h5"), 3, 0);
    const StateHeader h = read_state(world, in_folder("a.h5")).header, expected = header();
    EXPECT_EQ(h.step, expected.step);
    EXPECT_EQ(h.time, expected.time);
    EXPECT_EQ(h.dt, expected.dt);
    EXPECT_EQ(h.next_id, expected.next_id);
    EXPECT_EQ(h.inserted, expected.inserted);
    EXPECT_EQ(h.domain.lower, expected.domain.lower);
    EXPECT_EQ(h.domain.upper, expected.domain.upper);
    EXPECT_EQ(h.domain.periodic, expected.domain.periodic);
    EXPECT_EQ(h.material_names, expected.material_names);
    EXPECT_EQ(h.wall_names, expected.wall_names);
    EXPECT_EQ(h.outlet_names, expected.outlet_names);
    EXPECT_EQ(h.left_by_outlet, expected.left_by_outlet);
    EXPECT_EQ(h.case_text, expected.case_text);
    EXPECT_EQ(h.version, expected.version);
    EXPECT_EQ(h.run, expected.run);
}

TEST_F(StateFile, HasTheDigestOfTheLiveState) {
    const auto [first, n] = uneven(101, world.rank(), world.size());
    const Bodies bodies = make(first, n);
    const std::vector<ContactRecord> contacts = make_contacts(first, n);
    const Digest live = digest_of(world, bodies, contacts);
    EXPECT_EQ(live, digest_of(make(0, 101), make_contacts(0, 101)));
    for (const std::size_t at_once : {1'000'000, 101, 7, 1}) {
        write_state(world, in_folder("a.h5"), header(), bodies, contacts, Axes(), {.rows_at_once = at_once});
        EXPECT_EQ(digest_of_file(in_folder("a.h5")), live) << at_once;
        EXPECT_EQ(digest_of_file(in_folder("a.h5"), {.rows_at_once = at_once}), live);
        world.barrier();
    }
}

// Written by one number of ranks, read by all others, written again: always the same bytes.
TEST_F(StateFile, IsTheSameForAnyNumberOfRanks) {
    write(world, in_folder("all.h5"), 101, 57, {.rows_at_once = 10});
    const std::string expected = bytes_of_file(in_folder("all.h5"));
    const Digest digest = digest_of_file(in_folder("all.h5"));
    for (int n_ranks = 1; n_ranks <= world.size(); ++n_ranks) {
        const mpi::communicator some = world.split(world.rank() < n_ranks ? 0 : 1);
        if (world.rank() < n_ranks) {
            write(some, in_folder("some.h5"), 101, 57);
            EXPECT_TRUE(bytes_of_file(in_folder("some.h5")) == expected) << n_ranks;

            const StateData data = read_state(some, in_folder("all.h5"), {.rows_at_once = 4});
            Bodies bodies;
            bodies.reserve(static_cast<Index>(data.bodies.size()));
            for (const ColumnRow& row : columns) bodies.add(row.when);
            bodies.size = static_cast<Index>(data.bodies.size());
            bodies.owned = {0, bodies.size};
            bodies.real = {bodies.owned};
            for (Index i = 0; i < bodies.size; ++i) bodies.put(i, data.bodies[i]);
            EXPECT_EQ(digest_of(some, bodies, data.contacts), digest) << n_ranks;
            write_state(some, in_folder("again.h5"), data.header, bodies, data.contacts);
            EXPECT_TRUE(bytes_of_file(in_folder("again.h5")) == expected) << n_ranks;
        }
        world.barrier();
    }
}

TEST_F(StateFile, MayBeEmpty) {
    write(world, in_folder("a.h5"), 0, 0);
    const StateData data = read_state(world, in_folder("a.h5"));
    EXPECT_EQ(data.n_bodies, 0u);
    EXPECT_TRUE(data.bodies.empty());
    EXPECT_TRUE(data.contacts.empty());
    EXPECT_EQ(digest_of_file(in_folder("a.h5")), DigestSum().digest());
    EXPECT_EQ(digest_of_file(in_folder("a.h5")), digest_of(world, Bodies{}, {}));
}

TEST_F(StateFile, MayHaveFewerBodiesThanRanks) {
    write(world, in_folder("a.h5"), 1, 1);
    const StateData data = read_state(world, in_folder("a.h5"));
    EXPECT_EQ(mpi::all_reduce(world, data.bodies.size(), std::plus<std::uint64_t>()), 1u);
    EXPECT_EQ(digest_of_file(in_folder("a.h5")), digest_of(make(0, 1), make_contacts(0, 1)));
}

TEST_F(StateFile, TellsItsUnitsAndMeaning) {
    write(world, in_folder("a.h5"), 5, 2);
    if (world.rank() > 0) return;
    const h5::File file(H5Fopen(in_folder("a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), in_folder("a.h5"),
                        "cannot open");
    EXPECT_EQ(file.get_text(file, "schema"), "granary-state");
    EXPECT_EQ(file.get_text(file, "program"), "granary");
    EXPECT_EQ(file.get_text(file, "version"), "0.1.0-test");
    expect_contains(file.get_text(file, "units"), "SI");
    std::uint64_t version = 0;
    file.get_numbers(file, "schema_version", {}, &version);
    EXPECT_EQ(version, state_schema_version);
    for (const FieldRow& field : fields) {
        const std::string name = std::string("/bodies/") + field.name;
        ASSERT_EQ(H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0, field.is(field::saved)) << name;
        if (!field.is(field::saved)) continue;
        const h5::Handle set = file.open_dataset(name);
        EXPECT_EQ(file.get_text(set, "unit"), field.unit);
        EXPECT_EQ(file.shape_of_dataset(set), field.count == 1 ? h5::Shape{5} : (h5::Shape{5, hsize_t(field.count)}));
    }
    expect_contains(file.get_text(file.open_dataset("/bodies/velocity"), "description"), "time - dt/2");
    double time = 0;
    file.get_numbers(file, "velocity_time", {}, &time);
    EXPECT_EQ(time, header().time - 0.5 * header().dt);
    EXPECT_EQ(file.get_text(file.open_dataset("/contacts/xi"), "unit"), "m or rad");
    for (const char* name : {"partner_class", "partner", "feature", "kind"})
        EXPECT_FALSE(file.get_text(file.open_dataset(std::string("/contacts/") + name), "description").empty()) << name;
    EXPECT_FALSE(fs::exists(in_folder("a.h5.part")));
}

}  // namespace
}  // namespace granary
