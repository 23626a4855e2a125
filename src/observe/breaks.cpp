#include "observe/breaks.hpp"

#include <algorithm>
#include <tuple>
#include <vector>
#include "decomposition/exchange.hpp"
#include "decomposition/together.hpp"
#include "observe/bond_views.hpp"

namespace granary {

Breaks::Breaks(const Simulation& sim, const Results& results, bool resumed) {
    together(sim.comm(), [&] {
        if (sim.comm().rank() > 0) return;
        const std::vector<SeriesColumn> header{{"time", "s"}, {"id_a"},   {"id_b"},  {"x", "m"},
                                               {"y", "m"},    {"z", "m"}, {"cause"}, {"energy", "J"}};
        const std::string path = results.file("breaks.csv");
        file_ = resumed ? Series::resume(path, header, sim.clock().time()) : Series::create(path, header);
    });
}

void Breaks::write(const Simulation& sim) {
    std::vector<BrokenBond> all = to_owners(sim.comm(), std::span<const BrokenBond>(sim.requests().take_breaks()),
                                            [](const BrokenBond&) { return 0; });
    std::sort(all.begin(), all.end(), [](const BrokenBond& a, const BrokenBond& b) {
        return std::tie(a.step, a.smaller, a.larger) < std::tie(b.step, b.smaller, b.larger);
    });
    together(sim.comm(), [&] {
        if (!file_) return;
        for (const BrokenBond& b : all) {
            const Vec3d x = sim.setup().axes.out(b.position);
            file_->write({b.time, b.smaller, b.larger, x.x, x.y, x.z, std::string(word_of(b.cause)), b.energy});
        }
    });
}

void Breaks::bring_to_disk() {
    if (file_) file_->bring_to_disk();
}

}  // namespace granary
