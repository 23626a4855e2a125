// What writer and reader of state files share: the entries of the header, each named once, and the datasets of bodies
// and contacts.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>
#include "io/state/hdf5.hpp"
#include "io/state/state_file.hpp"

namespace granary::state_layout {

// Calls v.attribute(name, value) and v.dataset(name, value) for every entry of the header.
// Header: StateHeader or const StateHeader.
template <class Header, class Visitor> void for_each_entry(Header& h, Visitor& v) {
    v.attribute("version", h.version);
    v.attribute("step", h.step);
    v.attribute("time", h.time);
    v.attribute("dt", h.dt);
    v.attribute("next_id", h.next_id);
    v.attribute("inserted", h.inserted);
    v.attribute("domain_lower", h.domain.lower);
    v.attribute("domain_upper", h.domain.upper);
    v.attribute("domain_periodic", h.domain.periodic);
    v.dataset("material_names", h.material_names);
    v.dataset("wall_names", h.wall_names);
    v.dataset("outlet_names", h.outlet_names);
    v.dataset("left_by_outlet", h.left_by_outlet);
    v.dataset("case_text", h.case_text);
    v.dataset("run_reals", h.run.reals);
    v.dataset("run_integers", h.run.integers);
    v.dataset("run_texts", h.run.texts);
}

// All fields that a file may hold; those that are optional only where the run had them.
inline constexpr auto saved_fields = [] {
    std::array<FieldRow,
               std::count_if(fields.begin(), fields.end(), [](const FieldRow& f) { return f.is(field::saved); })>
        all{};
    std::copy_if(fields.begin(), fields.end(), all.begin(), [](const FieldRow& f) { return f.is(field::saved); });
    return all;
}();

// A dataset with one row a body or a contact.
struct Rows {
    std::string name;
    Number number;
    int count;  // numbers in a row
    const char* unit;
    const char* description;  // empty: the name says it
    h5::Shape shape(hsize_t n) const { return count == 1 ? h5::Shape{n} : h5::Shape{n, static_cast<hsize_t>(count)}; }
    std::size_t bytes() const { return bytes_of(number) * count; }
};

inline Rows rows_of(const FieldRow& field) {
    return {std::string("/bodies/") + field.name, field.number(), field.count, field.unit, field.description};
}

// A contact as it stands in a file of the present version.
struct FileContact {
    std::uint64_t body, partner;
    std::uint16_t partner_class, kind;
    std::uint32_t feature;
    double xi[3];
};
static_assert(sizeof(FileContact) == saved_contact_bytes);
inline FileContact in_file(const ContactRecord& c) {
    return {c.body,
            c.partner.number(),
            static_cast<std::uint16_t>(c.partner.of()),
            static_cast<std::uint16_t>(c.partner.kind()),
            c.partner.feature(),
            {c.xi[0], c.xi[1], c.xi[2]}};
}

// The members of FileContact, with the offset of each in it.
struct ContactRows {
    Rows rows;
    std::size_t offset;  // bytes
};
inline std::vector<ContactRows> contact_rows(std::uint64_t version = state_schema_version) {
    const Rows body{"/contacts/body", Number::u64, 1, "1", "id of the body; of two bodies the smaller id"};
    const Rows partner{"/contacts/partner", Number::u64, 1, "1",
                       version < 3
                           ? "id of the other body, or 2^63 + number in /wall_names; 2^62 added: the rolling spring"
                           : "id of the other body, number in /wall_names, or number of the wall ball"};
    const Rows partner_class{"/contacts/partner_class", Number::u16, 1, "1",
                             "what the partner is: 0 a body, 1 a wall, 2 a wall ball"};
    const Rows feature{"/contacts/feature", Number::u32, 1, "1",
                       "which of several contacts of the pair: number of the triangle at a mesh, else 0"};
    const Rows kind{"/contacts/kind", Number::u16, 1, "1", "0: tangential spring, m; 1: rolling spring, rad"};
    const Rows xi{"/contacts/xi", Number::real, 3, "m or rad", "spring of body relative to partner"};
    std::vector<ContactRows> all{{body, offsetof(FileContact, body)}, {partner, offsetof(FileContact, partner)}};
    if (version >= 3)
        all.insert(all.end(), {{partner_class, offsetof(FileContact, partner_class)},
                               {feature, offsetof(FileContact, feature)},
                               {kind, offsetof(FileContact, kind)}});
    all.push_back({xi, offsetof(FileContact, xi)});
    return all;
}

inline hid_t file_type(Number number) {
    switch (number) {
        case Number::real: return h5::file_type<double>();
        case Number::u64: return h5::file_type<std::uint64_t>();
        case Number::u32: return h5::file_type<std::uint32_t>();
        case Number::u16: break;
    }
    return h5::file_type<std::uint16_t>();
}
inline hid_t memory_type(Number number) {
    switch (number) {
        case Number::real: return h5::memory_type<double>();
        case Number::u64: return h5::memory_type<std::uint64_t>();
        case Number::u32: return h5::memory_type<std::uint32_t>();
        case Number::u16: break;
    }
    return h5::memory_type<std::uint16_t>();
}

// Access without locks: a state file takes its name when it is whole, and some cluster file systems know no locks.
inline h5::Handle plain_access() {
    h5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access, false, true);
    return access;
}

// Selects rows [first, first + n) in the file and n rows in memory and calls transfer(memory, file), which is to read
// or write. Gives the reason of a failure, or nothing.
template <class Transfer>
std::string with_rows(hid_t dataset, const Rows& rows, hsize_t first, hsize_t n, Transfer&& transfer) {
    const h5::Handle file(H5Dget_space(dataset), H5Sclose);
    h5::Shape start = rows.shape(first);
    const h5::Shape extent = rows.shape(n);
    if (start.size() == 2) start[1] = 0;
    const h5::Handle memory = h5::space_of(extent);
    herr_t status = H5Sselect_hyperslab(file, H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr);
    if (status >= 0) status = transfer(static_cast<hid_t>(memory), static_cast<hid_t>(file));
    return status >= 0 ? std::string() : h5::reason();
}

}  // namespace granary::state_layout
