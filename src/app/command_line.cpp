#include "app/command_line.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>
#include <vector>
#include "core/errors.hpp"
#include "core/instruction_set.hpp"
#include "core/version.hpp"
#include "io/log/progress.hpp"
#include "io/formats/words.hpp"

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

// A word that stands for a value.
template <class T> CLI::Validator word_for(std::map<std::string, T> values) {
    return {[values = std::move(values)](std::string& word) {
                std::vector<std::string> words;
                for (const auto& [name, value] : values) words.push_back(name);
                const auto found = values.find(word);
                if (found == values.end()) return fmt::format("expected {}, got {}", listed_or(words), word);
                word = std::to_string(static_cast<int>(found->second));
                return std::string();
            },
            "WORD"};
}

// 01:55:00, as schedulers write times; also 55:00, 2-12:00:00 for days, or plain seconds.
std::optional<double> seconds_in(const std::string& word) {
    double days = 0;
    std::string rest = word;
    std::vector<double> parts;
    const auto number = [](const std::string& digits) {
        double value = -1;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return error == std::errc{} && end == digits.data() + digits.size() && value >= 0 ? value : -1;
    };
    if (const std::size_t dash = word.find('-'); dash != std::string::npos && dash > 0) {
        days = number(word.substr(0, dash));
        rest = word.substr(dash + 1);
        if (days < 0 || std::count(rest.begin(), rest.end(), ':') != 2) return std::nullopt;
    }
    std::istringstream words(rest);
    for (std::string part; std::getline(words, part, ':');) parts.push_back(number(part));
    if (parts.empty() || parts.size() > 3 || rest.ends_with(':')) return std::nullopt;
    double seconds = 0;
    for (const double p : parts) {
        if (p < 0) return std::nullopt;
        seconds = 60 * seconds + p;
    }
    return 86400 * days + seconds;
}

void add_wall_time(CLI::App& command, RunOptions& run) {
    command
        .add_option_function<std::string>(
            "--wall-time", [&run](const std::string& word) { run.wall_time = seconds_in(word); },
            "wall-clock limit, e.g. 01:55:00: save, stop and exit with code 85; continue with `granary resume`")
        ->check(CLI::Validator(
            [](std::string& word) {
                return seconds_in(word) ? std::string() : "expected a time as 01:55:00 or seconds, got " + word;
            },
            "HH:MM:SS"));
}

void add_overwrite(CLI::App& command, RunOptions& run) {
    command.add_flag(
        "--overwrite", run.overwrite,
        "remove the files of an earlier run from the folder, including its checkpoints; other files are kept");
}

void add_threads(CLI::App& command, CommandLine& line) {
    command
        .add_option(
            "--threads", line.threads,
            "threads in each rank; the result is the same, bit for bit. More than 1 needs a Kokkos with threads "
            "(jobs/setup --threads)")
        ->capture_default_str()
        ->check(whole_number(1));
}

void add_run(CLI::App& app, CommandLine& line) {
    RunOptions& run = line.run;
    CLI::App& command = *app.add_subcommand("run", "Run a case");
    command.add_option("case", run.case_file, "the case file")->required();
    command.add_option("--out", run.out,
                       "folder for the results (default: the name of the case, in the current folder)");
    command.add_option("--set", run.sets, "override a key of the case, e.g. --set run.dt=1e-5; may be repeated")
        ->allow_extra_args(false);
    command.add_option("--steps", run.steps, "number of steps, instead of the duration in the case")
        ->check(whole_number(0));
    add_threads(command, line);
    add_wall_time(command, run);
    add_overwrite(command, run);
    command.add_flag("--quiet", run.quiet, "print the digest only");
}

void add_resume(CLI::App& app, CommandLine& line) {
    RunOptions& run = line.run;
    CLI::App& command = *app.add_subcommand("resume", "Continue a stopped or killed run, bit for bit");
    command.add_option("from", run.resume, "folder of the run (its newest intact checkpoint), or a checkpoint file")
        ->required();
    command.add_option("--out", run.out,
                       "folder for the results (default: that of the run, whose files are continued)");
    command.add_option("--steps", run.steps, "total number of steps, instead of the earlier setting")
        ->check(whole_number(0));
    add_threads(command, line);
    add_wall_time(command, run);
    add_overwrite(command, run);
    command.add_flag("--quiet", run.quiet, "print the digest only");
}

