// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/compress/node_volumes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace gridhelm::data {

namespace {

/// Along one axis: of each point, or of each cell.
std::vector<double> lengths(std::size_t points, double spacing, Association of)
{
    if (points <= 1)
        return {1.0};
    if (of == Association::cell)
        return std::vector<double>(points - 1, std::abs(spacing));
    std::vector<double> all(points, std::abs(spacing));
    all.front() /= 2;
    all.back() /= 2;
    return all;
}

/// Whether they can be weights.
bool areSound(const std::vector<double> &volumes, std::uint64_t entities)
{
    return volumes.size() == entities
           && std::ranges::all_of(
               volumes, [](double volume) { return std::isfinite(volume) && volume >= 0; })
           && std::ranges::any_of(volumes, [](double volume) { return volume > 0; });
}

} // namespace

std::vector<double> imageVolumes(const ImageMesh &image, Association of)
{
    std::array<std::vector<double>, 3> along;
    for (std::size_t axis = 0; axis < 3; ++axis)
        along[axis] = lengths(image.points[axis], image.spacing[axis], of);
    std::vector<double> volumes;
    volumes.reserve(along[0].size() * along[1].size() * along[2].size());
    for (const double z : along[2])
        for (const double y : along[1])
            for (const double x : along[0])
                volumes.push_back(x * y * z);
    return volumes;
}

EntityWeights weightsOf(const Study &study, FieldIndex field, const VolumesOfMesh &volumes)
{
    const auto &described = study.fields().at(field);
    EntityWeights weights;
    if (const auto mesh = study.mesh()) {
        if (mesh->kind == "image")
            weights.values = imageVolumes(decodeImageMesh(*mesh), described.association);
        else if (volumes)
            weights.values = volumes(*mesh, described.association);
    }
    weights.areVolumes = areSound(weights.values, described.entities);
    if (!weights.areVolumes) {
        weights.values.assign(described.entities, 1.0);
        return weights;
    }
    const double mean = std::accumulate(weights.values.begin(), weights.values.end(), 0.0)
                        / static_cast<double>(weights.values.size());
    for (double &value : weights.values)
        value /= mean;
    return weights;
}

} // namespace gridhelm::data
