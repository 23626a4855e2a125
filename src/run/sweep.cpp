#include "run/sweep.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include "plan/plan.hpp"
#include "run/run_status.hpp"
#include "core/errors.hpp"
#include "io/case/case.hpp"
#include "io/log/folder_lock.hpp"
#include "io/report/report.hpp"
#include "io/report/key_numbers.hpp"
#include "decomposition/together.hpp"

namespace granary {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_runs = 10'000;
constexpr std::size_t most_compared = 24;  // runs on one page

// At the separators that stand outside of brackets, braces and quotes.
std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts{""};
    int depth = 0;
    char quote = 0;
    for (const char c : text) {
        if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else {
            depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        }
        if (c == separator && depth == 0 && quote == 0) parts.emplace_back();
        else parts.back() += c;
    }
    return parts;
}

std::string name_of_run(std::size_t k, std::size_t n) {
    return fmt::format("{:0{}}", k + 1, std::max<std::size_t>(3, std::to_string(n).size()));
}

std::string joined(const std::vector<std::string>& words, const char* between) {
    std::string text;
    for (const std::string& w : words) text += (text.empty() ? "" : between) + w;
    return text;
}

bool is_number(const std::string& text, double& value) {
    const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

// first:last:step as values; anything else stays what it is.
std::vector<std::string> values_in(const std::string& text, const std::string& whole) {
    const std::vector<std::string> parts = split(text, ':');
    double first = 0, last = 0, step = 0;
    if (parts.size() != 3 || !is_number(parts[0], first) || !is_number(parts[1], last) || !is_number(parts[2], step))
        return {text};
    const double steps = (last - first) / step;
    if (!(steps >= 0) || !std::isfinite(steps) || steps >= static_cast<double>(most_runs))
        throw InputError(fmt::format(
            "sweep: --vary {}: {} (expected first:last:step, at most {} values, a step that leads from first to last)",
            whole, text, most_runs));
    std::vector<std::string> values;
    // Decimal steps are not exact: 0.1 + 2 * 0.1 is written 0.3, and the last value counts if rounding alone keeps it
    // away.
    for (std::size_t k = 0; static_cast<double>(k) <= steps + 1e-9 * std::max(1.0, steps); ++k)
        values.push_back(fmt::format("{:.12g}", first + static_cast<double>(k) * step));
    return values;
}

// Every run must be sound before any is made.
void check_all(const SweepOptions& options, const std::vector<std::vector<std::string>>& runs) {
    const boost::mpi::communicator self(MPI_COMM_SELF, boost::mpi::comm_duplicate);
    const std::string text = read_case_text(options.case_or_folder);
    std::string problems;
    std::size_t n_bad = 0;
    for (const auto& varied : runs) {
        std::vector<std::string> sets = options.sets;
        sets.insert(sets.end(), varied.begin(), varied.end());
        try {
            make_plan(self, read_case(text, options.case_or_folder, sets),
                      CasePlaces(text, options.case_or_folder, sets));
        } catch (const InputError& e) {
            if (++n_bad <= 5) problems += fmt::format("\nwith {}:\n{}", joined(varied, ", "), e.what());
        }
    }
    if (n_bad > 5) problems += fmt::format("\nand {} more", n_bad - 5);
    if (n_bad > 0)
        throw InputError(
            fmt::format("{} of {} runs would not start; nothing was written{}", n_bad, runs.size(), problems));
}

std::string make(const SweepOptions& options) {
    if (options.vary.empty())
        throw InputError("sweep: nothing to vary (expected --vary key=value,value,...); see granary sweep --help");
    std::vector<Variation> variations;
    std::set<std::string> keys;
    double n = 1;
    for (const std::string& text : options.vary) {
        variations.push_back(read_variation(text));
        n *= static_cast<double>(variations.back().values.size());
        if (!keys.insert(variations.back().key).second)
            throw InputError(fmt::format("sweep: {} is varied twice (expected all its values in one --vary)",
                                         variations.back().key));
    }
    if (n > static_cast<double>(most_runs))
        throw InputError(fmt::format("sweep: {:.0f} runs (expected at most {})", n, most_runs));
    const auto runs = combinations(variations);
    check_all(options, runs);

    const fs::path case_file = fs::absolute(options.case_or_folder).lexically_normal();
    const fs::path folder =
        options.out.empty() ? fs::path(case_file.stem().string() + "-sweep") : fs::path(options.out);
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure)
        throw InputError(
            fmt::format("sweep: cannot create {} (expected a folder with write permission)", folder.string()));
    const FolderLock lock(folder.string(), this_process("sweep " + options.case_or_folder));
    for (const fs::directory_entry& there : fs::directory_iterator(folder))
        if (there.path().filename() != lock_file)
            throw InputError(fmt::format(
                "sweep: {} exists already and is not changed (expected a new folder, with --out)", folder.string()));
    std::ofstream list(folder / "sweep.tsv");
    list << "case\t" << case_file.string() << '\n';
    for (std::size_t k = 0; k < runs.size(); ++k) {
        list << name_of_run(k, runs.size());
        for (const std::string& set : options.sets) list << '\t' << set;
        for (const std::string& set : runs[k]) list << '\t' << set;
        list << '\n';
    }
    list.close();
    if (!list)
        throw InputError(fmt::format("sweep: cannot write {} (expected a folder with write permission)",
                                     (folder / "sweep.tsv").string()));
    std::string text = fmt::format("{} runs in {}:\n", runs.size(), (folder / "sweep.tsv").string());
    const std::vector<std::string> labels = labels_of(runs);
    for (std::size_t k = 0; k < runs.size() && k < 20; ++k)
        text += fmt::format("  {}  {}\n", name_of_run(k, runs.size()), labels[k]);
    if (runs.size() > 20) text += "  ...\n";
    return text + fmt::format(
                      "run them:       jobs/submit --sweep {0} --ranks 8 --time 02:00:00\n"
                      "or here:        jobs/submit --sweep {0} --ranks 2 --scheduler local\n"
                      "then gather:    granary sweep {0} --gather\n",
                      folder.string());
}

