#include "walls/wall_shapes.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <vector>
#include "core/errors.hpp"

using namespace granary;

namespace {

constexpr double pi = std::numbers::pi;
// Sizes and coordinates are of order 1 m, a result is a few dozen operations: rounding stays below 1e-13.
constexpr double rounding = 1e-12;

struct Frame {
    Vec3d origin, a, b, c;  // c is the axis or normal
    Vec3d operator()(double x, double y, double z) const { return origin + x * a + y * b + z * c; }
};

Frame random_frame(std::mt19937& g) {
    std::normal_distribution<double> normal;
    const auto random = [&] { return Vec3d{normal(g), normal(g), normal(g)}; };
    const auto unit = [](const Vec3d& v) { return (1.0 / norm(v)) * v; };
    const Vec3d c = unit(random());
    const Vec3d a = unit(cross(c, random()));
    return {random(), a, cross(c, a), c};
}

// A shape together with an independent description: the surface over (s, t) in [0, 1]^2, and the way back.
using Parameters = std::array<double, 2>;
struct Sampled {
    const char* name;
    WallShape shape;
    std::function<Vec3d(double, double)> point;
    std::function<Parameters(const Vec3d&)> parameters;  // of a point on the surface
    std::function<bool(double, double)> rim;             // is (s, t) on a rim, to rounding?
};

std::vector<Sampled> all_thin_shapes(const Frame& f) {
    // s runs from the circle of radius inner at height 0 to that of radius outer at the top, t around.
    const auto ring = [f](const char* name, const WallShape& shape, double inner, double outer, double height) {
        return Sampled{name, shape,
                       [=](double s, double t) {
                           const double r = inner + s * (outer - inner), phi = 2 * pi * t;
                           return f(r * std::cos(phi), r * std::sin(phi), s * height);
                       },
                       [=](const Vec3d& p) {
                           const double x = dot(p - f.origin, f.a), y = dot(p - f.origin, f.b),
                                        z = dot(p - f.origin, f.c);
                           const double s = height > 0 ? z / height : (std::hypot(x, y) - inner) / (outer - inner);
                           return Parameters{s, std::atan2(y, x) / (2 * pi)};
                       },
                       [=](double s, double) {
                           return (std::abs(s) < rounding && inner + height > 0) || std::abs(1 - s) < rounding;
                       }};
    };
    return {
        {"rectangle", Rectangle{f.origin, 1.5 * f.a, 0.8 * f.b},
         [f](double s, double t) { return f(1.5 * s, 0.8 * t, 0); },
         [f](const Vec3d& p) {
             return Parameters{dot(p - f.origin, f.a) / 1.5, dot(p - f.origin, f.b) / 0.8};
         },
         [](double s, double t) {
             return std::min({std::abs(s), std::abs(1 - s), std::abs(t), std::abs(1 - t)}) < rounding;
         }},
        ring("disc", Disc{f.origin, f.c, 0.9}, 0, 0.9, 0),
        ring("annulus", Annulus{f.origin, f.c, 0.5, 1.1}, 0.5, 1.1, 0),
        ring("cylinder", Cylinder{f.origin, f(0, 0, 1.3), 0.7}, 0.7, 0.7, 1.3),
        ring("hopper", ConeFrustum{f.origin, f(0, 0, 1.3), 0.2, 1.0}, 0.2, 1.0, 1.3),
        ring("chimney", ConeFrustum{f.origin, f(0, 0, 1.3), 1.1, 0.4}, 1.1, 0.4, 1.3),
        ring("closed cone", ConeFrustum{f.origin, f(0, 0, 1.3), 0.0, 0.9}, 0.0, 0.9, 1.3),
    };
}

// Smallest distance over samples: a coarse grid, then ever finer ones around the best. Never below the truth.
double sampled_distance(const Sampled& w, const Vec3d& x) {
    double least = 1e300, width = 0.5;
    Parameters centre{0.5, 0.5}, best = centre;
    for (int level = 0, n = 48; level < 26; ++level, n = 6) {
        for (int i = 0; i <= n; ++i)
            for (int j = 0; j <= n; ++j) {
                const double s = std::clamp(centre[0] + width * (2.0 * i / n - 1), 0.0, 1.0);
                const double turn = centre[1] + width * (2.0 * j / n - 1);
                const double t = std::holds_alternative<Rectangle>(w.shape) ? std::clamp(turn, 0.0, 1.0) : turn;
                const double d = norm(x - w.point(s, t));
                if (d < least) least = d, best = {s, t};
            }
        centre = best;
        width = level == 0 ? 0.1 : 0.45 * width;
    }
    return least;
}

std::vector<WallContact> touch(const std::vector<Wall>& walls, const Vec3d& x, double r) {
    std::vector<WallContact> contacts;
    for (std::uint32_t k = 0; k < walls.size(); ++k) {
        const SurfacePoint at = closest(walls[k].shape, x);
        if (at.distance < r) contacts.push_back({k, at, r - at.distance, false});
    }
    drop_doubled_contacts(walls, contacts, r);
    return contacts;
}

std::vector<std::uint32_t> kept(const std::vector<WallContact>& contacts) {
    std::vector<std::uint32_t> numbers;
    for (const WallContact& c : contacts)
        if (!c.dropped) numbers.push_back(c.wall);
    return numbers;
}

using Numbers = std::vector<std::uint32_t>;

}  // namespace

