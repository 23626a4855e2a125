#include "io/insitu/insitu.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>
#include <signal.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <fstream>
#include <iterator>
#include <limits>
#include "io/insitu/catalyst/module.h"
#include "io/insitu/display.hpp"

namespace granary {
namespace {

namespace fs = std::filesystem;

constexpr std::array channel_names{"balls", "walls", "slabs", "contacts", "wall_balls", "bonds", "grains"};
constexpr const char* how_to_get = "jobs/setup installs ParaView; then build again";

// Foreign code (Python, OpenGL in software) may change how numbers are rounded and who hears signals; both are put
// back.
class Untouched {
  public:
    Untouched() {
        std::fegetenv(&arithmetic_);
        for (std::size_t k = 0; k < signals.size(); ++k) ::sigaction(signals[k], nullptr, &handlers_[k]);
        ::signal(SIGPIPE, SIG_IGN);  // a live client that goes is no reason to die
    }
    ~Untouched() {
        std::fesetenv(&arithmetic_);
        for (std::size_t k = 0; k < signals.size(); ++k) ::sigaction(signals[k], &handlers_[k], nullptr);
    }
    Untouched(const Untouched&) = delete;
    Untouched& operator=(const Untouched&) = delete;

  private:
    static constexpr std::array signals{SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGHUP, SIGPIPE, SIGFPE};
    std::fenv_t arithmetic_{};
    std::array<struct sigaction, signals.size()> handlers_{};
};

fs::path program_folder() {
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error).parent_path();
}

std::string first_there(const std::vector<fs::path>& places) {
    std::error_code error;
    for (const fs::path& p : places)
        if (fs::exists(p, error)) return p.lexically_normal().string();
    return "";
}

// A script that names it, in quotes, wants it.
bool names(const std::string& text, const std::string& word) {
    return text.find('"' + word + '"') != std::string::npos || text.find("'" + word + "'") != std::string::npos;
}

}  // namespace

std::string ready_scripts_folder() {
    const fs::path here = program_folder();
    return first_there({here / "../jobs/catalyst", here / "../share/granary/jobs/catalyst"});
}

std::string insitu_module_file() {
    const char* given = std::getenv("GRANARY_CATALYST_MODULE");
    if (given != nullptr) return first_there({given});
    const fs::path here = program_folder();
    return first_there({here / "granary_catalyst.so", here / "../lib/granary/granary_catalyst.so"});
}

struct Insitu::Module {
    Display display;
    MPI_Comm comm = MPI_COMM_NULL;
    const granary_catalyst_api* api = nullptr;
    void* handle = nullptr;
    ~Module() {
        if (handle != nullptr) {
            const Untouched guard;
            api->close(handle);
        }
        if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    }
};

Insitu::Insitu(boost::mpi::communicator comm, InsituOptions options)
    : comm_(std::move(comm)),
      options_(std::move(options)) {
    find_scripts();
}

Insitu::~Insitu() = default;

std::string Insitu::agreed(const std::string& mine) const {
    const int first =
        boost::mpi::all_reduce(comm_, mine.empty() ? comm_.size() : comm_.rank(), boost::mpi::minimum<int>());
    if (first == comm_.size()) return "";
    std::string text = mine;
    boost::mpi::broadcast(comm_, text, first);
    return text;
}

void Insitu::find_scripts() {
    const std::string folder = ready_scripts_folder();
    std::string mine;
    bool contacts = false, pressure = false, bonds = false;
    for (const std::string& s : options_.scripts) {
        scripts_.push_back(s.ends_with(".py") ? s : folder + "/" + s + ".py");
        std::ifstream file(scripts_.back());
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        if (!file.is_open() && mine.empty())
            mine = s.ends_with(".py")
                       ? fmt::format("there is no script {}", s)
                       : fmt::format(
                             "there is no script {}: insitu.scripts names those in jobs/catalyst, or files "
                             "that end in .py",
                             scripts_.back());
        contacts |= names(text, "contacts"), pressure |= names(text, "pressure"), bonds |= names(text, "bonds");
    }
    if (!options_.live.empty()) scripts_.push_back(folder + "/live.py");
    problem_ = agreed(mine);
    // The same on all ranks: contacts are asked for by all or none.
    wants_contacts_ = boost::mpi::all_reduce(comm_, contacts, std::logical_or<bool>());
    wants_pressure_ = boost::mpi::all_reduce(comm_, pressure, std::logical_or<bool>());
    wants_bonds_ = boost::mpi::all_reduce(comm_, bonds, std::logical_or<bool>());
}

