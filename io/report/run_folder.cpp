#include "io/report/run_folder.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include "core/errors.hpp"
#include "io/formats/json.hpp"
#include "io/formats/toml_tree.hpp"

namespace granary {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_pictures = 6, largest_picture = 3'000'000, deepest_folder = 2;  // bytes

// "" if it cannot be read: a report of the rest is better than none.
std::string text_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

std::string value_text(const TomlNode& node) {
    switch (node.kind) {
        case TomlNode::Kind::text: return node.text;
        case TomlNode::Kind::integer: return fmt::format("{}", node.integer);
        case TomlNode::Kind::number: return fmt::format("{}", node.number);
        case TomlNode::Kind::boolean: return node.boolean ? "true" : "false";
        case TomlNode::Kind::date: return node.text;
        case TomlNode::Kind::array:
        case TomlNode::Kind::table: break;
    }
    std::string s;
    for (const TomlNode& item : node.items) s += (s.empty() ? "" : ", ") + value_text(item);
    return "[" + s + "]";
}

// Parts of lists are known by their names where they have one: walls.floor.material.
void flatten(const TomlNode& node, const std::string& path, std::vector<std::pair<std::string, std::string>>& keys) {
    const bool tables =
        node.kind == TomlNode::Kind::array && !node.items.empty() && node.items.front().kind == TomlNode::Kind::table;
    if (node.kind != TomlNode::Kind::table && !tables) {
        keys.emplace_back(path, value_text(node));
        return;
    }
    for (std::size_t k = 0; k < node.items.size(); ++k) {
        const TomlNode& item = node.items[k];
        const TomlNode* name = tables ? item.find("name") : nullptr;
        const std::string part = !tables                                  ? item.key
                                 : name != nullptr && !name->text.empty() ? name->text
                                                                          : std::to_string(k);
        flatten(item, path.empty() ? part : path + "." + part, keys);
    }
}

void read_case_of(RunFolder& run) {
    const std::vector<std::string> lines = lines_of(run.as_run);
    std::vector<std::string> comments;
    for (const std::string& line : lines) {
        if (!line.starts_with("#")) break;
        comments.push_back(line.substr(std::min<std::size_t>(2, line.size())));
    }
    if (!comments.empty()) run.command = comments[0];
    if (comments.size() > 1) run.made_by = comments[1];
    try {
        const TomlNode tree = parse_toml(run.as_run);
        flatten(tree, "", run.keys);
        if (const TomlNode* title = tree.find("title")) run.title = title->text;
        if (const TomlNode* materials = tree.find("materials"))
            for (const TomlNode& material : materials->items) {
                const TomlNode* name = material.find("name");
                run.materials.push_back(name == nullptr ? "" : name->text);
            }
        if (const TomlNode* stages = tree.find("stages"))
            for (const TomlNode& stage : stages->items) {
                const TomlNode* type = stage.find("type");
                run.stage_types.push_back(type == nullptr ? "" : type->text);
            }
        if (const TomlNode* g = tree.find("gravity"); g != nullptr && g->items.size() == 3)
            for (std::size_t k = 0; k < 3; ++k)
                run.gravity[k] = g->items[k].kind == TomlNode::Kind::integer ? static_cast<double>(g->items[k].integer)
                                                                             : g->items[k].number;
    } catch (const TomlSyntaxError&) {  // cut off: the text itself is shown
    }
}

// t = 1.968 s, step 65600: filled: 14000 of 14000 balls
bool stage_in(const std::string& line, RunStage& stage) {
    if (!line.starts_with("t = ")) return false;
    const auto [end, error] = std::from_chars(line.data() + 4, line.data() + line.size(), stage.time);
    const std::string rest(end, line.data() + line.size());
    if (error != std::errc() || !rest.starts_with(" s, step ")) return false;
    const std::size_t colon = rest.find(": ");
    if (colon == std::string::npos) return false;
    stage.text = rest.substr(colon + 2);
    return true;
}

// A run that was stopped goes on with the same stage; one that was resumed from before the end of a stage ends it
// again, at the same time.
void add_stage(RunFolder& run, const RunStage& stage) {
    if (!run.stages.empty() && run.stages.back().text.starts_with("stopped: ")) run.stages.pop_back();
    for (std::size_t k = 0; k < run.stages.size(); ++k)
        if (run.stages[k].time == stage.time && run.stages[k].text == stage.text) return;
    run.stages.push_back(stage);
}

void read_log_of(RunFolder& run, const std::string& text) {
    const std::vector<std::string> lines = lines_of(text);
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const std::string& line = lines[k];
        RunStage stage;
        if (line.starts_with("warning: ")) run.warnings.push_back(line.substr(9));
        else if (stage_in(line, stage)) add_stage(run, stage);
        else if (line.starts_with("digest ")) run.digest = line.substr(7), run.ended = RunFolder::Ended::well;
        else if (line == "the run has failed:") {
            run.ended = RunFolder::Ended::failed;
            for (++k; k < lines.size(); ++k) run.error += (run.error.empty() ? "" : "\n") + lines[k];
        } else if (const std::size_t at = line.find(" rank"); run.ranks == 0 && at != std::string::npos) {
            std::size_t begin = at;
            while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
            if (begin < at && begin >= 2 && line[begin - 2] == ',') std::from_chars(&line[begin], &line[at], run.ranks);
        }
    }
}

