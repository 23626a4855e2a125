#include "contact/materials.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <utility>
#include "core/errors.hpp"

namespace granary {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Interval of allowed values; NaN is in none.
struct Bounds {
    double lowest, highest;
    bool lowest_allowed;
    std::string_view words;
    bool hold(double v) const { return (lowest_allowed ? v >= lowest : v > lowest) && v <= highest; }
};

constexpr double largest = std::numeric_limits<double>::max();
constexpr Bounds positive{0.0, largest, false, "a finite number above 0"};
constexpr Bounds positive_or_infinite{0.0, infinity, false, "a number above 0, or inf for a rigid wall"};
constexpr Bounds not_negative{0.0, largest, true, "a finite number, 0 or more"};
constexpr Bounds not_negative_or_infinite{0.0, infinity, true, "a number, 0 or more, or inf for a rigid wall"};
constexpr Bounds restitution_bounds{0.0, 1.0, false, "above 0, at most 1"};
constexpr Bounds poisson_bounds{-1.0, 0.5, false, "above -1, at most 0.5"};

// Collects all that is wrong, so that one run of the program tells everything.
class Problems {
  public:
    void add(const std::string& text) { text_ += (text_.empty() ? "" : "\n") + text; }

    void check(const std::string& owner, std::string_view name, double value, const Bounds& bounds) {
        if (!bounds.hold(value))
            add(owner + ": " + std::string(name) + " is " + number(value) + ", expected " + std::string(bounds.words));
    }
    void check(const std::string& owner, std::string_view name, const std::optional<double>& value, const Bounds& b) {
        if (value) check(owner, name, *value, b);
    }
    void throw_if_any() const {
        if (!text_.empty()) throw InputError(text_);
    }

  private:
    static std::string number(double v) {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "%.6g", v);
        return text.data();
    }
    std::string text_;
};

std::string named(const Material& m) { return "material '" + m.name + "'"; }
std::string named(const Material& a, const Material& b) { return "pair '" + a.name + "' - '" + b.name + "'"; }
std::string named(const PairOverride& o) { return "pair '" + o.first + "' - '" + o.second + "'"; }

void check_material(const Material& m, const LawSettings& settings, Problems& problems) {
    const std::string owner = named(m);
    if (!m.wall_only) problems.check(owner, "density", m.density, positive);
    if (facts_of(settings.type).elastic_moduli) {
        problems.check(owner, "young", m.young, m.wall_only ? positive_or_infinite : positive);
        problems.check(owner, "poisson", m.poisson, poisson_bounds);
    }
    problems.check(owner, "restitution", m.restitution, restitution_bounds);
    problems.check(owner, "friction", m.friction, not_negative);
    problems.check(owner, "stiffness", m.stiffness, m.wall_only ? positive_or_infinite : positive);
    problems.check(owner, "stiffness_ratio", m.stiffness_ratio, not_negative);
    problems.check(owner, "damping", m.damping, m.wall_only ? not_negative_or_infinite : not_negative);
    problems.check(owner, "cohesion", m.cohesion, not_negative);
    problems.check(owner, "rolling_friction", m.rolling_friction, not_negative);
    problems.check(owner, "rolling_damping", m.rolling_damping, not_negative);
    problems.check(owner, "cohesion_density", m.cohesion_density, not_negative);
}

void check_override(const PairOverride& o, Problems& problems) {
    const std::string owner = named(o);
    problems.check(owner, "restitution", o.restitution, restitution_bounds);
    problems.check(owner, "friction", o.friction, not_negative);
    problems.check(owner, "stiffness", o.stiffness, positive);
    problems.check(owner, "stiffness_ratio", o.stiffness_ratio, not_negative);
    problems.check(owner, "damping", o.damping, not_negative);
    problems.check(owner, "cohesion", o.cohesion, not_negative);
    problems.check(owner, "rolling_friction", o.rolling_friction, not_negative);
    problems.check(owner, "rolling_damping", o.rolling_damping, not_negative);
    problems.check(owner, "cohesion_density", o.cohesion_density, not_negative);
}

