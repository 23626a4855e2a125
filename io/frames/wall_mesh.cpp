#include "io/frames/wall_mesh.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <numbers>
#include "core/elementary.hpp"
#include "io/formats/system_file.hpp"
#include "decomposition/together.hpp"
#include "walls/triangle_mesh.hpp"

namespace granary {
namespace {

constexpr double on_face = 1e-9;  // share of the domain's diagonal within which a plane still touches a face of the box

// Adds the cells of one wall.
class Mesher {
  public:
    Mesher(WallMesh& mesh, const Domain& domain, int segments)
        : mesh_(mesh),
          domain_(domain),
          segments_(static_cast<std::size_t>(segments)) {}

    void operator()(const Plane& s) {
        const std::vector<Vec3d> corners = clipped(s);
        if (corners.size() < 3) return;
        const std::size_t first = add(corners);
        for (std::size_t k = 0; k < corners.size(); ++k) mesh_.connectivity.push_back(first + k);
        mesh_.ends.push_back(mesh_.connectivity.size());
    }
    void operator()(const Rectangle& s) {
        const std::size_t first =
            add({s.corner, s.corner + s.edge_a, s.corner + s.edge_a + s.edge_b, s.corner + s.edge_b});
        cell({first, first + 1, first + 2, first + 3});
    }
    void operator()(const Disc& s) { join(ring(s.centre, s.normal, 0), ring(s.centre, s.normal, s.radius)); }
    void operator()(const Annulus& s) { join(ring(s.centre, s.normal, s.inner), ring(s.centre, s.normal, s.outer)); }
    void operator()(const Cylinder& s) { (*this)(ConeFrustum{s.bottom, s.top, s.radius, s.radius}); }
    void operator()(const ConeFrustum& s) {
        const Vec3d axis = s.top - s.bottom, u = (1.0 / norm(axis)) * axis;
        join(ring(s.bottom, u, s.bottom_radius), ring(s.top, u, s.top_radius));
    }
    void operator()(const Mesh& s) {
        std::vector<Vec3d> corners(s.surface->corners().begin(), s.surface->corners().end());
        for (Vec3d& p : corners) p = s.pose.point(p);
        const std::size_t first = add(corners);
        for (std::uint32_t t = 0; t < s.surface->size(); ++t) {
            const auto& c = s.surface->corners_of(t);
            cell({first + c[0], first + c[1], first + c[2]});
        }
    }

  private:
    struct Ring {
        std::size_t first, n;  // n is 1 for a circle of radius 0
        std::size_t operator[](std::size_t k) const { return first + k % n; }
    };

    std::size_t add(const std::vector<Vec3d>& points) {
        const std::size_t first = mesh_.points.size();
        mesh_.points.insert(mesh_.points.end(), points.begin(), points.end());
        return first;
    }
    void cell(std::initializer_list<std::size_t> corners) {
        mesh_.connectivity.insert(mesh_.connectivity.end(), corners);
        mesh_.ends.push_back(mesh_.connectivity.size());
    }

    Ring ring(const Vec3d& centre, const Vec3d& normal, double radius) {
        if (radius == 0) return {add({centre}), 1};
        const Vec3d a = perpendicular(normal), b = cross(normal, a);
        std::vector<Vec3d> points;
        for (std::size_t k = 0; k < segments_; ++k) {
            const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(segments_);
            points.push_back(centre + (radius * elementary::cos(angle)) * a + (radius * elementary::sin(angle)) * b);
        }
        return {add(points), segments_};
    }
    // The surface between two rings; triangles where one of them is a point.
    void join(const Ring& from, const Ring& to) {
        for (std::size_t k = 0; k < segments_; ++k) {
            if (from.n == 1) cell({from[0], to[k], to[k + 1]});
            else if (to.n == 1) cell({from[k], from[k + 1], to[0]});
            else cell({from[k], from[k + 1], to[k + 1], to[k]});
        }
    }

