#include "io/insitu/insitu_scene.hpp"

#include <algorithm>
#include <utility>
#include "io/frames/wall_mesh.hpp"

namespace granary {

std::uint64_t InsituBalls::bytes() const {
    constexpr std::size_t floats = 3 + 1 + 3, cell = 8;  // a vertex: two 32-bit numbers
    const std::size_t n = radius.size();
    return n * (floats * sizeof(float) + sizeof(int) + cell) + id.size() * sizeof(std::int64_t) +
           (material.size() + band.size()) * sizeof(std::uint16_t);
}

InsituBalls insitu_balls(const InsituScene& s, int rank) {
    InsituBalls b;
    const Bodies& bodies = s.bodies;
    const std::size_t n = bodies.n_real();
    b.points.reserve(3 * n), b.radius.reserve(n), b.velocity.reserve(3 * n);
    b.by_pointer = bodies.real.size() <= 1;
    b.first = bodies.real.empty() ? 0 : bodies.real.front().begin;
    for (const Range& run : bodies.real)
        for (Index i = run.begin; i < run.end; ++i) {
            const Vec3d x = s.axes.out(bodies.x(i)), v = s.axes.out(synchronised_velocity(bodies, i, s.motion));
            for (const double c : {x.x, x.y, x.z}) b.points.push_back(static_cast<float>(c));
            for (const double c : {v.x, v.y, v.z}) b.velocity.push_back(static_cast<float>(c));
            b.radius.push_back(static_cast<float>(bodies.radius(i)));
            b.fastest = std::max(b.fastest, norm(v));
            b.ids = std::max(b.ids, static_cast<std::int64_t>(bodies.id(i)) + 1);
            if (bodies.has_bands() && bodies.band(i) != no_band) b.bands = std::max(b.bands, bodies.band(i) + 1);
        }
    b.rank.assign(n, rank);
    if (b.by_pointer) return b;
    b.id.reserve(n), b.material.reserve(n);
    for (const Range& run : bodies.real)
        for (Index i = run.begin; i < run.end; ++i) {
            b.id.push_back(static_cast<std::int64_t>(bodies.id(i))), b.material.push_back(bodies.material(i));
            if (bodies.has_bands()) b.band.push_back(bodies.band(i));
        }
    return b;
}

void InsituSurface::add_point(const Vec3d& p) {
    for (const double x : {p.x, p.y, p.z}) points.push_back(static_cast<float>(x));
}

void InsituSurface::close_cell(int of) { ends.push_back(static_cast<int>(corners.size())), number.push_back(of); }

InsituSurface insitu_walls(const InsituScene& s) {
    InsituSurface w;
    std::vector<char> hidden(s.open.begin(), s.open.end());
    hidden.resize(s.walls.size(), 0);
    for (std::size_t k = 0; k < s.walls_of_balls.size(); ++k) hidden[k] |= s.walls_of_balls[k];
    const WallMesh mesh = mesh_of(s.walls, s.domain, circle_segments, hidden);
    for (const Vec3d& p : mesh.points) w.add_point(s.axes.out(p));
    std::size_t begin = 0;
    for (std::size_t c = 0; c < mesh.ends.size(); ++c) {
        for (; begin < mesh.ends[c]; ++begin) w.corners.push_back(static_cast<int>(mesh.connectivity[begin]));
        w.close_cell(static_cast<int>(mesh.wall[c]));
    }
    return w;
}

InsituSurface insitu_wall_balls(const InsituScene& s) {
    InsituSurface balls;
    for (const WallBall& b : s.wall_balls) {
        if (b.wall < s.open.size() && s.open[b.wall] != 0) continue;
        balls.add_point(s.axes.out(b.centre));
        balls.corners.push_back(static_cast<int>(balls.number.size()));
        balls.close_cell(static_cast<int>(b.wall));
        balls.values.push_back(static_cast<float>(b.radius));
    }
    return balls;
}

InsituSurface insitu_slabs(const InsituScene& s) {
    InsituSurface f;
    for (std::size_t k = 0; k < s.cuts.size(); ++k) {
        const Vec3d &a = s.domain.lower, &b = s.domain.upper;
        const int first = static_cast<int>(f.points.size() / 3);
        for (const auto& [x, y] : {std::pair{a.x, a.y}, {b.x, a.y}, {b.x, b.y}, {a.x, b.y}})
            f.add_point(s.axes.out(Vec3d{x, y, s.cuts[k]}));
        for (const int c : {0, 1, 2, 3, 0}) f.corners.push_back(first + c);
        f.close_cell(static_cast<int>(k));
    }
    return f;
}

InsituSurface insitu_contacts(const InsituScene& s) {
    InsituSurface lines;
    int point = 0;
    for (const InsituContact& c : s.contacts) {
        lines.add_point(s.axes.out(c.from)), lines.add_point(s.axes.out(c.to));
        lines.corners.push_back(point++), lines.corners.push_back(point++);
        lines.close_cell(0);
        lines.values.insert(lines.values.end(), 2, static_cast<float>(c.force));
    }
    return lines;
}

}  // namespace granary
