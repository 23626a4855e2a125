// The commented reference: it is a valid case, also when its lines are uncommented as it says, and lists every key.
#include <gtest/gtest.h>
#include <fstream>
#include <sstream>
#include "io/case.hpp"
#include "io/case_schema.hpp"

namespace granary {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

bool is_key_line(const std::string& line) {
    return line.size() > 1 && line[0] == '#' && line[1] >= 'a' && line[1] <= 'z';
}

std::string problems_of(const std::string& text) {
    try {
        read_case(text, "reference");
    } catch (const CaseError& e) {
        return e.what();
    }
    return "no problem";
}

TEST(CaseReference, IsAValidCase) { EXPECT_EQ(problems_of(case_reference()), "no problem"); }

TEST(CaseReference, IsAValidCaseWithAllDefaultsUncommented) {
    std::string text, remarks;
    std::size_t n = 0;
    for (const std::string& line : lines_of(case_reference())) {
        const bool is_default = is_key_line(line) && remarks.find("Default: ") != std::string::npos;
        n += is_default;
        text += (is_default ? line.substr(1) : line) + "\n";
        remarks = line;
    }
    EXPECT_GT(n, 20u);
    EXPECT_EQ(problems_of(text), "no problem");
}

TEST(CaseReference, IsAValidCaseWithRivalsExchanged) {
    std::string text, remarks;
    std::size_t n = 0;
    for (const std::string& line : lines_of(case_reference())) {
        const bool is_rival = is_key_line(line) && remarks.find("Instead of ") != std::string::npos;
        const bool is_replaced = line.starts_with("steps = ") || line.starts_with("spacing = ") ||
                                 (line.starts_with("radius = ") && line.find("0.01") != std::string::npos);
        n += is_rival;
        text += (is_rival ? line.substr(1) : is_replaced ? "#" + line : line) + "\n";
        remarks = line;
    }
    EXPECT_EQ(n, 8u);  // time, counts, and three times radius_min, radius_max
    EXPECT_EQ(problems_of(text), "no problem");
}

TEST(CaseReference, ListsEveryKeyWithItsUnitAndMeaning) {
    std::string section;
    std::set<std::string> listed;
    for (const std::string& line : lines_of(case_reference())) {
        const std::size_t name_end = line.find_first_of("]", 1);
        if (line[0] == '[') section = line.substr(line.find_last_of('[') + 1, name_end - line.find_last_of('[') - 1);
        const std::size_t equals = line.find(" = ");
        if (line[0] == '[' || equals == std::string::npos || line.starts_with("# ")) continue;
        const std::size_t first = line[0] == '#' ? 1 : 0;
        listed.insert(section + "." + line.substr(first, equals - first));
    }
    for (const KeyRow& key : case_keys())
        EXPECT_TRUE(listed.contains(std::string(key.section) + "." + key.name)) << key.section << "." << key.name;
    EXPECT_EQ(listed.size(), case_keys().size());
}

// The file is for readers of the repository. GRANARY_WRITE_REFERENCE=1 in the environment of this test renews it.
TEST(CaseReference, FileInJobsIsUpToDate) {
    const std::string file = GRANARY_SOURCE_DIR "/jobs/case-reference.toml";
    if (std::getenv("GRANARY_WRITE_REFERENCE")) std::ofstream(file) << case_reference();
    EXPECT_EQ(read_case_text(file), case_reference()) << "GRANARY_WRITE_REFERENCE=1 renews it";
}

}  // namespace
}  // namespace granary
