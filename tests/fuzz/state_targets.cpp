// State files. Bytes of a file that are simply changed are found out by its seal, and HDF5 never sees them; so the
// targets forge: the lines of the seal with a good checksum; what HDF5 finds, sealed again; what a run finds in a
// checkpoint, in its file and, mostly, in memory.
#include <fstream>
#include <iterator>
#include <string>
#include <vector>
#include "engine/simulation.hpp"
#include "plan/start_state.hpp"
#include "fuzz/edited_checkpoint.hpp"
#include "fuzz/good_run.hpp"
#include "fuzz/harness.hpp"
#include "io/state/hdf5.hpp"
#include "io/state/state_file.hpp"
#include "io/state/state_seal.hpp"

namespace granary::fuzz {
namespace {

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
constexpr bool quick = true;
#else
constexpr bool quick = false;
#endif
constexpr const char* seal_begins = "granary seal 1\n";

std::string lines_of_seal(const std::string& file) { return file.substr(0, file.find("\nseal ") + 1); }

// A sealed file of some rows of every width and a rest. Nothing of HDF5 is in it, since these checks never ask; so an
// input takes microseconds.
const std::string& sealed_rows() {
    static const std::string bytes = [] {
        std::string content(seal_bytes + 700, '\0');
        for (std::size_t k = 0; k < content.size(); ++k) content[k] = static_cast<char>(k * 37 % 251);
        MemoryFile file;
        write_seal(file.hold(content), {{"/bodies/id", seal_bytes + 8, 8, 20, 0},
                                        {"/bodies/position", seal_bytes + 200, 24, 10, 0},
                                        {"/contacts/feature", seal_bytes + 480, 4, 7, 0},
                                        {"/contacts/kind", seal_bytes + 600, 2, 9, 0}});
        seal_again(file.path());
        std::ifstream sealed(file.path(), std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(sealed), {});
    }();
    return bytes;
}

// What is wrong; empty: nothing.
std::string error_in(const std::string& path, std::uint64_t part, std::uint64_t parts) {
    try {
        check_seal(path, {part, parts, [](const auto& x) { return x; }});
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

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

// A good file, its datasets edited and sealed again.
const std::string& edited_file(const std::string& bytes, Numbers& in, int edits) {
    const std::string& path = one_file().hold(bytes);
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
    // Whole lines, or what comes after the good ones.
    const std::string given(bytes), kept = lines_of_seal(sealed_rows());
    must(error_in(one_file().hold(sealed_rows()), 0, 1).empty(), "the good seal is taken");
    for (const std::string& lines : {given, seal_begins + given, kept + given}) {
        if (lines.size() > seal_bytes - 30) continue;
        const std::string& path = one_file().hold(closed_seal(lines) + sealed_rows().substr(seal_bytes));
        const std::string error = error_in(path, 0, 1);
        // What is wrong with the lines themselves is so for every share.
        if (error.find("checksums") == std::string::npos)
            for (std::uint64_t part = 0; part < 3; ++part) error_in(path, part, 3);
        refused_or_taken([&] { has_seal(path); });
    }
}

void state_target(Bytes bytes) {
    const h5::QuietErrors quiet;
    const GoodRun& good = good_run();
    Numbers in(bytes);
    const std::string& path = edited_file(good.state, in, 8);
    // The digest reads as a run does, so that the fuzzer, which has to open the file for it, does so for every fourth
    // input.
    if (!quick || bytes.size() % 4 == 0) refused_or_taken([&] { digest_of_file(path); });
    refused_or_taken([&] {
        Setup setup = good.plan.setup;
        setup.start = {};
        start_from(good.comm, path, setup.axes, setup);
        Simulation sim(good.comm, setup);
        for (int k = 0; k < 2; ++k) sim.step();
    });
}

// By the first number: from 0 what is saved besides bodies and contacts is edited, from 1 to 4 that and as many entries
// of the file, above bodies and contacts in memory.
void checkpoint_target(Bytes bytes) {
    const h5::QuietErrors quiet;
    Numbers in(bytes);
    const int where = static_cast<int>(in.below(16));
    if (where == 0 || where > 4) {
        StateInMemory edited = good_checkpoint();
        for (int k = 4; k < where && k < 9; ++k) edited.edit(in);
        go_on(edited, in);
        return;
    }
    const std::string& path = edited_file(good_run().checkpoint, in, where);
    refused_or_taken([&] {
        OpenState state(good_run().comm, path);
        go_on(state, in);
    });
}

}  // namespace granary::fuzz
