#include "app/start_state.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <cmath>
#include <functional>
#include <memory>
#include "app/surface_sums.hpp"
#include "core/errors.hpp"
#include "decomposition/reductions.hpp"
#include "decomposition/rendezvous.hpp"
#include "io/state_file.hpp"
#include "io/state_problems.hpp"

namespace granary {

namespace {

constexpr std::uint32_t unmatched = ~std::uint32_t{0};
constexpr double deep_overlap = 0.02;  // of a radius: said

template <class Named>
std::vector<std::uint32_t> matched(const std::vector<std::string>& names, const std::vector<Named>& to) {
    std::vector<std::uint32_t> number;
    for (const std::string& name : names) {
        const auto at = std::find_if(to.begin(), to.end(), [&](const Named& n) { return n.name == name; });
        number.push_back(at == to.end() ? unmatched : static_cast<std::uint32_t>(at - to.begin()));
    }
    return number;
}

// Velocity and spin are stored half a step behind; the new run starts from those at the time of the state. The old gravity is not in
// the file: the present one stands in, an error of at most g dt/2. Under gear they belong to the time of the state, and dt is 0 here.
NewBody body_at_rest_of_step(const StateBody& s, double dt, const Axes& axes, const Vec3d& gravity,
                             std::uint16_t material) {
    const Vec3d v{s.velocity[0], s.velocity[1], s.velocity[2]}, w{s.spin[0], s.spin[1], s.spin[2]};
    const Vec3d f{s.force[0], s.force[1], s.force[2]}, t{s.torque[0], s.torque[1], s.torque[2]};
    NewBody b;
    b.id = s.id;
    b.position = axes.in(Vec3d{s.position[0], s.position[1], s.position[2]});
    b.radius = s.position[3];
    b.velocity = axes.in(v + f * (0.5 * dt * s.velocity[3])) + gravity * (0.5 * dt);
    b.spin = axes.in(w + t * (0.5 * dt * s.spin[3]));
    b.mass = 1 / s.velocity[3], b.inertia = 1 / s.spin[3];
    b.material = material, b.band = s.band;
    return b;
}

// Positions are wrapped only at a rebuild, so a few may stand just outside a periodic face.
void wrap(Vec3d& x, const Domain& d) {
    for (int axis = 0; axis < 3; ++axis) {
        const double length = at(d.upper, axis) - at(d.lower, axis);
        if (!d.periodic[axis]) continue;
        if (at(x, axis) < at(d.lower, axis)) at(x, axis) += length;
        if (at(x, axis) >= at(d.upper, axis)) at(x, axis) -= length;
    }
}

bool outside(const Vec3d& x, const Domain& d) {
    bool out = false;
    for (int axis = 0; axis < 3; ++axis) out |= !(at(x, axis) >= at(d.lower, axis) && at(x, axis) <= at(d.upper, axis));
    return out;
}

}  // namespace

StartState start_from(const boost::mpi::communicator& comm, const std::string& path, const Axes& axes, Setup& setup) {
    StateData state = read_state(comm, path);
    // Of a checkpoint: balls that have crossed an outlet of the old run are no longer inside.
    const std::set<Id> crossed = crossed_in(state.header);
    state.n_bodies -= crossed.size();
    std::erase_if(state.bodies, [&](const StateBody& b) { return crossed.contains(b.id); });
    std::erase_if(state.contacts, [&](const ContactRecord& c) {
        return crossed.contains(c.body) || crossed.contains(without_mark(c.partner));
    });
    const auto material = matched(state.header.material_names, setup.materials);
    auto wall = matched(state.header.wall_names, setup.walls);
    StartState start{state.header.time, state.n_bodies, {}};

    double widest = 0;
    for (const StateBody& s : state.bodies) widest = std::max(widest, s.position[3]);
    if (widest > 0) prepare_meshes(setup.walls, widest);

    // Bodies of this rank's share, their materials and places looked at.
    auto bodies = std::make_shared<std::vector<NewBody>>();
    std::string trouble;
    std::uint64_t deep = 0;
    double largest = 0, deepest = 0;
    for (const StateBody& s : state.bodies) {
        if (const std::string problem = problem_of(s, ~std::size_t{0}); !problem.empty()) {
            trouble = fmt::format("{}: {}", path, problem);
            break;
        }
        if (s.material >= material.size() || material[s.material] == unmatched) {
            trouble = fmt::format(
                "{}: its balls are of the material '{}', which this case does not have; add it to [[materials]]", path,
                s.material < material.size() ? state.header.material_names[s.material] : "unknown");
            break;
        }
        NewBody b = body_at_rest_of_step(s, state.header.run.integers.contains(gear_name) ? 0 : state.header.dt, axes,
                                         setup.gravity, static_cast<std::uint16_t>(material[s.material]));
        wrap(b.position, setup.domain);
        if (outside(b.position, setup.domain)) {
            const Vec3d x = axes.out(b.position);
            trouble = fmt::format(
                "{}: ball {} at ({:.6g}, {:.6g}, {:.6g}) m is outside the domain of this case; enlarge [domain]", path,
                b.id, x.x, x.y, x.z);
            break;
        }
        double share = 0;
        for (std::size_t w = 0; w < setup.walls.size(); ++w)
            if (!setup.is_of_balls(w))
                share = std::max(share, (b.radius - closest(setup.walls[w].shape, b.position).distance) / b.radius);
        deep += share > deep_overlap ? 1 : 0;
        deepest = std::max(deepest, share);
        largest = std::max(largest, b.radius);
        bodies->push_back(b);
    }
    trouble = first_text(comm, trouble);
    if (!trouble.empty()) throw InputError(trouble);
    setup.largest_radius =
        std::max(setup.largest_radius, boost::mpi::all_reduce(comm, largest, boost::mpi::maximum<double>()));
    deep = boost::mpi::all_reduce(comm, deep, std::plus<std::uint64_t>());
    deepest = boost::mpi::all_reduce(comm, deepest, boost::mpi::maximum<double>());
    if (deep > 0)
        start.remarks.push_back(fmt::format(
            "{} balls of {} overlap a wall by more than {:.0f} % of their radius, at most {:.0f} %: they will be "
            "pushed away hard",
            deep, path, 100 * deep_overlap, 100 * deepest));
    for (std::size_t w = 0; w < wall.size(); ++w)
        if (wall[w] == unmatched)
            start.remarks.push_back(fmt::format("the wall '{}' of {} is not in this case: friction at it starts anew",
                                                state.header.wall_names[w], path));
    // Their springs are kept by number, and another drawing or silo gives the same number to another triangle or wall ball.
    const SurfaceSums then = SurfaceSums::in(state.header.run), now = surface_sums(setup);
    for (std::size_t w = 0; w < wall.size(); ++w) {
        if (wall[w] == unmatched || then.sum(w) == now.sum(wall[w])) continue;
        start.remarks.push_back(
            fmt::format("the wall '{}' is not made of the triangles or wall balls that it was made of in {}: friction "
                        "at it starts anew",
                        state.header.wall_names[w], path));
        wall[w] = unmatched;
    }

    // Springs with the body they belong to, in the order of the bodies' ids.
    std::vector<Id> ids;
    for (const NewBody& b : *bodies) ids.push_back(b.id);
    auto springs = std::make_shared<std::vector<ContactRecord>>(springs_of(comm, ids, state.contacts));
    for (ContactRecord& c : *springs) {
        const Vec3d xi = axes.in(Vec3d{c.xi[0], c.xi[1], c.xi[2]});
        c.xi[0] = xi.x, c.xi[1] = xi.y, c.xi[2] = xi.z;
        if (!is_wall(c.partner)) continue;
        const Id mark = c.partner & rolling_bit;
        const auto known = [&](std::size_t old) { return old < wall.size() && wall[old] != unmatched; };
        if (is_wall_ball(c.partner)) {
            const auto old = then.place_of(static_cast<std::uint32_t>(c.partner));
            c.partner = old && known(old->wall) ? wall_ball_partner(now.first_ball(wall[old->wall]) + old->number)
                                                : wall_partner(no_wall);
        } else {
            const std::uint32_t old = wall_number(c.partner);
            c.partner = wall_partner(known(old) ? wall[old] : no_wall, wall_place(c.partner));
        }
        c.partner |= mark;
    }
    setup.in_shares = true;
    setup.bodies = [bodies, springs](const BodySink& sink) {
        std::vector<ContactBook::Entry> entries;
        for (const NewBody& b : *bodies) {
            entries.clear();
            auto at = std::lower_bound(springs->begin(), springs->end(), b.id,
                                       [](const ContactRecord& c, Id id) { return c.body < id; });
            for (; at != springs->end() && at->body == b.id; ++at)
                entries.push_back({at->partner, {at->xi[0], at->xi[1], at->xi[2]}});
            sink(b, entries);
        }
    };
    return start;
}

}  // namespace granary
