// Every property of a body, declared once, in one row of the table below. Storage, sort, periodic images, halo,
// migration, turning of axes, state file, checkpoint, [start], digest, frames and in situ all walk this table; none
// lists columns by hand. A new property is one new row.
//   A column is what memory holds: one array. A quad is four doubles that are used together.
//   A field is what a reader knows by name: a part of a column, with unit and meaning.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace granary {

inline constexpr std::uint16_t no_band = 65535;  // of a ball that was not there when bands were given out

// When a column travels to another rank.
enum class Travels {
    never,
    on_migration,       // with a body that changes its owner
    on_ghost_creation,  // also when a ghost is made
    every_step          // also each time a ghost or an image is refreshed
};

// What a sort does with a column: it moves with its body, or the rebuild sets it anew.
enum class AtSort { moves, set_anew };

// In which runs a column is there.
enum class When {
    always,
    bands,         // bands were asked for (Setup::bands)
    entry_times,   // times of entry were asked for (Setup::entry_times)
    gear,          // the integrator is the predictor-corrector (motion/gear_predictor_corrector.hpp)
    orientations,  // something depends on how bodies are turned: beam bonds (contact/beam_bond.hpp), shapes
    clusters,      // bodies may be joined by bonds (Setup::bonds)
    held,          // some bodies are held in place or moved (Setup::holds)
    shapes         // some bodies are no balls (Setup::shapes)
};

// What turns with the axes (core/axes.hpp): the first three numbers of a vector, the last three of a quaternion.
enum class Turns { no, vector, quaternion };

inline constexpr std::uint64_t no_cluster = std::numeric_limits<std::uint64_t>::max();

// What is done with a field.
namespace field {
inline constexpr unsigned saved = 1;     // in state files and checkpoints
inline constexpr unsigned digested = 2;  // part of the physical state that the digest covers
inline constexpr unsigned shown = 4;     // may stand in frames
inline constexpr unsigned in_situ = 8;   // shown in pictures during the run
}  // namespace field

// clang-format off
//     name  type  numbers  travels  at a sort  when  turns  initial value (of the first number; the others begin at 0)
//         fields: name, first number, numbers, unit, what is done with it, meaning (empty: the name says it)
// The fields of all rows, in this order, are the order of state files and of the digest.
#define GRANARY_COLUMNS(COLUMN)                                                                                                                     \
    COLUMN(id, std::uint64_t, 1, on_ghost_creation, moves, always, no, 0,                                                                           \
           {"id", 0, 1, "1", saved | digested | shown | in_situ, "global number of the body, never used twice"})                                    \
    COLUMN(position, double, 4, every_step, moves, always, vector, 0,                                                                               \
           {"position", 0, 3, "m", saved | digested | shown | in_situ, "centre"},                                                                   \
           {"radius", 3, 1, "m", saved | digested | shown | in_situ, ""})                                                                           \
    COLUMN(velocity, double, 4, every_step, moves, always, vector, 0,                                                                               \
           {"velocity", 0, 3, "m/s", saved | digested | shown | in_situ, half_step_behind},                                                         \
           {"inverse_mass", 3, 1, "1/kg", saved | digested, ""})                                                                                    \
    COLUMN(spin, double, 4, every_step, moves, always, vector, 0,                                                                                   \
           {"spin", 0, 3, "rad/s", saved | digested | shown, half_step_behind},                                                                     \
           {"inverse_inertia", 3, 1, "1/(kg m^2)", saved | digested, ""})                                                                           \
    COLUMN(material, std::uint16_t, 1, on_ghost_creation, moves, always, no, 0,                                                                     \
           {"material", 0, 1, "1", saved | digested | shown | in_situ, "number in /material_names"})                                                \
    COLUMN(force, double, 4, never, set_anew, always, vector, 0,                                                                                    \
           {"force", 0, 3, "N", saved | shown, "at the state's time, for the next kick"})                                                           \
    COLUMN(torque, double, 4, never, set_anew, always, vector, 0,                                                                                   \
           {"torque", 0, 3, "N m", saved, "at the state's time, for the next kick"})                                                                \
    COLUMN(reference, double, 3, never, set_anew, always, vector, 0,                                                                                \
           {"reference", 0, 3, "m", saved, "position at the last sort, for the search of a resumed run"})                                           \
    COLUMN(cube, std::uint64_t, 1, on_ghost_creation, set_anew, always, no, 0, {})                                                                  \
    COLUMN(band, std::uint16_t, 1, on_migration, moves, bands, no, no_band,                                                                         \
           {"band", 0, 1, "1", saved | shown | in_situ, "number of the band that the ball was in, 65535: none"})                                    \
    COLUMN(entry_time, double, 1, on_migration, moves, entry_times, no, std::numeric_limits<double>::quiet_NaN(),                                   \
           {"entry_time", 0, 1, "s", saved | shown, "the run's time at which the body came in"})                                                    \
    COLUMN(acceleration, double, 4, on_migration, moves, gear, vector, 0, {"acceleration", 0, 3, "m/s^2", saved, of_gear})                          \
    COLUMN(jerk, double, 4, on_migration, moves, gear, vector, 0, {"jerk", 0, 3, "m/s^3", saved, of_gear})                                          \
    COLUMN(spin_rate, double, 4, on_migration, moves, gear, vector, 0, {"spin_rate", 0, 3, "rad/s^2", saved, of_gear})                              \
    COLUMN(spin_jerk, double, 4, on_migration, moves, gear, vector, 0, {"spin_jerk", 0, 3, "rad/s^3", saved, of_gear})                              \
    COLUMN(orientation, double, 4, every_step, moves, orientations, quaternion, 1,                                                                  \
           {"orientation", 0, 4, "1", saved | digested | shown, "unit quaternion (w, x, y, z): of a shape from its own frame to space; of a ball since its bonds were made"})         \
    COLUMN(cluster, std::uint64_t, 1, on_ghost_creation, moves, clusters, no, no_cluster,                                                           \
           {"cluster", 0, 1, "1", saved | shown | in_situ, "least id of the bodies that bonds join with it; of a single body its own id"})          \
    COLUMN(held, std::uint16_t, 1, on_ghost_creation, moves, held, no, 0,                                                                           \
           {"held", 0, 1, "1", saved | digested | shown, "0: free; k: held by number k of the case's holds"})                                       \
    COLUMN(held_mass, double, 1, on_migration, moves, held, no, 0, {"held_mass", 0, 1, "kg", saved, "of a held body"})                              \
    COLUMN(shape, std::uint16_t, 1, on_ghost_creation, moves, shapes, no, 0,                                                                        \
           {"shape", 0, 1, "1", saved | digested | shown | in_situ, "0: a ball; k: number k of the case's shapes"})                                 \
    COLUMN(angular_momentum, double, 4, on_migration, moves, shapes, vector, 0,                                                                     \
           {"angular_momentum", 0, 3, "kg m^2/s", saved | digested, of_shapes})                                                                     \
    /* In this step, m and rad: made anew at every step; contact springs follow them, also at ghosts. */                                            \
    COLUMN(displacement, double, 4, every_step, moves, gear, vector, 0, {})                                                                         \
    COLUMN(rotation, double, 4, every_step, moves, gear, vector, 0, {})
