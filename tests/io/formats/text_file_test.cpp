#include "io/formats/text_file.hpp"
#include <gtest/gtest.h>
#include <unistd.h>
#include <filesystem>
#include "core/errors.hpp"
#include "support/message_of.hpp"
#include "support/scratch_folder.hpp"

namespace granary {
namespace {

namespace fs = std::filesystem;
using test::message_of;

TEST(TextFile, WholeAndNothingAside) {
    const test::ScratchFolder folder;
    const std::string path = folder / "phases.json";
    std::string text(200000, 'x');  // more than one buffer
    text += "\nend\n";
    write_text_file(path, text);
    EXPECT_EQ(read_text_file(path), text);
    write_text_file(path, "short");  // replaces
    EXPECT_EQ(read_text_file(path), "short");
    EXPECT_FALSE(fs::exists(path + ".part"));
}

TEST(TextFile, Errors) {
    const test::ScratchFolder folder;
    const std::string nowhere = folder / "no/such";
    EXPECT_EQ(message_of<InputError>([&] { read_text_file(nowhere); }),
              "cannot open " + nowhere + ": No such file or directory");
    EXPECT_EQ(message_of<RunError>([&] { write_text_file(nowhere, "x"); }),
              "cannot write " + nowhere + ": No such file or directory");
    EXPECT_EQ(message_of<InputError>([&] { open_for_writing(nowhere, true); }),
              "cannot open " + nowhere + " for writing: No such file or directory");
    const std::string is_folder = folder / "folder";
    fs::create_directory(is_folder);
    EXPECT_EQ(message_of<InputError>([&] { read_text_file(is_folder); }),
              "cannot read " + is_folder + ": Is a directory");
    EXPECT_EQ(message_of<RunError>([&] { write_text_file(is_folder, "x"); }),
              "cannot write " + is_folder + ": Is a directory");
    EXPECT_FALSE(fs::exists(is_folder + ".part"));
}

TEST(TextFile, DescriptorsAreClosed) {
    const test::ScratchFolder folder;
    OpenFile a = open_for_writing(folder / "a", false), b = open_for_writing(folder / "b", false);
    const int of_a = a.fd(), of_b = b.fd();
    a = std::move(b);
    EXPECT_EQ(a.fd(), of_b);
    EXPECT_EQ(::lseek(of_a, 0, SEEK_CUR), -1);  // closed
    EXPECT_TRUE(write_all(a.fd(), "x"));
    EXPECT_TRUE(a.close());
    EXPECT_TRUE(a.close());  // a second time is nothing
    EXPECT_FALSE(write_all(of_b, "x"));
}

}  // namespace
}  // namespace granary
