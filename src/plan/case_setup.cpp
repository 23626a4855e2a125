#include "plan/case_setup.hpp"

#include "plan/cluster_plan.hpp"
#include "plan/plane_plan.hpp"
#include "shapes/turned_shape.hpp"
#include "plan/inlet.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <utility>
#include "core/errors.hpp"
#include "filling/packing.hpp"
#include "io/formats/motion_file.hpp"
#include "io/case/case_silo.hpp"
#include "walls/wall_ball_net.hpp"

namespace granary {

namespace {

Material material(const MaterialSpec& m) {
    Material to;
    to.name = m.name;
    to.density = m.density.value_or(1.0);                                    // walls need none
    to.young = m.young.value_or(1.0), to.poisson = m.poisson.value_or(0.0);  // without use where the law has none
    to.restitution = m.contact.restitution, to.friction = m.contact.friction;
    to.stiffness = m.contact.stiffness, to.stiffness_ratio = m.contact.stiffness_ratio;
    to.damping = m.contact.damping, to.cohesion = m.contact.cohesion;
    to.rolling_friction = m.contact.rolling_friction, to.rolling_damping = m.contact.rolling_damping,
    to.cohesion_density = m.contact.cohesion_density;
    to.wall_only = !m.of_balls;
    return to;
}

WallShape shape(const WallSpec& w, const Axes& axes, const Mesh& mesh) {
    switch (w.type) {
        case WallType::mesh: return mesh;
        case WallType::plane: return Plane{axes.in(w.point), axes.in(w.normal)};
        case WallType::rectangle: return Rectangle{axes.in(w.corner), axes.in(w.edge_a), axes.in(w.edge_b)};
        case WallType::disc: return Disc{axes.in(w.centre), axes.in(w.normal), w.radius};
        case WallType::annulus: return Annulus{axes.in(w.centre), axes.in(w.normal), w.inner_radius, w.outer_radius};
        case WallType::cylinder: return Cylinder{axes.in(w.bottom), axes.in(w.top), w.radius};
        case WallType::cone: break;
    }
    return ConeFrustum{axes.in(w.bottom), axes.in(w.top), w.bottom_radius, w.top_radius};
}

WallMotion motion(const MotionSpec& m, const Axes& axes) {
    const auto unit = [&](const Vec3d& a) { return axes.in(a) * (1 / norm(a)); };
    WallMotion to;
    to.name = m.name;
    if (m.turns()) to.point = axes.in(m.point), to.axis = unit(m.axis);
    to.frequency = m.frequency, to.phase = m.phase, to.ramp = m.ramp;
    to.start = m.stage.empty() ? m.start.value_or(0) : WallMotion::never;
    to.duration = m.duration.value_or(WallMotion::never);
    to.type = m.type;
    switch (m.type) {
        case MotionType::translate: to.along = axes.in(m.velocity); break;
        case MotionType::rotate: to.angular = m.rate ? *m.rate : m.rpm.value_or(0) * 2 * std::numbers::pi / 60; break;
        case MotionType::vibrate: to.along = axes.in(m.amplitude); break;
        case MotionType::swing: to.angular = m.angle; break;
        case MotionType::shift_table:
        case MotionType::angle_table:
            if (m.file.empty()) {
                to.table.times = m.times, to.table.values = m.displacements;
                for (const double a : m.angles) to.table.values.push_back({a, 0, 0});
            } else {
                to.table = read_motion_table(m.file, m.turns() ? 2 : 4);
            }
            to.table.smooth = m.smooth;
            if (!m.turns())
                for (Vec3d& v : to.table.values) v = axes.in(v);
            break;
        case MotionType::servo:
            to.along = unit(m.direction);
            to.force = m.force, to.speed = m.speed, to.gain = m.gain.value_or(0);  // left open: see plan.cpp
            to.travel = m.travel.value_or(WallMotion::never);
            break;
    }
    return to;
}

// A gate that slides open: a motion of its own.
WallMotion sliding(const WallSpec& w, const Axes& axes) {
    WallMotion to;
    to.name = w.name, to.along = axes.in(w.slides) * (1 / w.slide_time), to.duration = w.slide_time;
    to.start = w.opens_at ? *w.opens_at : WallMotion::never;
    return to;
}

void add_walls(const Case& c, std::uint16_t material, const WallSpec& w, const Mesh& mesh, const Axes& axes, Setup& s) {
    Wall wall = make_wall(w.name, shape(w, axes, mesh), material);
    for (std::size_t k = 0; k < c.motions.size(); ++k)
        if (!w.motion.empty() && c.motions[k].name == w.motion) wall.motion = k;
    if (w.slides_open()) {
        wall.motion = s.motions.size();
        s.motions.push_back(sliding(w, axes));
    }
    s.walls.push_back(wall);
    const WallShape first = wall.shape;
    for (std::int64_t n = 1; n < w.copies; ++n) {  // only beside a motion that turns
        const WallMotion& m = s.motions[wall.motion];
        const double angle = 2 * std::numbers::pi * static_cast<double>(n) / static_cast<double>(w.copies);
        wall.name = fmt::format("{}-{}", w.name, n + 1);
        wall.shape = normalised(moved(first, turned_about(m.point, m.axis, angle)));
        s.walls.push_back(wall);
    }
}

class Numbers {  // of materials by name
  public:
    explicit Numbers(const Case& c) : c_(c) {}
    std::uint16_t operator()(const std::string& name) const {
        for (std::size_t k = 0; k < c_.materials.size(); ++k)
            if (c_.materials[k].name == name) return static_cast<std::uint16_t>(k);
        throw std::logic_error("material " + name + " passed the checks but does not exist");
    }
    double density(const std::string& name) const { return c_.materials[(*this)(name)].density.value_or(0); }
    BallKind kind(const RadiusSpec& r, const std::string& name, const MixSpec& mix, const Vec3d& velocity,
                  const GrainKind& grains) const {
        BallKind k{r.smallest(), r.largest(), density(name), (*this)(name), velocity};
        k.grains = grains;
        if (c_.domain.is_plane()) k.thickness = c_.domain.thickness.value_or(0);
        if (grains.radius > 0)
            k.radius_min = std::min(k.radius_min, grains.radius), k.radius_max = std::max(k.radius_max, grains.radius);
        if (r.sizes != SizeType::uniform || grains.radius > 0)
            k.sizes = std::make_shared<const SizeDistribution>(r.distribution());
        for (std::size_t m = 0; m < mix.mixed_with.size(); ++m)
            k.mixed.push_back({(*this)(mix.mixed_with[m]), density(mix.mixed_with[m]), mix.mixed_shares[m]});
        return k;
    }

