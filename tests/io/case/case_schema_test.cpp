// The table of keys itself: complete, consistent, and with defaults that pass their own checks.
#include "io/case/case_schema.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <set>
#include "core/columns.hpp"
#include "io/formats/toml_tree.hpp"

namespace granary {
namespace {

TEST(CaseSchema, KeysAreUniqueAndBelongToSections) {
    std::set<std::string> seen;
    for (const KeyRow& key : case_keys()) {
        EXPECT_TRUE(find_section(key.section)) << key.name;
        EXPECT_TRUE(seen.insert(std::string(key.section) + "." + key.name).second) << key.section << "." << key.name;
        EXPECT_STRNE(key.doc, "") << key.name;
        EXPECT_EQ(find_key(key.section, key.name), &key);
    }
}

TEST(CaseSchema, ExtrasReferToWhatIsThere) {
    for (const KeyRow& key : case_keys()) {
        for (const std::string& rival : split_list(key.extra.rivals)) {
            const KeyRow* other = find_key(key.section, rival);
            ASSERT_TRUE(other) << rival;
            const std::vector<std::string> back = split_list(other->extra.rivals);
            EXPECT_NE(std::find(back.begin(), back.end(), key.name), back.end()) << key.name << " and " << rival;
        }
        for (const std::string& word : split_list(key.extra.only)) {
            const KeyRow* selector = selector_of(key);
            ASSERT_TRUE(selector) << key.name;
            const std::vector<std::string> words = split_list(selector->extra.choices);
            EXPECT_NE(std::find(words.begin(), words.end(), word), words.end()) << key.name << " " << word;
        }
        if (*key.extra.by) {
            EXPECT_STRNE(key.extra.only, "") << key.name;
        }
        if (*key.extra.unless) {
            EXPECT_TRUE(find_section(key.extra.unless)) << key.name;
        }
        const bool is_choice = key.type == ValueType::choice || key.type == ValueType::choices;
        EXPECT_EQ(is_choice, !split_list(key.extra.choices).empty()) << key.name;
    }
}

TEST(CaseSchema, DefaultsAndExamplesAreToml) {
    for (const KeyRow& key : case_keys()) {
        const bool is_selector = std::string(find_section(key.section)->selector) == key.name;
        const char* toml = key.preset.kind == KeyDefault::Kind::value ? key.preset.toml : key.example;
        if (is_selector && *toml == '\0') continue;  // its words are the example
        EXPECT_NO_THROW(parse_toml_value(toml)) << key.name;
    }
}

TEST(CaseSchema, StandInsAreSections) {
    for (const SectionRow& section : case_sections())
        if (*section.stand_in) {
            EXPECT_TRUE(find_section(section.stand_in)) << section.name;
        }
}

// A key may depend on a selector that itself depends on another one.
TEST(CaseSchema, KeysFitTheWordsOfTheirSelectors) {
    const KeyRow &rate = *find_key("stages", "rate"), &width = *find_key("silo", "width");
    EXPECT_TRUE(fit(rate, {{"type", "fill"}, {"method", "rain"}}).yes());
    const KeyFit packed = fit(rate, {{"type", "fill"}, {"method", "pack"}});
    EXPECT_TRUE(packed.no());
    EXPECT_EQ(packed.culprit, &rate);
    const KeyFit settling = fit(rate, {{"type", "settle"}, {"method", "rain"}});
    EXPECT_TRUE(settling.no());
    EXPECT_EQ(settling.culprit, find_key("stages", "method"));
    EXPECT_EQ(fit(rate, {{"type", ""}, {"method", "rain"}}).answer, KeyFit::Answer::unknown);
    EXPECT_EQ(fit(rate, {{"type", "fill"}, {"method", ""}}).answer, KeyFit::Answer::unknown);
    EXPECT_TRUE(fit(rate, {{"type", ""}, {"method", "pack"}}).no());
    EXPECT_TRUE(fit(width, default_selection(*find_section("silo"))).no());
    EXPECT_EQ(default_selection(*find_section("stages")),
              (Selected{{"type", ""}, {"method", "rain"}, {"sizes", "uniform"}}));
}

// What frames can show is decided by the table of fields and by what follows from it.
TEST(CaseSchema, FieldsOfFramesAreThere) {
    for (const std::string& name : split_list(find_key("output", "fields")->extra.choices)) {
        const auto row = std::find_if(fields.begin(), fields.end(), [&](const FieldRow& f) { return f.name == name; });
        if (row == fields.end()) EXPECT_TRUE(name == "speed" || name == "mass") << name;
        else EXPECT_TRUE(row->is(field::shown)) << name;
    }
}

TEST(CaseSchema, BoundsNeverAcceptNaN) {
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(KeyBounds{}.accept(std::nan("")));
    EXPECT_FALSE((KeyBounds{0, inf, false, false}.accept(std::nan(""))));
    EXPECT_FALSE(KeyBounds{}.accept(inf));
    EXPECT_FALSE(KeyBounds{}.accept(-inf));
    EXPECT_TRUE((KeyBounds{0, inf, true, false}.accept(inf)));
    EXPECT_FALSE((KeyBounds{0, 1, true, false}.accept(0)));
    EXPECT_TRUE((KeyBounds{0, 1, true, false}.accept(1)));
    EXPECT_FALSE((KeyBounds{0, 1, false, true}.accept(1)));
    EXPECT_TRUE((KeyBounds{0, 1, false, true}.accept(0)));
    for (const KeyRow& key : case_keys()) EXPECT_FALSE(key.bounds.accept(std::nan(""))) << key.name;
}

TEST(CaseSchema, DescribesWhatIsExpected) {
    EXPECT_EQ(describe_expected(*find_key("run", "dt")), "\"auto\" or a number in s, above 0");
    EXPECT_EQ(describe_expected(*find_key("run", "skin")), "\"auto\" or a number in m, above 0");
    EXPECT_EQ(describe_expected(*find_key("bodies", "jitter")), "a number, from 0 to 1");
    EXPECT_EQ(describe_expected(*find_key("materials", "young")), "a number in Pa, above 0, or inf");
    EXPECT_EQ(describe_expected(*find_key("bodies", "counts")),
              "three integers [nx, ny, nz], each from 1 to 4294967295");
}

}  // namespace
}  // namespace granary
