// Writing a state file; reading is in state_file_read.cpp.
#include "io/state/state_file.hpp"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <cstring>
#include <functional>
#include <memory>
#include <type_traits>
#include "io/state/state_layout.hpp"
#include "io/state/state_seal.hpp"
#include "io/formats/system_file.hpp"
#include "decomposition/together.hpp"

namespace granary {
namespace {

using namespace state_layout;

// This rank's rows of a dataset: [first, first + n) of total.
struct Share {
    std::uint64_t first = 0, n = 0, total = 0;
    Share(const boost::mpi::communicator& comm, std::uint64_t mine) : n(mine) {
        first = boost::mpi::scan(comm, mine, std::plus<std::uint64_t>()) - mine;
        total = boost::mpi::all_reduce(comm, mine, std::plus<std::uint64_t>());
    }
};

class HeaderWriter {
  public:
    explicit HeaderWriter(const h5::File& file) : file_(file) {}

    void attribute(const char* name, const std::string& text) { file_.put_text(file_, name, text); }
    void attribute(const char* name, const std::uint64_t& value) { file_.put_numbers(file_, name, {}, &value); }
    void attribute(const char* name, const double& value) { file_.put_numbers(file_, name, {}, &value); }
    void attribute(const char* name, const Vec3d& value) {
        const double values[3]{value.x, value.y, value.z};
        file_.put_numbers(file_, name, {3}, values);
    }
    void attribute(const char* name, const std::array<bool, 3>& flags) {
        const std::uint8_t values[3]{flags[0], flags[1], flags[2]};
        file_.put_numbers(file_, name, {3}, values);
    }
    void dataset(const char* name, const std::string& text) { put_texts(name, {}, {&text, 1}); }
    void dataset(const std::string& name, const std::vector<std::string>& texts) {
        put_texts(name, {texts.size()}, texts);
    }
    template <class T> void dataset(const std::string& name, const std::vector<T>& values) {
        const h5::Handle set = file_.new_dataset(name, h5::file_type<T>(), {values.size()}, untimed_);
        write(set, h5::memory_type<T>(), values.data(), name);
    }
    template <class T> void dataset(const char* name, const std::map<std::string, std::vector<T>>& lists) {
        const h5::Handle group(file_.check(H5Gcreate2(file_, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                           std::string("cannot create the group ") + name),
                               H5Gclose);
        for (const auto& [key, values] : lists) dataset(std::string(name) + "/" + key, values);
    }

  private:
    static h5::Handle untimed() {  // no time stamps: the same state makes the same bytes
        h5::Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_obj_track_times(creation, false);
        return creation;
    }
    void put_texts(const std::string& name, const h5::Shape& shape, std::span<const std::string> texts) {
        const std::size_t width = h5::width_of(texts);
        const h5::Handle type = h5::text_type(width);
        write(file_.new_dataset(name, type, shape, untimed_), type, h5::pack_texts(texts, width).data(), name);
    }
    void write(hid_t set, hid_t type, const void* values, const std::string& name) {
        file_.check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "cannot write " + name);
    }

