#include "io/case/case.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <numbers>
#include <sstream>
#include "io/case/case_bind.hpp"
#include "io/case/case_check.hpp"
#include "io/case/case_clusters.hpp"
#include "io/case/case_shapes.hpp"
#include "io/case/case_complete.hpp"
#include "io/case/case_plane.hpp"
#include "io/case/case_rules.hpp"
#include "io/case/case_section.hpp"
#include "io/case/case_set.hpp"

namespace granary {
namespace {

class CaseReader {
  public:
    CaseReader(const TomlNode& root, const CaseReport& report) : root_(root), report_(report) {}

    void top(Case& c) const {
        CaseSection section(&root_, "", "", report_);
        bind_top(section, c);
    }
    template <class Part> void single(const char* name, Part& part) const {
        CaseSection section(root_.find(name), name, name, report_);
        bind(section, part);
    }
    template <class Part> void maybe(const char* name, std::optional<Part>& part) const {
        const TomlNode* node = root_.find(name);
        if (node && node->kind == TomlNode::Kind::table) single(name, part.emplace());
    }
    template <class Part> void repeated(const char* name, std::vector<Part>& parts) const {
        const TomlNode* list = root_.find(name);
        if (!list || list->kind != TomlNode::Kind::array) return;
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            CaseSection section(&list->items[i], name, fmt::format("{}[{}]", name, i), report_);
            bind(section, parts.emplace_back());
        }
    }

  private:
    const TomlNode& root_;
    const CaseReport& report_;
};

// A path named in a file, seen from where that file is.
std::string resolved(const std::string& path, const std::string& file_name) {
    if (path.empty()) return path;
    return (std::filesystem::path(file_name).parent_path() / path).lexically_normal().string();
}

}  // namespace

std::int64_t RunSpec::n_steps() const { return steps ? *steps : std::llround(time.value_or(0.0) / dt); }

