// How long the stages of a case will take and how far its balls fall, worked out before anything runs. Estimates: they
// choose how often something is written and tell the user what to expect, and decide nothing that a ball feels.
#pragma once
#include <optional>
#include <string>
#include <vector>
#include "engine/setup.hpp"
#include "plan/stage.hpp"
#include "io/case/case.hpp"
#include "io/case/case_numbers.hpp"

namespace granary {

// The balls of a case.
struct Grain {
    double count = 0, mass = 0, volume = 0;  // of all that will ever be; kg, m^3 of solid
    // Those that are there at the start, the box around their centres in the axes inside.
    double start_count = 0, start_mass = 0, start_volume = 0;
    Vec3d lower, upper;

    double density() const { return volume > 0 ? mass / volume : 0; }  // of the solid
    double diameter() const;                                           // of the ball of mean volume
};

// The greatest height through which balls fall before they meet something, m: from where a rain or an inlet lets them
// in down to the lowest wall; of balls that are put in all at once, the gap below them and what they lack to a dense
// bed. Where walls move about, from the highest to the lowest. At most the height of the domain.
double fall_height(const Case& c, const Setup& setup, const Grain& grain);

// What comes out of a discharge.
struct OutflowEstimate {
    double rate = 0;    // kg/s; 0: not known, or the opening is too narrow
    double widest = 0;  // m, width of the widest opening; 0: not known
    std::string text;   // where it comes from
    bool blocked = false;
};
OutflowEstimate outflow_of(const Case& c, const Setup& setup, std::size_t stage, const Grain& grain);

// One for each stage. notes: what was estimated how, a line each. remarks: balls that do not pass.
std::vector<StagePlan> estimate_stages(const Case& c, const Setup& setup, const std::vector<Stage>& stages,
                                       const Grain& grain, std::vector<std::string>& notes,
                                       std::vector<std::string>& remarks);

}  // namespace granary
