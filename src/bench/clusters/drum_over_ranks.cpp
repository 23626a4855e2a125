#include "bench/clusters/drum_over_ranks.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <functional>
#include "bench/detect/measure.hpp"
#include "core/errors.hpp"
#include "decomposition/cluster_pairs.hpp"
#include "decomposition/search_over_ranks.hpp"
#include "engine/simulation.hpp"
#include "filling/packing.hpp"

namespace granary {

namespace {

Setup setup_of(const DetectScene& scene, double margin) {
    Setup s;
    s.domain = scene.domain;
    s.dt = 1e-6;
    Material m;
    m.name = "rock", m.density = 2500, m.young = 5e6, m.poisson = 0.25, m.restitution = 0.5, m.friction = 0.5;
    s.materials = {m};
    BondType bond;  // so that there are labels
    bond.name = "none", bond.young_modulus = 1e6, bond.shear_modulus = 4e5;
    s.bonds = {bond};
    s.largest_radius = 0.5 * scene.largest_diameter, s.skin = margin;
    std::vector<NewBody> all;
    for (Index k = 0; k < scene.size(); ++k) {
        const double* q = scene.quads.data() + std::size_t{4} * k;
        all.push_back(make_ball(k, {q[0], q[1], q[2]}, q[3], 2500, 0, {}));
        all.back().cluster = scene.cluster[k];
    }
    s.start = shares_of(std::move(all));
    return s;
}

struct Way {
    const char* name;
    Detector detector;
    bool alone;
};
constexpr Way ways[] = {{"two-level", Detector::two_level, false},
                        {"two-level-alone", Detector::two_level, true},
                        {"mr", Detector::mr, true},
                        {"mmr", Detector::mmr, true}};

}  // namespace

void time_over_ranks(const boost::mpi::communicator& comm, int distribution, const FittedCluster& kind,
                     std::uint64_t repeats, double margin, ResultTable& table) {
    const DetectScene scene = drum_scene(packed_drum(distribution, kind, is_loose(distribution)), margin);
    const Simulation sim(comm, setup_of(scene, margin));
    const Neighbourhood& hood = sim.neighbourhood();
    const SearchTask task{sim.bodies(), hood.cubes, margin, false};
    std::uint64_t pairs_first = 0;
    for (const Way& way : ways) {
        SearchOverRanks over_ranks;
        PairSearch alone;
        PairList pairs;
        std::vector<double> sums, slowest;
        for (std::uint64_t repeat = 0; repeat <= repeats; ++repeat) {
            comm.barrier();
            const double mine = time_of([&] {
                                    if (way.alone) alone.search(way.detector, 2, task, pairs);
                                    else over_ranks.search(comm, hood.slabs, way.detector, 2, task, pairs);
                                }).cpu;
            if (repeat == 0) continue;
            sums.push_back(boost::mpi::all_reduce(comm, mine, std::plus<double>()));
            slowest.push_back(boost::mpi::all_reduce(comm, mine, boost::mpi::maximum<double>()));
        }
        const auto all = [&](std::uint64_t mine) {
            return boost::mpi::all_reduce(comm, mine, std::plus<std::uint64_t>());
        };
        const std::uint64_t n_pairs = all(pairs.size), messages = all(over_ranks.by_owners().messages),
                            bytes = all(over_ranks.by_owners().bytes);
        if (pairs_first == 0) pairs_first = n_pairs;
        if (n_pairs != pairs_first) throw RunError(fmt::format("{} found other pairs than {}", way.name, ways[0].name));
        if (comm.rank() != 0) continue;
        const double searches = static_cast<double>(repeats + 1);
        ResultRow row;
        row.set("distribution", distribution).set("cluster", std::string(1, kind.name)).set("detector", way.name);
        row.set("ranks", comm.size()).set("layers", hood.cubes.layers()).set("bodies", scene.size());
        row.set("cpu_ms_all_ranks", 1e3 * *std::min_element(sums.begin(), sums.end()));
        row.set("cpu_ms_slowest_rank", 1e3 * *std::min_element(slowest.begin(), slowest.end()));
        row.set("pairs", n_pairs).set("messages_a_search", static_cast<double>(messages) / searches);
        row.set("bytes_a_search", static_cast<double>(bytes) / searches).set("repeats", repeats);
        row.set("load", machine_load());
        table.add(std::move(row));
    }
}

}  // namespace granary
