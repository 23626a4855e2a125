#include "fuzz/good_run.hpp"

#include <hdf5.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include "observe/checkpoint_file.hpp"
#include "engine/simulation.hpp"
#include "fuzz/harness.hpp"
#include "io/state/state_file.hpp"

namespace granary::fuzz {
namespace {

namespace fs = std::filesystem;

// Springs of all kinds, moving walls, a servo, balls that
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

// The bytes of a file of this simulation, which is removed.
std::string written(const Simulation& sim, const SavedState& saved) {
    const fs::path path = fs::temp_directory_path() / ("granary_fuzz_" + std::to_string(::getpid()) + ".h5");
    write_checkpoint(path.string(), sim, case_text, saved);
    std::ifstream file(path, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    const StateData data = read_state(sim.comm(), path.string());
    fs::remove(path);
    must(data.n_bodies > 5 && data.n_contacts > 3, "the good checkpoint holds something");
    return bytes;
}

}  // namespace

GoodRun::GoodRun()
    : c(read_case(case_text, "fuzz.toml")),
      places(case_text, "fuzz.toml"),
      plan(make_plan(comm, c, places)) {
    // Each file that is opened takes half a megabyte of tables; HDF5 shall keep them and not give them back to the
    // system every time.
    H5set_free_list_limits(-1, -1, -1, -1, -1, -1);
    Simulation sim(comm, plan.setup);
    for (int k = 0; k < 10; ++k) sim.step();  // forces for the servo are under way
    SavedState saved = sim.save();
    save_plan(plan, saved);
    checkpoint = written(sim, saved);
    must(!saved.reals.at("walls.servo_forces").empty() && saved.integers.at("ledger.0.left")[0] > 0 &&
             saved.integers.at("insertions.balls")[0] > 0,
         "in the good checkpoint balls come and go, and a servo presses");
    SavedState few;
    few.reals = {{"run.dt", saved.reals.at("run.dt")}};
    few.integers = {{"run.step", saved.integers.at("run.step")}};
    few.texts = {{"fuzz.text", {"a", "bc"}}};
    state = written(sim, few);
}

const GoodRun& good_run() {
    static const GoodRun one;
    return one;
}

}  // namespace granary::fuzz
