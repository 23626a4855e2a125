#include "io/frames/vtp_parts.hpp"
#include <fmt/format.h>
#include <bit>
#include <cstring>
#include "core/errors.hpp"

namespace granary {
namespace {

constexpr std::size_t reader_block = 4096;  // bytes that ParaView reads of a head at a time

}  // namespace

std::string vtp_array_tag(const FrameArray& array, std::uint64_t offset) {
    const std::string opening =
        fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"",
                    array.type, array.name, array.components, offset);
    if (!*array.unit || !std::strcmp(array.unit, "1")) return opening + "/>\n";
    return fmt::format(
        "{}>\n<InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">{}</InformationKey>\n</DataArray>\n",
        opening, array.unit);
}

std::string vtp_bytes(std::uint64_t number, std::size_t n_bytes) {
    const std::uint32_t small = static_cast<std::uint32_t>(number);
    std::string bytes(n_bytes, '\0');
    std::memcpy(bytes.data(), n_bytes == sizeof small ? static_cast<const void*>(&small) : &number, n_bytes);
    return bytes;
}

std::string vtp_head(const FrameTime& when, const std::string& more, const std::string& piece) {
    std::string head = fmt::format(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">\n<PolyData>\n"
        "<FieldData>\n"
        "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n"
        "<DataArray type=\"Int64\" Name=\"step\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n"
        "{}</FieldData>\n{}"
        "</PolyData>\n<AppendedData encoding=\"raw\">",
        std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian", when.time, when.step, more, piece);
    // ParaView 5.11 hands the head to its XML parser by blocks, and goes on until the parser has told of this tag.
    // Expat from 2.6 on (and Debian's 2.5 with the same change) tells of it only when another block has come, which
    // must not hold raw numbers: white space to the end of that block.
    const std::size_t begin = ((head.size() - 1) / reader_block + 2) * reader_block;
    head.resize(begin - 1, ' ');
    return head + "\n_";
}

MpiFile::MpiFile(const std::string& path) : path_(path) {
    check(MPI_File_open(MPI_COMM_SELF, path.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &file_),
          "cannot open in parallel");
}

MpiFile::~MpiFile() {
    if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
}

// The count is looked at as well: ompio of Open MPI 4.1 reports success where the disk is full.
void MpiFile::write(std::uint64_t at, const std::byte* bytes, std::size_t n) {
    MPI_Status status;
    check(MPI_File_write_at(file_, static_cast<MPI_Offset>(at), bytes, static_cast<int>(n), MPI_BYTE, &status),
          "cannot write rows");
    int written = 0;
    MPI_Get_count(&status, MPI_BYTE, &written);
    if (written != static_cast<int>(n))
        fail("cannot write rows", fmt::format("only {} of {} bytes were written", written, n));
}

void MpiFile::close() { check(MPI_File_close(&file_), "cannot close the file"); }

void MpiFile::check(int error, const char* what) const {
    if (error == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING]{};
    int length = 0;
    MPI_Error_string(error, text, &length);
    fail(what, text);
}

void MpiFile::fail(const char* what, const std::string& why) const {
    throw InputError(fmt::format("{}: {}: {}; is the disk full?", path_, what, why));
}

}  // namespace granary
