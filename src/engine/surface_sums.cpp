#include "engine/surface_sums.hpp"

#include <algorithm>
#include <numeric>
#include "core/digest.hpp"
#include "walls/triangle_mesh.hpp"

namespace granary {

namespace {

constexpr const char* sums_name = "walls.sums";
constexpr const char* balls_name = "walls.n_balls";

std::vector<std::uint64_t> list_in(const SavedState& from, const char* name) {
    const auto at = from.integers.find(name);
    return at == from.integers.end() ? std::vector<std::uint64_t>() : at->second;
}

}  // namespace

SurfaceSums surface_sums(const Setup& setup) {
    SurfaceSums s;
    s.sums.assign(setup.walls.size(), 0), s.n_balls.assign(setup.walls.size(), 0);
    for (std::size_t w = 0; w < setup.walls.size(); ++w)
        if (const Mesh* mesh = std::get_if<Mesh>(&setup.walls[w].shape)) s.sums[w] = mesh->surface->source();
    std::vector<RecordHash> of_balls(setup.walls.size(), RecordHash(RecordHash::Kind::surface));
    for (const WallBall& b : setup.wall_balls) {  // in the axes of the user: whatever the slabs, the balls are the same
        const Vec3d centre = setup.axes.out(b.centre);
        for (const double number : {centre.x, centre.y, centre.z, b.radius}) of_balls[b.wall].take(number);
        ++s.n_balls[b.wall];
        s.sums[b.wall] = std::max<std::uint64_t>(of_balls[b.wall].a(), 1);
    }
    return s;
}

std::optional<SurfaceSums::Place> SurfaceSums::place_of(std::uint32_t ball) const {
    std::uint64_t first = 0;
    for (std::size_t w = 0; w < n_balls.size(); first += n_balls[w++])
        if (ball < first + n_balls[w]) return Place{w, static_cast<std::uint32_t>(ball - first)};
    return std::nullopt;
}

std::uint32_t SurfaceSums::first_ball(std::size_t wall) const {
    const auto begin = n_balls.begin();
    return static_cast<std::uint32_t>(
        std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(wall), std::uint64_t{0}));
}

void SurfaceSums::save(SavedState& to) const {
    if (std::all_of(sums.begin(), sums.end(), [](std::uint64_t s) { return s == 0; })) return;
    to.integers[sums_name] = sums, to.integers[balls_name] = n_balls;
}

SurfaceSums SurfaceSums::in(const SavedState& from) { return {list_in(from, sums_name), list_in(from, balls_name)}; }

}  // namespace granary
