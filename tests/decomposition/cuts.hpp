// Cuts of all kinds for the number of ranks that a test runs on.
#pragma once
#include <algorithm>
#include <vector>

namespace granary::test {

// Even, all layers with the first or the last rank, one layer each (ranks without any when there are more ranks than
// layers), every other rank empty, one layer with the first and the rest with the last.
inline std::vector<std::vector<int>> cuts_of(int layers, int ranks) {
    std::vector<std::vector<int>> all;
    const auto add = [&](auto&& cut) {  // cut(r): where rank r begins
        std::vector<int> cuts(ranks + 1);
        for (int r = 0; r < ranks; ++r) cuts[r] = std::clamp(cut(r), 0, layers);
        cuts[0] = 0, cuts[ranks] = layers;
        if (std::find(all.begin(), all.end(), cuts) == all.end()) all.push_back(cuts);
    };
    add([&](int r) { return layers * r / ranks; });
    add([&](int) { return layers; });
    add([&](int) { return 0; });
    add([&](int r) { return r; });
    add([&](int r) { return layers * ((r + 1) / 2) / (ranks / 2 + 1); });
    add([&](int) { return 1; });
    return all;
}

}  // namespace granary::test
