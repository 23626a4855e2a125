#include "walls/triangle_mesh.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>
#include "core/elementary.hpp"
#include "core/errors.hpp"

namespace granary {
namespace {

constexpr double weld_share = 1e-7;    // of the diagonal of the box: what single precision leaves of a coordinate
constexpr double needle_share = 1e-7;  // height over length below which a triangle is a line
constexpr std::uint32_t none = ~std::uint32_t{0};

// Corners by cubes of a few welding distances, so that near ones are found in the 27 cubes around.
class Welder {
  public:
    Welder(const Vec3d& origin, double tolerance) : origin_(origin), tolerance_(tolerance), edge_(4 * tolerance) {}

    // The number of a known corner at this place, or a new one.
    std::uint32_t number(const Vec3d& p, std::vector<Vec3d>& points) {
        const std::array<std::int64_t, 3> k = cube(p);
        // Corners of a file mostly repeat to the bit, so its own cube is looked at first; the others only within reach
        // of a face.
        if (const std::uint32_t known = find(k, p, points); known != none) return known;
        for (std::int64_t dz = -1; dz <= 1; ++dz)
            for (std::int64_t dy = -1; dy <= 1; ++dy)
                for (std::int64_t dx = -1; dx <= 1; ++dx) {
                    if (!near_side(p.x - origin_.x, k[0], dx) || !near_side(p.y - origin_.y, k[1], dy) ||
                        !near_side(p.z - origin_.z, k[2], dz))
                        continue;
                    const std::uint32_t known = find({k[0] + dx, k[1] + dy, k[2] + dz}, p, points);
                    if (known != none) return known;
                }
        const auto number = static_cast<std::uint32_t>(points.size());
        points.push_back(p);
        const auto [at, is_new] = first_.try_emplace(key(k), number);
        next_.push_back(is_new ? none : std::exchange(at->second, number));
        return number;
    }

    // Takes back the newest corners, down to so many: no triangle that stays has them.
    void forget_from(std::size_t n, std::vector<Vec3d>& points) {
        for (; points.size() > n; points.pop_back(), next_.pop_back()) {
            const auto at = first_.find(key(cube(points.back())));  // the newest of a cube stands first
            if (next_.back() == none) first_.erase(at);
            else at->second = next_.back();
        }
    }

  private:
    std::array<std::int64_t, 3> cube(const Vec3d& p) const {
        const auto k = [&](double x) { return static_cast<std::int64_t>(std::floor(x / edge_)); };
        return {k(p.x - origin_.x), k(p.y - origin_.y), k(p.z - origin_.z)};
    }
    bool near_side(double x, std::int64_t k, std::int64_t side) const {
        if (side == 0) return true;
        const double face = static_cast<double>(side < 0 ? k : k + 1) * edge_;
        return std::abs(x - face) <= 2 * tolerance_;
    }
    // Cubes that share a key only cost a comparison.
    static std::uint64_t key(const std::array<std::int64_t, 3>& k) {
        std::uint64_t h = 0;
        for (const std::int64_t d : k) h = (h ^ static_cast<std::uint64_t>(d)) * 0x9E3779B97F4A7C15u, h ^= h >> 29;
        return h;
    }
    std::uint32_t find(const std::array<std::int64_t, 3>& k, const Vec3d& p, const std::vector<Vec3d>& points) const {
        const auto at = first_.find(key(k));
        for (std::uint32_t n = at == first_.end() ? none : at->second; n != none; n = next_[n])
            if (norm(points[n] - p) <= tolerance_) return n;
        return none;
    }

