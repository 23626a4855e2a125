// Bits of its own for every number of every column: what a path drops or mixes up is seen.
#pragma once
#include <cstring>
#include <map>
#include <string>
#include <vector>
#include "core/bodies.hpp"

namespace granary::test {

inline void add_all_columns(Bodies& bodies) {
    for (const ColumnRow& row : columns) bodies.add(row.when);
}

// Number k of a column of the body with this id, in its round-th filling.
template <class T> T bits_of_its_own(Id id, const ColumnRow& row, std::size_t k, int round) {
    std::uint64_t word = (id + 1) * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(row.column) * 1000003 + k * 7919 +
                         static_cast<std::uint64_t>(round) * 104729;
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9, word ^= word >> 31;
    if constexpr (std::is_integral_v<T>) return static_cast<T>(word);
    else return 1.0 + static_cast<double>(word >> 12) * 0x1p-52;
}

// Those that say who and where a body is keep their meaning.
inline bool is_free(const ColumnRow& row) {
    return row.column != Column::id && row.column != Column::position && row.column != Column::cube;
}

inline void fill_columns(const Bodies& bodies, Index i, int round) {
    bodies.for_each_column([&]<class View>(const ColumnRow& row, const View& view) {
        using T = typename View::non_const_value_type;
        for (std::size_t k = 0; k < static_cast<std::size_t>(row.width) && is_free(row); ++k)
            view.data()[row.width * std::size_t{i} + k] = bits_of_its_own<T>(bodies.id(i), row, k, round);
    });
}

// Names of the columns, among those chosen, that do not hold the bits of the body's id.
template <class Chosen> std::string columns_lost(const Bodies& bodies, Index i, int round, Chosen&& chosen) {
    std::string lost;
    bodies.for_each_column([&]<class View>(const ColumnRow& row, const View& view) {
        using T = typename View::non_const_value_type;
        bool good = true;
        for (std::size_t k = 0; k < static_cast<std::size_t>(row.width) && is_free(row) && chosen(row); ++k)
            good &= view.data()[row.width * std::size_t{i} + k] == bits_of_its_own<T>(bodies.id(i), row, k, round);
        if (!good) lost += std::string(lost.empty() ? "" : " ") + row.name;
    });
    return lost;
}

}  // namespace granary::test
