#include "plan/start_state.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <cmath>
#include <functional>
#include <memory>
#include "engine/surface_sums.hpp"
#include "core/errors.hpp"
#include "decomposition/together.hpp"
#include "io/state/state_file.hpp"
#include "plan/start_shapes.hpp"
#include "core/state_problems.hpp"

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

// Velocity and spin are stored half a step behind; the new run starts from those at the time of the state. The old
// gravity is not in the file: the present one stands in, an error of at most g dt/2. Under gear they belong to the time
// of the state, and dt is 0 here. time: of the state, from which the time of entry counts.
NewBody body_at_rest_of_step(const BodyRecord& s, double time, double dt, const Axes& axes, const Vec3d& gravity,
                             std::uint16_t material) {
    const Vec3d v{s.velocity[0], s.velocity[1], s.velocity[2]}, w{s.spin[0], s.spin[1], s.spin[2]};
    const Vec3d f{s.force[0], s.force[1], s.force[2]}, t{s.torque[0], s.torque[1], s.torque[2]};
    NewBody b;
    b.id = s.id;
    b.position = axes.in(Vec3d{s.position[0], s.position[1], s.position[2]});
    b.radius = s.position[3];
    b.velocity = axes.in(v + f * (0.5 * dt * s.velocity[3])) + gravity * (0.5 * dt);
    b.spin = axes.in(w + t * (0.5 * dt * s.spin[3]));
    b.held = s.held;
    b.mass = s.held != 0 ? s.held_mass : 1 / s.velocity[3];
    b.inertia = s.held != 0 ? 0.4 * b.mass * b.radius * b.radius : 1 / s.spin[3];
    b.material = material, b.band = s.band;
    if (!std::isnan(s.entry_time)) b.entry_time = s.entry_time - time;
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

// A state as the new case sees it: its bodies and springs, slice by slice, under the case's numbers.
class StateAsStart {
  public:
    StateAsStart(const boost::mpi::communicator& comm, const std::string& path, const Axes& axes, const Setup& setup,
                 HoldsOfStart holds)
        : state(comm, path, {.rows_at_once = 1024}),  // a saved body is large, and there are copies on the way
          material(matched(state.header.material_names, setup.materials)),
          wall(matched(state.header.wall_names, setup.walls)),
          then(SurfaceSums::in(state.header.run)),
          now(surface_sums(setup)),
          shapes(state.header.run, setup.shapes, axes),
          crossed_(crossed_in(state.header)),
          axes_(axes),
          gravity_(setup.gravity),
          plane_(setup.plane),
          domain_(setup.domain),
          n_holds_(setup.holds.size()),
          holds_(std::move(holds)) {}

    // Of a checkpoint: balls that have crossed an outlet of the old run are no longer inside.
    std::uint64_t n_bodies() const { return state.n_bodies() - crossed_.size(); }

    void for_states(const std::function<void(std::span<const BodyRecord>)>& use,
                    std::span<const Column> only = {}) const {
        state.for_bodies(
            [&](std::span<BodyRecord> slice) {
                const auto end = std::remove_if(slice.begin(), slice.end(),
                                                [&](const BodyRecord& b) { return crossed_.contains(b.id); });
                for (auto b = slice.begin(); b != end; ++b) hold_or_free(*b);
                use({slice.begin(), end});
            },
            only);
    }

    NewBody body_of(const BodyRecord& s) const {
        NewBody b = body_at_rest_of_step(s, state.header.time,
                                         state.header.run.integers.contains(gear_name) ? 0 : state.header.dt, axes_,
                                         gravity_, static_cast<std::uint16_t>(material[s.material]));
        wrap(b.position, domain_);
        if (plane_.given()) expect_in_plane(b);
        return b;
    }

    // What a new body does not have, at the time of the state as well.
    BodyRecord columns_of(const BodyRecord& s) const {
        BodyRecord columns = s;
        columns.shape = shapes.number(s.shape);
        if (s.shape != 0 && !state.header.run.integers.contains(gear_name))
            for (int axis = 0; axis < 3; ++axis)
                columns.angular_momentum[axis] += 0.5 * state.header.dt * s.torque[axis];
        axes_.turn_in(columns);
        return columns;
    }

    void for_contacts(const std::function<void(std::span<const ContactRecord>)>& use) const {
        state.for_contacts([&](std::span<ContactRecord> slice) {
            const auto end = std::remove_if(slice.begin(), slice.end(), [&](const ContactRecord& c) {
                return crossed_.contains(c.body) || (c.partner.is_body() && crossed_.contains(c.partner.number()));
            });
            for (auto c = slice.begin(); c != end; ++c) translate(*c);
            use({slice.begin(), end});
        });
    }

    OpenState state;
    std::vector<std::uint32_t> material, wall;  // number in this case
    SurfaceSums then, now;
    StartShapes shapes;
    double time_before = 0;  // s, of the state less that of the start: bonds keep their age

  private:
    void expect_in_plane(NewBody& b) const {
        const int n = plane_.normal;
        bool moves = at(b.velocity, n) != 0;
        for (int axis = 0; axis < 3; ++axis) moves |= axis != n && at(b.spin, axis) != 0;
        if (std::abs(at(b.position, n) - plane_.at) > 1e-6 * b.radius || moves)
            throw InputError(
                fmt::format("ball {} does not move in the plane {} = {:.6g} of this case (expected a state "
                            "of a run in the same plane)",
                            b.id, axes_.name(n), plane_.at));
        at(b.position, n) = plane_.at;
    }

    // A ball that the old run held and that this case does not hold is free, with the mass that it had.
    void hold_or_free(BodyRecord& b) const {
        if (!(b.position[3] > 0)) return;  // only some columns were read, or it has no radius
        const bool was_held = b.held != 0;
        std::uint16_t holder = b.held <= n_holds_ ? b.held : 0;
        if (holds_) holder = holds_(b.id, {b.position[0], b.position[1], b.position[2]}, holder);
        if (was_held && holder == 0 && b.held_mass > 0) {
            b.velocity[3] = 1 / b.held_mass;
            if (b.shape == 0) b.spin[3] = 1 / (0.4 * b.held_mass * b.position[3] * b.position[3]);
        } else if (!was_held && holder != 0 && b.velocity[3] > 0) {
            b.held_mass = 1 / b.velocity[3];
            b.velocity[3] = b.spin[3] = 0;
        } else if (was_held != (holder != 0)) {
            return;  // no mass: its problem is named where bodies are looked at
        }
        b.held = holder;
    }

    void translate(ContactRecord& c) const {
        axes_.turn_in(c);
        if (c.partner.kind() == HistoryKind::bond_nature) c.xi[2] -= time_before;
        if (c.partner.is_body()) return;
        const HistoryKind kind = c.partner.kind();
        const auto number = static_cast<std::uint32_t>(c.partner.number());
        const auto known = [&](std::size_t old) { return old < wall.size() && wall[old] != unmatched; };
        if (c.partner.of() == PartnerClass::wall_ball) {
            const auto old = then.place_of(number);
            c.partner = old && known(old->wall) ? wall_ball_partner(now.first_ball(wall[old->wall]) + old->number)
                                                : wall_partner(no_wall);
        } else {
            c.partner = wall_partner(known(number) ? wall[number] : no_wall, c.partner.feature());
        }
        c.partner = c.partner.with(kind);
    }

    std::set<Id> crossed_;
    Axes axes_;
    Vec3d gravity_;
    Setup::Plane plane_;
    Domain domain_;
    std::size_t n_holds_ = 0;
    HoldsOfStart holds_;
};

}  // namespace

