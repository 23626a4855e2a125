// The seal of a state file: its first bytes, which HDF5 leaves to the user, hold in plain text where the rows lie and a
// checksum of each dataset and of all the rest. So a file is known to be whole before HDF5 is let near it, which a
// damaged one may crash.
//   granary seal 1
//   size 123456
//   rows /bodies/id offset 12345 bytes 8 count 100 sum 0123456789abcdef
//   ...
//   rest 0123456789abcdef
//   seal 0123456789abcdef          of the lines above
// The sum of a dataset is added up over its rows, each hashed with its number: parts of it may be summed by anybody, in
// any order, and come to the same. A change of one number always changes the sum. Not a cryptographic hash: it guards
// against accidents.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace granary {

inline constexpr std::size_t seal_bytes = 8192;  // HDF5 wants a power of two

struct SealedRows {
    std::string name;
    std::uint64_t offset = 0;  // in the file
    std::uint64_t bytes = 0;   // of a row: 2 or a multiple of 8
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
};

// Of rows [first, first + n) of a dataset, which stand in `rows`.
std::uint64_t sum_of_rows(const std::byte* rows, std::uint64_t bytes, std::uint64_t first, std::uint64_t n);

// Seals a file in which all but the first seal_bytes is as it shall be. Throws InputError, as everything here.
void write_seal(const std::string& path, std::vector<SealedRows> rows);

// Whether the file begins with a seal, be it good or not; older files have none.
bool has_seal(const std::string& path);

// Throws if the file is not what was sealed. Of `parts` callers, each reads one part of the rows; sum(x) adds up over
// them, and all of them call it as often. One caller alone needs neither.
struct SealShare {
    std::uint64_t part = 0, parts = 1;
    std::function<std::vector<std::uint64_t>(const std::vector<std::uint64_t>&)> sum = [](const auto& x) { return x; };
};
void check_seal(const std::string& path, const SealShare& share = {});

// The bytes of a seal of these lines, which are all but the last.
std::string closed_seal(std::string lines);

// A new seal for what is there now, of the same places: for tests that damage a file in ways that the seal would tell
// first.
void seal_again(const std::string& path);

}  // namespace granary
