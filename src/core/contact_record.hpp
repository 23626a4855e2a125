// The tangential spring of one contact as it travels between ranks and stands in files: by ids, because places
// change with every sort and ids do not.
#pragma once
#include <cstdint>
#include "core/bodies.hpp"

namespace granary {

struct ContactRecord {
    Id body = 0;
    Id partner = 0;  // another body, or a wall: wall_partner(number)
    double xi[3]{};  // m, of body relative to partner
};

// Ids of bodies stay below 2^63; the top bit marks a wall.
inline constexpr Id wall_bit = Id{1} << 63;
constexpr Id wall_partner(std::uint32_t number) { return wall_bit | number; }
constexpr bool is_wall(Id partner) { return (partner & wall_bit) != 0; }
constexpr std::uint32_t wall_number(Id partner) { return static_cast<std::uint32_t>(partner & ~wall_bit); }

// The one form in files and digests: body is the smaller id. Changing sides negates the spring exactly. A wall
// is always the partner, since its number is above every id.
constexpr ContactRecord canonical(const ContactRecord& c) {
    if (c.body < c.partner) return c;
    return {c.partner, c.body, {-c.xi[0], -c.xi[1], -c.xi[2]}};
}

}  // namespace granary
