#include "contact/hertz_mindlin_huang2020.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include "collision.hpp"
#include "contact/materials.hpp"
#include "law_checks.hpp"

namespace granary::hertz_mindlin_huang2020_test {
namespace {

using namespace testing;
using Parameters = HertzMindlin::Parameters<double>;
const double infinity = std::numeric_limits<double>::infinity();

Material solid(double young, double poisson, double density) {
    Material m;
    m.young = young, m.poisson = poisson, m.density = density;
    return m;
}
Material rigid() { return solid(infinity, 0.3, 1.0); }
Parameters pair(const Material& a, const Material& b, double e, double mu) {
    return HertzMindlin::make(effective_young(a, b), effective_shear(a, b), e, mu);
}
double ball_mass(const Material& m, double r) { return m.density * 4.0 / 3.0 * M_PI * r * r * r; }

Parameters random_parameters(Dice& dice) {
    const double e = dice.below(3) ? dice.uniform(0.05, 1.0) : 1.0;
    const double mu = dice.below(3) ? dice.uniform(0.0, 1.0) : 0.0;
    return HertzMindlin::make(dice.log_uniform(1e5, 1e12), dice.log_uniform(1e4, 1e11), e, mu);
}

// Exact time of an elastic Hertz contact: 2.9433 delta_max/v.
struct Hertz {
    double force, overlap, duration;
    Hertz(double young, double m, double r, double v) {
        const double k = 4.0 / 3.0 * young * std::sqrt(r);
        overlap = std::pow(5 * m * v * v / (4 * k), 0.4);
        force = k * std::pow(overlap, 1.5);
        duration = 2.0 * std::sqrt(M_PI) * std::tgamma(1.4) / std::tgamma(0.9) * overlap / v;
    }
};

TEST(HertzMindlin, ParametersAreThoseOfThePaper) {
    const double e = 0.5, beta = 0.21545;  // the tabulated beta, five digits
    const Parameters p = HertzMindlin::make(3e9, 1e9, e, 0.4);
    EXPECT_DOUBLE_EQ(p.hertz, 4e9);
    EXPECT_DOUBLE_EQ(p.mindlin, 8e9);
    EXPECT_NEAR(p.damping_n / std::sqrt(6e9), 2 * std::sqrt(5.0 / 6.0) * beta, 2e-5);
    EXPECT_NEAR(p.damping_t / std::sqrt(8e9), 2 * std::sqrt(5.0 / 6.0) * beta, 2e-5);
    EXPECT_EQ(p.friction, 0.4);
    const Parameters elastic = HertzMindlin::make(3e9, 1e9, 1.0, 0.4);
    EXPECT_TRUE(same_bits(elastic.damping_n, 0.0) && same_bits(elastic.damping_t, 0.0));
}

// The other writings of the same law: F = k delta^1.5 + psi sqrt(m k) delta^0.25 v with psi = sqrt(5) beta.
TEST(HertzMindlin, NormalForceAgainstPowers) {
    const double young = 7e9, e = 0.6, l = std::log(e), beta = -l / std::hypot(l, M_PI);
    const Parameters p = HertzMindlin::make(young, 2e9, e, 0.0);
    const double r = 0.003, m = 2e-4;
    for (double delta : {1e-8, 1e-6, 3e-5})
        for (double approach : {-0.7, 0.0, 0.02, 1.3}) {
            const Vec3d n{0.6, 0.0, -0.8};
            const double k = 4.0 / 3.0 * young * std::sqrt(r);
            const double expected =
                k * std::pow(delta, 1.5) + std::sqrt(5.0) * beta * std::sqrt(m * k) * std::pow(delta, 0.25) * approach;
            Vec3d xi{};
            const Vec3d f = HertzMindlin{}.force({n, delta, -approach * n, r, m}, p, xi, 1e-6);
            const double scale = k * std::pow(delta, 1.5) + std::abs(expected);
            EXPECT_NEAR(f.x, expected * n.x, 1e-13 * scale);
            EXPECT_NEAR(f.y, 0.0, 1e-13 * scale);
            EXPECT_NEAR(f.z, expected * n.z, 1e-13 * scale);
            Vec3d unused{};
            const HertzMindlin no_pull{.attraction = false};
            const Vec3d g = no_pull.force({n, delta, -approach * n, r, m}, p, unused, 1e-6);
            EXPECT_NEAR(dot(g, n), std::max(expected, 0.0), 1e-13 * scale);
        }
}

TEST(HertzMindlin, StickingContactIsSpringAndDamper) {
    const double shear = 2e9, e = 0.6, l = std::log(e), beta = -l / std::hypot(l, M_PI);
    const Parameters p = HertzMindlin::make(7e9, shear, e, 100.0);  // never slides
    const double r = 0.003, m = 2e-4, delta = 2e-5, dt = 1e-6;
    const Vec3d v{0.3, -0.2, 0.5};
    Vec3d xi{1e-7, 2e-7, 5e-7};  // the z part is out of the tangent plane
    const Vec3d f = HertzMindlin{}.force({{0, 0, 1}, delta, v, r, m}, p, xi, dt);
    EXPECT_DOUBLE_EQ(xi.x, 1e-7 + 0.3 * dt);
    EXPECT_DOUBLE_EQ(xi.y, 2e-7 - 0.2 * dt);
    EXPECT_EQ(xi.z, 0.0);
    const double k_t = 8 * shear * std::sqrt(r * delta), c_t = 2 * std::sqrt(5.0 / 6.0) * beta * std::sqrt(k_t * m);
    EXPECT_NEAR(f.x, -(k_t * xi.x + c_t * v.x), 1e-12 * std::abs(f.x));
    EXPECT_NEAR(f.y, -(k_t * xi.y + c_t * v.y), 1e-12 * std::abs(f.y));
}

TEST(HertzMindlin, SlidingContactIsCutAndItsSpringShortened) {
    const double mu = 0.3, delta = 2e-5, r = 0.003, m = 2e-4;
    const Parameters p = HertzMindlin::make(7e9, 2e9, 0.6, mu);
    Vec3d xi{3e-4, 4e-4, 0};
    const Vec3d f = HertzMindlin{}.force({{0, 0, 1}, delta, {0.03, 0.04, -0.1}, r, m}, p, xi, 1e-6);
    const double elastic = p.hertz * std::sqrt(r * delta) * delta;
    EXPECT_GT(f.z, 1.01 * elastic);  // the damper of the normal force has no part in friction
    EXPECT_NEAR(std::hypot(f.x, f.y), mu * elastic, 1e-13 * f.z);
    EXPECT_NEAR(f.x / f.y, 0.75, 1e-12);  // against the spring
    EXPECT_LT(f.x, 0.0);
    const double k_t = p.mindlin * std::sqrt(r * delta);
    EXPECT_NEAR(-k_t * xi.x, f.x, 1e-13 * f.z);
    EXPECT_NEAR(-k_t * xi.y, f.y, 1e-13 * f.z);
    EXPECT_LT(norm(xi), 5e-4);
}

// While the damper pulls, friction is still that of the spring which presses.
TEST(HertzMindlin, FrictionFollowsTheSpringWhileDampingPulls) {
    const double r = 0.003, delta = 1e-7;
    const Parameters p = HertzMindlin::make(7e9, 2e9, 0.2, 0.3);
    Vec3d xi{1e-6, 0, 0};
    const Vec3d f = HertzMindlin{}.force({{0, 0, 1}, delta, {0.1, 0, 5.0}, r, 2e-4}, p, xi, 1e-6);
    EXPECT_LT(f.z, 0.0);
    EXPECT_DOUBLE_EQ(f.x, -0.3 * p.hertz * std::sqrt(r * delta) * delta);
    EXPECT_DOUBLE_EQ(xi.x, -f.x / (p.mindlin * std::sqrt(r * delta)));
}

TEST(HertzMindlin, ApartMeansNothing) {
    const Parameters p = HertzMindlin::make(7e9, 2e9, 0.5, 0.3);
    for (double overlap : {0.0, -0.0, -1e-9, -1.0}) {
        Vec3d xi{1, 2, 3};
        EXPECT_EQ(HertzMindlin{}.force({{0, 0, 1}, overlap, {1, 1, 1}, 0.003, 1e-4}, p, xi, 1e-6), (Vec3d{}));
        EXPECT_EQ(xi, (Vec3d{}));
    }
}

TEST(HertzMindlin, LanesEqualScalar) {
    expect_lanes_equal_scalar(HertzMindlin{}, random_parameters);
    expect_lanes_equal_scalar(HertzMindlin{.attraction = false}, random_parameters);
}

TEST(HertzMindlin, Antisymmetric) {
    expect_antisymmetric(HertzMindlin{}, random_parameters);
    expect_antisymmetric(HertzMindlin{.attraction = false}, random_parameters);
}

TEST(HertzMindlin, RestitutionIsTheGivenOneAtAnySpeed) {
    const double young = 5e7, r = 0.0025, m = 1.6e-4;
    for (double e : {0.2, 0.4, 0.6, 0.8, 0.9, 1.0})
        for (double v : {0.01, 0.1, 1.0, 10.0}) {
            const double dt = Hertz(young, m, r, v).duration / 10000;
            const auto hit = head_on(HertzMindlin{}, HertzMindlin::make(young, 1e7, e, 0.3), {m, r, v, dt});
            EXPECT_NEAR(hit.restitution, e, 1e-3) << "e " << e << " v " << v;  // first order in dt, 10000 steps
        }
}

// Values of an independent integration, validation references section 3.
TEST(HertzMindlin, RestitutionWithoutAttraction) {
    const double young = 5e7, r = 0.0025, m = 1.6e-4;
    for (auto [e, expected] : {std::pair{0.2, 0.3249}, {0.4, 0.4720}, {0.6, 0.6323}, {0.8, 0.8081}})
        for (double v : {0.1, 3.0}) {
            const double dt = Hertz(young, m, r, v).duration / 20000;
            const auto hit =
                head_on(HertzMindlin{.attraction = false}, HertzMindlin::make(young, 1e7, e, 0.0), {m, r, v, dt});
            EXPECT_NEAR(hit.restitution, expected, 3e-4) << "e " << e;
        }
}

// Chung & Ooi (2011), tests 1 and 2: elastic hits. Peak values of Hertz' closed form.
struct ElasticHit {
    const char* name;
    double young, poisson, density, radius, speed;  // speed of approach of the pair
    bool two_balls;
    double force, overlap, duration;  // N, m, s
};
class ChungOoiElastic : public ::testing::TestWithParam<ElasticHit> {};

TEST_P(ChungOoiElastic, PeakForceOverlapAndTime) {
    const ElasticHit& h = GetParam();
    const Material ball = solid(h.young, h.poisson, h.density);
    const double share = h.two_balls ? 0.5 : 1.0;
    const double m = share * ball_mass(ball, h.radius), r = share * h.radius;
    const auto hit = head_on(HertzMindlin{}, pair(ball, h.two_balls ? ball : rigid(), 1.0, 0.35),
                             {m, r, h.speed, h.duration / 5000});
    EXPECT_NEAR(hit.peak_force, h.force, 2e-4 * h.force);
    EXPECT_NEAR(hit.peak_overlap, h.overlap, 2e-4 * h.overlap);
    EXPECT_NEAR(hit.duration, h.duration, 3e-4 * h.duration);
    EXPECT_NEAR(hit.time_of_peak, h.duration / 2, 1e-3 * h.duration);
    EXPECT_NEAR(hit.restitution, 1.0, 1e-4);
}

const ElasticHit elastic_hits[] = {
    {"glass", 4.8e10, 0.20, 2800, 0.01, 20, true, 10696.9, 274.11e-6, 40.34e-6},
    {"limestone", 2.0e10, 0.25, 2500, 0.01, 20, true, 7108.2, 368.30e-6, 54.20e-6},
    {"aluminium", 7.0e10, 0.30, 2699, 0.1, 0.2, false, 11369.9, 49.717e-6, 731.7e-6},
    {"magnesium", 4.0e10, 0.35, 1800, 0.1, 0.2, false, 7232.7, 52.123e-6, 767.1e-6},
};
INSTANTIATE_TEST_SUITE_P(Tests1And2, ChungOoiElastic, ::testing::ValuesIn(elastic_hits),
                         [](const auto& test) { return std::string(test.param.name); });

// Test 3: the peak force of damped hits, independent integration.
TEST(HertzMindlin, ChungOoiTest3) {
    const Material oxide = solid(3.8e11, 0.23, 4000), iron = solid(1.0e11, 0.25, 7000);
    const double e[] = {0.2, 0.4, 0.6, 0.8, 1.0};
    const double oxide_peak[] = {447.6, 448.0, 488.0, 546.1, 615.4}, iron_peak[] = {368.6, 369.0, 401.9, 449.7, 506.8};
    for (int i = 0; i < 5; ++i)
        for (const auto& [ball, peaks] : {std::pair(oxide, oxide_peak), std::pair(iron, iron_peak)}) {
            const double r = 0.0025, m = ball_mass(ball, r);
            const double dt = Hertz(effective_young(ball, rigid()), m, r, 3.9).duration / 20000;
            const auto hit = head_on(HertzMindlin{}, pair(ball, rigid(), e[i], 0.0), {m, r, 3.9, dt});
            EXPECT_NEAR(hit.restitution, e[i], 1e-3);
            EXPECT_NEAR(hit.peak_force, peaks[i], 1e-3 * peaks[i]);
        }
}

// Test 4: oblique hits of aluminium oxide. From 30 deg on the ball slides all through, whatever the law.
struct Oblique {
    const Material ball = solid(3.8e11, 0.23, 4000);
    const double r = 0.0025, speed = 3.9, mu = 0.092, m = ball_mass(ball, r);
    double step(double angle) const {
        return Hertz(effective_young(ball, rigid()), m, r, speed * std::cos(angle * M_PI / 180)).duration / 5000;
    }
    ObliqueResult hit(double angle, double e, bool tangential_damping) const {
        Parameters p = pair(ball, rigid(), e, mu);
        if (!tangential_damping) p.damping_t = 0;
        return oblique(HertzMindlin{}, p, m, r, speed, angle, step(angle));
    }
};

TEST(HertzMindlin, ChungOoiTest4Sliding) {
    const Oblique o;
    const double e = 0.98;
    for (double angle : {30., 35., 40., 50., 60., 70., 80., 85.}) {
        const double theta = angle * M_PI / 180;
        const double e_t = 1 - o.mu * (1 + e) / std::tan(theta);
        const double spin = 5 * o.mu * (1 + e) * o.speed * std::cos(theta) / (2 * o.r);
        for (bool damped : {false, true}) {
            const auto hit = o.hit(angle, e, damped);
            EXPECT_NEAR(hit.restitution_t, e_t, 0.005 * e_t) << angle;
            EXPECT_NEAR(hit.spin, -spin, 0.005 * spin) << angle;
        }
    }
}

TEST(HertzMindlin, ChungOoiTest4Sticking) {
    const Oblique o;
    struct Row {
        double angle, e_t, spin, contact_angle;
    };
    const Row table[] = {{5, 0.953, -16.1, 4.26},    {10, 0.698, -204.5, -0.59}, {15, 0.630, -373.5, -4.62},
                         {20, 0.620, -506.7, -6.98}, {25, 0.638, -596.4, -7.23}, {30, 0.6845, -615.2, -3.52}};
    for (const Row& row : table) {
        const auto hit = o.hit(row.angle, 0.98, false);  // the table is without tangential damping
        EXPECT_NEAR(hit.restitution_t, row.e_t, 0.002) << row.angle;
        // At 5 deg the spin is what is left of two large parts, and the limit of the table is mu F_n with the damper of
        // e = 0.98.
        EXPECT_NEAR(hit.spin, row.spin, std::max(0.005 * std::abs(row.spin), 0.3)) << row.angle;
        EXPECT_NEAR(hit.contact_angle, row.contact_angle, 0.05) << row.angle;
    }
}

// A ball that slides all through loses exactly mu times the normal impulse, the damper's pull included, so mu (1 + e) m
// v_n: Coulomb's law for impulses (Walton & Braun 1986, Foerster et al. 1994). The damper's own impulse is zero up to
// what the step leaves, 1e-3 at e = 0.2. (A limit of mu max(F_n, 0) brakes by 10 and 3 % more at e = 0.2 and 0.5.) And
// friction never pushes onwards: with a spring that is stretched backwards by the damper (friction.hpp) it does so in 5
// to 11 % of the steps.
TEST(HertzMindlin, DampedSlidingIsPureCoulombFriction) {
    const Oblique o;
    for (double e : {0.2, 0.5})
        for (double angle : {45., 60., 75., 85.}) {
            const auto hit = o.hit(angle, e, true);
            const double lost = o.mu * hit.normal_impulse / (o.m * o.speed * std::sin(angle * M_PI / 180));
            EXPECT_EQ(hit.n_driven, 0) << "e " << e << " angle " << angle;
            EXPECT_NEAR(1 - hit.restitution_t, lost, 2e-3 * lost) << "e " << e << " angle " << angle;
            EXPECT_NEAR(lost * std::tan(angle * M_PI / 180), o.mu * (1 + e), 2e-3 * o.mu);
        }
}

}  // namespace
}  // namespace granary::hertz_mindlin_huang2020_test
