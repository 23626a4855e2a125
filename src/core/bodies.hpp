// The bodies of one rank, in the one order (cube z, y, x, then id):
//     [ lower ghosts | owned, periodic images among them | upper ghosts ]
// Storage is one Kokkos view a column, as the table in fields.hpp says.
#pragma once
#include <Kokkos_Core.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "core/fields.hpp"
#include "core/large_pages.hpp"
#include "core/vec.hpp"

namespace granary {

using Index = std::uint32_t;  // a body's place in this rank's arrays
using Id = std::uint64_t;     // a body's global number

// Half-open run of places.
struct Range {
    Index begin = 0, end = 0;
    Index size() const { return end - begin; }
    bool contains(Index i) const { return i >= begin && i < end; }
    friend bool operator==(const Range&, const Range&) = default;
};

template <class T> using Array = Kokkos::View<T, Kokkos::LayoutRight, Kokkos::HostSpace>;
using Quads = Array<double* [4]>;  // 64-byte aligned by Kokkos, so every quad is 32-byte aligned

// A view whose places are not touched: spare room costs address space and no memory.
template <class View> View untouched(const char* name, std::size_t n) {
    View view(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(name)), n);
    want_large_pages(view.data(), view.span() * sizeof(*view.data()));
    return view;
}

inline constexpr std::uint16_t no_band = 65535;  // of a ball that was not there when bands were given out

// What a maker of bodies (packing, insertion, state file) hands over; plain and small.
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
};

class Bodies {
  public:
    Quads position, velocity, spin, force, torque;
    Array<Id*> id;
    Array<std::uint16_t*> material;
    Array<std::uint64_t*> cube;
    Array<double* [3]> reference;
    // Only under a predictor-corrector (motion/gear_predictor_corrector.hpp), which sets with_derivatives before the first reserve: rates of
    // velocity and spin and their rates, which go with a body to its new owner, and of which ghosts have none; and how far the body has gone and
    // turned in this step, which springs want to know, of ghosts too. Those two are made anew at every step.
    Quads acceleration, jerk, spin_rate, spin_jerk;
    Quads way, turn;
    bool with_derivatives = false;
    Array<std::uint16_t*> band;  // empty unless add_bands() was called
    Array<double*> entry_time;   // s; empty unless add_entry_times() was called

    Index size = 0;           // filled places, ghosts and images included
    Range owned;              // owned places, images among them
    std::vector<Range> real;  // runs of owned places that are no images, ascending

    Index capacity() const { return static_cast<Index>(id.extent(0)); }
    Index n_real() const {
        Index n = 0;
        for (const Range& r : real) n += r.size();
        return n;
    }

    // Grows every column to hold n bodies; what is there is kept.
    void reserve(Index n);

    bool has_bands() const { return band.extent(0) > 0; }
    void add_bands();  // of all bodies, there and to come; none of them has one yet
    bool has_entry_times() const { return entry_time.extent(0) > 0; }
    void add_entry_times();  // likewise

    // Calls f(row of the column table, view) for every column that is there.
    template <class F> void for_each_column(F&& f) {
        f(columns[0], position), f(columns[1], velocity), f(columns[2], spin), f(columns[3], force),
            f(columns[4], torque);
        f(columns[5], id), f(columns[6], material), f(columns[7], cube), f(columns[8], reference);
        if (has_bands()) f(columns[9], band);
        if (has_entry_times()) f(columns[10], entry_time);
        if (with_derivatives) f(columns[11], way), f(columns[12], turn);
    }

    template <class F> void for_each_derivative(F&& f) {
        if (!with_derivatives) return;
        f("acceleration", acceleration), f("jerk", jerk), f("spin_rate", spin_rate), f("spin_jerk", spin_jerk);
    }

    Vec3d x(Index i) const { return {position(i, 0), position(i, 1), position(i, 2)}; }
    Vec3d v(Index i) const { return {velocity(i, 0), velocity(i, 1), velocity(i, 2)}; }
    Vec3d omega(Index i) const { return {spin(i, 0), spin(i, 1), spin(i, 2)}; }
    Vec3d gone(Index i) const { return {way(i, 0), way(i, 1), way(i, 2)}; }
    Vec3d turned(Index i) const { return {turn(i, 0), turn(i, 1), turn(i, 2)}; }
    double radius(Index i) const { return position(i, 3); }

    void put(Index i, const NewBody& b);  // does not touch cube and reference
};

}  // namespace granary