std::optional<std::size_t> find(std::span<const Material> materials, const std::string& name) {
    for (std::size_t i = 0; i < materials.size(); ++i)
        if (materials[i].name == name) return i;
    return std::nullopt;
}

// The override of every ordered pair, or null.
std::vector<const PairOverride*> place_overrides(std::span<const Material> materials,
                                                 std::span<const PairOverride> overrides, Problems& problems) {
    const std::size_t n = materials.size();
    std::vector<const PairOverride*> of_pair(n * n, nullptr);
    for (const PairOverride& o : overrides) {
        const auto i = find(materials, o.first), j = find(materials, o.second);
        for (const auto& [place, name] : {std::pair(i, o.first), std::pair(j, o.second)})
            if (!place) problems.add(named(o) + ": no material is named '" + name + "'");
        if (!i || !j) continue;
        if (of_pair[*i * n + *j]) problems.add(named(materials[*i], materials[*j]) + ": given twice");
        of_pair[*i * n + *j] = of_pair[*j * n + *i] = &o;
    }
    return of_pair;
}

// One quantity: where it stands, how two materials are mixed, what it is where nobody says it.
struct QuantityRow {
    Quantity quantity;
    std::string_view name;
    std::optional<double> Material::*of_material;
    std::optional<double> PairOverride::*of_pair;
    double PairValues::*value;
    Mixing LawSettings::*mixing;  // null: the mean
    std::optional<double> fallback;
};
constexpr Mixing LawSettings::*by_mean = nullptr;
// In the order in which what is missing is listed.
constexpr QuantityRow quantity_rows[] = {
    {Quantity::stiffness, "stiffness", &Material::stiffness, &PairOverride::stiffness, &PairValues::stiffness,
     &LawSettings::stiffness_mixing, std::nullopt},
    {Quantity::damping, "damping", &Material::damping, &PairOverride::damping, &PairValues::damping,
     &LawSettings::damping_mixing, std::nullopt},
    {Quantity::cohesion, "cohesion", &Material::cohesion, &PairOverride::cohesion, &PairValues::cohesion,
     &LawSettings::cohesion_mixing, 0.0},
    {Quantity::restitution, "restitution", &Material::restitution, &PairOverride::restitution, &PairValues::restitution,
     &LawSettings::restitution_mixing, std::nullopt},
    {Quantity::friction, "friction", &Material::friction, &PairOverride::friction, &PairValues::friction,
     &LawSettings::friction_mixing, std::nullopt},
    {Quantity::stiffness_ratio, "stiffness_ratio", &Material::stiffness_ratio, &PairOverride::stiffness_ratio,
     &PairValues::stiffness_ratio, by_mean, default_stiffness_ratio},
    {Quantity::rolling_friction, "rolling_friction", &Material::rolling_friction, &PairOverride::rolling_friction,
     &PairValues::rolling_friction, &LawSettings::rolling_friction_mixing, std::nullopt},
    {Quantity::rolling_damping, "rolling_damping", &Material::rolling_damping, &PairOverride::rolling_damping,
     &PairValues::rolling_damping, by_mean, default_rolling_damping},
    {Quantity::cohesion_density, "cohesion_density", &Material::cohesion_density, &PairOverride::cohesion_density,
     &PairValues::cohesion_density, &LawSettings::cohesion_mixing, std::nullopt},
};

class Resolver {
  public:
    Resolver(const Material& a, const Material& b, const PairOverride* o, Problems& problems)
        : a_(a),
          b_(b),
          override_(o),
          problems_(problems) {}

    // The override, else both materials mixed, else (if there is one) the fallback in place of what is missing.
    double get(const QuantityRow& q, const LawSettings& settings) const {
        if (override_ && override_->*q.of_pair) return *(override_->*q.of_pair);
        const auto in_a = a_.*q.of_material ? a_.*q.of_material : q.fallback;
        const auto in_b = b_.*q.of_material ? b_.*q.of_material : q.fallback;
        const Mixing mixing = q.mixing == nullptr ? Mixing::mean : settings.*q.mixing;
        if (in_a && in_b) return finite(q, mix(mixing, *in_a, *in_b));
        problems_.add(named(a_, b_) + ": no " + std::string(q.name) + "; give it to '" + (in_a ? b_ : a_).name +
                      "' or to the pair");
        return 0.0;
    }

