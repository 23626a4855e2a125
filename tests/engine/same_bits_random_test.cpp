// The same bits for settings that nobody chose: boxes, periods, sizes, laws, walls, outlets, insertions, skins and cuts
// are drawn at random.
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <random>
#include "support/busy_box.hpp"
#include "support/few_balls.hpp"
#include "support/given_bodies.hpp"
#include "support/story.hpp"

namespace granary::same_bits_random_test {

using namespace granary::test;

namespace {

constexpr unsigned n_settings = 12;
constexpr int n_steps = 150;

class Dice {
  public:
    explicit Dice(unsigned seed) : engine_(seed) {}
    double between(double a, double b) { return a + (b - a) * static_cast<double>(engine_()) / 4294967296.0; }
    bool coin(double p = 0.5) { return between(0, 1) < p; }
    unsigned below(unsigned n) { return engine_() % n; }

  private:
    std::mt19937 engine_;
};

Setup random_setup(unsigned number) {
    Dice dice(number);
    Setup s;
    const double largest = 2.5e-3, smallest = dice.coin() ? largest : dice.between(0.8e-3, 2.4e-3);
    for (int axis = 0; axis < 3; ++axis) {
        at(s.domain.lower, axis) = dice.between(-0.05, 0.05);
        at(s.domain.upper, axis) = at(s.domain.lower, axis) + dice.between(0.021, 0.045);
        s.domain.periodic[static_cast<std::size_t>(axis)] = dice.coin(0.6);
    }
    s.dt = 2e-5;
    s.gravity = {dice.between(-5, 5), dice.between(-5, 5), dice.between(-15, 5)};
    s.largest_radius = largest;
    s.skin = dice.coin(0.3) ? 0.0 : dice.between(1e-4, 1e-3);
    s.law.type = std::array{LawSettings::Type::hertz_mindlin, LawSettings::Type::linear,
                            LawSettings::Type::kelvin_voigt}[dice.below(3)];
    Material second = busy_grain();
    second.name = "second", second.young = 2e6, second.stiffness = 1000, second.friction = 0.9,
    second.restitution = 0.2;
    s.materials = {busy_grain(), second};
    const double cohesion = dice.between(0, 0.3);  // a reach of up to 0.3 mm
    for (Material& m : s.materials) m.cohesion = cohesion;

    // Walls where the box does not repeat, or an outlet on the lower side.
    for (int axis = 0; axis < 3; ++axis) {
        if (s.domain.periodic[static_cast<std::size_t>(axis)]) continue;
        Vec3d normal{}, inside = s.domain.lower;
        at(normal, axis) = 1, at(inside, axis) += 1e-3;
        if (dice.coin(0.3)) s.outlets.push_back({"outlet", inside, normal});
        else s.walls.push_back(make_wall("lower", Plane{s.domain.lower, normal}, 1));
        s.walls.push_back(make_wall("upper", Plane{s.domain.upper, -normal}, 0));
    }
    const Vec3d middle = 0.5 * (s.domain.lower + s.domain.upper);
    if (dice.coin())
        s.walls.push_back(make_wall("cone", ConeFrustum{middle, middle + Vec3d{0.001, 0.002, 0.006}, 0.002, 0.007}, 1));

    RandomLoose packing;
    packing.lower = s.domain.lower, packing.upper = s.domain.upper, packing.periodic = s.domain.periodic;
    const Vec3d size = s.domain.upper - s.domain.lower;
    packing.count = static_cast<std::uint64_t>(dice.between(0, 0.3) * size.x * size.y * size.z /
                                               (4.19 * largest * largest * largest));
    packing.balls = {smallest, largest, 2500, 0, {}};
    const double speed = dice.between(0, 3);
    const std::vector<Wall> walls = s.walls;
    s.start = given([&](const auto& sink) {
        for_each(packing, number, [&](const NewBody& b) {
            NewBody moving = b;
            const RandomKey key{number, Purpose::lattice, 1, b.id, 0};
            moving.velocity = speed * uniform(key, 0, {-1, -1, -1}, {1, 1, 1});
            moving.spin = uniform(key, 3, {-500, -500, -500}, {500, 500, 500});
            moving.material = b.id % 2;
            if (std::none_of(walls.begin(), walls.end(),
                             [&](const Wall& w) { return closest(w.shape, b.position).distance < b.radius; }))
                sink(moving);
        });
    });
    if (dice.coin(0.6)) {
        InsertionSpec rain;
        rain.name = "rain", rain.lower = s.domain.lower, rain.upper = s.domain.upper,
        rain.spans_period = s.domain.periodic;
        rain.total = 60, rain.per_event = 15, rain.trials_per_event = 60;
        rain.balls = {smallest, largest, 2500, 1, {0.5, -0.2, -1}};
        rain.first_step = dice.below(3) * 7, rain.interval = 5 + dice.below(20), rain.stream = 3;
        s.insertions = {rain};
    }
    if (dice.coin(0.7)) s.choose_cuts = dice.coin(0.2) ? one_for_all_cuts : shaken_cuts;
    s.rebalance_every = dice.below(3);
    return s;
}

}  // namespace

TEST(SameBits, RandomSettings) {
    std::uint64_t migrations = 0, contacts = 0, left = 0, wraps = 0, inserted = 0;
    for (unsigned k = 0; k < n_settings; ++k) {
        SCOPED_TRACE(testing::Message() << "setting " << k);
        const ManyStories stories = expect_same_on_any_ranks([&] { return random_setup(k); }, n_steps);
        migrations += stories.of.back().migrations, contacts += stories.of.back().contacts;
        left += stories.of.back().left, wraps += stories.of.back().wraps, inserted += stories.of.back().inserted;
        const Story by_another_detector = on_ranks(boost::mpi::communicator().size(), [&](const auto& comm) {
            auto s = random_setup(k);
            s.detector = std::array{Detector::all_pairs, Detector::mmr, Detector::fixed_cubes}[k % 3];
            return run_story(comm, s, n_steps);
        });
        expect_same(by_another_detector, stories.of.front());
    }
    EXPECT_GT(contacts, 10u * n_settings);
    EXPECT_GT(left, n_settings);
    EXPECT_GT(wraps, 3u * n_settings);
    EXPECT_GT(inserted, 50u * n_settings);
    if (boost::mpi::communicator().size() > 1) {
        EXPECT_GT(migrations, 50u * n_settings);
    }
}

}  // namespace granary::same_bits_random_test
