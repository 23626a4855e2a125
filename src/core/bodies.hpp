// The bodies of one rank, in the one order (cube z, y, x, then id):
//     [ lower ghosts | owned, periodic images among them | upper ghosts ]
// Storage is one Kokkos view a column, as the table in columns.hpp says.
#pragma once
#include <Kokkos_Core.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>
#include "core/columns.hpp"
#include "core/errors.hpp"
#include "core/large_pages.hpp"
#include "core/vec.hpp"

namespace granary {

using Index = std::uint32_t;  // of a body in this rank's arrays
using Id = std::uint64_t;     // a body's global number

// Half-open range of indices.
struct Range {
    Index begin = 0, end = 0;
    Index size() const { return end - begin; }
    bool contains(Index i) const { return i >= begin && i < end; }
    friend bool operator==(const Range&, const Range&) = default;
};

template <class T> using Array = Kokkos::View<T, Kokkos::LayoutRight, Kokkos::HostSpace>;
using Quads = Array<double* [4]>;  // 64-byte aligned by Kokkos, so every quad is 32-byte aligned
template <class T, int width> using ColumnView = std::conditional_t<width == 1, Array<T*>, Array<T* [width]>>;

// A view whose memory is not touched: spare room costs address space and no memory. Large pages are asked for where the
// first `filled` rows stand, because one that reaches into the spare room would be memory for nothing.
template <class View> View untouched(const char* name, std::size_t n, std::size_t filled) {
    try {
        View view(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(name)), n);
        if (n > 0) want_large_pages(view.data(), filled * (view.span() / n) * sizeof(*view.data()));
        return view;
    } catch (const std::runtime_error& error) {  // as Kokkos says that there is no room; nothing else can go wrong here
        throw OutOfMemory(error.what());
    }
}
template <class View> View untouched(const char* name, std::size_t n) { return untouched<View>(name, n, n); }

// What a maker of bodies (packing, insertion) hands over; plain and small.
struct NewBody {
    Id id = 0;
    Vec3d position;      // m
    double radius = 0;   // m
    Vec3d velocity;      // m/s
    Vec3d spin;          // rad/s
    double mass = 0;     // kg
    double inertia = 0;  // kg m^2
    std::uint16_t material = 0;
    std::uint16_t band = no_band;
    double entry_time = 0;  // s, when it came in; of a body that is there at the start, counted from the start
    double orientation[4] = {1, 0, 0, 0};  // unit quaternion (w, x, y, z)
    Id cluster = no_cluster;               // least id of its cluster; no_cluster: it is alone
    std::uint16_t held = 0;                // number of what holds it, 0: free
    // Only before it is a body: number of the cluster template that it stands for, counted from 1. Its radius is then
    // that of the ball around the cluster, its mass that of all elements (filling/cluster_template.hpp). 0: a ball.
    std::uint16_t shape = 0;
    // Number of its template in Setup::shapes, counted from 1 (shapes/shape_template.hpp); 0: a ball. Its radius is
    // that of the sphere around it. Its inertia is not asked for: it follows from mass, radius and template.
    std::uint16_t rigid_shape = 0;
};

class Bodies {
  public:
#define GRANARY_MEMBER(name, type, width, ...) ColumnView<type, width> name;
    GRANARY_COLUMNS(GRANARY_MEMBER)
#undef GRANARY_MEMBER

    Index size = 0;           // filled places, ghosts and images included
    Range owned;              // owned bodies, images among them
    std::vector<Range> real;  // ranges of owned bodies that are no images, ascending

    Index capacity() const { return static_cast<Index>(id.extent(0)); }
    Index n_real() const {
        Index n = 0;
        for (const Range& r : real) n += r.size();
        return n;
    }

    // Grows every column to hold n bodies; what is there is kept.
    void reserve(Index n);

    // Columns that not every run has; those of bodies that are already there get their initial value.
    void add(When what);
    bool has(When what) const { return (there_ >> static_cast<unsigned>(what) & 1u) != 0; }
    bool has(Column column) const { return has(row_of(column).when); }

    // Calls f(row of the column table, view) for every column that is there.
    template <class F> void for_each_column(F&& f) {
#define GRANARY_VISIT(name, ...) \
    if (has(Column::name)) f(row_of(Column::name), name);
        GRANARY_COLUMNS(GRANARY_VISIT)
    }
    template <class F> void for_each_column(F&& f) const {GRANARY_COLUMNS(GRANARY_VISIT)
#undef GRANARY_VISIT
    }

    Vec3d x(Index i) const {
        return {position(i, 0), position(i, 1), position(i, 2)};
    }
    Vec3d v(Index i) const { return {velocity(i, 0), velocity(i, 1), velocity(i, 2)}; }
    Vec3d omega(Index i) const { return {spin(i, 0), spin(i, 1), spin(i, 2)}; }
    Vec3d momentum_of_spin(Index i) const {
        return {angular_momentum(i, 0), angular_momentum(i, 1), angular_momentum(i, 2)};
    }
    bool is_shape(Index i) const { return has(When::shapes) && shape(i) != 0; }
    Vec3d displacement_of(Index i) const { return {displacement(i, 0), displacement(i, 1), displacement(i, 2)}; }
    Vec3d rotation_of(Index i) const { return {rotation(i, 0), rotation(i, 1), rotation(i, 2)}; }
    double radius(Index i) const { return position(i, 3); }
    // kg, kg m^2. A held body has neither in the equations of motion; its mass is counted, and it takes no energy.
    double mass(Index i) const {
        return velocity(i, 3) != 0 ? 1.0 / velocity(i, 3) : has(Column::held_mass) ? held_mass(i) : 0.0;
    }
    double moving_mass(Index i) const { return velocity(i, 3) != 0 ? 1.0 / velocity(i, 3) : 0.0; }
    double moving_inertia(Index i) const { return spin(i, 3) != 0 ? 1.0 / spin(i, 3) : 0.0; }

    // All columns that a sort moves: what the maker gave, the others their initial value.
    void put(Index i, const NewBody& b);
    // Every column that is there, except the cube, which follows from the reference position. only: those, and no
    // others.
    void put(Index i, const struct BodyRecord& b, std::span<const Column> only = {});

  private:
    std::uint32_t there_ = 1;  // a bit for each When
};

// One body, with all its columns, as it travels between ranks and stands in files. It is no NewBody: that has mass and
// inertia, this their inverses, and 1/(1/m) would lose bits.
#define GRANARY_MEMBER(name, type, width, travels, at_sort, when, turns, initial, ...) \
    std::conditional_t<width == 1, type, type[width]> name{initial};
struct BodyRecord {
    GRANARY_COLUMNS(GRANARY_MEMBER)
};
#undef GRANARY_MEMBER

// Where the numbers of one field lie in memory, so that files and digest need not name it. That of body k starts at
// first + k * stride; its numbers follow each other.
template <class Byte> struct Strip {
    Byte* first = nullptr;
    std::size_t stride = 0;  // bytes from one body to the next
    Byte* operator[](std::size_t k) const { return first + k * stride; }
};
Strip<const std::byte> strip_of(const Bodies& bodies, const FieldRow& field);
Strip<std::byte> strip_of(std::span<BodyRecord> bodies, const FieldRow& field);

}  // namespace granary
