#include "bench/bench_clusters.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include "bench/clusters/cluster_detectors.hpp"
#include "bench/clusters/drum.hpp"
#include "bench/clusters/drum_motion.hpp"
#include "bench/clusters/drum_over_ranks.hpp"
#include "bench/clusters/paper_tables.hpp"
#include "bench/detect/measure.hpp"
#include "core/errors.hpp"
#include "io/formats/text_file.hpp"
#include "io/formats/words.hpp"

namespace granary {

namespace {

struct Measured {
    std::vector<double> subdivision, resolution, total;  // s of CPU time, one a repeat
    std::uint64_t pairs = 0, digest = 0;
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
}

std::vector<std::string> chosen(const BenchClusters& options) {
    return options.detectors.empty() ? cluster_detector_names() : options.detectors;
}

// In large systems the paper's single-level grids take seconds: one repeat is enough.
bool is_repeated(const ClusterDetector& detector, const DetectScene& scene) {
    return scene.size() < 100'000 || !detector.name().starts_with("flat-");
}

// Repeats of different detectors take turns. The first detection of each gives its lists their size and is not timed.
std::vector<Measured> measure_all(const BenchClusters& options, const DetectScene& home, DetectScene& scene,
                                  std::vector<std::unique_ptr<ClusterDetector>>& detectors) {
    std::vector<Measured> measured(detectors.size());
    for (std::uint64_t repeat = 0; repeat <= options.repeats; ++repeat) {
        shake_units(home, 1e-3 * options.moved, repeat, scene);
        for (std::size_t d = 0; d < detectors.size(); ++d) {
            if (repeat > 1 && !is_repeated(*detectors[d], scene)) continue;
            BenchDetector& detector = detectors[d]->detector();
            Measured& m = measured[d];
            detector.follow(scene);
            Seconds grid = time_of([&] { detector.sort(); });
            grid += time_of([&] { detector.move(); });
            const Seconds search = time_of([&] { detector.search(); });
            const double inside = detectors[d]->subdivision_inside_search();
            m.pairs = detector.n_pairs(), m.digest = pair_digest(detector);
            if (m.pairs != measured[0].pairs || m.digest != measured[0].digest)
                throw RunError(fmt::format("{} found {} pairs, {} found {}: one of them is wrong", detectors[d]->name(),
                                           m.pairs, detectors[0]->name(), measured[0].pairs));
            if (repeat == 0) continue;
            m.subdivision.push_back(grid.cpu + inside);
            m.resolution.push_back(search.cpu - inside);
            m.total.push_back(grid.cpu + search.cpu);
        }
    }
    return measured;
}

void add_rows(const boost::mpi::communicator& comm, const BenchClusters& options, int distribution, char name,
              ResultTable& table) {
    const std::size_t k = static_cast<std::size_t>(name - 'A');
    DrumRun run;
    Seconds spent;
    Drum drum;
    spent = time_of([&] {
        drum = options.packed ? packed_drum(distribution, fitted_clusters[k], is_loose(distribution))
                              : drum_at_rest_or_in_flight(comm, distribution, fitted_clusters[k], run);
    });
    if (!options.packed)
        fmt::print(
            stderr,
            "granary bench clusters: distribution {}, cluster {}: {} within {:.2f} s in {:.0f} s of CPU time, kinetic "
            "energy {:.1e} of m g r, overlaps up to {:.1f} % of a radius\n",
            distribution, name, is_loose(distribution) ? "settled and thrown" : "settled", run.time, spent.cpu,
            run.kinetic_energy / run.weight_height, 100 * run.largest_overlap);
    const DetectScene home = drum_scene(drum, 1e-3 * options.margin);
    DetectScene scene = home;
    fmt::print(stderr, "granary bench clusters: distribution {}, cluster {}: {} bodies\n", distribution, name,
               scene.size());
    std::vector<std::unique_ptr<ClusterDetector>> detectors;
    for (const std::string& detector : chosen(options)) detectors.push_back(make_cluster_detector(detector, scene));
    const std::vector<Measured> measured = measure_all(options, home, scene, detectors);
    for (std::size_t d = 0; d < detectors.size(); ++d) {
        const Measured& m = measured[d];
        const auto best = static_cast<std::size_t>(std::min_element(m.total.begin(), m.total.end()) - m.total.begin());
        ResultRow row;
        row.set("distribution", distribution).set("density", is_loose(distribution) ? "loose" : "tight");
        row.set("cluster", std::string(1, name)).set("detector", detectors[d]->name());
        row.set("singles", drum.singles.size()).set("clusters", drum.clusters.size());
        row.set("elements", fitted_clusters[k].fit.elements).set("bodies", scene.size());
        row.set("subdivision_ms", 1e3 * m.subdivision[best]).set("resolution_ms", 1e3 * m.resolution[best]);
        row.set("total_ms", 1e3 * m.total[best]).set("total_median_ms", 1e3 * median(m.total));
        row.set("ns_per_body", 1e9 * m.total[best] / scene.size()).set("pairs", m.pairs);
        for (const auto& [column, value] : detectors[d]->counts()) row.set(column, value);
        row.set("bytes", detectors[d]->detector().bytes());
        const PaperTable* paper = detectors[d]->name() == "two-level"  ? &paper_multi_level
                                  : detectors[d]->name() == "flat-max" ? &paper_single_level
                                                                       : nullptr;
        if (paper != nullptr) {
            const PaperTimes& times = (*paper)[static_cast<std::size_t>(distribution - 1)][k];
            row.set("paper_subdivision_ms", times.subdivision).set("paper_resolution_ms", times.resolution);
            row.set("paper_total_ms", times.total());
        }
        row.set("motion_s", run.time);
        row.set("kinetic_energy_over_mgr", options.packed ? 0 : run.kinetic_energy / run.weight_height);
        row.set("repeats", m.total.size())
            .set("margin_mm", options.margin)
            .set("moved_mm", options.moved)
            .set("load", machine_load());
        table.add(std::move(row));
    }
}

}  // namespace

std::string bench_clusters(const boost::mpi::communicator& comm, const BenchClusters& options) {
    for (const char name : options.clusters)
        if (name < 'A' || name > 'F') throw InputError(fmt::format("unknown cluster '{}' (expected A to F)", name));
    ResultTable table;
    for (const int distribution : options.distributions)
        for (const char name : options.clusters) {
            if (comm.size() == 1) add_rows(comm, options, distribution, name, table);
            else
                time_over_ranks(comm, distribution, fitted_clusters[static_cast<std::size_t>(name - 'A')],
                                options.repeats, 1e-3 * options.margin, table);
        }
    if (comm.rank() != 0) return "";
    if (!options.csv.empty()) write_text_file(options.csv, table.csv());
    if (!options.json.empty()) write_text_file(options.json, table.json("clusters"));
    return options.csv.empty() && options.json.empty() ? table.csv() : "";
}

}  // namespace granary
