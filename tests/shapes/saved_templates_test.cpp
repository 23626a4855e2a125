// Templates in a state: all bits come back, in any axes; fingerprints tell forms apart; what is damaged is refused.
#include "shapes/saved_templates.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include "core/errors.hpp"
#include "shapes/clump.hpp"
#include "shapes/convex_polygon.hpp"
#include "shapes/convex_polyhedron.hpp"
#include "shapes/ellipsoid_template.hpp"
#include "shapes/quaternion.hpp"
#include "shapes/solids.hpp"
#include "shapes/turned_shape.hpp"
#include "support/message_of.hpp"

namespace granary::saved_templates_test {
namespace {

using test::message_of;

std::vector<ShapeTemplate> all_kinds() {
    std::vector<ShapeTemplate> all{
        make_ellipsoid("egg", {3e-3, 2e-3, 1e-3}),
        make_polyhedron(
            "wedge",
            std::vector<Vec3d>{{0, 0, 0}, {0.04, 0, 0.001}, {0, 0.02, 0}, {0.003, 0, 0.01}, {0.03, 0.02, 0.02}}),
        make_polyhedron("die", corners_of(RegularSolid::cube, 0.01)),
        make_clump("tripod",
                   std::vector<ClumpBall>{{{0, 0, 0}, 2e-3}, {{4e-3, 0, 1e-3}, 2.5e-3}, {{2e-3, 3.4e-3, 0}, 1.7e-3}}),
        make_polygon("tile", std::vector<Vec2d>{{0, 0}, {0.02, 0.001}, {0.017, 0.03}}, 1)};
    set_thickness(all.back(), 3e-3);
    all[1].as_given = normalised(Quaterniond{0.3, 0.2, -0.4, 0.8});
    return all;
}

bool same_bits(const Vec3d& a, const Vec3d& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// All that a run can see of it.
void expect_same(const ShapeTemplate& a, const ShapeTemplate& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.outer_radius, b.outer_radius);
    EXPECT_EQ(a.volume, b.volume);
    EXPECT_EQ(a.thickness, b.thickness);
    EXPECT_TRUE(same_bits(a.inertia_per_mass, b.inertia_per_mass) && same_bits(a.semi_axes, b.semi_axes));
    EXPECT_EQ(std::memcmp(&a.as_given, &b.as_given, sizeof a.as_given), 0);
    ASSERT_EQ(a.balls.size(), b.balls.size());
    for (std::size_t k = 0; k < a.balls.size(); ++k)
        EXPECT_TRUE(same_bits(a.balls[k].centre, b.balls[k].centre) && a.balls[k].radius == b.balls[k].radius);
    ASSERT_EQ(!a.polyhedron, !b.polyhedron);
    if (a.polyhedron) {
        const ConvexPolyhedron &p = *a.polyhedron, &q = *b.polyhedron;
        ASSERT_EQ(p.padded(), q.padded());
        EXPECT_EQ(std::memcmp(p.x(), q.x(), 3 * p.padded() * sizeof(double)), 0);
        ASSERT_EQ(p.faces().size(), q.faces().size());
        for (std::size_t f = 0; f < p.faces().size(); ++f) {
            EXPECT_TRUE(same_bits(p.faces()[f].normal, q.faces()[f].normal));
            EXPECT_EQ(p.faces()[f].offset, q.faces()[f].offset);
            EXPECT_TRUE(std::ranges::equal(p.corners_of(f), q.corners_of(f)));
        }
        for (std::size_t c = 0; c < p.corners().size(); ++c) {
            EXPECT_TRUE(std::ranges::equal(p.neighbours_of(c), q.neighbours_of(c)));
            EXPECT_TRUE(std::ranges::equal(p.faces_of(c), q.faces_of(c)));
        }
        EXPECT_TRUE(same_bits(p.user_centroid(), q.user_centroid()));
        for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(same_bits(p.user_axes()[k], q.user_axes()[k]));
        EXPECT_EQ(p.volume(), q.volume());
        EXPECT_EQ(p.equivalent_radius(), q.equivalent_radius());
        EXPECT_EQ(p.outer_radius(), q.outer_radius());
        EXPECT_EQ(p.inner_radius(), q.inner_radius());
    }
    ASSERT_EQ(!a.polygon, !b.polygon);
    if (a.polygon) {
        EXPECT_EQ(a.polygon->normal(), b.polygon->normal());
        EXPECT_EQ(a.polygon->area(), b.polygon->area());
        EXPECT_EQ(a.polygon->polar_per_mass(), b.polygon->polar_per_mass());
        EXPECT_EQ(a.polygon->outer_radius(), b.polygon->outer_radius());
        ASSERT_EQ(a.polygon->corners().size(), b.polygon->corners().size());
        for (std::size_t k = 0; k < a.polygon->corners().size(); ++k) {
            EXPECT_EQ(a.polygon->corners()[k].x, b.polygon->corners()[k].x);
            EXPECT_EQ(a.polygon->corners()[k].y, b.polygon->corners()[k].y);
            EXPECT_EQ(a.polygon->edges()[k].offset, b.polygon->edges()[k].offset);
        }
    }
}

TEST(SavedTemplates, AllBitsComeBackWhateverTheAxes) {
    const std::vector<ShapeTemplate> all = all_kinds();
    std::vector<SavedState> files;
    for (const int axis : {2, 0, 1}) {
        const Axes axes(axis);
        std::vector<ShapeTemplate> inside;
        for (const ShapeTemplate& t : all) inside.push_back(turned_in(t, axes));
        files.emplace_back();
        save_templates(inside, axes, files.back());
        EXPECT_EQ(files.back(), files.front()) << "the file is in the axes of the user";
        const std::vector<ShapeTemplate> back = templates_in(files.back());
        ASSERT_EQ(back.size(), all.size());
        for (std::size_t k = 0; k < all.size(); ++k) {
            SCOPED_TRACE(all[k].name);
            expect_same(back[k], all[k]);
            expect_same(turned_in(back[k], axes), inside[k]);
        }
    }
    EXPECT_FALSE(has_templates(SavedState()));
    SavedState none;
    save_templates({}, Axes(), none);
    EXPECT_EQ(none, SavedState()) << "a run of balls writes what it always has";
}

TEST(SavedTemplates, ATurnedPolyhedronIsTheSameInOtherAxes) {
    const ShapeTemplate wedge = all_kinds()[1];
    for (const int axis : {0, 1}) {
        const Axes axes(axis);
        const ShapeTemplate t = turned_in(wedge, axes);
        for (std::size_t k = 0; k < wedge.polyhedron->corners().size(); ++k)
            EXPECT_TRUE(same_bits(axes.out(t.polyhedron->corners()[k]), wedge.polyhedron->corners()[k]));
        for (std::size_t f = 0; f < wedge.polyhedron->faces().size(); ++f)
            EXPECT_LT(norm(axes.out(t.polyhedron->faces()[f].normal) - wedge.polyhedron->faces()[f].normal), 1e-15);
    }
}

TEST(SavedTemplates, FingerprintsTellFormsApart) {
    const std::vector<ShapeTemplate> all = all_kinds();
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = 0; b < all.size(); ++b)
            EXPECT_EQ(fingerprint_of(all[a]) == fingerprint_of(all[b]), a == b);
    // Neither name nor material nor how copies stand; every number of the form.
    ShapeTemplate egg = all[0];
    egg.name = "bean", egg.material = 3, egg.turned_at_random = false, egg.as_given = {0, 1, 0, 0};
    EXPECT_EQ(fingerprint_of(egg), fingerprint_of(all[0]));
    const auto differs = [](ShapeTemplate t, const std::function<void(ShapeTemplate&)>& change) {
        const ShapeFingerprint before = fingerprint_of(t);
        change(t);
        return fingerprint_of(t) != before;
    };
    const auto up = [](double& x) { x = std::nextafter(x, 1.0); };
    EXPECT_TRUE(differs(all[0], [&](ShapeTemplate& t) { up(t.semi_axes.y); }));
    EXPECT_TRUE(differs(all[0], [&](ShapeTemplate& t) { up(t.outer_radius); }));
    EXPECT_TRUE(differs(all[0], [&](ShapeTemplate& t) { up(t.inertia_per_mass.z); }));
    EXPECT_TRUE(differs(all[3], [&](ShapeTemplate& t) { up(t.balls[1].centre.z); }));
    EXPECT_TRUE(differs(all[3], [&](ShapeTemplate& t) { std::swap(t.balls[0], t.balls[1]); }));
    EXPECT_TRUE(differs(all[4], [&](ShapeTemplate& t) { up(t.thickness); }));
    EXPECT_TRUE(differs(all[1], [&](ShapeTemplate& t) {
        ConvexPolyhedron::Finished f = t.polyhedron->finished();
        up(f.corners[2].y);
        t.polyhedron = std::make_shared<const ConvexPolyhedron>("wedge", f);
    }));
}

TEST(SavedTemplates, DamagedOnesAreRefused) {
    const std::vector<ShapeTemplate> all = all_kinds();
    SavedState good;
    save_templates(all, Axes(), good);
    const auto told = [&](const std::function<void(SavedState&)>& harm) {
        SavedState bad = good;
        harm(bad);
        return message_of<InputError>([&] { templates_in(bad); });
    };
    const auto expect = [&](const std::string& text, const std::function<void(SavedState&)>& harm) {
        const std::string message = told(harm);
        EXPECT_NE(message.find(text), std::string::npos) << message;
    };
    expect("the checkpoint has no shapes.reals", [](SavedState& s) { s.reals.erase("shapes.reals"); });
    expect("shapes.reals is too short", [](SavedState& s) { s.reals["shapes.reals"].pop_back(); });
    expect("shapes.reals is too long", [](SavedState& s) { s.reals["shapes.reals"].push_back(0); });
    expect("shapes.numbers is too short", [](SavedState& s) { s.integers["shapes.numbers"].pop_back(); });
    expect("has the count 18446744073709551615", [](SavedState& s) { s.integers["shapes.numbers"][1] = ~0ull; });
    expect("names and", [](SavedState& s) { s.texts["shapes.names"].emplace_back("more"); });
    expect("another fingerprint", [](SavedState& s) { s.integers["shapes.fingerprints"][0] ^= 1; });
    expect("another fingerprint", [](SavedState& s) { s.reals["shapes.reals"][0] *= 1.5; });
    expect("is no grain", [](SavedState& s) { s.reals["shapes.reals"][1] = -1; });
    expect("not finite", [](SavedState& s) { s.reals["shapes.reals"][2] = std::numeric_limits<double>::quiet_NaN(); });
    expect("its faces do not close",
           [](SavedState& s) { std::swap(s.integers["shapes.faces"][1], s.integers["shapes.faces"][2]); });
    // Any single number of any list: refused, or it is no other shape.
    for (auto& [name, list] : good.integers)
        for (std::size_t k = 0; k < list.size(); ++k) {
            SavedState bad = good;
            bad.integers[name][k] += 1;
            EXPECT_THROW(templates_in(bad), InputError) << name << " " << k;
        }
}

TEST(SavedTemplates, FacesThatAreNoneAreRefused) {
    const ConvexPolyhedron cube("cube", corners_of(RegularSolid::cube, 1));
    const auto expect_refused = [&](const std::string& text,
                                    const std::function<void(ConvexPolyhedron::Finished&)>& harm) {
        ConvexPolyhedron::Finished f = cube.finished();
        harm(f);
        const std::string message = message_of<InputError>([&] { ConvexPolyhedron("cube", f); });
        EXPECT_NE(message.find(text), std::string::npos) << message;
    };
    expect_refused("faces do not close", [](auto& f) { f.faces.pop_back(); });
    expect_refused("faces do not close", [](auto& f) { f.faces.push_back(f.faces[0]); });
    expect_refused("faces do not close", [](auto& f) { std::swap(f.faces[0][0], f.faces[0][1]); });
    expect_refused("faces do not close", [](auto& f) { f.corners.push_back({0, 0, 0}); });
    expect_refused("does not exist", [](auto& f) { f.faces[2][1] = 8; });
    expect_refused("less than three", [](auto& f) { f.faces[0].resize(2); });
    expect_refused("not convex", [](auto& f) { f.corners[0] = {0.1, 0.1, 0.1}; });
    expect_refused("corner is not finite", [](auto& f) { f.corners[3].x = std::numeric_limits<double>::infinity(); });
    expect_refused("no numbers above 0", [](auto& f) { f.volume = 0; });
    expect_refused("not convex", [](auto& f) {
        for (auto& face : f.faces) std::reverse(face.begin(), face.end());
    });
    expect_refused("outside", [](auto& f) {
        for (Vec3d& x : f.corners) x.x += 2;
    });
}

}  // namespace
}  // namespace granary::saved_templates_test
