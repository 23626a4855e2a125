// Amounts as people read them. Everything here is for the eye; files for programs hold plain numbers.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace granary {

std::string duration_text(double seconds);                 // 0:42, 12:05, 3:07:21, 2 d 03:04; "?" if not known
std::string bytes_text(double bytes);                      // 512 B, 1.3 kB, 42 GB; 1 kB = 1000 B
std::string count_text(std::uint64_t n);                   // 15 000 000
std::string si_text(double value, std::string_view unit);  // 2.5 mm, 0.31 us; the unit takes a prefix: m, s
std::string percent_text(double share);                    // 0.5 %, 18.3 %, 120 %; three digits

// Letters on the screen: bytes of UTF-8 that are not the continuation of a letter.
std::size_t columns_of(std::string_view text);
// The first so many letters.
std::string_view first_columns(std::string_view text, std::size_t n);
// Control characters (line ends, escape codes) as '?': names come from case files, and a line must stay one.
std::string printable(std::string_view text, std::string_view but_keep = "");

}  // namespace granary
