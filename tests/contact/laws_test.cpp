// The list of laws: which one the settings choose, what each says of itself, and the model behind virtual calls.
#include "contact/laws.hpp"
#include <gtest/gtest.h>
#include <cstring>
#include <typeinfo>
#include "contact/contact_model.hpp"
#include "core/errors.hpp"
#include "search/mr_search_munjiza2006.hpp"
#include "support/arranged.hpp"
#include "support/dice.hpp"

namespace granary::test {
namespace {

using Rolling = LawSettings::Rolling;
using Cohesion = LawSettings::Cohesion;

const std::type_info& chosen(const LawSettings& s) {
    return *with_law(s, []<class Law>() { return &typeid(Law); });
}

TEST(Laws, SettingsChooseTheLawWithItsAdditions) {
    EXPECT_EQ(chosen({}), typeid(HertzMindlin));
    EXPECT_EQ(chosen({.type = LawType::linear}), typeid(LinearSpringDashpot));
    EXPECT_EQ(chosen({.type = LawType::kelvin_voigt}), typeid(KelvinVoigt));
    EXPECT_EQ(chosen({.rolling = Rolling::constant}), typeid(RollingConstant<HertzMindlin>));
    EXPECT_EQ(chosen({.type = LawType::linear, .rolling = Rolling::spring}),
              typeid(RollingSpring<LinearSpringDashpot>));
    EXPECT_EQ(chosen({.cohesion = Cohesion::sjkr}), typeid(Sjkr<HertzMindlin>));
    EXPECT_EQ(chosen({.rolling = Rolling::spring, .cohesion = Cohesion::sjkr}),
              typeid(RollingSpring<Sjkr<HertzMindlin>>));
    EXPECT_EQ(law_type_of<RollingSpring<Sjkr<HertzMindlin>>>, LawType::hertz_mindlin);
    EXPECT_EQ(law_type_of<KelvinVoigt>, LawType::kelvin_voigt);
}

TEST(Laws, FactsAreThoseOfTheLaw) {
    const LawFacts hertz = facts_of(LawType::hertz_mindlin), linear = facts_of(LawType::linear),
                   kelvin = facts_of(LawType::kelvin_voigt);
    EXPECT_TRUE(hertz.elastic_moduli && hertz.allows_rolling && hertz.allows_cohesion && hertz.rotates);
    EXPECT_TRUE(linear.allows_rolling && linear.rotates);
    EXPECT_FALSE(linear.elastic_moduli || linear.allows_cohesion);
    EXPECT_FALSE(kelvin.elastic_moduli || kelvin.allows_rolling || kelvin.allows_cohesion || kelvin.rotates);
    EXPECT_TRUE(hertz.uses(Quantity::friction) && !hertz.uses(Quantity::stiffness));
    EXPECT_TRUE(kelvin.uses(Quantity::damping) && !kelvin.uses(Quantity::restitution));
    PairValues v;
    v.stiffness = 2000, v.cohesion = 0.5;
    EXPECT_EQ(reach_of(LawType::kelvin_voigt, v), 0.5 / 2000);
    EXPECT_EQ(reach_of(LawType::linear, v), 0);
}

Material grain() {
    Material m;
    m.name = "grain", m.density = 2500, m.young = 5e6, m.poisson = 0.3, m.restitution = 0.6, m.friction = 0.5;
    m.stiffness = 2000, m.damping = 0.05, m.cohesion = 0.05, m.rolling_friction = 0.2, m.cohesion_density = 1e4;
    return m;
}

std::vector<LawSettings> all_settings() {
    std::vector<LawSettings> all;
    for (const auto type : {LawType::hertz_mindlin, LawType::linear, LawType::kelvin_voigt})
        for (const auto rolling : {Rolling::none, Rolling::constant, Rolling::spring})
            for (const auto cohesion : {Cohesion::none, Cohesion::sjkr}) {
                const LawFacts facts = facts_of(type);
                if ((rolling != Rolling::none && !facts.allows_rolling) ||
                    (cohesion != Cohesion::none && !facts.allows_cohesion))
                    continue;
                LawSettings s;
                s.type = type, s.rolling = rolling, s.cohesion = cohesion;
                all.push_back(s);
            }
    return all;
}

TEST(ContactModel, WhatALawDoesNotAllowIsRefused) {
    const std::vector<Material> materials{grain()};
    EXPECT_THROW(make_contact_model(materials, {}, {.type = LawType::kelvin_voigt, .rolling = Rolling::spring}),
                 InputError);
    EXPECT_THROW(make_contact_model(materials, {}, {.type = LawType::linear, .cohesion = Cohesion::sjkr}), InputError);
    EXPECT_EQ(all_settings().size(), 10u);
}

struct Crowd {
    Bodies bodies;
    PairList pairs;
};

Crowd crowd(const ContactModel& model) {
    const double r_max = 2.6e-3, skin = 4e-4;
    Domain domain;
    domain.lower = {0, 0, 0}, domain.upper = {0.03, 0.03, 0.03};
    const Cubes cubes(domain, 2 * r_max + model.reach() + skin);
    Dice dice(5);
    std::vector<NewBody> balls;
    for (int k = 0; k < 1500; ++k) {
        const double r = dice.uniform(0.6 * r_max, r_max);
        NewBody b = ball(static_cast<Id>(k), dice.within(domain.lower, domain.upper), r);
        b.mass = 1e4 * r * r * r, b.inertia = 0.4 * b.mass * r * r;
        b.velocity = dice.vector(0.5), b.spin = dice.vector(200);
        balls.push_back(b);
    }
    Arranged a = arrange(balls, cubes);
    Crowd c;
    c.bodies = a.bodies;
    mr_search({c.bodies, cubes, model.reach() + skin, model.facts().has_history}, c.pairs);
    if (model.facts().keeps_rolling_spring) c.pairs.add_rolling_springs();
    return c;
}

// Ranges in ascending order add in the order of one range over all: the same bits, whatever the cuts.
TEST(ContactModel, RangesOfBodiesGiveTheBitsOfOneRange) {
    const std::vector<Material> materials{grain()};
    for (const LawSettings& s : all_settings()) {
        const auto model = make_contact_model(materials, {}, s);
        Crowd whole = crowd(*model), cut = crowd(*model);
        PairForces loop;
        loop.prepare(whole.pairs);
        const Index n = whole.pairs.n_bodies;
        ASSERT_GT(whole.pairs.size, 1000u);
        for (int step = 0; step < 2; ++step) {
            model->add_forces(loop, whole.bodies, whole.pairs, {0, n}, 1e-5, nullptr);
            for (const Range& range : {Range{0, 1}, Range{1, 500}, Range{500, 500}, Range{500, n - 3}, Range{n - 3, n}})
                model->add_forces(loop, cut.bodies, cut.pairs, range, 1e-5, nullptr);
        }
        const auto same = [n](const Quads& a, const Quads& b) {
            return std::memcmp(a.data(), b.data(), std::size_t{4} * n * sizeof(double)) == 0;
        };
        EXPECT_TRUE(same(whole.bodies.force, cut.bodies.force)) << static_cast<int>(s.type);
        EXPECT_TRUE(same(whole.bodies.torque, cut.bodies.torque));
        if (model->facts().has_history) {
            EXPECT_EQ(std::memcmp(whole.pairs.xi.data(), cut.pairs.xi.data(), whole.pairs.size * 24), 0);
        }

        std::vector<PairSample> one, two;
        model->sample(whole.bodies, whole.pairs, {0, n}, 1e-5, one);
        model->sample(cut.bodies, cut.pairs, {0, 700}, 1e-5, two);
        model->sample(cut.bodies, cut.pairs, {700, n}, 1e-5, two);
        ASSERT_EQ(one.size(), two.size());
        ASSERT_GT(one.size(), 100u);
        for (std::size_t k = 0; k < one.size(); ++k)
            EXPECT_TRUE(one[k].i == two[k].i && one[k].j == two[k].j && one[k].force == two[k].force);
    }
}

// A watch sees every contact that acts, and changes nothing.
TEST(ContactModel, AWatchChangesNoBit) {
    struct Sum final : EnergyWatch {
        double stored = 0;
        std::uint64_t seen = 0;
        void see(const ContactEnergy<Real4>& e, const std::array<std::size_t, 4>&, Index filled) override {
            for (Index k = 0; k < filled; ++k) stored += e.stored[k], ++seen;
        }
        void see(const ContactEnergy<double>& e, Index) override { stored += e.stored; }
        void see_at_wall(const ContactEnergy<double>&, Index, std::uint32_t) override {}
        void wall_works(Index, double) override {}
    };
    const std::vector<Material> materials{grain()};
    for (const LawSettings& s : all_settings()) {
        const auto model = make_contact_model(materials, {}, s);
        Crowd plain = crowd(*model), watched = crowd(*model);
        PairForces loop;
        loop.prepare(plain.pairs);
        Sum sum;
        std::vector<PairSample> samples;
        model->sample(plain.bodies, plain.pairs, {0, plain.pairs.n_bodies}, 1e-5, samples);
        model->add_forces(loop, plain.bodies, plain.pairs, {0, plain.pairs.n_bodies}, 1e-5, nullptr);
        model->add_forces(loop, watched.bodies, watched.pairs, {0, plain.pairs.n_bodies}, 1e-5, &sum);
        EXPECT_EQ(sum.seen, samples.size());
        EXPECT_GT(sum.stored, 0);
        EXPECT_EQ(std::memcmp(plain.bodies.force.data(), watched.bodies.force.data(), plain.bodies.size * 32), 0);
    }
}

}  // namespace
}  // namespace granary::test