    const h5::File& file_;
    h5::Handle untimed_ = untimed();
};

// The room for the rows is set apart at once, in one piece, and left as it is until the ranks fill it.
SealedRows make_rows(const h5::File& file, const Rows& rows, std::uint64_t n) {
    const h5::Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_layout(creation, H5D_CONTIGUOUS);
    H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    H5Pset_obj_track_times(creation, false);
    const h5::Handle set = file.new_dataset(rows.name, file_type(rows.number), rows.shape(n), creation);
    file.put_text(set, "unit", rows.unit);
    if (*rows.description) file.put_text(set, "description", rows.description);
    const haddr_t offset = H5Dget_offset(set);
    if (n > 0 && offset == HADDR_UNDEF) file.fail("has no storage for " + rows.name);
    return {rows.name, n > 0 ? offset : seal_bytes, rows.bytes(), n, 0};
}

// The whole file but for the rows, which stay holes: where they lie.
std::vector<SealedRows> write_frame(const h5::File& file, const StateHeader& header, const Bodies& bodies,
                                    std::uint64_t n_bodies, std::uint64_t n_contacts) {
    file.put_text(file, "schema", state_schema);
    file.put_numbers(file, "schema_version", {}, &state_schema_version);
    file.put_text(file, "program", "granary");
    file.put_text(file, "units", "SI: time and dt in s, domain in m; of the datasets, see the attribute unit of each");
    HeaderWriter writer(file);
    for_each_entry(header, writer);
    const bool of_state = header.run.integers.contains(gear_name);
    writer.attribute("velocity_time", header.time - (of_state ? 0.0 : 0.5 * header.dt));
    for (const char* name : {"/bodies", "/contacts"})
        h5::Handle(file.check(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "cannot create a group"),
                   H5Gclose);
    std::vector<SealedRows> places;
    for (const FieldRow& field : saved_fields)
        if (bodies.has(field.column)) places.push_back(make_rows(file, rows_of(field), n_bodies));
    for (const ContactRows& contact : contact_rows()) places.push_back(make_rows(file, contact.rows, n_contacts));
    return places;
}

// Copies what is there of a file with holes; the size is already right.
void copy_without_holes(int from, int to, const std::string& path) {
    std::vector<char> buffer(1 << 16);
    for (off_t at = 0; (at = ::lseek(from, at, SEEK_DATA)) >= 0;) {
        for (const off_t end = ::lseek(from, at, SEEK_HOLE); at < end;) {
            const ssize_t n = ::pread(from, buffer.data(), std::min<std::size_t>(buffer.size(), end - at), at);
            if (n <= 0) fail_by_system(path, "cannot read back the layout");
            write_all(to, {buffer.data(), static_cast<std::size_t>(n)}, static_cast<std::uint64_t>(at), path);
            at += n;
        }
    }
}

// Rank 0: makes the file, whole but for the rows, with its room on the disk reserved.
// Once a write of its own has failed, HDF5 can no longer close the file and crashes at the end of the program. So it
// lays out the file in memory, where rows cost nothing as long as they are holes, and meets no full disk; the
// first reservation, a little larger than needed, makes sure that no limit on the size of files is met either.
std::vector<SealedRows> lay_out(const std::string& path, const StateHeader& header, const Bodies& bodies,
                                std::uint64_t n_bodies, std::uint64_t n_contacts) {
    const Descriptor disk = new_file(path);
    std::uint64_t rows = 0;
    for (const FieldRow& field : saved_fields) rows += bodies.has(field.column) ? n_bodies * field.bytes() : 0;
    for (const ContactRows& contact : contact_rows()) rows += n_contacts * contact.rows.bytes();
    reserve_room(disk, rows + (1 << 20), path);

    std::vector<SealedRows> places;
    const Descriptor memory(::memfd_create("granary state", MFD_CLOEXEC), path, "cannot lay out the file in memory");
    {
        // The plain driver refuses files without a name of their own; the one over stdio takes them.
        const h5::Handle access = plain_access();
        h5::check(H5Pset_fapl_stdio(access), path, "cannot lay out the file in memory");
        const h5::Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
        h5::check(H5Pset_userblock(creation, seal_bytes), path, "cannot reserve room for the checksums");
        const std::string name = "/proc/self/fd/" + std::to_string(memory);
        h5::File file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation, access), path,
                      "cannot lay out the file in memory");
        places = write_frame(file, header, bodies, n_bodies, n_contacts);
        file.close();
    }
    reserve_room(disk, static_cast<std::uint64_t>(::lseek(memory, 0, SEEK_END)), path);
    copy_without_holes(memory, disk, path);
    return places;
}

