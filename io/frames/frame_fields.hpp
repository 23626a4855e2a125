// What a frame shows of the bodies: which of them, which of their fields, in which numbers. Fields are the rows of
// the field table marked `shown`, and a few that follow from them. The position is always there: it is the points.
// Velocity and spin are those at the time of the frame, not half a step before as they are stored. Vectors are in the
// user's axes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "core/axes.hpp"
#include "core/bodies.hpp"
#include "core/columns.hpp"
#include "core/vec.hpp"
#include "motion/integrate.hpp"

namespace granary {

struct FrameRegion {
    Vec3d lower, upper;  // m, in the user's axes; centres on the faces are inside
};

struct FrameOptions {
    std::vector<std::string> fields{"id", "radius", "velocity", "material"};
    bool double_precision = false;       // real numbers as float64 instead of float32
    std::optional<FrameRegion> region;   // only balls whose centre is inside
    std::uint64_t every_nth = 1;         // only balls whose id is a multiple: the same ones in all frames, on any ranks
    std::size_t bodies_at_once = 65536;  // buffered at a time, at most 2^24
};

// Names that may stand in FrameOptions::fields.
std::vector<std::string> frame_field_names();

// Throws InputError: an unknown field (with the nearest known one), one named twice, every_nth of 0, a region without
// room.
void check(const FrameOptions& options);

// One array of numbers in a frame, one row a ball.
struct FrameArray {
    enum class Source { column, velocity, spin, speed, mass, piece_colour, counter };
    std::string name;
    const char* unit = "";
    Source source{};
    const FieldRow* field = nullptr;  // of Source::column
    int components = 1;
    const char* type = "";         // as VTK names it: Float32, Int64, ...
    std::size_t number_bytes = 0;  // of one number
    std::size_t row_bytes() const { return number_bytes * static_cast<std::size_t>(components); }
};

// The points, the fields in the order asked for, and last the connectivity: the numbers 0, 1, 2, ... of n balls.
// Wants options that passed the check.
std::vector<FrameArray> frame_arrays(const FrameOptions& options, std::uint64_t n);

// Which balls are shown.
class FrameChoice {
  public:
    FrameChoice(const FrameOptions& options, const Axes& axes);
    bool all() const { return nth_ == 1 && !region_; }
    bool operator()(const Bodies& bodies, Index i) const;
    std::uint64_t count(const Bodies& bodies) const;  // of the real bodies

    // Calls f(places of the next chosen bodies, at most at_once of them), in order.
    template <class F> void for_each_batch(const Bodies& bodies, std::size_t at_once, F&& f) const {
        std::vector<Index> batch;
        for (const Range& range : bodies.real)
            for (Index i = range.begin; i < range.end; ++i) {
                if (!(*this)(bodies, i)) continue;
                batch.push_back(i);
                if (batch.size() == at_once) f(std::span<const Index>(batch)), batch.clear();
            }
        if (!batch.empty()) f(std::span<const Index>(batch));
    }

  private:
    std::uint64_t nth_;
    std::optional<FrameRegion> region_;  // in the axes inside
};

// Packs one array of these bodies; the first is number `first` of all that are shown. out holds row_bytes() a body.
void gather(const FrameArray& array, const Bodies& bodies, const Motion& motion, const Axes& axes,
            std::span<const Index> places, std::uint64_t first, std::byte* out);

}  // namespace granary
