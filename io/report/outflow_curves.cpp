#include "io/report/outflow_curves.hpp"

#include <fmt/format.h>
#include <cmath>
#include <limits>
#include "io/report/curve_parts.hpp"
#include "io/report/curves.hpp"

namespace granary {
namespace {

constexpr std::size_t most_materials = 8;

// A quantity of the outflow in each row, times the mass that left by then since the row before; and that mass. NaN
// where nothing left.
struct Weighted {
    std::vector<double> time, product, mass;
};

Weighted weighted(const RunFolder& run, const std::string& header) {
    const std::vector<double>*time = run.series.find("time_s"), *value = run.series.find(header),
          *out = run.series.find("mass_out_kg");
    if (time == nullptr || value == nullptr || out == nullptr) return {};
    Weighted w{*time, std::vector<double>(time->size(), nan), std::vector<double>(time->size(), nan)};
    for (std::size_t k = 1; k < time->size(); ++k)
        if (std::isfinite((*value)[k])) w.mass[k] = (*out)[k] - (*out)[k - 1], w.product[k] = w.mass[k] * (*value)[k];
    return w;
}

double window(const Weighted& w) { return w.time.size() < 2 ? 0 : (w.time.back() - w.time.front()) / 40; }

Curve mean_curve(const Weighted& w, const std::string& name, double unit, int colour) {
    Curve c;
    c.name = name, c.colour = colour, c.x = w.time, c.y = smoothed(w.time, w.product, window(w));
    const std::vector<double> mass = smoothed(w.time, w.mass, window(w));
    for (std::size_t k = 0; k < c.y.size(); ++k) c.y[k] = mass[k] > 0 ? unit * c.y[k] / mass[k] : nan;
    return c;
}

}  // namespace

std::vector<Plot> outflow_plots(const RunFolder& run) {
    const std::string about = "of the balls that leave; mean weighted by mass";
    std::vector<Plot> plots(2);
    Plot &residence = plots[0], &composition = plots[1];
    const Weighted times = weighted(run, "residence_time_s");
    residence.title = "Residence time", residence.y_unit = std::string("s");
    residence.about = fmt::format("From entry to exit, {} over {:.2g} s.", about, window(times));
    residence.curves = {mean_curve(times, "residence time", 1, 0)};

    composition.title = "Composition of the outflow", composition.y_unit = std::string("%");
    composition.about = fmt::format("Mass share of each material {} over {:.2g} s.", about, window(times));
    const std::string share = "outflow_share:";
    for (const std::string& header : run.series.names)
        if (header.starts_with(share) && composition.curves.size() < most_materials)
            composition.curves.push_back(mean_curve(weighted(run, header), header.substr(share.size()), 100,
                                                    static_cast<int>(composition.curves.size())));
    if (composition.curves.size() == 1) composition.curves.clear();  // of one material: nothing to tell
    return plots;
}

double mean_residence_time(const RunFolder& run) {
    const Weighted w = weighted(run, "residence_time_s");
    double mass = 0, product = 0;
    for (std::size_t k = 0; k < w.mass.size(); ++k)
        if (std::isfinite(w.mass[k])) mass += w.mass[k], product += w.product[k];
    return mass > 0 ? product / mass : nan;
}

}  // namespace granary
