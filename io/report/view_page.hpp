// The 3D view as a part of a page: the data as JSON and the script (view.js) that draws them. The page allows this one
// script, by its hash, and nothing else.
#pragma once
#include <array>
#include <string>
#include <vector>
#include "io/report/view_data.hpp"

namespace granary {

// "" if there is nothing to show.
std::string view_figure(const RunFolder& run, const ViewData& view);

// 'sha256-...' of the script, for the page's content security policy.
std::string view_script_source();

}  // namespace granary
