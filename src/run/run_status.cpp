#include "run/run_status.hpp"

#include <fmt/chrono.h>
#include <ctime>
#include <nlohmann/json.hpp>
#include "core/errors.hpp"
#include "core/version.hpp"
#include "io/formats/json.hpp"
#include "io/formats/text_file.hpp"

namespace granary {

bool write_status(const std::string& folder, const RunStatus& s) {
    const Json json{{"status", s.status},
                    {"step", s.step},
                    {"time", s.time},
                    {"checkpoint", s.checkpoint.empty() ? Json(nullptr) : Json(s.checkpoint)},
                    {"ranks", s.ranks},
                    {"message", s.message},
                    {"program", fmt::format("granary {}", version)},
                    {"written", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))}};
    try {
        write_text_file(folder + "/" + status_file, json_lines(json));
    } catch (const RunError&) {
        return false;
    }
    return true;
}

std::string status_word(std::string_view text) { return text_or(parse_json(text), "status", ""); }

std::string status_in(const std::string& folder) {
    try {
        return status_word(read_text_file(folder + "/" + status_file));
    } catch (const InputError&) {
        return {};
    }
}

}  // namespace granary
