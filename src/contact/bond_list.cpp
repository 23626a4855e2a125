#include "contact/bond_list.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include "core/contact_record.hpp"

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
        grow(length, "bonds::length", size, needed);
        grow(per_length, "bonds::per_length", size, needed);
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
    const double* const d = reference_vector;
    length(b) = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), per_length(b) = 1 / length(b);
    for (int axis = 0; axis < 3; ++axis) {
        reference(b, axis) = reference_vector[axis];
        if (!with_springs_) continue;
        shear(b, axis) = shear_force != nullptr ? shear_force[axis] : 0;
        moment(b, axis) = bond_moment != nullptr ? bond_moment[axis] : 0;
    }
}

void BondList::add_from(const BondList& other, Index b, Index lower_body, Index upper_body, Index pair_slot,
                        bool exchanged) {
    const auto vector = [&](const Array<double* [3]>& of, HistoryKind kind) {
        const double sign = exchanged ? exchange_sign(kind) : 1.0;
        return std::array{sign * of(b, 0), sign * of(b, 1), sign * of(b, 2)};
    };
    const std::array d = vector(other.reference, HistoryKind::bond);
    const double nature[3] = {static_cast<double>(other.type(b)), other.factor(b), other.made(b)};
    std::array<double, 3> force{}, torque{};
    if (with_springs_)
        force = vector(other.shear, HistoryKind::bond_shear), torque = vector(other.moment, HistoryKind::bond_moment);
    add(lower_body, upper_body, pair_slot, d.data(), nature, force.data(), torque.data());
}

std::uint64_t BondList::bytes() const {
    return sizeof(Index) * (lower.size() + upper.size() + slot.size()) + sizeof(std::uint16_t) * type.size() +
           sizeof(double) * (reference.size() + length.size() + per_length.size() + factor.size() + made.size() +
                             shear.size() + moment.size());
}

}  // namespace granary
