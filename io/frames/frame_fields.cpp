#include "io/frames/frame_fields.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include "core/errors.hpp"
#include "core/bodies.hpp"
#include "io/formats/words.hpp"

namespace granary {
namespace {

using Source = FrameArray::Source;

struct DerivedRow {
    const char* name;
    const char* unit;
    Source source;
};
constexpr std::array derived{DerivedRow{"speed", "m/s", Source::speed}, DerivedRow{"mass", "kg", Source::mass},
                             DerivedRow{"piece_colour", "", Source::piece_colour}};

// A number from 0 to 1 for a label: neighbours differ, and a piece keeps its number from frame to frame.
double colour_of(Id label) {
    constexpr double golden = 0.6180339887498949;  // (sqrt(5) - 1)/2: its multiples lie evenly between 0 and 1
    const double turned = golden * static_cast<double>(label % 1048576);
    return turned - std::floor(turned);
}

constexpr bool is_position(const FieldRow& row) { return row.column == Column::position && row.first == 0; }

const FieldRow* row_of(const std::string& name) {
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const FieldRow& row) { return row.is(field::shown) && row.name == name; });
    return found == fields.end() ? nullptr : &*found;
}

void set_real(FrameArray& array, bool double_precision) {
    array.type = double_precision ? "Float64" : "Float32";
    array.number_bytes = double_precision ? 8 : 4;
}

FrameArray array_of(const FieldRow& row, bool double_precision) {
    FrameArray array{row.name, row.unit, Source::column, &row, row.count};
    if (row.column == Column::velocity && row.first == 0) array.source = Source::velocity;
    if (row.column == Column::spin && row.first == 0) array.source = Source::spin;
    switch (row.number()) {
        case Number::real: set_real(array, double_precision); break;
        case Number::u64: array.type = "Int64", array.number_bytes = 8; break;  // ids stay below 2^63
        case Number::u32: array.type = "UInt32", array.number_bytes = 4; break;
        case Number::u16: array.type = "UInt16", array.number_bytes = 2; break;
    }
    return array;
}

// Appends numbers of one type to a row of bytes.
template <class T> struct Packer {
    std::byte* out;
    template <class U> void put(U value) {
        const T number = static_cast<T>(value);
        std::memcpy(out, &number, sizeof number);
        out += sizeof number;
    }
    void put(const Vec3d& v) { put(v.x), put(v.y), put(v.z); }
};

template <class T> T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <class Real> void gather_reals(const FrameArray& array, const Bodies& bodies, const Motion& motion,
                                        const Axes& axes, std::span<const Index> places, std::byte* out) {
    Packer<Real> to{out};
    switch (array.source) {
        case Source::column: {
            if (!bodies.has(array.field->column)) {
                for (std::size_t k = 0; k < places.size() * array.components; ++k)
                    to.put(std::numeric_limits<double>::quiet_NaN());
                return;
            }
            const Strip<const std::byte> strip = strip_of(bodies, *array.field);
            std::array<double, 4> numbers{};
            for (const Index i : places) {
                std::memcpy(numbers.data(), strip[i], array.field->bytes());
                if (array.field->turns()) axes.turn_out(*array.field, numbers.data());
                for (int k = 0; k < array.field->count; ++k) to.put(numbers[static_cast<std::size_t>(k)]);
            }
            return;
        }
        case Source::velocity:
            for (const Index i : places) to.put(axes.out(synchronised_velocity(bodies, i, motion)));
            return;
        case Source::spin:
            for (const Index i : places) to.put(axes.out(synchronised_spin(bodies, i, motion)));
            return;
        case Source::speed:
            for (const Index i : places) to.put(norm(axes.out(synchronised_velocity(bodies, i, motion))));
            return;
        case Source::mass:
            for (const Index i : places) to.put(bodies.mass(i));
            return;
        case Source::piece_colour:
            for (const Index i : places)
                to.put(bodies.has(Column::cluster) ? colour_of(bodies.cluster(i))
                                                   : std::numeric_limits<double>::quiet_NaN());
            return;
        case Source::counter: return;
    }
}

template <class Stored, class Shown>
void gather_integers(const FrameArray& array, const Bodies& bodies, std::span<const Index> places, std::byte* out) {
    Packer<Shown> to{out};
    if (!bodies.has(array.field->column)) {
        for (std::size_t k = 0; k < places.size(); ++k) to.put(no_band);
        return;
    }
    const Strip<const std::byte> strip = strip_of(bodies, *array.field);
    for (const Index i : places) to.put(load<Stored>(strip[i]));
}