TEST(WallShapes, NearestPointBeatsEverySample) {
    std::mt19937 g(7);
    std::uniform_real_distribution<double> place(-1.5, 1.5);
    for (int frame = 0; frame < 6; ++frame) {
        const Frame f = random_frame(g);
        for (const Sampled& w : all_thin_shapes(f)) {
            int rims = 0;
            for (int k = 0; k < 60; ++k) {
                const Vec3d x = f(place(g) + 0.2, place(g) + 0.2, place(g) + 0.5);
                const SurfacePoint p = closest(w.shape, x);
                // p is on the surface, at the stated distance: it is not nearer than the truth.
                const auto [s, t] = w.parameters(p.point);
                EXPECT_GE(s, -rounding) << w.name;
                EXPECT_LE(s, 1 + rounding) << w.name;
                EXPECT_LT(norm(p.point - w.point(s, t)), rounding) << w.name;
                EXPECT_NEAR(norm(x - p.point), p.distance, rounding) << w.name;
                // No sample is nearer: it is not farther than the truth. The last samples stand 1e-9 apart, which
                // changes a smallest distance by far less than rounding; along a rim s = 0 or 1 is sampled exactly.
                EXPECT_LE(p.distance, sampled_distance(w, x) + rounding) << w.name;
                EXPECT_NEAR(norm(p.normal), 1, rounding) << w.name;
                EXPECT_LT(norm(x - p.point - p.distance * p.normal), rounding) << w.name;
                rims += p.on_rim;
                if (p.on_rim) {
                    EXPECT_TRUE(w.rim(s, t)) << w.name;
                } else {
                    // Inside the face the normal stands on the surface; central differences of 1e-5 err by 1e-9.
                    const Vec3d along = w.point(s + 1e-5, t) - w.point(s - 1e-5, t);
                    const Vec3d around = w.point(s, t + 1e-5) - w.point(s, t - 1e-5);
                    EXPECT_NEAR(dot(along, p.normal) / norm(along), 0, 1e-8) << w.name;
                    EXPECT_NEAR(dot(around, p.normal) / norm(around), 0, 1e-8) << w.name;
                }
                EXPECT_TRUE(contains(w.shape, p.point, rounding)) << w.name;
                EXPECT_FALSE(contains(w.shape, p.point + 1e-6 * p.normal, 1e-7)) << w.name;
            }
            EXPECT_GT(rims, 0) << w.name;  // both kinds were met
            EXPECT_LT(rims, 60) << w.name;
        }
    }
}

