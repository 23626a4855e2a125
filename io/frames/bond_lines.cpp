#include "io/frames/bond_lines.hpp"
#include <fmt/format.h>
#include <unistd.h>
#include <array>
#include <boost/mpi/collectives.hpp>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>
#include "core/errors.hpp"
#include "decomposition/together.hpp"
#include "io/formats/system_file.hpp"

namespace granary {
namespace {

constexpr std::size_t bonds_at_once = 65536;

// Every array has a fixed number of numbers a bond, so a bond has its place in each.
struct LineArray {
    enum class What { points, type, age, tensile_share, shear_share, smaller, larger, corners, end };
    What what;
    FrameArray tag;
    std::size_t numbers = 1;  // a bond
    std::uint64_t at = 0;     // of the first number in the file
    std::size_t row_bytes() const { return numbers * tag.number_bytes; }
};

FrameArray tag_of(const char* name, const char* unit, int components, const char* type, std::size_t bytes) {
    return {name, unit, FrameArray::Source::counter, nullptr, components, type, bytes};
}

struct LineLayout {
    std::vector<LineArray> arrays;
    std::string head;
    std::uint64_t n = 0, tail_at = 0, size = 0;
};

LineLayout layout_of(std::uint64_t n, const FrameTime& when, bool double_precision) {
    using What = LineArray::What;
    const char* const real = double_precision ? "Float64" : "Float32";
    const std::size_t real_bytes = double_precision ? 8 : 4;
    const bool small = 2 * n <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
    const char* const counter = small ? "Int32" : "Int64";
    const std::size_t counter_bytes = small ? 4 : 8;
    LineLayout l;
    l.n = n;
    l.arrays = {{What::points, tag_of("position", "m", 3, real, real_bytes), 6},
                {What::type, tag_of("type", "", 1, "UInt16", 2)},
                {What::age, tag_of("age", "s", 1, real, real_bytes)},
                {What::tensile_share, tag_of("tensile_share", "", 1, real, real_bytes)},
                {What::shear_share, tag_of("shear_share", "", 1, real, real_bytes)},
                {What::smaller, tag_of("id_a", "", 1, "Int64", 8)},
                {What::larger, tag_of("id_b", "", 1, "Int64", 8)},
                {What::corners, tag_of("connectivity", "", 1, counter, counter_bytes), 2},
                {What::end, tag_of("offsets", "", 1, counter, counter_bytes)}};
    std::uint64_t offset = 0;
    std::string points, cells, lines;
    for (LineArray& a : l.arrays) {
        std::string& to = a.what == What::points                           ? points
                          : a.what == What::corners || a.what == What::end ? lines
                                                                           : cells;
        to += vtp_array_tag(a.tag, offset);
        a.at = offset + vtp_length_bytes;
        offset += vtp_length_bytes + n * a.row_bytes();
    }
    l.head = vtp_head(
        when, "",
        fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"{}\" "
                    "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<Points>\n{}</Points>\n<CellData>\n{}</CellData>\n"
                    "<Lines>\n{}</Lines>\n</Piece>\n",
                    2 * n, n, points, cells, lines));
    for (LineArray& a : l.arrays) a.at += l.head.size();
    l.tail_at = offset + l.head.size();
    l.size = l.tail_at + std::strlen(vtp_tail);
    return l;
}

void make_file(const std::string& path, const LineLayout& l) {
    const Descriptor file = new_file(path);
    reserve_room(file, l.size, path);
    write_all(file, l.head, 0, path);
    for (const LineArray& a : l.arrays)
        write_all(file, vtp_bytes(l.n * a.row_bytes(), vtp_length_bytes), a.at - vtp_length_bytes, path);
    write_all(file, vtp_tail, l.tail_at, path);
}

void put(const LineArray& a, const BondLine& b, const Axes& axes, std::uint64_t number, std::byte*& out) {
    const auto copy = [&](auto value) {
        std::memcpy(out, &value, sizeof value);
        out += sizeof value;
    };
    const auto real = [&](double x) { a.tag.number_bytes == 8 ? copy(x) : copy(static_cast<float>(x)); };
    const auto counter = [&](std::uint64_t k) {
        a.tag.number_bytes == 8 ? copy(static_cast<std::int64_t>(k)) : copy(static_cast<std::int32_t>(k));
    };
    using What = LineArray::What;
    switch (a.what) {
        case What::points:
            for (const Vec3d& p : {axes.out(b.from), axes.out(b.to)}) real(p.x), real(p.y), real(p.z);
            return;
        case What::type: return copy(b.type);
        case What::age: return real(b.age);
        case What::tensile_share: return real(b.tensile_share);
        case What::shear_share: return real(b.shear_share);
        case What::smaller: return copy(static_cast<std::int64_t>(b.smaller));
        case What::larger: return copy(static_cast<std::int64_t>(b.larger));
        case What::corners: return counter(2 * number), counter(2 * number + 1);
        case What::end: return counter(2 * number + 2);
    }
}

// This rank's bonds; the first is number `first` of all.
void fill_rows(const std::string& path, const LineLayout& l, std::uint64_t first, std::span<const BondLine> mine,
               const Axes& axes) {
    const Descriptor plain = open_to_write(path);  // says why it cannot, and can wait for the disk
    MpiFile file(path);
    std::vector<std::byte> buffer;
    for (std::size_t begin = 0; begin < mine.size(); begin += bonds_at_once) {
        const auto some = mine.subspan(begin, std::min(bonds_at_once, mine.size() - begin));
        for (const LineArray& a : l.arrays) {
            buffer.resize(a.row_bytes() * some.size());
            std::byte* out = buffer.data();
            for (std::size_t k = 0; k < some.size(); ++k) put(a, some[k], axes, first + begin + k, out);
            file.write(a.at + (first + begin) * a.row_bytes(), buffer.data(), buffer.size());
        }
    }
    file.close();
    bring_to_disk(plain, path);
}

}  // namespace

bool is_shown(const BondLine& b, const FrameOptions& options, const Axes& axes) {
    if (b.smaller % options.every_nth != 0 || b.larger % options.every_nth != 0) return false;
    if (!options.region) return true;
    const Vec3d middle = axes.out(0.5 * (b.from + b.to)), &low = options.region->lower, &high = options.region->upper;
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis)
        inside &= at(middle, axis) >= at(low, axis) && at(middle, axis) <= at(high, axis);
    return inside;
}

void write_bond_lines(const boost::mpi::communicator& comm, const std::string& path, std::span<const BondLine> mine,
                      const Axes& axes, const FrameTime& when, bool double_precision) {
    const std::uint64_t n_mine = mine.size();
    const std::uint64_t end = boost::mpi::scan(comm, n_mine, std::plus<std::uint64_t>());
    const std::uint64_t n = boost::mpi::all_reduce(comm, n_mine, std::plus<std::uint64_t>());
    const LineLayout layout = layout_of(n, when, double_precision);
    const std::string part = path + ".part";
    try {
        together(comm, [&] {
            if (comm.rank() == 0) make_file(part, layout);
        });
        together(comm, [&] {
            if (n_mine > 0 || comm.rank() == 0) fill_rows(part, layout, end - n_mine, mine, axes);
        });
        together(comm, [&] {
            if (comm.rank() == 0) take_name(part, path);
        });
    } catch (const Error&) {  // the same on all ranks
        if (comm.rank() == 0) ::unlink(part.c_str());
        throw;
    }
}

}  // namespace granary
