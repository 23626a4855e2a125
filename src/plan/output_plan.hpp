// How often a run writes if its case leaves it open, and how much that is. Decided before the run from numbers that all
// ranks share, and kept by checkpoints: a run that is resumed goes on in the same rhythm.
//   series_every   a row every 1/500 of the time that the run is expected to take (stage_estimates.hpp)
//   log_every      a line every 1/100 of it
//   frames_every   a frame every 1/50 of it; fewer, but two, where 50 frames would take more than 2 GB
// rounded to a number that is easy to read. A stage that has no limit and cannot be estimated counts 10 s.
#pragma once
#include "plan/stage_estimates.hpp"
#include "io/case/case.hpp"
#include "io/case/case_check_report.hpp"
#include "io/frames/frame_fields.hpp"

namespace granary {

// bonds: of a run with bonds, where balls also show the piece that they belong to unless the case names its fields;
// shapes: of a run with shapes, where all have shape and orientation.
FrameOptions frame_options(const OutputSpec& output, bool bonds = false, bool shapes = false);

// Bytes of a frame with all balls inside: every_nth and the fields are known, and in a region there are no more balls
// than fit.
double frame_bytes(const OutputSpec& output, double count, double mean_volume, bool bonds = false, bool shapes = false);

// Numbers in place of what is open; what was chosen is noted. frame: bytes.
void choose_output(OutputSpec& output, const std::vector<StagePlan>& stages, double frame, ResolvedNotes& chosen);

}  // namespace granary
