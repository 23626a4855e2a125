// The detector decides how long a run takes, and nothing else: the same bits from every one of them, on any number of
// ranks.
#include <gtest/gtest.h>
#include <array>
#include "core/random.hpp"
#include "support/busy_box.hpp"
#include "support/closed_box.hpp"
#include "support/given_bodies.hpp"
#include "support/story.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr std::array others{Detector::mmr, Detector::fixed_cubes, Detector::all_pairs, Detector::two_level};

// Balls of three sizes, 10 to 1 in all, the small ones many, that fly through each other; walls where the box does not
// repeat.
Setup mixture(std::array<bool, 3> periodic) {
    Setup s;
    s.domain = {{0, 0, 0}, {0.032, 0.031, 0.05}, periodic};
    s.gravity = {0, 0, -9.81};
    s.dt = 3e-6;
    s.materials = {busy_grain()};
    s.largest_radius = 4e-3, s.skin = 4e-4;
    close_box(s);
    struct Part {
        double from, to, radius, fall;  // m, m/s
        std::uint64_t count;
    };
    const std::array parts{Part{0.001, 0.02, 4e-3, 0, 15}, Part{0.0185, 0.0245, 1.5e-3, 8, 40},
                           Part{0.025, 0.031, 4e-4, 12, 500}};
    s.start = given([&](const auto& sink) {
        Id first = 0;
        for (const Part& p : parts) {
            RandomLoose packing;
            packing.lower = {0, 0, p.from}, packing.upper = {0.032, 0.031, p.to}, packing.count = p.count;
            packing.periodic = {periodic[0], periodic[1], false};
            packing.balls = {p.radius, p.radius * 1.1, 2500, 0, {}};
            packing.balls.radius_max = std::min(packing.balls.radius_max, 4e-3);
            packing.first_id = first;
            for_each(packing, 5, [&](const NewBody& b) {
                NewBody moving = b;
                moving.velocity = uniform(RandomKey{9, Purpose::loose_packing, 0, b.id, 0}, 0, {-2, -2, -2}, {2, 2, 2});
                moving.velocity.z -= p.fall;
                sink(moving);
            });
            first += p.count;
        }
    });
    return s;
}

template <class Make> Story expect_same_by_all(Make&& make, int steps) {
    const auto with = [&](Detector detector, double alpha) {
        Setup s = make();
        s.detector = detector, s.alpha = alpha;
        return s;
    };
    const Story mr = on_ranks(1, [&](const auto& comm) { return run_story(comm, with(Detector::mr, 2), steps); });
    for (const int n : rank_counts()) {
        SCOPED_TRACE(std::to_string(n) + " ranks");
        for (const Detector detector : others) {
            SCOPED_TRACE("detector " + std::to_string(static_cast<int>(detector)));
            const double alpha = n % 2 == 0 ? 1.3 : 2;  // how groups are cut must not matter either
            expect_same(on_ranks(n, [&](const auto& comm) { return run_story(comm, with(detector, alpha), steps); }),
                        mr);
        }
    }
    return mr;
}

}  // namespace

TEST(SameBits, ByEveryDetectorForLikeSizes) {
    const auto busy = [](LawSettings::Type law) {
        return [=] {
            auto s = busy_box();
            s.law.type = law;
            return s;
        };
    };
    EXPECT_GT(expect_same_by_all(busy(LawSettings::Type::hertz_mindlin), 800).contacts, 20u);
    EXPECT_GT(expect_same_by_all(busy(LawSettings::Type::kelvin_voigt), 800).contacts, 20u);
}

TEST(SameBits, ByEveryDetectorForSizesTenToOne) {
    const Story some = expect_same_by_all([] { return mixture({true, true, false}); }, 300);
    EXPECT_GT(some.contacts, 60u);
    EXPECT_GT(some.image_contacts, 3u);
    EXPECT_GT(some.rebuilds, 15u);
    EXPECT_GT(expect_same_by_all([] { return mixture({true, true, true}); }, 200).contacts, 40u);
    const auto shaken = [] {
        auto s = mixture({false, true, true});
        s.choose_cuts = shaken_cuts;
        return s;
    };
    EXPECT_GT(expect_same_by_all(shaken, 200).contacts, 40u);
}