    Vec3d origin_;
    double tolerance_, edge_;
    std::unordered_map<std::uint64_t, std::uint32_t> first_;
    std::vector<std::uint32_t> next_;
};

// Lists by key: count, then fill; entries of a key stay in the order in which they come.
template <class ForEach> void list_by(std::uint32_t n_keys, std::vector<std::uint32_t>& list,
                                      std::vector<std::uint32_t>& begin, ForEach&& for_each) {
    begin.assign(n_keys + 1, 0);
    for_each([&](std::uint32_t key, std::uint32_t) { ++begin[key + 1]; });
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
    list.resize(begin.back());
    for_each([&](std::uint32_t key, std::uint32_t value) { list[at[key]++] = value; });
}

// Neither a needle nor lower than the distance at which corners are one.
bool has_area(const Corners& t, double weld) {
    const Vec3d ab = t[1] - t[0], ac = t[2] - t[0];
    const double longest = std::max({norm(ab), norm(ac), norm(t[2] - t[1])}), area = norm(cross(ab, ac));
    return area > needle_share * longest * longest && area > weld * longest;
}

struct Box {
    static constexpr double inf = std::numeric_limits<double>::infinity();
    Vec3d lower{inf, inf, inf}, upper{-inf, -inf, -inf};
    bool empty() const { return !(lower.x <= upper.x); }
    void add(const Corners& t) {
        for (const Vec3d& p : t)
            for (int axis = 0; axis < 3; ++axis) {
                at(lower, axis) = std::min(at(lower, axis), at(p, axis));
                at(upper, axis) = std::max(at(upper, axis), at(p, axis));
            }
    }
};

struct Sets {  // that grow together
    std::vector<std::uint32_t> parent;
    explicit Sets(std::uint32_t n) : parent(n) { std::iota(parent.begin(), parent.end(), 0u); }
    std::uint32_t root(std::uint32_t a) {
        while (parent[a] != a) a = parent[a] = parent[parent[a]];
        return a;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = root(a), b = root(b);
        parent[std::max(a, b)] = std::min(a, b);
    }
};

}  // namespace

TriangleMesh::TriangleMesh(std::span<const Corners> triangles, std::uint64_t source) : source_(source) {
    report_.read = triangles.size();
    weld_corners(triangles);
    if (corners_.empty())
        throw InputError(triangles.empty() ? "there is no triangle in it"
                                           : fmt::format("none of its {} triangles has an area", triangles.size()));
    join_edges();
    find_patches();
    report_.triangles = corners_.size(), report_.corners = points_.size();
}

// Only what stays counts for the box and the welding distance: a spike without area may reach anywhere.
void TriangleMesh::weld_corners(std::span<const Corners> triangles) {
    Box given;
    std::vector<char> flat(triangles.size(), 0);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (const Vec3d& p : triangles[t])
            for (int axis = 0; axis < 3; ++axis)
                if (!std::isfinite(at(p, axis)))
                    throw InputError(fmt::format("triangle {} has a corner at ({}, {}, {})", t + 1, p.x, p.y, p.z));
        if (has_area(triangles[t], 0)) given.add(triangles[t]);
        else flat[t] = 1;
    }
    weld_ = given.empty() ? 0 : weld_share * norm(given.upper - given.lower);
    Box kept;
    Welder welder(given.lower, weld_);
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>
        known;  // triangles by the sum of their corners' numbers
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        std::array<std::uint32_t, 3> c{};
        const std::size_t n_known = points_.size();
        if (flat[t] == 0)
            for (std::size_t k = 0; k < 3; ++k) c[k] = welder.number(triangles[t][k], points_);
        if (flat[t] != 0 || !has_area({points_[c[0]], points_[c[1]], points_[c[2]]}, weld_)) {
            if (report_.degenerate++ == 0) report_.first_degenerate = t + 1;
            welder.forget_from(n_known, points_);
            continue;
        }
        const Vec3d &a = points_[c[0]], &b = points_[c[1]], &d = points_[c[2]];
        const Vec3d ab = b - a, ac = d - a, across = cross(ab, ac);
        const double area = norm(across);  // twice the area
        std::array<std::uint32_t, 3> sorted = c;
        std::sort(sorted.begin(), sorted.end());
        std::vector<std::uint32_t>& alike = known[std::uint64_t{c[0]} + c[1] + c[2]];
        const bool again = std::any_of(alike.begin(), alike.end(), [&](std::uint32_t other) {
            std::array<std::uint32_t, 3> o = corners_[other];
            std::sort(o.begin(), o.end());
            return o == sorted;
        });
        if (again) {
            if (report_.duplicate++ == 0) report_.first_duplicate = t + 1;
            continue;
        }
        alike.push_back(static_cast<std::uint32_t>(corners_.size()));
        corners_.push_back(c);
        frames_.push_back({a, ab, ac, (1.0 / area) * across});
        report_.area += 0.5 * area;
        kept.add(triangles[t]);
    }
    report_.lower = kept.lower, report_.upper = kept.upper;
}

