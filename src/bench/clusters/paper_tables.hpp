// What the paper measured, ms for one step on an Intel Xeon E5-2603 v3 at 1.6 GHz:
//   Huang, Ding, Miao, Sang & Jia (2020), Powder Technol. 374, 371-382, tables 9 (multi-level grid) and 10
//   (single-level grid). Table 9 prints 8.05 for the contact resolution of distribution 1, cluster F: read 814.05, as
//   its total and table 11 have it.
#pragma once
#include <array>

namespace granary {

struct PaperTimes {
    double subdivision, resolution;  // ms
    double total() const { return subdivision + resolution; }
};
using PaperTable = std::array<std::array<PaperTimes, 6>, 4>;  // by distribution, by cluster

// clang-format off
inline constexpr PaperTable paper_multi_level{{
    {{{128.9, 613.3}, {128.9, 636.7}, {128.95, 672.65}, {128.9, 725.8}, {128.1, 782.05}, {128.9, 814.05}}},
    {{{138.3, 331.25}, {139.05, 337.5}, {138.3, 342.95}, {138.3, 353.1}, {138.25, 367.2}, {138.3, 366.4}}},
    {{{146.1, 356.25}, {145.35, 431.25}, {145.3, 561.75}, {146.9, 797.65}, {146.85, 1057.85}, {147.65, 1188.3}}},
    {{{154.7, 182}, {155.5, 228.1}, {155.5, 278.9}, {153.9, 385.15}, {154.65, 503.15}, {153.9, 536.75}}}}};
inline constexpr PaperTable paper_single_level{{
    {{{286.7, 114.1}, {328.95, 165.6}, {454.7, 509.35}, {637.5, 1599.25}, {807.8, 3342.95}, {973.45, 5731.25}}},
    {{{284.35, 74.25}, {327.35, 105.45}, {466.4, 299.25}, {664.05, 899.2}, {844.55, 1846.1}, {1013.3, 3130.45}}},
    {{{551.55, 221.85}, {782.8, 497.65}, {1472.7, 2546.05}, {2457.8, 9503.15}, {3383.6, 20901.5}, {4282, 36709.4}}},
    {{{543.75, 164.05}, {785.95, 357.8}, {1526.55, 1787.5}, {2572.65, 6637.5}, {3541.4, 14578.1}, {4464.05, 25544.5}}}}};
// clang-format on

}  // namespace granary
