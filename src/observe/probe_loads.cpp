// What each wall carries, beside the weight of the grain: loads-<name>.csv, a row for each average.
#include <algorithm>
#include <limits>
#include <optional>
#include "observe/probes.hpp"
#include "core/errors.hpp"
#include "decomposition/fold.hpp"
#include "decomposition/together.hpp"
#include "motion/integrate.hpp"
#include "engine/measures.hpp"

namespace granary {

namespace {

class LoadsProbe : public Probe {
  public:
    LoadsProbe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files)
        : Probe(spec, sim.clock().time()),
          n_(sim.setup().walls.size()) {
        walls_ = true;
        together(sim.comm(), [&] {
            if (sim.comm().rank() == 0) file_ = files.series("loads-" + spec.name + ".csv", columns(sim));
        });
        forget();
    }

    void bring_to_disk() override {
        if (file_) file_->bring_to_disk();
    }

  protected:
    void at_stage(const Simulation& sim) override {  // momentum at the start of the first average
        std::vector<double> sums = sums_now(sim);
        first_momentum_ = sums[3 * n_ + 1], first_time_ = sim.clock().time();
    }

    void look(const Simulation& sim) override {
        const std::vector<double> sums = sums_now(sim);
        const Vec3d up = upwards(sim);
        ++looks_;
        for (std::size_t w = 0; w < n_; ++w) {
            const double down = -dot(Vec3d{sums[3 * w], sums[3 * w + 1], sums[3 * w + 2]}, up);
            for (std::size_t k = 3 * w; k < 3 * w + 3; ++k) force_[k] += sums[k];
            most_[w] = std::max(most_[w], down);
        }
        mass_ += sums[3 * n_];
        last_momentum_ = sums[3 * n_ + 1], last_time_ = sim.clock().time();
    }

    void write(const Simulation& sim, double begin, double end) override {
        if (looks_ == 0) return;
        const double weight = mass_ / looks_ * norm(sim.setup().gravity);
        const double inertia =
            last_time_ > first_time_ ? (last_momentum_ - first_momentum_) / (last_time_ - first_time_) : 0.0;
        double carried = 0;
        std::vector<Series::Value> row;
        for (std::size_t w = 0; w < n_; ++w) {
            const Vec3d f = (1 / looks_) * Vec3d{force_[3 * w], force_[3 * w + 1], force_[3 * w + 2]};
            const Vec3d shown = sim.setup().axes.out(f);
            const double down = -dot(f, upwards(sim));
            carried += down;
            for (const double x : {shown.x, shown.y, shown.z, down, most_[w]}) row.emplace_back(x);
        }
        const double rest = weight > 0 ? (weight - carried - inertia) / weight : 0.0;
        row.insert(row.begin(), {end, begin, looks_, weight, carried, inertia, rest});
        together(sim.comm(), [&] {
            if (file_) file_->write(row);
        });
        const double p = last_momentum_, t = last_time_;
        forget();
        first_momentum_ = p, first_time_ = t;
    }

    std::vector<double> numbers() const override {
        std::vector<double> all{looks_, mass_, first_momentum_, first_time_, last_momentum_, last_time_};
        all.insert(all.end(), force_.begin(), force_.end());
        all.insert(all.end(), most_.begin(), most_.end());
        return all;
    }
    void set_numbers(const std::vector<double>& all) override {
        if (all.size() != 6 + 4 * n_)
            throw InputError("probe " + spec_.name + ": the checkpoint belongs to another probe");
        looks_ = all[0], mass_ = all[1], first_momentum_ = all[2], first_time_ = all[3], last_momentum_ = all[4],
        last_time_ = all[5];
        const auto at = [&](std::size_t k) { return all.begin() + static_cast<std::ptrdiff_t>(k); };
        force_.assign(at(6), at(6 + 3 * n_)), most_.assign(at(6 + 3 * n_), all.end());
    }

  private:
    // Force on each wall, then mass and downward momentum of the grain.
    std::vector<double> sums_now(const Simulation& sim) const {
        std::vector<double> sums(3 * n_ + 2, 0.0);
        const Vec3d up = upwards(sim);
        fold_in_order(sim.comm(), sums, [&](std::vector<double>& s) {
            for (const WallSample& c : sim.forces().wall_samples)
                for (int axis = 0; axis < 3; ++axis)
                    s[3 * c.wall + static_cast<std::size_t>(axis)] -= at(c.force, axis);
            const Bodies inside = bodies_inside(sim);
            for (const Range& range : inside.real)
                for (Index i = range.begin; i < range.end; ++i) {
                    const double m = inside.mass(i);
                    s[3 * n_] += m;
                    s[3 * n_ + 1] -= m * dot(synchronised_velocity(inside, i, sim.motion()), up);
                }
        });
        return sums;
    }

    std::vector<SeriesColumn> columns(const Simulation& sim) const {
        std::vector<SeriesColumn> c{{"time", "s"},    {"from", "s"},    {"samples"},   {"weight", "N"},
                                    {"carried", "N"}, {"inertia", "N"}, {"rest_share"}};
        for (const Wall& w : sim.setup().walls) {
            for (const char* axis : {"x", "y", "z"}) c.push_back({std::string("force_") + axis, "N", w.name});
            c.push_back({"down", "N", w.name}), c.push_back({"down_most", "N", w.name});
        }
        return c;
    }

    void forget() {
        looks_ = mass_ = 0;
        force_.assign(3 * n_, 0.0);
        most_.assign(n_, -std::numeric_limits<double>::infinity());
    }

    std::size_t n_;
    double looks_ = 0, mass_ = 0;  // mass: kg, summed over the looks
    std::vector<double> force_;    // N, three a wall, summed over the looks
    std::vector<double> most_;     // N, a wall
    double first_momentum_ = 0, first_time_ = 0, last_momentum_ = 0, last_time_ = 0;
    std::optional<Series> file_;  // on the first rank only
};

}  // namespace

std::unique_ptr<Probe> make_loads_probe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files) {
    return std::make_unique<LoadsProbe>(sim, spec, files);
}

}  // namespace granary
