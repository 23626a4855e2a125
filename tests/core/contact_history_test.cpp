// The four questions at the head of contact_history.hpp, and how the history is kept. A small system by hand:
//     place   0       1    2    3    4       5
//             ghost   real real real image   ghost
//     id      70      30   20   50   20      80
#include "core/contact_history.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

namespace granary::test {

namespace {

const std::vector<Id> ids{70, 30, 20, 50, 20, 80};
bool real(Index i) { return i >= 1 && i <= 3; }

struct Touch {
    Index i, j;
    double xi[3];
    bool touching = true;
};

class ContactHistoryTest : public testing::Test {
  protected:
    ContactHistoryTest() {
        bodies.reserve(6);
        bodies.size = 6;
        for (Index i = 0; i < 6; ++i) bodies.id(i) = ids[i];
    }
    void collect(const std::vector<Touch>& touches, const std::vector<Index>& moved = {},
                 const std::vector<ContactRecord>& walls = {}) {
        pairs.start(6);
        for (Index i = 0; i < 6; ++i) {
            pairs.begin(i) = pairs.size;
            pairs.make_room(6);
            for (const Touch& t : touches)
                if (t.i == i) pairs.partner(pairs.size++) = t.j | (t.touching ? PairList::touching : 0);
        }
        pairs.finish(true);
        Index slot = 0;
        for (Index i = 0; i < 6; ++i)
            for (const Touch& t : touches)
                if (t.i == i) std::copy_n(t.xi, 3, &pairs.xi(slot++, 0));
        std::vector<char> stays(6);
        for (Index i = 0; i < 6; ++i) stays[i] = real(i);
        for (const Index i : moved) stays[i] = 0;
        history.collect(bodies, pairs, walls, stays, real, [&](auto&& note) {
            for (const Touch& t : others) note(t.i, t.j, HistoryKind::bond, t.xi);
        });
    }
    void expect_spring(Index place, const Partner& partner, double x, double y, double z) const {
        const double* xi = history.find(place, partner);
        ASSERT_NE(xi, nullptr) << "place " << place << " partner " << partner.number();
        const double wanted[3] = {x, y, z};
        for (int axis = 0; axis < 3; ++axis)
            EXPECT_EQ(std::bit_cast<std::uint64_t>(xi[axis]), std::bit_cast<std::uint64_t>(wanted[axis])) << axis;
    }

