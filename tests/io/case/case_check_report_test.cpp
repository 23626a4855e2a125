#include "io/case/case_check_report.hpp"
#include <gtest/gtest.h>

namespace granary {
namespace {

CheckReport silo() {
    CheckReport r;
    r.file = "silo.toml", r.title = "Demo silo";
    r.balls = {15000, 2.3456789, 0.0025, 0.0035};
    r.n_walls = 3, r.n_outlets = 1;
    r.domain = {{-0.1, -0.1, -0.05}, {0.1, 0.1, 0.6}, {false, true, false}};
    r.cubes.count = {26, 25, 86}, r.cubes.edge = {0.0075, 0.008, 0.0075}, r.cubes.skin = 0.0005;
    r.cubes.filled_layers = 60;
    r.cores = 16;
    r.dt = 5e-6, r.speed = 3.5;
    r.materials = {{"glass", 0.0025, 2.5e-5}};
    PairScale p;
    p.first = "glass", p.second = "glass";
    p.values.young = 5.5e6, p.values.shear = 1.1e6, p.values.restitution = 0.5, p.values.friction = 0.4;
    p.zeta = 0.2155, p.stiffness = 1234.5, p.damping = 0.0625, p.overlap_share = 0.015, p.contact_time = 4e-4;
    PairScale w = p;
    w.second = "st\xC3\xA5l", w.at_wall = true, w.contact_time = 5e-4;
    r.pairs = {p, w};
    r.stages = {{"fill", 2, 5e-6, 0, 15000, false}, {"discharge", 10, 5e-6, 15000, 0, true}};
    r.core_speed = 5e6;
    r.machine_memory = 16e9;
    r.states = {5, 4.47e6}, r.frames = {200, 0.6e6};
    return r;
}

TEST(CheckReport, Bonds) {
    CheckReport r = silo();
    const std::string before = check_text(r);
    EXPECT_EQ(before.find("bond"), std::string::npos);
    r.n_clusters = 500, r.n_bonds = 27000, r.bond_reach = 3e-4;
    r.bonds = {{"glue", "cube", 0.005, 0.0025, 6, 2.5e-5, "shear"}};
    const std::string text = check_text(r);
    for (const char* line :
         {"\nbonds       27 000 in 500 clusters; when stretched they span gaps up to 300 um\n",
          "\n  bond  cluster  smallest radius  length  bonds per element  fastest mode  stable step  dt is\n"
          "  glue  cube              2.5 mm    5 mm                  6         shear        25 us   20 %\n",
          " bytes per ball, and 8.5 MB of bonds)"})
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
    EXPECT_NE(text.find("no warnings"), std::string::npos);
    r.n_clusters = 0;  // not known
    r.bonds[0].stable_step = 6e-6;
    EXPECT_NE(check_text(r).find("\nbonds       27 000; when stretched"), std::string::npos);
    EXPECT_NE(check_text(r).find(
                  "dt is 83.3 % of the step above which bonds \"glue\" of \"cube\" become unstable; above 66.7 %"),
              std::string::npos)
        << check_text(r);
}

TEST(CheckReport, Text) {
    EXPECT_EQ(check_text(silo()),
              R"(silo.toml: Demo silo
balls       15 000 of radius 2.5 mm to 3.5 mm, 2.346 kg
walls       3, outlets 1
domain      x -0.1 to 0.1 m, y -0.1 to 0.1 m (periodic), z -0.05 to 0.6 m
cells       26 x 25 x 86 of 7.5 mm x 8 mm x 7.5 mm, skin 500 um; slabs along z
law         hertz-mindlin; contacts below: smallest balls, impact at 3.5 m/s
dt          5e-06 s

  material  smallest radius  Rayleigh time  dt is
  glass              2.5 mm          25 us   20 %

  pair           between       E* Pa    G* Pa  restitution  friction  damping  k N/m  c N s/m  overlap  contact time   dt is
  glass - glass  balls       5.5e+06  1.1e+06          0.5       0.4   0.2155   1234   0.0625    1.5 %        400 us  1.25 %
  glass - stål   ball, wall  5.5e+06  1.1e+06          0.5       0.4   0.2155   1234   0.0625    1.5 %        500 us     1 %

  stage              time    dt              steps        balls
  fill                2 s  5 us            400 000  0 to 15 000
  discharge  at most 10 s  5 us  at most 2 000 000  15 000 to 0

memory      4.8 MB, 5.2 MB at the peak (320 and 350 bytes per ball); this machine has 16 GB
disk        at most 142 MB: 5 states of 4.5 MB, 200 frames of 600 kB
work        at most 2 400 000 steps, 1.8e+10 ball-steps; about 1 core-hours at 5e+06 ball-steps/s per core
wall time   about 60 min on 1 rank, each on a core of that speed
ranks       at most 30 are useful (60 layers of search cells with balls, two per rank)
cores       this machine has 16 cores: best used by mpirun -n 15 granary run, which leaves 1 idle
no warnings
)");
}

std::string line_of(const std::string& text, const std::string& start) {
    const std::size_t at = text.find("\n" + start) + 1;
    return at == 0 ? "no line " + start : text.substr(at, text.find('\n', at) - at);
}

TEST(CheckReport, ColumnsOfOtherLaws) {
    CheckReport r = silo();
    r.law = LawSettings::Type::linear;
    r.materials.clear();
    EXPECT_EQ(check_text(r).find("Rayleigh"), std::string::npos);
    EXPECT_EQ(
        line_of(check_text(r), "  pair"),
        "  pair           between     restitution  friction  damping  k N/m  c N s/m  overlap  contact time   dt is");
    r.law = LawSettings::Type::kelvin_voigt;
    r.pairs[0].values.cohesion = 0.25;
    EXPECT_EQ(line_of(check_text(r), "  pair"),
              "  pair           between     damping  k N/m  c N s/m  cohesion N  overlap  contact time   dt is");
    EXPECT_EQ(line_of(check_text(r), "  glass - glass"),
              "  glass - glass  balls        0.2155   1234   0.0625        0.25    1.5 %        400 us  1.25 %");
    EXPECT_EQ(line_of(check_text(r), "law "),
              "law         kelvin-voigt; contacts below: smallest balls, impact at 3.5 m/s");
}

TEST(CheckReport, SmallThings) {
    CheckReport r = silo();
    r.title.clear();
    r.dt_chosen = true;
    r.balls.radius_max = r.balls.radius_min;
    r.cubes.edge = {0.0075, 0.0075, 0.0075};
    r.cubes.slab_axis = 0;
    r.core_speed = 0, r.machine_memory = 0;
    r.stages.pop_back();
    const std::string text = check_text(r);
    EXPECT_EQ(text.substr(0, text.find('\n')), "silo.toml");
    EXPECT_EQ(line_of(text, "balls"), "balls       15 000 of radius 2.5 mm, 2.346 kg");
    EXPECT_EQ(line_of(text, "cells"), "cells       26 x 25 x 86 of 7.5 mm, skin 500 um; slabs along x");
    EXPECT_EQ(line_of(text, "dt"), "dt          5e-06 s (chosen by dt = \"auto\")");
    EXPECT_EQ(line_of(text, "work"), "work        400 000 steps, 3e+09 ball-steps");
    EXPECT_EQ(line_of(text, "memory"), "memory      4.8 MB, 5.2 MB at the peak (320 and 350 bytes per ball)");
    r.states.count = 1, r.frames.count = 1, r.checkpoints = {1, 4.47e6};
    EXPECT_EQ(line_of(check_text(r), "disk"),
              "disk        at most 9.5 MB: 1 state of 4.5 MB, 1 frame of 600 kB, 1 checkpoint of 4.5 MB");
    r.detector_bytes = 100;
    EXPECT_EQ(line_of(check_text(r), "memory"), "memory      6.3 MB, 6.8 MB at the peak (420 and 450 bytes per ball)");
}

// A stage that nobody has given a time: estimated, or told to be without a limit, but never counted as nothing.
TEST(CheckReport, StagesWithoutATime) {
    CheckReport r = silo();
    r.stages[1].time = 0, r.stages[1].expected = 8;
    r.estimates = {"the stage \"discharge\": about 0.3 kg/s"};
    r.speed_source = "measured", r.ranks = 4;
    EXPECT_EQ(line_of(check_text(r), "  discharge"), "  discharge  about 8 s  5 us  about 1 600 000  15 000 to 0");
    EXPECT_EQ(line_of(check_text(r), "estimate"), "estimate    the stage \"discharge\": about 0.3 kg/s");
    EXPECT_EQ(
        line_of(check_text(r), "work"),
        "work        about 2 000 000 steps, 1.5e+10 ball-steps; about 0.83 core-hours at 5e+06 ball-steps/s per core, "
        "measured");
    // 1.5e10/5e6/4 = 750 s, and each rank of 15 layers does a sixteenth: 800 s.
    EXPECT_EQ(line_of(check_text(r), "wall time"), "wall time   about 13 min on 4 ranks, each on a core of that speed");
    r.stages[1].time = 10;
    EXPECT_EQ(line_of(check_text(r), "  discharge"),
              "  discharge  about 8 s, at most 10 s  5 us  about 1 600 000  15 000 to 0");
    r.stages[1].time = 10.00001;  // whole steps
    EXPECT_EQ(line_of(check_text(r), "  discharge"),
              "  discharge  about 8 s, at most 10 s  5 us  about 1 600 000  15 000 to 0");
    r.stages[1].time = 86400.00001, r.stages[1].expected = 0;
    EXPECT_NE(line_of(check_text(r), "  discharge").find("at most 86400 s"), std::string::npos);
    r.stages[1].time = r.stages[1].expected = 0;
    EXPECT_EQ(line_of(check_text(r), "  discharge"), "  discharge  no limit  5 us  no limit  15 000 to 0");
    EXPECT_EQ(
        line_of(check_text(r), "work"),
        "work        at most 400 000 steps, 3e+09 ball-steps; about 0.17 core-hours at 5e+06 ball-steps/s per core, "
        "measured; the stage \"discharge\" has no time limit and is not included: 200 000 steps, 0.17 "
        "core-hours per simulated second");
    r.ranks = 31;
    EXPECT_EQ(warnings_of(r), std::vector<std::string>{"31 ranks are too many for this case: use at most 30"});
}

TEST(CheckReport, NamesCannotBreakLines) {
    CheckReport r = silo();
    r.title = "two\nlines";
    r.materials[0].material = "a\nb";
    r.warnings = {"c\nd"};
    const std::string text = check_text(r);
    EXPECT_NE(text.find("two?lines"), std::string::npos);
    EXPECT_NE(text.find("a?b"), std::string::npos);
    EXPECT_NE(text.find("warning: c?d\n"), std::string::npos);
}

TEST(CheckReport, Warnings) {
    CheckReport r = silo();
    EXPECT_TRUE(warnings_of(r).empty());  // 20 % of the Rayleigh time is still careful

    r.dt = 5.5e-6;
    EXPECT_EQ(warnings_of(r), std::vector<std::string>{
                                  "dt is 22 % of the Rayleigh time of glass; above 20 % contacts are resolved poorly"});
    r.dt = 1.1e-5;
    EXPECT_EQ(warnings_of(r), std::vector<std::string>{"dt is 44 % of the Rayleigh time of glass; above 20 % contacts "
                                                       "are resolved poorly, above 40 % a run is likely to blow up"});
    r = silo();
    r.pairs[1].contact_time = 3.9e-5;
    EXPECT_EQ(warnings_of(r), std::vector<std::string>{"dt is 12.8 % of the contact time of glass - st\xC3\xA5l; above "
                                                       "12.5 % a run is likely to blow up"});
    r = silo();
    r.pairs[0].overlap_share = 0.124;  // soft grain that lands: for a moment
    EXPECT_TRUE(warnings_of(r).empty());
    r.pairs[0].overlap_share = 0.131;
    EXPECT_EQ(warnings_of(r),
              std::vector<std::string>{"glass - glass overlap by 13.1 % of a radius on impact at 3.5 "
                                       "m/s; above 12.5 % the law is only approximate; use a higher stiffness"});
    r = silo();
    r.pairs[0].zeta = 1.5;
    EXPECT_EQ(warnings_of(r), std::vector<std::string>{"glass - glass are overdamped (damping 1.5 of critical): they "
                                                       "do not rebound"});
    r = silo();
    r.balls.count = 50'000'000;
    EXPECT_EQ(warnings_of(r), std::vector<std::string>{"the run needs 18 GB of memory at its peak, this machine has 16 "
                                                       "GB: use more machines"});
    r.warnings = {"of the case"};
    const std::string text = check_text(r);
    EXPECT_EQ(
        text.substr(text.find("warning:")),
        "warning: of the case\nwarning: the run needs 18 GB of memory at its peak, this machine has 16 GB: use more "
        "machines\n");
}

}  // namespace
}  // namespace granary
