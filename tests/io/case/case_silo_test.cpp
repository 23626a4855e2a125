// Walls of a silo: they keep everything inside while the gate is there, let it out through the outlet alone when it is
// not, and nothing of them stands inside.
#include "io/case/case_silo.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include "walls/wall_shapes.hpp"

namespace granary {
namespace {

WallShape shape(const WallSpec& w) {
    switch (w.type) {
        case WallType::mesh: break;  // a silo has none
        case WallType::plane: return Plane{w.point, w.normal};
        case WallType::rectangle: return Rectangle{w.corner, w.edge_a, w.edge_b};
        case WallType::disc: return Disc{w.centre, w.normal, w.radius};
        case WallType::annulus: return Annulus{w.centre, w.normal, w.inner_radius, w.outer_radius};
        case WallType::cylinder: return Cylinder{w.bottom, w.top, w.radius};
        case WallType::cone: break;
    }
    return ConeFrustum{w.bottom, w.top, w.bottom_radius, w.top_radius};
}

struct Silo {
    const char* what;
    SiloSpec spec;
    std::vector<std::string> names;  // of its walls, in order
};

SiloSpec round_silo() {
    SiloSpec s;
    s.bin = BinType::cylinder, s.d_c = 0.4, s.h_c = 0.7, s.d_h = 0.1;
    s.centre = {0.3, -0.2}, s.bottom = 0.25;
    s.material = "steel", s.gate_material = "rubber", s.opens = "drain";
    return s;
}
SiloSpec box_silo() {
    SiloSpec s = round_silo();
    s.bin = BinType::rectangle, s.d_c = 0, s.width = 0.5, s.depth = 0.3;
    return s;
}

std::vector<Silo> all_silos() {
    std::vector<Silo> all;
    SiloSpec s = round_silo();
    s.hopper = HopperType::cone, s.h_h = 0.2;
    all.push_back({"cylinder and cone", s, {"cylinder", "cone", "gate"}});

    s = round_silo();
    s.hopper = HopperType::flat, s.outlet_offset = {0.1, -0.05};
    all.push_back({"cylinder, flat, eccentric circle", s, {"cylinder", "floor", "gate"}});

    const std::vector<std::string> floor{"floor-left", "floor-right", "floor-front", "floor-back", "gate"};
    const std::vector<std::string> box{"bin-left", "bin-right", "bin-front", "bin-back"};
    const auto joined = [](std::vector<std::string> a, const std::vector<std::string>& b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
    };
    s.outlet = OpeningType::slot, s.d_h = 0, s.outlet_width = 0.08, s.outlet_length = 0.15;
    all.push_back({"cylinder, flat, eccentric slot", s, joined({"cylinder"}, floor)});

    s = box_silo();
    s.hopper = HopperType::flat, s.outlet_offset = {-0.15, 0.05};
    all.push_back({"rectangle, flat, eccentric circle", s, joined(box, {"floor", "gate"})});

    s.outlet = OpeningType::slot, s.d_h = 0, s.outlet_width = 0.15, s.outlet_length = 0.1;
    all.push_back({"rectangle, flat, eccentric slot", s, joined(box, floor)});

    s.outlet_offset = {0.175, 0}, s.outlet_length = s.depth;
    all.push_back({"rectangle, flat, slot along a wall and over the depth", s, joined(box, {"floor-left", "gate"})});

    s = box_silo();
    s.hopper = HopperType::wedge, s.h_h = 0.3, s.outlet = OpeningType::slot, s.d_h = 0, s.outlet_width = 0.06;
    s.outlet_length = s.depth;
    all.push_back({"wedge", s, joined(box, {"wedge-left", "wedge-right", "wedge-front", "wedge-back", "gate"})});
    return all;
}

// ---- The inside, written down anew
// -----------------------------------------------------------------------------------

// Is p inside, and at least `margin` away from a wall (more than that at slopes)?
bool inside(const SiloSpec& s, const Vec3d& p, double margin = 0) {
    const double x = p.x - s.centre[0], y = p.y - s.centre[1], z = p.z - s.bottom;
    if (z < margin || z > s.h_h + s.h_c - margin) return false;
    const double share = s.h_h > 0 ? std::min(1.0, z / s.h_h) : 1.0;  // 0 at the outlet, 1 in the bin
    if (s.bin == BinType::cylinder)
        return std::hypot(x, y) <= (s.h_h > 0 ? (s.d_h + share * (s.d_c - s.d_h)) / 2 : s.d_c / 2) - margin;
    const double width = s.h_h > 0 ? s.outlet_width + share * (s.width - s.outlet_width) : s.width;
    return std::abs(x) <= width / 2 - margin && std::abs(y) <= s.depth / 2 - margin;
}

// Is the point of the floor within the outlet, at least `margin` from its rim?
bool in_outlet(const SiloSpec& s, const Vec3d& p, double margin) {
    const double x = p.x - s.centre[0] - s.outlet_offset[0], y = p.y - s.centre[1] - s.outlet_offset[1];
    if (s.outlet == OpeningType::circle) return std::hypot(x, y) <= s.d_h / 2 - margin;
    return std::abs(x) <= s.outlet_width / 2 - margin && std::abs(y) <= *s.outlet_length / 2 - margin;
}

// ---- Straight ways
// ---------------------------------------------------------------------------------------------------

// The first wall on the way from a to b, or "". Goes forward by the distance to the nearest wall, which cannot be
// crossed.
std::string hit(const std::vector<WallSpec>& walls, const Vec3d& a, const Vec3d& b) {
    const double length = norm(b - a);
    const Vec3d u = (1 / length) * (b - a);
    for (double t = 0; t < length;) {
        double nearest = length;
        std::string name;
        for (const WallSpec& w : walls) {
            const double distance = closest(normalised(shape(w)), a + t * u).distance;
            if (distance < nearest) nearest = distance, name = w.name;
        }
        if (nearest < 1e-9) return name;
        t += nearest;
    }
    return "";
}

class Points {
  public:
    explicit Points(const SiloSpec& s) : s_(s) { std::tie(lower_, upper_) = silo_box(s); }
    Vec3d in_box(double beside, double below) {
        return {draw(lower_.x - beside, upper_.x + beside), draw(lower_.y - beside, upper_.y + beside),
                draw(lower_.z - below, upper_.z)};
    }
    Vec3d within(double margin) {
        for (;;)
            if (const Vec3d p = in_box(0, 0); inside(s_, p, margin)) return p;
    }
    Vec3d without() {
        for (;;)
            if (const Vec3d p = in_box(0.3, 0.3); !inside(s_, p)) return p;
    }

