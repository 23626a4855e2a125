#include "bench/bench_picture.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>
#include "core/errors.hpp"
#include "io/insitu/insitu.hpp"
#include "io/formats/json.hpp"

namespace granary {
namespace {

constexpr double radius = 2e-3;  // m

// Bytes in memory now, of this rank.
double resident() {
    std::ifstream file("/proc/self/statm");
    double pages = 0, here = 0;
    file >> pages >> here;
    return here * 4096;
}

double most_resident() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

// A cylinder twice as high as wide, filled on a lattice; this rank has its share of the layers.
Bodies column(std::uint64_t balls, int rank, int ranks, double& wide, double& tall) {
    const double d = 2 * radius;
    const auto side =
        static_cast<std::int64_t>(std::ceil(std::cbrt(static_cast<double>(balls) * 2 / M_PI)));  // balls across
    wide = static_cast<double>(side) * d;
    std::vector<std::array<double, 2>> layer;
    for (std::int64_t i = 0; i < side; ++i)
        for (std::int64_t j = 0; j < side; ++j) {
            const double x = (static_cast<double>(i) + 0.5) * d - wide / 2,
                         y = (static_cast<double>(j) + 0.5) * d - wide / 2;
            if (std::hypot(x, y) < wide / 2) layer.push_back({x, y});
        }
    const std::uint64_t layers = (balls + layer.size() - 1) / layer.size();
    tall = static_cast<double>(layers) * d;
    const std::uint64_t first = balls * static_cast<std::uint64_t>(rank) / static_cast<std::uint64_t>(ranks),
                        last = balls * (static_cast<std::uint64_t>(rank) + 1) / static_cast<std::uint64_t>(ranks);
    Bodies bodies;
    bodies.reserve(static_cast<Index>(last - first));
    for (std::uint64_t id = first; id < last; ++id) {
        NewBody b;
        const auto& [x, y] = layer[id % layer.size()];
        const double z = (static_cast<double>(id / layer.size()) + 0.5) * d;
        b.id = id, b.position = {x, y, z}, b.radius = radius, b.mass = 1, b.inertia = 1, b.velocity = {0, 0, -z};
        bodies.put(static_cast<Index>(id - first), b);
    }
    bodies.size = static_cast<Index>(last - first), bodies.owned = {0, bodies.size};
    bodies.real = {bodies.owned};
    return bodies;
}

}  // namespace

std::string bench_picture(const boost::mpi::communicator& comm, const BenchPicture& options) {
    double wide = 0, tall = 0;
    const Bodies bodies = column(options.balls, comm.rank(), comm.size(), wide, tall);
    const std::vector<Wall> walls{make_wall("shell", Cylinder{{0, 0, 0}, {0, 0, tall}, wide / 2}, 0)};
    InsituOptions pictures;
    pictures.scripts = {options.script}, pictures.title = "granary bench picture", pictures.folder = options.folder;
    const double before = boost::mpi::all_reduce(comm, resident(), std::plus<double>());
    Insitu insitu(comm, pictures);
    const Motion motion{};
    std::vector<double> seconds;
    double loaded = 0;  // bytes, when everything has been loaded and one picture made
    for (std::uint64_t k = 0; k <= options.pictures; ++k) {
        const InsituScene scene{bodies,
                                motion,
                                Axes(),
                                walls,
                                {},
                                {{-wide, -wide, 0}, {wide, wide, tall}, {}},
                                {0, 0, -9.81},
                                {},
                                0.1 * static_cast<double>(k),
                                k,
                                {},
                                {},
                                radius};
        comm.barrier();
        const auto begun = std::chrono::steady_clock::now();
        const std::string problem = insitu.draw(scene);
        if (!problem.empty()) throw InputError("no picture: " + problem);
        comm.barrier();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
        if (k == 0) loaded = boost::mpi::all_reduce(comm, resident(), std::plus<double>());
    }
    const double after = boost::mpi::all_reduce(comm, resident(), std::plus<double>()),
                 most = boost::mpi::all_reduce(comm, most_resident(), std::plus<double>()),
                 copied = boost::mpi::all_reduce(comm, static_cast<double>(insitu.bytes_copied()), std::plus<double>());
    const double first = seconds.front();
    seconds.erase(seconds.begin());
    std::sort(seconds.begin(), seconds.end());
    const double n = static_cast<double>(options.balls);
    return json_line({{"balls", options.balls},
                      {"ranks", comm.size()},
                      {"script", options.script},
                      {"first_picture_s", first},
                      {"picture_s", seconds.empty() ? first : seconds[seconds.size() / 2]},
                      {"bytes_copied_per_ball", copied / n},
                      {"bytes_before", before},
                      {"bytes_after_first", loaded},
                      {"bytes_after", after},
                      {"bytes_at_most", most},
                      {"growth", most - before}}) +
           '\n';
}

}  // namespace granary