// clang-format on

inline constexpr const char* half_step_behind =
    "at the file's velocity_time: half a step before the state, time - dt/2; with the integrator gear at its time";
inline constexpr const char* of_shapes =
    "about the centre, half a step before the state, as the velocity; 0 of a ball, whose spin says it";
inline constexpr const char* of_gear = "of the predictor-corrector, at the state's time";

#define GRANARY_COLUMN_NAME(name, ...) name,
enum class Column { GRANARY_COLUMNS(GRANARY_COLUMN_NAME) };
#undef GRANARY_COLUMN_NAME

enum class Number { real, u64, u32, u16 };
constexpr std::size_t bytes_of(Number number) { return number == Number::u16 ? 2 : number == Number::u32 ? 4 : 8; }
template <class T> constexpr Number number_of_type() {
    return sizeof(T) == 2                       ? Number::u16
           : sizeof(T) == 4                     ? Number::u32
           : std::numeric_limits<T>::is_integer ? Number::u64
                                                : Number::real;
}

struct FieldPart {
    const char* name = nullptr;
    int first = 0, count = 0;
    const char* unit = "";
    unsigned use = 0;
    const char* description = "";
};

struct ColumnRow {
    Column column;
    const char* name;
    Number number;
    int width;  // numbers of one body
    Travels travels;
    AtSort at_sort;
    When when;
    Turns turns;
    std::array<FieldPart, 2> parts;
};

#define GRANARY_COLUMN_ROW(name, type, width, travels, at_sort, when, turns, initial, ...)           \
    ColumnRow{Column::name,    #name,      number_of_type<type>(), width,          Travels::travels, \
              AtSort::at_sort, When::when, Turns::turns,           {{__VA_ARGS__}}},
inline constexpr auto columns = [] {
    using namespace field;
    return std::array{GRANARY_COLUMNS(GRANARY_COLUMN_ROW)};
}();
#undef GRANARY_COLUMN_ROW
inline constexpr std::size_t n_columns = columns.size();
constexpr const ColumnRow& row_of(Column column) { return columns[static_cast<std::size_t>(column)]; }

struct FieldRow {
    const char* name = nullptr;
    Column column{};
    int first = 0;  // number of the column where the field starts
    int count = 0;
    const char* unit = "";
    unsigned use = 0;
    const char* description = "";

    constexpr bool is(unsigned what) const { return (use & what) != 0; }
    constexpr Number number() const { return row_of(column).number; }
    constexpr std::size_t bytes() const { return bytes_of(number()) * static_cast<std::size_t>(count); }
    constexpr bool turns() const {
        const Turns how = row_of(column).turns;
        return first == 0 && ((how == Turns::vector && count == 3) || (how == Turns::quaternion && count == 4));
    }
    // The first of the three numbers that turn.
    constexpr int vector_at() const { return row_of(column).turns == Turns::quaternion ? 1 : 0; }
    // Not every run has it, and not every file.
    constexpr bool is_optional() const { return row_of(column).when != When::always; }
};

inline constexpr auto fields = [] {
    constexpr auto n = [] {
        std::size_t count = 0;
        for (const ColumnRow& row : columns)
            for (const FieldPart& part : row.parts) count += part.name != nullptr ? 1 : 0;
        return count;
    }();
    std::array<FieldRow, n> all{};
    std::size_t k = 0;
    for (const ColumnRow& row : columns)
        for (const FieldPart& part : row.parts)
            if (part.name != nullptr)
                all[k++] = {part.name, row.column, part.first, part.count, part.unit, part.use, part.description};
    return all;
}();

}  // namespace granary