TEST(WallShapes, KnownPlacesAtACylinderAndACone) {
    const WallShape pipe = Cylinder{{0, 0, 0}, {0, 0, 2}, 1};
    const SurfacePoint inside = closest(pipe, {0.75, 0, 1});
    EXPECT_EQ(inside.normal, (Vec3d{-1, 0, 0}));
    EXPECT_DOUBLE_EQ(inside.distance, 0.25);
    EXPECT_FALSE(inside.on_rim);
    const SurfacePoint outside = closest(pipe, {0, 1.5, 1});
    EXPECT_NEAR(outside.normal.y, 1, rounding);
    EXPECT_DOUBLE_EQ(outside.distance, 0.5);
    const SurfacePoint above = closest(pipe, {1.3, 0, 2.4});  // 3-4-5 from the upper rim
    EXPECT_TRUE(above.on_rim);
    EXPECT_NEAR(above.distance, 0.5, rounding);
    EXPECT_NEAR(above.normal.x, 0.6, rounding);

    const WallShape cone = ConeFrustum{{0, 0, 0}, {0, 0, 1}, 0, 1};  // 45 degrees, apex at the origin
    const SurfacePoint in_cone = closest(cone, {0, 0.5, 1});
    EXPECT_NEAR(in_cone.distance, 0.5 / std::sqrt(2.0), rounding);
    EXPECT_NEAR(in_cone.normal.z, 1 / std::sqrt(2.0), rounding);
    const SurfacePoint below = closest(cone, {0, 0, -0.5});
    EXPECT_TRUE(below.on_rim);
    EXPECT_DOUBLE_EQ(below.distance, 0.5);
    EXPECT_EQ(below.normal, (Vec3d{0, 0, -1}));
}

TEST(WallShapes, EqualRadiiAreACylinder) {
    std::mt19937 g(11);
    std::uniform_real_distribution<double> place(-2, 2);
    const Frame f = random_frame(g);
    for (int k = 0; k < 100; ++k) {
        const Vec3d x = f(place(g), place(g), place(g));
        const SurfacePoint a = closest(Cylinder{f.origin, f(0, 0, 1), 0.6}, x);
        const SurfacePoint b = closest(ConeFrustum{f.origin, f(0, 0, 1), 0.6, 0.6}, x);
        EXPECT_EQ(a.point, b.point);
        EXPECT_EQ(a.normal, b.normal);
        EXPECT_EQ(a.distance, b.distance);
    }
}

TEST(WallShapes, PlaneIsAHalfSpace) {
    const Wall wall = make_wall("floor", Plane{{0, 0, 1}, {0, 0, 5}}, 0);
    const SurfacePoint over = closest(wall.shape, {3, 4, 1.5}), beyond = closest(wall.shape, {3, 4, -2});
    EXPECT_DOUBLE_EQ(over.distance, 0.5);
    EXPECT_DOUBLE_EQ(beyond.distance, -3);
    EXPECT_EQ(beyond.normal, (Vec3d{0, 0, 1}));
    EXPECT_EQ(beyond.point, (Vec3d{3, 4, 1}));
    EXPECT_TRUE(contains(wall.shape, {9, 9, 1}, rounding));
    EXPECT_FALSE(contains(wall.shape, {0, 0, 0.5}, 0.1));
}

TEST(WallShapes, DegeneratePlacesGiveFixedUnitNormals) {
    std::mt19937 g(3);
    for (int frame = 0; frame < 50; ++frame) {
        const Frame f = random_frame(g);
        for (const Sampled& w : all_thin_shapes(f)) {
            std::vector<Vec3d> places{f.origin, f(0, 0, 0.4), f(0, 0, 1.3), f(0, 0, 3)};
            for (double off : {1e-170, 1e-16, 1e-13, 1e-11, 1e-9})
                places.push_back(f(off, 0, 0.4));  // hardly off the axis
            for (double s : {0.0, 0.3, 1.0})
                for (double t : {0.0, 0.3, 1.0}) places.push_back(w.point(s, t));  // on face, rim, corner
            for (const Vec3d& x : places) {
                const SurfacePoint p = closest(w.shape, x), again = closest(w.shape, x);
                EXPECT_NEAR(norm(p.normal), 1, rounding) << w.name;
                EXPECT_TRUE(std::isfinite(p.distance) && std::isfinite(norm(p.point))) << w.name;
                EXPECT_EQ(p.normal, again.normal);
                EXPECT_NEAR(norm(x - p.point), p.distance, rounding) << w.name;
            }
        }
    }
    // The documented choices.
    EXPECT_EQ(closest(Disc{{0, 0, 0}, {0, 0, 1}, 1}, {0.5, 0, 0}).normal, (Vec3d{0, 0, 1}));
    EXPECT_EQ(closest(Disc{{0, 0, 0}, {0, 0, 1}, 1}, {1, 0, 0}).normal, (Vec3d{0, 0, 1}));
    EXPECT_EQ(closest(Rectangle{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0.5, 0.5, 0}).normal, (Vec3d{0, 0, 1}));
    EXPECT_EQ(closest(Cylinder{{0, 0, 0}, {0, 0, 1}, 1}, {1, 0, 0.5}).normal, (Vec3d{-1, 0, 0}));
    const Vec3d axis{0, 0.6, 0.8};
    const SurfacePoint on_axis = closest(Cylinder{{0, 0, 0}, axis, 2}, 0.5 * axis);
    EXPECT_EQ(on_axis.normal, -perpendicular(axis));
    EXPECT_NEAR(on_axis.distance, 2, rounding);
}