  private:
    const Case& c_;
};

// The walls of the silo, if they are to be made of balls. The net is laid in the axes of the user, so that it is the
// same whatever axis the slabs are cut along.
void make_wall_balls(const Case& c, Setup& s) {
    s.walls_of_balls.assign(s.walls.size(), 0);
    if (!c.silo || c.silo->wall != SiloWallType::balls) return;
    const auto [lower, upper] = silo_box(*c.silo);
    WallBallNet net{c.silo->wall_spacing, c.silo->wall_radius_min, c.silo->wall_radius_max, 0.5 * (lower + upper),
                    s.seed};
    for (std::size_t w = 0; w < c.walls.size(); ++w) {
        if (!c.walls[w].of_silo) continue;
        const auto at = std::find_if(s.walls.begin(), s.walls.end(),
                                     [&](const Wall& made) { return made.name == c.walls[w].name; });
        const auto number =
            static_cast<std::uint32_t>(at - s.walls.begin());  // copies of other walls may stand before it
        const Wall wall = make_wall(at->name, shape(c.walls[w], Axes(), Mesh{}), at->material);
        add_wall_balls(wall, number, net, s.wall_balls);
        s.walls_of_balls[number] = 1;
    }
    for (WallBall& b : s.wall_balls) b.centre = s.axes.in(b.centre);
}

}  // namespace

BallKind ball_kind(const Case& c, const RadiusSpec& radii, const std::string& material, const MixSpec& mix,
                   const GrainUse& grains, const Vec3d& velocity) {
    return Numbers(c).kind(c.outer_radii(radii, grains), material, mix, velocity, grain_kind(c, grains, material));
}

MaterialOfCase material_of(const Case& c, const std::string& name) {
    const Numbers number(c);
    return {number(name), number.density(name)};
}

std::vector<InsertionSpec> inlets_of(const Case& c, const Setup& setup) {
    std::vector<InsertionSpec> inlets;
    for (std::size_t k = 0; k < c.insert.size(); ++k)
        if (c.insert[k].stage.empty())
            inlets.push_back(inlet_of(c, c.insert[k], setup, setup.dt, static_cast<std::uint16_t>(k)));
    return inlets;
}

Setup make_setup(const Case& c, std::span<const Mesh> meshes, std::vector<ClusterTemplate> clusters,
                 const std::vector<ShapeTemplate>& shapes) {
    const Axes axes(c.run.slab_axis);
    const Numbers number(c);
    Setup s;
    s.axes = axes;
    s.domain = axes.in(c.domain);
    s.delete_outside = c.domain.outside == OutsideSpec::delete_ball;
    s.gravity = axes.in(c.gravity);
    s.plane = plane_of(c, axes);
    s.dt = c.run.dt;
    s.integrator = c.run.integrator;
    s.seed = c.run.seed;
    const auto is_shown = [&](const char* field) {
        return std::find(c.output.fields.begin(), c.output.fields.end(), field) != c.output.fields.end();
    };
    s.bands = is_shown("band");
    for (const ProbeSpec& p : c.probes) s.bands |= p.type == ProbeType::bands;
    s.outflow = c.output.outflow;
    s.break_events = c.output.breaks;
    s.entry_times = c.output.outflow || is_shown("entry_time");
    for (const MaterialSpec& m : c.materials) s.materials.push_back(material(m));
    for (const PairSpec& p : c.pairs)
        s.pairs.push_back({p.first, p.second, p.contact.restitution, p.contact.friction, p.contact.stiffness,
                           p.contact.stiffness_ratio, p.contact.damping, p.contact.cohesion, p.contact.rolling_friction,
                           p.contact.rolling_damping, p.contact.cohesion_density});
    s.law = c.law;
    for (const MotionSpec& m : c.motions) s.motions.push_back(motion(m, axes));
    for (std::size_t k = 0; k < c.walls.size(); ++k)
        add_walls(c, number(c.walls[k].material), c.walls[k], k < meshes.size() ? meshes[k] : Mesh{}, axes, s);
    make_wall_balls(c, s);
    for (const Outlet& o : c.outlets) s.outlets.push_back({o.name, axes.in(o.point), axes.in(o.normal)});

    add_clusters(c, std::move(clusters), s);
    for (const ShapeTemplate& shape : shapes) s.shapes.push_back(turned_in(shape, axes));

    s.insertions = inlets_of(c, s);
    for (const InsertSpec& i : c.insert) s.largest_radius = std::max(s.largest_radius, body_radii(ball_kind(c, i))[1]);
    s.energy = c.output.energy;
    s.mean_loads = c.output.forces == RowForces::mean;
    s.skin = c.run.skin.value_or(0);
    s.detector = c.run.detector.value_or(Detector::mr);  // until more is known, see choose_detector.hpp
    s.alpha = c.run.alpha;
    s.longest_interval = static_cast<std::uint64_t>(c.run.rebuild_every);
    s.rebalance_every = static_cast<std::uint64_t>(c.run.rebalance_every);
    s.balance.by_time = c.run.balance == BalanceSpec::time;
    return s;
}

}  // namespace granary
