// Examples I to IV of
//   Munjiza, Rougier & John (2006), Int. J. Numer. Meth. Engng 66, 46-71, section 6, figures 19-30.
// Ten detections each, at rest as printed, and once more with bodies moved in between: at rest a sort that uses the
// last order has its best case.
#include <fmt/format.h>
#include <algorithm>
#include "bench/detect/experiments.hpp"
#include "bench/detect/measure.hpp"
#include "core/errors.hpp"

namespace granary {

namespace {

constexpr std::uint64_t paper_detections = 10;

// On large systems only the detectors that the product would use there are repeated, so that everything stays within a
// quarter of an hour; the others run once, and where that takes long only as the paper ran them.
constexpr std::uint64_t large = 100'000, very_large = 400'000;
bool is_repeated(const std::string& detector) { return detector == "mr" || detector == "mmr"; }
bool is_slow(const std::string& detector) { return detector.starts_with("quick") || detector == "fixed-cubes"; }

// As printed; with bodies moved between the detections; and that with bodies numbered at random, as after long mixing.
enum class Mode { rest, moved, mixed };
constexpr std::array mode_names{"rest", "moved", "mixed"};

void check_pairs(const std::vector<MeasuredDetector>& measured, std::uint64_t expected, const std::string& where) {
    for (const MeasuredDetector& m : measured)
        if (m.pairs != expected)
            throw RunError(
                fmt::format("{}: {} found {} touching pairs, there are {}", where, m.name, m.pairs, expected));
}

struct Example {
    std::string name;
    std::array<std::uint64_t, 3> counts;
    std::array<double, 3> spacing;
    double s;  // the spacing that varies, d
    std::uint64_t touching;
};

void run_example(const Example& example, Mode mode, const std::vector<std::string>& detectors,
                 const BenchDetect& options, ResultTable& table) {
    const auto make_scene = [&] {
        DetectScene made = lattice_scene(example.counts, example.spacing);
        if (mode == Mode::mixed) mix_numbers(made);
        return made;
    };
    DetectScene scene = make_scene();
    const std::string mode_name = mode_names[static_cast<std::size_t>(mode)];
    const std::string where =
        fmt::format("{}, {} bodies, spacing {} d, {}", example.name, scene.size(), example.s, mode_name);
    tell(where);

    MeasureTask repeated, once;
    for (const std::string& name : detectors) {
        if (is_slow(name) && scene.size() > very_large && mode != Mode::rest) continue;
        (is_repeated(name) || scene.size() < large ? repeated : once).detectors.push_back(name);
    }
    repeated.detections = once.detections = paper_detections;
    repeated.repeats = options.repeats, once.repeats = 1;
    repeated.moved = once.moved = mode != Mode::rest;
    std::vector<MeasuredDetector> measured;
    if (!repeated.detectors.empty()) measured = measure(scene, repeated);
    if (!once.detectors.empty()) {
        if (mode != Mode::rest) scene = make_scene();  // shaken already
        for (MeasuredDetector& m : measure(scene, once)) measured.push_back(std::move(m));
    }
    check_same(measured, where);
    if (mode == Mode::rest) check_pairs(measured, example.touching, where);

    for (const MeasuredDetector& m : measured) {
        ResultRow row;
        row.set("experiment", example.name).set("detector", m.name).set("mode", mode_name);
        row.set("bodies", scene.size()).set("spacing", example.s);
        set_measured(row, scene, m);
        row.set("paper_integers", 5u).set("paper_integers_least", 2u);  // (25), (26)
        if (mode == Mode::rest) row.set("expected_pairs", example.touching);
        table.add(std::move(row));
    }
}

}  // namespace

void munjiza_example_1(const BenchDetect& options, ResultTable& table) {
    const auto detectors = chosen(options, {"mr", "mmr", "fixed-cubes", "mr-as-printed", "quick-mr", "quick-binary"});
    for (const std::uint64_t n : {10, 20, 30, 37, 50, 79, 100, 126, 171}) {
        if (n * n * n > options.largest || n * n * n < options.smallest || (n < 20 && options.largest >= 8000))
            continue;
        const Example example{"munjiza-1", {n, n, n}, {1, 1, 1}, 1, 3 * n * n * (n - 1)};
        run_example(example, Mode::rest, detectors, options, table);
        run_example(example, Mode::moved, detectors, options, table);
        if (n <= 100 && n != 30 && n != 79)  // beyond, the list takes minutes
            run_example(example, Mode::mixed, chosen(options, {"mr", "mr-as-printed"}), options, table);
    }
}

// Packings B, C and D: spacing s along one, two and three axes, 2 d along the others.
void munjiza_example_2_to_4(int example, const BenchDetect& options, ResultTable& table) {
    const auto detectors = chosen(options, {"mr", "mmr", "fixed-cubes", "mr-as-printed"});
    std::uint64_t n = 50;
    while (n > 1 && n * n * n > options.largest) --n;
    const int axes = example - 1;
    for (const double s : {1.0, 1.5, 2.0, 5.0, 10.0, 50.0, 100.0, 150.0, 200.0}) {
        std::array<double, 3> spacing{2, 2, 2};
        for (int axis = 0; axis < axes; ++axis) spacing[axis] = s;
        const std::uint64_t touching = s == 1 ? static_cast<std::uint64_t>(axes) * n * n * (n - 1) : 0;
        const Example here{fmt::format("munjiza-{}", example), {n, n, n}, spacing, s, touching};
        for (const Mode mode : {Mode::rest, Mode::moved}) run_example(here, mode, detectors, options, table);
    }
}

}  // namespace granary
