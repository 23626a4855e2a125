// A table of numbers read back from a CSV file of a run (io/log/series.hpp writes them), by a reader that expects
// little: the run may be writing at this moment or may have been cut off, and other programs add columns and files of
// their own.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace granary {

struct CsvTable {
    std::vector<std::string> names;            // of the columns, unquoted
    std::vector<std::vector<double>> columns;  // NaN where a cell holds no number
    std::size_t rows = 0;
    std::size_t left_out =
        0;  // rows with another number of cells than the header; half a line at the end does not count

    const std::vector<double>* find(std::string_view name) const;  // nullptr: no such column
    bool empty() const { return rows == 0; }
};

// Never throws: what cannot be used is left out. A last line without its line end is half written and left out.
CsvTable csv_table(std::string_view text);

// force_z_N:floor is the quantity "force z" in "N" of "floor".
struct ColumnName {
    std::string quantity;  // words, not underscores
    std::string unit;      // for the eye: kg/s; empty: a pure number
    std::string of;
};
ColumnName column_name(std::string_view header);

}  // namespace granary
