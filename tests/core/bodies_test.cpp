#include "core/bodies.hpp"
#include <gtest/gtest.h>
#include <cstdint>
#include <set>
#include <string>

namespace granary::test {

namespace {

// A number for every component of every body that tells it from all others.
template <class View> void number(View& view, Index n, double column) {
    using T = std::remove_reference_t<decltype(*view.data())>;
    const std::size_t width = view.stride(0);
    for (std::size_t k = 0; k < n * width; ++k) view.data()[k] = static_cast<T>(1000 * column + static_cast<double>(k));
}

}  // namespace

TEST(Bodies, TableOfColumnsNamesEveryArray) {
    Bodies b;
    b.add(When::gear);
    b.reserve(3);
    for (const ColumnRow& row : columns) b.add(row.when);
    std::set<const void*> seen;
    std::size_t k = 0;
    b.for_each_column([&](const ColumnRow& row, auto& view) {
        EXPECT_EQ(static_cast<std::size_t>(row.column), k++);
        EXPECT_EQ(view.label(), row.name);
        EXPECT_EQ(view.extent(0), 3u);
        EXPECT_TRUE(seen.insert(view.data()).second);
    });
    EXPECT_EQ(k, n_columns);
}

TEST(Bodies, FieldsAreDisjointPartsOfTheColumns) {
    Bodies b;
    b.reserve(1);
    for (const ColumnRow& row : columns) b.add(row.when);
    std::set<std::string> names;
    std::set<std::pair<Column, int>> taken;
    for (const FieldRow& field : fields) {
        EXPECT_TRUE(names.insert(field.name).second) << field.name;
        b.for_each_column([&](const ColumnRow& row, auto& view) {
            if (row.column != field.column) return;
            EXPECT_LE(static_cast<std::size_t>(field.first + field.count), view.stride(0)) << field.name;
        });
        for (int c = field.first; c < field.first + field.count; ++c)
            EXPECT_TRUE(taken.insert({field.column, c}).second) << field.name;
        // What the digest covers must be in the files and must come with a body to its new owner.
        if (!field.is(field::digested)) continue;
        EXPECT_TRUE(field.is(field::saved)) << field.name;
        EXPECT_GE(columns[static_cast<std::size_t>(field.column)].travels, Travels::on_migration) << field.name;
    }
}

TEST(Bodies, ColumnsThatARunDoesNotNeedAreNotThere) {
    Bodies b;
    b.reserve(8);
    std::size_t n = 0;
    b.for_each_column([&](const ColumnRow& row, auto& view) {
        EXPECT_EQ(row.when, When::always) << row.name;
        n += view.extent(0) == 8 ? 1 : 0;
    });
    EXPECT_EQ(n, 9u);
    EXPECT_EQ(b.band.extent(0) + b.entry_time.extent(0) + b.jerk.extent(0) + b.rotation.extent(0), 0u);
    EXPECT_FALSE(b.has(Column::band));
    b.add(When::bands);
    EXPECT_TRUE(b.has(Column::band));
    EXPECT_FALSE(b.has(Column::entry_time));
    EXPECT_EQ(b.band.extent(0), 8u);
}

TEST(Bodies, ARecordHoldsEveryColumn) {
    for (const FieldRow& field : fields) {
        std::vector<BodyRecord> records(2);
        const Strip<std::byte> strip = strip_of(records, field);
        EXPECT_EQ(strip.stride, sizeof(BodyRecord));
        for (std::size_t k = 0; k < field.bytes(); ++k) strip[1][k] = std::byte{0x3f};
        Bodies b;
        for (const ColumnRow& row : columns) b.add(row.when);
        b.reserve(3);
        b.put(2, records[1]);
        const Strip<const std::byte> stored = strip_of(b, field);
        for (std::size_t k = 0; k < field.bytes(); ++k) EXPECT_EQ(stored[2][k], std::byte{0x3f}) << field.name;
    }
}

TEST(Bodies, QuadsAreAligned) {
    Bodies b;
    b.reserve(13);
    for (const Quads& q : {b.position, b.velocity, b.spin, b.force, b.torque}) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(q.data()) % 32, 0u);
        EXPECT_EQ(q.stride(0), 4u);
        EXPECT_EQ(&q(1, 0) - &q(0, 0), 4);
    }
    EXPECT_EQ(b.reference.stride(0), 3u);
}

TEST(Bodies, GrowthKeepsWhatIsThere) {
    Bodies b;
    EXPECT_EQ(b.capacity(), 0u);
    b.reserve(5);
    b.size = 5;
    b.add(When::bands), b.add(When::entry_times);
    EXPECT_EQ(b.band(4), no_band);
    b.for_each_column([](const ColumnRow& row, auto& view) { number(view, 5, static_cast<double>(row.column)); });
    b.reserve(4);  // never shrinks
    EXPECT_EQ(b.capacity(), 5u);
    b.reserve(64);
    EXPECT_EQ(b.capacity(), 64u);
    b.for_each_column([](const ColumnRow& row, auto& view) {
        using T = std::remove_reference_t<decltype(*view.data())>;
        const std::size_t width = view.stride(0);
        for (std::size_t k = 0; k < 5 * width; ++k)
            EXPECT_EQ(view.data()[k], static_cast<T>(1000 * static_cast<double>(row.column) + static_cast<double>(k)))
                << row.name;
    });
}

TEST(Bodies, PutWritesABody) {
    Bodies b;
    b.reserve(2);
    b.size = 2;
    b.cube(1) = 77, b.reference(1, 2) = 0.5;
    NewBody ball;
    ball.id = Id{1} << 62, ball.position = {1, 2, 3}, ball.radius = 0.25, ball.velocity = {4, 5, 6},
    ball.spin = {7, 8, 9}, ball.mass = 8, ball.inertia = 0.5, ball.material = 65535;
    b.put(1, ball);
    EXPECT_EQ(b.id(1), Id{1} << 62);
    EXPECT_EQ(b.x(1), (Vec3d{1, 2, 3}));
    EXPECT_EQ(b.radius(1), 0.25);
    EXPECT_EQ(b.v(1), (Vec3d{4, 5, 6}));
    EXPECT_EQ(b.velocity(1, 3), 0.125);
    EXPECT_EQ(b.omega(1), (Vec3d{7, 8, 9}));
    EXPECT_EQ(b.spin(1, 3), 2.0);
    EXPECT_EQ(b.material(1), 65535);
    EXPECT_EQ(b.cube(1), 77u);  // the sort's affair
    EXPECT_EQ(b.reference(1, 2), 0.5);
}

TEST(Bodies, RangesAreHalfOpen) {
    const Range r{3, 7};
    EXPECT_EQ(r.size(), 4u);
    EXPECT_FALSE(r.contains(2));
    EXPECT_TRUE(r.contains(3));
    EXPECT_TRUE(r.contains(6));
    EXPECT_FALSE(r.contains(7));
    EXPECT_FALSE((Range{5, 5}.contains(5)));
    Bodies b;
    EXPECT_EQ(b.n_real(), 0u);
    b.real = {{1, 3}, {7, 8}, {10, 10}};
    EXPECT_EQ(b.n_real(), 3u);
}

}  // namespace granary::test