void add_check(CLI::App& app, RunOptions& check) {
    CLI::App& command = *app.add_subcommand("check", "Validate a case and estimate its cost; runs nothing");
    command.add_option("case", check.case_file, "the case file")->required();
    command.add_option("--set", check.sets, "override a key of the case; may be repeated")->allow_extra_args(false);
    command.add_option("--ranks", check.ranks, "number of ranks for the wall time (default: those of this call)")
        ->check(whole_number(1));
    command.add_flag_callback(
        "--no-measure", [&check] { check.measure = false; },
        "do not measure the speed of this machine, which takes a second");
}

void add_sweep(CLI::App& app, SweepOptions& sweep) {
    CLI::App& command =
        *app.add_subcommand("sweep", "Prepare many runs of one case, or collect their results in one table");
    command.add_option("case", sweep.case_or_folder, "the case file; with --gather: the folder of the sweep")
        ->required();
    command
        .add_option("--vary", sweep.vary,
                    "a key and its values, e.g. --vary silo.d_h=0.10,0.12, or a range first:last:step, e.g. "
                    "--vary materials.grain.friction=0.1:0.5:0.1; may be repeated: all combinations are run")
        ->allow_extra_args(false);
    command.add_option("--set", sweep.sets, "override a key in all runs; may be repeated")->allow_extra_args(false);
    command.add_option("--out", sweep.out,
                       "new folder (default: the name of the case with -sweep, in the current folder)");
    command.add_flag("--gather", sweep.gather, "write results.csv and compare.html from the results so far");
}

void add_bench_bed(CLI::App& bench, CommandLine& line) {
    BenchBed& bed = line.bed;
    CLI::App& command = *bench.add_subcommand("bed", "Speed of a dense bed at rest; prints one line of JSON");
    command.add_option("--balls", bed.balls, "approximate number; rounded to whole columns of 6272 balls")
        ->capture_default_str()
        ->check(whole_number(1));
    command.add_option("--steps", bed.steps, "timed steps")->capture_default_str()->check(whole_number(1));
    static const std::map<std::string, LawSettings::Type> laws{{"hertz-mindlin", LawSettings::Type::hertz_mindlin},
                                                               {"linear", LawSettings::Type::linear}};
    command.add_option("--law", bed.law, "hertz-mindlin or linear")->transform(word_for(laws));
    command.add_option("--rebuild-every", bed.rebuild_every, "steps between rebuilds (0: when the skin requires it)")
        ->capture_default_str()
        ->check(whole_number(0));
    command.add_option("--skin", bed.skin, "skin of the contact list, m")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    static const std::map<std::string, int> axes{{"x", 0}, {"y", 1}, {"z", 2}};
    command.add_option("--slab-axis", bed.slab_axis, "x, y or z: axis along which the domain is divided")
        ->transform(word_for(axes));
    command.add_option("--cache", bed.cache, "folder that keeps the settled column (default: ~/.cache/granary)");
    add_threads(command, line);
}

void add_bench_detect(CLI::App& bench, BenchDetect& detect) {
    CLI::App& command =
        *bench.add_subcommand("detect", "Contact detection: the experiments of the papers, as CSV or JSON");
    command.add_option("--experiment", detect.experiment, "one of " + listed_or(detect_experiment_names()))
        ->capture_default_str()
        ->check(CLI::IsMember(detect_experiment_names()));
    command
        .add_option("--detectors", detect.detectors,
                    "some of " + listed_or(detect_detector_names()) +
                        ", separated by commas (default: those of the experiment)")
        ->delimiter(',')
        ->check(CLI::IsMember(detect_detector_names()));
    command.add_option("--largest", detect.largest, "largest number of bodies")
        ->capture_default_str()
        ->check(whole_number(100));
    command.add_option("--smallest", detect.smallest, "munjiza-1 and mmr-sizes: smallest number of bodies")
        ->capture_default_str()
        ->check(whole_number(0));
    command.add_option("--repeats", detect.repeats, "repeats; the best and the median are reported")
        ->capture_default_str()
        ->check(whole_number(1));
    command.add_option("--ratio", detect.ratio, "mmr-sizes: largest to smallest diameter")
        ->capture_default_str()
        ->check(CLI::Range(1.0, 1024.0));
    command.add_option("--csv", detect.csv, "file for the rows as CSV (default: standard output)");
    command.add_option("--json", detect.json, "file for the rows as JSON");
}

