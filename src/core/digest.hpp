// A 128-bit fingerprint of the physical state, to show that two runs are bitwise the same. It depends neither on
// the order of the bodies nor on how they are spread over ranks, and it is the same for live bodies and for the
// state file written from them.
//   A body is hashed over the bits of all its fields marked `digested` in the field table, the id among them.
//   A contact is hashed over (body, partner, xi) in its canonical form; contacts with xi = 0 are left out, because
//   whether a spring of length zero is kept is a matter of bookkeeping.
//   -0.0 counts as +0.0 throughout.
// The hashes are added up in two independent 64-bit sums; the counts of bodies and contacts are mixed in last.
// Every step is one-to-one in the last changed word, so a change of any one number always changes the digest.
// Not a cryptographic hash: it guards against mistakes, not against malice.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include "core/axes.hpp"
#include "core/bodies.hpp"
#include "core/contact_record.hpp"
#include "core/columns.hpp"

namespace granary {

struct Digest {
    std::uint64_t a = 0, b = 0;
    friend bool operator==(const Digest&, const Digest&) = default;
    std::string hex() const;  // 32 digits, a then b
};

// Hash of one record of numbers, taken in a fixed order.
class RecordHash {
  public:
    // Different kinds of record start from different words, so that a body is never taken for a contact.
    // The words are the first 64-bit groups of the fraction of pi.
    enum class Kind : std::uint64_t {
        body = 0x243f6a8885a308d3,
        contact = 0x13198a2e03707344,
        total = 0xa4093822299f31d0,
        surface = 0x082efa98ec4e6c89,
    };

    explicit RecordHash(Kind kind = Kind::body)
        : a_(static_cast<std::uint64_t>(kind)),
          b_(std::rotl(static_cast<std::uint64_t>(kind), 32)) {}

    void take(std::uint64_t word) {
        a_ = mix_a(a_ ^ word);
        b_ = mix_b(b_ + word);
    }
    void take(double number) { take(std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number)); }

    std::uint64_t a() const { return a_; }
    std::uint64_t b() const { return b_; }

    // One-to-one scramblers of 64 bits: shifts and odd factors of
    //   a: SplitMix64, Steele, Lea & Flood (2014), "Fast splittable pseudorandom number generators", OOPSLA;
    //   b: the 64-bit finaliser of MurmurHash3, A. Appleby (2011).
    static constexpr std::uint64_t mix_a(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    static constexpr std::uint64_t mix_b(std::uint64_t z) {
        z = (z ^ (z >> 33)) * 0xff51afd7ed558ccd;
        z = (z ^ (z >> 33)) * 0xc4ceb9fe1a85ec53;
        return z ^ (z >> 33);
    }

  private:
    std::uint64_t a_, b_;
};

// Takes one field into the hash of every body; body k of `bodies` is element k of the strip. Call it for the
// digested fields in the order of the table.
void take_field(std::span<RecordHash> bodies, const FieldRow& field, Strip<const std::byte> numbers);

class DigestSum {
  public:
    void add_body(const RecordHash& body);
    void add_contact(const ContactRecord& contact);  // each contact once, from either side
    void merge(const DigestSum& other);              // states of disjoint sets of bodies
    Digest digest() const;                           // without bodies too it differs from Digest{}

    // Two states of disjoint sets of bodies add word by word; so do the shares of ranks
    // (decomposition/digest_over_ranks.hpp).
    std::array<std::uint64_t, 4> words() const { return {sum_a_, sum_b_, n_bodies_, n_contacts_}; }
    static DigestSum from_words(const std::array<std::uint64_t, 4>& words);

  private:
    std::uint64_t sum_a_ = 0, sum_b_ = 0, n_bodies_ = 0, n_contacts_ = 0;
};

// The real bodies of this rank (no ghosts, no images), with contacts counted once each.
// axes: from those of bodies and contacts to those in which the state is digested, the user's.
DigestSum digest_sum(const Bodies& bodies, std::span<const ContactRecord> contacts = {}, const Axes& axes = Axes());
Digest digest_of(const Bodies& bodies, std::span<const ContactRecord> contacts = {}, const Axes& axes = Axes());

}  // namespace granary
