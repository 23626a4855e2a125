#include "core/errors.hpp"
#include <gtest/gtest.h>
#include <new>
#include "core/bodies.hpp"

using namespace granary;

TEST(Errors, ExitCodesFollowFromTheKind) {
    EXPECT_EQ(exit_code(ErrorKind::input), 2);
    EXPECT_EQ(exit_code(ErrorKind::run), 3);
    EXPECT_EQ(exit_code(ErrorKind::memory), 3);
    EXPECT_EQ(exit_code(ErrorKind::internal), 3);
}

TEST(Errors, KeepTheirKindWhenThrownAgain) {
    for (const ErrorKind kind : {ErrorKind::input, ErrorKind::run, ErrorKind::memory, ErrorKind::internal}) {
        try {
            throw_error(kind, "text");
        } catch (const std::exception& e) {
            EXPECT_EQ(kind_of(e), kind);
            EXPECT_STREQ(e.what(), "text");
        }
    }
    EXPECT_EQ(kind_of(std::bad_alloc()), ErrorKind::memory);
    EXPECT_EQ(kind_of(std::logic_error("")), ErrorKind::internal);
}

// More than any machine has: Kokkos says so by a plain std::runtime_error.
TEST(Errors, ArraysThatDoNotFitAreOutOfMemory) {
    try {
        untouched<Quads>("too many", std::size_t{1} << 56);
        ADD_FAILURE();
    } catch (const std::exception& e) {
        EXPECT_EQ(kind_of(e), ErrorKind::memory) << e.what();
    }
}
