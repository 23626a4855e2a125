// Fields on a grid: field-<name>.pvd with a .vti file for each average, and field-<name>.csv with the same over the
// whole grid.
#include <fmt/format.h>
#include <boost/mpi/collectives.hpp>
#include <filesystem>
#include <numbers>
#include <optional>
#include "engine/equivalent_radius.hpp"
#include "observe/probes.hpp"
#include "core/errors.hpp"
#include "core/parallel.hpp"
#include "decomposition/fold.hpp"
#include "io/frames/pvd_file.hpp"
#include "decomposition/together.hpp"
#include "io/frames/vti_file.hpp"
#include "measure/field_sums.hpp"
#include "motion/integrate.hpp"
#include "engine/measures.hpp"

namespace granary {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t cells_at_once = 16384;  // of a look: 1.8 MB

Grid grid_of(const ProbeSpec& s) {
    Grid g;
    g.lower = s.lower;
    const Vec3d size = s.upper - s.lower;
    for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        // A spacing is met as nearly as whole cells allow.
        g.counts[a] = static_cast<int>(
            s.counts ? (*s.counts)[a]
                     : std::max(1LL, std::llround(at(size, axis) / s.spacing.value_or(at(size, axis)))));
        at(g.step, axis) = at(size, axis) / g.counts[a];
    }
    return g;
}

// In the user's axes; 0: not periodic.
Vec3d period_of(const Setup& s) {
    Vec3d period;
    for (int axis = 0; axis < 3; ++axis)
        if (s.domain.periodic[static_cast<std::size_t>(axis)])
            at(period, axis) = at(s.domain.upper, axis) - at(s.domain.lower, axis);
    return s.axes.out(period);
}