void add_bench_clusters(CLI::App& bench, BenchClusters& clusters) {
    CLI::App& command = *bench.add_subcommand(
        "clusters", "Contact detection in drums of balls and bonded clusters (Huang 2020), as CSV or JSON");
    command
        .add_option("--distributions", clusters.distributions,
                    "size distributions: some of 1 to 4, separated by commas (default: all)")
        ->delimiter(',')
        ->check(CLI::Range(1, 4));
    command.add_option("--clusters", clusters.clusters, "kinds of clusters: some of A to F, such as AF")
        ->capture_default_str();
    command
        .add_option("--detectors", clusters.detectors,
                    "some of " + listed_or(cluster_detector_names()) + ", separated by commas (default: all)")
        ->delimiter(',')
        ->check(CLI::IsMember(cluster_detector_names()));
    command.add_option("--repeats", clusters.repeats, "repeats; the best and the median are reported")
        ->capture_default_str()
        ->check(whole_number(1));
    command.add_option("--margin", clusters.margin, "reach and skin, mm")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 5.0));
    command.add_option("--moved", clusters.moved, "displacement of balls and clusters between detections, mm")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 5.0));
    command.add_flag("--packed", clusters.packed, "random packing, neither settled nor thrown");
    command.add_option("--csv", clusters.csv, "file for the rows as CSV (default: standard output)");
    command.add_option("--json", clusters.json, "file for the rows as JSON");
}

void add_bench_picture(CLI::App& bench, BenchPicture& picture) {
    CLI::App& command =
        *bench.add_subcommand("picture", "Cost of a picture by ParaView Catalyst; prints one line of JSON");
    command.add_option("--balls", picture.balls, "number of balls on all ranks together")
        ->capture_default_str()
        ->check(whole_number(1));
    command
        .add_option("--pictures", picture.pictures, "number of timed pictures, after a first one that loads ParaView")
        ->capture_default_str()
        ->check(whole_number(1));
    command.add_option("--script", picture.script, "one of jobs/catalyst, or a file")->capture_default_str();
    command.add_option("--out", picture.folder, "folder for the pictures")->capture_default_str();
}

void add_bench_shapes(CLI::App& bench, BenchShapes& shapes) {
    CLI::App& command =
        *bench.add_subcommand("shapes", "Cost of a contact between non-spherical grains; prints lines of JSON");
    command
        .add_option("--parts", shapes.parts,
                    "some of " + listed_or(shape_parts()) + ", separated by commas (default: all)")
        ->delimiter(',')
        ->check(CLI::IsMember(shape_parts()));
    command.add_option("--pairs", shapes.pairs, "number of pairs of each kind")
        ->capture_default_str()
        ->check(whole_number(4));
    command.add_option("--repeats", shapes.repeats, "repeats; the fastest is reported")
        ->capture_default_str()
        ->check(whole_number(1));
}

void add_report(CLI::App& app, CommandLine& line) {
    CLI::App& command =
        *app.add_subcommand("report", "Write the report of a run again, also of one in progress; compare several runs");
    command.add_option("folder", line.folders, "results folder of a run; several: the runs are compared")->required();
    command.add_option("--out", line.out,
                       "file name of the page (default: report.html in the folder; for several runs compare.html in "
                       "the current folder)");
}

void add_bench_bonds(CLI::App& bench, BenchBonds& bonds) {
    CLI::App& command = *bench.add_subcommand(
        "bonds", "Speed of a block of bonded balls that breaks on a floor; prints one line of JSON");
    command.add_option("--bonds", bonds.bonds, "approximate number")->capture_default_str()->check(whole_number(100));
    command.add_option("--lattice", bonds.lattice, "fcc (12 neighbours) or cubic (6)")
        ->capture_default_str()
        ->check(CLI::IsMember({"fcc", "cubic"}));
    command.add_option("--form", bonds.form, "form of the bonds")
        ->capture_default_str()
        ->check(CLI::IsMember({"beam", "spring"}));
    command.add_option("--damping", bonds.damping, "fraction of critical damping")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
    command.add_option("--warm-up", bonds.warm_up, "steps before the timing begins")->capture_default_str();
    command.add_option("--steps", bonds.steps, "timed steps")->capture_default_str()->check(whole_number(1));
}

