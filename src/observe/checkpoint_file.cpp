#include "observe/checkpoint_file.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <filesystem>
#include "engine/surface_sums.hpp"
#include "core/errors.hpp"
#include "core/version.hpp"
#include "decomposition/together.hpp"
#include "engine/contact_records.hpp"
#include "engine/measures.hpp"
#include "shapes/saved_templates.hpp"

namespace granary {

namespace {

namespace fs = std::filesystem;

bool is_checkpoint(const std::string& name) {
    return name.size() > 8 && name.starts_with("step-") && name.ends_with(".h5") &&
           name.find_first_not_of("0123456789", 5) == name.size() - 3;
}

fs::path whole_path(const std::string& what) {
    const fs::path path = fs::absolute(what).lexically_normal();
    return path.filename().empty() ? path.parent_path() : path;
}

}  // namespace

StateHeader state_header(const Simulation& sim, const std::string& case_text) {
    const Setup& setup = sim.setup();
    const Ledger ledger = ledger_of(sim);
    StateHeader h;
    h.step = sim.clock().step(), h.time = sim.clock().time(), h.dt = setup.dt, h.next_id = sim.counts().next_id,
    h.inserted = ledger.inserted;
    h.domain = setup.axes.out(setup.domain);
    for (const Material& m : setup.materials) h.material_names.push_back(m.name);
    for (const Wall& w : setup.walls) h.wall_names.push_back(w.name);
    for (const Outlet& o : setup.outlets) h.outlet_names.push_back(o.name);
    h.left_by_outlet = ledger.left, h.case_text = case_text, h.version = version;
    if (setup.integrator == Integrator::gear) h.run.integers[gear_name] = {1};
    surface_sums(setup).save(h.run);
    save_templates(setup.shapes, setup.axes, h.run);
    return h;
}

std::string checkpoint_name(std::uint64_t step) { return fmt::format("step-{:012}.h5", step); }

void write_checkpoint(const std::string& path, const Simulation& sim, const std::string& case_text, SavedState run) {
    together(sim.comm(), [&] {
        std::error_code error;
        if (sim.comm().rank() == 0) fs::create_directories(fs::path(path).parent_path(), error);
        if (error) throw InputError(path + ": cannot create the folder: " + error.message());
    });
    StateHeader h = state_header(sim, case_text);
    h.run.integers.merge(run.integers), h.run.reals.merge(run.reals), h.run.texts.merge(run.texts);
    // With those that have crossed an outlet and still push others: whatever the next step needs.
    write_state(sim.comm(), path, h, sim.bodies(), contact_stream_of(sim), sim.setup().axes);
}

std::vector<std::string> checkpoints_in(const std::string& folder) {
    std::vector<std::string> found;
    std::error_code error;
    for (fs::directory_iterator at(fs::path(folder) / checkpoint_folder, error), end; !error && at != end;
         at.increment(error))
        if (is_checkpoint(at->path().filename().string())) found.push_back(at->path().string());
    // Steps of more than twelve digits are longer names.
    std::sort(found.begin(), found.end(), [](const std::string& a, const std::string& b) {
        return a.size() != b.size() ? a.size() > b.size() : a > b;
    });
    return found;
}

std::string run_folder_of(const std::string& what) {
    const fs::path path = whole_path(what);
    std::error_code error;
    if (!fs::exists(path, error)) throw InputError(what + ": no such file or folder");
    if (!fs::is_directory(path, error)) {
        const bool usual = path.parent_path().filename() == checkpoint_folder;
        return (usual ? path.parent_path().parent_path() : path.parent_path()).string();
    }
    const bool of_checkpoints = path.filename() == checkpoint_folder && !fs::exists(path / checkpoint_folder, error);
    return (of_checkpoints ? path.parent_path() : path).string();
}

FoundCheckpoint find_checkpoint(const boost::mpi::communicator& comm, const std::string& what) {
    FoundCheckpoint found;
    std::vector<std::string> paths;
    bool only_one = false;
    together(comm, [&] {
        if (comm.rank() > 0) return;
        found.folder = run_folder_of(what);
        std::error_code error;
        only_one = !fs::is_directory(what, error);
        if (only_one) {
            paths = {whole_path(what).string()};
            return;
        }
        paths = checkpoints_in(found.folder);
        if (paths.empty())
            throw InputError(fmt::format(
                "{}: there is no checkpoint in {}: the run has finished or has saved none. To start the case again use "
                "`granary run ... --overwrite`",
                what, (fs::path(found.folder) / checkpoint_folder).string()));
    });
    boost::mpi::broadcast(comm, found.folder, 0);
    boost::mpi::broadcast(comm, paths, 0);
    for (const std::string& path : paths) {
        try {
            check_state(comm, path);
            const StateHeader header = read_header(comm, path);
            if (!header.run.integers.contains("run.step"))
                throw InputError(path + ": is a state, not a checkpoint; a new case can start from it with [start]");
            found.path = path;
            return found;
        } catch (const InputError& e) {  // the same on all ranks
            if (only_one) throw;
            found.warnings.emplace_back(e.what());
            found.broken.push_back(path);
        }
    }
    std::string text = what + ": none of its checkpoints is intact";
    for (const std::string& w : found.warnings) text += "\n  " + w;
    throw InputError(text);
}

}  // namespace granary
