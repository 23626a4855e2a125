// A saved state as the solver sees it: header, bodies and contacts, read in slices. Where it comes from, such as a file (io/state), is behind StateSource.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>
#include "core/bodies.hpp"
#include "core/contact_record.hpp"
#include "core/domain.hpp"
#include "core/saved_state.hpp"

namespace granary {

struct StateHeader {
    std::uint64_t step = 0;
    double time = 0, dt = 0;     // s
    Id next_id = 0;              // of the next body to be made
    std::uint64_t inserted = 0;  // bodies ever made
    Domain domain;
    std::vector<std::string> material_names;  // by material number
    std::vector<std::string> wall_names;      // by wall number
    std::vector<std::string> outlet_names;
    std::vector<std::uint64_t> left_by_outlet;  // bodies that left, by outlet
    std::string case_text;                      // the case file as it was read
    std::string version;                        // of the program that wrote the file
    SavedState run;                             // of a checkpoint: whatever else a run needs to go on
};

// A body as the file holds it. It is no NewBody: that has mass and inertia, the file their inverses, and 1/(1/m)
// would lose bits. Laid out like the columns of Bodies, so that the field table serves for both.
struct StateBody {
    double position[4]{};   // m; [3] radius, m
    double velocity[4]{};   // m/s, at t - dt/2; [3] 1/m, 1/kg
    double spin[4]{};       // rad/s, at t - dt/2; [3] 1/I, 1/(kg m^2)
    double force[3]{};      // N, at t
    double torque[3]{};     // N m, at t
    double reference[3]{};  // m, position of the last sort
    Id id = 0;
    std::uint16_t material = 0;
    std::uint16_t band = no_band;
    double entry_time = std::numeric_limits<double>::quiet_NaN();  // s; nan: the file does not tell
    double acceleration[3]{}, jerk[3]{};    // m/s^2, m/s^3: of a predictor-corrector, like the next two
    double spin_rate[3]{}, spin_jerk[3]{};  // rad/s^2, rad/s^3
};

// A checkpoint holds all bodies that push others; those that have crossed an outlet and are no longer inside are listed by this name.
inline constexpr const char* crossed_name = "outlets.crossed";
std::set<Id> crossed_in(const StateHeader& header);
// Named in the state of a run by the predictor-corrector: velocities are those of the state's time, not of half a step before.
inline constexpr const char* gear_name = "gear";

// Sets all of body i except its cube, which follows from the reference position.
void put(Bodies& bodies, Index i, const StateBody& body);

// A saved state that is read in slices: a rank never holds more of it than a slice. Each rank is given an equal contiguous share of bodies and contacts, in
// the order of the state. Collective, all of it; any failure throws the same InputError on all ranks.
class StateSource {
  public:
    virtual ~StateSource() = default;

    StateHeader header;                      // the same on all ranks
    virtual std::uint64_t n_bodies() const = 0;  // in the whole state
    virtual std::uint64_t n_contacts() const = 0;
    virtual bool has(Column column) const = 0;  // of its bodies

    // Calls use(slice) for one slice of this rank's share after the other, as often on every rank: the last ones may be empty, and use may be
    // collective. Always the same slices in the same order. only: what is read of a body, and nothing else of it; none: all.
    virtual void for_bodies(const std::function<void(std::span<StateBody>)>& use,
                            std::span<const Column> only = {}) const = 0;
    virtual void for_contacts(const std::function<void(std::span<ContactRecord>)>& use) const = 0;
};

}  // namespace granary
