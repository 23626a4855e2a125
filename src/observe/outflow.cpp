#include "observe/outflow.hpp"

#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/vector.hpp>
#include <limits>
#include <tuple>
#include "decomposition/exchange.hpp"
#include "decomposition/together.hpp"

namespace granary {

namespace {

constexpr std::size_t first_material = 2;  // among the sums

// All departures of all ranks on the first one, by step and id.
std::vector<Departure> gathered(const boost::mpi::communicator& comm, std::vector<Departure> mine) {
    std::vector<std::vector<Departure>> out(static_cast<std::size_t>(comm.size()));
    out.front() = std::move(mine);
    std::vector<Departure> all = exchange_all(comm, out).items;
    std::sort(all.begin(), all.end(),
              [](const Departure& a, const Departure& b) { return std::tie(a.step, a.id) < std::tie(b.step, b.id); });
    return all;
}

}  // namespace

Outflow::Outflow(const Simulation& sim, const Results& results, bool resumed)
    : sums_(first_material + sim.setup().materials.size(), 0.0) {
    together(sim.comm(), [&] {
        if (sim.comm().rank() > 0) return;
        const std::vector<SeriesColumn> of_file{{"time", "s"}, {"id"},     {"radius", "m"},    {"mass", "kg"},
                                                {"material"},  {"outlet"}, {"entry_time", "s"}};
        const std::string path = results.file("outflow.csv");
        file_ = resumed ? Series::resume(path, of_file, sim.clock().time()) : Series::create(path, of_file);
    });
}

void Outflow::write(const Simulation& sim) {
    const std::vector<Departure> all = gathered(sim.comm(), sim.requests().take_departures());
    const Setup& setup = sim.setup();
    together(sim.comm(), [&] {
        if (!file_) return;
        for (const Departure& d : all)
            file_->write({d.time, d.id, d.radius, d.mass, setup.materials[d.material].name,
                          setup.outlets[d.outlet].name, d.entry_time});
    });
    for (const Departure& d : all) {
        sums_[0] += d.mass, sums_[1] += d.mass * (d.time - d.entry_time);
        sums_[first_material + d.material] += d.mass;
    }
    boost::mpi::broadcast(sim.comm(), sums_.data(), static_cast<int>(sums_.size()), 0);
}

void Outflow::bring_to_disk() {
    if (file_) file_->bring_to_disk();
}

std::vector<SeriesColumn> Outflow::columns(const Setup& setup) {
    std::vector<SeriesColumn> all{{"residence_time", "s"}};
    for (const Material& m : setup.materials)
        if (!m.wall_only) all.push_back({"outflow_share", "", m.name});
    return all;
}

std::vector<double> Outflow::means(const Setup& setup) const {
    const auto mean = [&](double sum) {
        return sums_[0] > 0 ? sum / sums_[0] : std::numeric_limits<double>::quiet_NaN();
    };
    std::vector<double> means{mean(sums_[1])};
    for (std::size_t m = 0; m < setup.materials.size(); ++m)
        if (!setup.materials[m].wall_only) means.push_back(mean(sums_[first_material + m]));
    return means;
}

}  // namespace granary
