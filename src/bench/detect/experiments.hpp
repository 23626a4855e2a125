// The experiments of `granary bench detect`, each adding its rows to the table. RunError where a check fails.
#pragma once
#include <string>
#include <vector>
#include "bench/bench_detect.hpp"
#include "bench/detect/result_table.hpp"

namespace granary {

// Munjiza 2006, examples I (number of bodies) and II, III, IV (spacing along one, two, three axes).
void munjiza_example_1(const BenchDetect& options, ResultTable& table);
void munjiza_example_2_to_4(int example, const BenchDetect& options, ResultTable& table);

// Munjiza 2006, figure 32: MMR on the size distribution (36), by number and by mass, against MR; eq. (34).
void mmr_sizes(const BenchDetect& options, ResultTable& table);

// Lazarević 2002, figure 5, and the choice of Delta in (6).
void lazarevic_figure_5(const BenchDetect& options, ResultTable& table);
void delta_sweep(const BenchDetect& options, ResultTable& table);

// MR re-sort of a bed that has moved, against sorting anew.
void resort(const BenchDetect& options, ResultTable& table);

// What they share.
void tell(const std::string& line);  // progress
std::vector<std::string> chosen(const BenchDetect& options, std::vector<std::string> otherwise);

}  // namespace granary
