// What a report makes of the tables that probes write: pressures beside laws, loads, layers, tables with many columns.
#include "io/report/curves.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include "io/report/curve_parts.hpp"
#include "io/report/key_numbers.hpp"
#include "io/report/page.hpp"

namespace granary {
namespace {

using Numbers = std::vector<double>;

RunFolder silo_run() {
    RunFolder run;
    run.name = "a", run.title = "A", run.gravity = {0, 0, -9.81};
    run.stage_types = {"fill", "settle", "discharge"};
    run.stages = {{1, "filled: 10 of 10 balls"}, {2, "settled: 1e-9 J a ball"}, {4, "empty"}};
    return run;
}

std::vector<std::string> names_of(const Plot& p) {
    std::vector<std::string> names;
    for (const Curve& c : p.curves) names.push_back(c.name);
    return names;
}

const Curve& curve_in(const Plot& p, const std::string& name) {
    static const Curve none;
    for (const Curve& c : p.curves)
        if (c.name == name) return c;
    ADD_FAILURE() << "no curve " << name;
    return none;
}

// Averages of 0.5 s: the wall is loaded from 1 s on, at rest until 2 s, then the pressure peaks at another time at each
// height.
const char* const pressures =
    "time_s,from_s,looks,height_m,normal_Pa,normal_most_Pa,shear_Pa,vertical_Pa,janssen_normal_Pa,en_fill_normal_Pa,en_"
    "discharge_normal_Pa\n"
    "1.5,1,9,0.1,90,999,9,80,1,1,1\n1.5,1,9,0.2,40,999,4,30,1,1,1\n"
    "2,1.5,9,0.1,100,999,10,90,101,102,103\n2,1.5,9,0.2,50,999,5,40,51,52,53\n"
    "2.5,2,9,0.1,130,999,13,90,7,7,7\n2.5,2,9,0.2,60,999,6,40,7,7,7\n"
    "3,2.5,9,0.1,120,999,12,90,7,7,7\n3,2.5,9,0.2,80,999,8,40,7,7,7\n"
    "4,3.5,9,0.1,1,999,0,1,0,0,0\n4,3.5,9,0.2,0,999,0,0,0,0,0\n";

TEST(ReportPressures, EndOfFillingAndEnvelopeOfTheDischarge) {
    RunFolder run = silo_run();
    run.pressures.push_back({"cylinder", csv_table(pressures)});
    std::vector<Plot> plots;
    add_pressures(plots, run);
    ASSERT_EQ(plots.size(), 3u);
    std::vector<std::string> tabs;
    for (const Plot& p : plots) {
        EXPECT_EQ(p.title, "Pressure on cylinder");
        EXPECT_LE(p.curves.size(), most_curves);
        tabs.push_back(p.tab);
    }
    EXPECT_EQ(tabs, (std::vector<std::string>{"normal", "wall friction", "vertical"}));
    const Plot& p = plots[0];
    EXPECT_EQ(names_of(p),
              (std::vector<std::string>{"measured, end of filling", "measured, discharge, largest", "measured, last",
                                        "Janssen", "EN 1991-4, filling", "EN 1991-4, discharge"}));
    EXPECT_EQ(curve_in(p, "measured, end of filling").x, (Numbers{100, 50}));
    EXPECT_EQ(curve_in(p, "measured, discharge, largest").x, (Numbers{130, 80}));
    EXPECT_EQ(curve_in(p, "measured, last").x, (Numbers{1, 0}));
    EXPECT_EQ(curve_in(p, "Janssen").x, (Numbers{101, 51}));  // of the full silo, not of the empty one
    EXPECT_EQ(curve_in(p, "EN 1991-4, discharge").x, (Numbers{103, 53}));
    EXPECT_EQ(p.curves[0].y, (Numbers{0.1, 0.2}));
    // What was measured is bold; each law has one colour, and no two curves look the same.
    EXPECT_TRUE(p.curves[0].bold && p.curves[1].bold);
    EXPECT_TRUE(std::none_of(p.curves.begin() + 2, p.curves.end(), [](const Curve& c) { return c.bold; }));
    EXPECT_EQ(p.curves[4].colour, p.curves[5].colour);
    EXPECT_NE(p.curves[4].dash, p.curves[5].dash);
    EXPECT_NE(p.curves[3].colour, p.curves[4].colour);
    ASSERT_EQ(largest_pressures(run).size(), 1u);
    EXPECT_EQ(largest_pressures(run)[0].value, 130);
}

TEST(ReportPressures, BeforeTheDischarge) {
    RunFolder run = silo_run();
    run.stages.resize(1);
    run.pressures.push_back(
        {"cylinder", csv_table(std::string(pressures).substr(0, std::string(pressures).find("2.5,2,")))});
    std::vector<Plot> plots;
    add_pressures(plots, run);
    ASSERT_FALSE(plots.empty());
    EXPECT_EQ(plots[0].curves[0].name, "measured");
    EXPECT_EQ(plots[0].curves[0].x, (Numbers{100, 50}));
    EXPECT_EQ(plots[0].curves.size(), 4u);
}

TEST(ReportPressures, Compared) {
    std::vector<RunFolder> runs{silo_run(), silo_run()};
    runs[1].name = "b", runs[1].stage_types = {"fill", "settle"};
    for (RunFolder& run : runs) run.pressures.push_back({"cylinder", csv_table(pressures)});
    std::vector<Plot> plots;
    add_pressures_compared(plots, runs);
    ASSERT_EQ(plots.size(), 2u);
    EXPECT_EQ(names_of(plots[0]), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(plots[0].curves[0].x, (Numbers{100, 50}));
    EXPECT_EQ(plots[0].curves[1].x, (Numbers{1, 0}));  // no discharge in its case: the last average
    EXPECT_EQ(names_of(plots[1]), (std::vector<std::string>{"a"}));
    EXPECT_EQ(plots[1].curves[0].x, (Numbers{130, 80}));
}

TEST(ReportTables, LoadsWithoutTheirBookkeeping) {
    RunFolder run = silo_run();
    run.others.push_back(
        {"loads-all",
         csv_table("time_s,from_s,samples,weight_N,carried_N,inertia_N,rest_share,force_x_N:floor,down_N:floor,"
                   "down_most_N:floor,down_N:shell,down_most_N:shell\n"
                   "1,0,10,5,4.9,0.1,0.01,0.3,3,3.5,1.9,2.5\n2,1,10,6,5.9,0.1,0.01,0.3,4,4.5,1.9,2.5\n")});
    std::vector<Plot> plots;
    add_tables(plots, run);
    ASSERT_EQ(plots.size(), 2u);
    EXPECT_EQ(plots[0].title, "Loads: all");
    EXPECT_EQ(names_of(plots[0]), (std::vector<std::string>{"floor", "shell", "all walls", "weight"}));
    EXPECT_EQ(plots[0].curves[0].y, (Numbers{3, 4}));
    EXPECT_EQ(names_of(plots[1]), (std::vector<std::string>{"floor", "shell"}));
    EXPECT_EQ(plots[1].curves[0].y, (Numbers{3.5, 4.5}));
    EXPECT_NE(plots[0].tab, plots[1].tab);
}

TEST(ReportTables, AllBandsAreShown) {
    std::string text = "time_s", first = "0", last = "1";
    for (int k = 0; k < 14; ++k)
        text += ",balls:band " + std::to_string(k), first += ",100", last += "," + std::to_string(50 + k);
    RunFolder run = silo_run();
    run.others.push_back({"bands-layers", csv_table(text + ",balls:other\n" + first + ",0\n" + last + ",3\n")});
    std::vector<Plot> plots;
    add_tables(plots, run);
    ASSERT_EQ(plots.size(), 4u);  // all, and six at a time
    EXPECT_TRUE(plots[0].stacked);
    EXPECT_EQ(plots[0].title, "Layers");
    ASSERT_EQ(plots[0].curves.size(), 14u);
    EXPECT_EQ(plots[0].curves[13].y, (Numbers{100, 63}));
    std::vector<std::string> seen;
    for (std::size_t k = 1; k < 4; ++k) {
        EXPECT_LE(plots[k].curves.size(), most_curves);
        EXPECT_EQ(plots[k].title, plots[0].title);
        for (const std::string& name : names_of(plots[k])) seen.push_back(name);
    }
    EXPECT_EQ(seen.size(), 14u);
    EXPECT_EQ(plots[3].curves[1].name, "band 13");
    EXPECT_EQ(plots[3].curves[1].y, (Numbers{100, 63}));  // per cent of the 100 balls that it had
}

// Tables of other probes: never more than six curves in a picture, by quantity where there are several.
TEST(ReportTables, ManyColumns) {
    std::string text = "time_s,step", row = "0,0", next = "1,1";
    for (const char* quantity : {"x", "y"})
        for (int k = 0; k < 9; ++k)
            text += std::string(",") + quantity + "_m:ball " + std::to_string(k), row += ",1", next += ",2";
    RunFolder run = silo_run();
    run.others.push_back({"track", csv_table(text + ",share\n" + row + ",0.5\n" + next + ",0.6\n")});
    std::vector<Plot> plots;
    add_tables(plots, run);
    std::size_t curves = 0;
    std::vector<std::string> tabs;
    for (const Plot& p : plots) {
        EXPECT_LE(p.curves.size(), most_curves);
        curves += p.curves.size();
        tabs.push_back(p.tab);
    }
    EXPECT_EQ(curves, 19u);
    EXPECT_EQ(tabs, (std::vector<std::string>{"x 1–6", "x 7–9", "y 1–6", "y 7–9", ""}));
}

TEST(ReportTables, ManyWallsBesideTheWeight) {
    std::string text = "time_s,mass_inside_kg", row = "0,1", next = "1,1";
    for (int w = 0; w < 8; ++w)
        for (const char* axis : {"x", "y", "z"})
            text += std::string(",force_") + axis + "_N:wall " + std::to_string(w), row += ",-1", next += ",-2";
    RunFolder run = silo_run();
    run.series = csv_table(text + "\n" + row + "\n" + next + "\n");
    std::size_t walls = 0, weights = 0;
    for (const Plot& p : plots_of(run)) {
        if (p.title != "Load on the walls") continue;
        std::size_t named = 0;
        for (const Curve& c : p.curves) {
            if (c.faint) continue;
            ++named;
            (c.name == "weight inside" ? weights : walls) += 1;
        }
        EXPECT_LE(named, most_curves);
    }
    EXPECT_EQ(walls, 8u);
    EXPECT_EQ(weights, 2u);
}

TEST(ReportKeyNumbers, StalledIsRed) {
    RunFolder run = silo_run();
    EXPECT_EQ(stage_ends(run).words, "filled, settled, empty");
    EXPECT_EQ(run_page(run, "today").find("class=\"bad"), std::string::npos);
    run.stages.back().text =
        "stalled: no ball has left for 0.5 s, 312 are inside (an arch, or grain at rest beside the outlet)";
    EXPECT_TRUE(stage_ends(run).stalled);
    EXPECT_NE(
        run_page(run, "today").find("<div class=\"bad words\"><dt>Stages ended</dt><dd>filled, settled, stalled</dd>"),
        std::string::npos);
}

TEST(ReportKeyNumbers, LargestLoads) {
    RunFolder run = silo_run();
    run.series = csv_table(
        "time_s,force_x_N:a,force_y_N:a,force_z_N:a,force_x_N:b,force_y_N:b,force_z_N:b\n"
        "0,9,9,-1,0,0,2\n1,9,9,-7,0,0,-3\n2,9,9,-2,0,0,1\n");
    std::vector<std::string> values;
    for (const KeyNumber& k : key_numbers(run))
        if (k.name.starts_with("Largest load")) values.push_back(k.name + " " + k.value);
    EXPECT_EQ(values,
              (std::vector<std::string>{"Largest load on a wall 7", "Largest load on a 7", "Largest load on b 3"}));
}

}  // namespace
}  // namespace granary