TEST(WallShapes, BoundingBoxIsTight) {
    std::mt19937 g(5);
    const double inf = std::numeric_limits<double>::infinity();
    for (int frame = 0; frame < 5; ++frame)
        for (const Sampled& w : all_thin_shapes(random_frame(g))) {
            const BoundingBox box = bounding_box(w.shape);
            Vec3d lower{inf, inf, inf}, upper = -lower;
            for (int i = 0; i <= 20; ++i)
                for (int j = 0; j <= 2000; ++j) {
                    const Vec3d p = w.point(i / 20.0, j / 2000.0);
                    for (int k = 0; k < 3; ++k)
                        at(lower, k) = std::min(at(lower, k), at(p, k)),
                                  at(upper, k) = std::max(at(upper, k), at(p, k));
                }
            for (int k = 0; k < 3; ++k) {  // samples stand at most pi/2000 rad from the extreme: r (pi/2000)^2/2 < 2e-6
                EXPECT_NEAR(at(box.lower, k), at(lower, k), 2e-6) << w.name;
                EXPECT_NEAR(at(box.upper, k), at(upper, k), 2e-6) << w.name;
                EXPECT_LE(at(box.lower, k), at(lower, k) + rounding) << w.name;
                EXPECT_GE(at(box.upper, k), at(upper, k) - rounding) << w.name;
            }
        }
    EXPECT_TRUE(bounding_box(Plane{{0, 0, 0}, {0, 0, 1}}).near({1e9, -1e9, -1e9}, 0.0));
    const BoundingBox disc = bounding_box(Disc{{0, 0, 0}, {0, 0, 1}, 1});
    EXPECT_TRUE(disc.near({0, 0, 0.1}, 0.1));
    EXPECT_FALSE(disc.near({0, 0, 0.11}, 0.1));
}

