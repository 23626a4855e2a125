#include "bench/detect/result_table.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <fstream>
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
    JsonWriter json;
    json.begin_object().member("benchmark", benchmark).member("version", version).member("commit", git_commit);
    json.member("compiler", compiler).member("flags", build_flags).member("cpu", cpu_name());
    json.key("rows").begin_array();
    for (const ResultRow& row : rows_) {
        json.begin_object(JsonWriter::Layout::one_line);
        for (const auto& [column, value] : row.cells())
            std::visit([&, &name = column](const auto& v) { json.member(name, v); }, value);
        json.end();
    }
    json.end().end();
    return json.text();
}

}  // namespace granary