void read_tables_of(RunFolder& run, const std::vector<fs::path>& files) {
    for (const fs::path& file : files) {
        if (file.extension() != ".csv" || file.filename() == "series.csv" || !run.is_own(file)) continue;
        // A row a ball, a row a bond, perhaps millions; the series has their sums.
        if (file.filename() == "outflow.csv" || file.filename() == "breaks.csv") continue;
        const std::string stem = file.stem().string();
        NamedTable t{stem, csv_table(text_of(file))};
        if (t.table.empty()) continue;
        if (stem.starts_with("pressure-")) {
            t.name = stem.substr(9);
            run.pressures.push_back(std::move(t));
        } else if (t.table.names.front() == "time_s") {
            run.others.push_back(std::move(t));
        }
    }
}

// Pictures of one series differ in their numbers only; the last of each is shown, the newest series first.
void read_pictures_of(RunFolder& run, const fs::path& folder) {
    std::map<std::string, fs::path> last;
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && it != end; it.increment(error)) {
        if (it.depth() >= static_cast<int>(deepest_folder)) it.disable_recursion_pending();
        if (it->path().extension() != ".png" || !it->is_regular_file(error) || !run.is_own(it->path())) continue;
        std::string series = it->path().lexically_relative(folder).string();
        series.erase(std::remove_if(series.begin(), series.end(), [](char c) { return c >= '0' && c <= '9'; }),
                     series.end());
        fs::path& known = last[series];
        if (known.empty() || known.string().size() < it->path().string().size() ||
            (known.string().size() == it->path().string().size() && known < it->path()))
            known = it->path();
    }
    for (const auto& [series, file] : last) {
        if (run.pictures.size() == most_pictures) break;
        RunPicture picture{file.lexically_relative(folder).string(), ""};
        const auto size = fs::file_size(file, error);
        if (!error && size <= largest_picture) picture.bytes = text_of(file);
        const bool whole = picture.bytes.starts_with("\x89PNG\r\n\x1a\n") &&
                           std::string_view(picture.bytes).substr(picture.bytes.size() - 8, 4) == "IEND";
        if (whole || (!error && size > largest_picture)) run.pictures.push_back(std::move(picture));
    }
}

}  // namespace

std::optional<PhaseRecord> phases_in(std::string_view text) {
    const Json json = parse_json(text);
    if (!json.is_object() || !json.contains("phases") || !json["phases"].is_array()) return std::nullopt;
    PhaseRecord p;
    p.ranks = number_or(json, "ranks", 0), p.steps = number_or(json, "steps", 0), p.wall = number_or(json, "wall_s", 0);
    p.ball_steps_per_second = number_or(json, "ball_steps_per_second", 0),
    p.imbalance = number_or(json, "imbalance", 0);
    for (const Json& row : json["phases"])
        p.lines.push_back({text_or(row, "name", "?"), number_or(row, "share", 0), number_or(row, "min_s", 0),
                           number_or(row, "mean_s", 0), number_or(row, "max_s", 0),
                           number_or(row, "ns_per_ball_step", std::numeric_limits<double>::quiet_NaN())});
    return p;
}

double RunFolder::last(std::string_view column) const {
    const std::vector<double>* c = series.find(column);
    return c == nullptr || c->empty() ? std::numeric_limits<double>::quiet_NaN() : c->back();
}

double RunFolder::most(std::string_view column) const {
    const std::vector<double>* c = series.find(column);
    double most = std::numeric_limits<double>::quiet_NaN();
    if (c != nullptr)
        for (const double v : *c)
            if (!(most >= v) && std::isfinite(v)) most = v;
    return most;
}

bool RunFolder::is_own(const std::string& file) const {
    std::error_code failure;
    if (ended == Ended::well) return true;
    const auto begun = fs::last_write_time(fs::path(path) / "as-run.toml", failure);
    if (failure) return true;
    const auto written = fs::last_write_time(file, failure);
    return !failure && written >= begun;
}

std::optional<double> RunFolder::discharge_begin() const {
    const auto it = std::find(stage_types.begin(), stage_types.end(), "discharge");
    const auto before = static_cast<std::size_t>(it - stage_types.begin());  // stages that end before it begins
    if (it == stage_types.end() || stages.size() < before) return std::nullopt;
    if (before > 0 && stages[before - 1].text.starts_with("stopped: ")) return std::nullopt;
    return before == 0 ? -std::numeric_limits<double>::infinity() : stages[before - 1].time;
}

RunFolder read_run_folder(const std::string& path) {
    std::error_code error;
    const fs::path folder = path;
    if (!fs::is_directory(folder, error))
        throw InputError(path + " is not a folder (expected the results folder of a run)");
    const bool of_a_run = fs::exists(folder / "series.csv", error) || fs::exists(folder / "as-run.toml", error) ||
                          fs::exists(folder / "log.txt", error);
    if (!of_a_run) throw InputError(path + " contains no results of a run (no series.csv, as-run.toml or log.txt)");

    RunFolder run;
    run.path = path;
    fs::path named = fs::absolute(folder, error).lexically_normal();
    if (!named.has_filename()) named = named.parent_path();
    run.title = run.name = named.filename().string();
    run.as_run = text_of(folder / "as-run.toml");
    read_case_of(run);
    if (run.title.empty()) run.title = run.name;
    read_log_of(run, text_of(folder / "log.txt"));
    run.series = csv_table(text_of(folder / "series.csv"));
    const auto written = fs::last_write_time(folder / "series.csv", error);
    if (!error) run.silent_for = std::chrono::duration<double>(fs::file_time_type::clock::now() - written).count();
    if (run.is_own(folder / "phases.json")) run.phases = phases_in(text_of(folder / "phases.json"));
    if (run.phases && run.ranks == 0) run.ranks = static_cast<int>(run.phases->ranks);

    std::vector<fs::path> files;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        files.push_back(it->path());
    std::sort(files.begin(), files.end());
    read_tables_of(run, files);
    read_pictures_of(run, folder);
    return run;
}

}  // namespace granary
