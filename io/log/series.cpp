#include "io/log/series.hpp"
#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <utility>
#include "core/errors.hpp"
#include "io/formats/amounts.hpp"

namespace granary {
namespace {

std::string cell(const std::string& text) {
    if (text.find_first_of(",\"") == std::string::npos) return text;
    std::string s = "\"";
    for (const char c : text) s += c == '"' ? std::string("\"\"") : std::string(1, c);
    return s + '"';
}

// The time of a row, if the row is whole: as many cells as there should be, the first a number. A doubled quote inside
// of quotes ends them and begins them again.
std::optional<double> time_of(std::string_view line, std::size_t n_columns) {
    std::size_t n = 1;
    bool quoted = false;
    for (const char c : line) {
        quoted ^= c == '"';
        n += c == ',' && !quoted;
    }
    if (n != n_columns || quoted) return std::nullopt;
    const std::string_view first = line.substr(0, line.find(','));
    double time = 0;
    const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), time);
    if (error != std::errc() || end != first.data() + first.size() || std::isnan(time)) return std::nullopt;
    return time;
}

[[noreturn]] void columns_differ(const std::string& path, std::string_view found, const std::string& expected) {
    throw InputError(
        fmt::format("{} cannot be continued: its columns are not those of this run.\n  in the file: {}\n"
                    "  of this run: {}\nMove the file away, or give the run another folder.",
                    path, printable(found), expected));
}

// How many bytes of a file stay: the header and the rows up to a time. 0: begin anew.
std::size_t kept_bytes(const std::string& path, std::string_view text, const std::string& header, std::size_t n_columns,
                       double until) {
    const std::size_t header_end = text.find('\n');
    if (header_end == std::string_view::npos) {  // not even the header was finished; but is it ours?
        if (header.compare(0, text.size(), text) != 0) columns_differ(path, text, header);
        return 0;
    }
    if (text.substr(0, header_end) != header) columns_differ(path, text.substr(0, header_end), header);

    std::size_t kept = header_end + 1;
    for (std::size_t line_number = 2;; ++line_number) {
        const std::size_t line_end = text.find('\n', kept);
        if (line_end == std::string_view::npos) return kept;
        const std::optional<double> time = time_of(text.substr(kept, line_end - kept), n_columns);
        if (!time)
            throw InputError(
                fmt::format("{}:{}: this row is damaged (expected {} numbers, the first a time); repair or "
                            "remove the file",
                            path, line_number, n_columns));
        if (*time > until) return kept;
        kept = line_end + 1;
    }
}

}  // namespace

std::string SeriesColumn::header() const {
    std::string s = quantity;
    if (!unit.empty()) s += '_' + unit;
    if (!of.empty()) s += ':' + of;
    return printable(s);  // a line end in a name would make two lines of the header
}

std::string series_header(std::span<const SeriesColumn> columns) {
    std::string s;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (k > 0) s += ',';
        s += cell(columns[k].header());
    }
    return s;
}

std::string Series::Value::text() const {
    return std::visit(
        []<class T>(const T& v) {
            if constexpr (std::is_same_v<T, std::string>) return cell(printable(v));
            else return fmt::format("{}", v);
        },
        value_);
}

Series::Series(std::string path, std::vector<SeriesColumn> columns, bool append)
    : path_(std::move(path)),
      columns_(std::move(columns)),
      file_(open_for_writing(path_, append)) {}

Series Series::create(const std::string& path, std::vector<SeriesColumn> columns) {
    Series series(path, std::move(columns), false);
    series.write_line(series_header(series.columns_));
    return series;
}

Series Series::resume(const std::string& path, std::vector<SeriesColumn> columns, double until) {
    if (!std::filesystem::exists(path)) return create(path, std::move(columns));
    const std::string text = read_text_file(path);
    const std::size_t kept = kept_bytes(path, text, series_header(columns), columns.size(), until);
    if (kept == 0) return create(path, std::move(columns));
    Series series(path, std::move(columns), true);
    if (::ftruncate(series.file_.fd(), static_cast<off_t>(kept)) != 0)
        throw RunError(fmt::format("cannot truncate {} to t = {} s: {}", path, until, std::strerror(errno)));
    return series;
}

void Series::bring_to_disk() {
    if (::fsync(file_.fd()) != 0 && errno != EINVAL)  // EINVAL: a pipe or the like
        throw RunError(fmt::format("cannot flush {} to disk: {}", path_, std::strerror(errno)));
}

void Series::write(std::span<const Value> row) {
    if (row.size() != columns_.size())
        throw std::logic_error(
            fmt::format("{}: a row of {} values for {} columns", path_, row.size(), columns_.size()));
    std::string line;
    for (const Value& v : row) {
        if (!line.empty()) line += ',';
        line += v.text();
    }
    write_line(line);
}

void Series::write_line(const std::string& line) {
    const off_t before = ::lseek(file_.fd(), 0, SEEK_END);
    if (write_all(file_.fd(), line + '\n')) return;
    const int error = errno;
    // Part of a line may have found room. If even this fails, resume() removes it.
    if (before >= 0 && ::ftruncate(file_.fd(), before) == 0) ::lseek(file_.fd(), before, SEEK_SET);
    throw RunError(fmt::format("cannot write {}: {}", path_, std::strerror(error)));
}

}  // namespace granary
