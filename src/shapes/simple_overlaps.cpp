#include "shapes/simple_overlaps.hpp"
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include "shapes/contact_patch.hpp"

namespace granary {
namespace {

// Corners of a body that lie where the partner may be, and the faces at them.
struct ReachedPart {
    std::uint32_t corner[2];
    std::size_t n = 0;
    std::uint64_t faces = 0;
};

template <bool below> ReachedPart reached_part(const ConvexPolyhedron& body, const double* heights, double limit) {
    ReachedPart part;
    const std::size_t n = body.corners().size();
    for (std::uint32_t c = 0; c < n; ++c) {
        if (below ? heights[c] >= limit : heights[c] <= limit) continue;
        if (part.n < 2) part.corner[part.n] = c;
        ++part.n;
        for (const std::uint32_t f : body.faces_of(c)) part.faces |= std::uint64_t{1} << f;
    }
    return part;
}

template <class Visit> void each_bit(std::uint64_t bits, Visit&& visit) {
    for (; bits != 0; bits &= bits - 1) visit(static_cast<std::size_t>(std::countr_zero(bits)));
}

// From the frame of one body to that of the other, in lengths of the other's template.
struct FromTo {
    Vec3d ex, ey, ez, shift;

    FromTo(const Placed& from, const Placed& to) {
        const Quaterniond q = conjugate(to.orientation) * from.orientation;
        const double size = from.size / to.size;
        ex = size * rotate(q, Vec3d{1, 0, 0}), ey = size * rotate(q, Vec3d{0, 1, 0}),
        ez = size * rotate(q, Vec3d{0, 0, 1});
        shift = (1 / to.size) * rotate_back(to.orientation, from.centre - to.centre);
    }
    Vec3d operator()(const Vec3d& x) const { return shift + (x.x * ex + x.y * ey + x.z * ez); }
};

// Corner c of one body in a face of the other; all in the frame of the other.
struct Pyramid {
    double volume = 0, area = 0, depth = 0;
    Vec3d normal, centroid;
    ContactPatch patch;
};

bool find_pyramid(const ConvexPolyhedron& sharp, std::uint32_t c, const FromTo& to_flat, const ConvexPolyhedron& flat,
                  std::uint64_t flat_faces, Pyramid& result) {
    constexpr std::size_t most_edges = 12;
    const auto near = sharp.neighbours_of(c);
    if (near.size() > most_edges) return false;
    const Vec3d apex = to_flat(sharp.corners()[c]);
    double nearest = -1e300;
    std::size_t face = 0;
    const auto faces = flat.faces();
    each_bit(flat_faces, [&](std::size_t f) {
        const double d = dot(faces[f].normal, apex) - faces[f].offset;
        if (d > nearest) nearest = d, face = f;
    });
    if (!(nearest < 0)) return false;  // the corner is outside
    const Vec3d n = faces[face].normal;
    std::array<Vec3d, most_edges> base;  // from the apex
    for (std::size_t k = 0; k < near.size(); ++k) {
        const Vec3d edge = to_flat(sharp.corners()[near[k]]) - apex;
        const double rise = dot(n, edge);
        if (!(rise > -nearest)) return false;  // ends before the face
        base[k] = (-nearest / rise) * edge;
    }
    bool inside = true;
    each_bit(flat_faces & ~(std::uint64_t{1} << face), [&](std::size_t f) {
        const double room = faces[f].offset - dot(faces[f].normal, apex);
        for (std::size_t k = 0; k < near.size(); ++k) inside &= dot(faces[f].normal, base[k]) <= room;
    });
    if (!inside) return false;
    const ProjectionAxes axes = axes_along(n);
    PolygonMoments moments;
    double px = 0, py = 0;
    for (std::size_t k = 1; k < near.size(); ++k) {
        const Vec3d from = base[k] - base[0];
        const double qx = dot(from, axes.x), qy = dot(from, axes.y);
        // Counter-clockwise about the outward direction of the sharp body at its corner, which is against n.
        if (k > 1) moments.add(qx, qy, px, py);
        px = qx, py = qy;
    }
    if (!(moments.area > 0)) return false;
    const double x = moments.x / moments.area, y = moments.y / moments.area;
    const Vec3d middle = base[0] + (x * axes.x + y * axes.y);  // of the base
    result.area = moments.area, result.depth = -nearest, result.normal = n;
    result.volume = result.area * result.depth / 3;
    result.centroid = apex + 0.75 * middle;
    moments.set_spread_of(result.patch, axes.x, axes.y);
    result.patch.middle = 0.25 * (middle - dot(middle, n) * n);
    return true;
}

// The part of the edge from p to q inside the faces; false: an end of it, or nothing, is inside, or what it enters and
// leaves by are not two faces at both corners.
bool through(const Vec3d& p, const Vec3d& q, const ConvexPolyhedron& body, const ReachedPart& part, double& enter,
             double& leave) {
    enter = 0, leave = 1;
    std::size_t in = 64, out = 64;
    bool missed = false;
    const Vec3d d = q - p;
    each_bit(part.faces, [&](std::size_t f) {
        const double room = body.faces()[f].offset - dot(body.faces()[f].normal, p),
                     rise = dot(body.faces()[f].normal, d);
        if (rise > 0) {
            if (room < leave * rise) leave = room / rise, out = f;
        } else if (rise < 0) {
            if (room < enter * rise) enter = room / rise, in = f;
        } else {
            missed |= room < 0;
        }
    });
    if (missed || in == 64 || out == 64 || !(enter < leave)) return false;
    const auto at_both = [&](std::size_t f) {
        bool first = false, second = false;
        for (const std::uint32_t g : body.faces_of(part.corner[0])) first |= g == f;
        for (const std::uint32_t g : body.faces_of(part.corner[1])) second |= g == f;
        return first && second;
    };
    return at_both(in) && at_both(out);
}

OverlapSums sums_of(double volume, const Vec3d& push, const Vec3d& centroid, double depth) {
    OverlapSums sums;
    sums.volume = volume, sums.moment = volume * centroid, sums.depth_sum = volume * depth / 4, sums.push = push;
    return sums;
}

// From the frame of a body.
ContactPatch patch_in_space(const ContactPatch& own, const Placed& at) {
    const auto out = [&](const Vec3d& v) { return at.size * rotate(at.orientation, v); };
    return {out(own.middle), {out(own.spread[0]), out(own.spread[1])}};
}

// A tetrahedron of two crossed edges p and q seen along the normal of both: the quadrilateral p0 q0 p1 q1. centroid: of
// the volume; all from p0.
ContactPatch patch_of_crossed(const Vec3d& p, const Vec3d& q0, const Vec3d& q1, const Vec3d& normal,
                              const Vec3d& centroid) {
    const ProjectionAxes axes = axes_along(normal);
    const auto x = [&](const Vec3d& v) { return dot(v, axes.x); };
    const auto y = [&](const Vec3d& v) { return dot(v, axes.y); };
    PolygonMoments moments;
    const double px = x(p), py = y(p), side = px * y(q1) - py * x(q1) < 0 ? -1 : 1;
    // Counter-clockwise, whichever side q lies to.
    const Vec3d &right = side > 0 ? q0 : q1, &left = side > 0 ? q1 : q0;
    moments.add(x(right), y(right), px, py), moments.add(px, py, x(left), y(left));
    ContactPatch patch;
    if (!(moments.area > 0)) return patch;
    moments.set_spread_of(patch, axes.x, axes.y);
    patch.middle =
        (moments.x / moments.area - x(centroid)) * axes.x + (moments.y / moments.area - y(centroid)) * axes.y;
    return patch;
}

}  // namespace

bool simple_overlap(const ConvexPolyhedron& a, const Placed& i, const double* heights_i, double lowest_i,
                    const ConvexPolyhedron& b, const Placed& j, const double* heights_j, double highest_j,
                    const Vec3d& n, OverlapSums& sums, ContactPatch& patch) {
    if (a.faces().size() > 64 || b.faces().size() > 64) return false;
    const ReachedPart part_i = reached_part<true>(a, heights_i, highest_j);
    const ReachedPart part_j = reached_part<false>(b, heights_j, lowest_i);
    if (part_i.n == 1 || part_j.n == 1) {
        const bool of_i = part_i.n == 1;
        const Placed& flat = of_i ? j : i;
        Pyramid found;
        if (!find_pyramid(of_i ? a : b, of_i ? part_i.corner[0] : part_j.corner[0], FromTo(of_i ? i : j, flat),
                          of_i ? b : a, of_i ? part_j.faces : part_i.faces, found))
            return false;
        const double s = flat.size;
        const Vec3d normal = rotate(flat.orientation, found.normal);
        sums = sums_of(s * s * s * found.volume, ((of_i ? 1 : -1) * s * s * found.area) * normal,
                       (flat.centre - i.centre) + s * rotate(flat.orientation, found.centroid), s * found.depth);
        patch = patch_in_space(found.patch, flat);
        return true;
    }
    if (part_i.n != 2 || part_j.n != 2) return false;
    const FromTo to_j(i, j), to_i(j, i);
    const Vec3d a0 = to_j(a.corners()[part_i.corner[0]]), a1 = to_j(a.corners()[part_i.corner[1]]);
    const Vec3d b0 = b.corners()[part_j.corner[0]], b1 = b.corners()[part_j.corner[1]];
    double enter, leave, enter_j, leave_j;
    if (!through(a0, a1, b, part_j, enter, leave) || !through(to_i(b0), to_i(b1), a, part_i, enter_j, leave_j))
        return false;
    const Vec3d p0 = a0 + enter * (a1 - a0), p1 = a0 + leave * (a1 - a0);
    const Vec3d q0 = b0 + enter_j * (b1 - b0), q1 = b0 + leave_j * (b1 - b0);
    const Vec3d twice = cross(p1 - p0, q1 - q0);
    const double area = norm(twice) / 2, six = dot(twice, q0 - p0), s = j.size;
    const double volume = (six < 0 ? -six : six) / 6;
    if (!(area > 0) || !(volume > 0)) return false;
    const Vec3d push = (0.5 * s * s) * rotate(j.orientation, twice);
    const Vec3d middle = 0.25 * ((p0 + p1) + (q0 + q1));
    sums = sums_of(s * s * s * volume, dot(push, n) < 0 ? -push : push,
                   (j.centre - i.centre) + s * rotate(j.orientation, middle), s * 3 * volume / area);
    patch = patch_in_space(patch_of_crossed(p1 - p0, q0 - p0, q1 - p0, (0.5 / area) * twice, middle - p0), j);
    return true;
}

}  // namespace granary
