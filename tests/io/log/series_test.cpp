#include "io/log/series.hpp"
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include "core/errors.hpp"
#include "support/message_of.hpp"
#include "support/scratch_folder.hpp"

namespace granary {
namespace {

namespace fs = std::filesystem;
using test::message_of;

const std::vector<SeriesColumn> columns = {{"time", "s"},
                                           {"step"},
                                           {"balls_inside"},
                                           {"mass_flow", "kg_per_s"},
                                           {"force_z", "N", "floor"}};
const std::string header = "time_s,step,balls_inside,mass_flow_kg_per_s,force_z_N:floor\n";

TEST(Series, HeaderWithUnitsAndNames) {
    EXPECT_EQ(series_header(columns) + '\n', header);
    EXPECT_EQ(series_header(std::vector<SeriesColumn>{{"a", "", "b,c"}, {"d", "N", "say \"e\""}, {"f", "", "g\nh"}}),
              "\"a:b,c\",\"d_N:say \"\"e\"\"\",f:g?h");
    EXPECT_EQ(series_header(std::vector<SeriesColumn>{{""}, {"x"}}), ",x");
}

TEST(Series, EveryRowIsOutAtOnce) {
    const test::ScratchFolder folder;
    const std::string path = folder / "series.csv";
    Series series = Series::create(path, columns);
    EXPECT_EQ(series.path(), path);
    EXPECT_EQ(read_text_file(path), header);
    series.write({0.0, std::uint64_t{0}, 4000, 0.0, -1.5});
    EXPECT_EQ(read_text_file(path), header + "0,0,4000,0,-1.5\n");
    series.write({0.1, ~std::uint64_t{0}, -1, 1.0 / 3, std::numeric_limits<double>::infinity()});
    EXPECT_EQ(read_text_file(path), header + "0,0,4000,0,-1.5\n0.1,18446744073709551615,-1,0.3333333333333333,inf\n");
}

TEST(Series, RealsReadBackToTheSameBits) {
    for (const double v : {1.0 / 3, 2.0 / 3 * 1e-7, 9.80665 * 1.1, 1e300 / 7, 5e-324, 0.1 + 0.2}) {
        const std::string text = Series::Value(v).text();
        EXPECT_EQ(std::strtod(text.c_str(), nullptr), v) << text;
    }
    EXPECT_EQ(Series::Value(std::nan("")).text(), "nan");
    EXPECT_EQ(Series::Value(-std::numeric_limits<double>::infinity()).text(), "-inf");
}

// A name with commas is one cell, also when the file is gone on with.
TEST(Series, NamesAreQuotedWhereTheyMustBe) {
    const test::ScratchFolder folder;
    const std::string path = folder / "s.csv";
    const std::vector<SeriesColumn> named = {{"time", "s"}, {"material"}, {"outlet"}};
    {
        Series series = Series::create(path, named);
        series.write({1.0, std::string("grain"), std::string("a, \"b\", c")});
        series.write({2.0, std::string("chaff, dry"), std::string("two\nlines")});
    }
    const std::string first = "time_s,material,outlet\n1,grain,\"a, \"\"b\"\", c\"\n";
    EXPECT_EQ(read_text_file(path), first + "2,\"chaff, dry\",two?lines\n");
    Series::resume(path, named, 1.5).write({3.0, std::string("grain"), std::string("x")});
    EXPECT_EQ(read_text_file(path), first + "3,grain,x\n");
    Series::resume(path, named, 3.0).write({4.0, std::string("grain"), std::string("x")});
    EXPECT_EQ(read_text_file(path), first + "3,grain,x\n4,grain,x\n");
}

TEST(Series, ARowOfAnotherLengthIsAMistake) {
    const test::ScratchFolder folder;
    Series series = Series::create(folder / "s.csv", columns);
    EXPECT_THROW(series.write({1.0, 2}), std::logic_error);
    EXPECT_THROW(series.write({1.0, 2, 3, 4, 5, 6}), std::logic_error);
    EXPECT_EQ(read_text_file(folder / "s.csv"), header);
}

TEST(Series, CreateReplaces) {
    const test::ScratchFolder folder;
    const std::string path = folder / "s.csv";
    write_text_file(path, std::string(5000, 'z'));
    Series::create(path, columns);
    EXPECT_EQ(read_text_file(path), header);
}

// ---- Going on ------------------------------------------------------------------------------------------------------

class Resume : public testing::Test {
  protected:
    const test::ScratchFolder folder_;
    const std::string path_ = folder_ / "series.csv";
    const std::string rows_ = "0,0,1,0,0\n0.1,1,1,0,0\n0.30000000000000004,2,1,0,0\n";

