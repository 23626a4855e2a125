#include "io/frames/pvd_file.hpp"
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include "core/errors.hpp"
#include "support/limits.hpp"
#include "support/scratch_folder.hpp"

namespace granary {
namespace {

using Entries = std::vector<PvdEntry>;

std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

ino_t number_of_file(const std::string& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_ino;
}

PvdEntry entry(int k) { return {0.1 * k, "frames/frame_" + std::to_string(k) + ".vtp"}; }

class PvdFileTest : public testing::Test {
  protected:
    void add(PvdFile& pvd, const PvdEntry& e) { pvd.write(e), pvd.add(e); }
    const test::ScratchFolder folder;
    const std::string path = folder / "a.pvd";
};

// The same bytes as if it were written anew each time, but it stays the same file: nothing but its end is written.
TEST_F(PvdFileTest, GrowsInPlace) {
    PvdFile pvd(path);
    Entries all;
    ino_t number = 0;
    for (int k = 0; k < 30; ++k) {
        add(pvd, entry(k));
        all.push_back(entry(k));
        EXPECT_EQ(content(path), pvd_text(all)) << k;
        if (k == 0) number = number_of_file(path);
        EXPECT_EQ(number_of_file(path), number) << k;
    }
    EXPECT_EQ(read_pvd(path), all);
}

TEST_F(PvdFileTest, GoesOnAndIsCutBack) {
    Entries all;
    {
        PvdFile pvd(path);
        for (int k = 0; k < 5; ++k) add(pvd, entry(k)), all.push_back(entry(k));
    }
    PvdFile pvd(path);
    pvd.set(all);
    const ino_t number = number_of_file(path);
    add(pvd, entry(5)), all.push_back(entry(5));
    EXPECT_EQ(content(path), pvd_text(all));
    EXPECT_EQ(number_of_file(path), number);

    // An entry that is not the last one in time: what is not before it gives way.
    add(pvd, {0.25, "again"});
    EXPECT_EQ(content(path), pvd_text(Entries{entry(0), entry(1), entry(2), {0.25, "again"}}));
    add(pvd, {0.25, "and again"});
    EXPECT_EQ(content(path), pvd_text(Entries{entry(0), entry(1), entry(2), {0.25, "and again"}}));

    // The file lists more than is to be kept.
    PvdFile early(path);
    early.set({entry(0)});
    add(early, entry(2));
    EXPECT_EQ(content(path), pvd_text(Entries{entry(0), entry(2)}));
}

// Someone changed or removed it meanwhile: it is made anew.
TEST_F(PvdFileTest, IsMadeAnewIfItIsNotAsItWasLeft) {
    PvdFile pvd(path);
    Entries all;
    const auto next = [&](int k) {
        add(pvd, entry(k)), all.push_back(entry(k));
        EXPECT_EQ(content(path), pvd_text(all)) << k;
    };
    next(0), next(1);
    std::filesystem::remove(path);
    next(2);
    std::ofstream(path, std::ios::app) << "more";
    next(3);
    std::filesystem::resize_file(path, content(path).size() - 4);
    next(4);
}

// The machine went down in the middle of a write: what is whole of it is read, wherever it ends.
TEST_F(PvdFileTest, IsReadAsFarAsItGoes) {
    const Entries all{entry(0), entry(1), entry(2)};
    const std::string whole = pvd_text(all);
    const std::size_t head = pvd_text({}).find("</Collection>");
    for (std::size_t n = head; n < whole.size(); ++n) {
        std::ofstream(path) << whole.substr(0, n);
        const Entries found = read_pvd(path);
        EXPECT_EQ(found, Entries(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(found.size()))) << n;
        const std::string listed = pvd_text(found);
        EXPECT_LE(listed.find("</Collection>"), n) << n;  // nothing that is not there
        if (n > whole.find("</Collection>")) {
            EXPECT_EQ(found, all) << n;
        }
    }
}

// No room for the new end: the old one is put back, wherever the limit lies.
TEST_F(PvdFileTest, KeepsItsEndIfTheNewOneCannotBeWritten) {
    PvdFile pvd(path);
    for (int k = 0; k < 3; ++k) add(pvd, entry(k));
    const std::string before = content(path);
    for (long room = -30; room < 50; room += 7) {
        {
            const auto limit = test::longest_file(before.size() + room);
            EXPECT_THROW(pvd.write(entry(3)), InputError) << room;
        }
        EXPECT_EQ(content(path), before) << room;
    }
    add(pvd, entry(3));
    EXPECT_EQ(read_pvd(path).size(), 4u);
}

}  // namespace
}  // namespace granary
