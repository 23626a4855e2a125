// Results row by row; a column is there once a row has it. As CSV a missing value is an empty field, as JSON it is left
// out.
#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace granary {

class ResultRow {
  public:
    using Value = std::variant<std::string, double, std::uint64_t>;
    ResultRow& set(const std::string& column, Value value) {
        cells_.emplace_back(column, std::move(value));
        return *this;
    }
    ResultRow& set(const std::string& column, const char* value) { return set(column, Value(std::string(value))); }
    template <std::integral T> ResultRow& set(const std::string& column, T value) {
        return set(column, Value(static_cast<std::uint64_t>(value)));
    }
    const std::vector<std::pair<std::string, Value>>& cells() const { return cells_; }

  private:
    std::vector<std::pair<std::string, Value>> cells_;
};

class ResultTable {
  public:
    void add(ResultRow row) { rows_.push_back(std::move(row)); }
    const std::vector<ResultRow>& rows() const { return rows_; }

    std::string csv() const;
    std::string json(const std::string& benchmark) const;  // with program, commit, compiler and CPU

  private:
    std::vector<ResultRow> rows_;
};

}  // namespace granary
