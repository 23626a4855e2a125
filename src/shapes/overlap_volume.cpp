#include "shapes/overlap_volume.hpp"
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include "core/simd.hpp"

namespace granary {
namespace {

constexpr double least_slope = 1e-5;  // |n . n_f| of faces that count
constexpr std::size_t most_face_words = ConvexPolyhedron::most_faces / 64;
constexpr int most_cell = 3 * static_cast<int>(ConvexPolyhedron::most_corners_of_a_face);

// A corner of a cell: x, y, z of f, h.
using CellCorner = Real4;

struct Cell {
    int n = 0;
    std::array<CellCorner, most_cell> corner;
    std::array<bool, most_cell> of_f;  // the side that starts here is one of f
};

// A face as it is projected, counter-clockwise, cut off where the partner cannot reach.
struct Sheet {
    double slope_x, slope_y, level;  // z = level + slope_x x + slope_y y
    double sign;
    double x0, x1, y0, y1;  // box
    std::uint32_t begin, end;
};

struct Scratch {
    std::array<Sheet, ConvexPolyhedron::most_faces> sheets;
    std::array<CellCorner, 8 * ConvexPolyhedron::most_corners> corners;
    Cell cells[2];
};
thread_local Scratch scratch;

// What remains of the polygon where distance >= 0; the sides that the cut makes are not of f. Returns in or out.
Cell* clip(Cell* in, Cell* out, const double* distance) {
    const int n = in->n;
    bool all = true, none = true;
    for (int k = 0; k < n; ++k) all &= distance[k] >= 0, none &= distance[k] <= 0;
    if (all) return in;
    if (none) {
        in->n = 0;
        return in;
    }
    int m = 0;
    for (int k = 0; k < n; ++k) {
        const int l = k + 1 < n ? k + 1 : 0;
        const double a = distance[k], b = distance[l];
        if (a >= 0) out->corner[m] = in->corner[k], out->of_f[m] = in->of_f[k], ++m;
        if ((a > 0 && b < 0) || (a < 0 && b > 0)) {
            const double t = a / (a - b);
            out->corner[m] = in->corner[k] + broadcast4(t) * (in->corner[l] - in->corner[k]);
            out->of_f[m] = a < 0 && in->of_f[k];
            ++m;
        } else if (a == 0 && b < 0) {
            out->of_f[m - 1] = false;
        }
    }
    out->n = m;
    return out;
}

Cell* clip_depth(Cell* in, Cell* out) {
    double distance[most_cell];
    for (int k = 0; k < in->n; ++k) distance[k] = in->corner[k][3];
    return clip(in, out, distance);
}

// Left of the line from a to b.
Cell* clip_side(Cell* in, Cell* out, double ax, double ay, double bx, double by) {
    double distance[most_cell];
    const double ex = bx - ax, ey = by - ay;
    for (int k = 0; k < in->n; ++k) distance[k] = ex * (in->corner[k][1] - ay) - ey * (in->corner[k][0] - ax);
    return clip(in, out, distance);
}

// Integrals over a cell by the triangles of a fan: for linear u, w over a triangle of twice the area d
// int u = d/6 sum u, int u w = d/24 (sum u sum w + sum u w).
template <bool with_sides>
void add_cell(const Cell& cell, double slope_x, double slope_y, double sign, OverlapSums& sums) {
    if (cell.n < 3) return;
    const CellCorner a = cell.corner[0];
    double area2 = 0, volume6 = 0, squares = 0;
    Real4 moment{};  // x h, y h, (z + h/2) h: the last from z h
    CellCorner b = cell.corner[1];
    for (int k = 2; k < cell.n; ++k) {
        const CellCorner c = cell.corner[k];
        const Real4 ab = b - a, ac = c - a;
        const double d = ab[0] * ac[1] - ab[1] * ac[0];
        const Real4 sum = a + b + c;
        const double h = sum[3];
        area2 += d;
        volume6 += d * h;
        moment +=
            broadcast4(d) * (broadcast4(h) * sum + broadcast4(a[3]) * a + broadcast4(b[3]) * b + broadcast4(c[3]) * c);
        b = c;
    }
    squares = moment[3];  // of h h
    sums.volume += sign * volume6 / 6;
    sums.moment.x += sign * moment[0] / 24;
    sums.moment.y += sign * moment[1] / 24;
    sums.moment.z += sign * (moment[2] + 0.5 * squares) / 24;
    sums.depth_sum += sign * squares / 48;
    sums.push.z += sign * area2 / 2;
    if constexpr (with_sides) {
        double px = 0, py = 0;
        for (int k = 0; k < cell.n; ++k) {
            if (!cell.of_f[k]) continue;
            const CellCorner &p = cell.corner[k], &q = cell.corner[k + 1 < cell.n ? k + 1 : 0];
            const double h = p[3] + q[3];
            px += h * (q[1] - p[1]);
            py -= h * (q[0] - p[0]);
        }
        sums.push.x -= sign * 0.5 * (area2 * slope_x + px);
        sums.push.y -= sign * 0.5 * (area2 * slope_y + py);
    }
}

// Faces that have a corner below (or above) a height.
template <bool below> void mark_faces(const ConvexPolyhedron& body, const double* heights, double limit,
                                      std::uint64_t* words, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) words[k] = 0;
    for (std::size_t c = 0; c < body.corners().size(); ++c)
        if (below ? heights[c] < limit : heights[c] > limit)
            for (const std::uint32_t f : body.faces_of(c)) words[f / 64] |= std::uint64_t{1} << (f % 64);
}

template <class Visit> void each_face(const std::uint64_t* words, std::size_t n, Visit&& visit) {
    for (std::size_t k = 0; k < n; ++k)
        for (std::uint64_t w = words[k]; w != 0; w &= w - 1)
            visit(64 * k + static_cast<std::size_t>(std::countr_zero(w)));
}

// A face of a body, counter-clockwise as it is projected, into a cell; false: along n.
bool load_face(const ProjectedBody& b, const double* heights, std::size_t f, Cell& cell, Sheet& sheet) {
    const ConvexPolyhedron& body = *b.body;
    const auto& face = body.faces()[f];
    // The axes are times the size; the normal is unit, so its components along them are times the size, too.
    const double nz = dot(face.normal, b.n), size2 = dot(b.n, b.n);
    if (nz * nz < least_slope * least_slope * size2) return false;
    const auto ring = body.corners_of(f);
    const int n = static_cast<int>(ring.size());
    const double turn = -1 / nz;
    sheet.slope_x = turn * dot(face.normal, b.x), sheet.slope_y = turn * dot(face.normal, b.y);
    const bool up = nz > 0;
    double mean = 0;
    for (int k = 0; k < n; ++k) {
        const std::uint32_t c = ring[static_cast<std::size_t>(up ? k : n - 1 - k)];
        const Vec3d& x = body.corners()[c];
        const double px = b.origin.x + dot(b.x, x), py = b.origin.y + dot(b.y, x);
        cell.corner[static_cast<std::size_t>(k)] = CellCorner{px, py, heights[c], 0};
        cell.of_f[static_cast<std::size_t>(k)] = true;
        mean += heights[c] - (sheet.slope_x * px + sheet.slope_y * py);
    }
    cell.n = n;
    sheet.level = mean / n;
    sheet.sign = up ? 1 : -1;
    return true;
}

void set_box(const Cell& cell, Sheet& s) {
    s.x0 = s.x1 = cell.corner[0][0], s.y0 = s.y1 = cell.corner[0][1];
    for (int k = 1; k < cell.n; ++k) {
        const double x = cell.corner[static_cast<std::size_t>(k)][0], y = cell.corner[static_cast<std::size_t>(k)][1];
        s.x0 = smaller(s.x0, x), s.x1 = larger(s.x1, x), s.y0 = smaller(s.y0, y), s.y1 = larger(s.y1, y);
    }
}

// Only what lies below (or above) a height.
template <bool below> Cell* cut_at(Cell* in, Cell* out, double limit) {
    double distance[most_cell];
    for (int k = 0; k < in->n; ++k) {
        const double z = in->corner[static_cast<std::size_t>(k)][2];
        distance[k] = below ? limit - z : z - limit;
    }
    return clip(in, out, distance);
}

template <bool least> double extreme(const ProjectedBody& b, double* heights) {
    const double *x = b.body->x(), *y = b.body->y(), *z = b.body->z();
    const std::size_t n = b.body->padded();
    const Real4 nx = broadcast4(b.n.x), ny = broadcast4(b.n.y), nz = broadcast4(b.n.z), o = broadcast4(b.origin.z);
    using Loose4 = double __attribute__((vector_size(32), aligned(8)));
    Real4 best{};
    for (std::size_t k = 0; k < n; k += 4) {
        const auto load = [&](const double* p) { return Real4(*reinterpret_cast<const Loose4*>(p + k)); };
        const Real4 h = o + (nx * load(x) + ny * load(y) + nz * load(z));
        *reinterpret_cast<Loose4*>(heights + k) = h;
        best = k == 0 ? h : least ? smaller(best, h) : larger(best, h);
    }
    if constexpr (least) return smaller(smaller(best[0], best[1]), smaller(best[2], best[3]));
    else return larger(larger(best[0], best[1]), larger(best[2], best[3]));
}

}  // namespace

