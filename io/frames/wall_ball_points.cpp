#include "io/frames/wall_ball_points.hpp"

#include <fmt/format.h>
#include <numeric>
#include <vector>
#include "io/formats/system_file.hpp"

namespace granary {

namespace {

template <class Values>
std::string data_array(const char* type, const char* name, int components, const Values& values) {
    return fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"ascii\">{}</DataArray>\n",
                       type, name, components, fmt::join(values, " "));
}

}  // namespace

void write_wall_balls(const std::string& path, std::span<const WallBall> balls, const Axes& axes,
                      std::span<const char> open) {
    std::vector<double> position, radius;
    std::vector<std::uint32_t> wall;
    std::vector<std::uint16_t> material;
    for (const WallBall& b : balls) {
        if (b.wall < open.size() && open[b.wall] != 0) continue;
        const Vec3d x = axes.out(b.centre);
        position.insert(position.end(), {x.x, x.y, x.z});
        radius.push_back(b.radius), wall.push_back(b.wall), material.push_back(b.material);
    }
    std::vector<std::size_t> point(radius.size()), end(radius.size());
    std::iota(point.begin(), point.end(), std::size_t{0});
    std::iota(end.begin(), end.end(), std::size_t{1});
    replace_file(
        path, fmt::format("<?xml version=\"1.0\"?>\n"
                          "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                          "header_type=\"UInt64\">\n<PolyData>\n"
                          "<Piece NumberOfPoints=\"{0}\" NumberOfVerts=\"{0}\" NumberOfLines=\"0\" "
                          "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n"
                          "<Points>\n{1}</Points>\n<PointData Scalars=\"radius\">\n{2}{3}{4}</PointData>\n"
                          "<Verts>\n{5}{6}</Verts>\n</Piece>\n</PolyData>\n</VTKFile>\n",
                          radius.size(), data_array("Float64", "position", 3, position),
                          data_array("Float64", "radius", 1, radius), data_array("Int32", "wall", 1, wall),
                          data_array("UInt16", "material", 1, material), data_array("Int64", "connectivity", 1, point),
                          data_array("Int64", "offsets", 1, end)));
}

}  // namespace granary
