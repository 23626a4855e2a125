// What stops a run: a number that is none, a ball too fast for its step, a ball lost. One rank sees it, all ranks stop,
// one message.
#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <cmath>
#include "engine/measures.hpp"
#include "contact/contact_geometry.hpp"
#include "core/errors.hpp"
#include "core/overlap_limits.hpp"

namespace granary {

std::string Simulation::describe(Index i) const {
    const Vec3d x = setup_.axes.out(bodies_.x(i)), v = bodies_.v(i);
    return fmt::format(
        "ball {} of radius {:.4g} m at ({:.6g}, {:.6g}, {:.6g}) m, speed {:.4g} m/s, step {} (t = {:.6g} s, rank {})",
        bodies_.id(i), bodies_.radius(i), x.x, x.y, x.z, norm(v), clock_.step(), clock_.time(), comm_.rank());
}

// One that is no number or too fast tells of something worse than a gap between walls.
bool Simulation::may_delete(Index i) const {
    const Vec3d x = bodies_.x(i);
    const double speed = norm(bodies_.v(i)), edge = hood_.smallest_edge();
    return setup_.delete_outside && std::isfinite(dot(x, x) + speed) && speed * setup_.dt <= 0.5 * edge;
}

void Simulation::check_speed(double speed) {
    const double edge = hood_.smallest_edge();
    if (!(speed * setup_.dt <= 0.5 * edge)) stop_for_bad_bodies();
}

std::string too_fast_wall(const MovingWalls& walls, std::size_t motion, double dt, const Vec3d& cube_edge) {
    const double half_edge = 0.5 * std::min({cube_edge.x, cube_edge.y, cube_edge.z});
    const double speed = walls.greatest(motion);
    if (speed * dt <= half_edge) return {};
    return fmt::format(
        "the motion \"{}\" moves a wall at {:.4g} m/s: {:.3g} m in one step, more than half a search cell "
        "({:.3g} m); use a slower motion, or dt below {:.2g} s",
        walls.motions()[motion].name, speed, speed * dt, half_edge, half_edge / speed);
}

void Simulation::check_walls() const {
    for (std::size_t k = 0; k < setup_.motions.size(); ++k)
        if (const std::string text = too_fast_wall(walls_, k, setup_.dt, hood_.cubes.edge); !text.empty())
            throw InputError(text);
}

void Simulation::stop_for_bad_bodies() {
    const Domain& d = hood_.cubes.domain();
    const double half_edge = 0.5 * hood_.smallest_edge();
    // By an outlet: such a ball may be anywhere until the next rebuild.
    const std::vector<char> has_left = counts_.marks_of_crossed(bodies_);
    std::string mine;
    for (const Range& range : bodies_.real)
        for (Index i = range.begin; i < range.end && mine.empty(); ++i) {
            const Vec3d x = bodies_.x(i), v = bodies_.v(i);
            const double speed = norm(v);
            if (!std::isfinite(dot(x, x) + speed)) {
                mine = fmt::format(
                    "not a number: {}. Likely cause: two balls created at the same position, or a time step far too "
                    "large "
                    "for "
                    "the stiffness (dt = {:.3g} s)",
                    describe(i), setup_.dt);
            } else if (speed * setup_.dt > half_edge) {
                mine = fmt::format(
                    "too fast: {} moves {:.3g} m in one step, more than half a search cell ({:.3g} m). Likely cause: a "
                    "time "
                    "step "
                    "too large for the stiffness, or balls that overlap strongly at the start; try dt below {:.2g} s",
                    describe(i), speed * setup_.dt, half_edge, 0.1 * setup_.dt);
            }
            for (int axis = 0; axis < 3 && mine.empty() && has_left[i] == 0 && !setup_.delete_outside; ++axis)
                if (at(x, axis) < at(d.lower, axis) || at(x, axis) > at(d.upper, axis)) {
                    if (d.periodic[axis]) continue;
                    mine = fmt::format(
                        "lost: {} has left the domain along {} without crossing an outlet. Likely cause: a gap between "
                        "walls, a ball pressed or shot through a wall (try a smaller dt), or a domain too small: "
                        "enlarge [domain], add an outlet there, or delete such balls with domain.outside = "
                        "\"delete\"",
                        describe(i), setup_.axes.name(axis));
                }
        }
    const std::string text = first_text(comm_, mine);
    throw RunError((text.empty() ? fmt::format("a ball has moved through more than one period in one step (step {})",
                                               clock_.step())
                                 : text) +
                   deep_overlaps_text());
}

// Often the cause of what is seen elsewhere and later.
std::string Simulation::deep_overlaps_text() {
    hood_.refresh(bodies_);  // before a rebuild only real bodies have moved
    std::vector<double> mine(setup_.walls.size() + 1, 0.0), all(mine.size());  // at each wall; between balls
    forces_.wall_contacts.deepest(bodies_, walls_.walls(), mine);
    forces_.wall_ball_contacts.deepest(bodies_, forces_.wall_balls.balls(), mine);
    forces_.shapes.walls.deepest(mine);
    std::uint64_t ignored[4] = {0, 0, 0, 0};
    forces_.shapes.count_contacts(bodies_, hood_, ignored, mine.back());
    for (Index i = 0; i < forces_.pairs.n_bodies; ++i)
        for (Index slot = forces_.pairs.begin(i); slot < forces_.pairs.begin(i + 1); ++slot)
            if (!forces_.pairs.is_masked(slot))
                mine.back() = std::max(mine.back(), overlap_share(bodies_, i, forces_.pairs.partner_of(slot)));
    boost::mpi::all_reduce(comm_, mine.data(), static_cast<int>(mine.size()), all.data(),
                           boost::mpi::maximum<double>());
    std::string text;
    const auto add = [&](double share, const std::string& where) {
        if (share > overlap_worth_a_warning)
            text += fmt::format("{} by {:.3g} % of a radius {}", text.empty() ? "" : ",", 100 * share, where);
    };
    add(all.back(), "with each other");
    for (std::size_t w = 0; w < setup_.walls.size(); ++w)
        add(all[w], fmt::format("at the wall \"{}\"", setup_.walls[w].name));
    return text.empty() ? text : ". At this step balls overlap" + text;
}

}  // namespace granary
