#include "bench/detect/result_table.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>
#include "core/version.hpp"
#include "io/formats/json.hpp"

namespace granary {

namespace {

std::string text_of(const ResultRow::Value& value) {
    return std::visit(
        []<class T>(const T& v) {
            if constexpr (std::is_same_v<T, double>) return fmt::format("{:.5g}", v);
            else return fmt::format("{}", v);
        },
        value);
}

std::string cpu_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(':') + 2));
    return "unknown";
}

}  // namespace

std::string ResultTable::csv() const {
    std::vector<std::string> columns;
    for (const ResultRow& row : rows_)
        for (const auto& [column, value] : row.cells())
            if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
    std::string text = fmt::format("{}\n", fmt::join(columns, ","));
    for (const ResultRow& row : rows_) {
        std::vector<std::string> fields;
        for (const std::string& wanted : columns) {
            std::string field;
            for (const auto& [column, value] : row.cells())
                if (column == wanted) field = text_of(value);
            fields.push_back(field);
        }
        text += fmt::format("{}\n", fmt::join(fields, ","));
    }
    return text;
}

std::string ResultTable::json(const std::string& benchmark) const {
    Json rows = Json::array();
    for (const ResultRow& row : rows_) {
        Json& cells = rows.emplace_back(Json::object());
        for (const auto& [column, value] : row.cells())
            std::visit([&, &name = column](const auto& v) { cells[name] = v; }, value);
    }
    return json_lines({{"benchmark", benchmark},
                       {"version", version},
                       {"commit", git_commit},
                       {"compiler", compiler},
                       {"flags", build_flags},
                       {"cpu", cpu_name()},
                       {"rows", std::move(rows)}});
}

}  // namespace granary