// Everything that can be tested is, on every rank, before ParaView is loaded: it would end the program rather than
// fail.
std::string Insitu::load() {
    if (!problem_.empty()) return problem_;
    module_ = std::make_unique<Module>();
    const std::string folder = ready_scripts_folder(), file = insitu_module_file();
    const auto tested = [&]() -> std::string {
        if (file.empty()) return fmt::format("the module granary_catalyst.so is missing: {}", how_to_get);
        std::error_code error;
        fs::create_directories(options_.folder, error);
        if (error) return fmt::format("the folder {} cannot be created: {}", options_.folder, error.message());
        return "";
    };
    std::string problem = agreed(tested());
    if (!problem.empty()) return problem;
    // Sending to a ParaView elsewhere draws nothing here.
    if (!options_.scripts.empty()) problem = agreed(module_->display.open(comm_));
    if (!problem.empty()) return problem;

    const auto tell = [](const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); };
    tell("GRANARY_SCRIPTS", folder), tell("GRANARY_TITLE", options_.title);
    tell("GRANARY_IMAGE_SIZE", fmt::format("{}x{}", options_.size[0], options_.size[1]));
    tell("PARAVIEW_OVERRIDE_EXTRACTS_OUTPUT_DIRECTORY", fs::absolute(options_.folder).string());
    ::setenv("PYTHONDONTWRITEBYTECODE", "1", 0);  // no files beside the scripts
    ::setenv("LP_NUM_THREADS", std::to_string(module_->display.threads()).c_str(), 0);
    const Untouched guard;
    const auto loaded = [&]() -> std::string {
        void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
        if (library == nullptr) return fmt::format("{}; {}", ::dlerror(), how_to_get);
        const auto entry = reinterpret_cast<granary_catalyst_entry>(::dlsym(library, GRANARY_CATALYST_ENTRY));
        module_->api = entry != nullptr ? entry() : nullptr;
        if (module_->api == nullptr || module_->api->version != GRANARY_CATALYST_VERSION)
            return fmt::format("{} belongs to another version of granary: build it again", file);
        return "";
    };
    problem = agreed(loaded());
    if (!problem.empty()) return problem;
    MPI_Comm_dup(comm_, &module_->comm);
    std::vector<const char*> paths;
    for (const std::string& s : scripts_) paths.push_back(s.c_str());
    const std::size_t colon = options_.live.rfind(':');
    const std::string host = options_.live.substr(0, colon);
    const int port = colon == std::string::npos ? 0 : std::atoi(options_.live.c_str() + colon + 1);
    std::string why(2000, '\0');
    module_->handle =
        module_->api->open(&module_->comm, channel_names.data(), static_cast<int>(channel_names.size()), paths.data(),
                           static_cast<int>(paths.size()), port > 0 ? host.c_str() : nullptr, port, why.data(),
                           static_cast<int>(why.size()));
    return agreed(module_->handle != nullptr ? "" : std::string(why.c_str()));
}

std::string Insitu::draw(const InsituScene& scene) {
    if (!on_) return "";
    std::string problem = module_ ? "" : load();
    if (problem.empty()) problem = draw_loaded(scene);
    on_ = problem.empty();
    if (on_) ++pictures_;
    else module_.reset();
    return problem;
}

namespace {

granary_number module_type(Number number) {
    switch (number) {
        case Number::real: return GRANARY_FLOAT32;
        case Number::u64: return GRANARY_INT64;  // ids stay far below 2^63
        case Number::u32: return GRANARY_INT32;
        case Number::u16: break;
    }
    return GRANARY_UINT16;
}

}  // namespace

