// What goes wrong while a state file is written or read: all ranks hear of it, in clear words, and the old file stays.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include "io/state/hdf5.hpp"
#include "io/state/state_file.hpp"
#include "io/state/state_seal.hpp"
#include "support/state_samples.hpp"

namespace granary {
namespace {

using namespace samples;
using StateFileWriting = StateFileTest;

// A limit of this process, for as long as this lives.
class Limit {
  public:
    Limit(__rlimit_resource which, rlim_t value) : which_(which) {
        ::getrlimit(which_, &before_);
        const rlimit now{std::min(value, before_.rlim_max), before_.rlim_max};
        ::setrlimit(which_, &now);
    }
    ~Limit() { ::setrlimit(which_, &before_); }

  private:
    __rlimit_resource which_;
    rlimit before_{};
};

// Files can no longer be opened; those that are open, the message library's too, go on working.
std::unique_ptr<Limit> no_more_files() {
    const int next = ::dup(0);
    ::close(next);
    return std::make_unique<Limit>(RLIMIT_NOFILE, next);
}

TEST_F(StateFileWriting, CannotBeWrittenWhereThereIsNoFolder) {
    if (world.rank() == 0) std::ofstream(in_folder("plain")) << "x";
    world.barrier();
    std::string text = error_of([&] { write(world, in_folder("missing/a.h5"), 10, 3); });
    expect_contains(text, "missing/a.h5.part");
    expect_contains(text, "No such file or directory");
    text = error_of([&] { write(world, in_folder("plain/a.h5"), 10, 3); });
    expect_contains(text, "Not a directory");
}

TEST_F(StateFileWriting, KeepsTheOldFileWhenTheNameCannotBeTaken) {
    const std::string path = in_folder("a.h5");
    if (world.rank() == 0) fs::create_directories(path + "/inside");
    world.barrier();
    expect_contains(error_of([&] { write(world, path, 10, 3); }), "cannot rename the finished file");
    EXPECT_TRUE(fs::is_directory(path + "/inside"));
    EXPECT_FALSE(fs::exists(path + ".part"));
}

// A limit on the size of files stands for a full disk: rank 0 fails to reserve the room, before any rank writes rows.
TEST_F(StateFileWriting, KeepsTheOldFileWhenTheDiskIsFull) {
    const std::string path = in_folder("a.h5");
    write(world, path, 20, 5);
    const std::string before = bytes_of_file(path);
    std::signal(SIGXFSZ, SIG_IGN);  // the write shall return the error instead of ending the program
    std::string text;
    {
        std::unique_ptr<Limit> limit;
        if (world.rank() == 0) limit = std::make_unique<Limit>(RLIMIT_FSIZE, 150'000);
        text = error_of([&] { write(world, path, 5000, 100); });
    }
    expect_contains(text, path + ".part");
    expect_contains(text, "File too large");
    EXPECT_TRUE(bytes_of_file(path) == before);
    EXPECT_FALSE(fs::exists(path + ".part"));
    world.barrier();
    write(world, path, 21, 5);  // and the next attempt works
    EXPECT_EQ(read_state(world, path).n_bodies, 21u);
}

// Here the disk is full for the last rank alone, when it writes its rows.
TEST_F(StateFileWriting, FailsOnAllRanksWhenOneCannotWriteItsRows) {
    const std::string path = in_folder("a.h5");
    write(world, path, 20, 5);
    const std::string before = bytes_of_file(path);
    const int last = world.size() - 1;
    if (last == 0) return;  // rank 0 finds out before, see above
    std::signal(SIGXFSZ, SIG_IGN);
    std::string text;
    {
        std::unique_ptr<Limit> limit;
        if (world.rank() == last) limit = std::make_unique<Limit>(RLIMIT_FSIZE, 150'000);
        text = error_of([&] { write(world, path, 5000, 100); });
    }
    expect_contains(text, path + ".part: cannot write /bodies/");
    expect_contains(text, "(on rank " + std::to_string(last) + ")");
    EXPECT_TRUE(bytes_of_file(path) == before);
    EXPECT_FALSE(fs::exists(path + ".part"));
    world.barrier();
    write(world, path, 21, 5);
    EXPECT_EQ(read_state(world, path).n_bodies, 21u);
}

TEST_F(StateFileWriting, FailsOnAllRanksWhenOneCannotOpenIt) {
    const std::string path = in_folder("a.h5");
    write(world, path, 20, 5);
    const std::string before = bytes_of_file(path);
    const int last = world.size() - 1;
    std::string text;
    {
        std::unique_ptr<Limit> limit;
        if (world.rank() == last) limit = no_more_files();
        text = error_of([&] { write(world, path, 30, 5); });
    }
    if (last > 0) {
        expect_contains(text, "Too many open files");
        expect_contains(text, "(on rank " + std::to_string(last) + ")");
    }
    EXPECT_TRUE(bytes_of_file(path) == before);
    EXPECT_FALSE(fs::exists(path + ".part"));
}

TEST_F(StateFileWriting, ReplacesWhatAnEndedRunLeftBehind) {
    const std::string path = in_folder("a.h5");
    if (world.rank() == 0) std::ofstream(path + ".part") << std::string(1'000'000, 'x');
    world.barrier();
    write(world, path, 20, 5);
    EXPECT_EQ(digest_of_file(path), digest_of(make(0, 20), make_contacts(0, 5)));
    EXPECT_LT(fs::file_size(path), 500'000u);
    EXPECT_FALSE(fs::exists(path + ".part"));
}

class BadStateFile : public StateFileTest {
  protected:
    void SetUp() override {
        StateFileTest::SetUp();
        path = in_folder("a.h5");
        write(world, path, 20, 5);
    }
    // Lets rank 0 damage the file with HDF5, and put a good seal on it.
    void damage(const std::function<void(const h5::File&)>& how) const {
        if (world.rank() == 0) {
            const h5::QuietErrors quiet;
            how(h5::File(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), path, "cannot open"));
            seal_again(path);
        }
        world.barrier();
    }
    void replace(const h5::File& file, const char* name, hid_t type, const h5::Shape& shape) const {
        H5Ldelete(file, name, H5P_DEFAULT);
        file.new_dataset(name, type, shape);
    }
    std::string read_error() const {
        const std::string text = error_of([&] { read_state(world, path); });
        EXPECT_EQ(error_of([&] { digest_of_file(path); }), text);
        expect_contains(text, path);
        return text;
    }
    std::string path;
};

TEST_F(BadStateFile, Missing) {
    path = in_folder("none.h5");
    expect_contains(read_error(), "No such file or directory");
}

TEST_F(BadStateFile, UnreadableForOneRank) {
    const int last = world.size() - 1;
    std::unique_ptr<Limit> limit;
    if (world.rank() == last) limit = no_more_files();
    const std::string text = error_of([&] { read_state(world, path); });
    expect_contains(text, "Too many open files");
    if (last > 0) expect_contains(text, "(on rank " + std::to_string(last) + ")");
}

TEST_F(BadStateFile, NoFile) {
    path = folder.string();
    expect_contains(read_error(), "is not a file");
}

TEST_F(BadStateFile, NotHdf5) {
    if (world.rank() == 0) std::ofstream(path) << "[case]\nname = 'silo'\n";
    world.barrier();
    expect_contains(read_error(), "not in HDF5 format");
}

TEST_F(BadStateFile, Truncated) {
    if (world.rank() == 0) fs::resize_file(path, fs::file_size(path) - 100);
    world.barrier();
    expect_contains(read_error(), "is truncated");
}

TEST_F(BadStateFile, OtherSchema) {
    damage([](const h5::File& file) {
        H5Adelete(file, "schema");
        file.put_text(file, "schema", "something");
    });
    expect_contains(read_error(), "not a state of Granary");
    damage([](const h5::File& file) { H5Adelete(file, "schema"); });
    expect_contains(read_error(), "not a state of Granary");
}

TEST_F(BadStateFile, NewerVersion) {
    damage([](const h5::File& file) {
        const std::uint64_t version = state_schema_version + 1;
        H5Adelete(file, "schema_version");
        file.put_numbers(file, "schema_version", {}, &version);
    });
    expect_contains(read_error(), "schema version 4, this program reads up to 3");
}

// Any byte that is another one is noticed, wherever it is, before HDF5 sees the file.
TEST_F(BadStateFile, FlippedByte) {
    const std::string good = bytes_of_file(path);
    std::vector<std::size_t> places{0, 7, 8, 100, seal_bytes - 1, seal_bytes, seal_bytes + 8, good.size() - 1};
    for (std::size_t at = 1; at < good.size(); at += 2503) places.push_back(at);
    for (std::size_t k = 0; k < places.size(); ++k) {
        std::string bad = good;
        bad[places[k]] = static_cast<char>(bad[places[k]] ^ (1 << k % 8));
        world.barrier();
        if (world.rank() == 0) std::ofstream(path, std::ios::binary) << bad;
        world.barrier();
        const std::string text = error_of([&] { read_state(world, path); });
        expect_contains(text, "is damaged: ");
    }
    world.barrier();
    EXPECT_TRUE(places.size() > 20);
}

// A seal that was written by somebody else, with a good checksum of itself: what makes no sense is refused on all
// ranks, and nothing is divided by zero, reserved or read because of it.
TEST_F(BadStateFile, ForgedSeal) {
    const std::string good = bytes_of_file(path);
    const std::string lines = good.substr(0, good.find("\nseal ") + 1);
    const std::size_t rows = lines.find("rows /bodies/id "), end = lines.find('\n', rows) + 1;
    const auto read_with = [&](const std::string& forged) {
        world.barrier();
        if (world.rank() == 0) std::ofstream(path, std::ios::binary) << closed_seal(forged) + good.substr(seal_bytes);
        world.barrier();
        const std::string text = read_error();
        expect_contains(text, path + ": is damaged: ");
        return text;
    };
    const auto row = [&](const std::string& line) { return lines.substr(0, rows) + line + lines.substr(end); };
    for (const char* numbers :
         {"offset 9000 bytes 0 count 20", "offset 9000 bytes 0 count 0", "offset 9000 bytes 3 count 20",
          "offset 9000 bytes 12 count 1", "offset 9000 bytes 1 count 0", "offset 0 bytes 8 count 20",
          "offset 8191 bytes 8 count 20", "offset 9000 bytes 8 count 18446744073709551615",
          "offset 9000 bytes 8 count 2305843009213693952", "offset 18446744073709551600 bytes 8 count 20",
          "offset 9000 bytes 18446744073709551608 count 1", "offset 9000 bytes 9223372036854775808 count 2"})
        expect_contains(read_with(row(fmt::format("rows /bodies/id {} sum 0123456789abcdef\n", numbers))),
                        "which is impossible");
    for (const char* line :
         {"rows /bodies/id\n", "rows /bodies/id offset -1 bytes 8 count 20 sum 0\n",
          "rows /bodies/id offset 9000 bytes x count 20 sum 0\n",
          "rows /bodies/id bytes 8 offset 9000 count 20 sum 0\n",
          "rows /bodies/id offset 9000 bytes 8 count 99999999999999999999 sum 0\n", "what\n", "\n", "size 100\n"})
        expect_contains(read_with(row(line)), "block of checksums contains something else");
    expect_contains(read_with(lines.substr(0, 15)),
                    "block of checksums contains something else");  // nothing but its name
    for (const char* place : {"offset 9000", "offset 8192"})        // others' rows, what is no row
        read_with(row(fmt::format("rows /bodies/id {} bytes 8 count 20 sum 0\n", place)));
}

// Rows that change their places among themselves are noticed, too.
TEST_F(BadStateFile, ExchangedRows) {
    std::vector<std::byte> rows(3 * 24);
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<std::byte>(k * 37 % 251);
    const std::uint64_t sum = sum_of_rows(rows.data(), 24, 5, 3);
    EXPECT_EQ(sum_of_rows(rows.data(), 24, 5, 1) + sum_of_rows(rows.data() + 24, 24, 6, 2), sum);
    EXPECT_NE(sum_of_rows(rows.data(), 24, 6, 3), sum);
    std::swap_ranges(rows.begin(), rows.begin() + 24, rows.begin() + 24);
    EXPECT_NE(sum_of_rows(rows.data(), 24, 5, 3), sum);
}

// A file of version 1, without seal and texts, is read as it is.
TEST_F(BadStateFile, OlderVersion) {
    damage([](const h5::File& file) {
        const std::uint64_t version = 1;
        H5Adelete(file, "schema_version");
        file.put_numbers(file, "schema_version", {}, &version);
        H5Ldelete(file, "/run_texts", H5P_DEFAULT);
        // Partners had marks: class, feature and kind were not apart.
        for (const char* name : {"/contacts/partner_class", "/contacts/feature", "/contacts/kind"})
            H5Ldelete(file, name, H5P_DEFAULT);
        std::vector<std::uint64_t> words;
        for (const ContactRecord& c : make_contacts(0, 5)) words.push_back(marked_word(canonical(c).partner));
        H5Dwrite(file.open_dataset("/contacts/partner"), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                 words.data());
    });
    if (world.rank() == 0) {
        const std::string sealed = bytes_of_file(path);
        std::ofstream(path, std::ios::binary) << sealed.substr(seal_bytes);
    }
    world.barrier();
    const StateData data = read_state(world, path);
    EXPECT_EQ(data.n_bodies, 20u);
    EXPECT_TRUE(data.header.run.texts.empty());
    EXPECT_EQ(digest_of_file(path), digest_of(make(0, 20), make_contacts(0, 5)));
}

// What does not fit the bits in which a partner is kept would be read as another class or kind of contact.
TEST_F(BadStateFile, NumbersOfContactsThatAreTooLarge) {
    const auto with = [&](const char* name, auto value, std::uint64_t otherwise) {
        damage([&](const h5::File& file) {
            std::vector<decltype(value)> values(5, static_cast<decltype(value)>(otherwise));
            values[2] = value;
            H5Dwrite(file.open_dataset(name), h5::memory_type<decltype(value)>(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                     values.data());
        });
    };
    // One rank alone has the row, and its message says so.
    const auto expect_refused = [&] {
        for (const std::string& text :
             {error_of([&] { read_state(world, path); }), error_of([&] { digest_of_file(path); })})
            expect_contains(text,
                            path + ": contains a contact whose partner or feature has a number that is too large");
    };
    with("/contacts/partner_class", std::uint16_t{1}, 1);
    with("/contacts/partner", std::uint64_t{1} << 24, 0);  // of a wall: 24 bits
    expect_refused();
    with("/contacts/partner", std::uint64_t{0}, 0);
    with("/contacts/feature", std::uint32_t{0xffffffff}, 0);  // 32
    EXPECT_EQ(error_of([&] { read_state(world, path); }), "no error");
    with("/contacts/partner_class", std::uint16_t{0}, 0);  // of a body: 16
    expect_refused();
}

TEST_F(BadStateFile, MissingDatasets) {
    damage([](const h5::File& file) { H5Ldelete(file, "/bodies/spin", H5P_DEFAULT); });
    expect_contains(read_error(), "has no dataset /bodies/spin");
    damage([](const h5::File& file) { H5Ldelete(file, "/contacts", H5P_DEFAULT); });
    expect_contains(read_error(), "has no dataset /contacts/body");
}

TEST_F(BadStateFile, MissingHeader) {
    damage([](const h5::File& file) { H5Adelete(file, "next_id"); });
    expect_contains(error_of([&] { read_state(world, path); }), "has no attribute next_id");
}

TEST_F(BadStateFile, WrongShape) {
    damage([&](const h5::File& file) { replace(file, "/bodies/velocity", H5T_IEEE_F64LE, {20, 2}); });
    expect_contains(read_error(), "/bodies/velocity has the shape (20, 2) instead of (20, 3)");
    damage([&](const h5::File& file) { replace(file, "/bodies/velocity", H5T_IEEE_F64LE, {19, 3}); });
    expect_contains(read_error(), "/bodies/velocity has the shape (19, 3) instead of (20, 3)");
    damage([&](const h5::File& file) { replace(file, "/bodies/id", H5T_STD_U64LE, {}); });
    expect_contains(read_error(), "/bodies/id has the shape () instead of one dimension");
}

// Shapes cost nothing to write down: what they claim is not reserved before it is known to be there.
TEST_F(BadStateFile, MoreThanTheFileHolds) {
    const hsize_t many = hsize_t{1} << 40;
    damage([&](const h5::File& file) { replace(file, "/left_by_outlet", H5T_STD_U64LE, {many}); });
    expect_contains(error_of([&] { read_header(world, path); }),
                    "left_by_outlet has the shape (1099511627776), more than");
    expect_contains(error_of([&] { read_state(world, path); }),
                    "left_by_outlet has the shape (1099511627776), more than");
    damage([&](const h5::File& file) { replace(file, "/left_by_outlet", H5T_STD_U64LE, {2}); });  // never written
    expect_contains(error_of([&] { read_state(world, path); }), "left_by_outlet is not completely in the file");
    damage([&](const h5::File& file) { replace(file, "/wall_names", h5::text_type(1 << 30), {1 << 20}); });
    expect_contains(error_of([&] { read_state(world, path); }), "wall_names has the shape (1048576), more than");
}

TEST_F(BadStateFile, MoreRowsThanTheFileHolds) {
    const hsize_t many = hsize_t{1} << 60;
    damage([&](const h5::File& file) {
        const h5::Handle chunked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        const hsize_t chunk[2] = {1, 3};
        H5Pset_chunk(chunked, 1, chunk);
        for (const char* name : {"/contacts/body", "/contacts/partner"}) {
            H5Ldelete(file, name, H5P_DEFAULT);
            file.new_dataset(name, H5T_STD_U64LE, {many}, chunked);
        }
        H5Pset_chunk(chunked, 2, chunk);
        H5Ldelete(file, "/contacts/xi", H5P_DEFAULT);
        file.new_dataset("/contacts/xi", H5T_IEEE_F64LE, {many, 3}, chunked);
    });
    expect_contains(read_error(), "/contacts/body has the shape (1152921504606846976), more than the whole file holds");
}

// An attribute or dataset without any value is no single value.
TEST_F(BadStateFile, NoValue) {
    damage([](const h5::File& file) {
        H5Adelete(file, "time");
        const h5::Handle none(H5Screate(H5S_NULL), H5Sclose);
        const h5::Handle made(H5Acreate2(file, "time", H5T_IEEE_F64LE, none, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    });
    expect_contains(error_of([&] { read_header(world, path); }), "the attribute time has the shape (0) instead of ()");
}

// Many names for one list of numbers do not make many lists of it.
TEST_F(BadStateFile, OneListUnderManyNames) {
    damage([](const h5::File& file) {
        const h5::Handle list = file.new_dataset("/run_reals/long", H5T_IEEE_F64LE, {1000});
        const std::vector<double> numbers(1000, 1.5);
        H5Dwrite(list, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
        for (int k = 0; k < 100; ++k)
            H5Lcreate_hard(file, "/run_reals/long", file, fmt::format("/run_reals/long{}", k).c_str(), H5P_DEFAULT,
                           H5P_DEFAULT);
    });
    expect_contains(error_of([&] { read_header(world, path); }), "more than the whole file holds");
}

TEST_F(BadStateFile, WrongType) {
    damage([&](const h5::File& file) { replace(file, "/contacts/xi", H5T_IEEE_F32LE, {5, 3}); });
    expect_contains(read_error(), "/contacts/xi has the wrong type of number");
}

}  // namespace
}  // namespace granary
