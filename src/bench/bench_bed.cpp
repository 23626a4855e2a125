#include "bench/bench_bed.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <boost/mpi/collectives.hpp>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include "engine/measures.hpp"
#include "core/errors.hpp"
#include "core/free_memory.hpp"
#include "filling/packing.hpp"
#include "io/state/state_file.hpp"
#include "decomposition/together.hpp"

namespace granary {

namespace {

// The column: 14 x 14 x 32 balls over a square of this edge.
constexpr double edge = 0.074;  // m
constexpr std::array<std::uint64_t, 3> column_counts{14, 14, 32};
constexpr double lattice_height = 0.0056;  // m a layer, before it falls together
constexpr double rest_energy = 1e-10;      // J a ball: a millimetre a second
constexpr int column_version = 3;          // part of the cache's file name

Material grain(double friction) {
    Material m;
    m.name = "grain", m.density = 2500, m.young = 5e6, m.poisson = 0.45, m.restitution = 0.5, m.friction = friction;
    m.stiffness = 3000;  // linear law: two in series make 1500 N/m, the Hertz stiffness at the load of the bed's middle
    return m;
}

Setup bed_setup(double length_x, double length_y, double height, double friction, double skin,
                const Axes& axes = Axes()) {
    Setup s;
    s.axes = axes;
    s.domain = axes.in(Domain{{0, 0, -0.01}, {length_x, length_y, height}, {true, true, false}});
    s.gravity = axes.in(Vec3d{0, 0, -9.81});
    s.dt = 1e-5;
    s.materials = {grain(friction)};
    s.walls = {make_wall("floor", Plane{{0, 0, 0}, axes.in(Vec3d{0, 0, 1})}, 0)};
    s.largest_radius = 2.6e-3;
    s.skin = skin;
    return s;
}

// Two minutes' worth of pouring in ten seconds: little friction first, so that the bed becomes dense, then the real
// one.
void settle_column(const std::string& path) {
    const boost::mpi::communicator self(MPI_COMM_SELF, boost::mpi::comm_duplicate);
    Lattice lattice;
    lattice.lower = {0, 0, 1e-4},
    lattice.upper = {edge, edge, 1e-4 + lattice_height * static_cast<double>(column_counts[2])};
    lattice.counts = column_counts, lattice.jitter = 1.0;
    lattice.balls = {2.4e-3, 2.6e-3, 2500, 0, {0, 0, -0.1}};
    const double top = lattice.upper.z + 0.02;

    Setup loose = bed_setup(edge, edge, top, 0.35, 4e-4);
    loose.dt = 2e-5;
    loose.start = shares_of_sites(
        cells(lattice).size(),
        [&](std::uint64_t first, std::uint64_t end, const BodySink& sink) { for_each(lattice, 1, first, end, sink); });
    Simulation falling(self, loose);
    for (int k = 0; k < 15000; ++k) falling.step();

    Setup firm = bed_setup(edge, edge, top, 0.5, 4e-4);
    firm.started = true;
    std::vector<NewBody> fallen;
    const Bodies& b = falling.bodies();
    for (const Range& range : b.real)
        for (Index i = range.begin; i < range.end; ++i)
            fallen.push_back(
                {b.id(i), b.x(i), b.radius(i), b.v(i), b.omega(i), 1 / b.velocity(i, 3), 1 / b.spin(i, 3), 0});
    firm.start = shares_of(std::move(fallen), contacts_of(falling));
    Simulation resting(self, firm);
    const auto at_rest = [&] {
        return measures_of(resting).kinetic_energy < rest_energy * static_cast<double>(resting.bodies().n_real());
    };
    for (int k = 0; k < 60 && !at_rest(); ++k)
        for (int j = 0; j < 1000; ++j) resting.step();
    StateHeader header;
    header.step = resting.clock().step(), header.time = resting.clock().time(), header.dt = firm.dt,
    header.next_id = resting.counts().next_id;
    header.domain = resting.setup().domain, header.material_names = {"grain"}, header.wall_names = {"floor"};
    write_state(self, path, header, resting.bodies(), contacts_of(resting));
}

std::string column_file(const boost::mpi::communicator& comm, const std::string& cache) {
    namespace fs = std::filesystem;
    std::string path;
    together(comm, [&] {
        if (comm.rank() > 0) return;
        fs::path folder = cache;
        if (folder.empty()) {
            const char* xdg = std::getenv("XDG_CACHE_HOME");
            const char* home = std::getenv("HOME");
            folder = xdg != nullptr && *xdg != 0 ? fs::path(xdg) / "granary"
                     : home != nullptr           ? fs::path(home) / ".cache" / "granary"
                                                 : fs::temp_directory_path();
        }
        std::error_code failure;
        fs::create_directories(folder, failure);
        if (failure)
            throw InputError(
                fmt::format("cannot create the folder {} for the settled column: {}; choose another with --cache",
                            folder.string(), failure.message()));
        path = (folder / fmt::format("bench-bed-column-{}.h5", column_version)).string();
        if (!fs::exists(path)) {
            fmt::print(stderr, "granary bench bed: settling a column of {} balls once, about half a minute ...\n",
                       column_counts[0] * column_counts[1] * column_counts[2]);
            settle_column(path);
        }
    });
    boost::mpi::broadcast(comm, path, 0);
    return path;
}

// The column's bodies and springs, repeated nx by ny times. A spring to a body across the column's periodic face
// becomes one to a body of the next tile. Every rank has it while the run begins, so it holds no more than it needs.
class Tiles {
  public:
    Tiles(const StateData& column, std::uint64_t nx, std::uint64_t ny, const Axes& axes)
        : nx_(nx),
          ny_(ny),
          axes_(axes) {
        std::map<Id, std::uint32_t> place;
        balls_.reserve(column.bodies.size()), springs_.reserve(column.contacts.size());
        for (const BodyRecord& body : column.bodies) {
            place[body.id] = static_cast<std::uint32_t>(balls_.size());
            Ball ball{{}, {}, {}, body.material};
            std::copy_n(body.position, 4, ball.position), std::copy_n(body.velocity, 4, ball.velocity),
                std::copy_n(body.spin, 4, ball.spin);
            for (double* x : {&ball.position[0], &ball.position[1]})  // wrapped only at a rebuild: a few stand outside
                *x = *x < 0 ? *x + edge : *x >= edge ? *x - edge : *x;
            balls_.push_back(ball);
        }
        for (const ContactRecord& c : column.contacts) {
            const std::uint32_t k = place.at(c.body);
            Spring spring{k, 0, 0, c.partner, axes.in(Vec3d{c.xi[0], c.xi[1], c.xi[2]})};
            if (c.partner.is_body()) {
                const std::uint32_t p = place.at(c.partner.number());
                spring.partner = Id{p};
                const auto tile = [&](int axis) {
                    return static_cast<std::int8_t>(
                        -std::lround((balls_[p].position[axis] - balls_[k].position[axis]) / edge));
                };
                spring.tile_x = tile(0), spring.tile_y = tile(1);
            }
            springs_.push_back(spring);
        }
    }
    std::uint64_t size() const { return nx_ * ny_ * balls_.size(); }

