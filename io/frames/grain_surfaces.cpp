#include "io/frames/grain_surfaces.hpp"
#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <boost/mpi/collectives.hpp>
#include <cstring>
#include <functional>
#include <limits>
#include "core/errors.hpp"
#include "decomposition/together.hpp"
#include "io/formats/system_file.hpp"

namespace granary {
namespace {

constexpr std::size_t grains_at_once = 4096;

enum class What { points, normals, id, shape, material, centre, velocity, speed, corners, ends };

struct SurfaceArray {
    What what;
    FrameArray tag;
    enum class Per { point, corner, cell } per = Per::point;
    std::uint64_t at = 0;  // of the first number in the file
};

// Of some grains.
struct Counts {
    std::uint64_t points = 0, corners = 0, cells = 0;
    std::uint64_t of(SurfaceArray::Per per) const {
        return per == SurfaceArray::Per::point ? points : per == SurfaceArray::Per::corner ? corners : cells;
    }
    void add(const ShapeSurface& s) { points += s.points.size(), corners += s.corners.size(), cells += s.ends.size(); }
};

FrameArray surface_tag(const char* name, const char* unit, int components, const char* type, std::size_t bytes) {
    return {name, unit, FrameArray::Source::counter, nullptr, components, type, bytes};
}

std::vector<SurfaceArray> arrays_of(std::uint64_t n_corners) {
    using Per = SurfaceArray::Per;
    const bool small = n_corners <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
    const char* const counter = small ? "Int32" : "Int64";
    const std::size_t bytes = small ? 4 : 8;
    return {{What::points, surface_tag("position", "m", 3, "Float32", 4)},
            {What::normals, surface_tag("Normals", "", 3, "Float32", 4)},
            {What::id, surface_tag("id", "", 1, "Int64", 8)},
            {What::shape, surface_tag("shape", "", 1, "UInt16", 2)},
            {What::material, surface_tag("material", "", 1, "UInt16", 2)},
            {What::centre, surface_tag("centre", "m", 3, "Float32", 4)},
            {What::velocity, surface_tag("velocity", "m/s", 3, "Float32", 4)},
            {What::speed, surface_tag("speed", "m/s", 1, "Float32", 4)},
            {What::corners, surface_tag("connectivity", "", 1, counter, bytes), Per::corner},
            {What::ends, surface_tag("offsets", "", 1, counter, bytes), Per::cell}};
}

struct SurfaceLayout {
    std::vector<SurfaceArray> arrays;
    Counts n;
    std::string head;
    std::uint64_t tail_at = 0, size = 0;
};

// Names as VTK writes strings: codes of their letters, each ended by 0.
std::string names_tag(std::span<const ShapeTemplate> shapes) {
    std::string codes;
    for (const ShapeTemplate& s : shapes) {
        for (const char c : s.name) codes += fmt::format("{} ", static_cast<unsigned>(static_cast<unsigned char>(c)));
        codes += "0 ";
    }
    return fmt::format("<Array type=\"String\" Name=\"shape_name\" NumberOfTuples=\"{}\" format=\"ascii\">{}</Array>\n",
                       shapes.size(), codes);
}

SurfaceLayout layout_of_surfaces(const Counts& n, std::span<const ShapeTemplate> shapes, const FrameTime& when) {
    SurfaceLayout l;
    l.n = n, l.arrays = arrays_of(n.corners);
    std::uint64_t offset = 0;
    std::string points, data, polys;
    for (SurfaceArray& a : l.arrays) {
        std::string& to = a.what == What::points                            ? points
                          : a.what == What::corners || a.what == What::ends ? polys
                                                                            : data;
        to += vtp_array_tag(a.tag, offset);
        a.at = offset + vtp_length_bytes;
        offset += vtp_length_bytes + n.of(a.per) * a.tag.row_bytes();
    }
    l.head = vtp_head(when, names_tag(shapes),
                      fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" "
                                  "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n<Points>\n{}</Points>\n"
                                  "<PointData Normals=\"Normals\">\n{}</PointData>\n<Polys>\n{}</Polys>\n</Piece>\n",
                                  n.points, n.cells, points, data, polys));
    for (SurfaceArray& a : l.arrays) a.at += l.head.size();
    l.tail_at = offset + l.head.size();
    l.size = l.tail_at + std::strlen(vtp_tail);
    return l;
}

void make_surface_file(const std::string& path, const SurfaceLayout& l) {
    const Descriptor file = new_file(path);
    reserve_room(file, l.size, path);
    write_all(file, l.head, 0, path);
    for (const SurfaceArray& a : l.arrays)
        write_all(file, vtp_bytes(l.n.of(a.per) * a.tag.row_bytes(), vtp_length_bytes), a.at - vtp_length_bytes, path);
    write_all(file, vtp_tail, l.tail_at, path);
}

// One array of one grain; before: what stands before it in the file.
void put_grain(const SurfaceArray& a, const DrawnGrain& g, const ShapeSurface& s, const Axes& axes,
               const Counts& before, std::byte*& out) {
    const auto copy = [&](auto value) {
        std::memcpy(out, &value, sizeof value);
        out += sizeof value;
    };
    const auto real = [&](double x) { copy(static_cast<float>(x)); };
    const auto vector = [&](const Vec3d& v) { real(v.x), real(v.y), real(v.z); };
    const auto counter = [&](std::uint64_t k) {
        a.tag.number_bytes == 8 ? copy(static_cast<std::int64_t>(k)) : copy(static_cast<std::int32_t>(k));
    };
    const auto at_points = [&](auto&& f) {
        for (std::size_t k = 0; k < s.points.size(); ++k) f(k);
    };
    switch (a.what) {
        case What::points: return at_points([&](std::size_t k) { vector(placed_point(g, axes, s.points[k])); });
        case What::normals: return at_points([&](std::size_t k) { vector(placed_normal(g, axes, s.normals[k])); });
        case What::id: return at_points([&](std::size_t) { copy(static_cast<std::int64_t>(g.id)); });
        case What::shape: return at_points([&](std::size_t) { copy(g.shape); });
        case What::material: return at_points([&](std::size_t) { copy(g.material); });
        case What::centre: return at_points([&](std::size_t) { vector(g.centre); });
        case What::velocity: return at_points([&](std::size_t) { vector(g.velocity); });
        case What::speed: return at_points([&](std::size_t) { real(norm(g.velocity)); });
        case What::corners:
            for (const std::uint32_t c : s.corners) counter(before.points + c);
            return;
        case What::ends:
            for (const std::uint32_t e : s.ends) counter(before.corners + e);
            return;
    }
}

void fill_surfaces(const std::string& path, const SurfaceLayout& l, Counts before, std::span<const DrawnGrain> mine,
                   const std::vector<ShapeSurface>& surfaces, const Axes& axes) {
    const Descriptor plain = open_to_write(path);  // says why it cannot, and can wait for the disk
    MpiFile file(path);
    std::vector<std::byte> buffer;
    for (std::size_t begin = 0; begin < mine.size(); begin += grains_at_once) {
        const auto some = mine.subspan(begin, std::min(grains_at_once, mine.size() - begin));
        Counts here;
        for (const DrawnGrain& g : some) here.add(surfaces[g.shape - 1u]);
        for (const SurfaceArray& a : l.arrays) {
            buffer.resize(here.of(a.per) * a.tag.row_bytes());
            std::byte* out = buffer.data();
            Counts at = before;
            for (const DrawnGrain& g : some) {
                put_grain(a, g, surfaces[g.shape - 1u], axes, at, out);
                at.add(surfaces[g.shape - 1u]);
            }
            file.write(a.at + before.of(a.per) * a.tag.row_bytes(), buffer.data(), buffer.size());
        }
        before.points += here.points, before.corners += here.corners, before.cells += here.cells;
    }
    file.close();
    bring_to_disk(plain, path);
}

}  // namespace

