// Made-up states for the tests of the state file, and a folder to write them in. For any number of ranks.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/serialization/string.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>
#include "core/errors.hpp"
#include "io/state/state_file.hpp"

namespace granary::samples {

namespace fs = std::filesystem;
namespace mpi = boost::mpi;

// Numbers that use all their bits, some of them negative or -0.0; never a round trip through 1/x.
inline double number(std::uint64_t id, int which) {
    if ((id + which) % 17 == 0) return -0.0;
    return std::sin(double(id) * 12.9898 + which * 78.233) / 3.0;
}

// Every column has numbers of its own.
inline BodyRecord body_of(std::uint64_t id) {
    std::vector<BodyRecord> b(1);
    int which = 0;
    for (const FieldRow& field : fields)
        for (int c = 0; c < field.count && field.number() == Number::real; ++c) {
            const double value = number(id, ++which);
            std::memcpy(strip_of(b, field)[0] + c * sizeof value, &value, sizeof value);
        }
    b[0].id = id * 1'000'003 + 7;
    b[0].material = static_cast<std::uint16_t>(id % 3);
    b[0].band = static_cast<std::uint16_t>(id % 7);
    b[0].entry_time = 0.125 * static_cast<double>(id % 11);
    return b[0];
}

inline bool same_bits(BodyRecord a, BodyRecord b) {
    bool same = true;
    for (const FieldRow& field : fields)
        same &= std::memcmp(strip_of({&a, 1}, field)[0], strip_of({&b, 1}, field)[0], field.bytes()) == 0;
    return same;
}

inline ContactRecord contact_of(std::uint64_t k) {
    if (k % 4 == 3) return {k, wall_partner(std::uint32_t(k % 5)), {number(k, 40), number(k, 41), number(k, 42)}};
    if (k % 4 == 2) return {k + 5, k, {number(k, 40), number(k, 41), number(k, 42)}};  // seen from the larger id
    return {k, k + 1, {number(k, 40), number(k, 41), number(k, 42)}};
}

// Bodies [first, first + n) with a ghost at either end and an image every fifth place, as a rank holds them.
inline Bodies make(std::uint64_t first, std::uint64_t n) {
    std::vector<BodyRecord> places{body_of(900)};
    std::vector<Range> real;
    for (std::uint64_t k = 0; k < n; ++k) {
        if (k % 4 == 3) places.push_back(body_of(901 + k));
        const Index at = static_cast<Index>(places.size());
        if (!real.empty() && real.back().end == at) ++real.back().end;
        else real.push_back({at, at + 1});
        places.push_back(body_of(first + k));
    }
    places.push_back(body_of(902));
    Bodies bodies;
    bodies.reserve(static_cast<Index>(places.size()));
    for (const ColumnRow& row : columns) bodies.add(row.when);
    bodies.size = static_cast<Index>(places.size());
    bodies.owned = {1, bodies.size - 1};
    bodies.real = real;
    for (Index i = 0; i < bodies.size; ++i) bodies.put(i, places[i]);
    return bodies;
}

inline std::vector<ContactRecord> make_contacts(std::uint64_t first, std::uint64_t n) {
    std::vector<ContactRecord> contacts;
    for (std::uint64_t k = first; k < first + n; ++k) contacts.push_back(contact_of(k));
    return contacts;
}

// What rank r of n owns of `total`, unevenly: rank 0 little, every third rank nothing.
inline std::pair<std::uint64_t, std::uint64_t> uneven(std::uint64_t total, int rank, int size) {
    std::vector<std::uint64_t> cuts{0};
    for (int r = 0; r < size; ++r)
        cuts.push_back(r == size - 1 ? total
                       : r % 3 == 1  ? cuts.back()
                                     : std::min(total, total * (r + 1) / (size + 1)));
    return {cuts[rank], cuts[rank + 1] - cuts[rank]};
}

inline StateHeader header() {
    StateHeader h;
    h.step = (std::uint64_t{1} << 40) + 3;
    h.time = 0.1, h.dt = 1e-5 / 3;
    h.next_id = 1'000'000'007, h.inserted = 12;
    h.domain = {{-0.1, -0.2, 0.0}, {0.1, 0.3, 1.7}, {true, false, true}};
    h.material_names = {"wheat", "stål", ""};
    h.outlet_names = {"slot"};
    h.left_by_outlet = {5};
    h.case_text =
        "# a case\n[time]\nend = 1.0\n" + std::string(100'000, '#') + "\n";  // longer than an attribute may be
    h.version = "0.1.0-test";
    h.run.reals = {{"heat", {0.1, -2.5e-300}}, {"none", {}}};
    h.run.integers = {{"next_check", {77}}};
    h.run.texts = {{"sets", {"run.dt=1e-5", "", "long\nas it is"}}, {"none", {}}};
    return h;
}

class StateFileTest : public ::testing::Test {
  protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / ("granary_state_test_" + std::to_string(::getpid()))).string();
        mpi::broadcast(world, name, 0);
        folder = name;
        if (world.rank() == 0) fs::create_directories(folder);
        world.barrier();
    }
    void TearDown() override {
        world.barrier();
        if (world.rank() == 0) fs::remove_all(folder);
        world.barrier();
    }
    std::string in_folder(const std::string& name) const { return (folder / name).string(); }

    // The text of the InputError that work must throw on every rank, the same on all.
    std::string error_of(const std::function<void()>& work) const {
        std::string text = "no error";
        try {
            work();
        } catch (const InputError& error) {
            text = error.what();
        }
        std::vector<std::string> texts;
        mpi::all_gather(world, text, texts);
        for (const std::string& other : texts) EXPECT_EQ(other, text);
        return text;
    }
    void write(const mpi::communicator& comm, const std::string& path, std::uint64_t n, std::uint64_t n_contacts,
               const StateOptions& options = {}) const {
        const auto [first, mine] = uneven(n, comm.rank(), comm.size());
        const auto [first_contact, my_contacts] = uneven(n_contacts, comm.rank(), comm.size());
        write_state(comm, path, header(), make(first, mine), make_contacts(first_contact, my_contacts), Axes(),
                    options);
    }

    mpi::communicator world;
    fs::path folder;
};

inline void expect_contains(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "\"" << text << "\" lacks \"" << part << "\"";
}

inline std::string bytes_of_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace granary::samples
