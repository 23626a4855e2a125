// The parameters of a law for every pair of materials, as the pair loop wants them: one row of 8 doubles a
// pair, 64-byte aligned, so that four rows are gathered by eight aligned loads and two transposes.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>
#include "contact/laws.hpp"
#include "contact/materials.hpp"

namespace granary {

template <class Law>
inline constexpr std::size_t n_parameters = sizeof(typename Law::template Parameters<double>) / sizeof(double);

// Row entries to parameters, in the order in which the law declares them; T = double or Real4.
template <class Law, class T> typename Law::template Parameters<T> from_lanes(const T (&lanes)[max_law_parameters]) {
    using P = typename Law::template Parameters<T>;
    static_assert(std::is_aggregate_v<P> && n_parameters<Law> <= max_law_parameters);
    static_assert(sizeof(P) == n_parameters<Law> * sizeof(T), "parameters are numbers of one type, nothing else");
    return [&]<std::size_t... i>(std::index_sequence<i...>) { return P{lanes[i]...}; }
    (std::make_index_sequence<n_parameters<Law>>{});
}

template <class Law> class PairTable {
  public:
    using Parameters = typename Law::template Parameters<double>;

    explicit PairTable(std::size_t n_materials = 0) : n_(n_materials), rows_(n_materials * n_materials) {}

    std::size_t n_materials() const { return n_; }

    // The 8 numbers of a pair, zeros behind the last parameter; the row of (i, j) is (i * n + j) * 8 doubles
    // behind that of (0, 0).
    const double* row(std::size_t i, std::size_t j) const { return rows_[i * n_ + j].value; }

    Parameters at(std::size_t i, std::size_t j) const { return from_lanes<Law, double>(rows_[i * n_ + j].value); }

    // Sets both orders of the pair.
    void set(std::size_t i, std::size_t j, const Parameters& p) {
        const auto numbers = std::bit_cast<std::array<double, n_parameters<Law>>>(p);
        Row row{};
        for (std::size_t k = 0; k < numbers.size(); ++k) row.value[k] = numbers[k];
        rows_[i * n_ + j] = rows_[j * n_ + i] = row;
    }

  private:
    struct alignas(64) Row {
        double value[max_law_parameters] = {};
    };
    std::size_t n_;
    std::vector<Row> rows_;
};

// Rows of two wall_only materials stay zero. Throws InputError, see resolve_pairs.
template <class Law> PairTable<Law> make_table(std::span<const Material> materials,
                                               std::span<const PairOverride> overrides, const LawSettings& settings) {
    if (settings.type != law_type_of<Law>) throw std::logic_error("make_table: settings are of another law");
    const std::vector<PairValues> values = resolve_pairs(materials, overrides, settings);
    const std::size_t n = materials.size();
    PairTable<Law> table(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i; j < n; ++j)
            if (!(materials[i].wall_only && materials[j].wall_only))
                table.set(i, j, Law::parameters(values[i * n + j]));
    return table;
}

// The widest gap, m, at which any pair of the table still acts; 0 for laws that need an overlap.
template <class Law> double longest_reach(const PairTable<Law>& table) {
    double longest = 0.0;
    if constexpr (has_reach<Law>)
        for (std::size_t i = 0; i < table.n_materials(); ++i)
            for (std::size_t j = i; j < table.n_materials(); ++j) longest = larger(longest, Law::reach(table.at(i, j)));
    return longest;
}

}  // namespace granary
