// State files and checkpoints. Bytes of a file that are simply changed are found out by its seal, and HDF5 never sees
// them; so the targets forge: the lines of the seal with a good checksum; what HDF5 finds, sealed again; what a run
// finds in a checkpoint.
#include <unistd.h>
#include <boost/mpi/communicator.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>
#include "observe/checkpoint_file.hpp"
#include "plan/plan.hpp"
#include "engine/simulation.hpp"
#include "plan/start_state.hpp"
#include "core/errors.hpp"
#include "fuzz/harness.hpp"
#include "io/state/hdf5.hpp"
#include "io/state/state_file.hpp"
#include "io/state/state_seal.hpp"

namespace granary::fuzz {
namespace {

namespace fs = std::filesystem;

// Small, with something of everything that a checkpoint keeps: springs of all kinds, moving walls, a servo, balls that
// come and go, energies and mean forces.
const std::string case_text = R"([domain]
lower = [0.0, 0.0, 0.0]
upper = [0.04, 0.04, 0.04]
[run]
dt = 1e-5
steps = 20
[law]
rolling = "spring"
[[materials]]
name = "grain"
density = 1000.0
young = 1e6
poisson = 0.3
restitution = 0.3
friction = 0.3
rolling_friction = 0.1
[[bodies]]
source = "lattice"
material = "grain"
lower = [0.0, 0.0, 0.0]
upper = [0.03, 0.02, 0.02]
spacing = 0.01
radius = 0.005
velocity = [0.1, 0.0, -0.1]
[[insert]]
name = "rain"
material = "grain"
lower = [0.0, 0.0, 0.03]
upper = [0.04, 0.04, 0.04]
total = 8
rate = 50000.0
interval = 4e-5
radius = 0.003
velocity = [0.0, 0.0, -1.0]
[[motions]]
type = "vibrate"
name = "shaker"
amplitude = [0.0, 0.0, 1e-5]
frequency = 50.0
[[motions]]
type = "servo"
name = "press"
direction = [0.0, 0.0, -1.0]
force = 1.0
speed = 0.05
gain = 0.005
[[walls]]
name = "floor"
type = "plane"
point = [0.0, 0.0, 0.0002]
normal = [0.0, 0.0, 1.0]
material = "grain"
motion = "shaker"
[[walls]]
name = "lid"
type = "rectangle"
corner = [0.0, 0.0, 0.0198]
edge_a = [0.02, 0.0, 0.0]
edge_b = [0.0, 0.02, 0.0]
material = "grain"
motion = "press"
[[outlets]]
name = "side"
point = [0.0251, 0.0, 0.0]
normal = [-1.0, 0.0, 0.0]
[output]
energy = true
forces = "mean"
)";

// A checkpoint of a small run, as bytes of its file and as what is read from it.
struct Good {
    boost::mpi::communicator comm;
    Case c = read_case(case_text, "fuzz.toml");
    CasePlaces places{case_text, "fuzz.toml"};
    Plan plan = make_plan(comm, c, places);
    std::string bytes;
    Good() {
        const fs::path path = fs::temp_directory_path() / ("granary_fuzz_" + std::to_string(::getpid()) + ".h5");
        Simulation sim(comm, plan.setup);
        for (int k = 0; k < 10; ++k) sim.step();  // forces for the servo are under way
        SavedState saved = sim.save();
        save_plan(plan, saved);
        write_checkpoint(path.string(), sim, case_text, saved);
        std::ifstream file(path, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(file), {});
        const StateData data = read_state(comm, path.string());
        fs::remove(path);
        must(data.n_bodies > 5 && data.n_contacts > 3, "the good checkpoint holds something");
        must(!saved.reals.at("walls.servo_forces").empty() && saved.integers.at("ledger.0.left")[0] > 0 &&
                 saved.integers.at("insertions.balls")[0] > 0,
             "in the good checkpoint balls come and go, and a servo presses");
    }
};

const Good& good() {
    static const Good one;
    return one;
}

template <class Work> void refused_or_taken(Work&& work) {
    try {
        work();
    } catch (const InputError&) {
    } catch (const RunError&) {}
}

std::string lines_of_seal(const std::string& file) { return file.substr(0, file.find("\nseal ") + 1); }

// ---- A file that HDF5 can read, but that is not what it should be
// ------------------------------------------------------------------

constexpr const char* attributes[] = {
    "schema",  "schema_version", "version",      "step",         "time",           "dt",
    "next_id", "inserted",       "domain_lower", "domain_upper", "domain_periodic"};
constexpr const char* datasets[] = {"/material_names",        "/wall_names",       "/outlet_names",
                                    "/left_by_outlet",        "/case_text",        "/bodies/id",
                                    "/bodies/position",       "/bodies/radius",    "/bodies/velocity",
                                    "/bodies/inverse_mass",   "/bodies/spin",      "/bodies/material",
                                    "/bodies/force",          "/bodies/reference", "/contacts/body",
                                    "/contacts/partner",      "/contacts/xi",      "/run_reals/run.dt",
                                    "/run_integers/run.step", "/run_texts",        "/run_reals",
                                    "/run_integers",          "/bodies",           "/contacts"};

h5::Handle any_type(Numbers& in) {
    const hid_t numbers[] = {H5T_IEEE_F64LE, H5T_STD_U64LE, H5T_STD_U16LE, H5T_STD_U8LE,
                             H5T_IEEE_F32LE, H5T_STD_I64LE, H5T_STD_U64BE};
    const std::size_t which = in.below(9);
    if (which < 7) return {H5Tcopy(numbers[which]), H5Tclose};
    if (which == 7) return h5::text_type(in.integer() & 0xFFFFF);
    h5::Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, H5T_VARIABLE);
    return type;
}

