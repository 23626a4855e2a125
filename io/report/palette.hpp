// The colours of a report, by day and by night. Every colour of a text or a curve stands out from both grounds it may
// lie on by at least 4.5 to 1 (WCAG 2.1, AA); tests/io/report_palette_test.cpp computes it. Curves differ by dashes,
// too, so that they can be told apart without colours.
#pragma once
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace granary {

struct Colour {
    const char *name, *day, *night;
};

inline constexpr Colour page_ground{"page", "#f6f5f2", "#121518"};
inline constexpr Colour card_ground{"card", "#ffffff", "#1b2025"};
inline constexpr std::array inks{
    Colour{"ink", "#1d2227", "#e9e7e2"},   // text
    Colour{"soft", "#5a626b", "#a9b1ba"},  // axes, notes
    Colour{"good", "#1b6e3c", "#7fd39b"},  // it ended well
    Colour{"warn", "#8a5300", "#f0b95e"},  // something to look at
    Colour{"bad", "#b3261e", "#ff9a8f"},   // it failed
};
inline constexpr std::array curve_colours{
    Colour{"c0", "#1b5fa8", "#78b4f2"}, Colour{"c1", "#b04a12", "#f2a06a"}, Colour{"c2", "#23733f", "#7ccf95"},
    Colour{"c3", "#7b4aa6", "#c6a2ec"}, Colour{"c4", "#0b6f7d", "#63c6d6"}, Colour{"c5", "#a52a54", "#f48fae"},
    Colour{"c6", "#6b5d00", "#d9c75a"}, Colour{"c7", "#4f5760", "#b9c0c8"},
};
inline constexpr std::array<const char*, 8> curve_dashes{"",    "7 3",         "2 2.5", "9 3 2 3",
                                                         "5 2", "1 2.5 6 2.5", "12 3",  "4 4"};
// Layers of grain, from the lowest to the highest: a ramp, each second one lighter so that neighbours differ. For
// areas, not for lines or words. The same colours stand in the 3D view (view.js) and in the pictures
// (jobs/catalyst/granary_scene.py).
inline constexpr std::array<std::array<int, 3>, 6> ramp{
    {{62, 38, 115}, {43, 92, 158}, {32, 144, 140}, {104, 168, 66}, {232, 190, 60}, {205, 82, 38}}};
inline std::array<int, 3> ramp_rgb(std::size_t k, std::size_t n) {
    const double at = n > 1 ? static_cast<double>(k) / static_cast<double>(n - 1) * (ramp.size() - 1) : 0;
    const std::size_t low = std::min<std::size_t>(static_cast<std::size_t>(at), ramp.size() - 2);
    std::array<int, 3> rgb{};
    for (std::size_t c = 0; c < 3; ++c) {
        const double share = at - static_cast<double>(low);
        const double value = ramp[low][c] + share * (ramp[low + 1][c] - ramp[low][c]);
        rgb[c] = static_cast<int>(k % 2 == 0 ? value : value + 0.28 * (255 - value));
    }
    return rgb;
}
inline std::string ramp_colour(std::size_t k, std::size_t n) {
    const auto [r, g, b] = ramp_rgb(k, n);
    return fmt::format("#{:02x}{:02x}{:02x}", r, g, b);
}
// Lines that carry no words: rules, grids, bars behind numbers. No contrast is asked of them.
inline constexpr std::array faint{Colour{"rule", "#d9d6cf", "#343b43"}, Colour{"grid", "#e9e7e2", "#2a3037"},
                                  Colour{"bar", "#cfe0f2", "#29435f"}};

}  // namespace granary
