// The history of contacts: what a contact remembers from step to step, by ids, because indices change with every sort
// and ids do not. Each kind of history is one row of the table below. A record says whose it is: {body, class of the
// partner, partner, feature, kind, numbers}.
#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include "core/bodies.hpp"

namespace granary {

enum class HistoryKind : std::uint8_t {
    tangential,
    rolling,
    // A bond (contact/bond_list.hpp): every bond has the first two, a spring bond all four.
    bond,
    bond_nature,
    bond_shear,
    bond_moment,
    break_offset,
    // Of shapes (engine/shape_contacts.hpp, walls/shape_wall_contacts.hpp).
    contact_normal,
    contact_point
};

// What the numbers become when the partners exchange.
enum class Exchange { negate, keep };
// When a record ends. parted: the contact has opened, or the numbers are all zero. broken: only when it is taken out;
// zeros are kept.
enum class Death { parted, broken };

struct HistoryRow {
    HistoryKind kind;
    const char* name;
    const char* unit;
    Exchange exchange;
    Death death;
    bool vector;    // the numbers turn with the axes
    bool digested;  // part of the physical state
    const char* description;
};

// clang-format off
inline constexpr std::array history_kinds{
    HistoryRow{HistoryKind::tangential, "tangential", "m",   Exchange::negate, Death::parted, true, true, "tangential spring of body relative to partner"},
    HistoryRow{HistoryKind::rolling,    "rolling",    "rad", Exchange::negate, Death::parted, true, true, "rolling spring of body relative to partner"},
    HistoryRow{HistoryKind::bond,        "bond",        "m",   Exchange::negate, Death::broken, true, true, "body's centre relative to the partner's when the bond was made, both bodies turned back"},
    HistoryRow{HistoryKind::bond_nature, "bond_nature", "1",   Exchange::keep,   Death::broken, false, true, "number of the bond's type, factor of its strength, time when it was made in s"},
    HistoryRow{HistoryKind::bond_shear,  "bond_shear",  "N",   Exchange::negate, Death::broken, true, true, "shear force of a spring bond on body"},
    HistoryRow{HistoryKind::bond_moment, "bond_moment", "N m", Exchange::negate, Death::broken, true, true, "moment of a spring bond on body"},
    HistoryRow{HistoryKind::break_offset, "break_offset", "m", Exchange::keep,   Death::parted, false, true, "overlap when the bond broke, which counts as none; 0; 0"},
    HistoryRow{HistoryKind::contact_normal, "contact_normal", "1", Exchange::negate, Death::parted, true, true, "normal of a contact of shapes at the last step, from the partner to body: where the next search begins; half as long while the law does not act"},
    HistoryRow{HistoryKind::contact_point, "contact_point", "m", Exchange::keep, Death::parted, true, true, "of a shape at a wall: from its centre to the contact at the last step"},
};
// clang-format on
constexpr const HistoryRow& row_of(HistoryKind kind) { return history_kinds[static_cast<std::size_t>(kind)]; }

// What the numbers are multiplied by when the partners exchange; exact.
constexpr double exchange_sign(HistoryKind kind) { return row_of(kind).exchange == Exchange::negate ? -1.0 : 1.0; }

enum class PartnerClass : std::uint8_t { body, wall, wall_ball };

inline constexpr Id most_ids = Id{1} << 40;  // ids stay below
inline constexpr std::uint32_t no_wall = (std::uint32_t{1} << 24) - 1;

// With whom, where and what: class, number (an id, the number of a wall or of a wall ball), feature (tells several
// contacts of one pair apart, such as triangles of a mesh or the balls of two clumps) and kind. One word, so that a
// record of history stays small: the number takes 40, 24 or 32 bits and the feature 16, 32 or 24, by class.
class Partner {
  public:
    constexpr Partner() = default;
    constexpr Partner(Id body) : Partner(PartnerClass::body, body, 0) {}
    constexpr Partner(PartnerClass of, Id number, std::uint32_t feature, HistoryKind kind = HistoryKind::tangential)
        : word_(std::uint64_t{static_cast<unsigned>(of)} << 62 | std::uint64_t{static_cast<unsigned>(kind)} << 56 |
                std::uint64_t{feature} << number_bits(of) | number) {}

