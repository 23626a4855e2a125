// All inputs of tests/fuzz/corpus and all cases that come with the program, through the targets of the fuzzer: what has
// crashed once stays mended.
#include <gtest/gtest.h>
#include <algorithm>
#include <filesystem>
#include <vector>
#include "fuzz/harness.hpp"
#include "io/formats/text_file.hpp"
#include "support/source_folder.hpp"

namespace granary::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const std::string& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

class FuzzCorpus : public testing::TestWithParam<Target> {};

TEST_P(FuzzCorpus, IsTakenOrRefused) {
    std::vector<fs::path> files = files_in(source_path(std::string("tests/fuzz/corpus/") + GetParam().name));
    ASSERT_GE(files.size(), 3u);
    if (std::string(GetParam().name) == "case")
        for (const fs::path& path : files_in(source_path("jobs/cases")))
            if (path.extension() == ".toml") files.push_back(path);
    for (const fs::path& path : files) {
        SCOPED_TRACE(path.string());
        const std::string bytes = read_text_file(path.string());
        GetParam().run(bytes);  // milliseconds; what hangs reaches the time limit of the test
    }
}

INSTANTIATE_TEST_SUITE_P(All, FuzzCorpus, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace granary::fuzz
