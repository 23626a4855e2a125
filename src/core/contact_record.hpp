// A spring of one contact as it travels between ranks and stands in files: by ids, because places change with every sort
// and ids do not. A contact has at most two: the tangential one, and a rolling one under laws that keep it.
#pragma once
#include <cstdint>
#include "core/bodies.hpp"

namespace granary {

struct ContactRecord {
    Id body = 0;
    Id partner = 0;  // another body, or a wall: wall_partner(number, place); with the rolling bit: the rolling spring
    double xi[3]{};  // m, of body relative to partner; of a rolling spring rad
};

// Ids of bodies stay below 2^62. The top bit marks a wall, the next the rolling spring of a contact. A ball may touch a mesh at several of
// its triangles: the triangle's number is the place, 32 bits above the 24 of the wall's number. At other walls it is 0.
inline constexpr Id wall_bit = Id{1} << 63;
inline constexpr int wall_number_bits = 24;
inline constexpr std::uint32_t no_wall = (std::uint32_t{1} << wall_number_bits) - 1;
constexpr Id wall_partner(std::uint32_t number, std::uint32_t place = 0) {
    return wall_bit | Id{place} << wall_number_bits | number;
}
constexpr bool is_wall(Id partner) { return (partner & wall_bit) != 0; }
constexpr std::uint32_t wall_number(Id partner) { return static_cast<std::uint32_t>(partner & no_wall); }
constexpr std::uint32_t wall_place(Id partner) {
    return static_cast<std::uint32_t>(partner >> wall_number_bits);  // the marks stand above its 32 bits
}
// So do wall balls, whose numbers stand above those of all walls.
inline constexpr Id wall_ball_bit = Id{1} << 61;
constexpr Id wall_ball_partner(std::uint32_t number) { return wall_bit | wall_ball_bit | number; }
constexpr bool is_wall_ball(Id partner) { return is_wall(partner) && (partner & wall_ball_bit) != 0; }

inline constexpr Id rolling_bit = Id{1} << 62;
constexpr Id rolling_spring(Id partner) { return partner | rolling_bit; }
constexpr bool is_rolling(Id partner) { return (partner & rolling_bit) != 0; }
constexpr Id without_mark(Id partner) { return partner & ~rolling_bit; }

// Changing sides negates the spring exactly.
constexpr ContactRecord seen_from_partner(const ContactRecord& c) {
    return {without_mark(c.partner), c.body | (c.partner & rolling_bit), {-c.xi[0], -c.xi[1], -c.xi[2]}};
}

// The one form in files and digests: body is the smaller id. A wall is always the partner, since its number is above every id.
constexpr ContactRecord canonical(const ContactRecord& c) {
    return c.body < without_mark(c.partner) ? c : seen_from_partner(c);
}

}  // namespace granary
