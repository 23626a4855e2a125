// The bounds and defaults that rows of the tables share (case_table.cpp, case_keys_grain.cpp, case_keys_course.cpp).
#pragma once
#include <limits>
#include "io/case/case_schema.hpp"

namespace granary::case_table {

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr KeyBounds unbounded{};
inline constexpr KeyBounds positive{0, inf, true, true};
inline constexpr KeyBounds positive_or_infinite{0, inf, true, false};  // a rigid wall
inline constexpr KeyBounds not_negative{0, inf, false, true};
inline constexpr KeyBounds at_least_1{1, inf, false, true};
inline constexpr KeyBounds image_side{16, 8192, false, false};
inline constexpr KeyBounds not_empty = at_least_1;
inline constexpr KeyBounds exactly_2{2, 2, false, false};
inline constexpr KeyBounds restitution{0, 1, true, false};  // at 0 the damper would be infinite
inline constexpr KeyBounds poisson{-1, 0.5, true, false};
inline constexpr KeyBounds share{0, 1, false, false};
inline constexpr KeyBounds positive_share{0, 1, true, false};
inline constexpr KeyBounds group_ratio{1.1, 32, false, false};    // below, more groups than they are worth
inline constexpr KeyBounds count{1, 4294967295.0, false, false};  // places in an array are 32-bit

inline constexpr KeyDefault required{KeyDefault::Kind::required, ""};
inline constexpr KeyDefault none{};
constexpr KeyDefault preset(const char* toml) { return {KeyDefault::Kind::value, toml}; }

inline constexpr const char* axes = "x|y|z";
inline constexpr const char* mixings = "mean|geometric|min";
inline constexpr const char* spring_mixings = "mean|geometric|min|series";

using If = IfMissing;
using T = ValueType;

// Rows of the sections up to [[outlets]] and of the others, in the order of the reference; of bonds, clusters and
// holds; of shapes.
std::span<const KeyRow> keys_of_grain();
std::span<const KeyRow> keys_of_course();
std::span<const KeyRow> keys_of_clusters();
std::span<const KeyRow> keys_of_shapes();

}  // namespace granary::case_table
