#include "io/insitu/insitu_scene.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include "io/frames/wall_mesh.hpp"

namespace granary {

std::uint64_t InsituBalls::bytes() const {
    constexpr std::size_t cell = 8;  // a vertex: two 32-bit numbers
    std::size_t sum = points.size() * sizeof(float) + rank.size() * (sizeof(int) + cell);
    for (const Field& field : fields) sum += field.reals.size() * sizeof(float) + field.integers.size();
    return sum;
}

namespace {

double real_at(const std::byte* at, int k) {
    double value;
    std::memcpy(&value, at + k * sizeof value, sizeof value);
    return value;
}

void take_reals(const InsituScene& s, const FieldRow& row, std::vector<float>& to) {
    const Strip<const std::byte> strip = strip_of(s.bodies, row);
    to.reserve(s.bodies.n_real() * static_cast<std::size_t>(row.count));
    for (const Range& range : s.bodies.real)
        for (Index i = range.begin; i < range.end; ++i) {
            std::array<double, 4> v{};
            for (int k = 0; k < row.count; ++k) v[k] = real_at(strip[i], k);
            if (row.column == Column::velocity && row.turns()) {
                const Vec3d now = synchronised_velocity(s.bodies, i, s.motion);
                v = {now.x, now.y, now.z};
            }
            if (row.turns()) s.axes.turn_out(row, v.data());
            if (row.column == Column::position && row.first == 3 && s.bodies.is_shape(i) && !s.shapes.empty()) v[0] = 0;
            for (int k = 0; k < row.count; ++k) to.push_back(static_cast<float>(v[k]));
        }
}

void take_integers(const InsituScene& s, const FieldRow& row, std::vector<std::byte>& to) {
    const Strip<const std::byte> strip = strip_of(s.bodies, row);
    to.reserve(s.bodies.n_real() * row.bytes());
    for (const Range& range : s.bodies.real)
        for (Index i = range.begin; i < range.end; ++i) to.insert(to.end(), strip[i], strip[i] + row.bytes());
}

}  // namespace

InsituBalls insitu_balls(const InsituScene& s, int rank) {
    InsituBalls b;
    const Bodies& bodies = s.bodies;
    b.by_pointer = bodies.real.size() <= 1;
    const Index first = bodies.real.empty() ? 0 : bodies.real.front().begin;
    for (const FieldRow& row : fields) {
        if (!row.is(field::in_situ) || !bodies.has(row.column)) continue;
        if (row.column == Column::position && row.turns()) {
            take_reals(s, row, b.points);
            continue;
        }
        InsituBalls::Field field{&row, {}, {}, nullptr};
        if (row.number() == Number::real) {
            take_reals(s, row, field.reals);
            field.data = field.reals.data();
        } else if (b.by_pointer) {
            field.data = bodies.real.empty() ? nullptr : strip_of(bodies, row)[first];
        } else {
            take_integers(s, row, field.integers);
            field.data = field.integers.data();
        }
        b.fields.push_back(std::move(field));  // what it points to stays where it is
    }
    for (const Range& range : bodies.real)
        for (Index i = range.begin; i < range.end; ++i) {
            b.fastest = std::max(b.fastest, norm(synchronised_velocity(bodies, i, s.motion)));
            b.ids = std::max(b.ids, static_cast<std::int64_t>(bodies.id(i)) + 1);
            if (bodies.has(Column::band) && bodies.band(i) != no_band) b.bands = std::max(b.bands, bodies.band(i) + 1);
        }
    b.rank.assign(bodies.n_real(), rank);
    return b;
}

void InsituSurface::add_point(const Vec3d& p) {
    for (const double x : {p.x, p.y, p.z}) points.push_back(static_cast<float>(x));
}

void InsituSurface::close_cell(int of) { ends.push_back(static_cast<int>(corners.size())), number.push_back(of); }

InsituGrains insitu_grains(const InsituScene& s, int rank) {
    InsituGrains to;
    if (s.n_grains == 0 || s.n_grains > most_drawn_grains) return to;
    std::vector<ShapeSurface> surfaces;
    for (const ShapeTemplate& t : s.shapes) surfaces.push_back(surface_of(t, detail_for(s.n_grains)));
    const auto add = [](std::vector<float>& list, const Vec3d& v) {
        for (const double x : {v.x, v.y, v.z}) list.push_back(static_cast<float>(x));
    };
    std::size_t first = 0;
    std::vector<std::uint16_t> bands;  // of the real shapes, in the order of drawn_grains
    for (const Range& range : s.bodies.real)
        for (Index i = range.begin; i < range.end && s.bodies.has(Column::band); ++i)
            if (s.bodies.is_shape(i)) bands.push_back(s.bodies.band(i));
    std::size_t number = 0;
    for (const DrawnGrain& g : drawn_grains(s.bodies, s.motion, s.axes, s.shapes, {})) {
        const ShapeSurface& surface = surfaces[g.shape - 1u];
        for (std::size_t k = 0; k < surface.points.size(); ++k) {
            to.surface.add_point(placed_point(g, s.axes, surface.points[k]));
            add(to.normals, placed_normal(g, s.axes, surface.normals[k]));
            add(to.centres, g.centre), add(to.velocities, g.velocity);
        }
        const std::size_t n = surface.points.size();
        to.ids.insert(to.ids.end(), n, static_cast<std::int64_t>(g.id));
        to.shapes.insert(to.shapes.end(), n, g.shape), to.materials.insert(to.materials.end(), n, g.material);
        to.ranks.insert(to.ranks.end(), n, rank);
        if (number < bands.size()) to.bands.insert(to.bands.end(), n, bands[number]);
        std::size_t begin = 0;
        for (const std::uint32_t end : surface.ends) {
            for (; begin < end; ++begin) to.surface.corners.push_back(static_cast<int>(first + surface.corners[begin]));
            to.surface.close_cell(static_cast<int>(g.shape));
        }
        first += n, ++number;
    }
    return to;
}

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

InsituSurface insitu_bonds(const InsituScene& s) {
    InsituSurface lines;
    int point = 0;
    for (const BondLine& b : s.bonds) {
        lines.add_point(s.axes.out(b.from)), lines.add_point(s.axes.out(b.to));
        lines.corners.push_back(point++), lines.corners.push_back(point++);
        lines.close_cell(b.type);
        lines.values.insert(lines.values.end(), 2, static_cast<float>(b.larger_share()));
    }
    return lines;
}

}  // namespace granary
