// Where the sources lie, for tests that read cases or data of the project. A function and not a macro, so that compiled
// tests are the same in every clone and a compiler cache can share them.
#pragma once
#include <string>

namespace granary {

std::string source_path(const std::string& path);  // path from the top of the project

}  // namespace granary
