// The report of folders as runs leave them: whole, still running, broken off, damaged, of another version.
#include "io/report/report.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <filesystem>
#include <fstream>
#include "core/errors.hpp"
#include "io/report/curves.hpp"
#include "io/report/html.hpp"
#include "io/report/key_numbers.hpp"
#include "io/formats/text_file.hpp"
#include "support/message_of.hpp"
#include "support/scratch_folder.hpp"

namespace granary {
namespace {

namespace fs = std::filesystem;
using test::message_of;

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
}

void put(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

const std::string png = std::string("\x89PNG\r\n\x1a\n", 8) + "....." + std::string("\0\0\0\0IEND\xae\x42\x60\x82", 12);

// 10 kg let in during 1 s, out at 2 kg/s from 2 s to 7 s.
std::string series(int rows) {
    std::string s =
        "time_s,step,balls_inserted,balls_inside,balls_out,mass_in_kg,mass_inside_kg,mass_out_kg,"
        "mass_flow_kg_per_s,kinetic_energy_J,largest_overlap_share,force_x_N:floor,force_y_N:floor,force_z_N:floor,"
        "steps_per_second,imbalance\n";
    for (int k = 0; k < rows; ++k) {
        const double t = 0.1 * k, in = std::min(10.0, 10 * t), out = std::clamp(2 * (t - 2), 0.0, 10.0);
        s += std::to_string(t) + "," + std::to_string(100 * k) + ",1000," +
             std::to_string(static_cast<int>(100 * (in - out))) + "," + std::to_string(static_cast<int>(100 * out)) +
             "," + std::to_string(in) + "," + std::to_string(in - out) + "," + std::to_string(out) + "," +
             (t > 2 && t <= 7 ? "2" : "0") + ",0.5,0.031,1,2," + std::to_string(-9.81 * (in - out)) + ",5000,1.25\n";
    }
    return s;
}

class Report : public testing::Test {
  protected:
    void whole_run(const std::string& name) {
        const std::string f = folder_ / name;
        put(f + "/as-run.toml",
            "# granary run a.toml --set 'x=<1>'\n# granary 0.1.0 (abc), GNU\n\ntitle = \"Rye & \\\"wheat\\\" <b>\"\n"
            "gravity = [0.0, 0.0, -9.81]\n[run]\ndt = 1e-3\n[[walls]]\nname = \"floor\"\nmaterial = \"steel\"\n");
        put(f + "/log.txt",
            "Rye: 1000 balls, 2 ranks, 3 x 3 x 3 cubes\nwarning: <soft> grain (3 times)\n"
            "t = 1 s, step 1000: filled: 1000 of 1000 balls\nt = 7 s, step 7000: empty\nresults a/\ndigest "
            "0123456789abcdef\n");
        put(f + "/series.csv", series(81));
        put(f + "/phases.json",
            R"({"ranks": 2, "steps": 8000, "wall_s": 125.0, "ball_steps_per_second": 2.5e6, "imbalance": 0.02, "phases": [
              {"name": "pairs", "share": 0.6, "min_s": 70, "mean_s": 75, "max_s": 80, "ns_per_ball_step": 61.5},
              {"name": "never", "share": 0, "min_s": 0, "mean_s": 0, "max_s": 0, "ns_per_ball_step": null}]})");
    }
    std::string page_of(const std::string& name) { return read_text_file(write_report(folder_ / name)); }
    std::string number(const RunFolder& run, const std::string& name) {
        for (const KeyNumber& k : key_numbers(run))
            if (k.name == name) return k.value;
        return "no such number";
    }
    const test::ScratchFolder folder_;
};

