#include "walls/mesh_contacts.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <random>
#include "walls/mesh_grid.hpp"
#include "support/dice.hpp"
#include "support/triangles.hpp"

namespace granary::test::mesh_contacts_test {
namespace {

struct Found {
    std::vector<SurfacePoint> at;
    std::vector<std::uint32_t> place;
};

// The contacts of a ball with all triangles as candidates, as the walls would have them.
class Ball {
  public:
    explicit Ball(const Triangles& triangles, double radius = 1) : mesh_(triangles), radius_(radius) {
        for (std::uint32_t t = 0; t < mesh_.size(); ++t) candidates_.push_back({0, 0, t, {}});
        work_.reserve(mesh_.size());
    }
    Found at(const Vec3d& x) {
        Found found;
        work_.find(mesh_, candidates_, x, radius_, 0, [&](WallCandidate& c, const SurfacePoint& p) {
            found.at.push_back(p), found.place.push_back(c.place);
        });
        return found;
    }
    std::vector<WallCandidate>& candidates() { return candidates_; }
    int n_springs() const {
        return static_cast<int>(
            std::count_if(candidates_.begin(), candidates_.end(), [](const auto& c) { return c.has_spring(); }));
    }

  private:
    TriangleMesh mesh_;
    double radius_;
    std::vector<WallCandidate> candidates_;
    MeshContacts work_;
};

void expect_one(Ball& ball, const Vec3d& x, const Vec3d& normal, double distance, double tilt = 1e-12) {
    const Found f = ball.at(x);
    ASSERT_EQ(f.at.size(), 1u) << x.x << ' ' << x.y << ' ' << x.z;
    EXPECT_LT(norm(f.at[0].normal - normal), tilt);
    EXPECT_NEAR(f.at[0].distance, distance, 1e-12);
}

}  // namespace

// Wherever the ball is over a flat net, also right over edges and corners, and whether triangles are larger or much
// smaller than what the ball presses flat: one contact, that of the plane.
TEST(MeshContacts, FlatNetIsAPlane) {
    for (const int n : {2, 6, 40, 200}) {
        SCOPED_TRACE(n);
        Ball ball(flat({-2, -2, 0}, {4, 0, 0}, {0, 4, 0}, n, n));
        Dice dice(3);
        const double step = 4.0 / n;
        for (int k = 0; k < 30; ++k) {
            Vec3d x = dice.within({-1, -1, 0.8}, {1, 1, 0.999});
            expect_one(ball, x, {0, 0, 1}, x.z);
            expect_one(ball, {x.x, x.y, -x.z}, {0, 0, -1}, x.z);
            x.x = -2 + step * std::round((x.x + 2) / step);  // over an edge
            expect_one(ball, x, {0, 0, 1}, x.z);
            x.y = -2 + step * std::round((x.y + 2) / step);  // over a corner
            expect_one(ball, x, {0, 0, 1}, x.z);
            x.y += 1e-9 * dice.uniform(-1, 1);  // rounding may see one face, two, or none
            expect_one(ball, x, {0, 0, 1}, x.z, 2e-9);
        }
    }
}

// The same plane, leaning and away from the origin: no coordinate is exact.
TEST(MeshContacts, LeaningNetIsAPlane) {
    const Vec3d a{0.6, 0.48, 0.64}, b{-0.8, 0.36, 0.48}, n = cross(a, b), origin{31.3, -17.1, 5.7};
    Ball ball(flat(origin - 2.0 * a - 2.0 * b, 4.0 * a, 4.0 * b, 17, 17));
    Dice dice(5);
    for (int k = 0; k < 300; ++k) {
        const double u = dice.one_in(2) ? 4.0 / 17 * dice.below(4) : dice.uniform(-1, 1);
        const double v = dice.one_in(2) ? 4.0 / 17 * dice.below(4) : dice.uniform(-1, 1), h = dice.uniform(0.8, 0.99);
        const Found f = ball.at(origin + u * a + v * b + h * n);
        ASSERT_EQ(f.at.size(), 1u) << u << ' ' << v;
        EXPECT_NEAR(f.at[0].distance, h, 1e-13);
        EXPECT_LT(norm(f.at[0].normal - n), 1e-13);
    }
}

TEST(MeshContacts, ConvexEdgeAndCornerGiveOneContact) {
    Ball ball(box_surface({-2, -2, -2}, {0, 0, 0}));
    expect_one(ball, {-1, -1, 0.9}, {0, 0, 1}, 0.9);
    expect_one(ball, {0.5, -1, 0.5}, {std::sqrt(0.5), 0, std::sqrt(0.5)}, std::sqrt(0.5));  // over the edge
    expect_one(ball, {1e-9, -1, 0.9}, {1e-9 / 0.9, 0, 1}, 0.9);                             // just beyond the face
    expect_one(ball, {0.3, 0.4, 0.6}, (1 / std::sqrt(0.61)) * Vec3d{0.3, 0.4, 0.6},
               std::sqrt(0.61));  // over the corner
    EXPECT_TRUE(ball.at({0.8, -1, 0.8}).at.empty());
    EXPECT_EQ(ball.at({-0.95, -0.97, -1.02}).at.size(), 3u);  // inside: it is pushed by every side that it reaches
}

TEST(MeshContacts, ConcaveCornersGiveOneContactAFace) {
    Ball ball(box_surface({-2, -2, -2}, {2, 2, 2}));  // seen from inside
    Found f = ball.at({1.1, 0.3, -1.2});
    ASSERT_EQ(f.at.size(), 2u);
    for (const SurfacePoint& p : f.at) {
        const bool floor = p.normal.z > 0.5;
        EXPECT_LT(norm(p.normal - (floor ? Vec3d{0, 0, 1} : Vec3d{-1, 0, 0})), 1e-12);
        EXPECT_NEAR(p.distance, floor ? 0.8 : 0.9, 1e-12);
    }
    f = ball.at({1.1, 1.2, -1.3});
    EXPECT_EQ(f.at.size(), 3u);
    EXPECT_TRUE(std::is_sorted(f.place.begin(), f.place.end()));
    f = ball.at({1.1, -1.1, 1.1});  // on the diagonal planes: feet on the diagonals of the faces
    EXPECT_EQ(f.at.size(), 3u);
}

// A ball on a fine net over a step: the floor and the edge of the step, nothing else.
TEST(MeshContacts, StepsAndRims) {
    const Triangles stair = flat({-2, -2, 0}, {2, 0, 0}, {0, 4, 0}, 9, 20) +
                            flat({0, -2, 0}, {0, 0, 0.3}, {0, 4, 0}, 3, 20) +
                            flat({0, -2, 0.3}, {2, 0, 0}, {0, 4, 0}, 9, 20);
    Ball ball(stair);
    const double away = std::sqrt(0.95 * 0.95 - 0.65 * 0.65);
    const Found f = ball.at({-away, 0.1, 0.95});
    ASSERT_EQ(f.at.size(), 2u);  // floor, and the edge of the step at the same distance
    for (const SurfacePoint& p : f.at) EXPECT_NEAR(p.distance, 0.95, 1e-12);
    expect_one(ball, {-2.2, 0.1, 0.9}, (1 / std::sqrt(0.85)) * Vec3d{-0.2, 0, 0.9}, std::sqrt(0.85));  // an open rim
    EXPECT_EQ(ball.at({-2.2, 0.1, 0.9}).at[0].on_rim, true);
}

// Two rims of a slot in a smooth sheet are two supports.
TEST(MeshContacts, SlotHoldsABallAtBothRims) {
    Ball ball(flat({-2, -2, 0}, {1.9, 0, 0}, {0, 4, 0}, 6, 12) + flat({0.1, -2, 0}, {1.9, 0, 0}, {0, 4, 0}, 6, 12) +
              flat({-0.1, -2, 0}, {0.2, 0, 0}, {0, 1, 0}, 1, 3));
    const Found f = ball.at({0, 0.5, 0.98});
    ASSERT_EQ(f.at.size(), 2u);
    EXPECT_NEAR(f.at[0].normal.x + f.at[1].normal.x, 0, 1e-12);
    EXPECT_GT(std::abs(f.at[0].normal.x), 0.1);
}

// A net whose triangles do not share corners: the long edge of one along the short edges of two.
TEST(MeshContacts, EdgesThatDoNotMatchAreStillOneSurface) {
    Ball ball(Triangles{{Vec3d{-2, -2, 0}, Vec3d{0, -2, 0}, Vec3d{0, 2, 0}},
                        {Vec3d{-2, -2, 0}, Vec3d{0, 2, 0}, Vec3d{-2, 2, 0}}} +
              flat({0, -2, 0}, {2, 0, 0}, {0, 4, 0}, 1, 5));
    for (const double x : {-0.3, -1e-3, -1e-9, 0.0, 1e-9, 1e-3, 0.3})
        for (const double y : {-1.2, -0.37, 0.0, 0.4, 1.2}) expect_one(ball, {x, y, 0.9}, {0, 0, 1}, 0.9, 2e-9);
}

// The inside of a facetted pipe is one smooth surface: the deepest facet, however many are touched.
TEST(MeshContacts, FacettedPipeIsTouchedOnce) {
    for (const int sides : {24, 100, 360}) {
        Ball ball(funnel({0, 0, -3}, 6, 2, 2, sides, 3));
        for (int k = 0; k < 50; ++k) {
            const double angle = 0.0137 * k, d = 1.05;
            const Found f = ball.at({d * std::cos(angle), d * std::sin(angle), 0.1 * (k % 7)});
            ASSERT_EQ(f.at.size(), 1u) << sides << ' ' << k;
            EXPECT_NEAR(f.at[0].distance, 2 - d, 2 * (1 - std::cos(std::numbers::pi / sides)) + 1e-12);
        }
    }
    Ball square(funnel({0, 0, -3}, 6, 2, 2, 4, 3));  // but a bin with corners has corners
    EXPECT_EQ(square.at({0.7, 0, 0}).at.size(), 2u);
}

// Which triangle comes first in the file does not matter.
TEST(MeshContacts, OrderOfTrianglesDoesNotMatter) {
    Triangles hilly = sheet(14, 14, [](double u, double v) {
        return Vec3d{4 * u - 2, 4 * v - 2, 0.4 * std::sin(9 * u) * std::cos(7 * v)};
    });
    Triangles shuffled = hilly;
    std::mt19937 engine(5);
    std::shuffle(shuffled.begin(), shuffled.end(), engine);
    for (Corners& t : shuffled) std::rotate(t.begin(), t.begin() + 1, t.end());
    Ball one(hilly), other(shuffled);
    Dice dice(9);
    int several = 0;
    for (int k = 0; k < 500; ++k) {
        const Vec3d x = dice.within({-1.5, -1.5, 0.4}, {1.5, 1.5, 1.3});
        Found a = one.at(x), b = other.at(x);
        const auto by_place = [](const SurfacePoint& p, const SurfacePoint& q) { return p.point.x < q.point.x; };
        std::sort(a.at.begin(), a.at.end(), by_place), std::sort(b.at.begin(), b.at.end(), by_place);
        ASSERT_EQ(a.at.size(), b.at.size());
        several += a.at.size() > 1;
        for (std::size_t c = 0; c < a.at.size(); ++c) {
            EXPECT_NEAR(a.at[c].distance, b.at[c].distance, 1e-13);
            EXPECT_LT(norm(a.at[c].normal - b.at[c].normal), 1e-12);
        }
    }
    EXPECT_GT(several, 20);
}

// The nearest point of the whole surface is always among the contacts: no gap lets a ball through.
TEST(MeshContacts, NearestPointIsNeverLost) {
    const Triangles hilly = sheet(9, 11, [](double u, double v) {
        return Vec3d{4 * u - 2, 4 * v - 2, 0.7 * std::sin(11 * u) * std::cos(8 * v)};
    });
    const Mesh whole = mesh_wall(hilly);
    Ball ball(hilly);
    Dice dice(13);
    for (int k = 0; k < 3000; ++k) {
        Vec3d x = dice.within({-2.5, -2.5, -1.5}, {2.5, 2.5, 1.5});
        if (k % 3 == 0) {  // right over a corner or the middle of an edge
            const Corners& t = hilly[static_cast<std::size_t>(dice.below(static_cast<int>(hilly.size())))];
            x = (k % 2 ? t[0] : 0.5 * (t[0] + t[1])) + Vec3d{0, 0, dice.uniform(-0.9, 0.9)};
        }
        const SurfacePoint nearest = closest(whole, x);
        const Found f = ball.at(x);
        if (nearest.distance >= 1) {
            EXPECT_TRUE(f.at.empty());
            continue;
        }
        double least = 2;
        for (const SurfacePoint& p : f.at) least = std::min(least, p.distance);
        EXPECT_NEAR(least, nearest.distance, 1e-12);
    }
}

TEST(MeshContacts, SpringGoesAlongFromTriangleToTriangle) {
    Ball ball(flat({-2, -2, 0}, {4, 0, 0}, {0, 4, 0}, 8, 8));
    const Vec3d from{-1.3, -0.9, 0.95}, to{1.4, 1.1, 0.95};
    const Found first = ball.at(from);
    ball.candidates()[first.place[0]].xi[0] = 0.25;
    std::vector<std::uint32_t> places;
    for (int k = 0; k <= 1000; ++k) {
        const Found f = ball.at(from + (k / 1000.0) * (to - from));
        ASSERT_EQ(f.at.size(), 1u);
        ASSERT_EQ(ball.n_springs(), 1) << k;
        ASSERT_EQ(ball.candidates()[f.place[0]].xi[0], 0.25) << k;
        if (places.empty() || places.back() != f.place[0]) places.push_back(f.place[0]);
    }
    EXPECT_GT(places.size(), 8u);
    ball.at({0, 0, 1.01});  // lifted off
    EXPECT_EQ(ball.n_springs(), 0);
}

// Over a convex edge too, and to the facet that is deepest in a pipe; but not from the wall of a corner to its floor.
TEST(MeshContacts, SpringStaysWithItsSurface) {
    Ball edge(box_surface({-2, -2, -2}, {0, 0, 0}));
    const std::uint32_t top = edge.at({-0.5, -1, 0.95}).place[0];
    edge.candidates()[top].xi[1] = 1;
    for (int k = 0; k <= 90; ++k) {
        const double a = k * std::numbers::pi / 180;
        const Found f = edge.at({0.95 * std::sin(a), -1, 0.95 * std::cos(a)});
        ASSERT_EQ(f.at.size(), 1u);
        ASSERT_EQ(edge.candidates()[f.place[0]].xi[1], 1) << k;
    }
    Ball pipe(funnel({0, 0, -3}, 6, 2, 2, 24, 1));
    const Found start = pipe.at({1.05, 0.02, 0.3});
    pipe.candidates()[start.place[0]].xi[2] = 1;
    for (int k = 0; k <= 360; ++k) {
        const double a = 0.02 + k * std::numbers::pi / 180;
        const Found f = pipe.at({1.05 * std::cos(a), 1.05 * std::sin(a), 0.3});
        ASSERT_EQ(pipe.candidates()[f.place[0]].xi[2], 1) << k;
    }
    Ball corner(box_surface({-2, -2, -2}, {2, 2, 2}));
    const Found both = corner.at({1.1, 0.3, -1.2});
    for (std::size_t c = 0; c < 2; ++c) corner.candidates()[both.place[c]].xi[1] = both.at[c].normal.z > 0.5 ? 3 : 4;
    const Found floor = corner.at({0.9, 0.3, -1.2});  // away from the wall
    ASSERT_EQ(floor.at.size(), 1u);
    EXPECT_EQ(corner.candidates()[floor.place[0]].xi[1], 3);
    EXPECT_EQ(corner.n_springs(), 1);
    const Found again = corner.at({1.1, 0.3, -1.2});
    for (std::size_t c = 0; c < 2; ++c)
        EXPECT_EQ(corner.candidates()[again.place[c]].xi[1], again.at[c].normal.z > 0.5 ? 3 : 0);
}

}  // namespace granary::test::mesh_contacts_test
