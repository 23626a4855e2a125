#include "io/case/case_numbers.hpp"
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/contact_record.hpp"
#include "core/columns.hpp"
#include "core/bodies.hpp"

namespace granary {

double highest_speed(double height, double gravity, double start_speed) {
    return std::sqrt(start_speed * start_speed + 2 * gravity * height);
}

Memory memory_of(std::uint64_t balls, double detector_bytes_a_ball, std::uint64_t wall_balls) {
    const auto n = static_cast<double>(balls);
    const double walls = bytes_a_wall_ball * static_cast<double>(wall_balls);
    return {(steady_bytes_a_ball + detector_bytes_a_ball) * n + walls,
            (peak_bytes_a_ball + detector_bytes_a_ball) * n + walls};
}

Memory memory_of_bonds(double bonds, double balls, bool springs) {
    const double steady = bonds * (springs ? 240 : 144) + balls * 40;  // the list, and that of the last rebuild
    return {steady, steady + bonds * (springs ? 256 : 128) + balls * 40};
}

double state_bytes_of_bonds(double bonds, double balls, bool springs) {
    return bonds * (springs ? 4 : 2) * static_cast<double>(saved_contact_bytes) + balls * 40;
}

double memory_of_machine() {
    const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? static_cast<double>(pages) * static_cast<double>(page) : 0;
}

double state_bytes(std::uint64_t balls, double springs_a_ball) {
    std::size_t of_ball = 0;
    for (const FieldRow& field : fields)
        if (field.is(field::saved) && !field.is_optional()) of_ball += field.bytes();
    return static_cast<double>(balls) *
           (static_cast<double>(of_ball) + springs_a_ball * static_cast<double>(saved_contact_bytes));
}

std::uint64_t StagePlan::steps() const {
    return length() > 0 && dt > 0 ? static_cast<std::uint64_t>(std::llround(length() / dt)) : 0;
}

double StagePlan::ball_steps() const {
    return static_cast<double>(steps()) * (static_cast<double>(balls_begin) + static_cast<double>(balls_end)) / 2;
}

double core_hours(double ball_steps, double speed) { return ball_steps / speed / 3600; }

double wall_seconds(double ball_steps, double speed, int ranks, int filled_layers) {
    const double layers = std::max(1.0, static_cast<double>(filled_layers) / ranks);
    return ball_steps / speed / ranks * (ranks > 1 ? 1 + 1 / layers : 1);
}

int most_ranks(int filled_layers) { return std::max(1, filled_layers / 2); }

RanksAndThreads best_shares(int cores, int filled_layers, bool with_threads) {
    const auto share = [](int n, int parts) { return (n + parts - 1) / parts; };
    RanksAndThreads best;
    for (int ranks = 1; ranks <= std::min(std::max(cores, 1), most_ranks(filled_layers)); ++ranks) {
        const int slab = share(std::max(filled_layers, 1), ranks);
        const double faces = ranks > 1 ? 1 : 0;
        const int most = with_threads ? std::max(1, std::min(cores / ranks, slab)) : 1;
        for (int threads = 1; threads <= most; ++threads) {
            const double side_by_side = share(slab, threads) + faces / threads;
            const double layers = (1 - serial_share) * side_by_side + serial_share * (slab + faces);
            if (best.layers > 0 && !(layers < best.layers)) continue;
            best = {ranks, threads, layers};
        }
    }
    return best;
}

}  // namespace granary
