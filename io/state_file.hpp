// The state of a run in one HDF5 file, written and read by any number of ranks. A reader with h5dump or h5py
// needs no other source: names, units and meanings stand in the file.
//   /                   attributes: schema, schema_version, units, step, time, dt, velocity_time, ...; datasets: names, case text
//   /bodies/<field>     one row a body, the fields marked `saved` in the field table, in the one order
//   /contacts/...       body, partner, xi: every contact once, body the smaller id
//   /run_reals, /run_integers, /run_texts   whatever else a run needs to go on, by name
// Numbers are little-endian, SI, and keep all their bits: what is read and written again has the same digest.
// The same state in the same order makes the same file, byte for byte, whatever the number of ranks. Checksums stand in its first
// bytes, see state_seal.hpp; they are looked at whenever a file is read.
//
// The file is laid out by rank 0 alone and its room on the disk reserved; then every rank writes its own rows into it.
// Nothing but plain numbers is written in parallel, so a full disk or a missing folder is met where it can be told to
// all, and never leaves ranks waiting for each other.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>
#include "core/bodies.hpp"
#include "core/contact_record.hpp"
#include "core/domain.hpp"
#include "core/saved_state.hpp"
#include "io/digest.hpp"

namespace granary {

inline constexpr const char* state_schema = "granary-state";
inline constexpr std::uint64_t state_schema_version = 2;  // 1: without checksums and texts; still read

struct StateHeader {
    std::uint64_t step = 0;
    double time = 0, dt = 0;     // s
    Id next_id = 0;              // of the next body to be made
    std::uint64_t inserted = 0;  // bodies ever made
    Domain domain;
    std::vector<std::string> material_names;  // by material number
    std::vector<std::string> wall_names;      // by wall number
    std::vector<std::string> outlet_names;
    std::vector<std::uint64_t> left_by_outlet;  // bodies that left, by outlet
    std::string case_text;                      // the case file as it was read
    std::string version;                        // of the program that wrote the file
    SavedState run;                             // of a checkpoint: whatever else a run needs to go on
};

// A body as the file holds it. It is no NewBody: that has mass and inertia, the file their inverses, and 1/(1/m)
// would lose bits. Laid out like the columns of Bodies, so that the field table serves for both.
struct StateBody {
    double position[4]{};   // m; [3] radius, m
    double velocity[4]{};   // m/s, at t - dt/2; [3] 1/m, 1/kg
    double spin[4]{};       // rad/s, at t - dt/2; [3] 1/I, 1/(kg m^2)
    double force[3]{};      // N, at t
    double torque[3]{};     // N m, at t
    double reference[3]{};  // m, position of the last sort
    Id id = 0;
    std::uint16_t material = 0;
    std::uint16_t band = no_band;
    double entry_time = std::numeric_limits<double>::quiet_NaN();  // s; nan: the file does not tell
    double acceleration[3]{}, jerk[3]{};    // m/s^2, m/s^3: of a predictor-corrector, like the next two
    double spin_rate[3]{}, spin_jerk[3]{};  // rad/s^2, rad/s^3
};

// A checkpoint holds all bodies that push others; those that have crossed an outlet and are no longer inside are listed by this name.
inline constexpr const char* crossed_name = "outlets.crossed";
std::set<Id> crossed_in(const StateHeader& header);
// Named in the state of a run by the predictor-corrector: velocities are those of the state's time, not of half a step before.
inline constexpr const char* gear_name = "gear";

// Sets all of body i except its cube, which follows from the reference position.
void put(Bodies& bodies, Index i, const StateBody& body);

struct StateData {
    StateHeader header;                          // the same on all ranks
    std::uint64_t n_bodies = 0, n_contacts = 0;  // in the whole file
    std::vector<StateBody> bodies;               // this rank's share
    std::vector<ContactRecord> contacts;         // this rank's share, not necessarily of its bodies
};

struct StateOptions {
    std::size_t rows_at_once = 1'000'000;  // bodies or contacts buffered at a time; also keeps each MPI count small
};

// Collective. Writes the real bodies of all ranks, ranks in order, and the contacts, each given once by one rank,
// from either side. The header is that of rank 0. The file is written as path + ".part" and takes its name when it is
// whole and on the disk. Any failure throws the same InputError on all ranks; an older file of that name is then
// untouched and the part removed.
void write_state(const boost::mpi::communicator& comm, const std::string& path, const StateHeader& header,
                 const Bodies& bodies, std::span<const ContactRecord> contacts, const StateOptions& options = {});

// A whole state file, read in slices: a rank never holds more of it than a slice. Each rank is given an equal contiguous share of bodies
// and contacts, in the order of the file. Collective, all of it; any failure throws the same InputError on all ranks.
class OpenState {
  public:
    // Checks the whole file and reads its header.
    OpenState(boost::mpi::communicator comm, const std::string& path,
              const StateOptions& options = {.rows_at_once = 4096});
    ~OpenState();
    OpenState(OpenState&&) noexcept;

    StateHeader header;              // the same on all ranks
    std::uint64_t n_bodies() const;  // in the whole file
    std::uint64_t n_contacts() const;
    bool has(Column column) const;  // of its bodies

    // Calls use(slice) for one slice of this rank's share after the other, as often on every rank: the last ones may be empty, and use may be
    // collective. Always the same slices in the same order. only: what is read of a body, and nothing else of it; none: all.
    void for_bodies(const std::function<void(std::span<StateBody>)>& use, std::span<const Column> only = {}) const;
    void for_contacts(const std::function<void(std::span<ContactRecord>)>& use) const;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

// The whole share at once, for small files: a body takes 280 bytes, a contact 40.
StateData read_state(const boost::mpi::communicator& comm, const std::string& path, const StateOptions& options = {});

// Collective. The same header, and nothing else; the file is not checked.
StateHeader read_header(const boost::mpi::communicator& comm, const std::string& path);

// Collective. Throws the same InputError on all ranks if the file is not whole.
void check_state(const boost::mpi::communicator& comm, const std::string& path);

// For one process; equal to digest_of(comm, bodies, contacts) of what was written. Of a checkpoint: without the balls that have crossed
// an outlet, like the digest of the run.
Digest digest_of_file(const std::string& path, const StateOptions& options = {});

}  // namespace granary
