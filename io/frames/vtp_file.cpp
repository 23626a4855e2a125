#include "io/frames/vtp_file.hpp"
#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <functional>
#include "core/errors.hpp"
#include "io/formats/system_file.hpp"
#include "decomposition/together.hpp"

namespace granary {
namespace {

constexpr std::uint64_t length_bytes = vtp_length_bytes;
constexpr std::size_t most_bodies_at_once = std::size_t{1} << 24;  // keeps the bytes of one write within an int

// Rank 0: the whole file but for the rows of the balls.
void make_file(const std::string& path, const VtpLayout& layout) {
    const Descriptor file = new_file(path);
    reserve_room(file, layout.size, path);
    write_all(file, layout.head, 0, path);
    for (std::size_t a = 0; a < layout.arrays.size(); ++a)
        write_all(file, vtp_bytes(layout.n * layout.arrays[a].row_bytes(), length_bytes),
                  layout.rows_at[a] - length_bytes, path);
    const std::size_t number_bytes = layout.arrays.back().number_bytes;
    const std::string end_of_cell = layout.n > 0 ? vtp_bytes(layout.n, number_bytes) : "";
    write_all(file, vtp_bytes(end_of_cell.size(), length_bytes) + end_of_cell, layout.offset_at - length_bytes, path);
    write_all(file, layout.tail, layout.tail_at, path);
}

// This rank's rows of all arrays; its first ball is number `first` of all.
void fill_rows(const std::string& path, const VtpLayout& layout, std::uint64_t first, const FrameChoice& choice,
               const Bodies& bodies, const Motion& motion, const Axes& axes, std::size_t at_once) {
    const Descriptor plain = open_to_write(path);  // says why it cannot, and can wait for the disk
    MpiFile file(path);
    std::vector<std::byte> buffer;
    choice.for_each_batch(bodies, at_once, [&](std::span<const Index> places) {
        for (std::size_t a = 0; a < layout.arrays.size(); ++a) {
            const std::size_t row = layout.arrays[a].row_bytes();
            buffer.resize(row * places.size());
            gather(layout.arrays[a], bodies, motion, axes, places, first, buffer.data());
            file.write(layout.rows_at[a] + first * row, buffer.data(), buffer.size());
        }
        first += places.size();
    });
    file.close();
    bring_to_disk(plain, path);
}

}  // namespace

VtpLayout vtp_layout(const FrameOptions& options, std::uint64_t n, const FrameTime& when) {
    VtpLayout layout;
    layout.n = n;
    layout.arrays = frame_arrays(options, n);
    const FrameArray& connectivity = layout.arrays.back();
    std::vector<std::string> tags;
    std::uint64_t offset = 0;  // from the first byte of the appended data
    for (const FrameArray& array : layout.arrays) {
        tags.push_back(vtp_array_tag(array, offset));
        layout.rows_at.push_back(offset + length_bytes);
        offset += length_bytes + n * array.row_bytes();
    }
    FrameArray end_of_cell = connectivity;
    end_of_cell.name = "offsets";
    const std::string end_tag = vtp_array_tag(end_of_cell, offset);
    layout.offset_at = offset + length_bytes;
    layout.tail_at = layout.offset_at + (n > 0 ? connectivity.number_bytes : 0);

    layout.head = vtp_head(
        when,
        fmt::format(
            "<DataArray type=\"Float64\" Name=\"velocity_time\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
            when.time),
        fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
                    "NumberOfPolys=\"0\">\n"
                    "<Points>\n{}</Points>\n<PointData>\n{}</PointData>\n<Verts>\n{}{}</Verts>\n</Piece>\n",
                    n, n > 0 ? 1 : 0, tags.front(), fmt::join(tags.begin() + 1, tags.end() - 1, ""), tags.back(),
                    end_tag));
    layout.tail = vtp_tail;
    for (std::uint64_t& at : layout.rows_at) at += layout.head.size();
    layout.offset_at += layout.head.size();
    layout.tail_at += layout.head.size();
    layout.size = layout.tail_at + layout.tail.size();
    return layout;
}

void write_frame(const boost::mpi::communicator& comm, const std::string& path, const Bodies& bodies,
                 const Motion& motion, const Axes& axes, const FrameTime& when, const FrameOptions& options) {
    together(comm, [&] { check(options); });
    const FrameChoice choice(options, axes);
    const std::size_t at_once = std::clamp<std::size_t>(options.bodies_at_once, 1, most_bodies_at_once);
    const std::uint64_t mine = choice.count(bodies);
    const std::uint64_t end = boost::mpi::scan(comm, mine, std::plus<std::uint64_t>());
    const std::uint64_t n = boost::mpi::all_reduce(comm, mine, std::plus<std::uint64_t>());
    const VtpLayout layout = vtp_layout(options, n, when);
    const std::string part = path + ".part";
    try {
        together(comm, [&] {
            if (comm.rank() == 0) make_file(part, layout);
        });
        together(comm, [&] {
            if (mine > 0 || comm.rank() == 0)
                fill_rows(part, layout, end - mine, choice, bodies, motion, axes, at_once);
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
