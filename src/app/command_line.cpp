#include "app/command_line.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <vector>
#include "core/errors.hpp"
#include "core/version.hpp"
#include "io/words.hpp"

namespace granary {

namespace {

// Checked here: an unsigned option takes "-5" for a very large number.
CLI::Validator whole_number(std::uint64_t least) {
    return {[least](std::string& word) {
                std::uint64_t n = 0;
                const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
                const bool good = error == std::errc{} && end == word.data() + word.size() && n >= least;
                return good ? std::string() : fmt::format("expected a whole number, at least {}, got {}", least, word);
            },
            "N"};
}

void add_run(CLI::App& app, RunOptions& run) {
    CLI::App& command = *app.add_subcommand("run", "Run a case from its TOML file");
    command.add_option("case", run.case_file, "the case file")->required();
    command.add_option("--out", run.out, "folder for the results (default: the case's name, in the current folder)");
    command.add_option("--set", run.sets, "override a key of the case, e.g. --set run.dt=1e-5; may be repeated")
        ->allow_extra_args(false);
    command.add_option("--steps", run.steps, "number of steps, instead of what the case says")->check(whole_number(0));
    command.add_flag("--quiet", run.quiet, "print the digest only");
}

void add_check(CLI::App& app, RunOptions& check) {
    CLI::App& command = *app.add_subcommand("check", "Say what a case would be, without starting anything");
    command.add_option("case", check.case_file, "the case file")->required();
    command.add_option("--set", check.sets, "override a key of the case; may be repeated")->allow_extra_args(false);
}

void add_bench_bed(CLI::App& bench, BenchBed& bed) {
    CLI::App& command = *bench.add_subcommand("bed", "A dense bed at rest; prints one line of JSON");
    command.add_option("--balls", bed.balls, "about so many, whole columns of 6272")
        ->capture_default_str()
        ->check(whole_number(1));
    command.add_option("--steps", bed.steps, "timed steps")->capture_default_str()->check(whole_number(1));
    static const std::map<std::string, LawSettings::Type> laws{{"hertz-mindlin", LawSettings::Type::hertz_mindlin},
                                                               {"linear", LawSettings::Type::linear}};
    command.add_option("--law", bed.law, "hertz-mindlin or linear")->transform(CLI::CheckedTransformer(laws));
    command.add_option("--rebuild-every", bed.rebuild_every, "steps between rebuilds (0: when the skin says so)")
        ->capture_default_str()
        ->check(whole_number(0));
    command.add_option("--skin", bed.skin, "skin of the candidate list, m")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    command.add_option("--cache", bed.cache, "folder where the settled column is kept");
}

void add_bench_detect(CLI::App& bench, BenchDetect& detect) {
    CLI::App& command = *bench.add_subcommand("detect", "The papers' experiments on contact detection, as CSV or JSON");
    command.add_option("--experiment", detect.experiment, "which: " + listed_or(detect_experiment_names()))
        ->capture_default_str()
        ->check(CLI::IsMember(detect_experiment_names()));
    command
        .add_option("--detectors", detect.detectors,
                    "some of " + listed_or(detect_detector_names()) + ", with commas (default: those it is about)")
        ->delimiter(',')
        ->check(CLI::IsMember(detect_detector_names()));
    command.add_option("--largest", detect.largest, "no system with more bodies")
        ->capture_default_str()
        ->check(whole_number(100));
    command.add_option("--smallest", detect.smallest, "munjiza-1 and mmr-sizes: no system with fewer")
        ->capture_default_str()
        ->check(whole_number(0));
    command.add_option("--repeats", detect.repeats, "of everything; best and median are told")
        ->capture_default_str()
        ->check(whole_number(1));
    command.add_option("--ratio", detect.ratio, "mmr-sizes: largest to smallest diameter")
        ->capture_default_str()
        ->check(CLI::Range(1.0, 1024.0));
    command.add_option("--csv", detect.csv, "file for the rows as CSV (default: standard output)");
    command.add_option("--json", detect.json, "file for the rows as JSON");
}

void add_report(CLI::App& app, CommandLine& line) {
    CLI::App& command = *app.add_subcommand(
        "report", "Make the report of a run anew, also of one that goes on or broke off; compare runs");
    command.add_option("folder", line.folders, "folder of a run's results; several: the runs are compared")->required();
    command.add_option("--out", line.out,
                       "the page (default: report.html in the folder; of several runs compare.html where you stand)");
}

// A word where a command belongs: CLI11 would only say that a command is missing.
void check_command(const CLI::App& app, int argc, const char* const* argv, int at) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    if (argc <= at)
        throw InputError(fmt::format("a command is missing (expected {}); see granary --help", listed_or(names)));
    const std::string word = argv[at];
    if (word.starts_with("-") || std::find(names.begin(), names.end(), word) != names.end()) return;
    const std::string meant = nearest(word, names);
    throw InputError(fmt::format("unknown command '{}' (expected {}{}); see granary --help", word, listed_or(names),
                                 meant.empty() ? "" : fmt::format("; did you mean \"{}\"?", meant)));
}

}  // namespace

CommandLine read_command_line(int argc, const char* const* argv) {
    CommandLine line;
    CLI::App app{"Granary: balls in silos, the same bits on any number of ranks. Alone or under mpirun -n K.",
                 "granary"};
    app.require_subcommand(1);
    app.set_version_flag("--version",
                         fmt::format("granary {} ({}), {}, {}", version, git_commit, compiler, build_flags));
    add_run(app, line.run);
    add_check(app, line.run);
    app.add_subcommand("keys", "Print every key of a case file with its unit, range and default");
    app.add_subcommand("digest", "Print the hash of the physical state in a state file")
        ->add_option("state", line.state, "the state file (.h5)")
        ->required();
    add_report(app, line);
    CLI::App& bench = *app.add_subcommand("bench", "Measure speed and memory");
    bench.require_subcommand(1);
    add_bench_bed(bench, line.bed);
    add_bench_detect(bench, line.detect);
    check_command(app, argc, argv, 1);
    if (std::string(argv[1]) == "bench") check_command(bench, argc, argv, 2);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        std::ostringstream out, err;
        if (app.exit(e, out, err) != 0) throw InputError(fmt::format("{}; see granary {} --help", e.what(), argv[1]));
        line.text = out.str();
        return line;
    }
    line.command = app.got_subcommand("run")      ? CommandLine::Command::run
                   : app.got_subcommand("check")  ? CommandLine::Command::check
                   : app.got_subcommand("keys")   ? CommandLine::Command::keys
                   : app.got_subcommand("digest") ? CommandLine::Command::digest
                   : app.got_subcommand("report") ? CommandLine::Command::report
                   : bench.got_subcommand("bed")  ? CommandLine::Command::bench_bed
                                                  : CommandLine::Command::bench_detect;
    return line;
}

}  // namespace granary
