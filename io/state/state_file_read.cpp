// Reading a state file. Every rank reads by itself, with the plain driver: the file is whole and no longer changes, so
// there is nothing to agree on but whether it went well, and one process does it the same way.
#include <sys/stat.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <cerrno>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include "io/state/state_file.hpp"
#include "io/state/state_layout.hpp"
#include "io/state/state_seal.hpp"
#include "decomposition/together.hpp"

namespace granary {
namespace {

using namespace state_layout;

void expect_file(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0)
        h5::fail(path, std::string("cannot read the state: ") + std::strerror(errno));
    if (!S_ISREG(status.st_mode)) h5::fail(path, "is not a file");
}

class HeaderReader {
  public:
    HeaderReader(const h5::File& file, bool first_rank) : file_(file), first_rank_(first_rank) {}

    void attribute(const char* name, std::string& text) { text = file_.get_text(file_, name); }
    void attribute(const char* name, std::uint64_t& value) { file_.get_numbers(file_, name, {}, &value); }
    void attribute(const char* name, double& value) { file_.get_numbers(file_, name, {}, &value); }
    void attribute(const char* name, Vec3d& value) {
        double values[3];
        file_.get_numbers(file_, name, {3}, values);
        value = {values[0], values[1], values[2]};
    }
    void attribute(const char* name, std::array<bool, 3>& flags) {
        std::uint8_t values[3];
        file_.get_numbers(file_, name, {3}, values);
        for (int axis = 0; axis < 3; ++axis) flags[axis] = values[axis] != 0;
    }
    void dataset(const char* name, std::string& text) { text = texts(name, 0).front(); }
    void dataset(const std::string& name, std::vector<std::string>& list) { list = texts(name, 1); }
    template <class T> void dataset(const std::string& name, std::vector<T>& values) {
        const h5::Handle set = file_.open_dataset(name), type(H5Dget_type(set), H5Tclose);
        const h5::Shape shape = file_.shape_of_dataset(set);
        file_.expect<T>(name, type, shape, {shape.empty() ? 0 : shape[0]});
        take(name, set, type, shape);
        values.resize(shape[0]);
        read(set, h5::memory_type<T>(), values.data(), name);
    }
    template <class T> void dataset(const char* name, std::map<std::string, std::vector<T>>& lists) {
        if (std::is_same_v<T, std::string> && H5Lexists(file_, name, H5P_DEFAULT) == 0) return;  // version 1
        const h5::Handle group(H5Gopen2(file_, name, H5P_DEFAULT), H5Gclose);
        H5G_info_t info{};
        if (group < 0 || H5Gget_info(group, &info) < 0)
            file_.fail(std::string("has no group ") + name + ": the file is incomplete");
        for (hsize_t k = 0; k < info.nlinks; ++k) {
            const auto key_of = [&](char* out, std::size_t size) {
                return file_.check(
                    H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, out, size, H5P_DEFAULT),
                    std::string("cannot read the group ") + name);
            };
            std::string key(static_cast<std::size_t>(key_of(nullptr, 0)), '\0');
            key_of(key.data(), key.size() + 1);
            std::vector<T>& list = lists[key];
            if (first_rank_ || !key.ends_with(first_rank_end)) dataset(std::string(name) + "/" + key, list);
        }
    }

  private:
    std::vector<std::string> texts(const std::string& name, std::size_t rank) {
        const h5::Handle set = file_.open_dataset(name), type(H5Dget_type(set), H5Tclose);
        const h5::Shape shape = file_.shape_of_dataset(set);
        file_.expect_texts(name, type, shape, rank);
        std::vector<char> cells(take(name, set, type, shape));
        read(set, type, cells.data(), name);
        return h5::unpack_texts(cells, H5Tget_size(type));
    }
    // All entries together are no larger than the file, under however many names.
    hsize_t take(const std::string& name, hid_t set, hid_t type, const h5::Shape& shape) {
        const hsize_t bytes = file_.expect_stored(name, set, type, shape);
        file_.expect_room("the header up to " + name, H5T_NATIVE_UINT8, {taken_ += bytes});
        return bytes;
    }
    void read(hid_t set, hid_t type, void* values, const std::string& name) {
        file_.check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "cannot read " + name);
    }

    const h5::File& file_;
    hsize_t taken_ = 0;  // bytes of all entries so far
    bool first_rank_;
};

// An open state file whose every dataset is known to be there in its right shape.
class StateReader {
  public:
    explicit StateReader(const std::string& path) : file_(open(path)) {
        file_.get_numbers(file_, "schema_version", {}, &version_);
        n_bodies_ = rows_in("/bodies/id");
        n_contacts_ = rows_in("/contacts/body");
        for (const FieldRow& field : saved_fields)
            if (holds(field)) expect(rows_of(field), n_bodies_);
        for (const ContactRows& member : contact_rows(version_)) expect(member.rows, n_contacts_);
    }

