// How many balls have their centre in a box, and their mass, by material and class of size: count-<name>.csv, a row for
// each look. The box is half-open, so that boxes side by side count every ball once.
#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include "engine/equivalent_radius.hpp"
#include "observe/probes.hpp"
#include "core/errors.hpp"
#include "decomposition/fold.hpp"
#include "decomposition/together.hpp"
#include "engine/measures.hpp"

namespace granary {

namespace {

class CountProbe : public Probe {
  public:
    CountProbe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files)
        : Probe(spec, sim.clock().time()) {
        std::vector<SeriesColumn> all{{"time", "s"}, {"balls"}, {"mass", "kg"}};
        for (const Material& m : sim.setup().materials) {
            first_.push_back(n_);
            if (m.wall_only) continue;
            for (std::size_t k = 0; k <= spec.size_edges.size(); ++k, ++n_) {
                const std::string of = m.name + class_name(k);
                all.push_back({"balls", "", of}), all.push_back({"mass", "kg", of});
            }
        }
        together(sim.comm(), [&] {
            if (sim.comm().rank() == 0) file_ = files.series("count-" + spec.name + ".csv", all);
        });
    }

    void bring_to_disk() override {
        if (file_) file_->bring_to_disk();
    }

  protected:
    void at_stage(const Simulation& sim) override { row(sim); }
    void look(const Simulation& sim) override { row(sim); }
    void write(const Simulation& sim, double, double) override { row(sim); }  // at the end of a stage
    std::vector<double> numbers() const override { return {}; }
    void set_numbers(const std::vector<double>& all) override {
        if (!all.empty()) throw InputError("probe " + spec_.name + ": the checkpoint belongs to another probe");
    }

  private:
    std::string class_name(std::size_t k) const {
        const std::vector<double>& edges = spec_.size_edges;
        if (edges.empty()) return "";
        if (k == 0) return fmt::format(" below {:g} m", edges.front());
        if (k == edges.size()) return fmt::format(" from {:g} m", edges.back());
        return fmt::format(" {:g} to {:g} m", edges[k - 1], edges[k]);
    }

    bool in_box(const Vec3d& x) const {
        bool in = true;
        for (int axis = 0; axis < 3; ++axis)
            in &= at(x, axis) >= at(spec_.lower, axis) && at(x, axis) < at(spec_.upper, axis);
        return in;
    }

    void row(const Simulation& sim) {
        if (has_row_of(sim.clock().time())) return;  // the last look of one stage is the beginning of the next
        std::vector<double> sums(2 * n_ + 1, 0.0);   // balls and mass of each class; mass of all
        fold_in_order(sim.comm(), sums, [&](std::vector<double>& s) {
            const Bodies inside = bodies_inside(sim);
            for (const Range& range : inside.real)
                for (Index i = range.begin; i < range.end; ++i) {
                    if (!in_box(sim.setup().axes.out(inside.x(i)))) continue;
                    const auto& edges = spec_.size_edges;
                    const auto size = std::upper_bound(edges.begin(), edges.end(),
                                                       2 * equivalent_radius(inside, i, sim.setup().shapes)) -
                                      edges.begin();
                    const std::size_t k = first_[inside.material(i)] + static_cast<std::size_t>(size);
                    const double mass = inside.mass(i);
                    s[2 * k] += 1, s[2 * k + 1] += mass, s[2 * n_] += mass;
                }
        });
        together(sim.comm(), [&] {
            if (!file_) return;
            double balls = 0;
            for (std::size_t k = 0; k < n_; ++k) balls += sums[2 * k];
            std::vector<Series::Value> values{sim.clock().time(), static_cast<std::uint64_t>(balls), sums[2 * n_]};
            for (std::size_t k = 0; k < n_; ++k)
                values.emplace_back(static_cast<std::uint64_t>(sums[2 * k])), values.emplace_back(sums[2 * k + 1]);
            file_->write(values);
        });
        has_written(sim.clock().time());
    }

    std::vector<std::size_t> first_;  // class of each material
    std::size_t n_ = 0;               // classes of all materials
    std::optional<Series> file_;      // on the first rank only
};

}  // namespace

std::unique_ptr<Probe> make_count_probe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files) {
    return std::make_unique<CountProbe>(sim, spec, files);
}

}  // namespace granary