class FieldProbe : public Probe {
  public:
    FieldProbe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files)
        : Probe(spec, sim.clock().time()),
          grid_(grid_of(spec)),
          to_(grid_, spec.kernel, width_of(sim), period_of(sim.setup())),
          stem_("field-" + spec.name),
          folder_(files.results.file("")),
          sums_(sim.comm(), n_field_sums * grid_.size(), n_field_sums * cells_at_once) {
        walls_ = pairs_ = true;
        forget();
        together(sim.comm(), [&] {
            if (sim.comm().rank() > 0) return;
            std::error_code error;
            fs::create_directories(folder_ / stem_, error);
            if (error) throw InputError((folder_ / stem_).string() + ": cannot create the folder: " + error.message());
            shown_ = PvdFile((folder_ / (stem_ + ".pvd")).string());
            std::vector<PvdEntry> kept;
            if (files.until && fs::exists(shown_.path()))
                for (const PvdEntry& entry : read_pvd(shown_.path()))
                    if (entry.time <= *files.until) kept.push_back(entry);
            shown_.set(std::move(kept));
            file_ = files.series(stem_ + ".csv", columns());
        });
    }

    void bring_to_disk() override {
        if (file_) file_->bring_to_disk();
    }

  protected:
    // By parts of the grid side by side: a cell gets what it gets in the order of the bodies, whoever adds it.
    void look(const Simulation& sim) override {
        const std::vector<std::uint16_t> contacts = contact_numbers_of(sim);
        const Bodies inside = bodies_inside(sim);
        static const std::string name = "observe::field";
        sums_.fold([&](std::span<double> slice, std::size_t first) {
            const std::size_t cells = slice.size() / n_field_sums, parts = std::min(pieces_for(inside.size), cells);
            in_parallel(name, parts, [&](std::size_t k) {
                const std::size_t begin = cells * k / parts, end = cells * (k + 1) / parts;
                add_all(
                    sim, inside, contacts,
                    {slice.subspan(n_field_sums * begin, n_field_sums * (end - begin)), first / n_field_sums + begin});
            });
        });
        ++looks_;
    }

    void write(const Simulation& sim, double begin, double end) override {
        if (looks_ == 0) return;
        const std::vector<double> sums = sums_.whole();
        together(sim.comm(), [&] {
            if (file_) write_files(sums, begin, end);
        });
        forget();
    }

    std::string numbers_name() const override { return of_first_rank("sums"); }
    std::vector<double> numbers() const override {
        std::vector<double> all = sums_.whole();
        if (sums_.comm().rank() == 0) all.push_back(looks_);
        return all;
    }
    void set_numbers(const std::vector<double>& all) override {
        together(sums_.comm(), [&] {
            if (sums_.comm().rank() == 0 && all.size() != sums_.size() + 1)
                throw InputError("probe " + spec_.name + ": the checkpoint belongs to another probe");
        });
        if (sums_.comm().rank() == 0) looks_ = all.back();
        boost::mpi::broadcast(sums_.comm(), looks_, 0);
        sums_.set(all);
    }

  private:
    // All vectors are turned to the user's axes here; the grid is in those.
    void add_all(const Simulation& sim, const Bodies& inside, const std::vector<std::uint16_t>& contacts,
                 const FieldShare& s) const {
        const Axes& axes = sim.setup().axes;
        for (const Range& range : inside.real)
            for (Index i = range.begin; i < range.end; ++i) {
                add_ball(
                    s, to_,
                    {axes.out(inside.x(i)), axes.out(synchronised_velocity(inside, i, sim.motion())), inside.mass(i),
                     body_volume(inside, i, sim.setup().shapes, sim.setup().plane.thickness), contacts[i]});
            }
        // In the order of the bodies, those of one with walls before those with balls: so it is on any number of ranks.
        const std::vector<WallSample>& walls = sim.forces().wall_samples;
        std::size_t next = 0;
        const auto walls_below = [&](Index end) {
            for (; next < walls.size() && walls[next].body < end; ++next)
                add_contact(s, to_, axes.out(inside.x(walls[next].body)), axes.out(walls[next].point),
                            axes.out(walls[next].force));
        };
        for (const PairSample& c : sim.forces().pair_samples) {
            walls_below(c.i + 1);
            add_contact(s, to_, axes.out(inside.x(c.i)), axes.out(inside.x(c.j)), axes.out(c.force));
        }
        walls_below(inside.size);
    }

    // Three radii of the largest ball: a kernel that holds some thirty balls of a dense bed. Never less than a cell.
    double width_of(const Simulation& sim) const {
        const double cell = std::max({grid_.step.x, grid_.step.y, grid_.step.z});
        return spec_.width.value_or(std::max(cell, 3 * sim.setup().largest_radius));
    }

    void forget() {
        looks_ = 0;
        sums_.clear();
    }

    static std::vector<SeriesColumn> columns() {
        std::vector<SeriesColumn> c{{"time", "s"}, {"from", "s"}, {"samples"}, {"mass", "kg"}, {"packing_fraction"}};
        for (const char* axis : {"x", "y", "z"}) c.push_back({std::string("velocity_") + axis, "m_per_s"});
        c.push_back({"temperature", "m2_per_s2"}), c.push_back({"coordination"});
        for (const char* part : {"xx", "yy", "zz", "xy", "yz", "xz"})
            c.push_back({std::string("stress_") + part, "Pa"});
        return c;
    }

    void write_files(const std::vector<double>& sums, double begin, double end) {
        // The whole grid as one cell.
        std::vector<double> total(n_field_sums, 0.0);
        for (std::size_t k = 0; k < sums.size(); ++k) total[k % n_field_sums] += sums[k];
        Grid one = grid_;
        one.counts = {1, 1, 1};
        one.step = {grid_.step.x * grid_.counts[0], grid_.step.y * grid_.counts[1], grid_.step.z * grid_.counts[2]};
        const FieldValues all = field_values(total, one, looks_);
        std::vector<Series::Value> row{end, begin, looks_, total[sum_mass] / looks_, all.packing_fraction[0]};
        for (int axis = 0; axis < 3; ++axis) row.emplace_back(at(all.velocity[0], axis));
        row.emplace_back(all.temperature[0]), row.emplace_back(all.coordination[0]);
        for (const double s : all.contact_stress[0]) row.emplace_back(s);
        file_->write(row);

        const FieldValues v = field_values(sums, grid_, looks_);
        Image image{grid_.lower, grid_.step, grid_.counts, end, {}};
        std::vector<double> velocity, stress, pressure;
        for (const Vec3d& a : v.velocity) velocity.insert(velocity.end(), {a.x, a.y, a.z});
        for (const auto& s : v.contact_stress) {
            stress.insert(stress.end(), s.begin(), s.end());
            pressure.push_back((s[0] + s[1] + s[2]) / 3);
        }
        image.arrays = {{"packing_fraction", "", 1, v.packing_fraction},
                        {"density", "kg/m^3", 1, v.density},
                        {"velocity", "m/s", 3, velocity},
                        {"temperature", "m^2/s^2", 1, v.temperature},
                        {"coordination", "", 1, v.coordination},
                        {"contact_stress", "Pa", 6, stress},
                        {"pressure", "Pa", 1, pressure}};
        const std::string name = fmt::format("{}/{}_{:06}.vti", stem_, spec_.name, shown_.entries().size());
        write_vti((folder_ / name).string(), image);
        shown_.write({end, name});
        shown_.add({end, name});
    }

    Grid grid_;
    CoarseGraining to_;
    std::string stem_;
    fs::path folder_;
    double looks_ = 0;
    SlicedSums sums_;
    PvdFile shown_{{}};
    std::optional<Series> file_;  // on the first rank only
};

}  // namespace

std::unique_ptr<Probe> make_field_probe(const Simulation& sim, const ProbeSpec& spec, const ProbeFiles& files) {
    return std::make_unique<FieldProbe>(sim, spec, files);
}

}  // namespace granary