    std::uint64_t n_bodies() const { return n_bodies_; }
    std::uint64_t n_contacts() const { return n_contacts_; }

    // Bands and derivatives are in files of runs that had them.
    bool holds(const FieldRow& field) const {
        return !field.is_optional() || datasets_.contains(rows_of(field).name) ||
               H5Lexists(file_, rows_of(field).name.c_str(), H5P_DEFAULT) > 0;
    }

    StateHeader header(bool first_rank = true) const {
        StateHeader header;
        HeaderReader reader(file_, first_rank);
        for_each_entry(header, reader);
        return header;
    }

    // Reads rows [first, first + n), a piece at a time: use(k, strip, here) gets rows [first + k, first + k + here).
    template <class Use>
    void for_rows(const Rows& rows, std::uint64_t first, std::uint64_t n, std::size_t at_once, Use&& use) const {
        const h5::Handle& set = dataset(rows.name);
        std::vector<std::byte> buffer(rows.bytes() * std::min<std::uint64_t>(n, at_once));
        for (std::uint64_t k = 0; k < n; k += at_once) {
            const std::uint64_t here = std::min<std::uint64_t>(at_once, n - k);
            const std::string problem = with_rows(set, rows, first + k, here, [&](hid_t memory, hid_t in_file) {
                return H5Dread(set, memory_type(rows.number), memory, in_file, H5P_DEFAULT, buffer.data());
            });
            if (!problem.empty()) file_.fail("cannot read " + rows.name + ": " + problem);
            use(k, Strip<const std::byte>{buffer.data(), rows.bytes()}, here);
        }
    }

    std::vector<ContactRecord> contacts(std::uint64_t first, std::uint64_t n, std::size_t at_once) const {
        std::vector<FileContact> stored(n);
        for (const ContactRows& member : contact_rows(version_))
            for_rows(member.rows, first, n, at_once,
                     [&](std::uint64_t k, Strip<const std::byte> strip, std::uint64_t here) {
                         for (std::uint64_t c = 0; c < here; ++c)
                             std::memcpy(reinterpret_cast<std::byte*>(&stored[k + c]) + member.offset, strip[c],
                                         member.rows.bytes());
                     });
        std::vector<ContactRecord> contacts(n);
        for (std::uint64_t c = 0; c < n; ++c) contacts[c] = record_of(stored[c]);
        return contacts;
    }

  private:
    static h5::File open(const std::string& path) {
        expect_file(path);
        const h5::Handle access = plain_access();  // outlives the open: closing it would clear the reason
        const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
        if (id < 0) {
            const std::string why = h5::reason();
            if (why.starts_with("truncated file")) h5::fail(path, "is truncated: the end of the state is missing");
            // Asked only now, as this question opens the file once more.
            if (H5Fis_hdf5(path.c_str()) == 0) h5::fail(path, "is not a state file: not in HDF5 format");
            h5::fail(path, "cannot open the state: " + why);
        }
        h5::File file(id, path, "cannot open the state");
        if (H5Aexists(file, "schema") <= 0 || file.get_text(file, "schema") != state_schema)
            file.fail("is an HDF5 file, but not a state of Granary (attribute schema is not \"" +
                      std::string(state_schema) + "\")");
        std::uint64_t version = 0;
        file.get_numbers(file, "schema_version", {}, &version);
        if (version > state_schema_version)
            file.fail("was written by a newer Granary: schema version " + std::to_string(version) +
                      ", this program reads up to " + std::to_string(state_schema_version));
        if (version == 0) file.fail("has schema version 0, which does not exist");
        hsize_t before = 0;
        const h5::Handle creation(H5Fget_create_plist(file), H5Pclose);
        if (version > 1 && (H5Pget_userblock(creation, &before) < 0 || before != seal_bytes))
            file.fail("has no checksums");
        return file;
    }

    ContactRecord record_of(const FileContact& c) const {
        if (c.body >= most_ids) file_.fail("holds a contact of a ball whose id is too large");
        Partner partner = version_ < 3 ? partner_of_marked_word(c.partner) : Partner();
        if (version_ >= 3) {
            if (c.partner_class > static_cast<unsigned>(PartnerClass::wall_ball) || c.kind >= history_kinds.size() ||
                c.partner >= most_ids)
                file_.fail("contains a contact of a kind that this program does not know");
            const auto of = static_cast<PartnerClass>(c.partner_class);
            const auto kind = static_cast<HistoryKind>(c.kind);
            partner = {of, c.partner, c.feature, kind};
            // Numbers that do not fit their bits of the one word would have become another class or kind.
            if (partner.of() != of || partner.number() != c.partner || partner.feature() != c.feature ||
                partner.kind() != kind)
                file_.fail("contains a contact whose partner or feature has a number that is too large");
        }
        return {c.body, partner, {c.xi[0], c.xi[1], c.xi[2]}};
    }

