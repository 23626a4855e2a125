#include "bench/bench_detect.hpp"

#include <fmt/format.h>
#include <functional>
#include "bench/detect/detectors.hpp"
#include "bench/detect/experiments.hpp"
#include "core/errors.hpp"
#include "io/formats/text_file.hpp"
#include "io/formats/words.hpp"

namespace granary {

namespace {

struct Experiment {
    std::string name;
    std::function<void(const BenchDetect&, ResultTable&)> run;
};

const std::vector<Experiment>& experiments() {
    const auto spacing = [](int example) {
        return [example](const BenchDetect& o, ResultTable& t) { munjiza_example_2_to_4(example, o, t); };
    };
    static const std::vector<Experiment> all{
        {"munjiza-1", munjiza_example_1}, {"munjiza-2", spacing(2)}, {"munjiza-3", spacing(3)},
        {"munjiza-4", spacing(4)},        {"mmr-sizes", mmr_sizes},  {"lazarevic-5", lazarevic_figure_5},
        {"delta-sweep", delta_sweep},     {"resort", resort},
    };
    return all;
}

}  // namespace

void tell(const std::string& line) { fmt::print(stderr, "granary bench detect: {}\n", line); }

std::vector<std::string> chosen(const BenchDetect& options, std::vector<std::string> otherwise) {
    return options.detectors.empty() ? std::move(otherwise) : options.detectors;
}

std::vector<std::string> detect_experiment_names() {
    std::vector<std::string> names;
    for (const Experiment& e : experiments()) names.push_back(e.name);
    names.push_back("all");
    return names;
}

std::vector<std::string> detect_detector_names() {
    std::vector<std::string> names;
    for (const DetectorKind& kind : detector_kinds()) names.push_back(kind.name);
    return names;
}

std::string bench_detect(const boost::mpi::communicator& comm, const BenchDetect& options) {
    if (comm.size() > 1) throw InputError("bench detect times one core: start it without mpirun");
    for (const std::string& name : options.detectors) detector_kind(name);
    ResultTable table;
    bool known = false;
    for (const Experiment& e : experiments())
        if (options.experiment == e.name || options.experiment == "all") {
            known = true;
            e.run(options, table);
        }
    if (!known)
        throw InputError(fmt::format("unknown experiment '{}' (expected {})", options.experiment,
                                     listed_or(detect_experiment_names())));
    if (!options.csv.empty()) write_text_file(options.csv, table.csv());
    if (!options.json.empty()) write_text_file(options.json, table.json("detect"));
    return options.csv.empty() && options.json.empty() ? table.csv() : "";
}

}  // namespace granary
