#include "shapes/polyhedron_contact.hpp"
#include <gtest/gtest.h>
#include "shapes/convex_hull.hpp"
#include "shapes/polyhedra_at_random.hpp"

namespace granary::test {
namespace {
namespace polyhedron_touch {

const Quaterniond straight{1, 0, 0, 0};

bool is_inside(const ConvexPolyhedron& a, const Placed& at, const Vec3d& x) {
    const Vec3d own = (1 / at.size) * rotate_back(at.orientation, x - at.centre);
    return std::ranges::all_of(a.faces(), [&](const auto& f) { return dot(f.normal, own) <= f.offset + 1e-13; });
}

// The hull of corners of one in the other and of edges through faces.
struct SharedVolume {
    double volume = 0;
    Vec3d centroid;
};
SharedVolume shared_by_hull(const ConvexPolyhedron& a, const Placed& i, const ConvexPolyhedron& b, const Placed& j) {
    std::vector<Vec3d> points;
    const auto A = corners_in_space(a, i), B = corners_in_space(b, j);
    const auto collect = [&](const ConvexPolyhedron& p, const std::vector<Vec3d>& P, const ConvexPolyhedron& q,
                             const Placed& at) {
        for (const Vec3d& x : P)
            if (is_inside(q, at, x)) points.push_back(x);
        for (const auto& e : p.edges())
            for (const auto& f : q.faces()) {
                const Vec3d n = rotate(at.orientation, f.normal);
                const double d0 = dot(n, P[e.from] - at.centre) - f.offset * at.size,
                             d1 = dot(n, P[e.to] - at.centre) - f.offset * at.size;
                if ((d0 < 0) == (d1 < 0)) continue;
                const Vec3d x = P[e.from] + (d0 / (d0 - d1)) * (P[e.to] - P[e.from]);
                if (is_inside(q, at, x)) points.push_back(x);
            }
    };
    collect(a, A, b, j);
    collect(b, B, a, i);
    if (points.size() < 4) return {};
    try {
        const ConvexPolyhedron hull("shared", points);
        return {hull.volume(), hull.user_centroid()};
    } catch (const std::exception&) {  // too thin to be a body
        return {};
    }
}

// Volume, centroid and gradient of the volume for random pairs, against hulls and differences.
TEST(PolyhedronContact, OverlapIsExact) {
    Dice dice(2);
    int real = 0;
    for (int k = 0; k < 400; ++k) {
        const ConvexPolyhedron a("a", points_at_random(dice, 4 + dice.below(30), {1, 1, 1})),
            b("b", points_at_random(dice, 4 + dice.below(60), {1, 1, 0.6}));
        const Placed i{dice.vector(1), turned_at_random(dice), dice.uniform(0.7, 1.3)};
        Placed j{{}, turned_at_random(dice), dice.uniform(0.7, 1.3)};
        j.centre = i.centre + dice.uniform(1.2, 2) * direction_at_random(dice);
        Vec3d plane;
        ConvexTouch touch;
        const PlaneState state = touch_polyhedra(a, i, b, j, 0.05, plane, touch);
        const SharedVolume shared = shared_by_hull(a, i, b, j);
        if (state != PlaneState::real) {
            EXPECT_LT(shared.volume, 1e-9);
            EXPECT_LE(touch.overlap, 0);
            EXPECT_EQ(state == PlaneState::none, plane == Vec3d{});
            continue;
        }
        ++real;
        EXPECT_NEAR(touch.overlap * touch.area, shared.volume, 1e-10 * shared.volume + 1e-13);
        if (shared.volume < 1e-5) continue;
        EXPECT_LT(norm(i.centre + touch.point - shared.centroid), 1e-9);
        EXPECT_EQ(plane, touch.normal);
        // Force of the law of balls with this radius and overlap: (E*/L) V.
        const double length = a.equivalent_radius() * i.size + b.equivalent_radius() * j.size;
        EXPECT_NEAR(4.0 / 3 * std::sqrt(touch.effective_radius * touch.overlap) * touch.overlap, shared.volume / length,
                    1e-12);
        Vec3d gradient;
        const double step = 1e-5;
        for (int axis = 0; axis < 3; ++axis) {
            Placed to = i, fro = i;
            at(to.centre, axis) += step, at(fro.centre, axis) -= step;
            ConvexTouch at_to, at_fro;
            Vec3d old_to = plane, old_fro = plane;
            touch_polyhedra(a, to, b, j, 0.05, old_to, at_to), touch_polyhedra(a, fro, b, j, 0.05, old_fro, at_fro);
            at(gradient, axis) = (at_fro.overlap * at_fro.area - at_to.overlap * at_to.area) / (2 * step);
        }
        EXPECT_LT(norm(gradient - touch.area * touch.normal),
                  1e-4 * touch.area);  // differences: step times curvature of V
    }
    EXPECT_GT(real, 100);
}

// What is found does not depend on the plane that is remembered, and partners change places with a change of sign.
TEST(PolyhedronContact, OldPlaneDoesNotMatter) {
    Dice dice(8);
    for (int k = 0; k < 200; ++k) {
        const ConvexPolyhedron a("a", points_at_random(dice, 12, {1, 1, 1}));
        const Placed i{{}, turned_at_random(dice), 1}, j{1.5 * direction_at_random(dice), turned_at_random(dice), 1};
        Vec3d cold, warm = direction_at_random(dice), back;
        ConvexTouch first, second, swapped;
        if (touch_polyhedra(a, i, a, j, 0.05, cold, first) != PlaneState::real) continue;
        ASSERT_EQ(touch_polyhedra(a, i, a, j, 0.05, warm, second), PlaneState::real);
        EXPECT_LT(norm(first.normal - second.normal), 1e-9);
        EXPECT_NEAR(first.overlap, second.overlap, 1e-9);
        EXPECT_LT(norm(first.point - second.point), 1e-9);
        ASSERT_EQ(touch_polyhedra(a, j, a, i, 0.05, back, swapped), PlaneState::real);
        EXPECT_LT(norm(first.normal + swapped.normal), 1e-9);
        EXPECT_LT(norm(first.point - (j.centre + swapped.point)), 1e-9);
    }
}

// In the contacts that are common (a corner in a face, crossed edges) the normal is that of the common plane. Bodies
// come along a random line until they overlap by 1e-5 of the size.
TEST(PolyhedronContact, NormalIsThatOfTheCommonPlane) {
    Dice dice(9);
    int compared = 0, same = 0;
    for (int k = 0; k < 400; ++k) {
        const ConvexPolyhedron a("a", points_at_random(dice, 10, {1, 1, 1}));
        const Placed i{{}, turned_at_random(dice), 1};
        Placed j{{}, turned_at_random(dice), 1};
        const Vec3d line = direction_at_random(dice), aside = 0.3 * dice.vector(1);
        double far = 3, near = 0.5;
        CommonPlane plane;
        for (int halves = 0; halves < 60; ++halves) {
            const double middle = (far + near) / 2;
            j.centre = middle * line + aside;
            plane = fast_common_plane(a, i, a, j, {});
            (plane.gap > -1e-5 ? far : near) = middle;
        }
        Vec3d old = plane.normal;
        ConvexTouch touch;
        if (touch_polyhedra(a, i, a, j, 0.1, old, touch) != PlaneState::real) continue;
        ++compared;
        if (dot(plane.normal, touch.normal) > 1 - 1e-10) ++same;
        else EXPECT_GT(dot(plane.normal, touch.normal), 0.5);
    }
    EXPECT_GT(compared, 390);
    EXPECT_GT(same, compared - 10);  // all but those within 1e-5 of the end of an edge
}

// Along a path through all kinds of contact, force and torque change as little as the path is cut finely.
TEST(PolyhedronContact, ForceIsContinuousInThePose) {
    Dice dice(4);
    const ConvexPolyhedron cube("cube", box_corners(1, 1, 1)),
        grain("grain", points_at_random(dice, 12, {1, 0.8, 0.7}));
    for (int k = 0; k < 6; ++k) {
        const Quaterniond q = turned_at_random(dice);
        const Vec3d axis = 2.0 * direction_at_random(dice), from = direction_at_random(dice);
        double jump[2] = {0, 0};
        for (const int fine : {0, 1}) {
            const int steps = fine ? 20000 : 2000;
            Vec3d plane, last_force, last_torque;
            double most = 0;
            for (int s = 0; s <= steps; ++s) {
                const double t = static_cast<double>(s) / steps;
                const Placed i{(1.35 - 0.55 * t) * from + Vec3d{0.1 * t, 0.2 * t * t, 0}, turned(q, (t / 2) * axis), 1};
                ConvexTouch touch;
                Vec3d force, torque;
                if (touch_polyhedra(grain, i, cube, {{}, straight, 1}, 0.05, plane, touch) == PlaneState::real) {
                    force = (touch.overlap * touch.area) * touch.normal;
                    torque = cross(touch.point, force);
                }
                if (s > 0)
                    jump[fine] = std::max(jump[fine], std::max(norm(force - last_force), norm(torque - last_torque)));
                most = std::max(most, norm(force));
                last_force = force, last_torque = torque;
            }
            EXPECT_GT(most, 1e-2);
        }
        EXPECT_LT(jump[1], 0.25 * jump[0]) << k;  // ten times finer; a jump would stay what it is
    }
}

// A cube on a plane: force (1/L) A depth; tilted by a small angle, the moment is that of the foundation, I theta/L.
TEST(PolyhedronContact, FaceOnAPlaneResistsRocking) {
    const ConvexPolyhedron cube("cube", box_corners(1, 1, 1));
    const double depth = 1e-3, theta = 1e-4, length = cube.equivalent_radius();
    ConvexTouch touch;
    ASSERT_TRUE(touch_plane(cube, {{0.3, 0.4, 0.5 - depth}, straight, 1}, {7, 7, 0}, {0, 0, 1}, touch));
    EXPECT_NEAR(touch.overlap, depth, 1e-15);
    EXPECT_NEAR(touch.area, 1, 1e-12);
    EXPECT_NEAR(touch.stored_depth, depth / 2, 1e-15);
    EXPECT_LT(norm(touch.point - Vec3d{0, 0, -0.5 + depth / 2}), 1e-12);
    const Quaterniond tilted = turned(straight, Vec3d{theta, 0, 0});  // lowers the side of negative y
    ASSERT_TRUE(touch_plane(cube, {{0, 0, 0.5 - depth}, tilted, 1}, {}, {0, 0, 1}, touch));
    const double force = touch.overlap * touch.area / length, moment = touch.point.y * force;
    // Turns it back; the foot moves under the centre by theta/2, which takes depth theta/2 away.
    EXPECT_NEAR(moment * length, -theta * (1.0 / 12 - depth / 2), 1e-6 * theta);
    // The same on a larger cube.
    Vec3d plane;
    ASSERT_EQ(touch_polyhedra(cube, {{0, 0, 2 - depth}, tilted, 1}, cube, {{}, straight, 3}, 0.1, plane, touch),
              PlaneState::real);
    EXPECT_LT(norm(touch.normal - Vec3d{0, 0, 1}), 1e-12);
    EXPECT_NEAR(touch.point.y * touch.overlap * touch.area, -theta * (1.0 / 12 - depth / 2), 1e-6 * theta);
}

// At a plane the force is the gradient of W = (1/L) int depth dV in all six directions.
TEST(PolyhedronContact, PlaneHasAPotential) {
    Dice dice(6);
    for (int k = 0; k < 50; ++k) {
        const ConvexPolyhedron body("a", points_at_random(dice, 4 + dice.below(20), {1, 0.7, 0.6}));
        const Placed start{{}, turned_at_random(dice), 1};
        const Vec3d n = direction_at_random(dice), point = -0.3 * n;
        const auto energy = [&](const Placed& at) {
            ConvexTouch touch;
            return touch_plane(body, at, point, n, touch) ? touch.overlap * touch.area * touch.stored_depth : 0.0;
        };
        ConvexTouch touch;
        if (!touch_plane(body, start, point, n, touch)) continue;
        const Vec3d force = (touch.overlap * touch.area) * touch.normal, torque = cross(touch.point, force);
        const double step = 1e-4;
        for (int axis = 0; axis < 3; ++axis) {
            Vec3d e;
            at(e, axis) = step;
            Placed to = start, fro = start;
            to.centre += e, fro.centre -= e;
            EXPECT_NEAR((energy(fro) - energy(to)) / (2 * step), at(force, axis), 1e-6);
            to = fro = start;
            to.orientation = turned(start.orientation, e), fro.orientation = turned(start.orientation, -e);
            EXPECT_NEAR((energy(fro) - energy(to)) / (2 * step), at(torque, axis), 1e-6);
        }
    }
}

// Where a line along n through x is inside a body; low > high: nowhere.
struct Inside {
    double low = -1e300, high = 1e300;
    Inside(const ConvexPolyhedron& a, const Placed& at, const Vec3d& x, const Vec3d& n) {
        for (const auto& f : a.faces()) {
            const Vec3d out = rotate(at.orientation, f.normal);
            const double room = f.offset * at.size - dot(out, x - at.centre), rise = dot(out, n);
            if (rise > 0) high = std::min(high, room / rise);
            else if (rise < 0) low = std::max(low, room / rise);
        }
    }
};

// The area that a touch sees, with centroid and second moments, beside a sum over a fine grid of lines along the
// normal: corners in faces, crossed edges, faces, deep ones. A line counts where i enters j from above and does not
// come out again below.
TEST(PolyhedronContact, PatchIsTheAreaAlongTheNormal) {
    Dice dice(21);
    int compared = 0;
    for (int k = 0; k < 90; ++k) {
        const bool boxes = k % 3 == 0;
        const ConvexPolyhedron a("a", boxes ? box_corners(1, 0.7, 0.4) : points_at_random(dice, 8, {1, 1, 1})),
            b("b", boxes ? box_corners(2, 1, 1) : points_at_random(dice, 12, {1, 1, 0.6}));
        const Placed j{{}, straight, 1};
        Placed i{{}, boxes ? turned(straight, 0.01 * dice.vector(1)) : turned_at_random(dice), 1};
        const Vec3d line =
            boxes ? Vec3d{dice.uniform(-0.9, 0.9), dice.uniform(-0.5, 0.5), 0.698} : direction_at_random(dice);
        i.centre = line;
        if (!boxes)
            for (double distance = 2.2; distance > 1; distance -= 0.02) {
                i.centre = distance * line;
                Vec3d plane;
                ConvexTouch touch;
                if (touch_polyhedra(a, i, b, j, 0.05, plane, touch) == PlaneState::real && touch.overlap > 0.01) break;
            }
        Vec3d plane;
        ConvexTouch touch;
        for (int times = 0; times < 3; ++times)  // seen along the normal of the touch itself
            if (touch_polyhedra(a, i, b, j, 0.05, plane, touch) != PlaneState::real) break;
        if (!(touch.overlap > 0.001)) continue;
        const ProjectionAxes axes = axes_along(touch.normal);
        const Vec3d point = i.centre + touch.point;
        constexpr int lines = 150;
        const double width = boxes ? 2.5 : 5 * std::sqrt(touch.area), cell = width / lines;
        double area = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
        for (int p = 0; p < lines; ++p)
            for (int q = 0; q < lines; ++q) {
                const double u = (p + 0.5) * cell - 0.5 * width, v = (q + 0.5) * cell - 0.5 * width;
                const Vec3d at = point + u * axes.x + v * axes.y;
                const Inside of_i(a, i, at, axes.n), of_j(b, j, at, axes.n);
                if (!(of_i.low < of_i.high) || !(of_j.low < of_j.high)) continue;
                const int sign =
                    (of_j.high > of_i.low) - (of_j.high > of_i.high) - (of_j.low > of_i.low) + (of_j.low > of_i.high);
                if (sign == 0) continue;
                const double d = sign * cell * cell;
                area += d, x += d * u, y += d * v, xx += d * u * u, xy += d * u * v, yy += d * v * v;
            }
        ++compared;
        const double edge = 1.5 * cell / std::sqrt(area);  // what a border may be off
        x /= area, y /= area, xx = xx / area - x * x, xy = xy / area - x * y, yy = yy / area - y * y;
        EXPECT_NEAR(touch.area, area, edge * area);
        EXPECT_LT(std::abs(dot(touch.patch.middle, touch.normal)), 1e-12);
        EXPECT_NEAR(dot(touch.patch.middle, axes.x), x, 3 * cell);
        EXPECT_NEAR(dot(touch.patch.middle, axes.y), y, 3 * cell);
        const auto second = [&](const Vec3d& u, const Vec3d& v) {
            return dot(touch.patch.spread[0], u) * dot(touch.patch.spread[0], v) +
                   dot(touch.patch.spread[1], u) * dot(touch.patch.spread[1], v);
        };
        EXPECT_NEAR(second(axes.x, axes.x), xx, edge * (xx + yy)) << k;
        EXPECT_NEAR(second(axes.x, axes.y), xy, edge * (xx + yy)) << k;
        EXPECT_NEAR(second(axes.y, axes.y), yy, edge * (xx + yy)) << k;
    }
    EXPECT_GT(compared, 60);
}

// A block that stands on a strip along its edge: depth 0 at the inner side of the strip. The pressure acts at a third
// of the width from the edge, the patch is in the middle, its second moments are those of the strip.
TEST(PolyhedronContact, StripAlongAnEdge) {
    const double width = 0.2, tilt = 1e-3;
    const ConvexPolyhedron block("block", box_corners(1, 3, 2));
    const Vec3d edge = rotate(turned(straight, Vec3d{0, tilt, 0}), Vec3d{0.5, 0, -1});
    const Placed at{{0, 0, -edge.z - width * tilt}, turned(straight, Vec3d{0, tilt, 0}), 1};
    ConvexTouch touch;
    ASSERT_TRUE(touch_plane(block, at, {}, {0, 0, 1}, touch));
    EXPECT_NEAR(touch.area, 3 * width, 1e-5);
    EXPECT_NEAR(touch.point.x, edge.x - width / 3, 1e-5);
    EXPECT_NEAR(touch.patch.middle.x, -width / 6, 1e-5);
    const double squares =
        dot(touch.patch.spread[0], touch.patch.spread[0]) + dot(touch.patch.spread[1], touch.patch.spread[1]);
    EXPECT_NEAR(squares, (9 + width * width) / 12, 1e-5);
}

// A floor of one plane, of 2 and of 200 triangles is the same floor.
TEST(PolyhedronContact, TrianglesOfOnePlaneAreOneFloor) {
    Dice dice(12);
    for (int k = 0; k < 30; ++k) {
        const ConvexPolyhedron body("a", k % 2 ? points_at_random(dice, 12, {1, 0.8, 0.7}) : box_corners(1, 1, 1));
        const Placed at{{0.1, 0.2, 0.45}, k % 2 ? turned_at_random(dice) : straight, 1};
        ConvexTouch half_space;
        if (!touch_plane(body, at, {}, {0, 0, 1}, half_space)) continue;
        for (const int n : {1, 10}) {
            FlatContact floor(body, at, {}, {0, 0, 1});
            const double a = 4.0 / n;
            for (int x = 0; x < n; ++x)
                for (int y = 0; y < n; ++y) {
                    const Vec3d p{-2 + a * x, -2 + a * y, 0}, q = p + Vec3d{a, 0, 0}, r = p + Vec3d{a, a, 0},
                                                              s = p + Vec3d{0, a, 0};
                    floor.add(std::array<Vec3d, 3>{p, q, r});
                    floor.add(std::array<Vec3d, 3>{s, r, p});
                }
            ConvexTouch touch;
            ASSERT_TRUE(floor.touch(touch));
            EXPECT_NEAR(touch.overlap, half_space.overlap, 1e-12);
            EXPECT_NEAR(touch.area, half_space.area, 1e-12);
            EXPECT_LT(norm(touch.point - half_space.point), 1e-11);
            EXPECT_NEAR(touch.stored_depth, half_space.stored_depth, 1e-12);
            EXPECT_LT(norm(touch.patch.middle - half_space.patch.middle), 1e-9);
            for (int s = 0; s < 2; ++s)
                EXPECT_NEAR(norm(touch.patch.spread[s]), norm(half_space.patch.spread[s]), 1e-7);
        }
    }
}

}  // namespace polyhedron_touch
}  // namespace
}  // namespace granary::test
