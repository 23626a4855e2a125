// Writing a state file; reading is in state_file_read.cpp.
#include "io/state_file.hpp"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include "io/state_layout.hpp"
#include "io/state_seal.hpp"
#include "io/together.hpp"

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

[[noreturn]] void fail_by_system(const std::string& path, const std::string& what) {
    h5::fail(path, what + ": " + std::strerror(errno));
}

// A descriptor of the system that closes itself.
class Descriptor {
  public:
    Descriptor(int fd, const std::string& path, const std::string& what) : fd_(fd) {
        if (fd_ < 0) fail_by_system(path, what);
    }
    ~Descriptor() { ::close(fd_); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    operator int() const { return fd_; }

  private:
    int fd_;
};

Descriptor open_to_write(const std::string& path) {
    return {::open(path.c_str(), O_RDWR | O_CLOEXEC), path, "cannot open the file"};
}

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
                                           std::string("cannot make the group ") + name),
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
    if (n > 0 && offset == HADDR_UNDEF) file.fail("has no place for " + rows.name);
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
    for (const char* name : {"/bodies", "/contacts"})
        h5::Handle(file.check(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "cannot make a group"),
                   H5Gclose);
    std::vector<SealedRows> places;
    for (const FieldRow& field : fields)
        if (field.saved && has(bodies, field)) places.push_back(make_rows(file, rows_of(field), n_bodies));
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
            for (ssize_t done = 0, now = 0; done < n; done += now)
                if ((now = ::pwrite(to, buffer.data() + done, n - done, at + done)) < 0)
                    fail_by_system(path, "cannot write");
            at += n;
        }
    }
}

// Gives the file this size, with room for it on the disk. Where the file system cannot reserve room, a full disk shows
// up later, while the rows are written.
void reserve(int disk, off_t size, const std::string& path) {
    if (::ftruncate(disk, size) == 0 && (::fallocate(disk, 0, 0, size) == 0 || errno == EOPNOTSUPP || errno == ENOSYS))
        return;
    fail_by_system(path, "cannot reserve " + std::to_string(size) + " bytes");
}

// Rank 0: makes the file, whole but for the rows, with its room on the disk reserved.
// Once a write of its own has failed, HDF5 can no longer close the file and crashes at the end of the program. So it
// lays out the file in memory, where rows cost nothing as long as they are holes, and meets no full disk; the
// first reservation, a little larger than needed, makes sure that no limit on the size of files is met either.
std::vector<SealedRows> lay_out(const std::string& path, const StateHeader& header, const Bodies& bodies,
                                std::uint64_t n_bodies, std::uint64_t n_contacts) {
    const Descriptor disk(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), path,
                          "cannot make the file");
    std::uint64_t rows = 0;
    for (const FieldRow& field : fields) rows += field.saved ? n_bodies * bytes_of(field) : 0;
    for (const ContactRows& contact : contact_rows()) rows += n_contacts * contact.rows.bytes();
    reserve(disk, static_cast<off_t>(rows) + (1 << 20), path);

    std::vector<SealedRows> places;
    const Descriptor memory(::memfd_create("granary state", MFD_CLOEXEC), path, "cannot lay out the file in memory");
    {
        // The plain driver refuses files without a name of their own; the one over stdio takes them.
        const h5::Handle access = plain_access();
        h5::check(H5Pset_fapl_stdio(access), path, "cannot lay out the file in memory");
        const h5::Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
        h5::check(H5Pset_userblock(creation, seal_bytes), path, "cannot leave room for the checksums");
        const std::string name = "/proc/self/fd/" + std::to_string(memory);
        h5::File file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation, access), path,
                      "cannot lay out the file in memory");
        places = write_frame(file, header, bodies, n_bodies, n_contacts);
        file.close();
    }
    reserve(disk, ::lseek(memory, 0, SEEK_END), path);
    copy_without_holes(memory, disk, path);
    return places;
}

// Writes this rank's rows of one dataset, a piece at a time, and gives their checksum. gather(k, n, buffer) packs rows [k, k + n)
// of this rank.
// The transfers are independent, not collective: each rank's rows are one contiguous piece anyway, and a rank learns
// of its own failed write. Collective ones tell nobody (ompio of Open MPI 4.1 goes on as if all were well) or leave the
// other ranks waiting (ROMIO).
template <class Gather> std::uint64_t fill_rows(const h5::File& file, const Rows& rows, const Share& share,
                                                std::size_t at_once, Gather&& gather) {
    const h5::Handle set = file.open_dataset(rows.name), transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
    file.check(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_INDEPENDENT), "cannot write in parallel");
    std::vector<std::byte> buffer(rows.bytes() * std::min<std::uint64_t>(at_once, share.n));
    std::uint64_t sum = 0;
    for (std::uint64_t k = 0; k < share.n; k += at_once) {
        const std::uint64_t n = std::min<std::uint64_t>(at_once, share.n - k);
        gather(k, n, buffer.data());
        sum += sum_of_rows(buffer.data(), rows.bytes(), share.first + k, n);
        const std::string problem = with_rows(set, rows, share.first + k, n, [&](hid_t memory, hid_t in_file) {
            return H5Dwrite(set, memory_type(rows.number), memory, in_file, transfer, buffer.data());
        });
        if (!problem.empty()) file.fail("cannot write " + rows.name + ": " + problem + "; is the disk full?");
    }
    return sum;
}

