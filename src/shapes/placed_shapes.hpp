// The shapes of a rank where they are now, made once a step for all pairs and walls that ask: matrices of ellipsoids,
// centres of the balls of clumps, inverse moments. All relative to the centre of their body, so that copies across slab
// and periodic faces have the same bits.
//   A body is made of convex parts: a clump of its balls, any other body of one. touch_parts is the narrow phase of two
// parts, whatever they are.
#pragma once
#include <span>
#include <vector>
#include "core/bodies.hpp"
#include "shapes/placed_ellipsoid.hpp"
#include "shapes/rigid_body.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

class PlacedShapes {
  public:
    // volume_radius: ellipsoids count with the radius of the ball of the same volume in R*, wherever they are touched.
    void prepare(std::span<const ShapeTemplate> shapes, bool volume_radius = false);
    void lay_out(const Bodies& bodies);             // at a rebuild: room for all of them, ghosts too
    void place(const Bodies& bodies, Range range);  // at a step, after they have moved

    bool is_ball(const Bodies& b, Index i) const { return b.shape(i) == 0; }
    ShapeKind kind(const Bodies& b, Index i) const {
        return b.shape(i) == 0 ? ShapeKind::ball : template_of(b, i, shapes_).kind;
    }
    std::uint32_t n_parts(const Bodies& b, Index i) const {
        return kind(b, i) == ShapeKind::clump ? static_cast<std::uint32_t>(template_of(b, i, shapes_).balls.size())
                                              : 1u;
    }
    // Where the part of a body is, from the centre of the body; zero unless it is a clump. And the sphere around it.
    Vec3d part_centre(const Bodies& b, Index i, std::uint32_t part) const {
        return kind(b, i) == ShapeKind::clump ? centres_[first_[i] + part] : Vec3d{};
    }
    double part_radius(const Bodies& b, Index i, std::uint32_t part) const {
        return kind(b, i) == ShapeKind::clump ? template_of(b, i, shapes_).balls[part].radius * size_[i] : b.radius(i);
    }
    // All parts of a body, for loops over many.
    struct Parts {
        std::uint32_t count;
        const Vec3d* centre;    // from the centre of the body
        const ClumpBall* ball;  // of the template; null unless it is a clump
        double size, radius;
        double radius_of(std::uint32_t part) const { return ball != nullptr ? ball[part].radius * size : radius; }
    };
    Parts parts_of(const Bodies& b, Index i) const {
        static constexpr Vec3d nowhere{};
        if (kind(b, i) != ShapeKind::clump) return {1, &nowhere, nullptr, 1, b.radius(i)};
        const ShapeTemplate& s = template_of(b, i, shapes_);
        return {static_cast<std::uint32_t>(s.balls.size()), centres_.data() + first_[i], s.balls.data(), size_[i], 0};
    }
    bool part_is_ball(const Bodies& b, Index i) const {
        const ShapeKind k = kind(b, i);
        return k == ShapeKind::ball || k == ShapeKind::clump;
    }
    // Does the narrow phase of two bodies start from a normal that it left?
    bool remembers(const Bodies& b, Index i, Index j) const {
        return !part_is_ball(b, i) && !part_is_ball(b, j) && kind(b, i) == kind(b, j);
    }
    const PlacedEllipsoid& ellipsoid(Index i) const { return ellipsoids_[first_[i]]; }
    Placed placed(const Bodies& b, Index i) const { return {{}, orientation_of(b, i), size_[i]}; }  // at the origin
    const Vec3d& inverse_moments_of(Index i) const { return inverse_[i]; }
    double least_radius(const Bodies& b, Index i, std::uint32_t part) const;  // m, how deep it can be pressed at most

    // Do the boxes around two bodies leave a gap of at least far_i along an axis of i, or far_j along one of j? A ball
    // has no axes. apart: x_i - x_j.
    bool boxes_apart(const Bodies& b, Index i, Index j, const Vec3d& apart, double far_i, double far_j) const;
    // Of the box of a body; of a ball its radius.
    double least_half_width(const Bodies& b, Index i) const {
        return b.shape(i) == 0 ? b.radius(i) : size_[i] * boxes_[b.shape(i) - std::size_t{1}].least;
    }
    double half_diagonal(const Bodies& b, Index i) const {
        return b.shape(i) == 0 ? b.radius(i) : size_[i] * boxes_[b.shape(i) - std::size_t{1}].diagonal;
    }

    // i the lower body. apart: x_i - x_j. True: the gap is below `far` and the touch is exact, its point relative to
    // the centre of body i. memory: normal of the last call, or zero; what it returns to remember.
    bool touch_parts(const Bodies& b, Index i, std::uint32_t part_i, Index j, std::uint32_t part_j, const Vec3d& apart,
                     double far, Vec3d& memory, ConvexTouch& touch) const;

    // Four pairs of ellipsoids that remember a normal, as touch_parts has them one at a time; a bit for each that is
    // near.
    struct EllipsoidLanes {
        Index lower[4], upper[4];
        Vec3d apart[4];
        double far[4];
        Vec3d memory[4];
        ConvexTouch touch[4];
    };
    unsigned touch_ellipsoid_pairs(EllipsoidLanes& lanes) const;

    // What the law takes as R* of an ellipsoid at a wall: that of its curvature, or that of its volume.
    double radius_at_wall(Index i, double of_curvature) const { return volume_radius_ ? ball_radius(i) : of_curvature; }

    // The same with a ball that is at `to_ball` from the centre of body i.
    bool touch_ball(const Bodies& b, Index i, std::uint32_t part, const Vec3d& to_ball, double radius, double far,
                    ConvexTouch& touch) const;

    // What an impulse along the normal meets at the end of an arm, 1/kg.
    double inverse_mass_at(const Bodies& b, Index i, const Vec3d& arm, const Vec3d& normal) const {
        double inverse = b.velocity(i, 3);
        if (b.shape(i) != 0) inverse += square_by_inertia(orientation_of(b, i), inverse_[i], cross(arm, normal));
        return inverse;
    }

    std::span<const ShapeTemplate> templates() const { return shapes_; }

  private:
    std::span<const ShapeTemplate> shapes_;
    double ball_radius(Index i) const { return ball_radii_[first_[i]]; }
    struct Box {
        Vec3d half;  // m
        double least, diagonal;
    };
    std::vector<Box> boxes_;  // of templates
    bool volume_radius_ = false;
    std::vector<std::uint32_t> first_;  // by body: in ellipsoids_ or centres_
    std::vector<double> size_;          // by body
    std::vector<Vec3d> inverse_;        // by body: inverse moments
    std::vector<BodyAxes> axes_;        // by body
    std::vector<PlacedEllipsoid> ellipsoids_;
    std::vector<double> ball_radii_;  // beside them, with volume_radius: of the balls of their volumes, m
    std::vector<Vec3d> centres_;
};

}  // namespace granary
