// The state of a run in one HDF5 file, written and read by any number of ranks. A reader with h5dump or h5py
// needs no other source: names, units and meanings stand in the file.
//   /                   attributes: schema, schema_version, units, step, time, dt, velocity_time, ...; datasets: names,
//   case text /bodies/<field>     one row a body, the fields marked `saved` in the table of columns, in the one order
//   /contacts/...       body, partner_class, partner, feature, kind, xi: every record once, body the smaller id
//   /run_reals, /run_integers, /run_texts   whatever else a run needs to go on, by name
// Numbers are little-endian, SI, and keep all their bits: what is read and written again has the same digest.
// The same state in the same order makes the same file, byte for byte, whatever the number of ranks. Checksums stand in
// its first bytes, see state_seal.hpp; they are looked at whenever a file is read.
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
#include "core/axes.hpp"
#include "core/contact_stream.hpp"
#include "core/digest.hpp"
#include "core/state_source.hpp"

namespace granary {

inline constexpr const char* state_schema = "granary-state";
inline constexpr std::uint64_t state_schema_version =
    3;  // 1: without checksums and texts; 2: partners with marks; both still read

struct StateData {
    StateHeader header;                          // the same on all ranks
    std::uint64_t n_bodies = 0, n_contacts = 0;  // in the whole file
    std::vector<BodyRecord> bodies;              // this rank's share
    std::vector<ContactRecord> contacts;         // this rank's share, not necessarily of its bodies
};

struct StateOptions {
    std::size_t rows_at_once = 1'000'000;  // bodies or contacts buffered at a time; also keeps each MPI count small
};

// Collective. Writes the real bodies of all ranks, ranks in order, and the contacts, each given once by one rank,
// from either side. axes: from those of the bodies and contacts to those of the file. The header is that of rank 0. The
// file is written as path + ".part" and takes its name when it is whole and on the disk. Any failure throws the same
// InputError on all ranks; an older file of that name is then untouched and the part removed.
void write_state(const boost::mpi::communicator& comm, const std::string& path, const StateHeader& header,
                 const Bodies& bodies, const ContactStream& contacts, const Axes& axes = Axes(),
                 const StateOptions& options = {});
inline void write_state(const boost::mpi::communicator& comm, const std::string& path, const StateHeader& header,
                        const Bodies& bodies, std::span<const ContactRecord> contacts, const Axes& axes = Axes(),
                        const StateOptions& options = {}) {
    write_state(comm, path, header, bodies, ContactStream::of(contacts), axes, options);
}

// A whole state file.
class OpenState final : public StateSource {
  public:
    // Checks the whole file and reads its header.
    OpenState(boost::mpi::communicator comm, const std::string& path,
              const StateOptions& options = {.rows_at_once = 4096});
    ~OpenState() override;
    OpenState(OpenState&&) noexcept;

    std::uint64_t n_bodies() const override;
    std::uint64_t n_contacts() const override;
    bool has(Column column) const override;
    void for_bodies(const std::function<void(std::span<BodyRecord>)>& use,
                    std::span<const Column> only = {}) const override;
    void for_contacts(const std::function<void(std::span<ContactRecord>)>& use) const override;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

// The whole share at once, for small files: a body takes some 400 bytes, a contact 40.
StateData read_state(const boost::mpi::communicator& comm, const std::string& path, const StateOptions& options = {});

// Collective. The same header, and nothing else; the file is not checked.
StateHeader read_header(const boost::mpi::communicator& comm, const std::string& path);

// Collective. Throws the same InputError on all ranks if the file is not whole.
void check_state(const boost::mpi::communicator& comm, const std::string& path);

// For one process; equal to digest_of(comm, bodies, contacts) of what was written. Of a checkpoint: without the balls
// that have crossed an outlet, like the digest of the run.
Digest digest_of_file(const std::string& path, const StateOptions& options = {});

}  // namespace granary
