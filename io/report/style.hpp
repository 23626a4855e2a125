// The style sheet of a report: cards in as many columns as fit, light or dark as the reader likes it, quiet on paper.
#pragma once
#include <string>

namespace granary {

std::string report_style();

}  // namespace granary
