// `granary sweep`: many runs of one case. It makes a folder with the list of runs, every combination of the values
// given, each checked like a case of its own; jobs/submit --sweep runs them, as a job array or one after the other;
// --gather puts the results in one table.
//
//   DIR/sweep.tsv     first line: "case", the case file; then a line a run: its name, key=value, key=value, ... (tabs
//   between) DIR/001, ...      the results of each run DIR/results.csv   a row a run: name, label, values varied,
//   status, the report's key numbers, last row of its series.csv, digest DIR/compare.html  the same as a page, if there
//   are not too many
#pragma once
#include <boost/mpi/communicator.hpp>
#include <string>
#include <vector>

namespace granary {

struct SweepOptions {
    std::string case_or_folder;     // the case; to gather: the folder
    std::vector<std::string> vary;  // key=value,value,...; key=first:last:step
    std::vector<std::string> sets;  // key=value, for all runs
    std::string out;                // folder; empty: the case's name and "-sweep"
    bool gather = false;
};

// What is told to the user. Collective; only the first rank works. Throws InputError: a key without values, a case that
// is wrong with some values (all such are told), a folder that is taken.
std::string sweep(const boost::mpi::communicator& comm, const SweepOptions& options);

// "walls.floor.friction=0.2,0.3" to its key and values; commas in brackets, braces and quotes do not part. A value of
// three numbers first:last:step is a range, with both ends.
struct Variation {
    std::string key;
    std::vector<std::string> values;
};
Variation read_variation(const std::string& text);

// What tells a run from the others: "friction=0.1, d_h=0.12"; of keys that end alike, enough of their beginnings. Only
// keys that differ.
std::vector<std::string> labels_of(const std::vector<std::vector<std::string>>& runs);

// Every combination, the last key changing fastest; each as key=value.
std::vector<std::vector<std::string>> combinations(const std::vector<Variation>& variations);

}  // namespace granary
