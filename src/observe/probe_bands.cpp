// Bands: layers of grain that are coloured once, when a stage begins, to see how it flows. Every ball keeps the number
// of its layer (a column of the bodies, shown in frames as `band`, saved in states); from then on bands-<name>.csv
// tells at every look how many of each are inside.
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <functional>
#include <limits>
#include <optional>
#include "observe/probes.hpp"
#include "core/errors.hpp"
#include "decomposition/together.hpp"
#include "engine/measures.hpp"

namespace granary {

namespace {

class BandsProbe : public Probe {
  public:
    BandsProbe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files)
        : Probe(spec, sim.clock().time()) {
        together(sim.comm(), [&] {
            if (sim.comm().rank() > 0) return;
            std::vector<SeriesColumn> counts{{"time", "s"}};
            for (std::int64_t k = 0; k < spec.bands; ++k) counts.push_back({"balls", "", "band " + std::to_string(k)});
            counts.push_back({"balls", "", "other"});
            file_ = files.series("bands-" + spec.name + ".csv", counts);
        });
    }

    void bring_to_disk() override {
        if (file_) file_->bring_to_disk();
    }

  protected:
    // Layers of equal height between the lowest and the highest centre. A probe of all stages waits for one that begins
    // with grain.
    void at_stage(const Simulation& sim) override {
        if (cut_ || (spec_.stage.empty() && ledger_of(sim).inside == 0)) return;
        cut_ = true;
        const Axes& axes = sim.setup().axes;
        const auto height = [&](const Vec3d& x) { return at(axes.out(x), spec_.along); };
        double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
        const Bodies inside = bodies_inside(sim);
        for (const Range& range : inside.real)
            for (Index i = range.begin; i < range.end; ++i)
                lowest = std::min(lowest, height(inside.x(i))), highest = std::max(highest, height(inside.x(i)));
        lowest = boost::mpi::all_reduce(sim.comm(), lowest, boost::mpi::minimum<double>());
        highest = boost::mpi::all_reduce(sim.comm(), highest, boost::mpi::maximum<double>());
        const double n = static_cast<double>(spec_.bands), thick = std::max(highest - lowest, 1e-300) / n;
        set_bands(sim, [&](const Vec3d& x) {
            return static_cast<std::uint16_t>(std::clamp((height(x) - lowest) / thick, 0.0, n - 1));
        });
        row(sim);
    }

    void look(const Simulation& sim) override {
        if (cut_) row(sim);
    }
    void write(const Simulation&, double, double) override {}
    std::vector<double> numbers() const override { return {cut_ ? 1.0 : 0.0}; }
    void set_numbers(const std::vector<double>& all) override {
        if (all.size() != 1) throw InputError("probe " + spec_.name + ": the checkpoint belongs to another probe");
        cut_ = all[0] > 0;
    }

  private:
    void row(const Simulation& sim) {
        const auto n = static_cast<std::size_t>(spec_.bands);
        std::vector<std::uint64_t> mine(n + 1, 0), all(n + 1, 0);
        const Bodies inside = bodies_inside(sim);
        for (const Range& range : inside.real)
            for (Index i = range.begin; i < range.end; ++i) ++mine[std::min<std::size_t>(inside.band(i), n)];
        boost::mpi::all_reduce(sim.comm(), mine.data(), static_cast<int>(n + 1), all.data(),
                               std::plus<std::uint64_t>());
        together(sim.comm(), [&] {
            if (!file_) return;
            std::vector<Series::Value> values{sim.clock().time()};
            for (const std::uint64_t k : all) values.emplace_back(k);
            file_->write(values);
        });
        has_written(sim.clock().time());
    }

    bool cut_ = false;            // the layers have been given out
    std::optional<Series> file_;  // on the first rank only
};

}  // namespace

std::unique_ptr<Probe> make_bands_probe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files) {
    return std::make_unique<BandsProbe>(sim, spec, files);
}

}  // namespace granary
