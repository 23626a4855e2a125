// What writer and reader of state files share: the entries of the header, each named once, and the datasets of bodies
// and contacts.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include "core/field_strip.hpp"
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
    std::array<FieldRow, std::count_if(fields.begin(), fields.end(), [](const FieldRow& f) { return f.saved; }) +
                             derivative_fields.size()>
        all{};
    const auto end = std::copy_if(fields.begin(), fields.end(), all.begin(), [](const FieldRow& f) { return f.saved; });
    std::copy(derivative_fields.begin(), derivative_fields.end(), end);
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

inline constexpr const char* of_half_step =
    "at the file's velocity_time: half a step before the state, time - dt/2; with the integrator gear at its time";

inline Rows rows_of(const FieldRow& field) {
    const char* description = "";
    switch (field.column) {
        case Column::id: description = "global number of the body, never used twice"; break;
        case Column::material: description = "number in /material_names"; break;
        case Column::reference: description = "position at the last sort, for the search of a resumed run"; break;
        case Column::position: description = field.first == 0 ? "centre" : ""; break;
        case Column::velocity:
        case Column::spin: description = field.first == 0 ? of_half_step : ""; break;
        case Column::force:
        case Column::torque: description = "at the state's time, for the next kick"; break;
        case Column::band: description = "number of the band that the ball was in, 65535: none"; break;
        case Column::entry_time: description = "the run's time at which the body came in"; break;
        case Column::acceleration:
        case Column::jerk:
        case Column::spin_rate:
        case Column::spin_jerk: description = "of the predictor-corrector, at the state's time"; break;
        case Column::cube:
        case Column::way:
        case Column::turn: break;
    }
    return {std::string("/bodies/") + field.name, number_of(field.column), field.count, field.unit, description};
}

// The members of ContactRecord, with the place of each in it.
struct ContactRows {
    Rows rows;
    std::size_t offset;  // bytes
};
inline std::array<ContactRows, 3> contact_rows() {
    const Rows body{"/contacts/body", Number::u64, 1, "1", "id of the body; of two bodies the smaller id"};
    const Rows partner{"/contacts/partner", Number::u64, 1, "1",
                       "id of the other body, or 2^63 + number in /wall_names; 2^62 added: the rolling spring"};
    const Rows xi{"/contacts/xi", Number::real, 3, "m",
                  "tangential spring, of body relative to partner; a rolling spring in rad"};
    return {{{body, offsetof(ContactRecord, body)},
             {partner, offsetof(ContactRecord, partner)},
             {xi, offsetof(ContactRecord, xi)}}};
}

inline hid_t file_type(Number number) {
    return number == Number::real  ? h5::file_type<double>()
           : number == Number::u64 ? h5::file_type<std::uint64_t>()
                                   : h5::file_type<std::uint16_t>();
}
inline hid_t memory_type(Number number) {
    return number == Number::real  ? h5::memory_type<double>()
           : number == Number::u64 ? h5::memory_type<std::uint64_t>()
                                   : h5::memory_type<std::uint16_t>();
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

constexpr bool needs_cube(const FieldRow& field) { return field.column == Column::cube; }
static_assert(std::none_of(saved_fields.begin(), saved_fields.end(), needs_cube), "StateBody has no cube");

// The numbers of one field in a row of StateBody.
inline Strip<std::byte> strip_of(std::span<StateBody> bodies, const FieldRow& field) {
    if (bodies.empty()) return {};
    StateBody& b = bodies.front();
    const auto strip = [&](auto* member) {
        return Strip<std::byte>{reinterpret_cast<std::byte*>(member + field.first), sizeof b};
    };
    switch (field.column) {
        case Column::position: return strip(b.position);
        case Column::velocity: return strip(b.velocity);
        case Column::spin: return strip(b.spin);
        case Column::force: return strip(b.force);
        case Column::torque: return strip(b.torque);
        case Column::reference: return strip(b.reference);
        case Column::id: return strip(&b.id);
        case Column::material: return strip(&b.material);
        case Column::band: return strip(&b.band);
        case Column::entry_time: return strip(&b.entry_time);
        case Column::acceleration: return strip(b.acceleration);
        case Column::jerk: return strip(b.jerk);
        case Column::spin_rate: return strip(b.spin_rate);
        case Column::spin_jerk: return strip(b.spin_jerk);
        case Column::cube:
        case Column::way:
        case Column::turn: break;
    }
    return {};
}

}  // namespace granary::state_layout