template <class T> void count_up(std::uint64_t first, std::size_t n, std::byte* out) {
    Packer<T> to{out};
    for (std::uint64_t k = first; k < first + n; ++k) to.put(k);
}

}  // namespace

std::vector<std::string> frame_field_names() {
    std::vector<std::string> names;
    for (const FieldRow& row : fields)
        if (row.is(field::shown)) names.emplace_back(row.name);
    for (const DerivedRow& row : derived) names.emplace_back(row.name);
    return names;
}

void check(const FrameOptions& options) {
    const std::vector<std::string> known = frame_field_names();
    for (auto name = options.fields.begin(); name != options.fields.end(); ++name) {
        if (std::find(known.begin(), known.end(), *name) == known.end()) {
            const std::string meant = nearest(*name, known);
            throw InputError(fmt::format("frames: unknown field \"{}\"{}; known fields: {}", *name,
                                         meant.empty() ? "" : " (did you mean \"" + meant + "\"?)", listed(known)));
        }
        if (std::find(options.fields.begin(), name, *name) != name)
            throw InputError(fmt::format("frames: field \"{}\" is named twice", *name));
    }
    if (options.every_nth == 0) throw InputError("frames: every_nth is 0; give 1 for all balls, n for every n-th");
    if (!options.region) return;
    for (int axis = 0; axis < 3; ++axis) {
        const double lower = at(options.region->lower, axis), upper = at(options.region->upper, axis);
        if (!(lower <= upper))
            throw InputError(fmt::format("frames: the region's lower {0} is {1} m, above its upper {0}, {2} m",
                                         "xyz"[axis], lower, upper));
    }
}

std::vector<FrameArray> frame_arrays(const FrameOptions& options, std::uint64_t n) {
    std::vector<FrameArray> arrays;
    for (const FieldRow& row : fields)
        if (is_position(row)) arrays.push_back(array_of(row, options.double_precision));
    for (const std::string& name : options.fields) {
        if (const FieldRow* row = row_of(name)) {
            if (!is_position(*row)) arrays.push_back(array_of(*row, options.double_precision));
            continue;
        }
        for (const DerivedRow& row : derived)
            if (row.name == name) {
                arrays.push_back({row.name, row.unit, row.source});
                set_real(arrays.back(), options.double_precision);
            }
    }
    const bool small = n <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
    arrays.push_back({"connectivity", "", Source::counter, nullptr, 1, small ? "Int32" : "Int64", small ? 4u : 8u});
    return arrays;
}

FrameChoice::FrameChoice(const FrameOptions& options, const Axes& axes) : nth_(options.every_nth) {
    if (options.region) region_ = {axes.in(options.region->lower), axes.in(options.region->upper)};
}

bool FrameChoice::operator()(const Bodies& bodies, Index i) const {
    if (nth_ > 1 && bodies.id(i) % nth_ != 0) return false;
    if (!region_) return true;
    const Vec3d x = bodies.x(i), &a = region_->lower, &b = region_->upper;
    return x.x >= a.x && x.x <= b.x && x.y >= a.y && x.y <= b.y && x.z >= a.z && x.z <= b.z;
}

std::uint64_t FrameChoice::count(const Bodies& bodies) const {
    if (all()) return bodies.n_real();
    std::uint64_t n = 0;
    for (const Range& range : bodies.real)
        for (Index i = range.begin; i < range.end; ++i) n += (*this)(bodies, i) ? 1 : 0;
    return n;
}

void gather(const FrameArray& array, const Bodies& bodies, const Motion& motion, const Axes& axes,
            std::span<const Index> places, std::uint64_t first, std::byte* out) {
    if (array.source == Source::counter)
        return array.number_bytes == 4 ? count_up<std::int32_t>(first, places.size(), out)
                                       : count_up<std::int64_t>(first, places.size(), out);
    switch (array.source == Source::column ? array.field->number() : Number::real) {
        case Number::real:
            return array.number_bytes == 4 ? gather_reals<float>(array, bodies, motion, axes, places, out)
                                           : gather_reals<double>(array, bodies, motion, axes, places, out);
        case Number::u64: return gather_integers<std::uint64_t, std::int64_t>(array, bodies, places, out);
        case Number::u32: return gather_integers<std::uint32_t, std::uint32_t>(array, bodies, places, out);
        case Number::u16: return gather_integers<std::uint16_t, std::uint16_t>(array, bodies, places, out);
    }
}

}  // namespace granary