StartState start_from(const boost::mpi::communicator& comm, const std::string& path, const Axes& axes, Setup& setup,
                      bool time_zero, HoldsOfStart holds) {
    const auto old = std::make_shared<StateAsStart>(comm, path, axes, setup, std::move(holds));
    const StateHeader& header = old->state.header;
    if (time_zero) old->time_before = header.time;
    StartState start{header.time, old->n_bodies(), {}};

    double largest = 0;
    constexpr Column sizes[] = {Column::id, Column::position};
    old->for_states(
        [&](std::span<const BodyRecord> slice) {
            for (const BodyRecord& s : slice) largest = std::max(largest, s.position[3]);
        },
        sizes);
    if (largest > 0 && std::isfinite(largest)) prepare_meshes(setup.walls, largest);

    // Materials and places of this rank's share.
    std::string trouble;
    std::uint64_t deep = 0;
    double deepest = 0;
    bool unnamed = false;  // there are shapes, and the state does not say which
    const auto look_at = [&](const BodyRecord& s) {
        if (const std::string problem = problem_of(s, ~std::size_t{0}, setup.holds.size(), old->shapes.count());
            !problem.empty()) {
            trouble = fmt::format("{}: {}", path, problem);
            return;
        }
        if (s.shape != 0 && !old->shapes.problem(s.shape).empty()) {
            trouble = fmt::format("{}: {}", path, old->shapes.problem(s.shape));
            return;
        }
        unnamed |= s.shape != 0 && !old->shapes.known();
        if (s.material >= old->material.size() || old->material[s.material] == unmatched) {
            trouble = fmt::format(
                "{}: its balls are of the material '{}', which this case does not have; add it to [[materials]]", path,
                s.material < old->material.size() ? header.material_names[s.material] : "unknown");
            return;
        }
        const NewBody b = old->body_of(s);
        if (outside(b.position, setup.domain)) {
            const Vec3d x = axes.out(b.position);
            trouble = fmt::format(
                "{}: ball {} at ({:.6g}, {:.6g}, {:.6g}) m is outside the domain of this case; enlarge [domain]", path,
                b.id, x.x, x.y, x.z);
            return;
        }
        double share = 0;
        for (std::size_t w = 0; w < setup.walls.size() && s.shape == 0; ++w)  // shapes: plan/start_check.cpp
            if (!setup.is_of_balls(w))
                share = std::max(share, (b.radius - closest(setup.walls[w].shape, b.position).distance) / b.radius);
        deep += share > deep_overlap ? 1 : 0;
        deepest = std::max(deepest, share);
    };
    old->for_states([&](std::span<const BodyRecord> slice) {
        for (const BodyRecord& s : slice)
            if (trouble.empty()) look_at(s);
    });
    throw_first(comm, ErrorKind::input, trouble);
    setup.largest_radius =
        std::max(setup.largest_radius, boost::mpi::all_reduce(comm, largest, boost::mpi::maximum<double>()));
    deep = boost::mpi::all_reduce(comm, deep, std::plus<std::uint64_t>());
    deepest = boost::mpi::all_reduce(comm, deepest, boost::mpi::maximum<double>());
    if (deep > 0)
        start.remarks.push_back(
            fmt::format("{} balls of {} overlap a wall by more than {:.0f} % of their radius, at most {:.0f} %: expect "
                        "large forces in the first steps",
                        deep, path, 100 * deep_overlap, 100 * deepest));
    if (boost::mpi::all_reduce(comm, unnamed, std::logical_or<bool>()))
        start.remarks.push_back(
            fmt::format("{} was written by an older version and does not name its shapes: its numbers are taken for "
                        "those of [[shapes]] in this case, in their order",
                        path));
    std::vector<std::uint32_t>& wall = old->wall;
    for (std::size_t w = 0; w < wall.size(); ++w)
        if (wall[w] == unmatched)
            start.remarks.push_back(
                fmt::format("the wall '{}' of {} is not in this case: friction there starts from zero",
                            header.wall_names[w], path));
    // Their springs are kept by number, and another drawing or silo gives the same number to another triangle or wall
    // ball.
    for (std::size_t w = 0; w < wall.size(); ++w) {
        if (wall[w] == unmatched || old->then.sum(w) == old->now.sum(wall[w])) continue;
        start.remarks.push_back(
            fmt::format("the wall '{}' has other triangles or wall balls than in {}: friction "
                        "there starts from zero",
                        header.wall_names[w], path));
        wall[w] = unmatched;
    }

    setup.start.saved = [old](const boost::mpi::communicator&, const StartShares::UseSaved& use) {
        std::vector<StartShares::SavedBody> bodies;
        old->for_states([&](std::span<const BodyRecord> slice) {
            bodies.clear();
            for (const BodyRecord& s : slice) bodies.push_back({old->body_of(s), old->columns_of(s)});
            use(bodies);
        });
    };
    setup.start.contacts = [old](const boost::mpi::communicator&, const auto& use) { old->for_contacts(use); };
    return start;
}

}  // namespace granary
