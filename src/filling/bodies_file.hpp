// Balls from a text file: `x y z r` on each line, with blanks, commas or semicolons between; # and % start a comment,
// blank lines are skipped. A first line of names says which columns to take, so that files of other codes with more
// columns can be read, in any order and any case: x, y, z and r (or radius; or d, diameter); if they are there also vx,
// vy, vz, wx, wy, wz (or omegax, ...), material, a name, and for shapes qw, qx, qy, qz, a quaternion of any length that
// turns the shape from its own frame to space (as in frames and states). Other columns have no effect. All lines must
// have the same number of entries. Where all bodies have one shape, r is the radius of the ball of equal volume; the
// column may then be missing. The file is read in parts, some lines by each rank. A part knows neither how many lines
// nor how many balls stand before it.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "core/bodies.hpp"
#include "core/vec.hpp"

namespace granary {

// A material that the file may name.
struct FileMaterial {
    std::string name;
    std::uint16_t number = 0;
    double density = 0;
};

struct FileBodies {
    std::string path;
    double density = 0;          // of balls whose line names no material
    std::uint16_t material = 0;  // likewise
    Vec3d velocity{};            // components that have no column
    Id first_id = 0;             // ids follow the lines
    double scale = 1;            // of all lengths in the file, those of velocities too: 1e-3 if they are in mm
    Vec3d spin{};                // components that have no column
    std::vector<FileMaterial> named{};
    std::uint16_t rigid_shape = 0;  // of all, counted from 1; 0: balls
    double shape_radius = 0;        // m, of the ball of equal volume, where the file has no radii
    double radius_factor = 1;       // radius of the ball around a shape over that of the ball of equal volume
    bool turned_at_random = false;  // shapes whose orientation the file does not say
    std::uint64_t seed = 0;         // of that
    // In a plane: its normal x, y, z = 0, 1, 2, where it is along that, and the thickness of discs.
    int normal = -1;
    double plane = 0, thickness = 0;  // m
};

// Which columns of a file hold what.
struct BodyColumns {
    enum Number { x, y, z, radius, vx, vy, vz, wx, wy, wz, qw, qx, qy, qz, n_numbers };
    static constexpr std::size_t n_needed = vx;  // the others may be missing
    static constexpr std::size_t none = ~std::size_t{0};

    std::array<std::size_t, n_numbers> at{0, 1, 2, 3, none, none, none, none, none, none, none, none, none, none};
    std::size_t material = none;
    std::size_t count = n_needed;
    bool named = false, diameters = false;
    std::uint64_t names_line = 0;
    bool turns() const { return at[qw] != none; }
};

// The balls of some lines, in little memory: only what stands in columns of the file.
class BodiesPart {
  public:
    static constexpr std::size_t in_slice = 16384;

    struct Problem {
        std::uint64_t line = 0;  // within the part, from 1
        std::string text;
    };

    std::uint64_t lines = 0;         // read
    std::uint64_t balls = 0;         // in them
    double largest_radius = 0;       // m
    std::optional<Problem> problem;  // the first one; nothing behind it was read

    std::size_t slices() const { return rows_.size(); }
    // The balls of a slice; none behind the last one. before: balls of the file before this part.
    void slice(std::size_t k, std::uint64_t before, std::vector<NewBody>& to) const;

  private:
    friend class BodiesFile;
    BodiesPart(const FileBodies& file, const BodyColumns& from);
    void take_ball(const std::vector<std::string_view>& words);
    void expect_in_plane(const std::array<double, BodyColumns::n_numbers>& value) const;
    double number(std::size_t k, const std::vector<std::string_view>& words) const;
    std::uint16_t material(std::string_view word) const;

    FileBodies file_;
    BodyColumns columns_;
    std::vector<std::size_t> kept_;  // the numbers of a ball that are kept: x, y, z, radius, others with a column
    std::vector<std::vector<double>> rows_;  // of one slice each, so that none is ever moved
    std::vector<std::uint16_t> material_;    // of each ball, its place in `named`; empty without that column
};

class BodiesFile {
  public:
    // Reads the names of the columns. Throws InputError with file, line and what was expected.
    explicit BodiesFile(FileBodies what);

    std::uint64_t bytes() const { return bytes_; }
    std::uint64_t first_line() const { return first_line_; }  // its number, of the first line of the first part

    // The lines that begin in this part of the bytes; every line is in one part. Throws InputError if the file cannot
    // be read; what is wrong in it is noted.
    BodiesPart read(std::uint64_t part, std::uint64_t parts) const;

  private:
    FileBodies what_;
    BodyColumns columns_;
    std::uint64_t bytes_ = 0, first_byte_ = 0, first_line_ = 1;
};

}  // namespace granary
