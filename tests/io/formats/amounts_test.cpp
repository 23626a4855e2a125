#include "io/formats/amounts.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>

namespace granary {
namespace {

TEST(Amounts, Durations) {
    const std::pair<double, const char*> rows[] = {{0, "0:00"},
                                                   {0.4, "0:00"},
                                                   {59.4, "0:59"},
                                                   {59.6, "1:00"},
                                                   {83, "1:23"},
                                                   {3599.7, "1:00:00"},
                                                   {11241, "3:07:21"},
                                                   {86399, "23:59:59"},
                                                   {2 * 86400 + 3 * 3600 + 4 * 60 + 59, "2 d 03:04"},
                                                   {-1, "?"},
                                                   {std::numeric_limits<double>::infinity(), "?"},
                                                   {std::nan(""), "?"}};
    for (const auto& [seconds, text] : rows) EXPECT_EQ(duration_text(seconds), text) << seconds;
}

TEST(Amounts, Bytes) {
    const std::pair<double, const char*> rows[] = {{0, "0 B"},          {999, "999 B"},      {1000, "1.0 kB"},
                                                   {1300, "1.3 kB"},    {12345, "12 kB"},    {9.96e3, "10 kB"},
                                                   {999.4e6, "999 MB"}, {999.6e6, "1.0 GB"}, {4.2e10, "42 GB"},
                                                   {3.5e15, "3.5 PB"},  {1e22, "10000 EB"}};
    for (const auto& [bytes, text] : rows) EXPECT_EQ(bytes_text(bytes), text) << bytes;
}

TEST(Amounts, Counts) {
    EXPECT_EQ(count_text(0), "0");
    EXPECT_EQ(count_text(999), "999");
    EXPECT_EQ(count_text(1000), "1 000");
    EXPECT_EQ(count_text(15000000), "15 000 000");
    EXPECT_EQ(count_text(std::numeric_limits<std::uint64_t>::max()), "18 446 744 073 709 551 615");
}

TEST(Amounts, Prefixes) {
    const std::pair<double, const char*> rows[] = {{2.5e-3, "2.5 mm"}, {1e-3, "1 mm"},          {0.999e-3, "999 um"},
                                                   {1, "1 m"},         {123456, "1.235e+05 m"}, {-2e-6, "-2 um"},
                                                   {3e-9, "3 nm"},     {3e-15, "0.003 pm"},     {0, "0 m"}};
    for (const auto& [value, text] : rows) EXPECT_EQ(si_text(value, "m"), text) << value;
    EXPECT_EQ(si_text(3.1e-7, "s"), "310 ns");
}

TEST(Amounts, Percent) {
    EXPECT_EQ(percent_text(0.183), "18.3 %");
    EXPECT_EQ(percent_text(0.005), "0.5 %");
    EXPECT_EQ(percent_text(1.2), "120 %");
}

TEST(Amounts, LettersOfUtf8) {
    EXPECT_EQ(columns_of("Lazarevi\xC4\x87"), 9U);
    EXPECT_EQ(first_columns("\xC4\x87\xC4\x87x", 2), "\xC4\x87\xC4\x87");
    EXPECT_EQ(first_columns("\xC4\x87\xC4\x87x", 1), "\xC4\x87");
    EXPECT_EQ(first_columns("ab", 5), "ab");
    EXPECT_EQ(first_columns("ab", 0), "");
}

TEST(Amounts, PrintableHasNoControlCharacters) {
    EXPECT_EQ(printable("a\nb\x1b[31m\x7f\t"), "a?b?[31m??");
    EXPECT_EQ(printable("a\nb\t", "\n"), "a\nb?");
    EXPECT_EQ(printable("\xC4\x87"), "\xC4\x87");
}

}  // namespace
}  // namespace granary
