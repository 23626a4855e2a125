// A checkpoint whose numbers are others, and a run that goes on with it. A reader would give the same: HDF5, which
// takes most of the time, is left out.
#pragma once
#include <vector>
#include "core/state_source.hpp"
#include "fuzz/harness.hpp"
#include "io/state/state_file.hpp"

namespace granary::fuzz {

class StateInMemory final : public StateSource {
  public:
    explicit StateInMemory(const OpenState& of);

    // Another number in a body or a contact, or one of them twice, elsewhere or not at all: whatever a file may hold
    // that its reader does not refuse.
    void edit(Numbers& in);

    std::uint64_t n_bodies() const override { return bodies_.size(); }
    std::uint64_t n_contacts() const override { return contacts_.size(); }
    bool has(Column column) const override;
    void for_bodies(const std::function<void(std::span<BodyRecord>)>& use,
                    std::span<const Column> only = {}) const override;
    void for_contacts(const std::function<void(std::span<ContactRecord>)>& use) const override;

  private:
    std::vector<Column> columns_;
    std::vector<BodyRecord> bodies_;
    std::vector<ContactRecord> contacts_;
};

const StateInMemory& good_checkpoint();  // of good_run()

// Edits what the checkpoint holds besides bodies and contacts, and lets the good run go on from there.
void go_on(StateSource& state, Numbers& in);

}  // namespace granary::fuzz
