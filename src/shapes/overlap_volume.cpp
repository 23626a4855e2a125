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
constexpr std::size_t most_cell = 64;
static_assert(2 * ConvexPolyhedron::most_corners_of_a_face + 4 <= most_cell);

// A corner of a cell: x, y, z of f, h.
using CellCorner = Real4;

struct Cell {
    std::size_t n = 0;
    std::uint64_t of_f = 0;  // bit k: the side that starts at corner k is one of f
    std::array<CellCorner, most_cell> corner;
};

// A face as it is projected: counter-clockwise, z = level + slope_x x + slope_y y.
struct Sheet {
    double slope_x, slope_y, level;
    double sign;               // of the normal along n
    double x0, x1, y0, y1;     // box
    std::uint32_t begin, end;  // of its sides
};

// Sides of a convex polygon, four at a time: a point is inside where p + q y - r x >= 0.
struct FourSides {
    Real4 p, q, r;
};

struct Scratch {
    std::array<Sheet, ConvexPolyhedron::most_faces> sheets;
    std::array<FourSides, 4 * ConvexPolyhedron::most_corners> sides;
    Cell cells[2];
};
thread_local Scratch scratch;

// What remains of a convex polygon where the distance is not negative, inside = its bits; the side that the cut makes
// is not of f. Returns in or out. A second part that rounding may leave is dropped: it has no area.
Cell* clip(Cell* in, Cell* out, const double* distance, std::uint64_t inside) {
    const std::size_t n = in->n;
    const std::uint64_t full = ~std::uint64_t{0} >> (64 - n);
    if (inside == full) return in;
    if (inside == 0) {
        in->n = 0;
        return in;
    }
    const std::uint64_t after_inside = ((inside << 1) | (inside >> (n - 1))) & full;
    const auto first = static_cast<std::size_t>(std::countr_zero(inside & ~after_inside));
    const auto from_first = [&](std::uint64_t bits) {
        return first == 0 ? bits : ((bits >> first) | (bits << (n - first))) & full;
    };
    const auto length = static_cast<std::size_t>(std::countr_one(from_first(inside)));
    const std::size_t before = first == 0 ? n - 1 : first - 1;
    const auto cut = [&](std::size_t k, std::size_t l) {  // from inside to outside
        const double t = distance[k] / (distance[k] - distance[l]);
        return in->corner[k] + broadcast4(t) * (in->corner[l] - in->corner[k]);
    };
    out->corner[0] = cut(first, before);
    std::size_t k = first, last = first;
    for (std::size_t m = 1; m <= length; ++m) {
        out->corner[m] = in->corner[k];
        last = k;
        k = k + 1 == n ? 0 : k + 1;
    }
    out->corner[length + 1] = cut(last, k);
    out->n = length + 2;
    out->of_f = ((in->of_f >> before) & 1) | ((from_first(in->of_f) & ((std::uint64_t{1} << length) - 1)) << 1);
    return out;
}

template <class Distance> [[gnu::always_inline]] inline Cell* clip_by(Cell* in, Cell* out, Distance&& distance_of) {
    double distance[most_cell];
    std::uint64_t inside = 0;
    for (std::size_t k = 0; k < in->n; ++k) {
        distance[k] = distance_of(in->corner[k]);
        inside |= std::uint64_t{distance[k] >= 0} << k;
    }
    return clip(in, out, distance, inside);
}

Cell* clip_depth(Cell* in, Cell* out) {
    return clip_by(in, out, [](const CellCorner& c) { return c[3]; });
}

// Behind the last side come some that have all points inside.
void set_sides(const Real4* corner, std::size_t n, FourSides* sides) {
    for (std::size_t k = 0; k < (n + 3) / 4 * 4; ++k) {
        FourSides& s = sides[k / 4];
        if (k >= n) {
            s.p[k % 4] = 1, s.q[k % 4] = 0, s.r[k % 4] = 0;
            continue;
        }
        const Real4 &a = corner[k], &b = corner[k + 1 < n ? k + 1 : 0];
        const double ex = b[0] - a[0], ey = b[1] - a[1];
        s.q[k % 4] = ex, s.r[k % 4] = ey, s.p[k % 4] = ey * a[0] - ex * a[1];
    }
}

