// A saved state as the solver sees it: header, bodies and contacts, read in slices. Where it comes from, such as a file
// (io/state), is behind StateSource.
#pragma once
#include <cstdint>
#include <functional>
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

// A checkpoint holds all bodies that push others; those that have crossed an outlet and are no longer inside are listed
// by this name.
inline constexpr const char* crossed_name = "outlets.crossed";
std::set<Id> crossed_in(const StateHeader& header);
// Named in the state of a run by the predictor-corrector: velocities are those of the state's time, not of half a step
// before.
inline constexpr const char* gear_name = "gear";

// A saved state that is read in slices: a rank never holds more of it than a slice. Each rank is given an equal
// contiguous share of bodies and contacts, in the order of the state. Collective, all of it; any failure throws the
// same InputError on all ranks.
class StateSource {
  public:
    virtual ~StateSource() = default;

    StateHeader header;                          // the same on all ranks
    virtual std::uint64_t n_bodies() const = 0;  // in the whole state
    virtual std::uint64_t n_contacts() const = 0;
    virtual bool has(Column column) const = 0;  // of its bodies

    // Calls use(slice) for one slice of this rank's share after the other, as often on every rank: the last ones may be
    // empty, and use may be collective. Always the same slices in the same order. only: what is read of a body, and
    // nothing else of it; none: all.
    virtual void for_bodies(const std::function<void(std::span<BodyRecord>)>& use,
                            std::span<const Column> only = {}) const = 0;
    virtual void for_contacts(const std::function<void(std::span<ContactRecord>)>& use) const = 0;
};

}  // namespace granary
