#include "io/frames/vtp_file.hpp"
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>
#include <algorithm>
#include <bit>
#include <boost/mpi/collectives.hpp>
#include <cstring>
#include <functional>
#include <iterator>
#include "core/errors.hpp"
#include "io/formats/system_file.hpp"
#include "decomposition/together.hpp"

namespace granary {
namespace {

constexpr std::uint64_t length_bytes = sizeof(std::uint64_t);      // before every array: how many bytes follow
constexpr std::size_t most_bodies_at_once = std::size_t{1} << 24;  // keeps the bytes of one write within an int
constexpr std::size_t reader_block = 4096;                         // bytes that ParaView reads of a head at a time

std::string array_tag(const FrameArray& array, std::uint64_t offset) {
    const std::string opening =
        fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"",
                    array.type, array.name, array.components, offset);
    if (!*array.unit || !std::strcmp(array.unit, "1")) return opening + "/>\n";
    return fmt::format(
        "{}>\n<InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">{}</InformationKey>\n</DataArray>\n",
        opening, array.unit);
}

std::string bytes_of(std::uint64_t number, std::size_t n_bytes) {
    const std::uint32_t small = static_cast<std::uint32_t>(number);
    std::string bytes(n_bytes, '\0');
    std::memcpy(bytes.data(), n_bytes == sizeof small ? static_cast<const void*>(&small) : &number, n_bytes);
    return bytes;
}

// Rank 0: the whole file but for the rows of the balls.
void make_file(const std::string& path, const VtpLayout& layout) {
    const Descriptor file = new_file(path);
    reserve_room(file, layout.size, path);
    write_all(file, layout.head, 0, path);
    for (std::size_t a = 0; a < layout.arrays.size(); ++a)
        write_all(file, bytes_of(layout.n * layout.arrays[a].row_bytes(), length_bytes),
                  layout.rows_at[a] - length_bytes, path);
    const std::size_t number_bytes = layout.arrays.back().number_bytes;
    const std::string end_of_cell = layout.n > 0 ? bytes_of(layout.n, number_bytes) : "";
    write_all(file, bytes_of(end_of_cell.size(), length_bytes) + end_of_cell, layout.offset_at - length_bytes, path);
    write_all(file, layout.tail, layout.tail_at, path);
}

// A file that this rank alone opens through MPI-IO, which knows what a shared file needs on each file system.
class MpiFile {
  public:
    explicit MpiFile(const std::string& path) : path_(path) {
        check(MPI_File_open(MPI_COMM_SELF, path.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &file_),
              "cannot open in parallel");
    }
    ~MpiFile() {
        if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
    }
    MpiFile(const MpiFile&) = delete;
    MpiFile& operator=(const MpiFile&) = delete;

    // The count is looked at as well: ompio of Open MPI 4.1 reports success where the disk is full.
    void write(std::uint64_t at, const std::byte* bytes, std::size_t n) {
        MPI_Status status;
        check(MPI_File_write_at(file_, static_cast<MPI_Offset>(at), bytes, static_cast<int>(n), MPI_BYTE, &status),
              "cannot write rows");
        int written = 0;
        MPI_Get_count(&status, MPI_BYTE, &written);
        if (written != static_cast<int>(n))
            fail("cannot write rows", fmt::format("only {} of {} bytes were written", written, n));
    }
    void close() { check(MPI_File_close(&file_), "cannot close the file"); }

  private:
    void check(int error, const char* what) const {
        if (error == MPI_SUCCESS) return;
        char text[MPI_MAX_ERROR_STRING]{};
        int length = 0;
        MPI_Error_string(error, text, &length);
        fail(what, text);
    }
    [[noreturn]] void fail(const char* what, const std::string& why) const {
        throw InputError(fmt::format("{}: {}: {}; is the disk full?", path_, what, why));
    }
    std::string path_;
    MPI_File file_ = MPI_FILE_NULL;
};

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
        tags.push_back(array_tag(array, offset));
        layout.rows_at.push_back(offset + length_bytes);
        offset += length_bytes + n * array.row_bytes();
    }
    FrameArray end_of_cell = connectivity;
    end_of_cell.name = "offsets";
    const std::string end_tag = array_tag(end_of_cell, offset);
    layout.offset_at = offset + length_bytes;
    layout.tail_at = layout.offset_at + (n > 0 ? connectivity.number_bytes : 0);

    fmt::memory_buffer head;
    fmt::format_to(
        std::back_inserter(head),
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">\n<PolyData>\n"
        "<FieldData>\n"
        "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n"
        "<DataArray type=\"Int64\" Name=\"step\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n"
        "<DataArray type=\"Float64\" Name=\"velocity_time\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n"
        "</FieldData>\n"
        "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"0\">\n"
        "<Points>\n{}</Points>\n<PointData>\n{}</PointData>\n<Verts>\n{}{}</Verts>\n"
        "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">",
        std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian", when.time, when.step, when.time, n,
        n > 0 ? 1 : 0, tags.front(), fmt::join(tags.begin() + 1, tags.end() - 1, ""), tags.back(), end_tag);
    layout.head = fmt::to_string(head);
    // ParaView 5.11 hands the head to its XML parser by blocks, and goes on until the parser has told of this tag.
    // Expat from 2.6 on (and Debian's 2.5 with the same change) tells of it only when another block has come, which
    // must not hold raw numbers: white space to the end of that block.
    const std::size_t begin = ((layout.head.size() - 1) / reader_block + 2) * reader_block;
    layout.head.resize(begin - 1, ' ');
    layout.head += "\n_";
    layout.tail = "\n</AppendedData>\n</VTKFile>\n";
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
