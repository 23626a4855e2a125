// Pressure of the grain on one wall: pressure-<name>.csv, a row for each bin and average.
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include "app/probes.hpp"
#include "core/errors.hpp"
#include "decomposition/fold.hpp"
#include "io/together.hpp"
#include "measure/silo_pressures.hpp"
#include "measure/wall_profile.hpp"

namespace granary {

namespace {

std::size_t wall_of(const Simulation& sim, const std::string& name) {
    const auto& walls = sim.setup().walls;
    for (std::size_t w = 0; w < walls.size(); ++w)
        if (walls[w].name == name) return w;
    throw std::logic_error("wall " + name + " passed the checks but does not exist");
}

class PressureProbe : public Probe {
  public:
    PressureProbe(Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files)
        : Probe(spec, sim.time()),
          wall_(wall_of(sim, spec.wall)),
          bins_(bins_of(sim)) {
        walls_ = true;
        const Wall& wall = sim.setup().walls[wall_];
        if (const auto* s = std::get_if<Cylinder>(&wall.shape)) {
            column_.emplace(*s, upwards(sim));
            upright_ = std::abs(dot(s->top - s->bottom, upwards(sim))) > 0.999 * norm(s->top - s->bottom);
            grain_ = grain_of(sim, *s, wall.material);
        }
        together(sim.comm(), [&] {
            if (sim.comm().rank() == 0) file_ = files.series("pressure-" + spec.name + ".csv", columns());
        });
        forget();
    }

    void bring_to_disk() override {
        if (file_) file_->bring_to_disk();
    }

  protected:
    void look(Simulation& sim) override {
        bins_ = bins_of(sim);  // the wall may have moved
        if (column_) column_.emplace(std::get<Cylinder>(sim.walls()[wall_].shape), upwards(sim));
        const std::size_t n = n_profile_sums * bins_.size();
        std::vector<double> sums(n + (column_ ? BulkColumn::slices : 0), 0.0);
        fold_in_order(sim.comm(), sums, [&](std::vector<double>& s) {
            for (const WallSample& c : sim.wall_contacts())
                if (c.wall == wall_) add_contact(s, bins_, c);
            if (!column_) return;
            const Bodies inside = sim.inside();
            for (const Range& run : inside.real)
                for (Index i = run.begin; i < run.end; ++i)
                    if (const std::size_t k = column_->slice(inside.x(i)); k < BulkColumn::slices)
                        s[n + k] += 1 / inside.velocity(i, 3);
        });
        looks_.add({sums.data(), n}, bins_);
        for (std::size_t k = 0; k < mass_.size(); ++k) mass_[k] += sums[n + k];
    }

    void write(Simulation& sim, double begin, double end) override {
        if (looks_.looks == 0) return;
        together(sim.comm(), [&] {
            if (file_) rows(begin, end);
        });
        forget();
    }

    std::vector<double> numbers() const override {
        std::vector<double> all{looks_.looks};
        for (const auto* part : {&looks_.sum, &looks_.least, &looks_.most, &mass_})
            all.insert(all.end(), part->begin(), part->end());
        return all;
    }
    void set_numbers(const std::vector<double>& all) override {
        forget();
        looks_.looks = all.at(0);
        const std::size_t n = looks_.looks > 0 ? n_profile_sums * bins_.size() : 0;
        if (all.size() != 1 + 3 * n + mass_.size())
            throw InputError("probe " + spec_.name + ": saved by another probe");
        const auto part = [&](std::size_t k) { return all.begin() + 1 + static_cast<std::ptrdiff_t>(k * n); };
        looks_.sum.assign(part(0), part(1)), looks_.least.assign(part(1), part(2)),
            looks_.most.assign(part(2), part(3));
        mass_.assign(part(3), all.end());
    }

  private:
    WallBins bins_of(const Simulation& sim) const {
        const Setup& s = sim.setup();
        return {sim.walls()[wall_].shape,
                static_cast<std::size_t>(spec_.bins),
                static_cast<std::size_t>(spec_.sectors),
                s.domain,
                upwards(sim),
                s.axes.in(Vec3d{1, 0, 0}),
                s.axes.in(Vec3d{0, 1, 0})};
    }

