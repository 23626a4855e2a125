// Numbers over time as a table for other programs: CSV (RFC 4180), one header line with units, one line a row. A row is
// handed to the system whole as soon as it is known, so the file may be read while the run goes on.
//
//   time_s,step,balls_inside,mass_flow_kg_per_s,force_z_N:floor
//   0.001,100,4000,0,-1.9613300000000002
//
// Reals have as many digits as it takes to read back the same bits (up to 17), integers are exact, what is not a
// number is nan, inf or -inf, and names are quoted where they must be. The first column is the time; it never goes
// back.
//
// Knows nothing of ranks: one rank makes a Series, the others none. What it throws on that rank must become an error
// of all (together.hpp).
#pragma once
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>
#include "io/formats/text_file.hpp"

namespace granary {

struct SeriesColumn {
    std::string quantity;        // force_z
    std::string unit = "";       // N, kg_per_s; empty: a pure number
    std::string of = "";         // what it belongs to, as the case names it: a wall, an outlet; empty: the whole
    std::string header() const;  // force_z_N:floor, unquoted
};

class Series {
  public:
    class Value {
      public:
        Value(double v) : value_(v) {}  // NOLINT(google-explicit-constructor): rows are lists of mixed numbers
        template <std::integral T>
        requires(!std::is_same_v<T, bool>) Value(T v) : value_(widen(v)) {}  // NOLINT(google-explicit-constructor)
        Value(const std::string& text) : value_(text) {}                     // NOLINT(google-explicit-constructor)
        std::string text() const;                                            // as it stands in a row

      private:
        template <class T> static std::variant<double, std::int64_t, std::uint64_t, std::string> widen(T v) {
            if constexpr (std::is_signed_v<T>) return static_cast<std::int64_t>(v);
            else return static_cast<std::uint64_t>(v);
        }
        std::variant<double, std::int64_t, std::uint64_t, std::string> value_;
    };

    // A new file with its header; a file of this name is replaced. Throws InputError if it cannot be opened, RunError
    // if it cannot be written, here and below.
    static Series create(const std::string& path, std::vector<SeriesColumn> columns);

    // Goes on with a file: rows later than `until`, and half a line at the end, are removed; a file that is not there
    // or did not get its whole header is begun anew. Throws InputError, and leaves the file as it is, if the columns
    // are others or a row up to `until` is damaged.
    static Series resume(const std::string& path, std::vector<SeriesColumn> columns, double until);

    // As many values as columns; std::logic_error otherwise. A row that does not fit on the disk leaves no trace.
    void write(std::span<const Value> row);
    void write(std::initializer_list<Value> row) { write(std::span(row.begin(), row.size())); }

    void bring_to_disk();  // what was written survives the machine's sudden end, too

    const std::string& path() const { return path_; }
    std::size_t n_columns() const { return columns_.size(); }

  private:
    Series(std::string path, std::vector<SeriesColumn> columns, bool append);
    void write_line(const std::string& line);

    std::string path_;
    std::vector<SeriesColumn> columns_;
    OpenFile file_;
};

// The header line of a table, quoted where needed, without line end.
std::string series_header(std::span<const SeriesColumn> columns);

}  // namespace granary
