// A wall cut into bins for pressures: over its height, and around it (or across).
//   cylinder, cone   bins along the axis, upwards whichever end is called the bottom, sectors around it, counted from
//   the x axis (y for
//                    an axis along x), right-handed about the axis upwards
//   rectangle        bins along the edge that rises more, sectors along the other
//   plane            the same over the part of it that lies in front of the domain
//                    (of cylinders and rectangles along a period of the domain: the part within the domain)
//   mesh             bins over its height, sectors around an upright axis (mesh_bins.hpp)
//   disc, annulus    rings from the inside out, sectors around the normal
#pragma once
#include <cstddef>
#include <optional>
#include <vector>
#include "core/domain.hpp"
#include "walls/wall_shapes.hpp"

namespace granary {

// The same cylinder with its lower end as the bottom. A level one stays as it is.
Cylinder upright(const Cylinder& given, const Vec3d& up);

class WallBins {
  public:
    // up: unit, against gravity; x_axis, y_axis: those of the user. bins, sectors >= 1. axis_point: of a mesh; empty:
    // to be found.
    WallBins(const WallShape& shape, std::size_t bins, std::size_t sectors, const Domain& domain, const Vec3d& up,
             const Vec3d& x_axis, const Vec3d& y_axis, const std::optional<Vec3d>& axis_point = {});

    std::size_t size() const { return bins_ * sectors_; }
    std::size_t bins() const { return bins_; }
    std::size_t sectors() const { return sectors_; }

    // The bin of a point of the wall, bin * sectors + sector; what lies beyond an edge belongs to the last bin there.
    std::size_t of(const Vec3d& point) const;

    // Unit vectors in the wall at a point, towards higher bins and towards higher sectors. normal: unit, of the wall
    // there; only a mesh asks. Where a mesh is level they point away from the axis and around it.
    Vec3d along(const Vec3d& point, const Vec3d& normal = {}) const;
    Vec3d sideways(const Vec3d& point, const Vec3d& normal = {}) const;

    bool round() const { return round_; }                        // sectors are angles, else lengths
    double area(std::size_t bin, std::size_t sector = 0) const;  // m^2; all sectors are alike but those of a mesh
    double lower(std::size_t bin) const;  // m, along the axis, edge or radius, from its beginning
    double middle(std::size_t bin) const { return 0.5 * (lower(bin) + lower(bin + 1)); }
    double height(std::size_t bin) const;     // m, of the bin's middle, against gravity, from the origin of coordinates
    double across(std::size_t sector) const;  // degrees or m, of the sector's middle

  private:
    Vec3d radial(const Vec3d& point) const;

    enum class Kind { flat, turned, ring, mesh } kind_ = Kind::flat;
    std::size_t bins_, sectors_;
    bool round_ = false;
    Vec3d origin_, first_, second_, third_;  // first_: along; second_, third_: across, unit
    double begin_ = 0, length_ = 0;          // of the first direction, m
    double across_begin_ = 0, width_ = 0;    // of the second, m; round: of no use
    double bottom_radius_ = 0, top_radius_ = 0;
    Vec3d up_;
    std::vector<double> areas_;  // of a mesh, m^2
};

}  // namespace granary
