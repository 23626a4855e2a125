// Fields on a grid as one .vti file (VTK XML ImageData, cell data, appended raw binary, 64-bit reals), as ParaView
// opens it. By one rank.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "core/vec.hpp"

namespace granary {

struct ImageArray {
    std::string name, unit;  // unit "": a pure number
    int components = 1;      // 1, 3, or 6 of a symmetric tensor: xx, yy, zz, xy, yz, xz
    std::vector<double> values;
};

struct Image {
    Vec3d origin, spacing;  // m
    std::array<int, 3> cells{};
    double time = 0;  // s
    std::vector<ImageArray> arrays;
};

// Whole or not at all. Throws InputError if it cannot be written.
void write_vti(const std::string& path, const Image& image);

std::string vti_text(const Image& image);  // the bytes of the file

}  // namespace granary
