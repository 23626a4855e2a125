#include "walls/mesh_grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace granary {
namespace {

constexpr double edge_over_reach = 1.5;  // smaller cubes hold fewer triangles in vain, larger ones cost less memory
constexpr double most_entries = 1e7;     // beyond, cubes grow
constexpr double half_diagonal = 0.8660254037844387;  // sqrt(3)/2, of a cube of edge 1
constexpr double rounding = 1e-9;

}  // namespace

// The cubes within reach of a triangle are about those whose centre lies within rho = reach + half a diagonal of it;
// the volume of that is 2 rho A + pi/2 rho^2 P + 4/3 pi rho^3 (Steiner), A and P the area and the rim of the triangle.
void MeshGrid::choose_edge(const TriangleMesh& mesh) {
    double area = 0, rim = 0;
    for (std::uint32_t t = 0; t < mesh.size(); ++t) {
        const TriangleFrame& f = mesh.frame(t);
        area += 0.5 * norm(cross(f.ab, f.ac));
        rim += norm(f.ab) + norm(f.ac) + norm(f.ac - f.ab);
    }
    const Vec3d size = mesh.upper() - mesh.lower();
    const double longest = std::max({size.x, size.y, size.z}) + 2 * reach_;
    const auto entries = [&](double a) {
        const double rho = reach_ + half_diagonal * a;
        return (2 * rho * area + 0.5 * std::numbers::pi * rho * rho * rim +
                4.0 / 3.0 * std::numbers::pi * rho * rho * rho * mesh.size()) /
               (a * a * a);
    };
    edge_ = edge_over_reach * reach_;
    // Ever larger cubes come to hold everything, at one entry for each triangle.
    while ((entries(edge_) > most_entries && edge_ < longest) || longest / edge_ > 1e6) edge_ *= 1.5;
    inverse_edge_ = 1 / edge_;
}

MeshGrid::MeshGrid(const TriangleMesh& mesh, double reach) : reach_(reach) {
    if (!(reach > 0)) throw std::logic_error("cubes around triangles need a reach above 0");
    choose_edge(mesh);
    const Vec3d room{reach_ + edge_, reach_ + edge_, reach_ + edge_};
    origin_ = mesh.lower() - room;
    std::array<std::int64_t, 3> count{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const int k = static_cast<int>(axis);
        count[axis] = static_cast<std::int64_t>(std::ceil((at(mesh.upper(), k) + reach_ - at(origin_, k)) / edge_)) + 1;
        at(count_, k) = static_cast<double>(count[axis]);
    }

    // A block of 2^level cubes each way that is too far from the triangle is passed by as a whole.
    struct Entry {
        std::uint64_t key;
        std::uint32_t triangle;
    };
    std::vector<Entry> entries;
    const auto enter = [&](auto&& self, std::uint32_t t, std::int64_t x, std::int64_t y, std::int64_t z,
                           int level) -> void {
        if (x >= count[0] || y >= count[1] || z >= count[2]) return;
        const double blocks = static_cast<double>(std::int64_t{1} << level), half = 0.5 * blocks;
        const Vec3d centre = origin_ + edge_ * Vec3d{static_cast<double>(x) + half, static_cast<double>(y) + half,
                                                     static_cast<double>(z) + half};
        if (closest(mesh.frame(t), centre).distance > (reach_ + half_diagonal * blocks * edge_) * (1 + rounding))
            return;
        if (level == 0) {
            const auto key = (static_cast<std::uint64_t>(z) << digit_bits | static_cast<std::uint64_t>(y))
                                 << digit_bits |
                             static_cast<std::uint64_t>(x);
            entries.push_back({key, t});
            return;
        }
        const std::int64_t step = std::int64_t{1} << (level - 1);
        for (int part = 0; part < 8; ++part)
            self(self, t, x + (part & 1) * step, y + (part >> 1 & 1) * step, z + (part >> 2) * step, level - 1);
    };
    for (std::uint32_t t = 0; t < mesh.size(); ++t) {
        const TriangleFrame& f = mesh.frame(t);
        std::array<std::int64_t, 3> first{};
        std::int64_t longest = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const int k = static_cast<int>(axis);
            const double a = at(f.a, k), b = a + at(f.ab, k), c = a + at(f.ac, k);
            const double from = std::min({a, b, c}) - reach_, to = std::max({a, b, c}) + reach_;
            first[axis] =
                std::max<std::int64_t>(0, static_cast<std::int64_t>((from - at(origin_, k)) * inverse_edge_) - 1);
            longest =
                std::max(longest, static_cast<std::int64_t>((to - at(origin_, k)) * inverse_edge_) + 2 - first[axis]);
        }
        enter(enter, t, first[0], first[1], first[2],
              static_cast<int>(std::bit_width(static_cast<std::uint64_t>(longest - 1))));
    }

    // Cubes into the table, then their triangles one cube after the other; those of a cube stay ascending.
    std::vector<std::uint64_t> keys(entries.size());
    std::transform(entries.begin(), entries.end(), keys.begin(), [](const Entry& e) { return e.key; });
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    const std::size_t size = std::bit_ceil(2 * keys.size() + 2);
    table_.assign(size, Cell{});
    shift_ = 64 - std::countr_zero(size);
    for (const std::uint64_t key : keys) table_[slot(key)].key = key;
    for (const Entry& e : entries) ++table_[slot(e.key)].end;
    std::uint32_t next = 0;
    for (const std::uint64_t key : keys) {
        Cell& cell = table_[slot(key)];
        const std::uint32_t n = cell.end;
        cell.begin = cell.end = next;
        next += n;
    }
    triangles_.resize(entries.size());
    for (const Entry& e : entries) triangles_[table_[slot(e.key)].end++] = e.triangle;
}

std::uint64_t MeshGrid::bytes() const {
    return table_.capacity() * sizeof(Cell) + triangles_.capacity() * sizeof(std::uint32_t);
}

}  // namespace granary
