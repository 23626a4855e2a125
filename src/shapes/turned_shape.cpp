#include "shapes/turned_shape.hpp"

#include "shapes/convex_polygon.hpp"
#include "shapes/convex_polyhedron.hpp"

namespace granary {
namespace {

// turn: of a vector, one way or the other.
template <class Turn> ShapeTemplate turned_by(const ShapeTemplate& shape, const Turn& turn) {
    ShapeTemplate t = shape;
    t.inertia_per_mass = turn(shape.inertia_per_mass), t.semi_axes = turn(shape.semi_axes);
    for (ClumpBall& b : t.balls) b.centre = turn(b.centre);
    const Vec3d q = turn(Vec3d{shape.as_given.x, shape.as_given.y, shape.as_given.z});
    t.as_given = {shape.as_given.w, q.x, q.y, q.z};
    if (shape.polyhedron) {
        ConvexPolyhedron::Finished all = shape.polyhedron->finished();
        for (Vec3d& corner : all.corners) corner = turn(corner);
        all.inertia_per_mass = turn(all.inertia_per_mass);
        // X_user = centroid + x e_x + y e_y + z e_z: the axes go with the coordinates.
        const auto& e = shape.polyhedron->user_axes();
        const Vec3d x = turn(Vec3d{e[0].x, e[1].x, e[2].x}), y = turn(Vec3d{e[0].y, e[1].y, e[2].y}),
                    z = turn(Vec3d{e[0].z, e[1].z, e[2].z});
        all.user_axes = {Vec3d{x.x, y.x, z.x}, Vec3d{x.y, y.y, z.y}, Vec3d{x.z, y.z, z.z}};
        t.polyhedron = std::make_shared<const ConvexPolyhedron>(shape.name, all);
    }
    if (shape.polygon) {  // u and v follow the normal, and stay what they are
        Vec3d normal;
        at(normal, shape.polygon->normal()) = 1;
        normal = turn(normal);
        t.polygon = std::make_shared<const ConvexPolygon>(shape.name, shape.polygon->finished(),
                                                          normal.x == 1   ? 0
                                                          : normal.y == 1 ? 1
                                                                          : 2);
    }
    return t;
}

}  // namespace

ShapeTemplate turned_in(const ShapeTemplate& shape, const Axes& axes) {
    return axes.turned() ? turned_by(shape, [&](const Vec3d& v) { return axes.in(v); }) : shape;
}

ShapeTemplate turned_out(const ShapeTemplate& shape, const Axes& axes) {
    return axes.turned() ? turned_by(shape, [&](const Vec3d& v) { return axes.out(v); }) : shape;
}

}  // namespace granary
