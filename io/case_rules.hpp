// What the table of keys cannot say: rules between keys. A rule is left out if a key it needs is unsound already.
#pragma once
#include "io/case.hpp"
#include "io/case_problem.hpp"

namespace granary {

void check_names(const Case& c, CaseReport& report);      // given once, and known where they are used
void check_run(const Case& c, CaseReport& report);        // length of the run, intervals, file names, no balls at all
void check_materials(const Case& c, CaseReport& report);  // what the law needs
void check_geometry(const Case& c, CaseReport& report);   // domain, boxes and radii, periodic lengths, walls, outlets

inline void check_rules(const Case& c, CaseReport& report) {
    check_names(c, report), check_run(c, report), check_materials(c, report), check_geometry(c, report);
}

}  // namespace granary