    // Opened once, however many slices are read of it.
    const h5::Handle& dataset(const std::string& name) const {
        const auto known = datasets_.find(name);
        if (known != datasets_.end()) return known->second;
        return datasets_.emplace(name, file_.open_dataset(name)).first->second;
    }

    std::uint64_t rows_in(const std::string& name) const {
        const h5::Shape shape = file_.shape_of_dataset(dataset(name));
        if (shape.size() != 1)
            file_.fail(name + " has the shape " + h5::File::text_of(shape) + " instead of one dimension");
        return shape[0];
    }

    void expect(const Rows& rows, std::uint64_t n) const {
        const h5::Handle& set = dataset(rows.name);
        const h5::Handle type(H5Dget_type(set), H5Tclose);
        const h5::Shape shape = file_.shape_of_dataset(set);
        switch (rows.number) {
            case Number::real: file_.expect<double>(rows.name, type, shape, rows.shape(n)); break;
            case Number::u64: file_.expect<std::uint64_t>(rows.name, type, shape, rows.shape(n)); break;
            case Number::u32: file_.expect<std::uint32_t>(rows.name, type, shape, rows.shape(n)); break;
            case Number::u16: file_.expect<std::uint16_t>(rows.name, type, shape, rows.shape(n)); break;
        }
        file_.expect_stored(rows.name, set, type, shape);
    }

    h5::File file_;
    mutable std::map<std::string, h5::Handle> datasets_;  // of rows, by name; closed before the file
    std::uint64_t version_ = 0, n_bodies_ = 0, n_contacts_ = 0;
};

}  // namespace

void check_state(const boost::mpi::communicator& comm, const std::string& path) {
    bool sealed = false;
    together(comm, [&] {
        expect_file(path);
        sealed = has_seal(path);
    });
    if (!boost::mpi::all_reduce(comm, sealed, std::logical_or<bool>())) return;
    SealShare share;
    share.part = static_cast<std::uint64_t>(comm.rank()), share.parts = static_cast<std::uint64_t>(comm.size());
    share.sum = [&](const std::vector<std::uint64_t>& mine) {
        std::vector<std::uint64_t> all(mine.size());
        boost::mpi::all_reduce(comm, mine.data(), static_cast<int>(mine.size()), all.data(),
                               std::plus<std::uint64_t>());
        return all;
    };
    together(comm, [&] { check_seal(path, share); });
}

StateHeader read_header(const boost::mpi::communicator& comm, const std::string& path) {
    const h5::QuietErrors quiet;
    StateHeader header;
    together(comm, [&] { header = StateReader(path).header(comm.rank() == 0); });
    return header;
}

StateHeader header_of_file(const std::string& path) {
    const h5::QuietErrors quiet;
    expect_file(path);
    return StateReader(path).header(false);
}

class OpenState::Impl {
  public:
    Impl(boost::mpi::communicator comm, const std::string& path, std::size_t at_once)
        : comm_(std::move(comm)),
          at_once_(std::max<std::size_t>(1, at_once)) {
        const h5::QuietErrors quiet;
        check_state(comm_, path);
        together(comm_, [&] { reader_ = std::make_unique<StateReader>(path); });
    }

    const StateReader& reader() const { return *reader_; }
    const boost::mpi::communicator& comm() const { return comm_; }

    // read(first, n) fills a slice with rows of the file; use() is given it.
    template <class Read, class Use> void in_slices(std::uint64_t n, Read&& read, Use&& use) const {
        const h5::QuietErrors quiet;
        const std::uint64_t me = comm_.rank(), first = share(n, me), mine = share(n, me + 1) - first;
        const std::uint64_t most = n / comm_.size() + 1;  // of any rank, so that all make as many slices
        for (std::uint64_t k = 0; k < most; k += at_once_) {
            const std::uint64_t here = k < mine ? std::min<std::uint64_t>(at_once_, mine - k) : 0;
            together(comm_, [&] { read(first + k, here); });
            use();
        }
    }

  private:
    std::uint64_t share(std::uint64_t n, std::uint64_t rank) const {
        const std::uint64_t n_ranks = comm_.size();
        return n / n_ranks * rank + n % n_ranks * rank / n_ranks;  // n * rank / n_ranks without overflow
    }

    boost::mpi::communicator comm_;
    std::size_t at_once_;
    std::unique_ptr<StateReader> reader_;
};

