#include "core/state_problems.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <functional>
#include <limits>
#include "core/contact_record.hpp"

namespace granary {
namespace {

BodyRecord good() {
    BodyRecord b;
    b.id = 7;
    for (double* quad : {b.position, b.velocity, b.spin})
        for (int c = 0; c < 4; ++c) quad[c] = 0.5;
    return b;
}

std::string problem_with(const std::function<void(BodyRecord&)>& change) {
    BodyRecord b = good();
    change(b);
    return problem_of(b, 1, 2);
}

TEST(StateProblems, ABodyThatIsOneHasNone) {
    EXPECT_EQ(problem_of(good(), 1, 0), "");
    EXPECT_EQ(problem_with([](BodyRecord& b) { b.id = most_ids - 1; }), "");
}

// The marks of what a contact is with stand above the ids of bodies.
TEST(StateProblems, IdsBelowTheMarks) {
    for (const Id id : {most_ids, Id{1} << 63, ~Id{0}})
        EXPECT_EQ(problem_with([&](BodyRecord& b) { b.id = id; }),
                  "ball " + std::to_string(id) + " has an id that is too large");
}

TEST(StateProblems, WhatIsNotFinite) {
    for (const double wrong : {std::nan(""), HUGE_VAL, -HUGE_VAL})
        for (int c = 0; c < 3; ++c) {
            const std::string moving = "ball 7 has a position, velocity or spin that is not finite";
            EXPECT_EQ(problem_with([&](BodyRecord& b) { b.position[c] = wrong; }), moving);
            EXPECT_EQ(problem_with([&](BodyRecord& b) { b.velocity[c] = wrong; }), moving);
            EXPECT_EQ(problem_with([&](BodyRecord& b) { b.spin[c] = wrong; }), moving);
            const std::string pushed = "ball 7 has a force, torque or position at the last sort that is not finite";
            EXPECT_EQ(problem_with([&](BodyRecord& b) { b.force[c] = wrong; }), pushed);
            EXPECT_EQ(problem_with([&](BodyRecord& b) { b.torque[c] = wrong; }), pushed);
            EXPECT_EQ(problem_with([&](BodyRecord& b) { b.reference[c] = wrong; }), pushed);
        }
}

TEST(StateProblems, SizeMassAndMaterial) {
    for (const double none : {0.0, -1.0}) {
        EXPECT_EQ(problem_with([&](BodyRecord& b) { b.position[3] = none; }), "ball 7 has no radius");
        EXPECT_EQ(problem_with([&](BodyRecord& b) { b.velocity[3] = none; }), "ball 7 has no mass");
        EXPECT_EQ(problem_with([&](BodyRecord& b) { b.spin[3] = none; }), "ball 7 has no moment of inertia");
    }
    const double least = std::numeric_limits<double>::denorm_min();  // a mass that is not finite
    EXPECT_EQ(problem_with([&](BodyRecord& b) { b.velocity[3] = least; }), "ball 7 has no mass");
    EXPECT_EQ(problem_with([](BodyRecord& b) { b.material = 1; }), "ball 7 is of material 1, which does not exist");
}

// Numbers of [[hold]] count from 1, and what is held keeps its mass elsewhere.
TEST(StateProblems, HeldBySomethingThatIsThere) {
    const auto held = [](std::uint16_t by, double mass) {
        return problem_with([=](BodyRecord& b) { b.held = by, b.held_mass = mass, b.velocity[3] = b.spin[3] = 0; });
    };
    EXPECT_EQ(held(1, 0.1), "");
    EXPECT_EQ(held(2, 0.1), "");
    EXPECT_EQ(held(3, 0.1), "ball 7 is held by number 3 of [[hold]], and this case has 2");
    for (const double mass : {0.0, std::nan(""), HUGE_VAL}) EXPECT_EQ(held(1, mass), "ball 7 is held and has no mass");
    EXPECT_EQ(problem_with([](BodyRecord& b) { b.held = 65535; }),
              "ball 7 is held by number 65535 of [[hold]], and this case has 2");
}

TEST(StateProblems, HistoryOfContacts) {
    const auto problem = [](HistoryKind kind, double x, double y, double z) {
        const ContactRecord c{7, {PartnerClass::body, 8, 0, kind}, {x, y, z}};
        return problem_of(std::span(&c, 1), 2);
    };
    EXPECT_EQ(problem(HistoryKind::tangential, 0, 0, 0), "");
    for (const double wrong : {std::nan(""), HUGE_VAL})
        for (const HistoryRow& row : history_kinds)
            EXPECT_EQ(problem(row.kind, 0, 1, wrong), "a contact of ball 7 remembers a number that is not finite");
    EXPECT_EQ(problem(HistoryKind::bond, 1e-3, 0, 0), "");
    EXPECT_EQ(problem(HistoryKind::bond, 0, 0, 0), "a contact of ball 7 is a bond without a length");
    EXPECT_EQ(problem(HistoryKind::bond_nature, 1, 0.7, -3), "");
    for (const double type : {-1.0, 0.5, 2.0, 65536.0, 1e300})
        EXPECT_EQ(problem(HistoryKind::bond_nature, type, 1, 0),
                  "a contact of ball 7 is a bond of a type that this case does not have");
    EXPECT_EQ(problem(HistoryKind::bond_nature, 0, -1, 0), "a contact of ball 7 is a bond of negative strength");
}

}  // namespace
}  // namespace granary
