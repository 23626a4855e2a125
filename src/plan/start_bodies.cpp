#include "plan/start_bodies.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/operations.hpp>
#include <memory>
#include <utility>
#include "core/errors.hpp"
#include "decomposition/together.hpp"
#include "filling/bodies_file.hpp"
#include "filling/packing.hpp"
#include "plan/case_setup.hpp"

namespace granary {

namespace {

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

// Without a message: every rank makes what it is asked for.
Source made_source(const Case& c, const Common& common) {
    const BodiesSpec& b = common.spec;
    const BallKind kind = ball_kind(c, b.radii, b.material, b.mix, b.velocity);
    const std::uint64_t seed = common.seed;
    const auto sites = [spin = b.spin](std::uint64_t n, auto make) {
        return shares_of_sites(n, [spin, make](std::uint64_t first, std::uint64_t end, const BodySink& sink) {
            make(first, end, [&](NewBody ball) {
                ball.spin = spin;
                sink(ball);
            });
        });
    };
    if (b.source == BodySource::ball) {
        const RandomKey key{seed, Purpose::lattice, common.stream, 0, 0};
        NewBody ball = draw_ball(kind, key, common.first_id, b.position, draw_radius(kind, key));
        ball.spin = b.spin;
        return {shares_of({ball}), 1, ball.radius};
    }
    if (b.source == BodySource::lattice) {
        Lattice l;
        l.name = common.key, l.lower = b.lower, l.upper = b.upper, l.balls = kind, l.jitter = b.jitter,
        l.first_id = common.first_id, l.stream = common.stream;
        l.spacing = b.spacing.value_or(0);
        if (b.counts)
            std::transform(b.counts->begin(), b.counts->end(), l.counts.begin(),
                           [](std::int64_t k) { return static_cast<std::uint64_t>(k); });
        const auto make = [l, seed](std::uint64_t first, std::uint64_t end, const auto& take) {
            for_each(l, seed, first, end, take);
        };
        return {sites(cells(l).size(), make), count(l), kind.radius_max};
    }
    RandomLoose p;
    p.name = common.key, p.lower = b.lower, p.upper = b.upper, p.count = static_cast<std::uint64_t>(b.count),
    p.balls = kind, p.first_id = common.first_id, p.stream = common.stream;
    for (int axis = 0; axis < 3; ++axis)
        p.periodic[axis] = c.domain.periodic[axis] && at(b.lower, axis) == at(c.domain.lower, axis) &&
                           at(b.upper, axis) == at(c.domain.upper, axis);
    const auto make = [p, seed](std::uint64_t first, std::uint64_t end, const auto& take) {
        for_each(p, seed, first, end, take);
    };
    return {sites(cells(p).size(), make), p.count, kind.radius_max};  // cells throws if the count does not fit
}

}  // namespace

void add_start_bodies(const boost::mpi::communicator& comm, const Case& c, const CasePlaces& places, Setup& setup) {
    std::vector<StartShares> sources;
    Id first_id = 0;
    for (std::size_t k = 0; k < c.bodies.size(); ++k) {
        const BodiesSpec& b = c.bodies[k];
        const char* of = b.source == BodySource::file ? "file" : b.source == BodySource::random ? "count" : "source";
        const Common common{b, fmt::format("bodies[{}].{}", k, of), first_id,
                            static_cast<std::uint16_t>(c.insert.size() + k), c.run.seed};
        try {
            Source source = b.source == BodySource::file ? read_source(comm, c, common) : made_source(c, common);
            first_id += source.count;
            setup.largest_radius = std::max(setup.largest_radius, source.largest_radius);
            sources.push_back(std::move(source.shares));
        } catch (const InputError& e) {  // the same on all ranks
            throw InputError(places.at(common.key, e.what()));
        }
    }
    if (sources.empty()) return;
    setup.start.bodies = [sources, axes = setup.axes](const boost::mpi::communicator& ranks,
                                                      const StartShares::UseBodies& use) {
        std::vector<NewBody> turned;
        for (const StartShares& source : sources)
            source.for_bodies(ranks, [&](std::span<const NewBody> slice) {
                turned.assign(slice.begin(), slice.end());
                for (NewBody& b : turned)
                    b.position = axes.in(b.position), b.velocity = axes.in(b.velocity), b.spin = axes.in(b.spin);
                use(turned);
            });
    };
}

}  // namespace granary