void add_bench_halo(CLI::App& bench, BenchHalo& halo) {
    CLI::App& command = *bench.add_subcommand(
        "halo", "Cost of updating ghosts between ranks, alone and overlapped with work; prints lines of JSON");
    command.add_option("--balls", halo.balls, "balls per layer; one line of output for each number")
        ->delimiter(',')
        ->capture_default_str()
        ->check(whole_number(1));
    command.add_option("--layers", halo.layers, "layers per rank")->capture_default_str()->check(whole_number(2));
    command.add_option("--repeats", halo.repeats, "timed updates")->capture_default_str()->check(whole_number(1));
}

void add_bench_checkpoint(CLI::App& bench, BenchCheckpoint& checkpoint) {
    CLI::App& command = *bench.add_subcommand(
        "checkpoint", "Cost of a checkpoint against a plain write of the same size; prints one line of JSON");
    command.add_option("--balls", checkpoint.balls, "approximate number")
        ->capture_default_str()
        ->check(whole_number(1));
    command.add_option("--repeats", checkpoint.repeats, "repeats of both, interleaved")
        ->capture_default_str()
        ->check(whole_number(1));
    command.add_option("--dir", checkpoint.folder, "folder on the disk to measure")->capture_default_str();
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

int threads_asked(int argc, const char* const* argv) {
    for (int k = 1; k < argc; ++k) {
        std::string_view word = argv[k];
        constexpr std::string_view option = "--threads";
        if (!word.starts_with(option)) continue;
        word.remove_prefix(option.size());
        if (word.empty() && k + 1 < argc) word = argv[k + 1];
        else if (word.starts_with('=')) word.remove_prefix(1);
        int n = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
        return error == std::errc{} && end == word.data() + word.size() && n >= 1 ? n : 1;
    }
    return 1;
}

CommandLine read_command_line(int argc, const char* const* argv) {
    CommandLine line;
    line.run.started = system_clock()();
    CLI::App app{
        "Granary: a discrete element solver for silos, bitwise reproducible on any number of ranks. Run it alone or "
        "with mpirun -n N.",
        "granary"};
    app.require_subcommand(1);
    app.set_version_flag("--version", fmt::format("granary {} ({}), {}, {}; running {}", version, git_commit, compiler,
                                                  build_flags, instruction_set()));
    add_run(app, line);
    add_resume(app, line);
    add_check(app, line.run);
    app.add_subcommand("keys", "Print all keys of a case file with unit, range and default");
    app.add_subcommand("digest", "Print the hash of a state file")
        ->add_option("state", line.state, "the state file (.h5)")
        ->required();
    add_report(app, line);
    add_sweep(app, line.sweep);
    CLI::App& bench = *app.add_subcommand("bench", "Benchmarks");
    bench.require_subcommand(1);
    add_bench_bed(bench, line);
    add_bench_detect(bench, line.detect);
    add_bench_clusters(bench, line.clusters);
    add_bench_bonds(bench, line.bonds);
    add_bench_halo(bench, line.halo);
    add_bench_checkpoint(bench, line.checkpoint);
    add_bench_picture(bench, line.picture);
    add_bench_shapes(bench, line.shapes);
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
    line.command = app.got_subcommand("run")            ? CommandLine::Command::run
                   : app.got_subcommand("resume")       ? CommandLine::Command::resume
                   : app.got_subcommand("check")        ? CommandLine::Command::check
                   : app.got_subcommand("keys")         ? CommandLine::Command::keys
                   : app.got_subcommand("digest")       ? CommandLine::Command::digest
                   : app.got_subcommand("sweep")        ? CommandLine::Command::sweep
                   : app.got_subcommand("report")       ? CommandLine::Command::report
                   : bench.got_subcommand("bed")        ? CommandLine::Command::bench_bed
                   : bench.got_subcommand("clusters")   ? CommandLine::Command::bench_clusters
                   : bench.got_subcommand("picture")    ? CommandLine::Command::bench_picture
                   : bench.got_subcommand("shapes")     ? CommandLine::Command::bench_shapes
                   : bench.got_subcommand("bonds")      ? CommandLine::Command::bench_bonds
                   : bench.got_subcommand("halo")       ? CommandLine::Command::bench_halo
                   : bench.got_subcommand("checkpoint") ? CommandLine::Command::bench_checkpoint
                                                        : CommandLine::Command::bench_detect;
    return line;
}

}  // namespace granary
