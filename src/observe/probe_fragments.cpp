// Sizes of the pieces that bonds hold together: fragments-<name>.csv, a row for each class of size at each look, from
// the smallest to the largest that there is. The size of a piece is the diameter of the ball of the same volume (its
// mass over the density of its material). Classes are those of the case, or the sieves of ratio 2^(1/2) that have one
// of 1 mm among them. Masses are exact sums, so the file is the same on any number of ranks.
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>
#include "observe/probes.hpp"
#include "core/errors.hpp"
#include "core/exact_sum.hpp"
#include "decomposition/together.hpp"
#include "engine/pieces.hpp"

namespace granary {

namespace {

constexpr int finest = -60, coarsest = 60;  // powers of 2^(1/2) mm: 1 pm to 1000 km

std::vector<double> sieves() {
    std::vector<double> edges;
    for (int k = finest; k <= coarsest; ++k)
        edges.push_back(std::ldexp(k % 2 == 0 ? 1e-3 : 1e-3 * std::numbers::sqrt2, (k - (k % 2 != 0 ? 1 : 0)) / 2));
    return edges;
}

class FragmentsProbe : public Probe {
  public:
    FragmentsProbe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files)
        : Probe(spec, sim.clock().time()),
          edges_(spec.size_edges.empty() ? sieves() : spec.size_edges) {
        for (std::size_t m = 0; m < sim.setup().materials.size(); ++m)
            if (sim.setup().materials[m].name == spec.material) material_ = m;
        together(sim.comm(), [&] {
            if (sim.comm().rank() == 0)
                file_ = files.series("fragments-" + spec.name + ".csv", {{"time", "s"},
                                                                         {"from", "m"},
                                                                         {"to", "m"},
                                                                         {"pieces"},
                                                                         {"bodies"},
                                                                         {"mass", "kg"},
                                                                         {"mass_share"},
                                                                         {"passing_share"}});
        });
    }

    void bring_to_disk() override {
        if (file_) file_->bring_to_disk();
    }

  protected:
    void at_stage(const Simulation& sim) override { rows(sim); }
    void look(const Simulation& sim) override { rows(sim); }
    void write(const Simulation& sim, double, double) override { rows(sim); }  // at the end of a stage
    std::vector<double> numbers() const override { return {}; }
    void set_numbers(const std::vector<double>& all) override {
        if (!all.empty()) throw InputError("probe " + spec_.name + ": the checkpoint belongs to another probe");
    }

  private:
    struct Class {
        std::uint64_t pieces = 0, bodies = 0;
        ExactSum mass;
    };

    void rows(const Simulation& sim) {
        if (has_row_of(sim.clock().time())) return;  // the last look of one stage is the beginning of the next
        std::vector<Class> mine(edges_.size() + 1);
        const auto counts = [&](Index i) { return !material_ || sim.bodies().material(i) == *material_; };
        for_each_piece(sim, counts, [&](const Piece& p) {
            Class& c = mine[static_cast<std::size_t>(
                std::upper_bound(edges_.begin(), edges_.end(), equivalent_diameter(p)) - edges_.begin())];
            ++c.pieces, c.bodies += p.bodies, c.mass.add(p.mass);
        });
        static_assert(sizeof(Class) == (2 + ExactSum::n_digits) * sizeof(std::uint64_t));
        const std::size_t width = 2 + ExactSum::n_digits;
        std::vector<std::uint64_t> numbers, all(mine.size() * width);
        for (const Class& c : mine) {
            numbers.push_back(c.pieces), numbers.push_back(c.bodies);
            numbers.insert(numbers.end(), c.mass.digits.begin(), c.mass.digits.end());
        }
        boost::mpi::all_reduce(sim.comm(), numbers.data(), static_cast<int>(numbers.size()), all.data(),
                               std::plus<std::uint64_t>());
        ExactSum total;
        for (std::size_t c = 0; c < mine.size(); ++c) {
            const std::uint64_t* from = all.data() + c * width;
            mine[c].pieces = from[0], mine[c].bodies = from[1];
            std::copy_n(from + 2, ExactSum::n_digits, mine[c].mass.digits.begin());
            for (int k = 0; k < ExactSum::n_digits; ++k) total.digits[k] += mine[c].mass.digits[k];
        }
        together(sim.comm(), [&] {
            if (file_) write_classes(sim.clock().time(), mine, total.value());
        });
        has_written(sim.clock().time());
    }

    void write_classes(double time, const std::vector<Class>& classes, double mass) {
        const auto filled = [](const Class& c) { return c.pieces > 0; };
        auto first = std::find_if(classes.begin(), classes.end(), filled);
        auto last = std::find_if(classes.rbegin(), classes.rend(), filled).base();
        if (first == classes.end()) return;
        if (!spec_.size_edges.empty()) first = classes.begin(), last = classes.end();  // always all of the case
        ExactSum below;
        for (auto c = first; c != last; ++c) {
            for (int k = 0; k < ExactSum::n_digits; ++k) below.digits[k] += c->mass.digits[k];
            const auto number = static_cast<std::size_t>(c - classes.begin());
            file_->write({time, number > 0 ? edges_[number - 1] : 0.0,
                          number < edges_.size() ? edges_[number] : std::numeric_limits<double>::infinity(), c->pieces,
                          c->bodies, c->mass.value(), c->mass.value() / mass, below.value() / mass});
        }
    }

    std::vector<double> edges_;            // m, ascending
    std::optional<std::size_t> material_;  // number; empty: all
    std::optional<Series> file_;           // on the first rank only
};

}  // namespace

std::unique_ptr<Probe> make_fragments_probe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files) {
    return std::make_unique<FragmentsProbe>(sim, spec, files);
}

}  // namespace granary