std::string Insitu::draw_loaded(const InsituScene& scene) {
    const int rank = comm_.rank();
    const InsituBalls balls = insitu_balls(scene, rank);
    const InsituSurface walls = wants_pressure_ ? insitu_walls_with_pressure(comm_, scene)
                                : rank == 0     ? insitu_walls(scene)
                                                : InsituSurface(),
                        slabs = rank == 0 ? insitu_slabs(scene) : InsituSurface(), contacts = insitu_contacts(scene),
                        bonds = insitu_bonds(scene),
                        wall_balls = rank == 0 ? insitu_wall_balls(scene) : InsituSurface();
    const InsituGrains grains = insitu_grains(scene, rank);
    bytes_copied_ = balls.bytes();
    std::vector<granary_array> of_balls{{"rank", GRANARY_INT32, 1, balls.rank.data()}};
    for (const InsituBalls::Field& field : balls.fields)
        of_balls.push_back({field.row->name, module_type(field.row->number()), field.row->count, field.data});
    const granary_array wall_number{"wall", GRANARY_INT32, 1, walls.number.data()},
        slab_number{"slab", GRANARY_INT32, 1, slabs.number.data()},
        pressure{"pressure", GRANARY_FLOAT32, 1, walls.values.data()},
        force{"force", GRANARY_FLOAT32, 1, contacts.values.data()},
        wall_radius{"radius", GRANARY_FLOAT32, 1, wall_balls.values.data()},
        wall_of_ball{"wall", GRANARY_INT32, 1, wall_balls.number.data()},
        share{"share", GRANARY_FLOAT32, 1, bonds.values.data()},
        bond_type{"type", GRANARY_INT32, 1, bonds.number.data()};
    std::vector<granary_array> of_grains{{"Normals", GRANARY_FLOAT32, 3, grains.normals.data()},
                                         {"centre", GRANARY_FLOAT32, 3, grains.centres.data()},
                                         {"velocity", GRANARY_FLOAT32, 3, grains.velocities.data()},
                                         {"id", GRANARY_INT64, 1, grains.ids.data()},
                                         {"shape", GRANARY_UINT16, 1, grains.shapes.data()},
                                         {"material", GRANARY_UINT16, 1, grains.materials.data()},
                                         {"rank", GRANARY_INT32, 1, grains.ranks.data()}};
    if (scene.bodies.has(Column::band)) of_grains.push_back({"band", GRANARY_UINT16, 1, grains.bands.data()});
    const auto surface = [](const char* name, const InsituSurface& s, granary_cells kind, const granary_array* values,
                            const granary_array* number) {
        return granary_channel{name,
                               static_cast<long long>(s.points.size() / 3),
                               s.points.data(),
                               values != nullptr ? 1 : 0,
                               values,
                               kind,
                               static_cast<long long>(s.number.size()),
                               s.ends.data(),
                               s.corners.data(),
                               number != nullptr ? 1 : 0,
                               number};
    };
    const auto n = static_cast<long long>(balls.rank.size());
    std::array<granary_channel, channel_names.size()> channels{
        granary_channel{channel_names[0], n, balls.points.data(), static_cast<int>(of_balls.size()), of_balls.data(),
                        GRANARY_VERTICES, n, nullptr, nullptr, 0, nullptr},
        surface(channel_names[1], walls, GRANARY_POLYGONS, wants_pressure_ ? &pressure : nullptr, &wall_number),
        surface(channel_names[2], slabs, GRANARY_LINES, nullptr, &slab_number),
        surface(channel_names[3], contacts, GRANARY_LINES, &force, nullptr),
        surface(channel_names[4], wall_balls, GRANARY_VERTICES, &wall_radius, &wall_of_ball),
        surface(channel_names[5], bonds, GRANARY_LINES, &share, &bond_type),
        surface(channel_names[6], grains.surface, GRANARY_POLYGONS, of_grains.data(), nullptr)};
    channels[6].n_point_arrays = static_cast<int>(of_grains.size());

    const auto most = [&](auto mine) {
        return boost::mpi::all_reduce(comm_, mine, boost::mpi::maximum<decltype(mine)>());
    };
    const auto sum = [&](auto mine) { return boost::mpi::all_reduce(comm_, mine, std::plus<decltype(mine)>()); };
    granary_facts facts{};
    facts.time = scene.time, facts.step = static_cast<long long>(scene.step);
    facts.n_balls = sum(n), facts.n_ids = most(static_cast<long long>(balls.ids)), facts.n_bands = most(balls.bands);
    facts.fastest = most(balls.fastest), facts.largest_radius = scene.largest_radius;
    const Vec3d g = scene.axes.out(scene.gravity);
    facts.gravity[0] = g.x, facts.gravity[1] = g.y, facts.gravity[2] = g.z;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        float low = std::numeric_limits<float>::infinity(), high = -low;
        for (const std::vector<float>* points :
             {&balls.points, &walls.points, &wall_balls.points, &grains.surface.points})
            for (std::size_t k = axis; k < points->size(); k += 3)
                low = std::min(low, (*points)[k]), high = std::max(high, (*points)[k]);
        facts.low[axis] = -most(-low), facts.high[axis] = most(high);
        if (!(facts.low[axis] <= facts.high[axis])) facts.low[axis] = 0, facts.high[axis] = 1;  // nothing there yet
    }
    double forces = 0, force_most = 0;
    for (const InsituContact& c : scene.contacts) forces += c.force, force_most = std::max(force_most, c.force);
    const auto n_contacts = sum(static_cast<double>(scene.contacts.size()));
    facts.mean_force = n_contacts > 0 ? sum(forces) / n_contacts : 0;
    facts.most_force = most(force_most);
    float pressed = 0;
    for (const float p : walls.values) pressed = std::max(pressed, p);
    facts.most_pressure = most(pressed);
    facts.n_bonds = sum(static_cast<long long>(scene.bonds.size()));
    facts.n_broken = static_cast<long long>(scene.broken_bonds);
    facts.n_shapes = static_cast<long long>(scene.shapes.size());

    const Untouched guard;
    std::string why(2000, '\0');
    const int good = module_->api->draw(module_->handle, &facts, channels.data(), static_cast<int>(channels.size()),
                                        why.data(), static_cast<int>(why.size()));
    return agreed(good != 0 ? "" : std::string(why.c_str()));
}

}  // namespace granary