// Writes this rank's rows of one dataset, a piece after the other: the caller packs rows [k, k + n) of this rank into
// the buffer and puts them; sums them up on the way. The transfers are independent, not collective: each rank's rows
// are one contiguous piece anyway, and a rank learns of its own failed write. Collective ones tell nobody (ompio of
// Open MPI 4.1 goes on as if all were well) or leave the other ranks waiting (ROMIO).
class RowWriter {
  public:
    RowWriter(const h5::File& file, const Rows& rows, const Share& share, std::size_t at_once)
        : file_(file),
          rows_(rows),
          share_(share),
          set_(file.open_dataset(rows.name)),
          transfer_(H5Pcreate(H5P_DATASET_XFER), H5Pclose),
          buffer_(rows.bytes() * std::min<std::uint64_t>(at_once, share.n)) {
        file.check(H5Pset_dxpl_mpio(transfer_, H5FD_MPIO_INDEPENDENT), "cannot write in parallel");
    }
    std::byte* buffer() { return buffer_.data(); }
    void put(std::uint64_t k, std::uint64_t n) {
        sum_ += sum_of_rows(buffer(), rows_.bytes(), share_.first + k, n);
        const std::string problem = with_rows(set_, rows_, share_.first + k, n, [&](hid_t memory, hid_t in_file) {
            return H5Dwrite(set_, memory_type(rows_.number), memory, in_file, transfer_, buffer());
        });
        if (!problem.empty()) file_.fail("cannot write " + rows_.name + ": " + problem + "; is the disk full?");
    }
    std::uint64_t sum() const { return sum_; }
    std::uint64_t bytes() const { return rows_.bytes(); }

  private:
    const h5::File& file_;
    Rows rows_;
    const Share& share_;
    h5::Handle set_, transfer_;
    std::vector<std::byte> buffer_;
    std::uint64_t sum_ = 0;
};

// Lets the system begin to bring to the disk what has been written, while the next rows are packed: the end waits for
// less.
class EarlyStart {
  public:
    explicit EarlyStart(int fd) : fd_(fd) {}
    void wrote(std::uint64_t bytes) {
        if ((waiting_ += bytes) < (std::uint64_t{16} << 20)) return;
        ::sync_file_range(fd_, 0, 0, SYNC_FILE_RANGE_WRITE);  // only a hint: fsync at the end tells of trouble
        waiting_ = 0;
    }

  private:
    int fd_;
    std::uint64_t waiting_ = 0;
};

// One row after the other; the compiler knows the size of those that occur, so that a copy is a few instructions and no
// call.
template <class Rows> void pack(std::size_t bytes, std::uint64_t n, std::byte* out, const Rows& row) {
    const auto copy = [&]<std::size_t size>(std::integral_constant<std::size_t, size>) {
        for (std::uint64_t k = 0; k < n; ++k, out += size) std::memcpy(out, row(k), size);
    };
    switch (bytes) {
        case 2: return copy(std::integral_constant<std::size_t, 2>());
        case 4: return copy(std::integral_constant<std::size_t, 4>());
        case 8: return copy(std::integral_constant<std::size_t, 8>());
        case 24: return copy(std::integral_constant<std::size_t, 24>());
        case 32: return copy(std::integral_constant<std::size_t, 32>());
        default:
            for (std::uint64_t k = 0; k < n; ++k, out += bytes) std::memcpy(out, row(k), bytes);
    }
}

// Packs one field of the real bodies [k, k + n), counted over the runs.
void gather_field(const Bodies& bodies, const FieldRow& field, const Axes& axes, std::uint64_t k, std::uint64_t n,
                  std::byte* out) {
    const Strip<const std::byte> strip = strip_of(bodies, field);
    const std::size_t bytes = field.bytes();
    const bool turns = field.turns() && axes.turned();
    for (const Range& range : bodies.real) {
        const std::uint64_t here = k < range.size() ? std::min<std::uint64_t>(n, range.size() - k) : 0;
        pack(bytes, here, out, [&](std::uint64_t i) { return strip[range.begin + k + i]; });
        for (std::uint64_t i = 0; i < here && turns; ++i)
            axes.turn_out(field, reinterpret_cast<double*>(out + i * bytes));
        out += here * bytes;
        n -= here;
        k = here > 0 ? 0 : k - range.size();
        if (n == 0) return;
    }
}

