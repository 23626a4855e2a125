// Every property of a body, declared once. Storage, halo, migration, output and digest walk these two
// tables, so a new property cannot be forgotten on one path.
//   Columns are what memory holds: one array each. A quad is four doubles that are used together.
//   Fields are what a reader knows by name: parts of columns, with unit and meaning.
#pragma once
#include <array>
#include <cstddef>

namespace granary {

enum class Column {
    position,
    velocity,
    spin,
    force,
    torque,
    id,
    material,
    cube,
    reference,
    band,
    entry_time,
    way,
    turn,  // in this order in `columns`
    acceleration,
    jerk,
    spin_rate,
    spin_jerk  // only under a predictor-corrector: see Bodies::for_each_derivative
};
inline constexpr std::size_t n_columns = 13;

// When a column travels to another rank.
enum class Travels {
    never,
    on_migration,       // with a body that changes its owner
    on_ghost_creation,  // also when a ghost is made
    every_step          // also each time a ghost is refreshed
};

struct ColumnRow {
    Column column;
    const char* name;
    Travels travels;
};

// clang-format off
inline constexpr std::array<ColumnRow, n_columns> columns{{
    {Column::position, "position", Travels::every_step},        // (x, y, z, radius)
    {Column::velocity, "velocity", Travels::every_step},        // (v, 1/m), v at t - dt/2; predictor-corrector: t
    {Column::spin, "spin", Travels::every_step},                // (omega, 1/I), at t - dt/2
    {Column::force, "force", Travels::never},                   // (F, -) at t; scratch during a rebuild
    {Column::torque, "torque", Travels::never},                 // (T, -) at t; scratch during a rebuild
    {Column::id, "id", Travels::on_ghost_creation},             // global, never reused
    {Column::material, "material", Travels::on_ghost_creation}, // number in the material table
    {Column::cube, "cube", Travels::on_ghost_creation},         // packed cube of the last sort
    {Column::reference, "reference", Travels::never},           // position of the last sort
    {Column::band, "band", Travels::on_migration},              // colour of a ball; there only if asked for
    {Column::entry_time, "entry_time", Travels::on_migration},  // s, when a ball came in; there only if asked for
    {Column::way, "way", Travels::every_step},                  // (m, -) gone in this step; there only under a predictor-corrector
    {Column::turn, "turn", Travels::every_step},                // (rad, -) turned in this step; likewise
}};
// clang-format on

struct FieldRow {
    const char* name;
    Column column;
    int first;  // component of the column where the field starts
    int count;  // number of components
    const char* unit;
    bool saved;     // in state files
    bool shown;     // in frames for the eye
    bool digested;  // part of the physical state that the digest covers
};

// clang-format off
inline constexpr std::array<FieldRow, 13> fields{{
    // name             column            first count unit        saved  shown  digested
    {"id",              Column::id,       0, 1, "1",              true,  true,  true},
    {"position",        Column::position, 0, 3, "m",              true,  true,  true},
    {"radius",          Column::position, 3, 1, "m",              true,  true,  true},
    {"velocity",        Column::velocity, 0, 3, "m/s",            true,  true,  true},
    {"inverse_mass",    Column::velocity, 3, 1, "1/kg",           true,  false, true},
    {"spin",            Column::spin,     0, 3, "rad/s",          true,  true,  true},
    {"inverse_inertia", Column::spin,     3, 1, "1/(kg m^2)",     true,  false, true},
    {"material",        Column::material, 0, 1, "1",              true,  true,  true},
    {"force",           Column::force,    0, 3, "N",              true,  true,  false},
    {"torque",          Column::torque,   0, 3, "N m",            true,  false, false},
    {"reference",       Column::reference,0, 3, "m",              true,  false, false},
    {"band",            Column::band,     0, 1, "1",              true,  true,  false},
    {"entry_time",      Column::entry_time,0, 1, "s",             true,  true,  false},
}};

// What only a run by a predictor-corrector has, for its checkpoints.
inline constexpr std::array<FieldRow, 4> derivative_fields{{
    {"acceleration",    Column::acceleration, 0, 3, "m/s^2",      true,  false, false},
    {"jerk",            Column::jerk,         0, 3, "m/s^3",      true,  false, false},
    {"spin_rate",       Column::spin_rate,    0, 3, "rad/s^2",    true,  false, false},
    {"spin_jerk",       Column::spin_jerk,    0, 3, "rad/s^3",    true,  false, false},
}};
// clang-format on

}  // namespace granary