TEST(WallShapes, WrongShapesAreNamed) {
    const double nan = std::nan("");
    const std::vector<std::pair<WallShape, const char*>> wrong{
        {Plane{{0, 0, 0}, {0, 0, 0}}, "normal"},
        {Plane{{0, nan, 0}, {0, 0, 1}}, "point"},
        {Rectangle{{0, 0, 0}, {1, 0, 0}, {0.1, 1, 0}}, "perpendicular"},
        {Rectangle{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, "second edge"},
        {Disc{{0, 0, 0}, {0, 0, 1}, 0}, "radius"},
        {Disc{{0, 0, 0}, {0, 0, 0}, 1}, "normal"},
        {Annulus{{0, 0, 0}, {0, 0, 1}, 1, 1}, "smaller than the outer"},
        {Annulus{{0, 0, 0}, {0, 0, 1}, -1, 1}, "inner radius"},
        {Cylinder{{0, 0, 1}, {0, 0, 1}, 1}, "axis"},
        {Cylinder{{0, 0, 0}, {0, 0, 1}, -1}, "radius"},
        {ConeFrustum{{0, 0, 0}, {0, 0, 1}, 0, 0}, "both radii"},
        {ConeFrustum{{0, 0, 0}, {0, 0, 1}, -1, 1}, "none may be below 0"},
    };
    for (const auto& [shape, text] : wrong) {
        try {
            validate({"gate", shape, 0});
            ADD_FAILURE() << "accepted: " << text;
        } catch (const InputError& e) {
            EXPECT_NE(std::string(e.what()).find("wall 'gate'"), std::string::npos) << e.what();
            EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
        }
    }
}

TEST(WallShapes, NormalFormHasUnitNormalsAndRightAngles) {
    const auto disc = std::get<Disc>(make_wall("d", Disc{{1, 2, 3}, {3, 0, 4}, 1}, 0).shape);
    EXPECT_NEAR(norm(disc.normal), 1, rounding);
    const auto rectangle = std::get<Rectangle>(make_wall("r", Rectangle{{0, 0, 0}, {1, 0, 0}, {1e-7, 2, 0}}, 0).shape);
    EXPECT_EQ(dot(rectangle.edge_a, rectangle.edge_b), 0);
    EXPECT_EQ(rectangle.edge_b, (Vec3d{0, 2, 0}));
}

TEST(DoubledContacts, DiscGateInAnAnnulusFeelsLikeOnePlate) {
    const std::vector<Wall> walls{make_wall("floor", Annulus{{0, 0, 0}, {0, 0, 1}, 0.3, 1}, 0),
                                  make_wall("gate", Disc{{0, 0, 0}, {0, 0, 1}, 0.3}, 0)};
    const double r = 0.1, height = 0.095;
    for (int k = -2000; k <= 2000; ++k) {  // rolling across the seam, in a direction that is no axis
        const double s = 0.3 + k * 1e-4;
        const Vec3d x{0.6 * s, 0.8 * s, height};
        const auto contacts = touch(walls, x, r);
        ASSERT_EQ(kept(contacts).size(), 1u) << s;
        for (const auto& c : contacts)
            if (!c.dropped) {
                EXPECT_NEAR(c.overlap, r - height, rounding) << s;  // always as deep as on one plate
            }
    }
    for (double tiny : {0.0, 1e-17, -1e-17, 1e-9, -1e-9, 1e-7, -1e-7, 2e-7, -2e-7})
        EXPECT_EQ(kept(touch(walls, {0.3 + tiny, 0, height}, r)).size(), 1u) << tiny;
}

TEST(DoubledContacts, TwoRectanglesSideBySideInAnyFrame) {
    std::mt19937 g(13);
    for (int frame = 0; frame < 100; ++frame) {
        const Frame f = random_frame(g);
        const std::vector<Wall> walls{make_wall("left", Rectangle{f(-1, 0, 0), f.a, f.b}, 0),
                                      make_wall("right", Rectangle{f(0, 0, 0), f.a, f.b}, 0)};
        for (double s : {-0.5, -0.02, -1e-3, -1e-7, -1e-15, 0.0, 1e-15, 1e-7, 1e-3, 0.02, 0.5}) {
            const auto numbers = kept(touch(walls, f(s, 0.5, 0.09), 0.1));
            ASSERT_EQ(numbers.size(), 1u) << s;
            if (std::abs(s) > 1e-6) {
                EXPECT_EQ(numbers[0], s < 0 ? 0u : 1u) << s;
            }
        }
    }
}

TEST(DoubledContacts, ConvexEdgeIsOneContactConcaveCornerTwo) {
    // A floor in z = 0 for x < 0 and a wall in x = 0 for z < 0: convex seen from x, z > 0, concave from x, z < 0.
    std::vector<Wall> walls{make_wall("top", Rectangle{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 0),
                            make_wall("side", Rectangle{{0, 0, -1}, {0, 1, 0}, {0, 0, 1}}, 0)};
    const double r = 0.1, d = 0.095;
    for (int k = 0; k <= 90; ++k) {  // around the edge, from above the top to beside the side
        const double phi = k * pi / 180;
        const auto numbers = kept(touch(walls, {d * std::sin(phi), 0.5, d * std::cos(phi)}, r));
        ASSERT_EQ(numbers.size(), 1u) << k;
        if (k > 0 && k < 90) {
            EXPECT_EQ(numbers[0], 0u) << k;  // both on the rim: the lower number
        }
    }
    EXPECT_EQ(kept(touch(walls, {-0.01, 0.5, d}, r)), Numbers{0});
    EXPECT_EQ(kept(touch(walls, {d, 0.5, -0.01}, r)), Numbers{1});
    EXPECT_EQ(kept(touch(walls, {-d, 0.5, -d}, r)), (Numbers{0, 1}));
    std::swap(walls[0], walls[1]);
    EXPECT_EQ(kept(touch(walls, {-0.01, 0.5, d}, r)), Numbers{1});
    EXPECT_EQ(kept(touch(walls, {d, 0.5, -0.01}, r)), Numbers{0});
    EXPECT_EQ(kept(touch(walls, {-d, 0.5, -d}, r)), (Numbers{0, 1}));
}

TEST(DoubledContacts, CornerOnALongerEdgeIsNoContactOfItsOwn) {
    // The side is longer in y than the top: beyond the top's corner the ball rolls on the side's edge alone.
    const std::vector<Wall> walls{make_wall("top", Rectangle{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 0),
                                  make_wall("side", Rectangle{{0, -1, -1}, {0, 3, 0}, {0, 0, 1}}, 0)};
    const auto contacts = touch(walls, {0.05, 1.03, 0.05}, 0.1);
    ASSERT_EQ(contacts.size(), 2u);
    EXPECT_TRUE(contacts[0].at.on_rim && contacts[1].at.on_rim);
    EXPECT_EQ(kept(contacts), Numbers{1});
}

TEST(DoubledContacts, SiloJunctionOfCylinderAndHopper) {
    const std::vector<Wall> walls{make_wall("bin", Cylinder{{0, 0, 0}, {0, 0, 2}, 1}, 0),
                                  make_wall("hopper", ConeFrustum{{0, 0, -1}, {0, 0, 0}, 0.2, 1}, 0)};
    const double r = 0.1, d = 0.098;
    EXPECT_EQ(kept(touch(walls, {1 - d, 0, 0.5}, r)), Numbers{0});
    // Inside, in the corner: at distance d from both. The bisector of the half-plane corner gives the height.
    const double slope = std::atan2(1.0, 0.8), half = (pi / 2 + slope) / 2;
    EXPECT_EQ(kept(touch(walls, {1 - d, 0, d / std::tan(half)}, r)), (Numbers{0, 1}));
    // Outside the junction is convex: one contact all around it.
    for (double phi : {-0.8, -0.5, -0.2, 0.0, 0.2, 0.5})
        EXPECT_EQ(kept(touch(walls, {1 + d * std::cos(phi), 0, d * std::sin(phi)}, r)).size(), 1u) << phi;
    // Unrelated rims at different places stay: a ball in a slot between two plates.
    const std::vector<Wall> slot{make_wall("left", Rectangle{{-1, 0, 0}, {0.95, 0, 0}, {0, 1, 0}}, 0),
                                 make_wall("right", Rectangle{{0.05, 0, 0}, {0.95, 0, 0}, {0, 1, 0}}, 0)};
    EXPECT_EQ(kept(touch(slot, {0, 0.5, 0.08}, r)), (Numbers{0, 1}));
}

TEST(DoubledContacts, OverlappingPlatesAndAPlugOnItsRingCountOnce) {
    const std::vector<Wall> plates{make_wall("ring", Annulus{{0, 0, 0}, {0, 0, 1}, 0.3, 1}, 0),
                                   make_wall("lid", Disc{{0, 0, 0}, {0, 0, -1}, 0.4}, 0)};
    EXPECT_EQ(kept(touch(plates, {0.35, 0, 0.09}, 0.1)), Numbers{0});
    EXPECT_EQ(kept(touch(plates, {0.1, 0, 0.09}, 0.1)), Numbers{1});
    // A ball on the axis over a hole and a pipe: every point of the ring is nearest; one contact must be left.
    const std::vector<Wall> hole{make_wall("ring", Annulus{{0, 0, 0}, {0, 0, -1}, 0.3, 1}, 0),
                                 make_wall("pipe", Cylinder{{0, 0, -1}, {0, 0, 0}, 0.3}, 0)};
    EXPECT_EQ(kept(touch(hole, {0, 0, 0.2}, 0.4)).size(), 1u);
}
