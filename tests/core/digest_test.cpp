#include "core/digest.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace granary {
namespace {

// Component c of a field as bits, for reading and changing whatever its type.
std::uint64_t bits(const Bodies& bodies, const FieldRow& field, Index i, int c) {
    const std::size_t size = bytes_of(field.number());
    std::uint64_t word = 0;
    std::memcpy(&word, strip_of(bodies, field)[i] + c * size, size);
    return word;
}
void set_bits(Bodies& bodies, const FieldRow& field, Index i, int c, std::uint64_t word) {
    const std::size_t size = bytes_of(field.number());
    std::memcpy(const_cast<std::byte*>(strip_of(bodies, field)[i]) + c * size, &word, size);
}

// Body `which` at place i, all numbers different from each other and from zero.
void fill(Bodies& bodies, Index i, int which) {
    double value = 1.0 / (which + 3);
    for (const FieldRow& field : fields)
        for (int c = 0; c < field.count; ++c) {
            value = std::fmod(value * 7.3 + 0.1, 5.0) + 0.01;
            set_bits(
                bodies, field, i, c,
                field.number() == Number::real ? std::bit_cast<std::uint64_t>(value) : std::uint64_t(which * 5 + 2));
        }
}

Bodies make(const std::vector<int>& order) {
    Bodies bodies;
    bodies.reserve(static_cast<Index>(order.size()));
    for (const ColumnRow& row : columns) bodies.add(row.when);
    bodies.size = static_cast<Index>(order.size());
    bodies.owned = {0, bodies.size};
    bodies.real = {{0, bodies.size}};
    for (Index i = 0; i < bodies.size; ++i) fill(bodies, i, order[i]);
    return bodies;
}

TEST(Digest, IsThirtyTwoHexDigits) { EXPECT_EQ((Digest{0x1, 0xab}.hex()), "000000000000000100000000000000ab"); }

TEST(Digest, OfNoBodiesIsNotNothing) {
    EXPECT_FALSE(DigestSum().digest() == Digest{});
    EXPECT_FALSE(digest_of(make({0})) == digest_of(make({})));
    EXPECT_EQ(digest_of(make({})), DigestSum().digest());
}

TEST(Digest, DoesNotDependOnTheOrder) {
    const Digest expected = digest_of(make({0, 1, 2, 3, 4}));
    std::vector<int> order{0, 1, 2, 3, 4};
    while (std::next_permutation(order.begin(), order.end())) ASSERT_EQ(digest_of(make(order)), expected);
}

TEST(Digest, CountsRealBodiesOnly) {
    Bodies bodies = make({9, 0, 8, 1, 2, 7});  // ghost, real, image, real, real, ghost
    bodies.owned = {1, 5};
    bodies.real = {{1, 2}, {3, 5}};
    EXPECT_EQ(digest_of(bodies), digest_of(make({0, 1, 2})));
}

TEST(Digest, CrossesBlocksOfBodies) {
    std::vector<int> order(5000);
    for (int k = 0; k < 5000; ++k) order[k] = k;
    const Digest expected = digest_of(make(order));
    Bodies bodies = make(order);
    bodies.real = {{0, 1023}, {1023, 1024}, {1024, 1025}, {1025, 5000}};
    EXPECT_EQ(digest_of(bodies), expected);
    for (const Index last : {Index{1023}, Index{1024}, Index{2048}, Index{4999}}) {
        Bodies changed = make(order);
        changed.position(last, 0) = 17;
        EXPECT_FALSE(digest_of(changed) == expected) << last;
    }
}

TEST(Digest, ChangesWithEveryBitOfEveryDigestedNumberAndNoOther) {
    Bodies bodies = make({0, 1, 2});
    const Digest expected = digest_of(bodies);
    std::set<std::string> seen{expected.hex()};
    for (const FieldRow& field : fields)
        for (Index i = 0; i < bodies.size; ++i)
            for (int c = 0; c < field.count; ++c)
                for (std::size_t bit = 0; bit < 8 * bytes_of(field.number()); ++bit) {
                    const std::uint64_t before = bits(bodies, field, i, c);
                    set_bits(bodies, field, i, c, before ^ (std::uint64_t{1} << bit));
                    const Digest digest = digest_of(bodies);
                    if (field.is(field::digested))
                        EXPECT_TRUE(seen.insert(digest.hex()).second) << field.name << ' ' << i << ' ' << bit;
                    else EXPECT_EQ(digest, expected) << field.name;
                    set_bits(bodies, field, i, c, before);
                }
    EXPECT_EQ(digest_of(bodies), expected);
    EXPECT_GT(seen.size(), 3u * 13u * 64u);
}

TEST(Digest, ChangesWhenTwoBodiesSwapANumber) {
    Bodies bodies = make({0, 1, 2});
    const Digest expected = digest_of(bodies);
    const auto swap_all = [&](const FieldRow& field, int c) {
        const std::uint64_t first = bits(bodies, field, 0, c), second = bits(bodies, field, 1, c);
        ASSERT_NE(first, second);
        set_bits(bodies, field, 0, c, second);
        set_bits(bodies, field, 1, c, first);
    };
    for (const FieldRow& field : fields)
        for (int c = 0; c < field.count; ++c) {
            swap_all(field, c);
            EXPECT_EQ(digest_of(bodies) == expected, !field.is(field::digested)) << field.name;
            swap_all(field, c);
        }
}

TEST(Digest, TakesMinusZeroForZero) {
    Bodies bodies = make({0, 1});
    bodies.velocity(0, 1) = 0.0;
    const Digest expected = digest_of(bodies);
    bodies.velocity(0, 1) = -0.0;
    EXPECT_EQ(digest_of(bodies), expected);
    bodies.velocity(0, 1) = std::numeric_limits<double>::denorm_min();
    EXPECT_FALSE(digest_of(bodies) == expected);
}

Digest of_contacts(const std::vector<ContactRecord>& contacts) { return digest_of(Bodies{}, contacts); }

TEST(Digest, OfAContactIsTheSameFromBothSides) {
    const ContactRecord mine{3, 8, {1e-6, -2e-7, 0.0}}, other{8, 3, {-1e-6, 2e-7, -0.0}},
        wrong{8, 3, {1e-6, -2e-7, 0.0}};
    EXPECT_EQ(of_contacts({mine}), of_contacts({other}));
    EXPECT_FALSE(of_contacts({mine}) == of_contacts({wrong}));
}

TEST(Digest, ChangesWithEveryPartOfAContact) {
    const std::vector<ContactRecord> contacts{{3, 8, {1e-6, -2e-7, 4e-8}}, {3, wall_partner(0), {1e-6, 2e-6, 3e-6}}};
    std::set<std::string> seen{of_contacts(contacts).hex(), of_contacts({}).hex(), of_contacts({contacts[0]}).hex(),
                               of_contacts({contacts[1]}).hex()};
    EXPECT_EQ(seen.size(), 4u);
    for (std::size_t k = 0; k < contacts.size(); ++k)
        for (int c = 0; c < 3; ++c)
            for (int bit = 0; bit < 64; ++bit) {
                std::vector<ContactRecord> changed = contacts;
                changed[k].xi[c] =
                    std::bit_cast<double>(std::bit_cast<std::uint64_t>(changed[k].xi[c]) ^ (std::uint64_t{1} << bit));
                EXPECT_TRUE(seen.insert(of_contacts(changed).hex()).second);
            }
    auto changed = contacts;
    changed[0].body = 4;
    EXPECT_TRUE(seen.insert(of_contacts(changed).hex()).second);
    changed = contacts;
    changed[0].partner = 9;
    EXPECT_TRUE(seen.insert(of_contacts(changed).hex()).second);
    changed = contacts;
    changed[1].partner = wall_partner(1);
    EXPECT_TRUE(seen.insert(of_contacts(changed).hex()).second);
    changed = contacts;
    std::swap(changed[0].xi, changed[1].xi);
    EXPECT_TRUE(seen.insert(of_contacts(changed).hex()).second);
    EXPECT_EQ(of_contacts({contacts[1], contacts[0]}), of_contacts(contacts));
}

TEST(Digest, LeavesOutSpringsOfLengthZero) {
    EXPECT_EQ(of_contacts({{3, 8, {0.0, -0.0, 0.0}}}), of_contacts({}));
    EXPECT_FALSE(of_contacts({{3, 8, {0.0, -0.0, 5e-324}}}) == of_contacts({}));
}

TEST(Digest, AddsUpOverParts) {
    const std::vector<ContactRecord> contacts{{3, 8, {1e-6, -2e-7, 4e-8}}, {4, 9, {1e-6, 2e-6, 3e-6}}};
    DigestSum first = digest_sum(make({2, 0}), {&contacts[1], 1});
    first.merge(digest_sum(make({})));
    first.merge(digest_sum(make({1, 3, 4}), {&contacts[0], 1}));
    EXPECT_EQ(first.digest(), digest_of(make({0, 1, 2, 3, 4}), contacts));
}

// One changed bit turns over about half of the 128 bits: a sum of such words hides nothing. The mean over 768
// flips of a fair 128-bit hash is 64 with a standard deviation of 5.7/sqrt(768) = 0.2; 1 is five of those.
TEST(Digest, ScattersEveryBit) {
    Bodies bodies = make({0});
    const Digest before = digest_of(bodies);
    int turned = 0, flips = 0;
    for (const FieldRow& field : fields) {
        if (!field.is(field::digested) || field.number() != Number::real) continue;
        for (int c = 0; c < field.count; ++c)
            for (int bit = 0; bit < 64; ++bit, ++flips) {
                const std::uint64_t word = bits(bodies, field, 0, c);
                set_bits(bodies, field, 0, c, word ^ (std::uint64_t{1} << bit));
                const Digest after = digest_of(bodies);
                turned += std::popcount(before.a ^ after.a) + std::popcount(before.b ^ after.b);
                set_bits(bodies, field, 0, c, word);
            }
    }
    EXPECT_NEAR(double(turned) / flips, 64.0, 1.0);
}

// Digests are compared between versions of the program, so the recipe must not change unnoticed. The expected
// digits come from a separate calculation of the recipe in digest.hpp with Python's integers:
//   M = 2**64 - 1
//   def mix(z, s, f, t, g, u): z = (z ^ z >> s)*f & M; z = (z ^ z >> t)*g & M; return z ^ z >> u
//   A = lambda z: mix(z & M, 30, 0xbf58476d1ce4e5b9, 27, 0x94d049bb133111eb, 31)
//   B = lambda z: mix(z & M, 33, 0xff51afd7ed558ccd, 33, 0xc4ceb9fe1a85ec53, 33)
//   def record(kind, words):
//       a, b = kind, (kind << 32 | kind >> 32) & M
//       for w in words: a, b = A(a ^ w), B(b + w)
//       return a, b
// with the body's words in the order of the field table; last a, b = record(total, [n_bodies, n_contacts]), and the
// digest is A(a + sum of the a), B(b + sum of the b).
TEST(Digest, FollowsItsRecipe) {
    Bodies bodies;  // of a run that has no more columns than every run has
    bodies.reserve(1);
    bodies.size = 1, bodies.owned = {0, 1}, bodies.real = {{0, 1}};
    bodies.id(0) = 42;
    bodies.material(0) = 3;
    const double quads[3][4]{{0.5, -1.25, 3.0, 0.0025}, {0.0, -0.0, -2.5, 8000.0}, {1.0, 2.0, 3.0, 1e9}};
    for (int c = 0; c < 4; ++c) {
        bodies.position(0, c) = quads[0][c];
        bodies.velocity(0, c) = quads[1][c];
        bodies.spin(0, c) = quads[2][c];
    }
    const std::vector<ContactRecord> contacts{{42, wall_partner(2), {1e-6, 0.0, -1e-6}}};
    EXPECT_EQ(digest_of(bodies, contacts).hex(), "e7900d6b2feda4c77c03f2f9bea32805");
    EXPECT_EQ(DigestSum().digest().hex(), "6d92d91d45cac323635b006b8e200ee1");
}

TEST(ContactRecord, IsCanonicalWithTheSmallerIdFirst) {
    const ContactRecord swapped = canonical({8, 3, {1.0, -2.0, 0.0}});
    EXPECT_EQ(swapped.body, 3u);
    EXPECT_EQ(swapped.partner, 8u);
    EXPECT_EQ(swapped.xi[0], -1.0);
    EXPECT_EQ(swapped.xi[1], 2.0);
    EXPECT_TRUE(std::signbit(swapped.xi[2]));
    const ContactRecord wall = canonical({8, wall_partner(3), {1.0, -2.0, 0.0}});
    EXPECT_EQ(wall.body, 8u);
    EXPECT_EQ(wall.partner.of(), PartnerClass::wall);
    EXPECT_EQ(wall.partner.number(), 3u);
    EXPECT_EQ(wall.xi[0], 1.0);
    EXPECT_TRUE(swapped.partner.is_body());
}

}  // namespace
}  // namespace granary