    // Each rank makes some tiles. They are gone when the run has begun.
    static StartShares shares(const std::shared_ptr<const Tiles>& tiles) {
        StartShares shares =
            shares_of_sites(tiles->size(), [tiles](std::uint64_t first, std::uint64_t end, const BodySink& sink) {
                for (std::uint64_t n = first; n < end; ++n) sink(tiles->body(n));
            });
        shares.contacts = [tiles](const boost::mpi::communicator& comm, const StartShares::UseContacts& use) {
            std::vector<ContactRecord> made;
            for_share(comm, tiles->nx_ * tiles->ny_ * tiles->springs_.size(),
                      [&](std::uint64_t first, std::uint64_t end) {
                          made.clear();
                          for (std::uint64_t n = first; n < end; ++n) made.push_back(tiles->contact(n));
                          use(made);
                      });
        };
        return shares;
    }

  private:
    struct Ball {
        double position[4], velocity[4], spin[4];  // as in BodyRecord
        std::uint16_t material;
    };
    struct Spring {
        std::uint32_t body;          // number in the column
        std::int8_t tile_x, tile_y;  // tiles from the body's to the partner's
        Partner partner;             // number in the column, or a wall
        Vec3d xi;
    };
    NewBody body(std::uint64_t n) const {
        const std::uint64_t tile = n / balls_.size();
        const Ball& s = balls_[n % balls_.size()];
        const double x = s.position[0] + edge * static_cast<double>(tile % nx_),
                     y = s.position[1] + edge * static_cast<double>(tile / nx_);
        return {n,
                axes_.in(Vec3d{x, y, s.position[2]}),
                s.position[3],
                axes_.in(Vec3d{s.velocity[0], s.velocity[1], s.velocity[2]}),
                axes_.in(Vec3d{s.spin[0], s.spin[1], s.spin[2]}),
                1 / s.velocity[3],
                1 / s.spin[3],
                s.material};
    }
    ContactRecord contact(std::uint64_t n) const {
        const std::uint64_t tile = n / springs_.size(), tx = tile % nx_, ty = tile / nx_;
        const Spring& s = springs_[n % springs_.size()];
        const Partner partner =
            s.partner.is_body() ? id(wrap(tx, s.tile_x, nx_), wrap(ty, s.tile_y, ny_), s.partner.number()) : s.partner;
        return {id(tx, ty, s.body), partner, {s.xi.x, s.xi.y, s.xi.z}};
    }
    Id id(std::uint64_t tx, std::uint64_t ty, std::uint64_t k) const { return (ty * nx_ + tx) * balls_.size() + k; }
    static std::uint64_t wrap(std::uint64_t t, long by, std::uint64_t n) {
        return (t + n + static_cast<std::uint64_t>(by)) % n;
    }