// Duff et al. (2017), Building an orthonormal basis, revisited, J. Comput. Graph. Tech. 6(1).
ProjectionAxes axes_along(const Vec3d& n) {
    const double sign = n.z >= 0 ? 1.0 : -1.0;
    const double a = -1 / (sign + n.z), b = n.x * n.y * a;
    return {{1 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}, n};
}

ProjectedBody project(const ConvexPolyhedron& body, const Placed& at, const Vec3d& centre, const ProjectionAxes& axes) {
    return {&body, at.size * rotate_back(at.orientation, axes.x), at.size * rotate_back(at.orientation, axes.y),
            at.size * rotate_back(at.orientation, axes.n),
            Vec3d{dot(centre, axes.x), dot(centre, axes.y), dot(centre, axes.n)}};
}

double lowest(const ProjectedBody& body, double* heights) { return extreme<true>(body, heights); }
double highest(const ProjectedBody& body, double* heights) { return extreme<false>(body, heights); }

OverlapSums overlap_of(const ProjectedBody& i, const double* heights_i, double lowest_i, const ProjectedBody& j,
                       const double* heights_j, double highest_j) {
    OverlapSums sums;
    Scratch& s = scratch;
    std::array<std::uint64_t, most_face_words> words_i, words_j;
    const std::size_t n_i = (i.body->faces().size() + 63) / 64, n_j = (j.body->faces().size() + 63) / 64;
    mark_faces<true>(*i.body, heights_i, highest_j, words_i.data(), n_i);
    mark_faces<false>(*j.body, heights_j, lowest_i, words_j.data(), n_j);
    std::uint32_t n_sheets = 0, n_corners = 0;
    each_face(words_j.data(), n_j, [&](std::size_t g) {
        Sheet& sheet = s.sheets[n_sheets];
        if (!load_face(j, heights_j, g, s.cells[0], sheet)) return;
        const Cell* cell = cut_at<false>(&s.cells[0], &s.cells[1], lowest_i);
        if (cell->n < 3) return;
        set_box(*cell, sheet);
        sheet.begin = n_corners;
        for (int k = 0; k < cell->n; ++k) s.corners[n_corners++] = cell->corner[static_cast<std::size_t>(k)];
        sheet.end = n_corners;
        ++n_sheets;
    });
    std::array<CellCorner, most_cell> polygon;
    std::array<bool, most_cell> of_f;
    each_face(words_i.data(), n_i, [&](std::size_t f) {
        Sheet face;
        if (!load_face(i, heights_i, f, s.cells[0], face)) return;
        const Cell* whole = cut_at<true>(&s.cells[0], &s.cells[1], highest_j);
        if (whole->n < 3) return;
        set_box(*whole, face);
        const int n = whole->n;
        for (int k = 0; k < n; ++k)
            polygon[static_cast<std::size_t>(k)] = whole->corner[static_cast<std::size_t>(k)],
            of_f[static_cast<std::size_t>(k)] = whole->of_f[static_cast<std::size_t>(k)];
        for (std::uint32_t t = 0; t < n_sheets; ++t) {
            const Sheet& g = s.sheets[t];
            if (g.x0 >= face.x1 || g.x1 <= face.x0 || g.y0 >= face.y1 || g.y1 <= face.y0) continue;
            Cell *now = &s.cells[0], *other = &s.cells[1];
            bool above = false;
            for (int k = 0; k < n; ++k) {
                CellCorner c = polygon[static_cast<std::size_t>(k)];
                c[3] = (g.level + (g.slope_x * c[0] + g.slope_y * c[1])) - c[2];
                above |= c[3] > 0;
                now->corner[static_cast<std::size_t>(k)] = c;
                now->of_f[static_cast<std::size_t>(k)] = of_f[static_cast<std::size_t>(k)];
            }
            if (!above) continue;
            now->n = n;
            const auto keep = [&](Cell* result) {
                if (result == other) std::swap(now, other);
            };
            keep(clip_depth(now, other));
            for (std::uint32_t k = g.begin; k < g.end && now->n >= 3; ++k) {
                const CellCorner &p = s.corners[k], &q = s.corners[k + 1 < g.end ? k + 1 : g.begin];
                keep(clip_side(now, other, p[0], p[1], q[0], q[1]));
            }
            add_cell<true>(*now, face.slope_x, face.slope_y, -face.sign * g.sign, sums);
        }
    });
    return sums;
}

