#include "support/source_folder.hpp"

namespace granary {

std::string source_path(const std::string& path) { return std::string(GRANARY_SOURCE_DIR "/") + path; }

}  // namespace granary