h5::Handle any_space(Numbers& in) {
    const std::size_t rank = in.below(5);
    if (rank == 4) return {H5Screate(H5S_NULL), H5Sclose};
    h5::Shape shape;
    for (std::size_t k = 0; k < rank; ++k) shape.push_back(in.integer());
    return h5::space_of(shape);
}

void edit(hid_t file, Numbers& in) {
    const std::size_t what = in.below(6);
    if (what < 2) {
        const char* name = attributes[in.below(std::size(attributes))];
        H5Adelete(file, name);
        if (what == 0) return;
        const h5::Handle type = any_type(in), space = any_space(in);
        if (H5Sget_simple_extent_npoints(space) > 1000) return;  // HDF5 itself falls over sizes beyond 64 bits
        const h5::Handle made(H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
        const h5::Shape shape = h5::shape_of(space);
        if (made < 0 || !shape.empty() || H5Tget_class(type) == H5T_STRING) return;
        const std::uint64_t value = in.integer();
        H5Awrite(made, type, &value);
    } else if (what < 5) {
        const char* name = datasets[in.below(std::size(datasets))];
        if (what == 2) {  // its place, with other numbers
            const h5::Handle set(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
            const h5::Handle type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
            if (set < 0 || H5Tget_class(type) == H5T_STRING) return;
            const h5::Shape shape = h5::shape_of(space);
            hsize_t n = 1;
            for (const hsize_t extent : shape) n *= extent;
            if (n == 0 || n > 1000) return;
            std::vector<double> values(n);
            for (double& v : values) v = in.real();
            H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
            return;
        }
        H5Ldelete(file, name, H5P_DEFAULT);
        if (what == 3) return;
        const h5::Handle type = any_type(in), space = any_space(in), how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        if (in.below(2) == 1) H5Pset_layout(how, H5D_COMPACT);
        const h5::Handle made(H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose);
    } else {  // one under the name of another
        const char *from = datasets[in.below(std::size(datasets))], *to = datasets[in.below(std::size(datasets))];
        H5Ldelete(file, to, H5P_DEFAULT);
        H5Lcreate_hard(file, from, file, to, H5P_DEFAULT, H5P_DEFAULT);
    }
}

// ---- A checkpoint whose numbers are others
// ---------------------------------------------------------------------------------------

template <class Map> typename Map::mapped_type* any_of(Map& map, Numbers& in) {
    if (map.empty()) return nullptr;
    return &std::next(map.begin(), static_cast<std::ptrdiff_t>(in.below(map.size())))->second;
}

void edit(SavedState& run, Numbers& in) {
    const std::size_t what = in.below(4);
    if (what == 0) {
        if (auto* list = any_of(run.reals, in)) {
            if (in.below(4) == 0) list->resize(in.below(100));
            if (!list->empty()) (*list)[in.below(list->size())] = in.real();
        }
    } else if (what < 3) {
        if (auto* list = any_of(run.integers, in)) {
            if (in.below(4) == 0) list->resize(in.below(100));
            if (!list->empty()) (*list)[in.below(list->size())] = in.integer();
        }
    } else if (!run.integers.empty()) {
        run.integers.erase(std::next(run.integers.begin(), static_cast<std::ptrdiff_t>(in.below(run.integers.size()))));
    }
}

// A good checkpoint, its datasets edited and sealed again.
const std::string& edited_file(Numbers& in, int edits) {
    const std::string& path = one_file().hold(good().bytes);
    {
        const h5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
        H5Pset_file_locking(access, false, true);
        const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access), H5Fclose);
        must(file >= 0, ("a good state can be opened: " + h5::reason()).c_str());
        for (int k = 0; k < edits && in.any(); ++k) edit(file, in);
    }
    refused_or_taken([&] { seal_again(path); });
    return path;
}

}  // namespace