    Bodies bodies;
    PairList pairs;
    std::vector<Touch> others;  // records that stand elsewhere
    ContactHistory history;
};
constexpr Partner bond_with(Id id) { return {PartnerClass::body, id, 0, HistoryKind::bond}; }

}  // namespace

// Which rank owns a pair that straddles a slab face? Both, each under its own body.
TEST_F(ContactHistoryTest, PairAcrossASlabFaceIsNotedUnderTheOwnBody) {
    collect({{0, 1, {1, 2, 3}}, {3, 5, {4, 5, 6}}});
    expect_spring(1, 70, -1, -2, -3);  // of 30 relative to the ghost
    expect_spring(3, 80, 4, 5, 6);
    EXPECT_TRUE(history.of(0).empty());
    EXPECT_TRUE(history.of(5).empty());
    EXPECT_EQ(history.n_entries(), 2u);
}

TEST_F(ContactHistoryTest, PairWithAnImageIsNotedUnderTheRealBody) {
    collect({{3, 4, {1, 2, 3}}});
    expect_spring(3, 20, 1, 2, 3);
    EXPECT_EQ(history.n_entries(), 1u);  // its twin, image of 50 and 20 itself, has the note of 20
}

// What if the partners swap in the order? The numbers are negated, exactly. Springs of the list are not noted at all:
// both bodies stay.
TEST_F(ContactHistoryTest, PairOfTwoBodiesThatStayIsNotedOnceUnderTheSmallerId) {
    const double tiny = 0x1.123456789abcdp-900, third = 1.0 / 3;
    others = {{1, 2, {third, -tiny, 0.0}}, {1, 3, {third, tiny, 7}}};
    collect(others);
    expect_spring(2, bond_with(30), -third, tiny, -0.0);  // the smaller id stands second: the other way round
    expect_spring(1, bond_with(50), third, tiny, 7);      // the smaller id stands first
    EXPECT_EQ(history.find(1, bond_with(20)), nullptr);
    EXPECT_EQ(history.find(3, bond_with(30)), nullptr);
    EXPECT_EQ(history.n_entries(), 2u);

    // With the order swapped, and noted again: the first bits.
    const double* xi = history.find(2, bond_with(30));
    others = {{1, 2, {-xi[0], -xi[1], -xi[2]}}};
    collect({});
    expect_spring(2, bond_with(30), -third, tiny, -0.0);
}

// When does an entry die? When the pair no longer touches.
TEST_F(ContactHistoryTest, OnlySpringsOfTouchingPairsAreNoted) {
    collect({{1, 2, {1, 2, 3}, false}, {1, 3, {0, 0, 0}, true}, {2, 3, {0, 0, 1e-300}, true}}, {1, 3});
    EXPECT_EQ(history.n_entries(), 2u);
    expect_spring(2, 50, 0, 0, 1e-300);
    expect_spring(3, 20, -0.0, -0.0, -1e-300);
    collect({}, {1, 3});  // the next rebuild: it has parted
    EXPECT_EQ(history.n_entries(), 0u);
    EXPECT_EQ(history.find(2, 50), nullptr);
}

// A body that crosses a periodic face or leaves may find its partner on another side: both know the spring.
TEST_F(ContactHistoryTest, BothSidesAreNotedWhenOneHasMoved) {
    for (const Index moved : {Index{1}, Index{2}}) {
        collect({{1, 2, {1, 2, 3}}, {1, 3, {4, 5, 6}}}, {moved});
        expect_spring(1, 20, 1, 2, 3);
        expect_spring(2, 30, -1, -2, -3);
        if (moved == 1) {
            expect_spring(1, 50, 4, 5, 6);
        }
        EXPECT_EQ(history.n_entries(), moved == 1 ? 4u : 2u);
    }
}

// How does the spring follow the turning normal? That is the law's affair: the history changes no bits of what it
// carries.
TEST_F(ContactHistoryTest, WallSpringsAreNotedAsTheyStand) {
    collect(
        {{1, 2, {1, 2, 3}}}, {},
        {{1, wall_partner(0), {0.5, 0, 0}}, {1, wall_partner(7), {-0.0, 0.25, 0}}, {3, wall_partner(0), {1, 1, 1}}});
    expect_spring(1, wall_partner(0), 0.5, 0, 0);
    expect_spring(1, wall_partner(7), -0.0, 0.25, 0);
    expect_spring(3, wall_partner(0), 1, 1, 1);
    EXPECT_EQ(history.find(2, wall_partner(0)), nullptr);
    EXPECT_EQ(history.of(1).size(), 2u);
    EXPECT_EQ(history.n_entries(), 3u);
}

TEST_F(ContactHistoryTest, LawsWithoutHistoryKeepWallsOnly) {
    bodies.real = {{1, 4}};
    PairList bare;
    bare.start(6);
    for (Index i = 0; i < 6; ++i) bare.begin(i) = 0;
    bare.finish(false);
    history.collect(bodies, bare, {}, std::vector<char>(6, 0), real, [](auto&&) {});
    EXPECT_EQ(history.n_entries(), 0u);
    EXPECT_EQ(history.n_places(), 6u);
}

TEST_F(ContactHistoryTest, ImmigrantsAreAppended) {
    others = {{1, 2, {1, 2, 3}}};
    collect({});
    EXPECT_EQ(history.n_places(), 6u);
    const std::vector<ContactHistory::Entry> springs{{11, {1, 0, 0}}, {wall_partner(3), {0, 1, 0}}};
    history.append(springs);
    history.append({});
    history.append(std::span(springs).first(1));
    EXPECT_EQ(history.n_places(), 9u);
    expect_spring(2, bond_with(30), -1, -2, -3);
    expect_spring(6, wall_partner(3), 0, 1, 0);
    EXPECT_TRUE(history.of(7).empty());
    expect_spring(8, 11, 1, 0, 0);
    EXPECT_EQ(history.n_entries(), 4u);

    history.start(4);
    EXPECT_EQ(history.n_places(), 4u);
    EXPECT_EQ(history.n_entries(), 0u);
    for (Index p = 0; p < 4; ++p) EXPECT_TRUE(history.of(p).empty());
    history.clear();
    EXPECT_EQ(history.n_places(), 0u);
}

// A large ball among small ones has hundreds of partners; each is found, and none that is not there.
TEST_F(ContactHistoryTest, ManyPartnersAreFoundByBisection) {
    std::vector<ContactHistory::Entry> many;
    for (Id k = 0; k < 300; ++k) {
        const Id id = k * 7919 % 1009;
        many.push_back({id, {1.0 + static_cast<double>(id), 0, 0}});
        if (k % 3 == 0) many.push_back({rolling_spring(id), {-1.0 - static_cast<double>(id), 0, 0}});
    }
    many.push_back({wall_partner(2, 5), {0, 7, 0}});
    history.start(0);
    history.append(many);
    history.append({});
    for (const ContactHistory::Entry& e : many) expect_spring(0, e.partner, e.xi[0], e.xi[1], e.xi[2]);
    EXPECT_EQ(history.find(0, 1010), nullptr);
    EXPECT_EQ(history.find(0, wall_partner(2, 6)), nullptr);
    EXPECT_EQ(history.find(1, many[0].partner), nullptr);

    history.fill(2, [&](const auto& note) {
        for (const ContactHistory::Entry& e : many) note(1, e.partner, e.xi, -1.0);
    });
    for (const ContactHistory::Entry& e : many) expect_spring(1, e.partner, -e.xi[0], -e.xi[1], -e.xi[2]);
}

TEST(Partner, KeepsClassNumberFeatureAndKindApart) {
    std::set<std::uint64_t> words;
    for (const HistoryRow& row : history_kinds)
        for (const auto& [of, number, feature] : {std::tuple{PartnerClass::body, most_ids - 1, 0xffffu},
                                                  {PartnerClass::body, Id{5}, 0u},
                                                  {PartnerClass::wall, Id{no_wall}, 0xffffffffu},
                                                  {PartnerClass::wall, Id{0}, 123456789u},
                                                  {PartnerClass::wall_ball, Id{0xffffffff}, 0u}}) {
            const Partner p(of, number, feature, row.kind);
            EXPECT_EQ(p.of(), of);
            EXPECT_EQ(p.number(), number);
            EXPECT_EQ(p.feature(), feature);
            EXPECT_EQ(p.kind(), row.kind);
            const bool old = row.kind <= HistoryKind::rolling;
            if (old && !(p.is_body() && feature != 0)) {  // older files knew no features of bodies
                EXPECT_EQ(partner_of_marked_word(marked_word(p)), p);
            }
            // Bonds have no walls; in the digest no two kinds are alike.
            if (old || p.is_body() || row.kind == HistoryKind::contact_normal) {
                EXPECT_TRUE(words.insert(marked_word(p)).second) << row.name;
            }
        }
}

// What stands in files: the smaller id first.
TEST(ContactRecord, CanonicalFormHasTheSmallerIdFirst) {
    const ContactRecord a{5, 9, {1, -2, 0.0}}, b{9, 5, {-1, 2, -0.0}};
    for (const ContactRecord& c : {canonical(a), canonical(b)}) {
        EXPECT_EQ(c.body, 5u);
        EXPECT_EQ(c.partner, 9u);
        EXPECT_EQ(c.xi[0], 1);
        EXPECT_EQ(c.xi[1], -2);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(c.xi[2]), 0u);
    }
    const ContactRecord wall = canonical({Id{1} << 61, wall_partner(4), {1, 2, 3}});
    EXPECT_EQ(wall.body, Id{1} << 61);
    EXPECT_EQ(wall.partner.of(), PartnerClass::wall);
    EXPECT_EQ(wall.partner.number(), 4u);
}

// A rolling spring is a record of its own: the kind stays with the partner, whoever that is.
TEST(ContactRecord, RollingSpringsKeepTheirKind) {
    const ContactRecord c{8, rolling_spring(3), {1, -2, 0.5}}, turned = canonical(c);
    EXPECT_EQ(turned.body, 3u);
    EXPECT_EQ(turned.partner, rolling_spring(8));
    EXPECT_EQ(turned.xi[0], -1.0);
    EXPECT_EQ(canonical(turned).body, 3u);
    const ContactRecord wall = canonical({8, rolling_spring(wall_partner(3)), {1, 2, 3}});
    EXPECT_EQ(wall.body, 8u);
    EXPECT_EQ(wall.partner.of(), PartnerClass::wall);
    EXPECT_EQ(wall.partner.kind(), HistoryKind::rolling);
    EXPECT_EQ(wall.partner.number(), 3u);
    EXPECT_NE(wall_partner(3), wall.partner);
}

}  // namespace granary::test