void TriangleMesh::join_edges() {
    struct Side {
        std::uint32_t low, high, triangle, side;
        bool upwards;  // goes from the lower to the higher corner
    };
    std::vector<Side> sides;
    sides.reserve(3 * corners_.size());
    for (std::uint32_t t = 0; t < size(); ++t)
        for (std::uint32_t k = 0; k < 3; ++k) {
            const std::uint32_t from = corners_[t][k], to = corners_[t][(k + 1) % 3];
            sides.push_back({std::min(from, to), std::max(from, to), t, k, from < to});
        }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
    });
    edges_.resize(corners_.size());
    corner_is_open_.assign(points_.size(), 0);
    edge_begin_ = {0};
    Sets parts(size());
    for (std::size_t s = 0; s < sides.size();) {
        const std::size_t first = s;
        const auto edge = static_cast<std::uint32_t>(edge_begin_.size() - 1);
        for (; s < sides.size() && sides[s].low == sides[first].low && sides[s].high == sides[first].high; ++s) {
            edges_[sides[s].triangle][sides[s].side] = edge;
            at_edge_.push_back(sides[s].triangle);
            parts.join(sides[first].triangle, sides[s].triangle);
        }
        edge_begin_.push_back(static_cast<std::uint32_t>(at_edge_.size()));
        const Vec3d middle = 0.5 * (points_[sides[first].low] + points_[sides[first].high]);
        if (s - first == 1) {
            if (report_.open_edges++ == 0) report_.open_example = middle;
            corner_is_open_[sides[first].low] = corner_is_open_[sides[first].high] = 1;
        } else if (s - first == 2) {
            report_.opposed_edges += sides[first].upwards == sides[first + 1].upwards;
        } else if (report_.crowded_edges++ == 0) {
            report_.crowded_example = middle;
        }
    }
    report_.edges = edge_begin_.size() - 1;
    for (std::uint32_t t = 0; t < size(); ++t) report_.parts += parts.root(t) == t;
    list_by(static_cast<std::uint32_t>(points_.size()), at_corner_, corner_begin_, [&](auto&& take) {
        for (std::uint32_t t = 0; t < size(); ++t)
            for (const std::uint32_t c : corners_[t]) take(c, t);
    });
}

void TriangleMesh::find_patches() {
    const double least = elementary::cos(smooth_angle * std::numbers::pi / 180);
    Sets patches(size());
    for (std::uint32_t e = 0; e + 1 < edge_begin_.size(); ++e) {
        const auto two = at_edge(e);
        if (two.size() != 2) continue;
        // The normals, turned as if both went round the same way: across the edge their third corners tell.
        const TriangleFrame &f = frames_[two[0]], &g = frames_[two[1]];
        const auto upwards = [&](std::uint32_t t) {
            for (std::size_t k = 0; k < 3; ++k)
                if (edges_[t][k] == e) return corners_[t][k] < corners_[t][(k + 1) % 3];
            return false;
        };
        const double turn = upwards(two[0]) == upwards(two[1]) ? -1.0 : 1.0;
        if (turn * dot(f.normal, g.normal) > least) patches.join(two[0], two[1]);
    }
    patch_.resize(size());
    for (std::uint32_t t = 0; t < size(); ++t) patch_[t] = patches.root(t);
}

bool TriangleMesh::on_open_rim(std::uint32_t t, Region r) const {
    if (is_edge(r)) return at_edge(edges_[t][static_cast<std::size_t>(number_of(r))]).size() == 1;
    return is_corner(r) && corner_is_open_[corners_[t][static_cast<std::size_t>(number_of(r))]] != 0;
}

std::uint32_t TriangleMesh::patch_around(std::uint32_t t, Region r) const {
    if (r == Region::face) return patch_[t];
    if (on_open_rim(t, r)) return no_patch;
    for (const std::uint32_t other : around(t, r))
        if (patch_[other] != patch_[t]) return no_patch;
    return patch_[t];
}

std::vector<std::string> remarks_on(const MeshReport& r) {
    std::vector<std::string> remarks;
    const auto many = [](std::uint64_t n, const char* one, const char* more) {
        return fmt::format("{} {}", n, n == 1 ? one : more);
    };
    if (r.degenerate > 0)
        remarks.push_back(fmt::format("{} without area, the first is number {}: left out",
                                      many(r.degenerate, "triangle is", "triangles are"), r.first_degenerate));
    if (r.duplicate > 0)
        remarks.push_back(fmt::format("{} an earlier one, the first is number {}: left out",
                                      many(r.duplicate, "triangle repeats", "triangles repeat"), r.first_duplicate));
    if (r.crowded_edges > 0)
        remarks.push_back(fmt::format(
            "more than two triangles meet at {}, one at ({:.6g}, {:.6g}, {:.6g}) m: all of them act on the "
            "balls, but a surface should be simple",
            many(r.crowded_edges, "edge", "edges"), r.crowded_example.x, r.crowded_example.y, r.crowded_example.z));
    if (r.opposed_edges > 0)
        remarks.push_back(
            fmt::format("neighbouring triangles have opposite orientation at {}: harmless, since a wall has two sides",
                        many(r.opposed_edges, "edge", "edges")));
    return remarks;
}

}  // namespace granary