// What of the cell lies inside all sides; null: nothing.
Cell* clip_sides(Cell* now, Cell* other, const FourSides* sides, const FourSides* end) {
    for (; sides != end; ++sides) {
        Real4 least = broadcast4(1), most = broadcast4(-1);
        for (std::size_t k = 0; k < now->n; ++k) {
            const CellCorner& c = now->corner[k];
            const Real4 d = sides->p + (sides->q * broadcast4(c[1]) - sides->r * broadcast4(c[0]));
            least = smaller(least, d), most = larger(most, d);
        }
        if (any(most <= broadcast4(0))) return nullptr;
        for (int bits = lane_bits(least < broadcast4(0)); bits != 0; bits &= bits - 1) {
            const int l = std::countr_zero(static_cast<unsigned>(bits));
            const double p = sides->p[l], q = sides->q[l], r = sides->r[l];
            Cell* result = clip_by(now, other, [=](const CellCorner& c) { return p + (q * c[1] - r * c[0]); });
            if (result == other) std::swap(now, other);
            if (now->n < 3) return nullptr;
        }
    }
    return now;
}

// Integrals over a cell by the triangles of a fan: for linear u, w over a triangle of twice the area d
// int u = d/6 sum u, int u w = d/24 (sum u sum w + sum u w).
template <bool with_sides>
void add_cell(const Cell& cell, double slope_x, double slope_y, double sign, OverlapSums& sums) {
    if (cell.n < 3) return;
    const CellCorner a = cell.corner[0];
    double area2 = 0, volume6 = 0, squares = 0;
    Real4 moment{};  // x h, y h, (z + h/2) h: the last from z h
    Real4 area_moment{}, x_moment{}, y_moment{};
    CellCorner b = cell.corner[1];
    for (std::size_t k = 2; k < cell.n; ++k) {
        const CellCorner c = cell.corner[k];
        const Real4 ab = b - a, ac = c - a;
        const double d = ab[0] * ac[1] - ab[1] * ac[0];
        const Real4 sum = a + b + c;
        const double h = sum[3];
        area2 += d;
        volume6 += d * h;
        moment +=
            broadcast4(d) * (broadcast4(h) * sum + broadcast4(a[3]) * a + broadcast4(b[3]) * b + broadcast4(c[3]) * c);
        area_moment += broadcast4(d) * sum;
        x_moment += broadcast4(d) *
                    (broadcast4(sum[0]) * sum + broadcast4(a[0]) * a + broadcast4(b[0]) * b + broadcast4(c[0]) * c);
        y_moment += broadcast4(d) *
                    (broadcast4(sum[1]) * sum + broadcast4(a[1]) * a + broadcast4(b[1]) * b + broadcast4(c[1]) * c);
        b = c;
    }
    squares = moment[3];  // of h h
    sums.volume += sign * volume6 / 6;
    sums.moment.x += sign * moment[0] / 24;
    sums.moment.y += sign * moment[1] / 24;
    sums.moment.z += sign * (moment[2] + 0.5 * squares) / 24;
    sums.depth_sum += sign * squares / 48;
    sums.push.z += sign * area2 / 2;
    sums.area_moment[0] += sign * area_moment[0] / 6, sums.area_moment[1] += sign * area_moment[1] / 6;
    sums.area_squares[0] += sign * x_moment[0] / 24, sums.area_squares[1] += sign * x_moment[1] / 24;
    sums.area_squares[2] += sign * y_moment[1] / 24;
    if constexpr (with_sides) {
        double px = 0, py = 0;
        for (std::uint64_t bits = cell.of_f; bits != 0; bits &= bits - 1) {
            const auto k = static_cast<std::size_t>(std::countr_zero(bits));
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

// A face counter-clockwise into a cell; false: along n.
bool load_cell(const ProjectedBody& b, const CellCorner* at, std::size_t f, Sheet& sheet, Cell& cell) {
    const ConvexPolyhedron& body = *b.body;
    const auto& face = body.faces()[f];
    // The axes are times the size, and so are the components of the unit normal along them.
    const double nz = dot(face.normal, b.n), size2 = dot(b.n, b.n);
    if (nz * nz < least_slope * least_slope * size2) return false;
    const double turn = -1 / nz;
    sheet.slope_x = turn * dot(face.normal, b.x), sheet.slope_y = turn * dot(face.normal, b.y);
    sheet.sign = nz > 0 ? 1 : -1;
    const auto ring = body.corners_of(f);
    const std::size_t n = ring.size();
    const bool up = nz > 0;
    for (std::size_t k = 0; k < n; ++k) cell.corner[k] = at[ring[up ? k : n - 1 - k]];
    sheet.level = cell.corner[0][2] - (sheet.slope_x * cell.corner[0][0] + sheet.slope_y * cell.corner[0][1]);
    cell.n = n;
    cell.of_f = ~std::uint64_t{0} >> (64 - n);
    return true;
}

void set_box(const Real4* corner, std::size_t n, Sheet& s) {
    Real4 low = corner[0], high = corner[0];
    for (std::size_t k = 1; k < n; ++k) low = smaller(low, corner[k]), high = larger(high, corner[k]);
    s.x0 = low[0], s.x1 = high[0], s.y0 = low[1], s.y1 = high[1];
}

using Loose4 = double __attribute__((vector_size(32), aligned(8)));

// Corners along the axes of the projection, h = 0. Whole vectors are stored and loaded: a load that spans two narrower
// stores waits for both.
void lay_flat(const ProjectedBody& b, const double* heights, CellCorner* corners) {
    const double *cx = b.body->x(), *cy = b.body->y(), *cz = b.body->z();
    for (std::size_t k = 0; k < b.body->padded(); k += 4) {
        const auto load = [&](const double* p) { return Real4(*reinterpret_cast<const Loose4*>(p + k)); };
        const auto along = [&](const Vec3d& axis, double origin) {
            return broadcast4(origin) +
                   (broadcast4(axis.x) * load(cx) + broadcast4(axis.y) * load(cy) + broadcast4(axis.z) * load(cz));
        };
        Real4 x = along(b.x, b.origin.x), y = along(b.y, b.origin.y), z = load(heights), h{};
        transpose(x, y, z, h);
        corners[k] = x, corners[k + 1] = y, corners[k + 2] = z, corners[k + 3] = h;
    }
}

CellCorner with_depth(const CellCorner& c, double h) { return where(Mask4{0, 0, 0, -1}, broadcast4(h), c); }

template <bool least> double extreme(const ProjectedBody& b, double* heights) {
    const double *x = b.body->x(), *y = b.body->y(), *z = b.body->z();
    const std::size_t n = b.body->padded();
    const Real4 nx = broadcast4(b.n.x), ny = broadcast4(b.n.y), nz = broadcast4(b.n.z), o = broadcast4(b.origin.z);
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
    std::array<CellCorner, ConvexPolyhedron::most_corners> flat_i, flat_j;
    lay_flat(i, heights_i, flat_i.data()), lay_flat(j, heights_j, flat_j.data());
    std::uint32_t n_sheets = 0, n_sides = 0;
    each_face(words_j.data(), n_j, [&](std::size_t g) {
        Sheet& sheet = s.sheets[n_sheets];
        if (!load_cell(j, flat_j.data(), g, sheet, s.cells[0])) return;
        sheet.begin = n_sides;
        n_sides += static_cast<std::uint32_t>((s.cells[0].n + 3) / 4);
        sheet.end = n_sides;
        set_sides(s.cells[0].corner.data(), s.cells[0].n, &s.sides[sheet.begin]);
        set_box(s.cells[0].corner.data(), s.cells[0].n, sheet);
        ++n_sheets;
    });
    Cell whole;
    each_face(words_i.data(), n_i, [&](std::size_t f) {
        Sheet face;
        if (!load_cell(i, flat_i.data(), f, face, s.cells[0])) return;
        const Cell* cut = clip_by(&s.cells[0], &whole, [&](const CellCorner& c) { return highest_j - c[2]; });
        if (cut->n < 3) return;
        if (cut != &whole) {
            whole.n = cut->n, whole.of_f = cut->of_f;
            for (std::size_t k = 0; k < whole.n; ++k) whole.corner[k] = cut->corner[k];
        }
        set_box(whole.corner.data(), whole.n, face);
        for (std::uint32_t t = 0; t < n_sheets; ++t) {
            const Sheet& g = s.sheets[t];
            if (g.x0 >= face.x1 || g.x1 <= face.x0 || g.y0 >= face.y1 || g.y1 <= face.y0) continue;
            Cell *now = &s.cells[0], *other = &s.cells[1];
            bool above = false;
            for (std::size_t k = 0; k < whole.n; ++k) {
                const CellCorner& c = whole.corner[k];
                const double h = (g.level + (g.slope_x * c[0] + g.slope_y * c[1])) - c[2];
                above |= h > 0;
                now->corner[k] = with_depth(c, h);
            }
            if (!above) continue;
            now->n = whole.n, now->of_f = whole.of_f;
            if (clip_depth(now, other) == other) std::swap(now, other);
            if (const Cell* cell = clip_sides(now, other, s.sides.data() + g.begin, s.sides.data() + g.end))
                add_cell<true>(*cell, face.slope_x, face.slope_y, -face.sign * g.sign, sums);
        }
    });
    return sums;
}

OverlapSums overlap_with_polygon(const ProjectedBody& i, const double* heights_i, double level,
                                 std::span<const Vec3d> corners, std::vector<Vec3d>* cells) {
    OverlapSums sums;
    Scratch& s = scratch;
    std::array<std::uint64_t, most_face_words> words;
    const std::size_t n = (i.body->faces().size() + 63) / 64;
    mark_faces<true>(*i.body, heights_i, level, words.data(), n);
    std::array<CellCorner, ConvexPolyhedron::most_corners> flat;
    lay_flat(i, heights_i, flat.data());
    std::array<FourSides, most_cell / 4> sides;
    for (std::size_t k = 0; k < corners.size(); ++k)
        s.cells[0].corner[k] = CellCorner{corners[k].x, corners[k].y, 0, 0};
    set_sides(s.cells[0].corner.data(), corners.size(), sides.data());
    each_face(words.data(), n, [&](std::size_t f) {
        Sheet face;
        Cell *now = &s.cells[0], *other = &s.cells[1];
        if (!load_cell(i, flat.data(), f, face, *now)) return;
        for (std::size_t k = 0; k < now->n; ++k) now->corner[k] = with_depth(now->corner[k], level - now->corner[k][2]);
        if (clip_depth(now, other) == other) std::swap(now, other);
        if (now->n < 3) return;
        const Cell* cell = clip_sides(now, other, sides.data(), sides.data() + (corners.size() + 3) / 4);
        if (!cell) return;
        add_cell<false>(*cell, 0, 0, -face.sign, sums);
        if (!cells) return;
        for (std::size_t k = 0; k < cell->n; ++k)
            cells->push_back({cell->corner[k][0], cell->corner[k][1], cell->corner[k][3]});
    });
    return sums;
}

OverlapSums overlap_with_plane(const ProjectedBody& i, const double* heights_i, double level) {
    return overlap_with_polygon(i, heights_i, level, {});
}

}  // namespace granary