    // What stands in the file after a resume and one more row.
    std::string resumed(const std::string& before, double until) {
        write_text_file(path_, before);
        Series series = Series::resume(path_, columns, until);
        series.write({9.0, 9, 9, 9.0, 9.0});
        return read_text_file(path_);
    }
    std::string refused(const std::string& before) {
        write_text_file(path_, before);
        const std::string text = message_of<InputError>([&] { Series::resume(path_, columns, 1); });
        EXPECT_EQ(read_text_file(path_), before);  // untouched
        return text;
    }
};

const std::string more = "9,9,9,9,9\n";

TEST_F(Resume, CutsBackToATime) {
    EXPECT_EQ(resumed(header + rows_, 5), header + rows_ + more);
    EXPECT_EQ(resumed(header + rows_, 0.1 + 0.2), header + rows_ + more);  // the row of that very time stays
    EXPECT_EQ(resumed(header + rows_, 0.3), header + "0,0,1,0,0\n0.1,1,1,0,0\n" + more);
    EXPECT_EQ(resumed(header + rows_, 0.05), header + "0,0,1,0,0\n" + more);
    EXPECT_EQ(resumed(header + rows_, -1), header + more);
}

TEST_F(Resume, HalfALineIsRemoved) {
    EXPECT_EQ(resumed(header + rows_ + "0.4,3,1", 5), header + rows_ + more);
    EXPECT_EQ(resumed(header + rows_ + "0.4,3,1,0,0", 5), header + rows_ + more);  // even if it looks whole
    EXPECT_EQ(resumed(header + rows_ + std::string(100, '\0'), 5), header + rows_ + more);
    EXPECT_EQ(resumed(header.substr(0, 10), 5), header + more);
    EXPECT_EQ(resumed("", 5), header + more);
}

TEST_F(Resume, WhatIsCutAwayNeedNotBeSound) {
    EXPECT_EQ(resumed(header + rows_ + "0.4,3,1,0,0\ngarbage\n", 0.35), header + rows_ + more);
}

TEST_F(Resume, ANewFileWhereNoneIs) {
    { Series series = Series::resume(path_, columns, 3); }
    EXPECT_EQ(read_text_file(path_), header);
}

TEST_F(Resume, OtherColumnsAreRefused) {
    const std::string advice = "\nMove the file away, or give the run another folder.";
    const std::string ours = "\n  of this run: " + header.substr(0, header.size() - 1) + advice;
    EXPECT_EQ(
        refused("time_s,step\n0,0\n"),
        path_ + " cannot be continued: its columns are not those of this run.\n  in the file: time_s,step" + ours);
    EXPECT_EQ(
        refused("something else"),
        path_ + " cannot be continued: its columns are not those of this run.\n  in the file: something else" + ours);
}

TEST_F(Resume, ADamagedRowIsNamed) {
    const std::string why = ": this row is damaged (expected 5 numbers, the first a time); repair or remove the file";
    EXPECT_EQ(refused(header + "0,0,1,0,0\n0.1,1,1,0\n0.2,2,1,0,0\n"), path_ + ":3" + why);
    EXPECT_EQ(refused(header + "0,0,1,0,0,0\n"), path_ + ":2" + why);
    EXPECT_EQ(refused(header + "x,0,1,0,0\n"), path_ + ":2" + why);
    EXPECT_EQ(refused(header + "0.1s,0,1,0,0\n"), path_ + ":2" + why);
    EXPECT_EQ(refused(header + "nan,0,1,0,0\n"), path_ + ":2" + why);
    EXPECT_EQ(refused(header + "\n"), path_ + ":2" + why);
}

// ---- Trouble with the disk -----------------------------------------------------------------------------------------

TEST(SeriesTrouble, NotWritable) {
    const test::ScratchFolder folder;
    const std::string nowhere = folder / "no/series.csv";
    EXPECT_EQ(message_of<InputError>([&] { Series::create(nowhere, columns); }),
              "cannot open " + nowhere + " for writing: No such file or directory");
    fs::create_directory(folder / "folder");
    EXPECT_EQ(message_of<InputError>([&] { Series::create(folder / "folder", columns); }),
              "cannot open " + folder / "folder" + " for writing: Is a directory");
    EXPECT_EQ(message_of<InputError>([&] { Series::resume(folder / "folder", columns, 1); }),
              "cannot read " + folder / "folder" + ": Is a directory");
}

TEST(SeriesTrouble, DiskFull) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    EXPECT_EQ(message_of<RunError>([&] { Series::create("/dev/full", columns); }),
              "cannot write /dev/full: No space left on device");
}

// A limit on the size of files stands for a disk with room for half a row.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit now{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &now);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

  private:
    void (*handler_)(int);
    rlimit before_{};
};

TEST(SeriesTrouble, ARowThatDoesNotFitLeavesNoTrace) {
    const test::ScratchFolder folder;
    const std::string path = folder / "series.csv";
    for (const bool resumed : {false, true}) {
        Series series = resumed ? Series::resume(path, columns, 0) : Series::create(path, columns);
        if (!resumed) series.write({0.0, 1, 1, 1, 1});
        const std::string before = read_text_file(path);
        std::string why;
        {
            const FileSizeLimit limit(before.size() + 4);
            why = message_of<RunError>([&] { series.write({1.0, 2, 3, 4.0, 5.0}); });
        }
        EXPECT_EQ(why, "cannot write " + path + ": File too large");
        EXPECT_EQ(read_text_file(path), before);
        series.write({1.0, 2, 3, 4.0, 5.0});  // room again
        EXPECT_EQ(read_text_file(path), before + "1,2,3,4,5\n");
    }
}

}  // namespace
}  // namespace granary
