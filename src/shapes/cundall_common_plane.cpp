#include "shapes/cundall_common_plane.hpp"
#include <cmath>
#include "shapes/overlap_volume.hpp"

namespace granary {

CommonLine cundall_common_line(const FlatPolygon& i, const FlatPolygon& j, const Vec2d& start,
                               const PerturbationSteps& steps) {
    CommonLine line;
    std::uint32_t a = 0, b = 0;
    const auto gap_along = [&](const Vec2d& n) {
        ++line.candidates;
        a = i.support({-n.x, -n.y}, a), b = j.support(n, b);
        return n.x * (i.corner[a].x - j.corner[b].x) + n.y * (i.corner[a].y - j.corner[b].y);
    };
    Vec2d n = start;
    if (n.x == 0 && n.y == 0) n = {i.centroid.x - j.centroid.x, i.centroid.y - j.centroid.y};
    const double length = std::sqrt(n.x * n.x + n.y * n.y);
    line.normal = {n.x / length, n.y / length};
    line.gap = gap_along(line.normal);
    for (double t = steps.first; t >= steps.last;) {
        ++line.rounds;
        const double c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
        const Vec2d now = line.normal;
        const double before = line.gap;
        for (const double sine : {s, -s}) {
            const Vec2d turned_to{c * now.x - sine * now.y, sine * now.x + c * now.y};
            if (const double gap = gap_along(turned_to); gap > line.gap) line.gap = gap, line.normal = turned_to;
        }
        if (!(line.gap > before)) t /= 2;
    }
    return line;
}

CommonPlane cundall_common_plane(const CornersInSpace& i, const CornersInSpace& j, const Vec3d& start,
                                 const PerturbationSteps& steps) {
    CommonPlane plane;
    std::uint32_t a = 0, b = 0;
    const auto gap_along = [&](const Vec3d& n) {
        ++plane.candidates;
        a = i.support(-n, a), b = j.support(n, b);
        return dot(n, i.corner[a] - j.corner[b]);
    };
    Vec3d n = start;
    if (dot(n, n) == 0) n = i.centre - j.centre;
    plane.normal = (1 / norm(n)) * n;
    a = i.start(-plane.normal), b = j.start(plane.normal);
    plane.gap = gap_along(plane.normal);
    for (double t = steps.first; t >= steps.last;) {
        ++plane.rounds;
        const double c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
        const ProjectionAxes axes = axes_along(plane.normal);
        const double before = plane.gap;
        for (const Vec3d& e : {axes.x, axes.y})
            for (const double sine : {s, -s}) {
                const Vec3d turned_to = c * axes.n + sine * e;
                if (const double gap = gap_along(turned_to); gap > plane.gap) plane.gap = gap, plane.normal = turned_to;
            }
        if (!(plane.gap > before)) t /= 2;
    }
    plane.normal = (1 / norm(plane.normal)) * plane.normal;
    plane.gap = gap_along(plane.normal);
    return plane;
}

}  // namespace granary