std::vector<DrawnGrain> drawn_grains(const Bodies& bodies, const Motion& motion, const Axes& axes,
                                     std::span<const ShapeTemplate> shapes, const FrameOptions& options) {
    std::vector<DrawnGrain> grains;
    if (!bodies.has(Column::shape)) return grains;
    const FrameChoice choice(options, axes);
    for (const Range& range : bodies.real)
        for (Index i = range.begin; i < range.end; ++i) {
            const std::uint16_t shape = bodies.shape(i);
            if (shape == 0 || shape > shapes.size() || !choice(bodies, i)) continue;
            grains.push_back({axes.out(bodies.x(i)),
                              axes.out(synchronised_velocity(bodies, i, motion)),
                              {bodies.orientation(i, 0), bodies.orientation(i, 1), bodies.orientation(i, 2),
                               bodies.orientation(i, 3)},
                              bodies.radius(i) / shapes[shape - 1u].outer_radius,
                              bodies.id(i),
                              shape,
                              bodies.material(i)});
        }
    return grains;
}

void write_grain_surfaces(const boost::mpi::communicator& comm, const std::string& path,
                          std::span<const DrawnGrain> mine, std::span<const ShapeTemplate> shapes, const Axes& axes,
                          const FrameTime& when) {
    const auto n_mine = static_cast<std::uint64_t>(mine.size());
    const std::uint64_t n = boost::mpi::all_reduce(comm, n_mine, std::plus<std::uint64_t>());
    const bool drawn = n <= most_drawn_grains;
    std::vector<ShapeSurface> surfaces;
    for (const ShapeTemplate& s : shapes) surfaces.push_back(surface_of(s, detail_for(n)));
    Counts own;
    for (const DrawnGrain& g : mine)
        if (drawn) own.add(surfaces[g.shape - 1u]);
    const std::uint64_t here[3] = {own.points, own.corners, own.cells};
    std::uint64_t end[3], all[3];
    boost::mpi::scan(comm, here, 3, end, std::plus<std::uint64_t>());
    boost::mpi::all_reduce(comm, here, 3, all, std::plus<std::uint64_t>());
    const SurfaceLayout layout = layout_of_surfaces({all[0], all[1], all[2]}, shapes, when);
    const std::string part = path + ".part";
    try {
        together(comm, [&] {
            if (comm.rank() == 0) make_surface_file(part, layout);
        });
        together(comm, [&] {
            if ((drawn && n_mine > 0) || comm.rank() == 0)
                fill_surfaces(part, layout, {end[0] - here[0], end[1] - here[1], end[2] - here[2]},
                              drawn ? mine : std::span<const DrawnGrain>(), surfaces, axes);
        });
        together(comm, [&] {
            if (comm.rank() == 0) take_name(part, path);
        });
    } catch (const Error&) {  // the same on all ranks
        if (comm.rank() == 0) ::unlink(part.c_str());
        throw;
    }
}

double surface_bytes(const ShapeTemplate& shape, double grains) {
    if (grains > static_cast<double>(most_drawn_grains)) return 0;
    const ShapeSurface s = surface_of(shape, detail_for(static_cast<std::uint64_t>(grains)));
    Counts one;
    one.add(s);
    double bytes = 0;
    for (const SurfaceArray& a : arrays_of(static_cast<std::uint64_t>(grains) * one.corners))
        bytes += static_cast<double>(one.of(a.per) * a.tag.row_bytes());
    return bytes * grains;
}

}  // namespace granary
