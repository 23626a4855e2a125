// Who owns what: space is cut along the slab axis into intervals of whole layers of cubes, one a rank. All ranks know
// all cuts, so who sends to whom follows without asking. An interval may be empty; a ghost partner is the owner of the
// next layer below or above, whoever that is, the rank itself included when the axis is periodic.
#pragma once
#include <optional>
#include <vector>

namespace granary {

class Slabs {
  public:
    Slabs() = default;
    // cuts[r] .. cuts[r+1] are the layers of rank r; cuts ascend from 0 to the number of layers.
    Slabs(std::vector<int> cuts, bool periodic);

    int n_layers() const { return cuts_.back(); }
    int n_ranks() const { return static_cast<int>(cuts_.size()) - 1; }
    int first(int rank) const { return cuts_[rank]; }
    int end(int rank) const { return cuts_[rank + 1]; }
    bool empty(int rank) const { return first(rank) == end(rank); }
    const std::vector<int>& cuts() const { return cuts_; }

    int owner(int layer) const;

    // The rank that owns the layer next to mine; none at the end of space or if I own nothing.
    std::optional<int> below(int rank) const;
    std::optional<int> above(int rank) const;
    // Whether that layer is reached over the periodic face.
    bool wraps_below(int rank) const { return periodic_ && first(rank) == 0; }
    bool wraps_above(int rank) const { return periodic_ && end(rank) == n_layers(); }

  private:
    std::vector<int> cuts_{0, 0};
    bool periodic_ = false;
};

}  // namespace granary