// One pass over the contacts, which are more than fits into the cache: a piece of each of their datasets at a time.
void fill_contacts(const h5::File& file, const ContactStream& contacts, const Axes& axes, const Share& share,
                   std::size_t at_once, EarlyStart& early, std::vector<std::uint64_t>& sums) {
    const auto members = contact_rows();
    std::vector<RowWriter> writers;
    writers.reserve(members.size());
    for (const ContactRows& member : members) writers.emplace_back(file, member.rows, share, at_once);
    std::uint64_t k = 0;
    const auto put = [&](std::span<const ContactRecord> piece) {
        if (k + piece.size() > share.n) file.fail("is given more contacts than were announced");
        for (std::size_t m = 0; m < members.size(); ++m) {
            FileContact c;
            pack(writers[m].bytes(), piece.size(), writers[m].buffer(), [&](std::uint64_t i) {
                ContactRecord record = canonical(piece[i]);
                axes.turn_out(record);
                c = in_file(record);
                return reinterpret_cast<const std::byte*>(&c) + members[m].offset;
            });
            writers[m].put(k, piece.size());
        }
        k += piece.size();
        early.wrote(piece.size() * sizeof(ContactRecord));
    };
    contacts.for_slices([&](std::span<const ContactRecord> slice) {
        for (std::size_t from = 0; from < slice.size(); from += at_once)
            put(slice.subspan(from, std::min(at_once, slice.size() - from)));
    });
    if (k != share.n) file.fail("is given fewer contacts than were announced");
    for (const RowWriter& writer : writers) sums.push_back(writer.sum());
}

// All rows of all ranks; gives the checksums of the datasets, in the order of the places.
std::vector<std::uint64_t> fill(const boost::mpi::communicator& comm, const std::string& path, const Bodies& bodies,
                                const Share& body_share, const ContactStream& contacts, const Share& contact_share,
                                const Axes& axes, std::size_t at_once) {
    // Each rank by itself first: a folder that not all nodes share must not become a half-opened parallel file.
    together(comm, [&] { open_to_write(path); });
    const h5::Handle access = plain_access();
    together(comm, [&] { h5::check(H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL), path, "cannot write in parallel"); });
    std::unique_ptr<h5::File> file;
    together(comm, [&] {
        file = std::make_unique<h5::File>(H5Fopen(path.c_str(), H5F_ACC_RDWR, access), path,
                                          "cannot open the file in parallel");
    });
    std::vector<std::uint64_t> sums;
    together(comm, [&] {
        const Descriptor disk = open_to_write(path);
        EarlyStart early(disk);
        for (const FieldRow& field : saved_fields) {
            if (!bodies.has(field.column)) continue;
            RowWriter writer(*file, rows_of(field), body_share, at_once);
            for (std::uint64_t k = 0; k < body_share.n; k += at_once) {
                const std::uint64_t n = std::min<std::uint64_t>(at_once, body_share.n - k);
                gather_field(bodies, field, axes, k, n, writer.buffer());
                writer.put(k, n);
                early.wrote(n * writer.bytes());
            }
            sums.push_back(writer.sum());
        }
        fill_contacts(*file, contacts, axes, contact_share, at_once, early, sums);
    });
    together(comm, [&] { file->close(); });
    std::vector<std::uint64_t> all(sums.size());
    boost::mpi::all_reduce(comm, sums.data(), static_cast<int>(sums.size()), all.data(), std::plus<std::uint64_t>());
    return all;
}

// Rows gathered at a time: they are summed and written while they are in the cache, and large buffers cost page faults.
constexpr std::size_t in_cache = 32768;

}  // namespace

void write_state(const boost::mpi::communicator& comm, const std::string& path, const StateHeader& header,
                 const Bodies& bodies, const ContactStream& contacts, const Axes& axes, const StateOptions& options) {
    const h5::QuietErrors quiet;
    const std::string part = path + ".part";
    const Share body_share(comm, bodies.n_real()), contact_share(comm, contacts.n);
    try {
        std::vector<SealedRows> places;
        together(comm, [&] {
            if (comm.rank() == 0) places = lay_out(part, header, bodies, body_share.total, contact_share.total);
        });
        const std::vector<std::uint64_t> sums = fill(comm, part, bodies, body_share, contacts, contact_share, axes,
                                                     std::min(options.rows_at_once, in_cache));
        together(comm, [&] {
            for (std::size_t k = 0; k < places.size(); ++k) places[k].sum = sums[k];
            if (comm.rank() == 0) write_seal(part, places);
        });
        together(comm, [&] {
            bring_to_disk(open_to_write(part), part);
        });  // every rank what it wrote: they may be on several machines
        together(comm, [&] {
            if (comm.rank() == 0) take_name(part, path);
        });
    } catch (const Error&) {  // the same on all ranks
        if (comm.rank() == 0) ::unlink(part.c_str());
        throw;
    }
}

}  // namespace granary