OverlapSums overlap_with_polygon(const ProjectedBody& i, const double* heights_i, double level,
                                 std::span<const Vec3d> corners) {
    OverlapSums sums;
    Scratch& s = scratch;
    std::array<std::uint64_t, most_face_words> words;
    const std::size_t n = (i.body->faces().size() + 63) / 64;
    mark_faces<true>(*i.body, heights_i, level, words.data(), n);
    each_face(words.data(), n, [&](std::size_t f) {
        Sheet face;
        Cell *now = &s.cells[0], *other = &s.cells[1];
        if (!load_face(i, heights_i, f, *now, face)) return;
        for (int k = 0; k < now->n; ++k) {
            CellCorner& c = now->corner[static_cast<std::size_t>(k)];
            c[3] = level - c[2];
        }
        const auto keep = [&](Cell* result) {
            if (result == other) std::swap(now, other);
        };
        keep(clip_depth(now, other));
        for (std::size_t k = 0; k < corners.size() && now->n >= 3; ++k) {
            const Vec3d &p = corners[k], &q = corners[k + 1 < corners.size() ? k + 1 : 0];
            keep(clip_side(now, other, p.x, p.y, q.x, q.y));
        }
        add_cell<false>(*now, 0, 0, -face.sign, sums);
    });
    return sums;
}

OverlapSums overlap_with_plane(const ProjectedBody& i, const double* heights_i, double level) {
    return overlap_with_polygon(i, heights_i, level, {});
}

}  // namespace granary
