#include "core/bodies.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace granary {

namespace {

template <class View> void grow(View& view, const char* name, Index filled, Index n) {
    View larger = untouched<View>(name, n, n - n / 32);  // whoever reserves asks for a few per cent more than there are
    const std::size_t width = larger.size() / n;
    std::copy_n(view.data(), filled * width, larger.data());
    view = larger;
}

// clang-format off
#define GRANARY_OFFSET(name, ...) offsetof(BodyRecord, name),
constexpr std::size_t offsets[] = {GRANARY_COLUMNS(GRANARY_OFFSET)};
#undef GRANARY_OFFSET
// clang-format on
constexpr std::size_t offset_of(Column column) { return offsets[static_cast<std::size_t>(column)]; }

// As in a new record.
template <class View> void fill_initial(const ColumnRow& row, const View& view, Index first, Index n) {
    static const BodyRecord initial;
    const auto width = static_cast<std::size_t>(row.width);
    auto* const numbers = view.data() + first * width;
    for (std::size_t k = 0; k < n; ++k)
        std::memcpy(numbers + k * width, reinterpret_cast<const std::byte*>(&initial) + offset_of(row.column),
                    width * sizeof *numbers);
}

}  // namespace

void Bodies::reserve(Index n) {
    if (n <= capacity()) return;
    for_each_column([&](const ColumnRow& row, auto& view) { grow(view, row.name, size, n); });
}

void Bodies::add(When what) {
    if (has(what)) return;
    there_ |= 1u << static_cast<unsigned>(what);
    const Index n = capacity();
    if (n == 0) return;
    for_each_column([&]<class View>(const ColumnRow& row, View& view) {
        if (row.when != what) return;
        view = untouched<View>(row.name, n);
        fill_initial(row, view, 0, size);
    });
}

void Bodies::put(Index i, const NewBody& b) {
    for_each_column([&](const ColumnRow& row, const auto& view) {
        if (row.at_sort == AtSort::moves) fill_initial(row, view, i, 1);
    });
    position(i, 0) = b.position.x, position(i, 1) = b.position.y, position(i, 2) = b.position.z,
                position(i, 3) = b.radius;
    velocity(i, 0) = b.velocity.x, velocity(i, 1) = b.velocity.y, velocity(i, 2) = b.velocity.z;
    velocity(i, 3) = 1.0 / b.mass;
    spin(i, 0) = b.spin.x, spin(i, 1) = b.spin.y, spin(i, 2) = b.spin.z;
    spin(i, 3) = 1.0 / b.inertia;
    id(i) = b.id;
    material(i) = b.material;
    if (has(Column::band)) band(i) = b.band;
    if (has(Column::entry_time)) entry_time(i) = b.entry_time;
    if (has(Column::orientation)) std::copy_n(b.orientation, 4, &orientation(i, 0));
    if (has(Column::cluster)) cluster(i) = b.cluster == no_cluster ? b.id : b.cluster;
    if (has(Column::shape)) {
        shape(i) = b.rigid_shape;
        if (b.rigid_shape != 0) spin(i, 3) = 0;  // it has three moments (motion/rigid_rotation.hpp)
    }
    if (has(Column::held)) {
        held(i) = b.held, held_mass(i) = b.mass;
        if (b.held != 0) velocity(i, 3) = spin(i, 3) = 0;
    }
}

namespace {

template <class View, class T> void put_numbers(const View& view, Index i, const T& from) {
    if constexpr (std::is_array_v<T>) std::copy_n(from, std::extent_v<T>, &view(i, 0));
    else view(i) = from;
}

}  // namespace

void Bodies::put(Index i, const BodyRecord& b, std::span<const Column> only) {
    const auto wanted = [&](Column column) {
        return has(column) && column != Column::cube &&
               (only.empty() || std::find(only.begin(), only.end(), column) != only.end());
    };
#define GRANARY_PUT(name, ...) \
    if (wanted(Column::name)) put_numbers(name, i, b.name);
    GRANARY_COLUMNS(GRANARY_PUT)
#undef GRANARY_PUT
}

Strip<const std::byte> strip_of(const Bodies& bodies, const FieldRow& field) {
    Strip<const std::byte> strip;
    bodies.for_each_column([&]<class View>(const ColumnRow& row, const View& view) {
        using T = typename View::non_const_value_type;
        static_assert(std::is_same_v<typename View::array_layout, Kokkos::LayoutRight>,
                      "components must be neighbours");
        if (row.column == field.column)
            strip = {reinterpret_cast<const std::byte*>(view.data() + field.first), row.width * sizeof(T)};
    });
    return strip;
}

Strip<std::byte> strip_of(std::span<BodyRecord> bodies, const FieldRow& field) {
    if (bodies.empty()) return {};
    return {
        reinterpret_cast<std::byte*>(bodies.data()) + offset_of(field.column) + bytes_of(field.number()) * field.first,
        sizeof(BodyRecord)};
}

}  // namespace granary
