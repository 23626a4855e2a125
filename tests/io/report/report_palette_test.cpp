// The colours of the report can be read: contrast as WCAG 2.1 defines it (relative luminance of sRGB), on both grounds,
// by day and by night.
#include "io/report/palette.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>

namespace granary {
namespace {

double luminance(const std::string& hex) {
    EXPECT_EQ(hex.size(), 7u) << hex;
    double l = 0;
    const double weight[] = {0.2126, 0.7152, 0.0722};
    for (std::size_t k = 0; k < 3; ++k) {
        const double c = static_cast<double>(std::strtol(hex.substr(1 + 2 * k, 2).c_str(), nullptr, 16)) / 255;
        l += weight[k] * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
    }
    return l;
}

double contrast(const char* a, const char* b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST(ReportPalette, TheMeasureItself) {
    EXPECT_NEAR(contrast("#000000", "#ffffff"), 21, 1e-9);
    EXPECT_NEAR(contrast("#777777", "#ffffff"), 4.48, 0.01);  // the known grey that just fails
}

TEST(ReportPalette, EveryInkAndCurveStandsOut) {
    std::set<std::string> day, night;
    const auto check = [&](const Colour& c) {
        for (const Colour& ground : {page_ground, card_ground}) {
            EXPECT_GE(contrast(c.day, ground.day), 4.5) << c.name << " by day on " << ground.name;
            EXPECT_GE(contrast(c.night, ground.night), 4.5) << c.name << " by night on " << ground.name;
        }
        EXPECT_TRUE(day.insert(c.day).second) << c.name;
        EXPECT_TRUE(night.insert(c.night).second) << c.name;
    };
    for (const Colour& c : inks) check(c);
    for (const Colour& c : curve_colours) check(c);
    // Words stand on the bars of the phase table, too.
    EXPECT_GE(contrast(inks[1].day, faint[2].day), 4.5);
    EXPECT_GE(contrast(inks[1].night, faint[2].night), 4.5);
}

TEST(ReportPalette, CurvesDifferWithoutColours) {
    EXPECT_EQ(std::set<std::string>(curve_dashes.begin(), curve_dashes.end()).size(), curve_colours.size());
}

}  // namespace
}  // namespace granary
