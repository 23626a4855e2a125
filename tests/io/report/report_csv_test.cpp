#include "io/report/csv.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace granary {
namespace {

TEST(ReportCsv, NumbersByColumn) {
    const CsvTable t = csv_table("time_s,step,force_z_N:floor\n0,0,-1.5\n0.1,100,inf\n");
    ASSERT_EQ(t.rows, 2u);
    EXPECT_EQ(t.names, (std::vector<std::string>{"time_s", "step", "force_z_N:floor"}));
    ASSERT_NE(t.find("step"), nullptr);
    EXPECT_EQ(*t.find("step"), (std::vector<double>{0, 100}));
    EXPECT_EQ((*t.find("force_z_N:floor"))[0], -1.5);
    EXPECT_TRUE(std::isinf((*t.find("force_z_N:floor"))[1]));
    EXPECT_EQ(t.find("steps"), nullptr);
    EXPECT_EQ(t.left_out, 0u);
}

// The run may be writing: half a row must not become a wrong number, not even if it has all its commas.
TEST(ReportCsv, HalfARowAtTheEndIsLeftOut) {
    for (const char* half : {"0.2", "0.2,3", "0.2,30", ""}) {
        const CsvTable t = csv_table(std::string("time_s,step\n0,0\n0.1,10\n") + half);
        EXPECT_EQ(t.rows, 2u) << half;
        EXPECT_EQ(t.find("step")->back(), 10) << half;
        EXPECT_EQ(t.left_out, 0u) << half;
    }
    EXPECT_TRUE(csv_table("").empty());
    EXPECT_TRUE(csv_table("time_s,st").names.empty());  // not even the header was finished
    EXPECT_TRUE(csv_table("time_s,step\n").empty());
}

TEST(ReportCsv, DamagedRowsAndCells) {
    const CsvTable t = csv_table("time_s,step\n0,0\n0.1\n0.2,3,4\n# a remark\n\n0.3,word\r\n0.4, 7 \n");
    EXPECT_EQ(t.left_out, 2u);
    ASSERT_EQ(t.rows, 3u);
    EXPECT_EQ((*t.find("time_s"))[1], 0.3);
    EXPECT_TRUE(std::isnan((*t.find("step"))[1]));
    EXPECT_EQ((*t.find("step"))[2], 7);
}

TEST(ReportCsv, QuotedNames) {
    const CsvTable t = csv_table("time_s,\"force_z_N:left, \"\"upper\"\" wall\"\n0,1\n");
    EXPECT_EQ(t.names.at(1), "force_z_N:left, \"upper\" wall");
}

TEST(ReportCsv, NamesTellQuantityUnitAndOwner) {
    const auto is = [](const char* header, const char* quantity, const char* unit, const char* of) {
        const ColumnName n = column_name(header);
        EXPECT_EQ(n.quantity, quantity) << header;
        EXPECT_EQ(n.unit, unit) << header;
        EXPECT_EQ(n.of, of) << header;
    };
    is("force_z_N:floor", "force z", "N", "floor");
    is("mass_flow_kg_per_s", "mass flow", "kg/s", "");
    is("torque_x_N_m:big_wheel", "torque x", "N m", "big_wheel");
    is("steps_per_second", "steps per second", "", "");
    is("kinetic_energy_J", "kinetic energy", "J", "");
    is("imbalance", "imbalance", "", "");
    is("balls_out:a:b", "balls out", "", "a:b");
    is("_N", " N", "", "");  // a unit of nothing is none
}

}  // namespace
}  // namespace granary
