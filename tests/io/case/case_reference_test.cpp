// The commented reference: it is a valid case, also when its lines are uncommented as it says, and lists every key.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <fstream>
#include <sstream>
#include "io/case/case.hpp"
#include "io/case/case_schema.hpp"
#include "support/source_folder.hpp"

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
        const bool is_default = is_key_line(line) && remarks.find("Default: ") != std::string::npos &&
                                remarks.find("Only with ") == std::string::npos;
        n += is_default;
        text += (is_default ? line.substr(1) : line) + "\n";
        remarks = line;
    }
    EXPECT_GT(n, 20u);
    EXPECT_EQ(problems_of(text), "no problem");
}

// Each key that stands "instead of" another one, in its place. Not those that are contradicted elsewhere in the file:
// keys that do not go with [[stages]], and the time at which the silo's gate opens, since a stage opens it.
TEST(CaseReference, IsAValidCaseWithRivalsExchanged) {
    std::vector<std::string> lines = lines_of(case_reference());
    std::size_t n = 0, block = 0;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (lines[i][0] == '[') block = i;
        const std::string& remarks = lines[i - 1];
        const std::size_t instead = remarks.find("Instead of ");
        if (!is_key_line(lines[i]) || instead == std::string::npos || lines[block] == "[silo]" ||
            remarks.find("Not together with") != std::string::npos)
            continue;
        const std::size_t first = instead + std::string("Instead of ").size();
        const std::string rivals = fmt::format(" {},", remarks.substr(first, remarks.find('.', first) - first));
        for (std::size_t k = block; k < i; ++k)
            if (rivals.find(fmt::format(" {},", lines[k].substr(0, lines[k].find(' ')))) != std::string::npos)
                lines[k].insert(0, 1, '#');
        lines[i] = lines[i].substr(1);
        ++n;
    }
    // counts, mass and mass_rate twice, rate, five times radius_min and radius_max, seven times opens_at; of motions
    // rpm, twice file, seven times start; of probes near; of stages energy; of bonds shear_modulus and both
    // stiffnesses; five times density of clusters; of shapes diameters, twice file, thirteen times equivalent_diameter
    EXPECT_EQ(n, 60u);
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
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
    const std::string file = source_path("jobs/case-reference.toml");
    if (std::getenv("GRANARY_WRITE_REFERENCE")) std::ofstream(file) << case_reference();
    EXPECT_EQ(read_case_text(file), case_reference()) << "GRANARY_WRITE_REFERENCE=1 renews it";
}

}  // namespace
}  // namespace granary
