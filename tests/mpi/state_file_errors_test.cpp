// What goes wrong while a state file is written or read: all ranks hear of it, in clear words, and the old file stays.
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
#include "io/hdf5.hpp"
#include "io/state_file.hpp"
#include "io/state_seal.hpp"
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
    expect_contains(error_of([&] { write(world, path, 10, 3); }), "cannot give the finished file its name");
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
    expect_contains(read_error(), "is no file");
}

TEST_F(BadStateFile, NotHdf5) {
    if (world.rank() == 0) std::ofstream(path) << "[case]\nname = 'silo'\n";
    world.barrier();
    expect_contains(read_error(), "not in HDF5 format");
}

TEST_F(BadStateFile, Truncated) {
    if (world.rank() == 0) fs::resize_file(path, fs::file_size(path) - 100);
    world.barrier();
    expect_contains(read_error(), "is cut short");
}

TEST_F(BadStateFile, OtherSchema) {
    damage([](const h5::File& file) {
        H5Adelete(file, "schema");
        file.put_text(file, "schema", "something");
    });
    expect_contains(read_error(), "no state of Granary");
    damage([](const h5::File& file) { H5Adelete(file, "schema"); });
    expect_contains(read_error(), "no state of Granary");
}

TEST_F(BadStateFile, NewerVersion) {
    damage([](const h5::File& file) {
        const std::uint64_t version = state_schema_version + 1;
        H5Adelete(file, "schema_version");
        file.put_numbers(file, "schema_version", {}, &version);
    });
    expect_contains(read_error(), "schema version 3, this program reads up to 2");
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

TEST_F(BadStateFile, WrongType) {
    damage([&](const h5::File& file) { replace(file, "/contacts/xi", H5T_IEEE_F32LE, {5, 3}); });
    expect_contains(read_error(), "/contacts/xi has the wrong type of number");
}

}  // namespace
}  // namespace granary
