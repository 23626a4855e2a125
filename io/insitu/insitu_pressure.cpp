// Pressure on walls as a picture shows it. With x_k the place of contact k, n_k the normal of the wall there and F_k
// the force on the ball,
//   p(x) = sum over k of (F_k . n_k) W(|x - x_k|),   W(r) = 5 / (pi c^2) (1 + 3 r/c) (1 - r/c)^3 for r < c,
// L. B. Lucy's function (1977) in the plane, so that the integral of p over a wall is the force on it, but for what
// reaches beyond its rim.
#include <mpi.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <unordered_map>
#include "io/insitu/insitu_scene.hpp"
#include "io/frames/wall_mesh.hpp"

namespace granary {
namespace {

constexpr double width_in_radii = 6;
constexpr double most_triangles = 40'000;  // what is finer than that is not seen

struct Triangle {
    std::array<Vec3d, 3> corner;
    std::uint32_t wall;
};

double area(const Triangle& t) { return 0.5 * norm(cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0])); }

std::vector<Triangle> triangles_of(const WallMesh& mesh) {
    std::vector<Triangle> all;
    std::size_t begin = 0;
    for (std::size_t c = 0; c < mesh.ends.size(); begin = mesh.ends[c++])
        for (std::size_t k = begin + 1; k + 1 < mesh.ends[c]; ++k)
            all.push_back({{mesh.points[mesh.connectivity[begin]], mesh.points[mesh.connectivity[k]],
                            mesh.points[mesh.connectivity[k + 1]]},
                           mesh.wall[c]});
    return all;
}

// Cut across their longest edges until none is longer.
std::vector<Triangle> refined(std::vector<Triangle> rough, double longest) {
    std::vector<Triangle> fine;
    while (!rough.empty()) {
        const Triangle t = rough.back();
        rough.pop_back();
        std::size_t edge = 0;
        double length = 0;
        for (std::size_t k = 0; k < 3; ++k)
            if (const double l = norm(t.corner[(k + 1) % 3] - t.corner[k]); l > length) length = l, edge = k;
        if (length <= longest) {
            fine.push_back(t);
            continue;
        }
        const Vec3d &a = t.corner[edge], &b = t.corner[(edge + 1) % 3], &c = t.corner[(edge + 2) % 3];
        const Vec3d middle = 0.5 * (a + b);
        rough.push_back({{a, middle, c}, t.wall});
        rough.push_back({{middle, b, c}, t.wall});
    }
    return fine;
}

// Contacts by the cube, as large as the function is wide, that they lie in.
class Pushes {
  public:
    Pushes(std::span<const WallSample> samples, double width) : width_(width) {
        for (const WallSample& s : samples) cubes_[key(s.wall, place(s.point, {}))].push_back(&s);
    }
    double pressure(std::uint32_t wall, const Vec3d& x) const {
        double sum = 0;
        for (int k = 0; k < 27; ++k) {
            const auto there = cubes_.find(key(wall, place(x, {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1})));
            if (there == cubes_.end()) continue;
            for (const WallSample* s : there->second) {
                if (s->wall != wall) continue;
                const double q = norm(x - s->point) / width_;
                if (q < 1) sum += dot(s->force, s->normal) * (1 + 3 * q) * (1 - q) * (1 - q) * (1 - q);
            }
        }
        return sum * 5 / (std::numbers::pi * width_ * width_);
    }

  private:
    std::array<std::int64_t, 3> place(const Vec3d& x, const std::array<int, 3>& shift) const {
        const auto cell = [&](double c, int by) { return static_cast<std::int64_t>(std::floor(c / width_)) + by; };
        return {cell(x.x, shift[0]), cell(x.y, shift[1]), cell(x.z, shift[2])};
    }
    // Two places may share a key: the wall is asked and the distance counts.
    static std::uint64_t key(std::uint32_t wall, const std::array<std::int64_t, 3>& p) {
        std::uint64_t h = wall;
        for (const std::int64_t c : p) h = (h ^ static_cast<std::uint64_t>(c)) * 0x9e3779b97f4a7c15ull;
        return h;
    }
    double width_;
    std::unordered_map<std::uint64_t, std::vector<const WallSample*>> cubes_;
};

}  // namespace

InsituSurface insitu_walls_with_pressure(const boost::mpi::communicator& comm, const InsituScene& s) {
    std::vector<Triangle> rough = triangles_of(mesh_of(s.walls, s.domain, circle_segments, s.open));
    double whole = 0;
    for (const Triangle& t : rough) whole += area(t);
    const double width = width_in_radii * s.largest_radius;
    const double longest = std::max(width / 3, std::sqrt(4 * whole / most_triangles));
    const std::vector<Triangle> fine = refined(std::move(rough), longest);

    const Pushes pushes(s.wall_pushes, width);
    std::vector<float> mine, all;
    for (const Triangle& t : fine)
        for (const Vec3d& p : t.corner) mine.push_back(static_cast<float>(pushes.pressure(t.wall, p)));
    all.resize(mine.size());
    MPI_Reduce(mine.data(), all.data(), static_cast<int>(mine.size()), MPI_FLOAT, MPI_SUM, 0, comm);
    InsituSurface walls;
    if (comm.rank() > 0) return walls;
    for (const Triangle& t : fine) {
        for (const Vec3d& p : t.corner) {
            walls.corners.push_back(static_cast<int>(walls.points.size() / 3));
            walls.add_point(s.axes.out(p));
        }
        walls.close_cell(static_cast<int>(t.wall));
    }
    walls.values = std::move(all);
    return walls;
}

}  // namespace granary
