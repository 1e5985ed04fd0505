// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/image_mesh.h"

#include "core/support/checked_math.h"
#include "core/support/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace gridhelm::data {

namespace {

constexpr const char *kind = "image";

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
    bool good = false;
    try {
        const auto text = nlohmann::json::parse(mesh.encoded);
        text.at("points").get_to(image.points);
        text.at("origin").get_to(image.origin);
        text.at("spacing").get_to(image.spacing);
        good = std::all_of(image.points.begin(), image.points.end(), [](auto n) { return n > 0; })
               && std::all_of(image.spacing.begin(), image.spacing.end(),
                              [](double h) { return h > 0 && std::isfinite(h); })
               && pointsOf(image) == mesh.points && cellsOf(image) == mesh.cells;
    } catch (const nlohmann::json::exception &) {
        good = false;
    }
    if (!good)
        throw Error("The description of the mesh in the study is damaged; restore the file from a "
                    "copy");
    return image;
}

} // namespace gridhelm::data
