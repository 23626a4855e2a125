#include "bench/clusters/drum_motion.hpp"

#include <algorithm>
#include <cmath>
#include "contact/laws.hpp"
#include "core/random.hpp"
#include "engine/measures.hpp"
#include "engine/setup.hpp"
#include "engine/simulation.hpp"
#include "filling/packing.hpp"

namespace granary {

namespace {

constexpr double density = 2500, gravity = 9.81, dt = 7e-5;  // kg/m^3, m/s^2, s
// Settled: the kinetic energy is so small, in weights times the radius of a single ball.
constexpr double at_rest = 0.01, look_every = 0.05, longest_settling = 1, flight = 0.25;  // s
constexpr double top_speed = 4, random_speed = 0.7;  // m/s, of the highest grain, of each grain along each axis

Setup drum_setup(const Drum& drum) {
    Setup s;
    const double out = 0.02;
    s.domain = {{-out, -out, -out}, {Drum::length + out, 2 * Drum::radius + out, 2 * Drum::radius + out}, {}};
    s.gravity = {0, 0, -gravity};
    s.dt = dt;
    Material m;
    m.name = "rock", m.density = density, m.young = 5e6, m.poisson = 0.25, m.restitution = 0.3, m.friction = 0.4;
    m.stiffness = 5e4;  // N/m: 1 N overlaps by 0.02 mm
    s.materials = {m};
    s.law.type = LawType::linear;
    const Vec3d axis{0, Drum::radius, Drum::radius};
    s.walls = {make_wall("drum", Cylinder{axis, axis + Vec3d{Drum::length, 0, 0}, Drum::radius}, 0),
               make_wall("left", Plane{{0, 0, 0}, {1, 0, 0}}, 0),
               make_wall("right", Plane{{Drum::length, 0, 0}, {-1, 0, 0}}, 0)};
    s.shapes = {drum.cluster};
    s.largest_radius = std::max(drum.cluster.outer_radius, Drum::single_radius);
    s.skin = 0.1 * Drum::single_radius;
    s.detector = Detector::mmr;
    return s;
}

template <class VelocityOf> std::vector<NewBody> grains(const Drum& drum, VelocityOf&& velocity) {
    std::vector<NewBody> all;
    for (const Vec3d& x : drum.singles)
        all.push_back(make_ball(all.size(), x, Drum::single_radius, density, 0, velocity(all.size(), x)));
    for (const Placed& c : drum.clusters) {
        NewBody b =
            make_ball(all.size(), c.centre, drum.cluster.outer_radius, density, 0, velocity(all.size(), c.centre));
        b.mass = density * drum.cluster.volume, b.inertia = 1;
        b.rigid_shape = 1;
        b.orientation[0] = c.orientation.w, b.orientation[1] = c.orientation.x;
        b.orientation[2] = c.orientation.y, b.orientation[3] = c.orientation.z;
        all.push_back(b);
    }
    return all;
}

DrumRun run(const boost::mpi::communicator& comm, Drum& drum, Setup setup, std::vector<NewBody> all, double time,
            bool until_at_rest) {
    DrumRun made;
    for (const NewBody& b : all) made.weight_height += b.mass * gravity * Drum::single_radius;
    setup.start = shares_of(std::move(all));
    Simulation sim(comm, std::move(setup));
    Measures measures;
    for (double look = look_every; sim.clock().time() < time; look += look_every) {
        while (sim.clock().time() < std::min(look, time)) sim.step();
        measures = measures_of(sim);
        if (until_at_rest && measures.kinetic_energy < at_rest * made.weight_height) break;
    }
    made.time = sim.clock().time(), made.kinetic_energy = measures.kinetic_energy;
    made.largest_overlap = measures.largest_overlap();
    const Bodies& b = sim.bodies();
    for (const Range& range : b.real)
        for (Index i = range.begin; i < range.end; ++i) {
            const std::size_t k = b.id(i);
            if (k < drum.singles.size()) {
                drum.singles[k] = b.x(i);
                continue;
            }
            Placed& c = drum.clusters[k - drum.singles.size()];
            c.centre = b.x(i);
            c.orientation = {b.orientation(i, 0), b.orientation(i, 1), b.orientation(i, 2), b.orientation(i, 3)};
        }
    return made;
}

double dice(std::uint64_t grain, std::uint32_t axis) {
    return 2 * uniform(RandomKey{1, Purpose::test, 7, grain, 0}, axis) - 1;
}

}  // namespace

DrumRun settle(const boost::mpi::communicator& comm, Drum& drum) {
    return run(comm, drum, drum_setup(drum), grains(drum, [](std::size_t, const Vec3d&) { return Vec3d{}; }),
               longest_settling, true);
}

DrumRun throw_up(const boost::mpi::communicator& comm, Drum& drum) {
    double top = 0;
    for (const Vec3d& x : drum.singles) top = std::max(top, x.z);
    for (const Placed& c : drum.clusters) top = std::max(top, c.centre.z);
    return run(
        comm, drum, drum_setup(drum),
        grains(drum,
               [&](std::size_t k, const Vec3d& x) {
                   return random_speed * Vec3d{dice(k, 0), dice(k, 1), dice(k, 2)} + Vec3d{0, 0, top_speed * x.z / top};
               }),
        flight, false);
}

Drum drum_at_rest_or_in_flight(const boost::mpi::communicator& comm, int distribution, const FittedCluster& kind,
                               DrumRun& last) {
    Drum drum = packed_drum(distribution, kind, false);
    last = settle(comm, drum);
    if (is_loose(distribution)) last = throw_up(comm, drum);
    return drum;
}

}  // namespace granary
