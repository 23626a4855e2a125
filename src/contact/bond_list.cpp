#include "contact/bond_list.hpp"
#include <algorithm>

namespace granary {
namespace {

// Loads of four bonds may run past the last one; what they read there is ignored.
constexpr std::size_t padding = 4;

template <class View> void grow(View& view, const char* name, std::size_t filled, std::size_t needed) {
    if (view.extent(0) >= needed) return;
    View larger = untouched<View>(name, needed + needed / 8 + 64);
    const std::size_t width = view.extent(0) > 0 ? view.size() / view.extent(0) : 0;
    std::copy_n(view.data(), filled * width, larger.data());
    view = larger;
}

}  // namespace

void BondList::add(Index lower_body, Index upper_body, Index pair_slot, const double* reference_vector,
                   const double* nature, const double* shear_force, const double* bond_moment) {
    const std::size_t needed = std::size_t{size} + 1 + padding;
    if (lower.extent(0) < needed) {
        grow(lower, "bonds::lower", size, needed);
        grow(upper, "bonds::upper", size, needed);
        grow(slot, "bonds::slot", size, needed);
        grow(type, "bonds::type", size, needed);
        grow(reference, "bonds::reference", size, needed);
        grow(factor, "bonds::factor", size, needed);
        grow(made, "bonds::made", size, needed);
    }
    if (with_springs_) {
        grow(shear, "bonds::shear", size, needed);
        grow(moment, "bonds::moment", size, needed);
    }
    const Index b = size++;
    lower(b) = lower_body, upper(b) = upper_body, slot(b) = pair_slot;
    type(b) = static_cast<std::uint16_t>(nature[0]), factor(b) = nature[1], made(b) = nature[2];
    for (int axis = 0; axis < 3; ++axis) {
        reference(b, axis) = reference_vector[axis];
        if (!with_springs_) continue;
        shear(b, axis) = shear_force != nullptr ? shear_force[axis] : 0;
        moment(b, axis) = bond_moment != nullptr ? bond_moment[axis] : 0;
    }
}

std::uint64_t BondList::bytes() const {
    return sizeof(Index) * (lower.size() + upper.size() + slot.size()) + sizeof(std::uint16_t) * type.size() +
           sizeof(double) * (reference.size() + factor.size() + made.size() + shear.size() + moment.size());
}

}  // namespace granary