TEST_F(Report, OfAWholeRun) {
    whole_run("a");
    put(folder_ / "a/insitu/front_000100.png", png + "old");
    put(folder_ / "a/insitu/front_001000.png", png);
    put(folder_ / "a/insitu/half.png", png.substr(0, 14));
    EXPECT_EQ(write_report(folder_ / "a"), folder_ / "a/report.html");
    const std::string page = read_text_file(folder_ / "a/report.html");
    for (const char* text :
         {"<h1>Rye &amp; &quot;wheat&quot; &lt;b&gt;</h1>", "<span class=\"state good\">finished</span>",
          "<code>granary run a.toml --set &#39;x=&lt;1&gt;&#39;</code>", "<li>&lt;soft&gt; grain (3 times)</li>",
          "<h3>Mass</h3>", "<h3>Flow rate</h3>", "<h3>Kinetic energy</h3>", "<h3>Load on the walls</h3>",
          "<h3>Speed</h3>", "<h3>Imbalance over ranks</h3>", "<h3>Largest overlap</h3>", "as-run.toml: every key",
          ">filled</text>", "front_001000.png</p>"})
        EXPECT_GE(count(page, text), 1u) << text;
    EXPECT_EQ(count(page, "<h3>Energy balance</h3>"), 0u);
    EXPECT_EQ(count(page, "data:image/png;base64," + base64(png) + "\""), 1u);
    EXPECT_EQ(count(page, "<img"), 1u);  // the last of a series, and no half picture
    EXPECT_EQ(count(page, "<script"), 0u);
    EXPECT_EQ(count(page, "http://") + count(page, "https://"), 0u);
    EXPECT_EQ(count(page, ">pairs</th><td>60.0&nbsp;%"), 1u);
    EXPECT_EQ(count(page, ">never</th>"), 0u);
    EXPECT_EQ(count(page, "<figure"), count(page, "</figure>"));
    EXPECT_EQ(count(page, "<svg"), count(page, "</svg>"));
    EXPECT_FALSE(fs::exists(folder_ / "a/report.html.part"));

    const RunFolder run = read_run_folder(folder_ / "a");
    EXPECT_EQ(run.ranks, 2);
    EXPECT_NEAR(mean_outflow(run), 2, 1e-5);
    EXPECT_EQ(number(run, "Mean outflow"), "2");
    EXPECT_EQ(number(run, "Wall time"), "2:05");
    EXPECT_EQ(number(run, "Mass out"), "10");
    EXPECT_EQ(number(run, "Largest overlap"), "3.1");
    // The load along gravity is the weight, and it stands beside it.
    for (const Plot& p : plots_of(run))
        if (p.title == "Load on the walls") {
            ASSERT_EQ(p.curves.size(), 3u);  // mean, every value, weight
            EXPECT_FALSE(p.curves[0].faint);
            EXPECT_TRUE(p.curves[1].faint);
            for (std::size_t k = 0; k < 81; ++k) EXPECT_NEAR(p.curves[1].y[k], p.curves[2].y[k], 1e-4);
            EXPECT_NEAR(p.curves[0].y[15], 98.1, 1e-4);
        }
}

// Several outlets: the flow through each, as a mean; it is the share of each in the mass that went out.
TEST_F(Report, FlowThroughEachOutlet) {
    whole_run("a");
    EXPECT_EQ(count(page_of("a"), "Flow through each outlet"), 0u);
    std::string rows = "time_s,mass_in_kg,mass_out_kg,mass_out_kg:left,mass_out_kg:right\n";
    for (int k = 0; k <= 400; ++k) {  // 30 and 10 g a second, three and one at a time
        const int left = 3 * (k / 10), right = k / 10;
        rows += std::to_string(0.01 * k) + ",10," + std::to_string(0.001 * (left + right)) + "," +
                std::to_string(0.001 * left) + "," + std::to_string(0.001 * right) + "\n";
    }
    put(folder_ / "a/series.csv", rows);
    EXPECT_EQ(count(page_of("a"), "<h3>Flow through each outlet</h3>"), 1u);
    for (const Plot& p : plots_of(read_run_folder(folder_ / "a")))
        if (p.title == "Flow through each outlet") {
            ASSERT_EQ(p.curves.size(), 2u);
            EXPECT_EQ(p.curves[0].name, "left");
            for (const std::size_t k : {100u, 203u, 311u}) {
                EXPECT_NEAR(p.curves[0].y[k], 0.030, 0.003);
                EXPECT_NEAR(p.curves[1].y[k], 0.010, 0.001);
            }
        }
}

TEST_F(Report, WhileTheRunGoesOn) {
    whole_run("a");
    fs::remove(folder_ / "a/phases.json");
    put(folder_ / "a/log.txt", "Rye: 1000 balls, 2 ranks\n");
    const std::string text = series(40);
    put(folder_ / "a/series.csv", text.substr(0, text.size() - 25));
    const std::string page = page_of("a");
    EXPECT_EQ(count(page, "<span class=\"state warn\">not finished</span>"), 1u);
    EXPECT_EQ(count(page, "There is no phases.json"), 1u);
    EXPECT_EQ(count(page, "<h3>Mass</h3>"), 1u);
    const RunFolder run = read_run_folder(folder_ / "a");
    EXPECT_EQ(run.series.rows, 39u);
    EXPECT_EQ(number(run, "Wall time"), "0:01");  // 3800 steps at 5000 a second
    EXPECT_EQ(number(run, "Ball-steps per second"), "");
}

