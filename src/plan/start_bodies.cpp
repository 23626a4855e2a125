#include "plan/start_bodies.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/operations.hpp>
#include <functional>
#include <memory>
#include <numbers>
#include <utility>
#include "core/elementary.hpp"
#include "core/errors.hpp"
#include "decomposition/together.hpp"
#include "filling/bodies_file.hpp"
#include "filling/cluster_copies.hpp"
#include "filling/packing.hpp"
#include "plan/case_setup.hpp"
#include "plan/cluster_plan.hpp"
#include "shapes/quaternion.hpp"

namespace granary {

namespace {

double ball_volume(double r) { return 4.0 / 3.0 * std::numbers::pi * r * r * r; }

// The bodies of one [[bodies]], in the axes of the user.
struct Source {
    StartShares shares;
    std::uint64_t count = 0;
    double largest_radius = 0;  // m
};

// What the source as a whole says about its bodies.
struct Common {
    const BodiesSpec& spec;
    std::string key;  // for what is wrong
    Id first_id = 0;
    std::uint16_t stream = 0;
    std::uint64_t seed = 0;
};

FileBodies file_of(const Case& c, const Common& common) {
    const BodiesSpec& b = common.spec;
    FileBodies file;
    const MaterialOfCase material = material_of(c, b.material);
    file.path = b.file, file.density = material.density, file.material = material.number;
    file.velocity = b.velocity, file.spin = b.spin, file.first_id = common.first_id, file.scale = b.scale;
    file.named = {{b.material, material.number, material.density}};
    if (c.domain.is_plane())
        file.normal = c.domain.normal, file.plane = c.domain.plane(), file.thickness = c.domain.thickness.value_or(0);
    if (const GrainKind kind = grain_kind(c, b.grains, b.material); kind.rigid_shape != 0) {
        const ShapeSpec& shape = c.shapes[kind.rigid_shape - 1u];
        const MaterialOfCase own = material_of(c, shape.material.empty() ? b.material : shape.material);
        file.material = own.number, file.density = own.density;
        file.named = {{shape.material.empty() ? b.material : shape.material, own.number, own.density}};
        file.rigid_shape = kind.rigid_shape, file.radius_factor = shape.radius_factor;
        file.shape_radius = shape.outer_radius / shape.radius_factor;
        file.turned_at_random = shape.orientation == ClusterTurn::random, file.seed = common.seed;
    }
    for (const std::string& name : b.mix.mixed_with) {
        const MaterialOfCase m = material_of(c, name);
        file.named.push_back({name, m.number, m.density});
    }
    return file;
}

// Each rank reads a part of the file and keeps its numbers.
Source read_source(const boost::mpi::communicator& comm, const Case& c, const Common& common) {
    const FileBodies file = file_of(c, common);
    std::shared_ptr<const BodiesPart> part;
    std::uint64_t bytes = 0, first_line = 0;
    together(comm, [&] {  // a rank elsewhere may not see the file
        const BodiesFile whole(file);
        bytes = whole.bytes(), first_line = whole.first_line();
        part = std::make_shared<const BodiesPart>(whole.read(comm.rank(), comm.size()));
    });
    const auto most = [&](std::uint64_t mine) {
        return boost::mpi::all_reduce(comm, mine, boost::mpi::maximum<std::uint64_t>());
    };
    throw_first(comm, ErrorKind::input,
                most(bytes) != bytes ? file.path + ": is not of the same length on all machines of this run" : "");
    const std::uint64_t mine[2] = {part->lines, part->balls};
    std::uint64_t here[2], all[2];
    boost::mpi::scan(comm, mine, 2, here, std::plus<std::uint64_t>());
    boost::mpi::all_reduce(comm, mine, 2, all, std::plus<std::uint64_t>());
    const std::uint64_t lines_before = here[0] - mine[0], balls_before = here[1] - mine[1];
    // What is wrong first in the file is on the lowest rank; the parts before it have been read to their ends.
    throw_first(comm, ErrorKind::input,
                part->problem ? fmt::format("{}:{}: {}", file.path, first_line + lines_before + part->problem->line - 1,
                                            part->problem->text)
                              : "");
    if (all[1] == 0) throw InputError(file.path + ": contains no ball; expected lines `x y z r` in m");

    Source source;
    source.count = all[1];
    source.largest_radius = boost::mpi::all_reduce(comm, part->largest_radius, boost::mpi::maximum<double>());
    source.shares.bodies = [part, balls_before, slices = most(part->slices())](const boost::mpi::communicator&,
                                                                               const StartShares::UseBodies& use) {
        std::vector<NewBody> bodies;
        for (std::uint64_t k = 0; k < slices; ++k) {
            part->slice(k, balls_before, bodies);
            use(bodies);
        }
    };
    return source;
}

// A grain of a site, with its number among those that there are, its place, size and mass; false: the site is empty.
using GrainMaker = std::function<bool(std::uint64_t site, NewBody& grain)>;

// Calls f(site, first, end) for the sites that the numbers from first up to before end belong to, each with its part of
// 0 .. each - 1.
template <class F> void for_parts(std::uint64_t first, std::uint64_t end, std::uint64_t each, F&& f) {
    for (std::uint64_t at = first; at < end;) {
        const std::uint64_t site = at / each, next = std::min(end, (site + 1) * each);
        f(site, static_cast<std::uint32_t>(at - site * each), static_cast<std::uint32_t>(next - site * each));
        at = next;
    }
}

// Clusters at sites: a rank makes some of the elements, and some of the bonds, of a few sites at a time, so a specimen
// of many elements is shared like many clusters.
StartShares shares_of_clusters(std::shared_ptr<const ClusterTemplate> shape, std::uint64_t n_sites, Id first_id,
                               std::uint64_t seed, GrainMaker make) {
    const auto grain_at = [shape, first_id, make = std::move(make)](std::uint64_t site, NewBody& grain) {
        if (!make(site, grain)) return false;
        grain.id = first_id + grain.id * shape->elements.size();
        return true;
    };
    StartShares shares;
    const std::uint64_t elements = shape->elements.size(), bonds = shape->bonds.size();
    shares.bodies = [=](const boost::mpi::communicator& comm, const StartShares::UseBodies& use) {
        std::vector<NewBody> made;
        for_share(comm, n_sites * elements, [&](std::uint64_t first, std::uint64_t end) {
            made.clear();
            for_parts(first, end, elements, [&](std::uint64_t site, std::uint32_t from, std::uint32_t to) {
                NewBody grain;
                if (!grain_at(site, grain)) return;
                if (grain.shape != 0 && shape->turned_at_random) turn_at_random(grain, seed);
                for (std::uint32_t e = from; e < to; ++e) made.push_back(element_of(*shape, grain, e));
            });
            use(made);
        });
    };
    shares.contacts = [=](const boost::mpi::communicator& comm, const StartShares::UseContacts& use) {
        std::vector<ContactRecord> made;
        for_share(comm, n_sites * bonds, [&](std::uint64_t first, std::uint64_t end) {
            made.clear();
            for_parts(first, end, bonds, [&](std::uint64_t site, std::uint32_t from, std::uint32_t to) {
                NewBody grain;
                if (!grain_at(site, grain)) return;
                for (std::uint32_t b = from; b < to; ++b) add_records_of(*shape, grain, b, {seed, 0}, made);
            });
            use(made);
        });
    };
    return shares;
}

// The rotation by an angle about an axis.
Quaterniond turn_about(int axis, double degrees) {
    const double half = degrees * std::numbers::pi / 360;
    Quaterniond q{elementary::cos(half), 0, 0, 0};
    (axis == 0 ? q.x : axis == 1 ? q.y : q.z) = elementary::sin(half);
    return degrees == 0 ? Quaterniond{1, 0, 0, 0} : q;
}

void turn_as_given(const BodiesSpec& b, NewBody& grain) {
    Quaterniond q{1, 0, 0, 0};
    for (int axis = 0; axis < 3; ++axis) q = turn_about(axis, at(b.rotation, axis)) * q;
    const double* first = grain.orientation;
    q = normalised(q * Quaterniond{first[0], first[1], first[2], first[3]});
    grain.orientation[0] = q.w, grain.orientation[1] = q.x, grain.orientation[2] = q.y, grain.orientation[3] = q.z;
}

// One cluster as large as its template.
Source specimen(const Setup& setup, const BallKind& kind, const Common& common) {
    const BodiesSpec& b = common.spec;
    const auto shape = std::make_shared<const ClusterTemplate>(setup.clusters.at(kind.grains.shape - 1u));
    NewBody grain;
    grain.position = b.position, grain.velocity = b.velocity, grain.spin = b.spin;
    grain.radius = shape->outer_radius, grain.material = kind.grains.material;
    grain.mass = kind.grains.density * ball_volume(shape->outer_radius);
    turn_as_given(b, grain);
    return {shares_of_clusters(shape, 1, common.first_id, common.seed,
                               [grain](std::uint64_t, NewBody& to) {
                                   to = grain;
                                   return true;
                               }),
            shape->elements.size(), shape->largest};
}

// Without a message: every rank makes what it is asked for.
Source made_source(const Case& c, const Setup& setup, const Common& common) {
    const BodiesSpec& b = common.spec;
    const BallKind kind = ball_kind(c, b);
    const std::uint64_t seed = common.seed;
    if (b.source == BodySource::cluster) return specimen(setup, kind, common);
    const std::shared_ptr<const ClusterTemplate> shape =
        kind.grains.shape == 0 ? nullptr
                               : std::make_shared<const ClusterTemplate>(setup.clusters.at(kind.grains.shape - 1u));
    const std::uint64_t bodies_each = shape ? shape->elements.size() : 1;
    const Id first_grain = shape ? 0 : common.first_id;
    // A shape stands as it is given or is turned at random, in the axes of the user.
    std::function<void(NewBody&)> turn;
    ShapeTemplate rigid;
    if (kind.grains.rigid_shape != 0) {
        rigid = setup.shapes.at(kind.grains.rigid_shape - 1u);
        double q[3] = {rigid.as_given.x, rigid.as_given.y, rigid.as_given.z};
        setup.axes.turn_out(q);
        rigid.as_given = {rigid.as_given.w, q[0], q[1], q[2]};
        turn = [seed, rigid, normal = c.domain.is_plane() ? c.domain.normal : -1](NewBody& grain) {
            if (rigid.turned_at_random && normal >= 0) turn_at_random_about(normal, grain, seed);
            else if (rigid.turned_at_random) turn_at_random(grain, seed);
            else stand_as_given(grain, rigid);
        };
    }
    const auto sites = [&, spin = b.spin](std::uint64_t n, auto make) {
        if (shape)
            return shares_of_clusters(shape, n, common.first_id, seed, [spin, make](std::uint64_t site, NewBody& to) {
                bool found = false;
                make(site, site + 1, [&](NewBody grain) {
                    grain.spin = spin;
                    to = grain, found = true;
                });
                return found;
            });
        return shares_of_sites(n, [=](std::uint64_t first, std::uint64_t end, const BodySink& sink) {
            make(first, end, [&](NewBody ball) {
                ball.spin = spin;
                if (turn) turn(ball);
                sink(ball);
            });
        });
    };
    if (b.source == BodySource::ball) {
        const RandomKey key{seed, Purpose::lattice, common.stream, 0, 0};
        NewBody ball = draw_ball(kind, key, common.first_id, b.position, draw_radius(kind, key));
        ball.spin = b.spin;
        if (ball.rigid_shape != 0) {
            stand_as_given(ball, rigid);
            turn_as_given(b, ball);
        }
        return {shares_of({ball}), 1, ball.radius};
    }
    if (b.source == BodySource::lattice) {
        Lattice l;
        l.name = common.key, l.lower = b.lower, l.upper = b.upper, l.balls = kind, l.jitter = b.jitter,
        l.first_id = first_grain, l.stream = common.stream;
        l.spacing = b.spacing.value_or(0);
        if (b.counts)
            std::transform(b.counts->begin(), b.counts->end(), l.counts.begin(),
                           [](std::int64_t k) { return static_cast<std::uint64_t>(k); });
        const auto make = [l, seed](std::uint64_t first, std::uint64_t end, const auto& take) {
            for_each(l, seed, first, end, take);
        };
        return {sites(cells(l).size(), make), count(l) * bodies_each, body_radii(kind)[1]};
    }
    RandomLoose p;
    p.name = common.key, p.lower = b.lower, p.upper = b.upper, p.count = static_cast<std::uint64_t>(b.count),
    p.balls = kind, p.first_id = first_grain, p.stream = common.stream;
    for (int axis = 0; axis < 3; ++axis)
        p.periodic[axis] = c.domain.periodic[axis] && at(b.lower, axis) == at(c.domain.lower, axis) &&
                           at(b.upper, axis) == at(c.domain.upper, axis);
    const auto make = [p, seed](std::uint64_t first, std::uint64_t end, const auto& take) {
        for_each(p, seed, first, end, take);
    };
    return {sites(cells(p).size(), make), p.count * bodies_each,
            body_radii(kind)[1]};  // cells throws if they do not fit
}

// Elements of a cluster near a periodic face may be beyond it.
void wrap(Vec3d& x, const Domain& d) {
    for (int axis = 0; axis < 3; ++axis) {
        if (!d.periodic[static_cast<std::size_t>(axis)]) continue;
        const double length = at(d.upper, axis) - at(d.lower, axis);
        if (at(x, axis) < at(d.lower, axis)) at(x, axis) += length;
        else if (at(x, axis) >= at(d.upper, axis)) at(x, axis) -= length;
    }
}

// What a source leaves of jitter along the normal, and of rounding.
void put_in_plane(NewBody& b, const DomainSpec& domain) {
    at(b.position, domain.normal) = domain.plane();
    for (int axis = 0; axis < 3; ++axis)
        if (axis != domain.normal) b.orientation[1 + axis] = 0;
}

}  // namespace

void add_start_bodies(const boost::mpi::communicator& comm, const Case& c, const CasePlaces& places, Setup& setup) {
    std::vector<StartShares> sources;
    std::vector<std::pair<Id, Id>> ids;
    Id first_id = 0;
    for (std::size_t k = 0; k < c.bodies.size(); ++k) {
        const BodiesSpec& b = c.bodies[k];
        const char* of = b.source == BodySource::file ? "file" : b.source == BodySource::random ? "count" : "source";
        const Common common{b, fmt::format("bodies[{}].{}", k, of), first_id,
                            static_cast<std::uint16_t>(c.insert.size() + k), c.run.seed};
        try {
            Source source = b.source == BodySource::file ? read_source(comm, c, common) : made_source(c, setup, common);
            ids.emplace_back(first_id, first_id + source.count);
            first_id += source.count;
            setup.largest_radius = std::max(setup.largest_radius, source.largest_radius);
            sources.push_back(std::move(source.shares));
        } catch (const InputError& e) {  // the same on all ranks
            throw InputError(places.at(common.key, e.what()));
        }
    }
    if (sources.empty()) return;
    const DomainSpec domain = c.domain;
    setup.start.bodies = [sources, domain, axes = setup.axes, held = HeldBodies(c, ids)](
                             const boost::mpi::communicator& ranks, const StartShares::UseBodies& use) {
        std::vector<NewBody> turned;
        for (const StartShares& source : sources)
            source.for_bodies(ranks, [&](std::span<const NewBody> slice) {
                turned.clear();
                for (NewBody b : slice) {
                    if (held.any()) b.held = held.number(b.id, b.position);
                    if (b.cluster != no_cluster) wrap(b.position, domain);
                    if (domain.is_plane()) put_in_plane(b, domain);
                    turned.push_back(turned_in(b, axes));
                }
                use(turned);
            });
    };
    if (std::none_of(sources.begin(), sources.end(), [](const StartShares& s) { return bool(s.contacts); })) return;
    setup.start.contacts = [sources, axes = setup.axes](const boost::mpi::communicator& ranks,
                                                        const StartShares::UseContacts& use) {
        std::vector<ContactRecord> turned;
        for (const StartShares& source : sources)
            source.for_contacts(ranks, [&](std::span<const ContactRecord> slice) {
                turned.assign(slice.begin(), slice.end());
                for (ContactRecord& r : turned) axes.turn_in(r);
                use(turned);
            });
    };
}

}  // namespace granary