// Packs one field of the real bodies [k, k + n), counted over the runs.
void gather_field(const Bodies& bodies, const FieldRow& field, std::uint64_t k, std::uint64_t n, std::byte* out) {
    const Strip<const std::byte> strip = strip_of(bodies, field);
    const std::size_t bytes = bytes_of(field);
    for (const Range& run : bodies.real) {
        const std::uint64_t here = k < run.size() ? std::min<std::uint64_t>(n, run.size() - k) : 0;
        for (std::uint64_t i = run.begin + k; i < run.begin + k + here; ++i, out += bytes)
            std::memcpy(out, strip[i], bytes);
        n -= here;
        k = here > 0 ? 0 : k - run.size();
        if (n == 0) return;
    }
}

void gather_contacts(std::span<const ContactRecord> contacts, const ContactRows& member, std::byte* out) {
    const std::size_t bytes = member.rows.bytes();
    for (const ContactRecord& contact : contacts) {
        const ContactRecord c = canonical(contact);
        std::memcpy(out, reinterpret_cast<const std::byte*>(&c) + member.offset, bytes);
        out += bytes;
    }
}

// All rows of all ranks; gives the checksums of the datasets, in the order of the places.
std::vector<std::uint64_t> fill(const boost::mpi::communicator& comm, const std::string& path, const Bodies& bodies,
                                const Share& body_share, std::span<const ContactRecord> contacts,
                                const Share& contact_share, std::size_t at_once) {
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
        for (const FieldRow& field : fields)
            if (field.saved && has(bodies, field))
                sums.push_back(fill_rows(
                    *file, rows_of(field), body_share, at_once,
                    [&](std::uint64_t k, std::uint64_t n, std::byte* out) { gather_field(bodies, field, k, n, out); }));
        for (const ContactRows& member : contact_rows())
            sums.push_back(fill_rows(*file, member.rows, contact_share, at_once,
                                     [&](std::uint64_t k, std::uint64_t n, std::byte* out) {
                                         gather_contacts(contacts.subspan(k, n), member, out);
                                     }));
    });
    together(comm, [&] { file->close(); });
    std::vector<std::uint64_t> all(sums.size());
    boost::mpi::all_reduce(comm, sums.data(), static_cast<int>(sums.size()), all.data(), std::plus<std::uint64_t>());
    return all;
}

void bring_to_disk(const std::string& path) {
    const Descriptor fd = open_to_write(path);
    if (::fsync(fd) != 0) fail_by_system(path, "cannot bring the file to the disk");
}

// Rank 0: the new file, which is safe on the disk, takes the place of the old one; and that is brought to the disk, too.
void take_name(const std::string& part, const std::string& path) {
    if (std::rename(part.c_str(), path.c_str()) != 0) fail_by_system(path, "cannot give the finished file its name");
    const std::size_t slash = path.rfind('/');
    const int folder = ::open(slash == std::string::npos ? "." : path.substr(0, slash + 1).c_str(),
                              O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;  // the file is there; some file systems open no folders
    ::fsync(folder);
    ::close(folder);
}

// Rows gathered at a time: they are summed and written while they are in the cache, and large buffers cost page faults.
constexpr std::size_t in_cache = 32768;

}  // namespace

void write_state(const boost::mpi::communicator& comm, const std::string& path, const StateHeader& header,
                 const Bodies& bodies, std::span<const ContactRecord> contacts, const StateOptions& options) {
    const h5::QuietErrors quiet;
    const std::string part = path + ".part";
    const Share body_share(comm, bodies.n_real()), contact_share(comm, contacts.size());
    try {
        std::vector<SealedRows> places;
        together(comm, [&] {
            if (comm.rank() == 0) places = lay_out(part, header, bodies, body_share.total, contact_share.total);
        });
        const std::vector<std::uint64_t> sums =
            fill(comm, part, bodies, body_share, contacts, contact_share, std::min(options.rows_at_once, in_cache));
        together(comm, [&] {
            for (std::size_t k = 0; k < places.size(); ++k) places[k].sum = sums[k];
            if (comm.rank() == 0) write_seal(part, places);
        });
        together(comm, [&] { bring_to_disk(part); });  // every rank what it wrote: they may be on several machines
        together(comm, [&] {
            if (comm.rank() == 0) take_name(part, path);
        });
    } catch (const InputError&) {
        if (comm.rank() == 0) ::unlink(part.c_str());
        throw;
    }
}

}  // namespace granary