    // What the box leaves of the plane: a square that is too large for it, cut at the six faces one after the other
    // (I. E. Sutherland and G. W. Hodgman (1974), Communications of the ACM 17(1), 32-42).
    std::vector<Vec3d> clipped(const Plane& s) const {
        const Vec3d centre = 0.5 * (domain_.lower + domain_.upper);
        const double reach = norm(domain_.upper - domain_.lower), slack = on_face * reach;
        const Vec3d foot = centre - dot(centre - s.point, s.normal) * s.normal;
        const Vec3d a = reach * perpendicular(s.normal), b = cross(s.normal, a);
        std::vector<Vec3d> corners{foot - a - b, foot + a - b, foot + a + b, foot - a + b};
        for (int axis = 0; axis < 3; ++axis)
            for (const double side : {-1.0, 1.0}) {
                const double face = at(side < 0 ? domain_.lower : domain_.upper, axis);
                std::vector<Vec3d> left;
                for (std::size_t k = 0; k < corners.size(); ++k) {
                    const Vec3d &p = corners[k], &q = corners[(k + 1) % corners.size()];
                    const double beyond_p = side * (at(p, axis) - face), beyond_q = side * (at(q, axis) - face);
                    if (beyond_p <= slack) left.push_back(p);
                    if ((beyond_p < 0 && beyond_q > slack) || (beyond_p > slack && beyond_q < 0))
                        left.push_back(p + (beyond_p / (beyond_p - beyond_q)) * (q - p));
                }
                corners = left;
            }
        return corners;
    }

    WallMesh& mesh_;
    const Domain& domain_;
    std::size_t segments_;
};

template <class Values> std::string numbers(const Values& values) { return fmt::format("{}", fmt::join(values, " ")); }

std::string data_array(const char* type, const char* name, int components, const std::string& values) {
    return fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"ascii\">{}</DataArray>\n",
                       type, name, components, values);
}

// Strings stand in VTK files as the codes of their characters, each string ended by a 0.
std::string names_array(std::span<const Wall> walls) {
    std::vector<int> codes;
    for (const Wall& wall : walls) {
        for (const char c : wall.name) codes.push_back(static_cast<unsigned char>(c));
        codes.push_back(0);
    }
    return fmt::format("<Array type=\"String\" Name=\"wall_name\" NumberOfTuples=\"{}\" format=\"ascii\">{}</Array>\n",
                       walls.size(), numbers(codes));
}

std::string vtp_text(const WallMesh& mesh, std::span<const Wall> walls, const Axes& axes) {
    std::vector<double> coordinates;
    for (const Vec3d& inside : mesh.points) {
        const Vec3d p = axes.out(inside);
        coordinates.insert(coordinates.end(), {p.x, p.y, p.z});
    }
    std::vector<std::uint16_t> material;
    for (const std::uint32_t w : mesh.wall) material.push_back(walls[w].material);
    return fmt::format(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n"
        "<FieldData>\n{}</FieldData>\n"
        "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"{}\">\n"
        "<Points>\n{}</Points>\n<CellData Scalars=\"wall\">\n{}{}</CellData>\n<Polys>\n{}{}</Polys>\n"
        "</Piece>\n</PolyData>\n</VTKFile>\n",
        names_array(walls), mesh.points.size(), mesh.ends.size(),
        data_array("Float64", "position", 3, numbers(coordinates)), data_array("Int32", "wall", 1, numbers(mesh.wall)),
        data_array("UInt16", "material", 1, numbers(material)),
        data_array("Int64", "connectivity", 1, numbers(mesh.connectivity)),
        data_array("Int64", "offsets", 1, numbers(mesh.ends)));
}

}  // namespace

WallMesh mesh_of(std::span<const Wall> walls, const Domain& domain, int segments, std::span<const char> open) {
    WallMesh mesh;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        if (w < open.size() && open[w] != 0) continue;
        std::visit(Mesher(mesh, domain, segments), walls[w].shape);
        mesh.wall.resize(mesh.ends.size(), static_cast<std::uint32_t>(w));
    }
    return mesh;
}

void write_walls(const std::string& path, std::span<const Wall> walls, const Domain& domain, const Axes& axes,
                 std::span<const char> open) {
    replace_file(path, vtp_text(mesh_of(walls, domain, circle_segments, open), walls, axes));
}

void write_walls(const boost::mpi::communicator& comm, const std::string& path, std::span<const Wall> walls,
                 const Domain& domain, const Axes& axes, std::span<const char> open) {
    together(comm, [&] {
        if (comm.rank() == 0) write_walls(path, walls, domain, axes, open);
    });
}

}  // namespace granary
