// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/sample_scalar.h"

#include "core/sparse/nearest_point.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace gridhelm::data {

ImageMesh scalarImageMesh(const Study &study, std::size_t resolution)
{
    if (study.description().kind != StudyKind::scalar)
        throw Error(study.path().string()
                    + " is a vector study, whose fields come on its own mesh: leave the "
                      "resolution out");
    constexpr std::size_t finest = 1 << 20;
    if (resolution == 1 || resolution > finest)
        throw Error("a resolution of " + std::to_string(resolution)
                    + " points makes no picture: choose 2 to " + std::to_string(finest));
    const auto &space = study.description().space;
    const auto spatial = space.spatial();
    if (spatial.empty() || spatial.size() > 3)
        throw Error(study.path().string() + " has " + std::to_string(spatial.size())
                    + " directions of space, and a picture has one to three: ask for single "
                      "values instead");
    double longest = 0;
    for (auto t : spatial)
        longest = std::max(longest, space[t].high - space[t].low);
    const auto own = study.mesh();
    const bool hasMesh = own && own->kind == encodeImageMesh({}).kind;
    ImageMesh mesh;
    for (std::size_t axis = 0; axis < spatial.size(); ++axis) {
        const auto &direction = space[spatial[axis]];
        const double length = direction.high - direction.low;
        double distance = longest / static_cast<double>(std::max<std::size_t>(resolution, 2) - 1);
        if (resolution == 0)
            distance =
                hasMesh ? decodeImageMesh(*own).spacing[axis]
                        : length / sparse::stepsOf(*study.grid(), static_cast<int>(spatial[axis]));
        const auto cells = std::clamp(std::round(length / distance), 1.0, double{finest});
        mesh.points[axis] = static_cast<std::size_t>(cells) + 1;
        mesh.origin[axis] = direction.low;
        mesh.spacing[axis] = length / cells;
    }
    return mesh;
}

ScalarImage sampleScalar(const ScalarSurrogate &surrogate, std::span<const double> at,
                         const ImageMesh &mesh)
{
    const auto &space = surrogate.space();
    if (at.size() != space.parameters().size())
        throw Error(std::to_string(at.size()) + " values for "
                    + std::to_string(space.parameters().size()) + " parameters: give one for each");
    const auto count = static_cast<double>(mesh.points[0]) * static_cast<double>(mesh.points[1])
                       * static_cast<double>(mesh.points[2]);
    requireMemory(count * 4 * sizeof(float), "a picture of so many points", "lower the resolution");
    std::vector<std::vector<double>> axes;
    for (double value : at)
        axes.push_back({value});
    const auto spatial = space.spatial();
    for (std::size_t axis = 0; axis < spatial.size(); ++axis) {
        const auto &direction = space[spatial[axis]];
        auto &places = axes[spatial[axis]];
        places.clear();
        for (std::size_t i = 0; i < mesh.points[axis]; ++i)
            places.push_back(
                std::clamp(mesh.origin[axis] + static_cast<double>(i) * mesh.spacing[axis],
                           direction.low, direction.high)); // but for round-off, they are inside
    }
    const auto size = mesh.points[0] * mesh.points[1] * mesh.points[2];
    std::vector<float> values(size), indicator(size);
    const auto where = surrogate.evaluate(axes, {values, indicator});

    // The surrogate's last direction is its fastest one, the picture's first direction is.
    ScalarImage image{mesh, std::vector<float>(size), std::vector<float>(size), where};
    const auto &n = mesh.points;
    for (std::size_t x = 0; x < n[0]; ++x) {
        for (std::size_t y = 0; y < n[1]; ++y) {
            for (std::size_t z = 0; z < n[2]; ++z) {
                const auto from = (x * n[1] + y) * n[2] + z, to = (z * n[1] + y) * n[0] + x;
                image.values[to] = values[from];
                image.indicator[to] = indicator[from];
            }
        }
    }
    return image;
}

ScalarImage sampleScalarStudy(const Study &study, FieldIndex field, std::span<const double> at,
                              std::size_t resolution, const sparse::Backend &backend)
{
    const auto mesh = scalarImageMesh(study, resolution); // also checks the kind of study
    return sampleScalar(ScalarSurrogate(study, field, backend), at, mesh);
}

} // namespace gridhelm::data