std::array<std::int64_t, 3> BodiesSpec::lattice_counts() const {
    if (counts) return *counts;
    std::array<std::int64_t, 3> n{};
    for (int axis = 0; axis < 3; ++axis) {
        // A box of exactly n cells must hold n in spite of rounding.
        const double cells = (at(upper, axis) - at(lower, axis)) / spacing.value_or(1.0);
        const double whole = std::floor(cells + 1e-9 * std::max(1.0, cells));
        n[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(std::clamp(whole, 0.0, 1e15));
    }
    return n;
}

Vec3d BodiesSpec::lattice_spacing() const {
    if (!counts) return {spacing.value_or(0.0), spacing.value_or(0.0), spacing.value_or(0.0)};
    const Vec3d size = upper - lower;
    return {size.x / static_cast<double>((*counts)[0]), size.y / static_cast<double>((*counts)[1]),
            size.z / static_cast<double>((*counts)[2])};
}

bool RadiusSpec::is_whole() const {
    const auto all = [](const std::vector<double>& v, auto&& holds) { return std::all_of(v.begin(), v.end(), holds); };
    const auto above_zero = [](double v) { return v > 0; };
    switch (sizes) {
        case SizeType::uniform: return radius || (radius_min && radius_max);
        case SizeType::normal:
            return radius_mean && radius_deviation && radius_min && radius_max && *radius_deviation > 0 &&
                   0 < *radius_min && *radius_min <= *radius_mean && *radius_mean <= *radius_max &&
                   *radius_min < *radius_max;
        case SizeType::sieve:
            return sieve_sizes.size() >= 2 && passing.size() == sieve_sizes.size() && all(sieve_sizes, above_zero) &&
                   std::adjacent_find(sieve_sizes.begin(), sieve_sizes.end(), std::greater_equal<>()) ==
                       sieve_sizes.end() &&
                   std::is_sorted(passing.begin(), passing.end()) && passing.front() == 0 && passing.back() == 1;
        case SizeType::list: break;
    }
    return !radii.empty() && shares.size() == radii.size() && all(radii, above_zero) && all(shares, above_zero);
}

SizeDistribution RadiusSpec::distribution() const {
    if (!is_whole()) return {};
    switch (sizes) {
        case SizeType::uniform: break;
        case SizeType::normal:
            return SizeDistribution::normal(*radius_mean, *radius_deviation, *radius_min, *radius_max);
        case SizeType::sieve: {
            std::vector<double> half = sieve_sizes;
            for (double& d : half) d *= 0.5;
            return SizeDistribution::sieve(half, passing);
        }
        case SizeType::list: return SizeDistribution::list(radii, shares);
    }
    return SizeDistribution::uniform(smallest(), largest());
}

double RadiusSpec::smallest() const {
    if (sizes == SizeType::sieve) return sieve_sizes.empty() ? 0.0 : 0.5 * sieve_sizes.front();
    if (sizes == SizeType::list) return radii.empty() ? 0.0 : *std::min_element(radii.begin(), radii.end());
    return radius ? *radius : radius_min.value_or(0.0);
}

double RadiusSpec::largest() const {
    if (sizes == SizeType::sieve) return sieve_sizes.empty() ? 0.0 : 0.5 * sieve_sizes.back();
    if (sizes == SizeType::list) return radii.empty() ? 0.0 : *std::max_element(radii.begin(), radii.end());
    return radius ? *radius : radius_max.value_or(0.0);
}

double RadiusSpec::mean_volume() const { return 4 * std::numbers::pi / 3 * distribution().moment(3); }

RadiusSpec RadiusSpec::times(double factor) const {
    RadiusSpec r = *this;
    for (std::optional<double>* x : {&r.radius, &r.radius_min, &r.radius_max, &r.radius_mean, &r.radius_deviation})
        if (*x) **x *= factor;
    for (std::vector<double>* all : {&r.sieve_sizes, &r.radii})
        for (double& x : *all) x *= factor;
    return r;
}

RadiusSpec Case::outer_radii(const RadiusSpec& radii, const GrainUse& use) const {
    const GrainForm* form = find_grain(use);
    return form && use.all() && form->radius_factor != 1 ? radii.times(form->radius_factor) : radii;
}

double Case::largest_radius() const {
    double r = 0;
    const auto see = [&](const auto& all) {
        for (const auto& s : all) r = std::max(r, grain_sizes(s.radii, s.grains).largest);
    };
    see(bodies), see(insert), see(stages);
    return r;
}

namespace {

// Calls f with the radii of the smallest and the largest body of each source, as far as they are known.
template <class F> void for_body_radii(const Case& c, F&& f) {
    const auto see = [&](const auto& all) {
        for (const auto& s : all) {
            if (!s.grains.all()) f(s.radii.smallest(), s.radii.largest());
            const GrainForm* form = c.find_grain(s.grains);
            if (!form || !(form->outer_radius > 0)) continue;
            const bool scaled = s.grains.all() && s.radii.largest() > 0;
            const RadiusSpec outer = c.outer_radii(s.radii, s.grains);
            f(form->smallest * (scaled ? outer.smallest() / form->outer_radius : 1),
              form->largest * (scaled ? outer.largest() / form->outer_radius : 1));
        }
    };
    see(c.bodies), see(c.insert), see(c.stages);
}

}  // namespace

double Case::largest_body() const {
    double r = 0;
    for_body_radii(*this, [&](double, double largest) { r = std::max(r, largest); });
    return r;
}

double Case::smallest_radius() const {
    double r = std::numeric_limits<double>::infinity();
    for_body_radii(*this, [&](double smallest, double) {
        if (smallest > 0) r = std::min(r, smallest);
    });
    return std::isfinite(r) ? r : 0.0;
}

Case::GrainSizes Case::grain_sizes(const RadiusSpec& given, const GrainUse& use) const {
    const RadiusSpec radii = outer_radii(given, use);
    GrainSizes sizes{radii.is_whole(), radii.smallest(), radii.largest(), radii.mean_volume()};
    const GrainForm* form = find_grain(use);
    if (use.none() || !form || (use.all() && sizes.largest > 0)) return sizes;  // its sizes are those given
    const double r = form->outer_radius, volume = 4 * std::numbers::pi / 3 * r * r * r;
    const bool known = r > 0;
    if (use.all()) return {known, r, r, volume};
    return {sizes.whole && known, known ? std::min(sizes.smallest, r) : sizes.smallest, std::max(sizes.largest, r),
            (1 - use.share()) * sizes.mean_volume + use.share() * volume};
}

double Case::mean_mass(const RadiusSpec& radii, const GrainUse& use, const std::string& material,
                       const MixSpec& mix) const {
    const bool disc = domain.is_plane() && domain.thickness;
    const auto volume = [&](const RadiusSpec& r) {
        return disc ? std::numbers::pi * *domain.thickness * r.distribution().moment(2) : r.mean_volume();
    };
    const double balls = volume(radii) * mean_density(material, mix);
    const GrainForm* form = find_grain(use);
    if (use.none() || !form || !(form->outer_radius > 0)) return balls;
    const double r = form->outer_radius;
    const double around = disc ? std::numbers::pi * r * r * *domain.thickness : 4 * std::numbers::pi / 3 * r * r * r;
    const MaterialSpec* m = find_material(form->material.empty() ? material : form->material);
    const double own = form->own_mass > 0 ? form->own_mass : form->solid_volume * (m ? m->density.value_or(0) : 0);
    if (use.all()) return own * (radii.is_whole() ? volume(outer_radii(radii, use)) / around : 1);
    return (1 - use.share()) * balls + use.share() * own;
}

double Case::bodies_a_grain(const GrainUse& use) const {
    const GrainForm* form = find_grain(use);
    if (use.none() || !form || !(form->n_elements > 0)) return 1;
    return use.all() ? form->n_elements : 1 - use.share() + use.share() * form->n_elements;
}

const ClusterSpec* Case::find_cluster(const std::string& name) const {
    for (const ClusterSpec& s : clusters)
        if (!name.empty() && s.name == name) return &s;
    return nullptr;
}

const ShapeSpec* Case::find_shape(const std::string& name) const {
    for (const ShapeSpec& s : shapes)
        if (!name.empty() && s.name == name) return &s;
    return nullptr;
}

const GrainForm* Case::find_grain(const GrainUse& use) const {
    if (!use.shape.empty()) return find_shape(use.shape);
    return find_cluster(use.cluster);
}

const MaterialSpec* Case::find_material(const std::string& name) const {
    for (const MaterialSpec& m : materials)
        if (m.name == name) return &m;
    return nullptr;
}

double Case::mean_density(const std::string& material, const MixSpec& mix) const {
    const auto density = [&](const std::string& name) {
        const MaterialSpec* m = find_material(name);
        return m ? m->density.value_or(0.0) : 0.0;
    };
    const double own = density(material);
    double mean = own;
    for (std::size_t k = 0; k < std::min(mix.mixed_with.size(), mix.mixed_shares.size()); ++k)
        mean += mix.mixed_shares[k] * (density(mix.mixed_with[k]) - own);
    return mean;
}

double n_balls(const StageSpec& s, const Case& c) {
    if (s.count) return static_cast<double>(*s.count);
    const double mean_mass = c.mean_mass(s.radii, s.grains, s.material, s.mix);
    return s.mass && mean_mass > 0 ? *s.mass / mean_mass : 0.0;
}

double n_balls(const InsertSpec& i, const Case& c) {
    if (i.total) return static_cast<double>(*i.total);
    const double mean_mass = c.mean_mass(i.radii, i.grains, i.material, i.mix);
    return i.mass && mean_mass > 0 ? *i.mass / mean_mass : 0.0;
}

double n_balls(const BodiesSpec& b) {
    if (b.source == BodySource::random) return static_cast<double>(b.count);
    if (b.source == BodySource::file) return 0;
    if (b.source == BodySource::ball || b.source == BodySource::cluster) return 1;
    const auto [nx, ny, nz] = b.lattice_counts();
    return static_cast<double>(nx) * static_cast<double>(ny) * static_cast<double>(nz);
}

double Case::n_balls() const {
    double n = 0;
    for (const BodiesSpec& b : bodies) n += granary::n_balls(b) * bodies_a_grain(b.grains);
    for (const InsertSpec& i : insert) n += granary::n_balls(i, *this) * bodies_a_grain(i.grains);
    for (const StageSpec& s : stages) n += granary::n_balls(s, *this) * bodies_a_grain(s.grains);
    return n;
}

Case read_case(const std::string& text, const std::string& file_name, const std::vector<std::string>& sets) {
    if (text.find('\0') != std::string::npos)
        throw CaseError({{0, 0, "", "not valid TOML: it is not a text file", ""}}, file_name);
    TomlNode root;
    try {
        root = parse_toml(text);
    } catch (const TomlSyntaxError& e) {
        throw CaseError({{e.place.line, e.place.column, "", "not valid TOML: " + e.message, ""}}, file_name);
    }
    CaseReport report(root, sets);
    apply_sets(root, sets, report);
    check_keys(root, report);
    Case c;
    const CaseReader reader(root, report);
    bind_sections(reader, c);
    complete_stages(c, report);
    complete_clusters(c, report);
    complete_shapes(c, report);
    complete_plane(c, report);
    check_silo(c, report);
    complete_case(c, report);
    complete_probes(c, report);
    check_rules(c, report);
    if (!report.problems().empty()) throw CaseError(report.problems(), file_name);

    for (BodiesSpec& b : c.bodies) b.file = resolved(b.file, file_name);
    for (ClusterSpec& s : c.clusters) s.file = resolved(s.file, file_name);
    for (ShapeSpec& s : c.shapes) s.file = resolved(s.file, file_name);
    for (MotionSpec& m : c.motions) m.file = resolved(m.file, file_name);
    for (WallSpec& w : c.walls) w.file = resolved(w.file, file_name);
    if (c.start) c.start->from = resolved(c.start->from, file_name);
    if (c.insitu)
        for (std::string& s : c.insitu->scripts)
            if (s.ends_with(".py")) s = resolved(s, file_name);
    return c;
}

CasePlaces::CasePlaces(const std::string& text, std::string file_name, std::vector<std::string> sets)
    : root_(parse_toml(text)),
      file_name_(std::move(file_name)),
      sets_(std::move(sets)) {
    CaseReport report(root_, sets_);
    apply_sets(root_, sets_, report);
}

std::string CasePlaces::at(const std::string& key, const std::string& message) const {
    return to_string(CaseReport(root_, sets_).problem_at(key, message), file_name_);
}

std::string read_case_text(const std::string& file_name) {
    const auto fail = [&](const std::string& why) {
        throw CaseError({{0, 0, "", "cannot be read: " + why, ""}}, file_name);
    };
    std::error_code ignored;
    if (std::filesystem::is_directory(file_name, ignored)) fail("it is a folder");
    errno = 0;
    std::ifstream file(file_name, std::ios::binary);
    if (!file) fail(errno ? std::strerror(errno) : "unknown reason");
    std::ostringstream text;
    text << file.rdbuf();
    if (file.bad()) fail("reading failed before the end");
    return text.str();
}

}  // namespace granary