  private:
    double draw(double a, double b) { return std::uniform_real_distribution(a, b)(random_); }

    const SiloSpec s_;
    Vec3d lower_, upper_;
    std::mt19937_64 random_{7};
};

constexpr int n_ways = 400;
constexpr double margin = 1e-3;

TEST(CaseSilo, HasTheWallsOfItsKind) {
    for (const Silo& silo : all_silos()) {
        std::vector<std::string> names;
        for (const WallSpec& w : silo_walls(silo.spec)) {
            names.push_back(w.name);
            const bool is_gate = w.name == "gate";
            EXPECT_EQ(w.material, is_gate ? "rubber" : "steel") << silo.what;
            EXPECT_EQ(w.opens, is_gate ? "drain" : "") << silo.what;
            EXPECT_TRUE(w.of_silo);
            EXPECT_NO_THROW(make_wall(w.name, shape(w), 0)) << silo.what;
        }
        EXPECT_EQ(names, silo.names) << silo.what;
    }
}

TEST(CaseSilo, NothingLeavesWhileTheGateIsThere) {
    for (const Silo& silo : all_silos()) {
        const std::vector<WallSpec> walls = silo_walls(silo.spec);
        Points points(silo.spec);
        for (int i = 0; i < n_ways; ++i)
            EXPECT_NE(hit(walls, points.within(margin), points.without()), "") << silo.what;
    }
}

// The inside of each silo is convex.
TEST(CaseSilo, NoWallStandsInside) {
    for (const Silo& silo : all_silos()) {
        const std::vector<WallSpec> walls = silo_walls(silo.spec);
        Points points(silo.spec);
        for (int i = 0; i < n_ways; ++i) {
            const Vec3d a = points.within(margin), b = points.within(margin);
            EXPECT_EQ(hit(walls, a, b), "") << silo.what;
        }
    }
}

TEST(CaseSilo, WithoutTheGateTheOutletIsOpenAndNothingElse) {
    for (const Silo& silo : all_silos()) {
        std::vector<WallSpec> walls = silo_walls(silo.spec);
        ASSERT_EQ(walls.back().name, "gate");
        walls.pop_back();
        Points points(silo.spec);
        int through = 0;
        for (int i = 0; i < 20 * n_ways; ++i) {
            const Vec3d a = points.within(margin), b = points.without();
            const double t = (silo.spec.bottom - a.z) / (b.z - a.z);  // where the way meets the height of the outlet
            const Vec3d at_floor = a + t * (b - a);
            const bool goes_down = b.z < silo.spec.bottom;
            if (goes_down && in_outlet(silo.spec, at_floor, margin)) {
                EXPECT_EQ(hit(walls, a, b), "") << silo.what;
                ++through;
            } else if (i % 20 == 0 && !(goes_down && in_outlet(silo.spec, at_floor, -margin))) {
                EXPECT_NE(hit(walls, a, b), "") << silo.what;
            }
        }
        EXPECT_GT(through, 20) << silo.what;
    }
}

TEST(CaseSilo, GateClosesTheOutletAlone) {
    for (const Silo& silo : all_silos()) {
        const WallShape gate = normalised(shape(silo_walls(silo.spec).back()));
        Points points(silo.spec);
        for (int i = 0; i < n_ways; ++i) {
            Vec3d p = points.in_box(0, 0);
            p.z = silo.spec.bottom;
            if (in_outlet(silo.spec, p, margin)) {
                EXPECT_TRUE(contains(gate, p, 1e-12)) << silo.what;
            }
            if (!in_outlet(silo.spec, p, -margin)) {
                EXPECT_FALSE(contains(gate, p, margin / 2)) << silo.what;
            }
        }
    }
}

// By counting points; 1/sqrt(n) of 40000 points is half a per cent, three times that are allowed.
TEST(CaseSilo, VolumeIsThatOfTheInside) {
    for (const Silo& silo : all_silos()) {
        const auto [lower, upper] = silo_box(silo.spec);
        const Vec3d size = upper - lower;
        Points points(silo.spec);
        const int n = 40000;
        int n_inside = 0;
        for (int i = 0; i < n; ++i) n_inside += inside(silo.spec, points.in_box(0, 0));
        EXPECT_NEAR(silo_volume(silo.spec) / (size.x * size.y * size.z), n_inside / double(n), 0.015) << silo.what;
    }
}

TEST(CaseSilo, BoxAndBinFloor) {
    const SiloSpec s = all_silos()[0].spec;
    const auto [lower, upper] = silo_box(s);
    EXPECT_NEAR(norm(lower - Vec3d{0.1, -0.4, 0.25}), 0, 1e-15);
    EXPECT_NEAR(norm(upper - Vec3d{0.5, 0.0, 1.15}), 0, 1e-15);
    EXPECT_NEAR(bin_floor(s), 0.45, 1e-15);
    EXPECT_EQ(bin_floor(all_silos()[1].spec), 0.25);
}

}  // namespace
}  // namespace granary
