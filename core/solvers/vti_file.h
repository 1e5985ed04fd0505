// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fields as VTK image data files (XML, ".vti"), which ParaView and VTK open; VTK is not needed.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace gridhelm::solvers {

/// Where the points of an image are; x fastest. The same spacing in every direction.
struct ImageGrid
{
    std::array<std::size_t, 3> points{1, 1, 1};
    std::array<double, 3> origin{0, 0, 0};
    double spacing = 1;
    /// Where the first point is in a larger image that this is a piece of; the origin is that of
    /// the larger one's first point.
    std::array<std::size_t, 3> first{0, 0, 0};

    std::size_t count() const { return points[0] * points[1] * points[2]; }
};

/// One value per point, under a name: letters, digits, blanks and "_-.()/".
struct ImageArrayView
{
    std::string name;
    std::variant<std::span<const float>, std::span<const double>> values;
};

/// Point data of VTK's ImageData, version 1.0: Float32 or Float64, appended raw, little endian,
/// sizes in 64 bits. The first array is the active scalar field. Throws gridhelm::Error when the
/// file cannot be written (it may be incomplete then), for an array of the wrong length, an
/// unusable or repeated name, or no arrays.
void writeVti(const std::filesystem::path &path, const ImageGrid &grid,
              std::span<const ImageArrayView> arrays);

/// A file that has a piece of an image.
struct IndexedPiece
{
    std::string file; ///< beside the index
    std::array<std::size_t, 3> first{0, 0, 0};
    std::array<std::size_t, 3> points{1, 1, 1};
};

/// VTK's parallel image data (".pvti"): an image of such arrays in pieces, which writeVti() has
/// written. Neighbouring pieces have the points between them in common.
std::string pvtiText(const ImageGrid &whole, std::span<const ImageArrayView> arrays,
                     std::span<const IndexedPiece> pieces);

struct ImageArray
{
    std::string name;
    std::variant<std::vector<float>, std::vector<double>> values;
};

struct Image
{
    ImageGrid grid;
    std::vector<ImageArray> arrays; ///< at least one
};

/// Reads what writeVti() has written, unless it is a piece. Throws gridhelm::Error for any other
/// file, one that is cut off, or one that does not fit into memory (before allocating).
Image readVti(const std::filesystem::path &path);

} // namespace gridhelm::solvers