struct Run {
    std::string name, label;
    std::vector<std::pair<std::string, std::string>> sets;
};

std::vector<Run> listed_runs(const fs::path& folder) {
    std::ifstream list(folder / "sweep.tsv");
    if (!list)
        throw InputError(fmt::format("sweep: {} cannot be read (expected a folder made by granary sweep CASE.toml)",
                                     (folder / "sweep.tsv").string()));
    std::vector<Run> runs;
    std::string line;
    std::getline(list, line);  // the case
    while (std::getline(list, line)) {
        std::istringstream words(line);
        Run run;
        std::getline(words, run.name, '\t');
        for (std::string word; std::getline(words, word, '\t');) {
            const std::size_t equals = word.find('=');
            run.sets.emplace_back(word.substr(0, equals), word.substr(std::min(equals, word.size() - 1) + 1));
        }
        runs.push_back(run);
    }
    std::vector<std::vector<std::string>> sets;
    for (const Run& run : runs) {
        sets.emplace_back();
        for (const auto& [key, value] : run.sets) sets.back().push_back(key + "=" + value);
    }
    const std::vector<std::string> labels = labels_of(sets);
    for (std::size_t k = 0; k < runs.size(); ++k) runs[k].label = labels[k];
    return runs;
}

// First and last whole line; a line without end is still being written.
struct Ends {
    std::string first, last;
};
Ends ends_of(const fs::path& file) {
    std::ifstream in(file);
    Ends ends;
    std::string line;
    for (std::size_t n = 0; std::getline(in, line) && !in.eof(); ++n) (n == 0 ? ends.first : ends.last) = line;
    return ends;
}

std::string word_after(const fs::path& file, const std::string& before, const std::string& ends) {
    std::ifstream in(file);
    std::string found;
    for (std::string line; std::getline(in, line);)
        if (const std::size_t at = line.find(before); at != std::string::npos) {
            const std::size_t from = at + before.size();
            found = line.substr(from, line.find_first_of(ends, from) - from);
        }
    return found;
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

// What the report of a run calls its key numbers, as columns; those of all runs, in the order in which they turn up.
using Numbers = std::vector<std::pair<std::string, std::string>>;

Numbers numbers_of(const fs::path& folder) {
    Numbers numbers;
    try {
        for (const KeyNumber& k : key_numbers(read_run_folder(folder.string())))
            if (!k.column.empty()) numbers.emplace_back(k.column, k.full);
    } catch (const InputError&) {  // it has written nothing yet
    }
    return numbers;
}

std::string value_in(const Numbers& numbers, const std::string& column) {
    for (const auto& [name, value] : numbers)
        if (name == column) return value;
    return "";
}

// A page with all runs side by side, each by its label. The table is there in any case.
std::string compare(const fs::path& folder, const std::vector<Run>& runs) {
    std::vector<std::string> folders, names;
    for (const Run& run : runs)
        if (fs::exists(folder / run.name / "as-run.toml"))
            folders.push_back((folder / run.name).string()), names.push_back(run.label.empty() ? run.name : run.label);
    if (folders.size() < 2 || folders.size() > most_compared) return "";
    const std::string file = (folder / "compare.html").string();
    try {
        return write_comparison(folders, file, names) + ": the runs side by side\n";
    } catch (const std::exception& e) {
        return fmt::format("{}: not written: {}\n", file, e.what());
    }
}

std::string gather(const SweepOptions& options) {
    const fs::path folder = options.case_or_folder;
    const std::vector<Run> runs = listed_runs(folder);
    std::string columns;  // of series.csv
    std::vector<Numbers> numbers;
    std::vector<std::string> computed;  // columns of key numbers
    for (const Run& run : runs) {
        const fs::path place = folder / run.name;
        if (columns.empty()) columns = ends_of(place / "series.csv").first;
        numbers.push_back(numbers_of(place));
        for (const auto& [name, value] : numbers.back())
            if (std::find(computed.begin(), computed.end(), name) == computed.end()) computed.push_back(name);
    }
    const auto n_columns = columns.empty() ? 0 : std::count(columns.begin(), columns.end(), ',') + 1;
    std::size_t n_finished = 0, n_there = 0;
    std::string head = "run,label", rows;
    for (std::size_t k = 0; k < runs.size(); ++k) {
        const Run& run = runs[k];
        const fs::path place = folder / run.name;
        std::string status = status_in(place.string());
        if (status.empty()) status = fs::exists(place) ? "unknown" : "not-started";
        n_finished += status == "finished" ? 1 : 0;
        n_there += fs::exists(place) ? 1 : 0;
        std::string row = run.name + ',' + csv_field(run.label);
        for (const auto& [key, value] : run.sets) row += ',' + csv_field(value);
        row += ',' + status;
        for (const std::string& name : computed) row += ',' + csv_field(value_in(numbers[k], name));
        const Ends series = ends_of(place / "series.csv");
        if (series.first == columns && !series.last.empty()) row += ',' + series.last;
        else if (n_columns > 0) row += std::string(static_cast<std::size_t>(n_columns), ',');
        row += ',' + word_after(place / "log.txt", "digest ", " \n");
        rows += row + '\n';
    }
    if (!runs.empty())
        for (const auto& [key, value] : runs.front().sets) head += ',' + csv_field(key);
    head += ",status";
    for (const std::string& name : computed) head += ',' + csv_field(name);
    head += (columns.empty() ? "" : ',' + columns) + ",digest\n";
    const fs::path file = folder / "results.csv";
    std::ofstream out(file);
    out << head << rows;
    out.close();
    if (!out) throw InputError(fmt::format("sweep: cannot write {}", file.string()));
    return compare(folder, runs) +
           fmt::format("{}: {} runs, {} finished, {} begun\n", file.string(), runs.size(), n_finished, n_there);
}

}  // namespace