void seal_target(Bytes bytes) {
    if (bytes.size() > seal_bytes - 30) return;
    // Whole lines, or what comes after the good ones.
    const std::string given(bytes), kept = lines_of_seal(good().bytes);
    for (const std::string& lines : {given, "granary seal 1\n" + given, kept + given}) {
        if (lines.size() > seal_bytes - 30) continue;
        const std::string& path = one_file().hold(closed_seal(lines) + good().bytes.substr(seal_bytes));
        for (const std::uint64_t parts : {1, 3})
            for (std::uint64_t part = 0; part < parts; ++part)
                refused_or_taken([&] { check_seal(path, {part, parts, [](const auto& x) { return x; }}); });
        refused_or_taken([&] { has_seal(path); });
    }
}

void state_target(Bytes bytes) {
    const h5::QuietErrors quiet;
    Numbers in(bytes);
    const std::string& path = edited_file(in, 8);
    refused_or_taken([&] { digest_of_file(path); });
    refused_or_taken([&] {
        Setup setup = good().plan.setup;
        setup.start = {};
        start_from(good().comm, path, setup.axes, setup);
        Simulation sim(good().comm, setup);
        for (int k = 0; k < 2; ++k) sim.step();
    });
}

namespace {

// Goes on from an open checkpoint whose numbers are edited; it is left as it was.
void go_on(OpenState& state, Numbers& in) {
    const SavedState kept = state.header.run;
    refused_or_taken([&] {
        for (int k = 0; k < 6 && in.any(); ++k) edit(state.header.run, in);
        const Plan plan = make_plan(good().comm, good().c, good().places, &state.header.run);
        Simulation sim(good().comm, plan.setup, state);
        for (int k = 0; k < 3; ++k) sim.step();
    });
    state.header.run = kept;
}

}  // namespace

void checkpoint_target(Bytes bytes) {
    const h5::QuietErrors quiet;
    Numbers in(bytes);
    const int in_the_file = static_cast<int>(in.below(5));
    if (in_the_file ==
        0) {  // the good file, opened once and left to HDF5 to close: MPI ends before what is static does
        static MemoryFile file;
        static OpenState& state = *new OpenState(good().comm, file.hold(good().bytes));
        go_on(state, in);
        return;
    }
    const std::string& path = edited_file(in, in_the_file);
    refused_or_taken([&] {
        OpenState state(good().comm, path);
        go_on(state, in);
    });
}

}  // namespace granary::fuzz