// What an earlier run has left in the folder is not shown as if it were of this one.
TEST_F(Report, NotWithFilesOfAnEarlierRun) {
    whole_run("a");
    put(folder_ / "a/old.png", png);
    put(folder_ / "a/log.txt", "Rye: 1000 balls, 1 rank\n");
    const auto now = fs::file_time_type::clock::now();
    fs::last_write_time(folder_ / "a/as-run.toml", now);
    for (const char* file : {"a/phases.json", "a/old.png"})
        fs::last_write_time(folder_ / file, now - std::chrono::hours(2));
    const RunFolder run = read_run_folder(folder_ / "a");
    EXPECT_FALSE(run.phases);
    EXPECT_TRUE(run.pictures.empty());
    EXPECT_EQ(run.ranks, 1);
}

TEST_F(Report, OfAFailedRun) {
    whole_run("a");
    put(folder_ / "a/log.txt", "Rye: 1000 balls, 2 ranks\nthe run has failed:\nlost: ball <7> has left\nthe domain\n");
    const std::string page = page_of("a");
    EXPECT_EQ(count(page, "<span class=\"state bad\">failed</span>"), 1u);
    EXPECT_EQ(count(page, "role=\"alert\">lost: ball &lt;7&gt; has left\nthe domain</p>"), 1u);
}

TEST_F(Report, OfScraps) {
    const std::pair<const char*, std::string> scraps[] = {{"log.txt", "Rye: 1000 ba"},
                                                          {"series.csv", "time_s,st"},
                                                          {"series.csv", "time_s,step\n"},
                                                          {"series.csv", "a,b\n1,2\n"},
                                                          {"as-run.toml", "title = \"Ry"},
                                                          {"series.csv", "time_s\nnan\n"},
                                                          {"series.csv", std::string("\0\xff\n\0\n", 6)}};
    int n = 0;
    for (const auto& [file, text] : scraps) {
        const std::string name = "scrap" + std::to_string(n++);
        put(folder_ / (name + "/" + file), text);
        put(folder_ / (name + "/phases.json"), "{\"ranks\": 2, \"pha");
        const std::string page = page_of(name);
        EXPECT_EQ(count(page, "There is no time series yet"), 1u) << file << ": " << text;
        EXPECT_EQ(count(page, "</html>"), 1u);
    }
}

TEST_F(Report, OfNothing) {
    EXPECT_EQ(message_of<InputError>([&] { write_report(folder_ / "none"); }),
              (folder_ / "none") + " is not a folder (expected the results folder of a run)");
    fs::create_directories(folder_ / "empty");
    EXPECT_EQ(message_of<InputError>([&] { write_report(folder_ / "empty"); }),
              (folder_ / "empty") + " contains no results of a run (no series.csv, as-run.toml or log.txt)");
    whole_run("a");
    EXPECT_THROW(write_report(folder_ / "a", folder_ / "no/where.html"), RunError);
}

// Means over the mass that left in each row, weighted with it; the file with a row a ball is not drawn.
TEST_F(Report, ResidenceTimeAndComposition) {
    whole_run("a");
    EXPECT_EQ(count(page_of("a"), "Residence time"), 0u);
    std::string rows = "time_s,mass_in_kg,mass_out_kg,residence_time_s,outflow_share:grain,outflow_share:chaff\n";
    double out = 0;
    for (int k = 0; k <= 400;
         ++k) {  // from 10 s on every other row 3 kg after 2 s of rye alone, every other 1 kg after 6 s
        const bool leaves = k > 100, heavy = k % 2 == 0;
        if (leaves) out += heavy ? 3 : 1;
        rows += std::to_string(0.1 * k) + ",800," + std::to_string(out) +
                (!leaves ? ",nan,nan,nan\n"
                 : heavy ? ",2,1,0\n"
                         : ",6,0,1\n");
    }
    put(folder_ / "a/series.csv", rows);
    put(folder_ / "a/outflow.csv",
        "time_s,id,radius_m,mass_kg,material,outlet,entry_time_s\n10.1,7,0.1,1,rye,hole,4.1\n");
    const RunFolder run = read_run_folder(folder_ / "a");
    EXPECT_EQ(number(run, "Mean residence time"), "3");
    std::size_t seen = 0;
    for (const Plot& p : plots_of(run)) {
        EXPECT_NE(p.title, "outflow");
        if (p.title == "Residence time") {
            EXPECT_TRUE(std::isnan(p.curves.at(0).y[50]));
            EXPECT_NEAR(p.curves.at(0).y[300], 3, 0.2);
            ++seen;
        }
        if (p.title == "Composition of the outflow") {
            ASSERT_EQ(p.curves.size(), 2u);
            EXPECT_EQ(p.curves[1].name, "chaff");
            EXPECT_NEAR(p.curves[0].y[300], 75, 5);
            EXPECT_NEAR(p.curves[0].y[300] + p.curves[1].y[300], 100, 1e-6);
            ++seen;
        }
    }
    EXPECT_EQ(seen, 2u);
}

