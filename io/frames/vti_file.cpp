#include "io/frames/vti_file.hpp"

#include <fmt/format.h>
#include <bit>
#include <stdexcept>
#include "io/formats/system_file.hpp"

namespace granary {

namespace {

constexpr std::size_t head_block = 4096;  // bytes that ParaView reads of a head at a time, see vtp_file.cpp

}  // namespace

std::string vti_text(const Image& image) {
    const auto [nx, ny, nz] = image.cells;
    const std::size_t cells =
        static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) * static_cast<std::size_t>(nz);
    const std::string extent = fmt::format("0 {} 0 {} 0 {}", nx, ny, nz);
    std::string tags;
    std::uint64_t offset = 0;
    for (const ImageArray& a : image.arrays) {
        if (a.values.size() != cells * static_cast<std::size_t>(a.components))
            throw std::logic_error("vti: " + a.name + " does not have one value per cell");
        tags += fmt::format(
            "<DataArray type=\"Float64\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"",
            a.name, a.components, offset);
        if (a.components == 6) {
            const char* names[6] = {"XX", "YY", "ZZ", "XY", "YZ", "XZ"};
            for (int k = 0; k < 6; ++k) tags += fmt::format(" ComponentName{}=\"{}\"", k, names[k]);
        }
        tags += a.unit.empty() ? "/>\n"
                               : fmt::format(
                                     ">\n<InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">{}"
                                     "</InformationKey>\n</DataArray>\n",
                                     a.unit);
        offset += sizeof(std::uint64_t) + sizeof(double) * a.values.size();
    }
    std::string text = fmt::format(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">\n"
        "<ImageData WholeExtent=\"{}\" Origin=\"{} {} {}\" Spacing=\"{} {} {}\">\n"
        "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
        "format=\"ascii\">{}</DataArray>\n"
        "</FieldData>\n<Piece Extent=\"{}\">\n<PointData>\n</PointData>\n<CellData>\n{}</CellData>\n</Piece>\n"
        "</ImageData>\n<AppendedData encoding=\"raw\">",
        std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian", extent, image.origin.x,
        image.origin.y, image.origin.z, image.spacing.x, image.spacing.y, image.spacing.z, image.time, extent, tags);
    text.resize(((text.size() - 1) / head_block + 2) * head_block - 1, ' ');
    text += "\n_";
    for (const ImageArray& a : image.arrays) {
        const std::uint64_t bytes = sizeof(double) * a.values.size();
        text.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
        text.append(reinterpret_cast<const char*>(a.values.data()), bytes);
    }
    return text + "\n</AppendedData>\n</VTKFile>\n";
}

void write_vti(const std::string& path, const Image& image) { replace_file(path, vti_text(image)); }

}  // namespace granary
