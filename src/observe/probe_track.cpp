// Single balls over time: track-<name>.csv, a row for each look, with place, velocity, spin and contact force of every
// ball that is followed, by its id or because it was the nearest to a point when the probe began, and the torque about
// its centre. All belong to the time of the row: velocities are brought there, forces are those of its step, without
// the weight. A ball that is not inside has nan.
#include <algorithm>
#include <array>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/vector.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include "observe/probes.hpp"
#include "core/errors.hpp"
#include "filling/trial_cells.hpp"
#include "decomposition/together.hpp"
#include "motion/integrate.hpp"
#include "engine/measures.hpp"

namespace granary {

namespace {

constexpr std::size_t width = 15;  // numbers of a ball: five vectors

class TrackProbe : public Probe {
  public:
    TrackProbe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files)
        : Probe(spec, sim.clock().time()),
          ids_(spec.ids),
          chosen_(spec.near.empty()) {
        together(sim.comm(), [&] {
            if (sim.comm().rank() == 0) file_ = files.series("track-" + spec.name + ".csv", columns());
        });
    }

    void bring_to_disk() override {
        if (file_) file_->bring_to_disk();
    }

  protected:
    // Balls near a point are chosen as soon as there are any.
    void at_stage(const Simulation& sim) override { row(sim); }
    void look(const Simulation& sim) override { row(sim); }
    void write(const Simulation& sim, double, double) override { row(sim); }  // at the end of a stage
    std::vector<double> numbers() const override { return chosen_ ? ids_ : std::vector<double>{}; }
    void set_numbers(const std::vector<double>& all) override {
        if (all.empty()) return;
        const bool are_ids = std::all_of(all.begin(), all.end(), [](double id) { return id >= 0 && id <= 0x1p53; });
        if (all.size() != spec_.ids.size() + spec_.near.size() || !are_ids)
            throw InputError("probe " + spec_.name + ": the checkpoint belongs to another probe");
        ids_ = all, chosen_ = true;
    }

  private:
    // The nearest ball inside to each point; of two at the same distance the one with the smaller id.
    void choose(const Simulation& sim) {
        const Bodies inside = bodies_inside(sim);
        const std::size_t n = spec_.near.size();
        constexpr double far = std::numeric_limits<double>::infinity();
        std::vector<double> mine;  // square of the distance, id
        for (const Vec3d& point : spec_.near) {
            std::array<double, 2> best{far, far};
            const Vec3d from = sim.setup().axes.in(point);
            for (const Range& range : inside.real)
                for (Index i = range.begin; i < range.end; ++i) {
                    const Vec3d d = nearest(inside.x(i) - from, sim.setup().domain);
                    best = std::min(best, {dot(d, d), static_cast<double>(inside.id(i))});
                }
            mine.insert(mine.end(), best.begin(), best.end());
        }
        std::vector<std::vector<double>> all;
        boost::mpi::all_gather(sim.comm(), mine, all);
        ids_.clear();
        for (std::size_t k = 0; k < n; ++k) {
            std::array<double, 2> best{far, far};
            for (const std::vector<double>& of_rank : all) best = std::min(best, {of_rank[2 * k], of_rank[2 * k + 1]});
            ids_.push_back(best[1]);
        }
        chosen_ = true;
    }

    void row(const Simulation& sim) {
        if (has_row_of(sim.clock().time())) return;  // the last look of one stage is the beginning of the next
        if (!chosen_) {
            if (ledger_of(sim).inside == 0) return;
            choose(sim);
        }
        const Bodies inside = bodies_inside(sim);
        const Axes& axes = sim.setup().axes;
        std::vector<double> mine;  // of each ball that this rank has: its number here, then its numbers
        for (const Range& range : inside.real)
            for (Index i = range.begin; i < range.end; ++i)
                for (std::size_t k = 0; k < ids_.size(); ++k) {
                    if (static_cast<double>(inside.id(i)) != ids_[k]) continue;
                    mine.push_back(static_cast<double>(k));
                    for (const Vec3d& v : {inside.x(i), synchronised_velocity(inside, i, sim.motion()),
                                           synchronised_spin(inside, i, sim.motion()),
                                           Vec3d{inside.force(i, 0), inside.force(i, 1), inside.force(i, 2)},
                                           Vec3d{inside.torque(i, 0), inside.torque(i, 1), inside.torque(i, 2)}}) {
                        const Vec3d shown = axes.out(v);
                        mine.insert(mine.end(), {shown.x, shown.y, shown.z});
                    }
                }
        std::vector<std::vector<double>> all;
        boost::mpi::gather(sim.comm(), mine, all, 0);
        together(sim.comm(), [&] {
            if (!file_) return;
            std::vector<double> balls(width * ids_.size(), std::numeric_limits<double>::quiet_NaN());
            for (const std::vector<double>& of_rank : all)
                for (std::size_t at = 0; at + width < of_rank.size(); at += width + 1)
                    std::copy_n(
                        of_rank.begin() + static_cast<std::ptrdiff_t>(at + 1), width,
                        balls.begin() + static_cast<std::ptrdiff_t>(width * static_cast<std::size_t>(of_rank[at])));
            std::vector<Series::Value> values{sim.clock().time()};
            for (std::size_t k = 0; k < ids_.size(); ++k) {
                if (!spec_.near.empty()) values.emplace_back(static_cast<std::uint64_t>(ids_[k]));
                for (std::size_t c = 0; c < width; ++c) values.emplace_back(balls[width * k + c]);
            }
            file_->write(values);
        });
        has_written(sim.clock().time());
    }

    std::vector<SeriesColumn> columns() const {
        std::vector<SeriesColumn> all{{"time", "s"}};
        const auto add = [&](const std::string& ball) {
            for (const char* axis : {"x", "y", "z"}) all.push_back({axis, "m", ball});
            for (const auto& [quantity, unit] :
                 {std::pair{"velocity_", "m_per_s"}, {"spin_", "rad_per_s"}, {"force_", "N"}, {"torque_", "N_m"}})
                for (const char* axis : {"x", "y", "z"}) all.push_back({std::string(quantity) + axis, unit, ball});
        };
        for (const double id : spec_.ids) add("ball " + std::to_string(static_cast<std::uint64_t>(id)));
        for (std::size_t k = 0; k < spec_.near.size(); ++k) {
            const std::string ball = "near " + std::to_string(k + 1);
            all.push_back({"id", "", ball});
            add(ball);
        }
        return all;
    }

    std::vector<double> ids_;     // of the balls that are followed
    bool chosen_;                 // they are known
    std::optional<Series> file_;  // on the first rank only
};

}  // namespace

std::unique_ptr<Probe> make_track_probe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files) {
    return std::make_unique<TrackProbe>(sim, spec, files);
}

}  // namespace granary
