#include "bench/bench_checkpoint.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/string.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include "observe/checkpoint_file.hpp"
#include "engine/measures.hpp"
#include "core/errors.hpp"
#include "filling/packing.hpp"
#include "core/random.hpp"
#include "core/bodies.hpp"
#include "io/formats/system_file.hpp"
#include "decomposition/together.hpp"

namespace granary {

namespace {

// A block of balls that touch their six neighbours a little and spin: three contacts with springs a ball, as in a dense
// bed.
constexpr double r = 2.5e-3, spacing = 4.99e-3;  // m

Setup block(std::uint64_t n) {
    Setup s;
    const double side = spacing * static_cast<double>(n);
    s.domain = {{0, 0, 0}, {side, side, side}, {true, true, false}};
    s.dt = 1e-6;
    Material m;
    m.name = "grain", m.density = 2500, m.young = 5e6, m.poisson = 0.3, m.restitution = 0.5, m.friction = 0.5;
    s.materials = {m};
    s.largest_radius = r, s.skin = 4e-4;
    s.start = shares_of_sites(n * n * n, [n](std::uint64_t first, std::uint64_t end, const BodySink& sink) {
        for (Id id = first; id < end; ++id) {
            const Vec3d at{static_cast<double>(id % n) + 0.5, static_cast<double>(id / n % n) + 0.5,
                           static_cast<double>(id / n / n) + 0.5};
            NewBody b = make_ball(id, spacing * at, r, 2500, 0, {});
            b.spin = uniform(RandomKey{1, Purpose::lattice, 0, id, 0}, 0, {-5, -5, -5}, {5, 5, 5});
            sink(b);
        }
    });
    return s;
}

double seconds_of(const boost::mpi::communicator& comm, const std::function<void()>& work) {
    comm.barrier();
    const auto start = std::chrono::steady_clock::now();
    work();
    comm.barrier();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void plain_write(const std::string& path, std::uint64_t size) {
    const std::string piece(std::size_t{1} << 22, 'x');
    const Descriptor file = new_file(path);
    for (std::uint64_t at = 0; at < size; at += piece.size())
        write_all(file, std::string_view(piece).substr(0, std::min<std::uint64_t>(piece.size(), size - at)), at, path);
    bring_to_disk(file, path);
}

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

}  // namespace

std::string bench_checkpoint(const boost::mpi::communicator& comm, const BenchCheckpoint& options) {
    double load = -1;
    std::ifstream("/proc/loadavg") >> load;
    const auto n = static_cast<std::uint64_t>(std::max(4.0, std::round(std::cbrt(static_cast<double>(options.balls)))));
    Simulation sim(comm, block(n));
    for (int k = 0; k < 3; ++k) sim.step();

    std::string folder = fmt::format("{}/granary-bench-checkpoint-{}", options.folder, ::getpid());
    boost::mpi::broadcast(comm, folder, 0);
    const std::string checkpoint = folder + "/checkpoint.h5", plain = folder + "/plain";
    std::vector<double> saving, writing;
    std::uint64_t bytes = 0;
    together(comm, [&] {
        std::error_code error;
        if (comm.rank() == 0) std::filesystem::create_directories(folder, error);
        if (error) throw InputError(folder + ": cannot create the folder: " + error.message());
    });
    struct Remove {
        const std::string& folder;
        bool mine;
        ~Remove() {
            std::error_code ignored;
            if (mine) std::filesystem::remove_all(folder, ignored);
        }
    } remove{folder, comm.rank() == 0};
    for (std::uint64_t k = 0; k < options.repeats; ++k) {
        saving.push_back(seconds_of(comm, [&] { write_checkpoint(checkpoint, sim, "", sim.save()); }));
        together(comm, [&] { bytes = std::filesystem::file_size(checkpoint); });
        writing.push_back(seconds_of(comm, [&] {
            together(comm, [&] {
                if (comm.rank() == 0) plain_write(plain, bytes);
            });
        }));
        comm.barrier();
        if (comm.rank() == 0) std::filesystem::remove(plain), std::filesystem::remove(checkpoint);
    }

    const std::uint64_t contacts =
        boost::mpi::all_reduce(comm, std::uint64_t{contacts_of(sim).size()}, std::plus<std::uint64_t>());
    std::uint64_t payload = contacts * sizeof(ContactRecord);
    for (const FieldRow& field : fields)
        if (field.is(field::saved) && !field.is_optional()) payload += n * n * n * field.bytes();
    const double save_best = *std::min_element(saving.begin(), saving.end()),
                 plain_best = *std::min_element(writing.begin(), writing.end());
    return fmt::format(
        "{{\"benchmark\": \"checkpoint\", \"balls\": {}, \"contacts_per_ball\": {:.2f}, \"ranks\": {}, \"bytes\": {}, "
        "\"payload\": {}, \"size_over_payload\": {:.4f}, \"checkpoint_seconds\": {:.4f}, \"checkpoint_seconds_best\": "
        "{:.4f}, "
        "\"plain_seconds\": {:.4f}, \"plain_seconds_best\": {:.4f}, \"time_over_plain\": {:.3f}, "
        "\"time_over_plain_best\": {:.3f}, \"megabytes_per_second\": {:.1f}, \"repeats\": {}, \"load_before\": "
        "{:.2f}}}",
        n * n * n, 2.0 * static_cast<double>(contacts) / static_cast<double>(n * n * n), comm.size(), bytes, payload,
        static_cast<double>(bytes) / static_cast<double>(payload), median(saving), save_best, median(writing),
        plain_best, median(saving) / median(writing), save_best / plain_best,
        1e-6 * static_cast<double>(bytes) / median(saving), options.repeats, load);
}

}  // namespace granary
