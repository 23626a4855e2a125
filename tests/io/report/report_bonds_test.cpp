// What a report shows of bonds.
#include "io/report/bond_curves.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "io/report/curve_parts.hpp"
#include "io/report/curves.hpp"
#include "io/report/key_numbers.hpp"

namespace granary {
namespace {

RunFolder bonded_run() {
    RunFolder run;
    run.series = csv_table(
        "time_s,step,bonds_whole,bonds_broken,bonds_broken:tension,bonds_broken:shear,bonds_broken:bending,"
        "bonds_broken:reach,bonds_cut,pieces,single_bodies\n"
        "0,0,100,0,0,0,0,0,0,4,0\n1,10,90,10,7,3,0,0,0,5,2\n2,20,50,48,40,8,0,0,2,9,11\n");
    return run;
}

TEST(ReportBonds, CausesThatOccurAndAllOfThem) {
    const std::vector<Plot> plots = bond_plots(bonded_run());
    ASSERT_EQ(plots.size(), 2u);
    ASSERT_EQ(plots[0].curves.size(), 3u);
    EXPECT_EQ(plots[0].curves[0].y, (std::vector<double>{0, 10, 48}));
    EXPECT_EQ(plots[0].curves[1].name, "tension");
    EXPECT_EQ(plots[0].curves[2].y, (std::vector<double>{0, 3, 8}));
    ASSERT_EQ(plots[1].curves.size(), 2u);
    EXPECT_EQ(plots[1].curves[1].y, (std::vector<double>{0, 2, 11}));
    EXPECT_TRUE(bond_plots(RunFolder()).empty());
    std::vector<std::string> titles;
    for (const Plot& p : plots_of(bonded_run())) titles.push_back(p.title);
    EXPECT_NE(std::find(titles.begin(), titles.end(), "Broken bonds"), titles.end());
}

TEST(ReportBonds, KeyNumbers) {
    std::string all;
    for (const KeyNumber& k : key_numbers(bonded_run()))
        if (!k.value.empty()) all += k.name + " " + k.value + "; ";
    for (const char* text : {"Bonds whole 50; ", "Bonds broken 48; ", "Bonds cut at outlets 2; ", "Pieces 9; "})
        EXPECT_NE(all.find(text), std::string::npos) << text << " in " << all;
    RunFolder plain;
    plain.series = csv_table("time_s,step\n0,0\n");
    for (const KeyNumber& k : key_numbers(plain))
        if (k.name.starts_with("Bonds") || k.name == "Pieces") {
            EXPECT_EQ(k.value, "");
        }
}

TEST(ReportBonds, SieveCurves) {
    NamedTable table{"fragments-ore", csv_table("time_s,from_m,to_m,pieces,bodies,mass_kg,mass_share,passing_share\n"
                                                "0,0.004,0.008,3,81,3,1,1\n"
                                                "1,0.001,0.002,9,9,1,0.25,0.25\n1,0.002,0.004,0,0,0,0,0.25\n"
                                                "1,0.004,0.008,2,54,3,0.75,1\n")};
    const std::vector<Plot> plots = fragment_plots(table);
    ASSERT_EQ(plots.size(), 2u);
    EXPECT_EQ(plots[0].title, "Sizes of fragments: ore");
    ASSERT_EQ(plots[0].curves.size(), 2u);
    EXPECT_EQ(plots[0].curves[1].x, (std::vector<double>{1, 2, 4, 8}));
    EXPECT_EQ(plots[0].curves[1].y, (std::vector<double>{0, 25, 25, 100}));
    ASSERT_EQ(plots[1].curves.size(), 3u);
    EXPECT_EQ(plots[1].curves[1].name, "d50");
    EXPECT_NEAR(plots[1].curves[1].y[0], 6, 1e-12);
    EXPECT_NEAR(plots[1].curves[1].y[1], 4 + 4.0 / 3, 1e-12);
    EXPECT_NEAR(plots[1].curves[0].y[1], 1.4, 1e-12);
    // The class above the last sieve has no end, and what is not in it may be less than a share.
    EXPECT_TRUE(std::isnan(sieve_of({1, 2}, {0, 0.4}, 0.5)));
    RunFolder run = bonded_run();
    run.others.push_back(table);
    std::vector<Plot> kept;
    add_tables(kept, run);
    ASSERT_EQ(kept.size(), 2u);
    EXPECT_EQ(kept[0].x_unit, "mm");
}

}  // namespace
}  // namespace granary