Variation read_variation(const std::string& text) {
    const std::size_t equals = text.find('=');
    Variation v;
    if (equals != std::string::npos) {
        v.key = text.substr(0, equals);
        for (const std::string& part : split(text.substr(equals + 1), ','))
            for (const std::string& value : values_in(part, text)) v.values.push_back(value);
    }
    bool empty = v.key.empty() || v.values.empty();
    for (const std::string& value : v.values) empty |= value.empty();
    if (empty)
        throw InputError(fmt::format("sweep: --vary {} (expected key=value,value,..., none of them empty)", text));
    return v;
}

std::vector<std::string> labels_of(const std::vector<std::vector<std::string>>& runs) {
    std::vector<std::string> labels(runs.size());
    if (runs.empty()) return labels;
    std::vector<std::vector<std::string>> parts;  // of the keys of the first run, which are those of all
    for (const std::string& set : runs.front()) parts.push_back(split(set.substr(0, set.find('=')), '.'));
    const auto ending = [](const std::vector<std::string>& key, std::size_t n) {
        std::string text;
        for (std::size_t k = key.size() - std::min(n, key.size()); k < key.size(); ++k)
            text += (text.empty() ? "" : ".") + key[k];
        return text;
    };
    const auto differs = [&](std::size_t c) {
        return std::any_of(runs.begin(), runs.end(),
                           [&](const auto& run) { return c < run.size() && run[c] != runs.front()[c]; });
    };
    for (std::size_t c = 0; c < parts.size(); ++c) {
        if (!differs(c)) continue;
        std::size_t n = 1;  // parts of the key that tell it from the others
        const auto alike = [&] {
            for (std::size_t other = 0; other < parts.size(); ++other)
                if (other != c && differs(other) && ending(parts[other], n) == ending(parts[c], n)) return true;
            return false;
        };
        while (n < parts[c].size() && alike()) ++n;
        for (std::size_t r = 0; r < runs.size(); ++r)
            if (c < runs[r].size())
                labels[r] +=
                    (labels[r].empty() ? "" : ", ") + ending(parts[c], n) + runs[r][c].substr(runs[r][c].find('='));
    }
    return labels;
}

std::vector<std::vector<std::string>> combinations(const std::vector<Variation>& variations) {
    std::vector<std::vector<std::string>> all{{}};
    for (const Variation& v : variations) {
        std::vector<std::vector<std::string>> more;
        for (const auto& run : all)
            for (const std::string& value : v.values) {
                more.push_back(run);
                more.back().push_back(v.key + "=" + value);
            }
        all = std::move(more);
    }
    return all;
}

std::string sweep(const boost::mpi::communicator& comm, const SweepOptions& options) {
    std::string text;
    together(comm, [&] {
        if (comm.rank() == 0) text = options.gather ? gather(options) : make(options);
    });
    return text;
}

}  // namespace granary
