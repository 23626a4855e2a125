#include "run/run_status.hpp"

#include <fmt/chrono.h>
#include <ctime>
#include "core/errors.hpp"
#include "core/version.hpp"
#include "io/formats/json.hpp"
#include "io/formats/text_file.hpp"

namespace granary {

bool write_status(const std::string& folder, const RunStatus& s) {
    JsonWriter json;
    json.begin_object().member("status", s.status).member("step", s.step).member("time", s.time);
    json.key("checkpoint");
    if (s.checkpoint.empty()) json.null();
    else json.value(s.checkpoint);
    json.member("ranks", s.ranks).member("message", s.message).member("program", fmt::format("granary {}", version));
    json.member("written", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))));
    json.end();
    try {
        write_text_file(folder + "/" + status_file, json.text());
    } catch (const RunError&) {
        return false;
    }
    return true;
}

std::string status_in(const std::string& folder) {
    std::string text;
    try {
        text = read_text_file(folder + "/" + status_file);
    } catch (const InputError&) {
        return {};
    }
    const std::string opening = "\"status\": \"";
    const std::size_t at = text.find(opening);
    if (at == std::string::npos) return {};
    const std::size_t begin = at + opening.size();
    return text.substr(begin, text.find('"', begin) - begin);
}

}  // namespace granary
