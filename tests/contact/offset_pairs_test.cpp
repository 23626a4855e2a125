// Pairs whose bond broke while they overlapped: that overlap counts as none until they part.
#include "contact/offset_pairs.hpp"
#include <gtest/gtest.h>
#include "contact/bonded.hpp"
#include "contact/contact_model.hpp"

namespace granary::test {
namespace {

std::unique_ptr<const ContactModel> hertz(LawSettings::Rolling rolling = LawSettings::Rolling::none) {
    Material m;
    m.name = "glass", m.density = 2500, m.young = 1e7, m.poisson = 0.25;
    m.restitution = 0.5, m.friction = 0.4, m.rolling_friction = 0.1, m.rolling_damping = 0.2;
    LawSettings s;
    s.type = LawSettings::Type::hertz_mindlin, s.rolling = rolling;
    return make_contact_model(std::vector{m}, {}, s);
}

// Balls that overlap, all pairs in the list and masked, with the overlap of now as offset.
struct Cut {
    Bonded balls{Bar::type(BondForm::beam)};
    PairList pairs;
    std::vector<OffsetPair> offsets;

    explicit Cut(const std::vector<Vec3d>& places, bool rolling = false) {
        for (const Vec3d& x : places) balls.ball(x, Bar::r, Bar::mass);
        const Index n = balls.bodies.size;
        pairs.start(n);
        for (Index i = 0; i < n; ++i) {
            pairs.begin(i) = pairs.size;
            for (Index j = i + 1; j < n; ++j) {
                pairs.make_room(1);
                pairs.partner(pairs.size++) = j;
            }
        }
        pairs.finish(true);
        if (rolling) pairs.add_rolling_springs();
        for (Index i = 0; i < n; ++i)
            for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot) {
                const Index j = pairs.partner_of(slot);
                const double overlap = 2 * Bar::r - norm(balls.bodies.x(i) - balls.bodies.x(j));
                if (overlap > 0) pairs.mask(slot), offsets.push_back({i, j, slot, overlap});
            }
    }
    std::vector<Index> add(const ContactModel& model, double dt, EnergyWatch* watch = nullptr) {
        std::vector<Index> parted;
        PairForces loop;
        loop.prepare(pairs);
        model.add_forces(loop, balls.bodies, pairs, {0, pairs.n_bodies}, dt, watch);
        model.add_offset_forces(balls.bodies, pairs, offsets, dt, watch, parted);
        return parted;
    }
};

TEST(OffsetPairs, ACutClusterAtRestStaysAtRest) {
    const double a = 1.2e-3;  // edges of 1.7 mm: deep overlaps
    Cut cut({{0, 0, 0}, {a, a, 0}, {a, 0, a}, {0, a, a}, {0.5 * a, 0.5 * a, 0.5 * a}});
    ASSERT_EQ(cut.offsets.size(), 10U);
    const auto model = hertz();
    Bodies& s = cut.balls.bodies;
    const Vec3d before = s.x(1);
    cut.balls.motion.dt = 1e-6;
    for (int k = 0; k < 1000; ++k) {
        kick_and_drift(s, s.real, cut.balls.motion);
        EXPECT_TRUE(cut.add(*model, 1e-6).empty());
    }
    for (Index i = 0; i < s.size; ++i) EXPECT_EQ(norm(s.v(i)) + norm(s.omega(i)), 0) << i;
    EXPECT_EQ(s.x(1), before);
}

TEST(OffsetPairs, FollowTheLawWithTheReducedOverlap) {
    const double offset = 1e-4, deeper = 2e-5;
    Cut cut({{0, 0, 0}, {2 * Bar::r - offset, 0, 0}});
    const auto model = hertz();
    Bodies& s = cut.balls.bodies;
    s.position(1, 0) -= deeper;
    s.velocity(0, 1) = 0.01;
    s.spin(1, 2) = 2;
    const double dt = 1e-6, arm = Bar::r - (offset + deeper) / 2;
    std::vector<PairSample> samples;
    model->sample_offset(s, cut.pairs, cut.offsets, dt, samples);
    cut.add(*model, dt);
    EXPECT_NEAR(cut.balls.force(0).x, -model->normal_force(0, 0, Bar::r / 2, Bar::mass / 2, deeper, 0), 1e-12);
    ASSERT_EQ(samples.size(), 1U);
    EXPECT_EQ(samples[0].force, cut.balls.force(0));
    EXPECT_TRUE(cut.pairs.touches(0));
    EXPECT_NEAR(cut.pairs.xi(0, 1), (0.01 + 2 * arm) * dt, 1e-15);
    // Angular momentum: the arms add up to the distance.
    const Vec3d moment = cut.balls.torque(0) + cut.balls.torque(1) + cross(s.x(0) - s.x(1), cut.balls.force(0));
    EXPECT_LT(norm(moment), 1e-12 * norm(cut.balls.torque(0)));
    EXPECT_GT(norm(cut.balls.torque(0)), 0);

    s.position(1, 0) += 2 * deeper;  // open by the reduced overlap, not yet apart
    const Vec3d force = cut.balls.force(0);
    EXPECT_TRUE(cut.add(*model, dt).empty());
    EXPECT_EQ(cut.balls.force(0), force);
    EXPECT_FALSE(cut.pairs.touches(0));
    EXPECT_EQ(cut.pairs.xi(0, 1), 0);
    s.position(1, 0) += offset;  // apart
    EXPECT_EQ(cut.add(*model, dt), std::vector<Index>{0});
    EXPECT_EQ(cut.balls.force(0), force);
}

TEST(OffsetPairs, ShowTheirEnergyAndRoll) {
    struct Sums : EnergyWatch {
        double stored = 0, lost = 0;
        int seen = 0;
        void see(const ContactEnergy<Real4>&, const std::array<std::size_t, 4>&, Index) override { FAIL(); }
        void see(const ContactEnergy<double>& e, Index) override {
            stored = e.stored, lost += e.damping + e.friction + e.rolling, ++seen;
        }
        void see_at_wall(const ContactEnergy<double>&, Index, std::uint32_t) override { FAIL(); }
        void wall_works(Index, double) override { FAIL(); }
    } sums;
    Cut cut({{0, 0, 0}, {1.9 * Bar::r, 0, 0}}, true);
    const auto model = hertz(LawSettings::Rolling::spring);
    Bodies& s = cut.balls.bodies;
    s.position(1, 0) -= 1e-5;
    s.spin(0, 1) = 3;
    cut.add(*model, 1e-6, &sums);
    EXPECT_EQ(sums.seen, 1);
    EXPECT_GT(sums.stored, 0);
    EXPECT_NEAR(cut.pairs.theta(0, 1), 3e-6, 1e-15);
    EXPECT_LT(cut.balls.torque(0).y, 0);
    s.position(1, 0) += 2e-5;
    cut.add(*model, 1e-6, &sums);
    EXPECT_EQ(sums.seen, 2);  // its dampers end with it
    EXPECT_EQ(sums.stored, 0);
    EXPECT_EQ(cut.pairs.theta(0, 1), 0);
    cut.add(*model, 1e-6, &sums);
    EXPECT_EQ(sums.seen, 2);
}

}  // namespace
}  // namespace granary::test
