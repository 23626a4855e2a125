#include "io/report/curves.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include "io/report/bond_curves.hpp"
#include "io/report/curve_parts.hpp"
#include "io/report/outflow_curves.hpp"

namespace granary {
namespace {

// A quantity of a run over time; empty if the run does not tell it.
using Quantity = std::function<std::vector<double>(const RunFolder&)>;

Quantity column(const std::string& name) {
    return [name](const RunFolder& run) {
        const std::vector<double>* c = run.series.find(name);
        return c == nullptr ? std::vector<double>() : *c;
    };
}

bool has(const RunFolder& run, const std::string& name) { return run.series.find(name) != nullptr; }

const std::string outlet_column = "mass_out_kg:";  // before the name of an outlet

// The flow between two rows is as rough as balls are few, and loads shake: shown as means over a fortieth of the run.
double mean_window(const RunFolder& run) {
    const std::vector<double>& t = time_of(run);
    return t.size() < 2 ? 0 : (t.back() - t.front()) / 40;
}

std::vector<double> flow_of(const RunFolder& run) {
    const std::vector<double>* flow = run.series.find("mass_flow_kg_per_s");
    if (flow == nullptr) return {};
    // What rounding leaves of the difference of two masses is no flow.
    const double least = 1e-9 * std::max(run.most("mass_in_kg"), 1e-300);
    std::vector<double> f = *flow;
    for (double& v : f)
        if (std::abs(v) < least) v = 0;
    return smoothed(time_of(run), f, mean_window(run));
}

// Mass that goes out by one outlet in a second, as a mean like the flow of all.
std::vector<double> flow_through(const RunFolder& run, const std::string& outlet) {
    const std::vector<double>&t = time_of(run), *out = run.series.find(outlet_column + outlet);
    if (out == nullptr || out->size() != t.size()) return {};
    std::vector<double> flow(t.size(), 0.0);
    for (std::size_t k = 1; k < t.size(); ++k)
        if (t[k] > t[k - 1]) flow[k] = ((*out)[k] - (*out)[k - 1]) / (t[k] - t[k - 1]);
    return smoothed(t, flow, mean_window(run));
}

std::vector<std::string> outlets_of(const RunFolder& run) {
    std::vector<std::string> outlets;
    for (const std::string& name : run.series.names)
        if (name.starts_with(outlet_column)) outlets.push_back(name.substr(outlet_column.size()));
    return outlets;
}

// Force of the balls on a wall along gravity, or its amount where there is none.
std::vector<double> load_on(const RunFolder& run, const std::string& wall) {
    const std::vector<double>* f[3] = {run.series.find("force_x_N:" + wall), run.series.find("force_y_N:" + wall),
                                       run.series.find("force_z_N:" + wall)};
    if (f[0] == nullptr || f[1] == nullptr || f[2] == nullptr) return {};
    const double g = std::hypot(run.gravity[0], run.gravity[1], run.gravity[2]);
    std::vector<double> load(run.series.rows);
    for (std::size_t k = 0; k < load.size(); ++k)
        load[k] = g > 0 ? ((*f[0])[k] * run.gravity[0] + (*f[1])[k] * run.gravity[1] + (*f[2])[k] * run.gravity[2]) / g
                        : std::hypot((*f[0])[k], (*f[1])[k], (*f[2])[k]);
    return load;
}

std::vector<std::string> walls_of(const RunFolder& run) {
    std::vector<std::string> walls;
    for (const std::string& name : run.series.names)
        if (name.starts_with("force_x_N:")) walls.push_back(name.substr(10));
    return walls;
}

std::vector<double> load_on_all(const RunFolder& run) {
    std::vector<double> all;
    for (const std::string& wall : walls_of(run)) {
        const std::vector<double> one = load_on(run, wall);
        if (all.empty()) all.resize(one.size());
        for (std::size_t k = 0; k < std::min(all.size(), one.size()); ++k) all[k] += one[k];
    }
    return all;
}

Curve curve(const RunFolder& run, const std::string& name, std::vector<double> y, int colour) {
    return granary::curve(time_of(run), name, std::move(y), colour);
}

// An axis of powers of ten where a quantity falls over decades, such as the energy of what comes to rest.
bool falls_far(const std::vector<Curve>& curves) {
    double most = 0, least = std::numeric_limits<double>::infinity();
    for (const Curve& c : curves)
        for (const double v : c.y) {
            if (v < 0) return false;
            if (v > 0 && std::isfinite(v)) most = std::max(most, v), least = std::min(least, v);
        }
    return most > 1e3 * least;
}

// The same for a quantity that is mostly far below its peaks, such as the speed of a silo that is empty at first and at
// last.
bool has_far_peaks(const std::vector<Curve>& curves) {
    for (const Curve& c : curves) {
        std::vector<double> v;
        std::copy_if(c.y.begin(), c.y.end(), std::back_inserter(v), [](double y) { return std::isfinite(y) && y > 0; });
        if (v.empty()) continue;
        std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
        if (*std::max_element(v.begin(), v.end()) > 20 * v[v.size() / 2]) return true;
    }
    return false;
}

// Every energy that the run has counted. Many of them are shown in the parts of their balance, one at a time.
void add_energies(std::vector<Plot>& plots, const RunFolder& run) {
    std::vector<Curve> curves;
    for (const std::string& header : run.series.names) {
        ColumnName name = column_name(header);
        if (name.unit != "J" || !name.of.empty()) continue;
        if (header == "kinetic_energy_J" && has(run, "energy_kinetic_J")) continue;  // the same
        if (name.quantity.starts_with("energy ")) name.quantity.erase(0, 7);
        curves.push_back(curve(run, name.quantity, *run.series.find(header), static_cast<int>(curves.size())));
    }
    if (curves.size() < 2) return;  // kinetic energy alone is no balance
    Plot p = plot("Energy balance", "All energies of the balance.", "J");
    p.marks = stage_marks(run);
    p.curves = curves;
    if (curves.size() <= most_curves) return keep(plots, std::move(p));
    const auto part_of = [](const std::string& name) {
        if (name == "kinetic" || name == "potential" || name == "elastic" || name == "bonds") return 0;
        if (name.starts_with("lost")) return 1;
        return name == "turned over" || name == "residual" ? 3 : 2;
    };
    static constexpr const char* parts[] = {"stored", "dissipated", "in and out", "check"};
    static constexpr const char* about[] = {"Stored in the balls, their contacts and bonds.",
                                            "Dissipated since the start.",
                                            "Brought in and taken out by balls and walls since the start.",
                                            "Residual of the balance, and energy turned over."};
    for (int part = 0; part < 4; ++part) {
        p.curves.clear();
        for (const Curve& c : curves)
            if (part_of(c.name) == part)
                p.curves.push_back(c), p.curves.back().colour = static_cast<int>(p.curves.size()) - 1;
        p.tab = parts[part], p.about = about[part];
        keep_in_tabs(plots, p);
    }
}

}  // namespace

std::vector<double> smoothed(std::span<const double> x, std::span<const double> y, double window) {
    std::vector<double> mean(y.size());
    std::size_t begin = 0, end = 0, n = 0;
    double sum = 0;
    for (std::size_t k = 0; k < y.size(); ++k) {
        for (; end < y.size() && x[end] <= x[k] + window / 2; ++end)
            if (std::isfinite(y[end])) sum += y[end], ++n;
        for (; begin < end && x[begin] < x[k] - window / 2; ++begin)
            if (std::isfinite(y[begin])) sum -= y[begin], --n;
        mean[k] = n > 0 ? sum / static_cast<double>(n) : nan;
    }
    return mean;
}

double mean_outflow(const RunFolder& run) {
    const std::vector<double>&t = time_of(run), *out = run.series.find("mass_out_kg");
    if (out == nullptr || t.size() != out->size() || t.size() < 3) return nan;
    const double all = out->back();
    if (!(all > 1e-9 * run.most("mass_in_kg"))) return nan;
    const auto first_above = [&](double share) {
        return static_cast<std::size_t>(
            std::find_if(out->begin(), out->end(), [&](double m) { return m >= share * all; }) - out->begin());
    };
    const std::size_t begin = first_above(0.1), end = std::min(first_above(0.9), t.size() - 1);
    return end > begin && t[end] > t[begin] ? ((*out)[end] - (*out)[begin]) / (t[end] - t[begin]) : nan;
}

std::vector<WallPeak> largest_loads(const RunFolder& run) {
    std::vector<WallPeak> peaks;
    for (const std::string& wall : walls_of(run)) {
        double most = nan;
        for (const double v : load_on(run, wall))
            if (std::isfinite(v) && !(most >= v)) most = v;
        peaks.push_back({wall, most});
    }
    return peaks;
}

std::vector<Plot> plots_of(const RunFolder& run) {
    std::vector<Plot> plots;
    const std::vector<PlotMark> marks = stage_marks(run);
    const auto add = [&](Plot p) {
        p.marks = marks;
        keep(plots, std::move(p));
    };

    Plot mass = plot("Mass", "Inserted since the start, inside, and left through the outlets.", "kg");
    mass.curves = {curve(run, "in", column("mass_in_kg")(run), 0),
                   curve(run, "inside", column("mass_inside_kg")(run), 2),
                   curve(run, "out", column("mass_out_kg")(run), 1)};
    add(mass);

    Plot flow =
        plot("Flow rate", fmt::format("Mass through the outlets; mean over {:.2g} s.", mean_window(run)), "kg/s");
    flow.curves = {curve(run, "outflow", flow_of(run), 1)};
    if (run.most("mass_out_kg") > 1e-9 * run.most("mass_in_kg")) add(flow);
    Plot shares = plot("Flow through each outlet", fmt::format("Mass; mean over {:.2g} s.", mean_window(run)), "kg/s");
    const std::vector<std::string> outlets = outlets_of(run);
    for (std::size_t k = 0; k < outlets.size(); ++k)
        shares.curves.push_back(curve(run, outlets[k], flow_through(run, outlets[k]), static_cast<int>(k)));
    shares.marks = marks;
    if (outlets.size() > 1) keep_in_tabs(plots, shares);

    for (const Plot& p : outflow_plots(run)) add(p);
    for (const Plot& p : bond_plots(run)) add(p);

    Plot kinetic = plot("Kinetic energy", "Of all balls, translation and rotation.", "J");
    kinetic.curves = {curve(run, "kinetic energy", column("kinetic_energy_J")(run), 0)};
    kinetic.log_y = falls_far(kinetic.curves);
    if (kinetic.log_y) kinetic.about += " Logarithmic scale.";
    add(kinetic);
    add_energies(plots, run);

    const double g = std::hypot(run.gravity[0], run.gravity[1], run.gravity[2]);
    Plot loads =
        plot("Load on the walls",
             g > 0 ? "Force along gravity, and the weight of the balls inside. Means are drawn over the single values."
                   : "Magnitude of the force. Means are drawn over the single values.",
             "N");
    const std::vector<std::string> walls = walls_of(run);
    for (std::size_t w = 0; w < walls.size(); ++w) {
        const std::vector<double> load = load_on(run, walls[w]);
        loads.curves.push_back(
            curve(run, walls[w], smoothed(time_of(run), load, mean_window(run)), static_cast<int>(w)));
        loads.curves.push_back(curve(run, walls[w], load, static_cast<int>(w)));
        loads.curves.back().faint = true;
    }
    const std::size_t n_loads = loads.curves.size();
    if (g > 0 && !loads.curves.empty() && has(run, "mass_inside_kg")) {
        std::vector<double> weight = *run.series.find("mass_inside_kg");
        for (double& w : weight) w *= g;
        loads.curves.push_back(curve(run, "weight inside", std::move(weight), 7));
    }
    loads.marks = marks;
    keep_in_tabs(plots, loads, n_loads);
    add_pressures(plots, run);

    Plot overlap = plot("Largest overlap", "Between two balls, as a share of the smaller radius.", "%");
    overlap.curves = {curve(run, "overlap", column("largest_overlap_share")(run), 5)};
    for (Curve& c : overlap.curves)
        for (double& v : c.y) v *= 100;
    add(overlap);

    Plot speed = plot("Speed", "Time steps per second of wall-clock time.", "steps/s");
    speed.curves = {curve(run, "speed", column("steps_per_second")(run), 4)};
    speed.log_y = has_far_peaks(speed.curves);
    add(speed);

    Plot balance = plot("Imbalance over ranks", "Work of the busiest rank over the mean; 1: evenly balanced.", "");
    balance.y_from_zero = false;
    balance.curves = {curve(run, "imbalance", column("imbalance")(run), 3)};
    if (run.ranks != 1) add(balance);

    add_tables(plots, run);
    return plots;
}

std::vector<Plot> plots_compared(std::span<const RunFolder> runs) {
    std::vector<Plot> plots;
    const auto add = [&](Plot p, const Quantity& quantity) {
        for (std::size_t r = 0; r < runs.size(); ++r)
            p.curves.push_back(curve(runs[r], runs[r].name, quantity(runs[r]), static_cast<int>(r)));
        if (p.log_y) p.log_y = falls_far(p.curves) || has_far_peaks(p.curves);
        keep_in_tabs(plots, p);
    };
    add(plot("Mass inside", "", "kg"), column("mass_inside_kg"));
    add(plot("Mass out", "Left through the outlets.", "kg"), column("mass_out_kg"));
    add(plot("Flow rate", "Mass through the outlets; mean over a fortieth of each run.", "kg/s"), flow_of);
    Plot kinetic = plot("Kinetic energy", "Of all balls, translation and rotation.", "J");
    kinetic.log_y = true;
    add(kinetic, column("kinetic_energy_J"));
    const auto mean = [](const Quantity& rough) {
        return [rough](const RunFolder& run) {
            const std::vector<double> all = rough(run);
            return all.empty() ? all : smoothed(time_of(run), all, mean_window(run));
        };
    };
    add(plot("Load on all walls", "Sum of the forces along gravity; mean over a fortieth of each run.", "N"),
        mean(load_on_all));
    add_pressures_compared(plots, runs);
    add(plot("Broken bonds", "Since the start.", ""), column("bonds_broken"));
    add(plot("Pieces", "Of two bodies or more.", ""), column("pieces"));
    add(plot("Largest overlap",
             "Between two balls, as a share of the smaller radius; mean over a fortieth of each run.", "%"),
        mean([](const RunFolder& run) {
            std::vector<double> share = column("largest_overlap_share")(run);
            for (double& v : share) v *= 100;
            return share;
        }));
    Plot speed = plot("Speed", "Time steps per second of wall-clock time.", "steps/s");
    speed.log_y = true;
    add(speed, column("steps_per_second"));
    Plot balance = plot("Imbalance over ranks", "Work of the busiest rank over the mean; 1: evenly balanced.", "");
    balance.y_from_zero = false;
    add(balance, column("imbalance"));
    return plots;
}

}  // namespace granary
