// Pressure of the grain on one wall: pressure-<name>.csv, a row for each bin and average.
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include "core/elementary.hpp"
#include "observe/probes.hpp"
#include "core/errors.hpp"
#include "decomposition/fold.hpp"
#include "decomposition/together.hpp"
#include "measure/mesh_bins.hpp"
#include "measure/silo_pressures.hpp"
#include "measure/wall_profile.hpp"
#include "engine/measures.hpp"

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
    PressureProbe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files)
        : Probe(spec, sim.clock().time()),
          wall_(wall_of(sim, spec.wall)),
          bins_(bins_of(sim)) {
        walls_ = true;
        const Wall& wall = sim.setup().walls[wall_];
        const auto* s = std::get_if<Cylinder>(&wall.shape);
        if (s && std::abs(dot(s->top - s->bottom, upwards(sim))) > 0.999 * norm(s->top - s->bottom)) {
            bin_ = bin_of(*s, upwards(sim));
            fills_bin_ = true;
        }
        if (const auto* mesh = std::get_if<Mesh>(&wall.shape)) bin_ = bin_of_mesh(sim, *mesh);
        else if (!bin_) bin_ = rectangular_bin(sim.setup().walls, wall_, upwards(sim), sim.setup().domain);
        if (bin_) grain_ = grain_of(sim, *bin_, wall.material);
        place_column(sim);
        together(sim.comm(), [&] {
            if (sim.comm().rank() == 0) file_ = files.series("pressure-" + spec.name + ".csv", columns());
        });
        forget();
    }

    void bring_to_disk() override {
        if (file_) file_->bring_to_disk();
    }

  protected:
    void look(const Simulation& sim) override {
        follow(sim);
        const std::size_t n = n_profile_sums * bins_.size();
        std::vector<double> sums(n + (column_ ? BulkColumn::slices : 0), 0.0);
        fold_in_order(sim.comm(), sums, [&](std::vector<double>& s) {
            for (const WallSample& c : sim.forces().wall_samples)
                if (c.wall == wall_) add_contact(s, bins_, c);
            if (!column_) return;
            const Bodies inside = bodies_inside(sim);
            for (const Range& range : inside.real)
                for (Index i = range.begin; i < range.end; ++i)
                    if (const std::size_t k = column_->slice(inside.x(i)); k < BulkColumn::slices)
                        s[n + k] += inside.mass(i);
        });
        looks_.add({sums.data(), n}, bins_);
        for (std::size_t k = 0; k < mass_.size(); ++k) mass_[k] += sums[n + k];
    }

    void write(const Simulation& sim, double begin, double end) override {
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
        const std::size_t n = !all.empty() && all[0] > 0 ? n_profile_sums * bins_.size() : 0;
        if (all.size() != 1 + 3 * n + mass_.size())
            throw InputError("probe " + spec_.name + ": the checkpoint belongs to another probe");
        looks_.looks = all[0];
        const auto part = [&](std::size_t k) { return all.begin() + 1 + static_cast<std::ptrdiff_t>(k * n); };
        looks_.sum.assign(part(0), part(1)), looks_.least.assign(part(1), part(2)),
            looks_.most.assign(part(2), part(3));
        mass_.assign(part(3), all.end());
    }

  private:
    const Mesh* mesh_of(const Simulation& sim) const { return std::get_if<Mesh>(&sim.walls().walls()[wall_].shape); }

    // The wall may have moved.
    void follow(const Simulation& sim) {
        if (const Mesh* mesh = mesh_of(sim); mesh && mesh->pose == pose_) return;  // to cut up its triangles takes long
        bins_ = bins_of(sim);
        place_column(sim);
    }

    void place_column(const Simulation& sim) {
        const Mesh* const mesh = mesh_of(sim);
        if (mesh) pose_ = mesh->pose;
        if (!bin_) return;
        if (!mesh) {
            const auto* round = std::get_if<Cylinder>(&sim.walls().walls()[wall_].shape);
            const auto now =
                round ? bin_of(*round, upwards(sim))
                      : rectangular_bin(sim.walls().walls(), wall_, upwards(sim), sim.setup().domain).value_or(*bin_);
            return void(column_.emplace(now));
        }
        const UprightBin now =
            bin_of(Cylinder{pose_.point(bin_->bottom), pose_.point(bin_->top), bin_->radius}, upwards(sim));
        column_.emplace(now);
        column_begin_ = dot(now.bottom, upwards(sim)) - (bins_.height(0) - bins_.middle(0));
    }

    // The round bin that a mesh is, where the case puts it; empty: it is none, and nobody has given its diameter.
    std::optional<UprightBin> bin_of_mesh(const Simulation& sim, const Mesh& mesh) {
        const Vec3d up = upwards(sim);
        const UprightAxis axis = axis_of(mesh, up, perpendicular(up), axis_point(sim));
        const std::optional<double> radius = radius_if_round(mesh, axis);
        fills_bin_ = radius.has_value();
        if (!radius && !spec_.diameter) return {};
        const Heights part = upright_part(mesh, axis);
        return UprightBin{axis.origin + part.begin * up,
                          axis.origin + part.end * up,
                          spec_.diameter ? 0.5 * *spec_.diameter : *radius,
                          {},
                          {}};
    }

    std::optional<Vec3d> axis_point(const Simulation& sim) const {
        if (!spec_.axis_point) return {};
        return sim.setup().axes.in(*spec_.axis_point);
    }

    WallBins bins_of(const Simulation& sim) const {
        const Setup& s = sim.setup();
        std::optional<Vec3d> through = axis_point(sim);
        if (const Mesh* mesh = mesh_of(sim); mesh && through) through = mesh->pose.point(*through);
        return {sim.walls().walls()[wall_].shape,
                static_cast<std::size_t>(spec_.bins),
                static_cast<std::size_t>(spec_.sectors),
                s.domain,
                upwards(sim),
                s.axes.in(Vec3d{1, 0, 0}),
                s.axes.in(Vec3d{0, 1, 0}),
                through};
    }

    SiloGrain grain_of(const Simulation& sim, const UprightBin& s, std::size_t wall_material) const {
        SiloGrain g;
        const Setup& setup = sim.setup();
        std::size_t ball = 0;  // the first material of balls stands for all
        while (ball + 1 < setup.materials.size() && setup.materials[ball].wall_only) ++ball;
        g.diameter = s.hydraulic_diameter(), g.across = s.round() ? 0 : s.across(), g.gravity = norm(setup.gravity);
        g.friction = spec_.wall_friction.value_or(friction_between(sim, ball, wall_material));
        g.friction_angle = spec_.friction_angle * std::numbers::pi / 180;
        g.lateral_ratio = spec_.lateral_ratio.value_or(1.1 * (1 - elementary::sin(g.friction_angle)));  // EN 1991-4
        return g;
    }

    void forget() {
        looks_.clear();
        mass_.assign(column_ ? BulkColumn::slices : 0, 0.0);
    }

    std::vector<SeriesColumn> columns() const {
        std::vector<SeriesColumn> c{{"time", "s"}, {"from", "s"}, {"samples"}, {"bin"}, {"sector"}};
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
            grain.bulk_density = fill.density, grain.slenderness = fill.surface / grain.characteristic();
        }
        double drag_above = 0;  // N, of all bins above
        std::vector<std::vector<Series::Value>> lines;
        for (std::size_t b = bins_.bins(); b-- > 0;) {  // from the top, as weight and drag add up
            double drag = 0;
            for (std::size_t s = 0; s < bins_.sectors(); ++s)
                drag += looks_.mean(n_profile_sums * (b * bins_.sectors() + s) + 1) * bins_.area(b, s);
            for (std::size_t s = bins_.sectors(); s-- > 0;) {
                const std::size_t k = n_profile_sums * (b * bins_.sectors() + s);
                std::vector<Series::Value> row{end,
                                               begin,
                                               looks_.looks,
                                               b,
                                               s,
                                               bins_.middle(b),
                                               bins_.height(b),
                                               bins_.across(s),
                                               bins_.area(b, s)};
                for (std::size_t part = 0; part < 2; ++part) {
                    row.emplace_back(looks_.mean(k + part));
                    row.emplace_back(looks_.least[k + part]), row.emplace_back(looks_.most[k + part]);
                }
                row.emplace_back(looks_.mean(k + 2));
                if (column_) {
                    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
                    const double z = bins_.middle(b) - column_begin_, depth = fill.surface - z;
                    const bool within = z >= 0 && z <= column_->height();  // not in the cone of a mesh
                    const double weight = grain.gravity * column_->mass_above(mass, z);
                    const double vertical =
                        fills_bin_ && within ? (weight - drag_above - 0.5 * drag) / column_->area() : nan;
                    const WallPressure j = within ? janssen_1895(grain, depth) : WallPressure{nan, nan, nan};
                    const EnPressure en = within ? en_1991_4(grain, depth) : EnPressure{nan, nan, nan, nan};
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
    Pose pose_;                      // of a mesh, at the last look
    std::optional<UprightBin> bin_;  // a round or rectangular bin of which the wall is a part, where the case puts it
    std::optional<BulkColumn> column_;  // the same where it is now
    double column_begin_ = 0;           // m, over the bottom of a mesh
    bool fills_bin_ = false;            // the wall is that bin, so grain above hangs on nothing else
    SiloGrain grain_;
    ProfileLooks looks_;
    std::vector<double> mass_;    // kg, summed over the looks
    std::optional<Series> file_;  // on the first rank only
};

}  // namespace

std::unique_ptr<Probe> make_pressure_probe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files) {
    return std::make_unique<PressureProbe>(sim, spec, files);
}

}  // namespace granary