    SiloGrain grain_of(const Simulation& sim, const Cylinder& s, std::size_t wall_material) const {
        SiloGrain g;
        const Setup& setup = sim.setup();
        std::size_t ball = 0;  // the first material of balls stands for all
        while (ball + 1 < setup.materials.size() && setup.materials[ball].wall_only) ++ball;
        g.diameter = 2 * s.radius, g.gravity = norm(setup.gravity);
        g.friction = spec_.wall_friction.value_or(sim.friction(ball, wall_material));
        g.friction_angle = spec_.friction_angle * std::numbers::pi / 180;
        g.lateral_ratio = spec_.lateral_ratio.value_or(1.1 * (1 - std::sin(g.friction_angle)));  // EN 1991-4
        return g;
    }

    void forget() {
        looks_.clear();
        mass_.assign(column_ ? BulkColumn::slices : 0, 0.0);
    }

    std::vector<SeriesColumn> columns() const {
        std::vector<SeriesColumn> c{{"time", "s"}, {"from", "s"}, {"looks"}, {"bin"}, {"sector"}};
        c.push_back({"position", "m"}), c.push_back({"height", "m"});
        c.push_back(bins_.round() ? SeriesColumn{"angle", "deg"} : SeriesColumn{"across", "m"});
        c.push_back({"area", "m2"});
        for (const char* what : {"normal", "shear"})
            for (const char* how : {"", "_least", "_most"}) c.push_back({std::string(what) + how, "Pa"});
        c.push_back({"cross", "Pa"});
        if (!column_) return c;
        c.push_back({"depth", "m"}), c.push_back({"bulk_density", "kg_per_m3"});
        for (const char* what : {"vertical", "janssen_vertical", "janssen_normal", "janssen_shear", "en_fill_normal",
                                 "en_fill_shear", "en_discharge_normal", "en_discharge_shear"})
            c.push_back({what, "Pa"});
        return c;
    }

    void rows(double begin, double end) {
        BulkColumn::Fill fill;
        SiloGrain grain = grain_;
        std::vector<double> mass = mass_;
        if (column_) {
            for (double& m : mass) m /= looks_.looks;
            fill = column_->fill(mass);
            grain.bulk_density = fill.density, grain.slenderness = fill.surface / grain.diameter;
        }
        double drag_above = 0;  // N, of all bins above
        std::vector<std::vector<Series::Value>> lines;
        for (std::size_t b = bins_.bins(); b-- > 0;) {  // from the top, as weight and drag add up
            double drag = 0;
            for (std::size_t s = 0; s < bins_.sectors(); ++s)
                drag += looks_.mean(n_profile_sums * (b * bins_.sectors() + s) + 1) * bins_.area(b);
            for (std::size_t s = bins_.sectors(); s-- > 0;) {
                const std::size_t k = n_profile_sums * (b * bins_.sectors() + s);
                std::vector<Series::Value> row{
                    end, begin, looks_.looks, b, s, bins_.middle(b), bins_.height(b), bins_.across(s), bins_.area(b)};
                for (std::size_t part = 0; part < 2; ++part) {
                    row.emplace_back(looks_.mean(k + part));
                    row.emplace_back(looks_.least[k + part]), row.emplace_back(looks_.most[k + part]);
                }
                row.emplace_back(looks_.mean(k + 2));
                if (column_) {
                    const double depth = fill.surface - bins_.middle(b);
                    const double weight = grain.gravity * column_->mass_above(mass, bins_.middle(b));
                    const double vertical = upright_ ? (weight - drag_above - 0.5 * drag) / column_->area()
                                                     : std::numeric_limits<double>::quiet_NaN();
                    const WallPressure j = janssen_1895(grain, depth);
                    const EnPressure en = en_1991_4(grain, depth);
                    for (const double x : {depth, fill.density, vertical, j.vertical, j.normal, j.shear, en.fill_normal,
                                           en.fill_shear, en.discharge_normal, en.discharge_shear})
                        row.emplace_back(x);
                }
                lines.push_back(std::move(row));
            }
            drag_above += drag;
        }
        for (std::size_t k = lines.size(); k-- > 0;) file_->write(lines[k]);
    }

    std::size_t wall_;
    WallBins bins_;
    std::optional<BulkColumn> column_;  // of a cylinder
    bool upright_ = false;
    SiloGrain grain_;
    ProfileLooks looks_;
    std::vector<double> mass_;    // kg, summed over the looks
    std::optional<Series> file_;  // on the first rank only
};

}  // namespace

std::unique_ptr<Probe> make_pressure_probe(Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files) {
    return std::make_unique<PressureProbe>(sim, spec, files);
}

}  // namespace granary
