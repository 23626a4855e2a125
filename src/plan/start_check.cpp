#include "plan/start_check.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include "core/errors.hpp"
#include "decomposition/together.hpp"

namespace granary {

namespace {

constexpr double too_deep = 0.5, worth_a_word = 0.05;  // overlap over radius

std::string ball(const Simulation& sim, Index i) {
    const Bodies& b = sim.bodies();
    const Vec3d x = sim.setup().axes.out(b.x(i));
    if (b.is_shape(i))
        return fmt::format("grain {} (\"{}\", in a ball of radius {:.4g} m) at ({:.6g}, {:.6g}, {:.6g}) m", b.id(i),
                           sim.setup().shapes[b.shape(i) - std::size_t{1}].name, b.radius(i), x.x, x.y, x.z);
    return fmt::format("ball {} of radius {:.4g} m at ({:.6g}, {:.6g}, {:.6g}) m", b.id(i), b.radius(i), x.x, x.y, x.z);
}

std::string outside(const Simulation& sim, Index i) {
    const Domain& d = sim.neighbourhood().cubes.domain();
    const Vec3d x = sim.bodies().x(i);
    for (int axis = 0; axis < 3; ++axis)
        if (!(at(x, axis) >= at(d.lower, axis) && at(x, axis) <= at(d.upper, axis)))
            return fmt::format(
                "at the start {} is outside the domain, which extends from {:.6g} to {:.6g} m along {}: move the ball, "
                "or "
                "enlarge [domain]",
                ball(sim, i), at(d.lower, axis), at(d.upper, axis), sim.setup().axes.name(axis));
    return {};
}

// The worst overlap that this rank sees, as a share of the radius, and what it has to say about it.
struct Worst {
    double share = 0;
    std::string text;
};

void look_at_walls(const Simulation& sim, Index i, Worst& worst) {
    const Bodies& b = sim.bodies();
    for (std::size_t k = 0; k < sim.walls().walls().size(); ++k) {
        const Wall& w = sim.walls().walls()[k];
        if (sim.setup().is_of_balls(k)) continue;
        const double distance = closest(w.shape, b.x(i)).distance;
        if (b.is_shape(i) && distance >= 0) continue;  // how deep its surface is: look_at_shapes
        const double share = 1 - distance / b.radius(i);
        if (share <= worst.share) continue;
        worst.share = share;
        worst.text = share > 1
                         ? fmt::format("{} is behind the wall \"{}\"; balls belong on the side its normal points to",
                                       ball(sim, i), w.name)
                         : fmt::format("{} reaches {:.3g} % of its radius into the wall \"{}\"", ball(sim, i),
                                       100 * share, w.name);
    }
}

void look_at_partners(const Simulation& sim, Index i, Worst& worst) {
    const Bodies& b = sim.bodies();
    const PairList& pairs = sim.forces().pairs;
    for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot) {
        if (pairs.is_masked(slot)) continue;  // bonded
        const Index j = pairs.partner_of(slot);
        const double overlap = b.radius(i) + b.radius(j) - norm(b.x(i) - b.x(j));
        const double share = overlap / std::min(b.radius(i), b.radius(j));
        if (share <= worst.share) continue;
        worst = {share, fmt::format("{} and {} overlap by {:.3g} % of the smaller radius{}", ball(sim, i), ball(sim, j),
                                    100 * share,
                                    share > 1 && b.has(When::clusters) && b.cluster(i) == b.cluster(j)
                                        ? ": both belong to one cluster, which is longer than a period of the domain"
                                        : "")};
    }
}

// By their true surfaces, as shares of the least radius of the part that touches. A polyhedron at a wall may lie over
// its rim, half behind it: that is worth a word, but no error.
void look_at_shapes(const Simulation& sim, Worst& worst) {
    const auto take = [&](double overlap, double radius, auto&& text, double most = 1e9) {
        const double share = overlap / radius, counted = std::min(share, most);
        if (counted > worst.share) worst = {counted, text(100 * share)};
    };
    for (const ShapeTouch& t : sim.forces().shapes.touches())
        take(t.overlap, t.least_radius, [&](double percent) {
            return fmt::format("{} and {} overlap by {:.3g} % of their smaller half width", ball(sim, t.lower),
                               ball(sim, t.upper), percent);
        });
    for (const ShapeWallTouch& t : sim.forces().shapes.walls.touches())
        take(
            t.at.overlap, t.at.least_radius,
            [&](double percent) {
                return fmt::format("{} reaches {:.3g} % of its smaller half width into the wall \"{}\"",
                                   ball(sim, t.body), percent, sim.setup().walls[t.at.wall].name);
            },
            t.at.area > 0 ? too_deep : 1e9);
}

void look_at_wall_balls(const Simulation& sim, Worst& worst) {
    const Bodies& b = sim.bodies();
    for (const WallBallCandidate& c : sim.forces().wall_ball_contacts.candidates()) {
        const WallBall& w = sim.forces().wall_balls.balls()[c.ball];
        const double overlap = b.radius(c.body) + w.radius - norm(b.x(c.body) - w.centre);
        const double share = overlap / std::min(b.radius(c.body), w.radius);
        if (share <= worst.share) continue;
        worst = {share, fmt::format("{} reaches {:.3g} % of the smaller radius into a ball of the wall \"{}\"",
                                    ball(sim, c.body), 100 * share, sim.setup().walls[w.wall].name)};
    }
}

}  // namespace

std::string check_start(const Simulation& sim, std::uint64_t bonds) {
    if (sim.forces().bonds.possible()) {
        const std::uint64_t found = sim.forces().bonds.counts(sim.comm(), sim.bodies(), sim.neighbourhood()).whole;
        if (found < bonds)
            throw InputError(
                fmt::format("{} of {} bonds join balls that are farther apart than bonds reach, {:.4g} m between their "
                            "surfaces (expected shorter bonds, or a larger longest_stretch of [[bonds]])",
                            bonds - found, bonds, sim.setup().bond_reach));
    }
    std::string lost;
    Worst worst;
    for (const Range& range : sim.bodies().real)
        for (Index i = range.begin; i < range.end; ++i) {
            if (lost.empty()) lost = outside(sim, i);
            look_at_walls(sim, i, worst);
        }
    for (Index i = 0; i < sim.forces().pairs.n_bodies; ++i)
        look_at_partners(sim, i, worst);  // ghosts too: one side suffices
    look_at_wall_balls(sim, worst);
    look_at_shapes(sim, worst);

    throw_first(sim.comm(), ErrorKind::input, lost);
    const double share = boost::mpi::all_reduce(sim.comm(), worst.share, boost::mpi::maximum<double>());
    if (share <= worth_a_word) return {};
    const std::string text = "at the start " + first_text(sim.comm(), worst.share == share ? worst.text : "");
    if (share > too_deep) throw InputError(text);
    return text + "; expect large forces in the first steps";
}

}  // namespace granary