    constexpr PartnerClass of() const { return static_cast<PartnerClass>(word_ >> 62); }
    constexpr HistoryKind kind() const { return static_cast<HistoryKind>(word_ >> 56 & 63); }
    constexpr Id number() const { return word_ & ((Id{1} << number_bits(of())) - 1); }
    constexpr std::uint32_t feature() const {
        return static_cast<std::uint32_t>((word_ & ((Id{1} << 56) - 1)) >> number_bits(of()));
    }
    constexpr bool is_body() const { return of() == PartnerClass::body; }
    constexpr Partner with(HistoryKind kind) const { return {of(), number(), feature(), kind}; }
    friend constexpr auto operator<=>(const Partner&, const Partner&) = default;

  private:
    static constexpr int number_bits(PartnerClass of) {
        return of == PartnerClass::body ? 40 : of == PartnerClass::wall ? 24 : 32;
    }
    std::uint64_t word_ = 0;
};

constexpr Partner wall_partner(std::uint32_t number, std::uint32_t feature = 0) {
    return {PartnerClass::wall, number, feature};
}
constexpr Partner wall_ball_partner(std::uint32_t number) { return {PartnerClass::wall_ball, number, 0}; }
constexpr Partner rolling_spring(Partner partner) { return partner.with(HistoryKind::rolling); }

struct ContactRecord {
    Id body = 0;
    Partner partner;
    double xi[3]{};  // of body relative to partner, in the unit of its kind
};

inline constexpr std::size_t saved_contact_bytes = 48;  // of a record in a state file

constexpr bool is_zero(const double* xi) { return xi[0] == 0 && xi[1] == 0 && xi[2] == 0; }
// Whether a record of an open contact, or of a closed one, has ended.
constexpr bool is_dead(HistoryKind kind, bool touching, const double* xi) {
    return row_of(kind).death == Death::parted && (!touching || is_zero(xi));
}

// Two clumps touch with one ball each: the feature has the number of the body's own ball below, of the partner's above.
constexpr std::uint32_t feature_of_balls(std::uint32_t own, std::uint32_t of_partner) { return own | of_partner << 8; }
constexpr std::uint32_t own_ball(std::uint32_t feature) { return feature & 255; }
constexpr std::uint32_t ball_of_partner(std::uint32_t feature) { return feature >> 8; }
constexpr std::uint32_t exchanged_feature(std::uint32_t feature) {
    return feature_of_balls(ball_of_partner(feature), own_ball(feature));
}

// Exact: exchanging twice gives the same bits.
constexpr ContactRecord seen_from_partner(const ContactRecord& c) {
    const double sign = exchange_sign(c.partner.kind());
    return {c.partner.number(),
            {PartnerClass::body, c.body, exchanged_feature(c.partner.feature()), c.partner.kind()},
            {sign * c.xi[0], sign * c.xi[1], sign * c.xi[2]}};
}

// The one form in files and digests: of two bodies, body is the smaller id.
constexpr ContactRecord canonical(const ContactRecord& c) {
    return !c.partner.is_body() || c.body < c.partner.number() ? c : seen_from_partner(c);
}

// Class, number, feature and kind as one word with marks: that of state files up to version 2, and what the digest is
// made of, so that digests stay comparable.
constexpr std::uint64_t marked_word(const Partner& p) {
    const std::uint64_t kind = p.kind() == HistoryKind::rolling ? std::uint64_t{1} << 62
                               : p.kind() == HistoryKind::tangential
                                   ? 0
                                   : std::uint64_t{static_cast<unsigned>(p.kind())} << 56;
    switch (p.of()) {
        case PartnerClass::wall: return std::uint64_t{1} << 63 | kind | std::uint64_t{p.feature()} << 24 | p.number();
        case PartnerClass::wall_ball:
            return std::uint64_t{1} << 63 | std::uint64_t{1} << 61 | kind | std::uint64_t{p.feature()} << 32 |
                   p.number();
        case PartnerClass::body: break;
    }
    return kind | std::uint64_t{p.feature()} << 40 | p.number();
}
constexpr Partner partner_of_marked_word(std::uint64_t word) {
    const HistoryKind kind = (word >> 62 & 1) != 0 ? HistoryKind::rolling : HistoryKind::tangential;
    if (word >> 63 == 0) return {PartnerClass::body, word & (most_ids - 1), 0, kind};
    if ((word >> 61 & 1) != 0) return {PartnerClass::wall_ball, word & 0xffffffff, 0, kind};
    return {PartnerClass::wall, word & no_wall, static_cast<std::uint32_t>(word >> 24), kind};
}

}  // namespace granary
