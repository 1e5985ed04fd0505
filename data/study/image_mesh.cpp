// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/image_mesh.h"

#include "core/support/checked_math.h"
#include "core/support/error.h"
#include "data/study/mesh_limits.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace gridhelm::data {

namespace {

constexpr const char *kind = "image";
constexpr std::size_t maxAlongAxis = std::size_t{1} << 30; // VTK counts with int

std::uint64_t cellsOf(const ImageMesh &image)
{
    std::uint64_t cells = 1;
    for (auto points : image.points)
        cells = checkedMultiply(cells, points > 1 ? points - 1 : 1);
    return cells;
}

std::uint64_t pointsOf(const ImageMesh &image)
{
    std::uint64_t points = 1;
    for (auto along : image.points)
        points = checkedMultiply(points, along);
    return points;
}

} // namespace

Mesh encodeImageMesh(const ImageMesh &image)
{
    const nlohmann::json text{
        {"points", image.points}, {"origin", image.origin}, {"spacing", image.spacing}};
    return {kind, text.dump(), pointsOf(image), cellsOf(image)};
}

ImageMesh decodeImageMesh(const Mesh &mesh)
{
    if (mesh.kind != kind)
        throw Error("The mesh is not a regular grid of points but of kind '" + mesh.kind
                    + "': this needs an image");
    ImageMesh image;
    bool good = mesh.encoded.size() <= largestEncodedSize(kind, mesh.points, mesh.cells);
    try {
        const auto text = good ? nlohmann::json::parse(mesh.encoded) : nlohmann::json();
        // -1 points would become 2^64 - 1.
        good = good && std::ranges::all_of(text.at("points"), &nlohmann::json::is_number_unsigned);
        text.at("points").get_to(image.points);
        text.at("origin").get_to(image.origin);
        text.at("spacing").get_to(image.spacing);
        for (std::size_t t = 0; t < image.points.size(); ++t)
            good = good && image.points[t] <= maxAlongAxis
                   && isSoundAxis(image.origin[t], image.spacing[t], image.points[t]);
        good = good && pointsOf(image) == mesh.points && cellsOf(image) == mesh.cells;
    } catch (const nlohmann::json::exception &) {
        good = false;
    }
    if (!good)
        throw Error("The description of the mesh in the study is damaged; restore the file from a "
                    "copy");
    return image;
}

} // namespace gridhelm::data
