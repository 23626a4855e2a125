#include "core/bodies.hpp"

#include <algorithm>

namespace granary {

namespace {

template <class View> void grow(View& view, const char* name, Index filled, Index n) {
    View larger = untouched<View>(name, n);
    const std::size_t width = larger.size() / n;
    std::copy_n(view.data(), filled * width, larger.data());
    view = larger;
}

}  // namespace

void Bodies::reserve(Index n) {
    if (n <= capacity()) return;
    for_each_derivative([&](const char* name, Quads& view) { grow(view, name, size, n); });
    for_each_column([&](const ColumnRow& row, auto& view) { grow(view, row.name, size, n); });
}

void Bodies::add_bands() {
    if (has_bands()) return;
    if (capacity() == 0) reserve(1);
    band = untouched<Array<std::uint16_t*>>("band", capacity());
    std::fill_n(band.data(), size, no_band);
}

void Bodies::add_entry_times() {
    if (has_entry_times()) return;
    if (capacity() == 0) reserve(1);
    entry_time = untouched<Array<double*>>("entry_time", capacity());
    std::fill_n(entry_time.data(), size, 0.0);
}

void Bodies::put(Index i, const NewBody& b) {
    position(i, 0) = b.position.x, position(i, 1) = b.position.y, position(i, 2) = b.position.z,
                position(i, 3) = b.radius;
    velocity(i, 0) = b.velocity.x, velocity(i, 1) = b.velocity.y, velocity(i, 2) = b.velocity.z;
    velocity(i, 3) = 1.0 / b.mass;
    spin(i, 0) = b.spin.x, spin(i, 1) = b.spin.y, spin(i, 2) = b.spin.z;
    spin(i, 3) = 1.0 / b.inertia;
    id(i) = b.id;
    material(i) = b.material;
    if (has_bands()) band(i) = b.band;
    if (has_entry_times()) entry_time(i) = b.entry_time;
    for (int axis = 0; axis < 4 && with_derivatives; ++axis) way(i, axis) = turn(i, axis) = 0;
}

}  // namespace granary