  private:
    double finite(const QuantityRow& q, double value) const {
        if (!std::isfinite(value))
            problems_.add(named(a_, b_) + ": " + std::string(q.name) +
                          " is infinite; mix it by series or min, or give the pair its own");
        return value;
    }

    const Material& a_;
    const Material& b_;
    const PairOverride* override_;
    Problems& problems_;
};

PairValues resolve(const Material& a, const Material& b, const PairOverride* o, const LawSettings& s,
                   Problems& problems) {
    const Resolver pair(a, b, o, problems);
    const LawFacts law = facts_of(s.type);
    PairValues v;
    if (law.elastic_moduli) v.young = effective_young(a, b), v.shear = effective_shear(a, b);
    const bool rolls = s.rolling != LawSettings::Rolling::none;
    for (const QuantityRow& q : quantity_rows)
        if (law.uses(q.quantity) || (q.quantity == Quantity::rolling_friction && rolls) ||
            (q.quantity == Quantity::rolling_damping && s.rolling == LawSettings::Rolling::spring) ||
            (q.quantity == Quantity::cohesion_density && s.cohesion == LawSettings::Cohesion::sjkr))
            v.*q.value = pair.get(q, s);
    return v;
}

}  // namespace

double mix(Mixing mixing, double a, double b) {
    switch (mixing) {
        case Mixing::mean: return (a + b) / 2.0;
        case Mixing::geometric: return std::sqrt(a * b);
        case Mixing::min: return a < b ? a : b;
        case Mixing::series: break;
    }
    if (std::isinf(a)) return b;
    if (std::isinf(b)) return a;
    return a + b > 0.0 ? a * b / (a + b) : 0.0;
}

std::vector<PairValues> resolve_pairs(std::span<const Material> materials, std::span<const PairOverride> overrides,
                                      const LawSettings& settings) {
    Problems problems;
    for (std::size_t i = 0; i < materials.size(); ++i) {
        check_material(materials[i], settings, problems);
        if (*find(materials, materials[i].name) != i) problems.add(named(materials[i]) + ": given twice");
    }
    for (const PairOverride& o : overrides) check_override(o, problems);
    if (settings.restitution_mixing == Mixing::series || settings.friction_mixing == Mixing::series ||
        settings.rolling_friction_mixing == Mixing::series)
        problems.add("mixing: series is not available for restitution and friction");
    const LawFacts law = facts_of(settings.type);
    if (!law.allows_rolling && settings.rolling != LawSettings::Rolling::none)
        problems.add("law: rolling friction is not available with this law");
    if (!law.allows_cohesion && settings.cohesion != LawSettings::Cohesion::none)
        problems.add("law: cohesion by contact area is not available with this law");

    const std::size_t n = materials.size();
    const auto of_pair = place_overrides(materials, overrides, problems);
    std::vector<PairValues> values(n * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i; j < n; ++j) {
            if (materials[i].wall_only && materials[j].wall_only) continue;
            values[i * n + j] = resolve(materials[i], materials[j], of_pair[i * n + j], settings, problems);
            values[j * n + i] = values[i * n + j];
        }
    problems.throw_if_any();
    return values;
}

double shear_modulus(const Material& m) { return m.young / (2.0 * (1.0 + m.poisson)); }

double effective_young(const Material& a, const Material& b) {
    return 1.0 / ((1.0 - a.poisson * a.poisson) / a.young + (1.0 - b.poisson * b.poisson) / b.young);
}

double effective_shear(const Material& a, const Material& b) {
    return 1.0 / ((2.0 - a.poisson) / shear_modulus(a) + (2.0 - b.poisson) / shear_modulus(b));
}

double rayleigh_time(const Material& m, double r) {
    return std::numbers::pi * r * std::sqrt(m.density / shear_modulus(m)) / (0.1631 * m.poisson + 0.8766);
}

}  // namespace granary