OpenState::OpenState(boost::mpi::communicator comm, const std::string& path, const StateOptions& options)
    : impl_(std::make_unique<Impl>(std::move(comm), path, options.rows_at_once)) {
    const h5::QuietErrors quiet;
    together(impl_->comm(), [&] { header = impl_->reader().header(impl_->comm().rank() == 0); });
}
OpenState::~OpenState() = default;
OpenState::OpenState(OpenState&&) noexcept = default;

std::uint64_t OpenState::n_bodies() const { return impl_->reader().n_bodies(); }
std::uint64_t OpenState::n_contacts() const { return impl_->reader().n_contacts(); }
bool OpenState::has(Column column) const {
    return std::any_of(saved_fields.begin(), saved_fields.end(),
                       [&](const FieldRow& field) { return field.column == column && impl_->reader().holds(field); });
}

void OpenState::for_bodies(const std::function<void(std::span<BodyRecord>)>& use, std::span<const Column> only) const {
    const StateReader& reader = impl_->reader();
    std::vector<BodyRecord> slice;
    impl_->in_slices(
        n_bodies(),
        [&](std::uint64_t first, std::uint64_t n) {
            slice.assign(n, {});
            for (const FieldRow& field : saved_fields) {
                if (!reader.holds(field)) continue;
                if (!only.empty() && std::find(only.begin(), only.end(), field.column) == only.end()) continue;
                const Strip<std::byte> to = strip_of(slice, field);
                reader.for_rows(rows_of(field), first, n, n,
                                [&](std::uint64_t, Strip<const std::byte> strip, std::uint64_t) {
                                    for (std::uint64_t b = 0; b < n; ++b) std::memcpy(to[b], strip[b], field.bytes());
                                });
            }
        },
        [&] { use(slice); });
}

void OpenState::for_contacts(const std::function<void(std::span<ContactRecord>)>& use) const {
    std::vector<ContactRecord> slice;
    impl_->in_slices(
        n_contacts(), [&](std::uint64_t first, std::uint64_t n) { slice = impl_->reader().contacts(first, n, n); },
        [&] { use(slice); });
}

StateData read_state(const boost::mpi::communicator& comm, const std::string& path, const StateOptions& options) {
    OpenState file(comm, path, options);
    StateData data;
    data.n_bodies = file.n_bodies(), data.n_contacts = file.n_contacts();
    file.for_bodies(
        [&](std::span<BodyRecord> slice) { data.bodies.insert(data.bodies.end(), slice.begin(), slice.end()); });
    file.for_contacts(
        [&](std::span<ContactRecord> slice) { data.contacts.insert(data.contacts.end(), slice.begin(), slice.end()); });
    data.header = std::move(file.header);
    return data;
}

namespace {

Id id_at(const std::byte* at) {
    Id id = 0;
    std::memcpy(&id, at, sizeof id);
    return id;
}

}  // namespace

Digest digest_of_file(const std::string& path, const StateOptions& options) {
    const h5::QuietErrors quiet;
    expect_file(path);
    if (has_seal(path)) check_seal(path);
    const StateReader reader(path);
    const std::size_t at_once = options.rows_at_once;
    const std::set<Id> crossed = crossed_in(reader.header());
    DigestSum sum;
    std::vector<RecordHash> hashes;
    std::vector<char> inside;
    for (std::uint64_t first = 0; first < reader.n_bodies(); first += at_once) {
        const std::uint64_t n = std::min<std::uint64_t>(at_once, reader.n_bodies() - first);
        hashes.assign(n, RecordHash());
        inside.assign(n, 1);
        for (const FieldRow& field : fields)
            if (field.is(field::digested) && reader.holds(field))
                reader.for_rows(rows_of(field), first, n, n,
                                [&](std::uint64_t, Strip<const std::byte> strip, std::uint64_t) {
                                    take_field(hashes, field, strip);
                                    for (std::uint64_t k = 0; k < n && !crossed.empty(); ++k)
                                        if (field.column == Column::id) inside[k] = !crossed.contains(id_at(strip[k]));
                                });
        for (std::uint64_t k = 0; k < n; ++k)
            if (inside[k] != 0) sum.add_body(hashes[k]);
    }
    for (std::uint64_t first = 0; first < reader.n_contacts(); first += at_once)
        for (const ContactRecord& contact :
             reader.contacts(first, std::min<std::uint64_t>(at_once, reader.n_contacts() - first), at_once))
            if (!crossed.contains(contact.body) &&
                !(contact.partner.is_body() && crossed.contains(contact.partner.number())))
                sum.add_contact(contact);
    return sum.digest();
}

}  // namespace granary