// Columns and files that others add are shown by their names.
TEST_F(Report, WhatElseThereIs) {
    whole_run("a");
    put(folder_ / "a/series.csv",
        "time_s,kinetic_energy_J,potential_energy_J,work_of_walls_J\n0,1,2,3\n1,2,1,3\n2,2.5,0.5,3\n");
    put(folder_ / "a/pressure-big cylinder.csv",
        "time_s,z_m,angle_deg,normal_Pa,janssen_Pa\n0,0.1,0,9,9\n1,0.1,0,100,130\n1,0.1,180,140,130\n1,0.2,0,50,60\n1,"
        "0.2,180,70,60\n");
    put(folder_ / "a/probe.csv", "time_s,step,speed_m_per_s:a,speed_m_per_s:b,porosity\n0,0,1,2,0.4\n1,9,2,3,0.41\n");
    const std::vector<Plot> plots = plots_of(read_run_folder(folder_ / "a"));
    std::vector<std::string> titles;
    for (const Plot& p : plots) titles.push_back(p.title);
    EXPECT_EQ(titles, (std::vector<std::string>{"Kinetic energy", "Energy balance", "Pressure on big cylinder",
                                                "probe, m/s", "probe: porosity"}));
    ASSERT_EQ(plots.size(), 5u);
    EXPECT_EQ(plots[1].curves.size(), 3u);
    EXPECT_EQ(plots[1].curves[2].name, "work of walls");
    ASSERT_EQ(plots[2].curves.size(), 2u);
    EXPECT_TRUE(plots[2].curves[0].bold);
    EXPECT_EQ(plots[2].curves[1].name, "Janssen");
    EXPECT_EQ(plots[2].curves[0].x, (std::vector<double>{120, 60}));  // last time, mean over the angles
    EXPECT_EQ(plots[2].curves[0].y, (std::vector<double>{0.1, 0.2}));
    EXPECT_EQ(plots[3].curves[1].name, "speed of b");
    EXPECT_EQ(plots[3].y_unit, "m/s");
}

TEST_F(Report, RunsCompared) {
    whole_run("one/a");
    whole_run("two/a");
    put(folder_ / "two/a/series.csv", series(50));
    put(folder_ / "two/a/as-run.toml",
        "title = \"Rye\"\n[run]\ndt = 2e-3\n[[walls]]\nname = \"floor\"\nmaterial = \"steel\"\n");
    const std::string folders[] = {folder_ / "one/a", folder_ / "two/a"};
    EXPECT_EQ(write_comparison(folders, folder_ / "c.html"), folder_ / "c.html");
    const std::string page = read_text_file(folder_ / "c.html");
    EXPECT_EQ(count(page, "<h1>2 runs compared</h1>"), 1u);
    EXPECT_EQ(count(page, "<code>run.dt</code></th><td>0.001</td><td>0.002</td>"), 1u);
    EXPECT_EQ(count(page, "<code>walls.floor.material</code>"), 0u);  // the same in both
    EXPECT_EQ(count(page, "Simulated time, s</th><td>8</td><td>4.9</td>"), 1u);
    EXPECT_GE(count(page, "<strong>" + folders[1] + "</strong>"), 1u);  // both are called a
    for (const char* title : {"Mass inside", "Mass out", "Flow rate", "Kinetic energy", "Load on all walls", "Speed"})
        EXPECT_EQ(count(page, std::string("<h3>") + title + "</h3>"), 1u) << title;
    EXPECT_EQ(count(page, "<script"), 0u);
}

TEST(ReportCurves, MeanOverAWindow) {
    const std::vector<double> x{0, 1, 2, 3, 4}, y{0, 3, 6, std::nan(""), 8};
    EXPECT_EQ(smoothed(x, y, 2), (std::vector<double>{1.5, 3, 4.5, 7, 8}));
    EXPECT_EQ(smoothed(x, std::vector<double>{1, 2, 3, 4, 5}, 0), (std::vector<double>{1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace granary
