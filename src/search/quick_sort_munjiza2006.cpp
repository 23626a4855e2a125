#include "search/quick_sort_munjiza2006.hpp"

#include <algorithm>

namespace granary {

Cell<3> middle_cell(const Cell<3>& least, const Cell<3>& greatest, std::int32_t n_x, std::int32_t n_y) {
    const auto [m_z, m_y, m_x] = least;
    const auto [M_z, M_y, M_x] = greatest;
    const std::int32_t s_x = (m_x + M_x) % n_x, y = m_y + M_y + (m_x + M_x) / n_x;
    const std::int32_t s_y = y % n_y, s_z = m_z + M_z + y / n_y;                       // (13)
    const std::int32_t rest_y = s_y + s_z % 2 * n_y, rest_x = s_x + rest_y % 2 * n_x;  // (14)
    return {s_z / 2, rest_y / 2, rest_x / 2};
}

QuickSortDetector::QuickSortDetector(const MrCells<3>& cells, const double* position, Index n)
    : cells_(cells),
      boxes_(n) {
    for (Index b = 0; b < n; ++b) boxes_[b] = {cells_.of(position + std::size_t{4} * b), b};
}

void QuickSortDetector::sort(const double* position) {
    if (boxes_.empty()) return;
    for (Box& box : boxes_) box.cell = cells_.of(position + std::size_t{4} * box.body);
    Cell<3> least = boxes_.front().cell, greatest = least;
    for (const Box& box : boxes_) least = std::min(least, box.cell), greatest = std::max(greatest, box.cell);
    sort_part(0, static_cast<Index>(boxes_.size()), least, greatest);
}

void QuickSortDetector::sort_part(Index begin, Index end, const Cell<3>& least, const Cell<3>& greatest) {
    if (least == greatest) return;
    const Cell<3> pivot = middle_cell(least, greatest, cells_.count[0], cells_.count[1]);
    // The least box is not greater than the pivot and the greatest one is: no part stays empty.
    Cell<3> front_greatest = least, back_least = greatest;
    Index front = begin, back = end;
    for (;;) {
        for (; front < back && !(pivot < boxes_[front].cell); ++front)
            front_greatest = std::max(front_greatest, boxes_[front].cell);
        for (; front < back && pivot < boxes_[back - 1].cell; --back)
            back_least = std::min(back_least, boxes_[back - 1].cell);
        if (front == back) break;
        std::swap(boxes_[front], boxes_[back - 1]);
    }
    sort_part(begin, front, least, front_greatest);
    sort_part(front, end, back_least, greatest);
}

template <class FindRows> void QuickSortDetector::search(const double* position, double margin,
                                                         std::vector<Couple>& couples, FindRows&& find_rows) const {
    couples.clear();
    std::array<Row, n_mask_rows<3>> rows{};
    const auto quad = [&](Index b) { return position + std::size_t{4} * b; };
    for (Index i = 0; i < boxes_.size(); ++i) {
        const Box& box = boxes_[i];
        if (i == 0 || box.cell != boxes_[i - 1].cell) find_rows(box.cell, rows);
        for (std::size_t row = 0; row < rows.size(); ++row)
            for (Index j = row == 0 ? i + 1 : rows[row].begin; j < rows[row].end; ++j)
                if (in_contact<3>(quad(box.body), quad(boxes_[j].body), margin))
                    couples.push_back({box.body, boxes_[j].body});
    }
}

void QuickSortDetector::mr_search(const double* position, double margin, std::vector<Couple>& couples) const {
    const auto n = static_cast<Index>(boxes_.size());
    search(position, margin, couples, [&](const Cell<3>& central, auto& rows) {
        constexpr auto mask = contact_mask<3>();
        for (std::size_t row = 0; row < mask.size(); ++row) {
            auto& [begin, end] = rows[row];
            const Cell<3> from = shifted<3>(central, mask[row].first), to = shifted<3>(central, mask[row].last);
            while (begin < n && boxes_[begin].cell < from) ++begin;
            end = std::max(begin, end);
            while (end < n && !(to < boxes_[end].cell)) ++end;
        }
    });
}

void QuickSortDetector::binary_search(const double* position, double margin, std::vector<Couple>& couples) const {
    search(position, margin, couples, [&](const Cell<3>& central, auto& rows) {
        constexpr auto mask = contact_mask<3>();
        for (std::size_t row = 0; row < mask.size(); ++row) {
            const Cell<3> from = shifted<3>(central, mask[row].first), to = shifted<3>(central, mask[row].last);
            const auto begin = std::lower_bound(boxes_.begin(), boxes_.end(), from,
                                                [](const Box& box, const Cell<3>& cell) { return box.cell < cell; });
            const auto end = std::upper_bound(boxes_.begin(), boxes_.end(), to,
                                              [](const Cell<3>& cell, const Box& box) { return cell < box.cell; });
            rows[row] = {static_cast<Index>(begin - boxes_.begin()), static_cast<Index>(end - boxes_.begin())};
        }
    });
}

std::vector<Index> QuickSortDetector::order() const {
    std::vector<Index> order;
    for (const Box& box : boxes_) order.push_back(box.body);
    return order;
}

}  // namespace granary
