// What the probes of a case will write, worked out before anything runs, and which of them will write nothing.
#pragma once
#include <span>
#include <string>
#include <vector>
#include "io/case/case.hpp"
#include "io/case/case_check_report.hpp"

namespace granary {

std::vector<CheckReport::ProbeFiles> probe_files(const std::vector<ProbeSpec>& probes,
                                                 const std::vector<StagePlan>& stages, std::size_t n_walls,
                                                 std::size_t n_materials);

// outflow.csv, if every ball leaves.
CheckReport::ProbeFiles outflow_file(double balls);

// breaks.csv, if every bond breaks.
CheckReport::ProbeFiles breaks_file(double bonds);

// One text for each probe that will not look even once.
std::vector<std::string> probe_remarks(const std::vector<ProbeSpec>& probes, const std::vector<StagePlan>& stages);

}  // namespace granary
