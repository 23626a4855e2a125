#include "plan/output_plan.hpp"

#include <algorithm>
#include <cmath>
#include "core/elementary.hpp"

namespace granary {

namespace {

constexpr double rows = 500, lines = 100, frames = 50;
constexpr double most_frame_bytes = 2e9;
constexpr double unknown_stage = 10;        // s
constexpr double densest_packing = 0.7405;  // solid fraction of the densest packing of equal balls, pi/sqrt(18)

// The nearest of 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten, downwards.
double easy_to_read(double x) {
    const double unit = elementary::pow(10.0, std::floor(elementary::log10(x) + 1e-9));
    double best = 1;
    for (const double m : {1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0})
        if (m * unit <= x * (1 + 1e-9)) best = m;
    return best * unit;
}

}  // namespace

FrameOptions frame_options(const OutputSpec& o, bool bonds, bool shapes) {
    FrameOptions f;
    if (!o.fields.empty()) f.fields = o.fields;
    if (bonds) f.fields.insert(f.fields.end(), {"cluster", "piece_colour"});
    for (const char* name : {"shape", "orientation"})
        if (shapes && std::find(f.fields.begin(), f.fields.end(), name) == f.fields.end()) f.fields.push_back(name);
    f.double_precision = o.precision == FramePrecision::float64;
    if (o.region_lower && o.region_upper) f.region = FrameRegion{*o.region_lower, *o.region_upper};
    f.every_nth = static_cast<std::uint64_t>(o.every_nth);
    return f;
}

double frame_bytes(const OutputSpec& o, double count, double mean_volume, bool bonds, bool shapes) {
    const FrameOptions options = frame_options(o, bonds, shapes);
    if (options.region && mean_volume > 0) {
        const Vec3d size = options.region->upper - options.region->lower;
        count = std::min(count, std::ceil(densest_packing * size.x * size.y * size.z / mean_volume));
    }
    count = std::ceil(count / static_cast<double>(options.every_nth));
    double bytes = 0;
    for (const FrameArray& a : frame_arrays(options, static_cast<std::uint64_t>(count)))
        bytes += static_cast<double>(a.row_bytes());
    return bytes * count;
}

void choose_output(OutputSpec& o, const std::vector<StagePlan>& stages, double frame, ResolvedNotes& chosen) {
    double time = 0, dt = 0;
    for (const StagePlan& s : stages)
        time += s.length() > 0 ? s.length() : s.dt > 0 ? unknown_stage : 0, dt = std::max(dt, s.dt);
    if (!(time > 0)) time = 1;  // no step at all
    const auto every = [&](double n, const char* key) {
        return chosen.values[key] = std::max(easy_to_read(time / n), dt);
    };
    if (!(o.series_every > 0)) o.series_every = every(rows, "output.series_every");
    if (!(o.log_every > 0)) o.log_every = every(lines, "output.log_every");
    if (!o.frames_every)
        o.frames_every =
            every(std::clamp(std::floor(most_frame_bytes / std::max(frame, 1.0)), 2.0, frames), "output.frames_every");
}

}  // namespace granary