    std::uint64_t nx_, ny_;
    Axes axes_;
    std::vector<Ball> balls_;
    std::vector<Spring> springs_;
};

double cpu_seconds() {
    rusage u{};
    getrusage(RUSAGE_SELF, &u);
    return static_cast<double>(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

double peak_bytes() {
    rusage u{};
    getrusage(RUSAGE_SELF, &u);
    return 1024.0 * static_cast<double>(u.ru_maxrss);
}

double machine_load() {
    double load = -1;
    std::ifstream("/proc/loadavg") >> load;
    return load;
}

}  // namespace

std::string bench_bed(const boost::mpi::communicator& comm, const BenchBed& options) {
    const double load = machine_load();
    StateData column = read_state(boost::mpi::communicator(MPI_COMM_SELF, boost::mpi::comm_duplicate),
                                  column_file(comm, options.cache));
    const double tiles = std::max(1.0, static_cast<double>(options.balls) / static_cast<double>(column.bodies.size()));
    const auto nx = static_cast<std::uint64_t>(std::max(1.0, std::round(std::sqrt(tiles))));
    const auto ny = static_cast<std::uint64_t>(std::max(1.0, std::round(tiles / static_cast<double>(nx))));
    double top = 0;
    for (const BodyRecord& b : column.bodies) top = std::max(top, b.position[2] + 0.02);
    const Axes axes(options.slab_axis);
    const std::uint64_t n_balls = nx * ny * column.bodies.size();

    Setup setup =
        bed_setup(edge * static_cast<double>(nx), edge * static_cast<double>(ny), top, 0.5, options.skin, axes);
    setup.law.type = options.law;
    setup.started = true;
    setup.fixed_interval = options.rebuild_every;
    setup.start = Tiles::shares(std::make_shared<const Tiles>(column, nx, ny, axes));
    column = {};
    Simulation sim(comm, std::move(setup));
    give_back_free_memory();
    for (std::uint64_t k = 0; k < options.warm_up; ++k) sim.step();

    sim.requests().times = {};
    const std::uint64_t rebuilds_before = events_of(sim).rebuilds;
    comm.barrier();
    const double cpu_before = cpu_seconds();
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t k = 0; k < options.steps; ++k) sim.step();
    comm.barrier();
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double mine[3] = {cpu_seconds() - cpu_before, peak_bytes(), static_cast<double>(sim.forces().bytes())};
    double all[3];
    boost::mpi::all_reduce(comm, mine, 3, all, std::plus<double>());

    const Measures m = measures_of(sim);
    const double balls = static_cast<double>(n_balls), ball_steps = balls * static_cast<double>(options.steps);
    const std::uint64_t rebuilds = events_of(sim).rebuilds - rebuilds_before;
    std::string phases;
    double rebuild_seconds = 0;
    for (std::size_t p = 0; p < n_phases; ++p) {
        const double mean =
            boost::mpi::all_reduce(comm, sim.requests().times.seconds[p], std::plus<double>()) / comm.size();
        if (static_cast<Phase>(p) >= Phase::migrate && static_cast<Phase>(p) <= Phase::carry) rebuild_seconds += mean;
        phases +=
            fmt::format("{}\"{}\": {:.2f}", p == 0 ? "" : ", ", phase_names[p], 1e9 * comm.size() * mean / ball_steps);
    }
    return fmt::format(
        "{{\"benchmark\": \"bed\", \"law\": \"{}\", \"balls\": {}, \"ranks\": {}, \"steps\": {}, \"rebuilds\": {}, "
        "\"ball_steps_per_second\": {:.4g}, \"ball_steps_per_cpu_second\": {:.4g}, \"contacts_per_ball\": {:.3f}, "
        "\"candidates_per_ball\": {:.3f}, \"bytes_per_ball\": {:.1f}, \"list_bytes_per_ball\": {:.1f}, "
        "\"ns_per_ball_step\": {{{}}}, "
        "\"rebuild_ns_per_ball\": {:.1f}, \"kinetic_energy_per_ball\": {:.3g}, \"load_before\": {:.2f}}}",
        options.law == LawSettings::Type::linear ? "linear" : "hertz-mindlin", n_balls, comm.size(), options.steps,
        rebuilds, ball_steps / wall, ball_steps / all[0], 2.0 * static_cast<double>(m.contacts) / balls,
        static_cast<double>(m.candidates) / balls, all[1] / balls, all[2] / balls, phases,
        rebuilds > 0 ? 1e9 * rebuild_seconds * comm.size() / (balls * static_cast<double>(rebuilds)) : 0.0,
        m.kinetic_energy / balls, load);
}

}  // namespace granary
