// Where the numbers of one field lie in memory: the bridge from the field table to plain bytes, so that state
// file and digest walk the table and name no field themselves.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include "core/bodies.hpp"
#include "core/fields.hpp"

namespace granary {

enum class Number { real, u64, u16 };

constexpr Number number_of(Column column) {
    switch (column) {
        case Column::id:
        case Column::cube: return Number::u64;
        case Column::material:
        case Column::band: return Number::u16;
        case Column::position:
        case Column::velocity:
        case Column::spin:
        case Column::force:
        case Column::torque:
        case Column::reference:
        case Column::entry_time:
        case Column::way:
        case Column::turn:
        case Column::acceleration:
        case Column::jerk:
        case Column::spin_rate:
        case Column::spin_jerk: break;
    }
    return Number::real;
}

constexpr std::size_t bytes_of(Number number) { return number == Number::u16 ? 2 : 8; }
constexpr std::size_t bytes_of(const FieldRow& field) { return bytes_of(number_of(field.column)) * field.count; }

// The field of body k starts at first + k * stride; its components follow each other.
template <class Byte> struct Strip {
    Byte* first = nullptr;
    std::size_t stride = 0;  // bytes from one body to the next
    Byte* operator[](std::size_t k) const { return first + k * stride; }
};

template <class View> Strip<const std::byte> strip_of_view(const View& view, int first) {
    using T = typename View::non_const_value_type;
    static_assert(std::is_same_v<typename View::array_layout, Kokkos::LayoutRight>, "components must be neighbours");
    const std::size_t components = View::rank == 1 ? 1 : view.extent(1);
    return {reinterpret_cast<const std::byte*>(view.data() + first), components * sizeof(T)};
}

constexpr bool is_derivative(Column column) {
    return column == Column::acceleration || column == Column::jerk || column == Column::spin_rate ||
           column == Column::spin_jerk;
}

// Fields that not every run, and not every file, has: bands and entry times only if they were asked for, derivatives under a
// predictor-corrector.
constexpr bool is_optional(Column column) {
    return column == Column::band || column == Column::entry_time || is_derivative(column);
}
inline bool has(const Bodies& bodies, const FieldRow& field) {
    if (field.column == Column::band) return bodies.has_bands();
    if (field.column == Column::entry_time) return bodies.has_entry_times();
    return !is_optional(field.column) || bodies.with_derivatives;
}

inline Strip<const std::byte> strip_of(const Bodies& bodies, const FieldRow& field) {
    switch (field.column) {
        case Column::position: return strip_of_view(bodies.position, field.first);
        case Column::velocity: return strip_of_view(bodies.velocity, field.first);
        case Column::spin: return strip_of_view(bodies.spin, field.first);
        case Column::force: return strip_of_view(bodies.force, field.first);
        case Column::torque: return strip_of_view(bodies.torque, field.first);
        case Column::id: return strip_of_view(bodies.id, field.first);
        case Column::material: return strip_of_view(bodies.material, field.first);
        case Column::cube: return strip_of_view(bodies.cube, field.first);
        case Column::reference: return strip_of_view(bodies.reference, field.first);
        case Column::band: return strip_of_view(bodies.band, field.first);
        case Column::entry_time: return strip_of_view(bodies.entry_time, field.first);
        case Column::way: return strip_of_view(bodies.way, field.first);
        case Column::turn: return strip_of_view(bodies.turn, field.first);
        case Column::acceleration: return strip_of_view(bodies.acceleration, field.first);
        case Column::jerk: return strip_of_view(bodies.jerk, field.first);
        case Column::spin_rate: return strip_of_view(bodies.spin_rate, field.first);
        case Column::spin_jerk: return strip_of_view(bodies.spin_jerk, field.first);
    }
    return {};
}

}  // namespace granary
