#include "io/report/csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace granary {
namespace {

// RFC 4180, one line: quotes around cells that hold commas, doubled inside.
std::vector<std::string> cells_of(std::string_view line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t k = 0; k < line.size(); ++k) {
        const char c = line[k];
        if (c == '"' && quoted && k + 1 < line.size() && line[k + 1] == '"') cells.back() += line[++k];
        else if (c == '"') quoted = !quoted;
        else if (c == ',' && !quoted) cells.emplace_back();
        else cells.back() += c;
    }
    return cells;
}

double number_in(std::string_view cell) {
    while (!cell.empty() && cell.front() == ' ') cell.remove_prefix(1);
    while (!cell.empty() && cell.back() == ' ') cell.remove_suffix(1);
    if (!cell.empty() && cell.front() == '+') cell.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    const bool whole = error == std::errc() && end == cell.data() + cell.size();
    return whole ? value : std::numeric_limits<double>::quiet_NaN();
}

// How a unit is written in a header, and for the eye; an ending that holds another one comes first.
constexpr std::array<std::pair<std::string_view, std::string_view>, 18> units{{
    {"_kg_per_s", "kg/s"},
    {"_kg_per_m3", "kg/m³"},
    {"_m_per_s", "m/s"},
    {"_rad_per_s", "rad/s"},
    {"_per_s", "1/s"},
    {"_N_m", "N m"},
    {"_m2", "m²"},
    {"_m3", "m³"},
    {"_rad", "rad"},
    {"_deg", "°"},
    {"_kg", "kg"},
    {"_Pa", "Pa"},
    {"_kPa", "kPa"},
    {"_J", "J"},
    {"_N", "N"},
    {"_W", "W"},
    {"_m", "m"},
    {"_s", "s"},
}};

}  // namespace

const std::vector<double>* CsvTable::find(std::string_view name) const {
    const auto it = std::find(names.begin(), names.end(), name);
    return it == names.end() ? nullptr : &columns[static_cast<std::size_t>(it - names.begin())];
}

CsvTable csv_table(std::string_view text) {
    CsvTable table;
    for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
        std::string_view line = text.substr(begin, end - begin);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        if (line.empty() || line.front() == '#') continue;
        const std::vector<std::string> cells = cells_of(line);
        if (table.names.empty()) {
            table.names = cells;
            table.columns.resize(cells.size());
        } else if (cells.size() != table.names.size()) {
            ++table.left_out;
        } else {
            for (std::size_t c = 0; c < cells.size(); ++c) table.columns[c].push_back(number_in(cells[c]));
            ++table.rows;
        }
    }
    return table;
}

ColumnName column_name(std::string_view header) {
    ColumnName name;
    const std::size_t colon = header.find(':');
    if (colon != std::string_view::npos) name.of = header.substr(colon + 1);
    header = header.substr(0, colon);
    for (const auto& [ending, unit] : units)
        if (header.size() > ending.size() && header.ends_with(ending)) {
            name.unit = unit;
            header.remove_suffix(ending.size());
            break;
        }
    name.quantity = header;
    std::replace(name.quantity.begin(), name.quantity.end(), '_', ' ');
    return name;
}

}  // namespace granary
